"""The options of self-play, each with its source, and three named sets of values: `strict`, `modern` and `gumbel`.

Lengths that papers give for 19x19 are scaled by the number of points of the board. The options of the search itself
are those of `search.puct` and `search.gumbel`. Plays nothing.

Sources, by the names used below: *AGZ* is Silver et al., Nature 550 (2017), Methods, "Self-play"; *KataGo* is Wu 2019
(arXiv:1902.10565), *KataGo's methods* the page docs/KataGoMethods.md of its repository; *Gumbel* is Danihelka et al.
2022 (ICLR).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from move37.errors import ConfigError
from move37.rules.ruleset import ruleset
from move37.rules.scoring import check_komi
from move37.search.gumbel import GumbelConfig
from move37.search.option_checks import check_kinds, check_ranges
from move37.search.puct import SearchConfig

__all__ = ["SelfPlayConfig", "gumbel", "modern", "strict"]

FULL_POINTS = 361
"""The points of the board that the papers' numbers are for."""
FAST_SHARE = 5
"""A fast search of `modern` is one part of so many."""
KOMI_STDEVS = 3.0
"""Komi lies within so many deviations (KataGo, Appendix D)."""
MOST_MOVES_A_POINT = 16.0
"""No option asks for longer games."""


@dataclass(frozen=True)
class SelfPlayConfig:
    """How games are played. A chunk of them depends on these values, the network, and the numbers of its games alone.

    seed: begins the random stream of every game, `[seed, number]`.

    The game. sizes, size_shares: a game's board, drawn in these proportions (KataGo 4.1; no shares: evenly). rules: a
    name of `rules.ruleset` that counts area; Tromp-Taylor is AGZ's. komi, komi_stdev: drawn from a normal distribution
    cut off at three deviations, to half points; a share wide_komi_share of games has wide_komi_stdev instead (KataGo,
    Appendix D: 7, 1, 0.05 and 10). moves_a_point: the game ends, scored, after so many moves a point (AGZ: 722 on
    19x19, so 2). opening_moves: the mean number of moves, as a share of the points, that are drawn from the raw policy
    before the game begins; exponentially distributed (KataGo, Appendix D: 0.04). Nothing is learnt from them.

    The search. visits: simulations a move. fast_visits, full_share: playout-cap randomisation (KataGo 3.1): only this
    share of the moves is searched in full, and learnt from; the others get `fast_visits`, without noise (0: every
    search is full). puct: PUCT's options, with root noise (AGZ: fraction 0.25) and forced playouts (KataGo 3.2); its
    `choice`, `batch` and limits are not used. gumbel: if given, Gumbel's search instead, whose policy target is the
    improved policy; its `noise` multiplies the temperature of the move. shaped_noise: `root_priors.shaped_alphas`
    (KataGo's methods). root_temperature: the root's priors to the power 1 / this, before noise (KataGo, Appendix D:
    1.03). reuse: the part of the tree below a move is kept (AGZ). count_reused: its visits count among `visits`.
    symmetries: every position is evaluated in one of the board's symmetries, which chance chose (AGZ).

    The move is drawn by visits to the power 1 / temperature. temperature: of the first temperature_moves (AGZ: 1 for 30
    moves; these are scaled by the board), late_temperature: after them (0: the best move). halflife: if above 0, the
    temperature falls from one to the other by halves, each in so many moves a side of the board, whatever
    temperature_moves is (KataGo, Appendix D: 0.8 to 0.2 in 1).

    The end. resign_below: the player to move resigns if the values of the root and of its best move are below it (AGZ);
    a share resign_check of the games is played to the end whatever they are, to see how often that is wrong:
    `selfplay_resigning` sets the number. soft_resign_above: where games are not resigned (KataGo, Appendix D, "soft
    resignation"): once one side's value was above this for soft_resign_turns moves, full searches shrink towards
    `fast_visits`, or a fifth where there are none, and count less, down to 0.1, in proportion to what is left to 1
    (its configs: 0.9, 3 turns). None: not.

    Learning. surprise: this share of the weight of a game's full searches goes to moves by how much the search
    surprised the policy (KataGo's methods: 0.5).

    together: so many games run side by side and share the network's batches. leaves: evaluations that one game may have
    under way; with 1 a search is as exact as if it were alone. Both change no game, as far as the network's answers do
    not depend on the batch, but leaves beyond 1 change the search.
    """

    seed: int = 1
    sizes: tuple[int, ...] = (9,)
    size_shares: tuple[float, ...] = ()
    rules: str = "tromp-taylor"
    komi: float = 7.5
    komi_stdev: float = 0.0
    wide_komi_share: float = 0.0
    wide_komi_stdev: float = 10.0
    moves_a_point: float = 2.0
    opening_moves: float = 0.0
    visits: int = 100
    fast_visits: int = 0
    full_share: float = 0.25
    puct: SearchConfig = field(default_factory=lambda: SearchConfig(noise_fraction=0.25))
    gumbel: GumbelConfig | None = None
    shaped_noise: bool = False
    root_temperature: float = 1.0
    reuse: bool = True
    count_reused: bool = False
    symmetries: bool = False
    temperature: float = 1.0
    temperature_moves: float = 30.0
    late_temperature: float = 0.0
    halflife: float = 0.0
    resign_below: float | None = None
    resign_check: float = 0.1
    soft_resign_above: float | None = None
    soft_resign_turns: int = 3
    surprise: float = 0.0
    together: int = 64
    leaves: int = 1

    def __post_init__(self) -> None:
        """Refuse values of another kind or out of range (ConfigError)."""
        check_kinds(self, "self-play")
        check_ranges(self, self._ranges(), "self-play")
        if self.size_shares and len(self.size_shares) != len(self.sizes):
            raise ConfigError(f"size_shares are as many as sizes, {len(self.sizes)}, not {len(self.size_shares)}.")
        rules = ruleset(self.rules)
        if rules.scoring != "area" or rules.tax != "none" or rules.has_button:
            raise ConfigError(f"self-play counts area alone: the rules {self.rules!r} do not, use tromp-taylor.")
        check_komi(self.komi)

    def _ranges(self) -> dict[str, bool]:
        return {
            "seed": self.seed >= 0,
            "sizes": len(self.sizes) > 0 and all(2 <= size <= 19 for size in self.sizes),
            "size_shares": all(share > 0 for share in self.size_shares),
            "komi_stdev": 0 <= self.komi_stdev <= 100,
            "wide_komi_share": 0 <= self.wide_komi_share <= 1,
            "wide_komi_stdev": 0 <= self.wide_komi_stdev <= 100,
            "moves_a_point": 0 < self.moves_a_point <= MOST_MOVES_A_POINT,
            "opening_moves": 0 <= self.opening_moves <= 1,
            "visits": 2 <= self.visits < 2**16,
            "fast_visits": 0 <= self.fast_visits <= self.visits and self.fast_visits != 1,
            "full_share": 0 < self.full_share <= 1,
            "root_temperature": 0 < self.root_temperature < np.inf,
            "temperature": 0 <= self.temperature < np.inf,
            "temperature_moves": 0 <= self.temperature_moves < np.inf,
            "late_temperature": 0 <= self.late_temperature < np.inf,
            "halflife": 0 <= self.halflife < np.inf,
            "resign_below": self.resign_below is None or -1 <= self.resign_below < 0,
            "resign_check": 0 <= self.resign_check <= 1,
            "soft_resign_above": self.soft_resign_above is None or 0 <= self.soft_resign_above < 1,
            "soft_resign_turns": self.soft_resign_turns >= 1,
            "surprise": 0 <= self.surprise <= 1,
            "together": 1 <= self.together <= 65536,
            "leaves": 1 <= self.leaves <= 1024,
        }

    @property
    def komi_range(self) -> tuple[float, float]:
        """The lowest and the highest komi that may be drawn."""
        spread = KOMI_STDEVS * max(self.komi_stdev, self.wide_komi_stdev if self.wide_komi_share > 0 else 0.0)
        return self.komi - spread, self.komi + spread

    def longest(self, size: int) -> int:
        """Moves after which a game on this board is scored as it stands."""
        return max(1, round(self.moves_a_point * size * size))


