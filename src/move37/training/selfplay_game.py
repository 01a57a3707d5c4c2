"""One game of self-play: what chance decided of it, what was played and found so far, and the rows it becomes.

It knows how long a search is to be, when a player gives up, and how much each move is to count; it searches nothing and
has no board.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from move37.games.areas import areas_of
from move37.games.columns import Lists
from move37.games.self_play import FULL, OPENING, SelfPlayGames, value_code, weight_code
from move37.games.store import even_games
from move37.rules.color import Color
from move37.rules.result import Result
from move37.training.selfplay_config import FULL_POINTS, KOMI_STDEVS, SelfPlayConfig
from move37.training.selfplay_search import Found

__all__ = ["Game", "Plan", "rows_of"]

LEAST_SHARE = 5
"""Without fast searches, soft resignation shrinks a search to one part of so many."""
RESIGNED_WEIGHT = 0.1
"""What a move counts when the game is decided altogether (KataGo's `reducedVisitsWeight`)."""


@dataclass(frozen=True)
class Plan:
    """The next search: `simulations`, whether it is one in `full`, and what a move so found counts."""

    simulations: int
    full: bool
    weight: float


@dataclass
class Game:
    """A game under way; `rng` is its own stream. Colours: Black moves first and at even plies."""

    number: int
    rng: np.random.Generator
    config: SelfPlayConfig
    size: int = 0
    komi: float = 0.0
    opening: int = 0
    played_out: bool = False
    result: Result = field(default_factory=Result)
    owner: NDArray[np.int8] = field(default_factory=lambda: np.empty(0, np.int8))
    """Who owns each point in the end, int8[points] (1 Black, 2 White); empty where the game was resigned."""
    found: list[Found] = field(default_factory=list[Found])
    flags: list[int] = field(default_factory=list[int])
    weights: list[float] = field(default_factory=list[float])
    """What each move counts, before surprise is considered."""
    black_values: list[float] = field(default_factory=list[float])

    @classmethod
    def of(cls, config: SelfPlayConfig, number: int) -> Game:
        """A game that has not begun; all that chance says of it beforehand is drawn from the stream of its number."""
        rng = np.random.default_rng([config.seed, number])
        game = cls(number, rng, config)
        shares = np.array(config.size_shares or [1.0] * len(config.sizes))
        game.size = int(rng.choice(config.sizes, p=shares / shares.sum()))
        game.komi = _drawn_komi(config, rng)
        game.opening = int(rng.exponential(config.opening_moves * game.size**2)) if config.opening_moves > 0 else 0
        game.played_out = bool(rng.random() < config.resign_check)
        return game

    @property
    def ply(self) -> int:
        """Moves played."""
        return len(self.found)

    @property
    def is_opening(self) -> bool:
        """Whether the next move comes from the raw policy."""
        return self.ply < self.opening

    @property
    def temperature(self) -> float:
        """Of the next move."""
        config = self.config
        if config.halflife > 0:
            left = math.exp2(-self.ply / (config.halflife * self.size))
            return config.late_temperature + (config.temperature - config.late_temperature) * left
        early = self.ply * FULL_POINTS < config.temperature_moves * self.size**2
        return config.temperature if early else config.late_temperature

    def plan(self) -> Plan:
        """The next search, whose kind is drawn."""
        config = self.config
        full = config.fast_visits == 0 or bool(self.rng.random() < config.full_share)
        if not full:
            return Plan(config.fast_visits, False, 0.0)
        decided = self._decided()
        least = config.fast_visits or max(2, config.visits // LEAST_SHARE)
        visits = round(config.visits + decided * (least - config.visits))
        return Plan(visits, True, 1.0 + decided * (RESIGNED_WEIGHT - 1.0))

    def _decided(self) -> float:
        """How far the game is decided, from 0 to 1, by what soft resignation looks at."""
        above, turns = self.config.soft_resign_above, self.config.soft_resign_turns
        if above is None or len(self.black_values) < turns:
            return 0.0
        last = self.black_values[-turns:]
        least = max(min(last), -max(last))
        return max(0.0, (least - above) / (1.0 - above))

    def resigns(self, found: Found) -> bool:
        """Whether the player to move gives up."""
        below = self.config.resign_below
        return below is not None and not self.played_out and max(found.value, found.best) < below

    def give_up(self) -> None:
        """The player to move resigns: the game is over."""
        self.result = Result(Color.WHITE if self.ply % 2 == 0 else Color.BLACK, None, "resignation")

    def end(self, black_margin: float, no_result: bool, owner: NDArray[np.int8]) -> None:
        """The rules ended the game; owner: int8[points], by area."""
        self.owner = owner
        self.result = Result(reason="void") if no_result else Result.of_margin(black_margin)

    def play(self, found: Found, plan: Plan) -> None:
        """Write down a move."""
        self.black_values.append(found.value if self.ply % 2 == 0 else -found.value)
        self.flags.append(OPENING if self.is_opening else FULL if plan.full else 0)
        self.weights.append(plan.weight)
        self.found.append(found)

    def final_weights(self) -> NDArray[np.float64]:
        """What each move counts, float64[plies]: a share of the sum goes by surprise (KataGo's methods)."""
        weights, share = np.array(self.weights), self.config.surprise
        surprise = weights * np.array([found.surprise for found in self.found])
        total = float(surprise.sum())
        if share == 0.0 or total <= 0.0:
            return weights
        shared: NDArray[np.float64] = (1.0 - share) * weights + share * float(weights.sum()) * surprise / total
        return shared


def _drawn_komi(config: SelfPlayConfig, rng: np.random.Generator) -> float:
    """Komi, to half points."""
    wide = config.wide_komi_share > 0 and bool(rng.random() < config.wide_komi_share)
    stdev = config.wide_komi_stdev if wide else config.komi_stdev
    if stdev == 0:
        return config.komi
    deviations = math.inf
    while abs(deviations) > KOMI_STDEVS:
        deviations = float(rng.standard_normal())
    return round(2.0 * (config.komi + stdev * deviations)) / 2.0


def rows_of(games: Sequence[Game]) -> SelfPlayGames:
    """Finished games as the rows of a store."""
    every = [found for game in games for found in game.found]
    offsets = np.concatenate([[0], np.cumsum([game.ply for game in games])]).astype(np.int64)

    def a_move(values: Sequence[int]) -> Lists:
        return Lists(np.array(values, np.uint16), offsets)

    counts = a_move([len(found.points) for found in every])
    entries = np.concatenate([[0], np.cumsum(counts.values, dtype=np.int64)])[offsets]
    nothing = np.empty(0, np.uint16)
    return SelfPlayGames(
        games=even_games(
            np.array([game.size for game in games], np.int16),
            np.array([game.komi for game in games], np.float32),
            a_move([found.move for found in every]),
            [game.result.text for game in games],
            np.array([_winner(game.result) for game in games], np.int8),
            areas=areas_of([game.owner for game in games]),
        ),
        number=np.array([game.number for game in games], np.int64),
        rules=np.array([game.config.rules for game in games], np.str_),
        played_out=np.array([game.played_out for game in games], np.int8),
        root_values=a_move([value_code(found.value) for found in every]),
        best_values=a_move([value_code(found.best) for found in every]),
        weights=a_move([weight_code(weight) for game in games for weight in game.final_weights()]),
        flags=a_move([flag for game in games for flag in game.flags]),
        target_counts=counts,
        target_points=Lists(np.concatenate([nothing, *(found.points for found in every)]), entries),
        target_weights=Lists(np.concatenate([nothing, *(found.weights for found in every)]), entries),
    )


def _winner(result: Result) -> int:
    return 0 if result.winner is None else 1 if result.winner is Color.BLACK else -1