def strict(size: int, **changes: Any) -> SelfPlayConfig:
    """AGZ's self-play, its lengths scaled to the board; `changes` name other values of `SelfPlayConfig`.

    1,600 simulations in the paper, 800 in AlphaZero's. Unvisited moves have the value 0. Which c_puct it has, the paper
    does not print; these are the numbers of AlphaZero's pseudocode (Silver et al. 2018). The noise's parameter is 0.03
    on 19x19, scaled by the number of legal moves as in AlphaZero. Players resign once `resign_below` is set.
    """
    puct = SearchConfig(c_puct=1.25, c_base=19652.0, fpu_value=0.0, noise_fraction=0.25)
    return replace(SelfPlayConfig(sizes=(size,), visits=1600, puct=puct, symmetries=True), **changes)


def modern(size: int, **changes: Any) -> SelfPlayConfig:
    """KataGo's self-play, for small boards and few visits; `changes` name other values of `SelfPlayConfig`.

    Playout caps 100 and 20 are nearly in the paper's proportion (its first are 600 and 100).
    """
    visits = changes.get("visits", 100)
    puct = SearchConfig(c_puct=1.1, fpu_reduction=0.2, noise_fraction=0.25, forced_playouts=2.0)
    config = SelfPlayConfig(
        sizes=(size,),
        komi_stdev=1.0,
        wide_komi_share=0.05,
        opening_moves=0.04,
        visits=visits,
        fast_visits=max(2, visits // FAST_SHARE),
        puct=puct,
        shaped_noise=True,
        root_temperature=1.03,
        temperature=0.8,
        late_temperature=0.2,
        halflife=1.0,
        soft_resign_above=0.9,
        surprise=0.5,
    )
    return replace(config, **changes)


def gumbel(size: int, **changes: Any) -> SelfPlayConfig:
    """Self-play by Gumbel's search (its 16 moves considered), which learns from very few visits; else as `modern`.

    Every move is searched alike and learnt from, the Gumbel numbers are the only noise, and a move is what the plan
    found, so its temperature is 1.
    """
    changes = {"gumbel": GumbelConfig(noise=1.0), "visits": 32, "fast_visits": 0} | changes
    changes = {"temperature": 1.0, "late_temperature": 1.0, "root_temperature": 1.0, "reuse": False} | changes
    return modern(size, **changes)
