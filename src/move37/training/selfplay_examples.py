"""Training examples drawn from games of self-play: what the searches are to teach, and how the games ended.

A position is drawn as often as its weight says, replayed under its game's own rules and komi, encoded, and turned by a
symmetry with all its targets. What it teaches: the search's policy and the result (Silver et al., Nature 550, 2017),
the score and, if asked for, the ownership in the end and the opponent's answer (Wu 2019, 3.4, 4.1). Games of people are
`examples.Source`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from move37.errors import ConfigError
from move37.features.encoder import Encoder
from move37.games.areas import black_ownership
from move37.games.self_play import SelfPlayGames
from move37.rules import symmetry
from move37.training.examples import Examples, Sampler, located, turn, turned_owners
from move37.training.results import black_leads

__all__ = ["SelfPlaySource", "SizedSampler"]


@dataclass(frozen=True)
class SelfPlaySource:
    """Games of one board size (ConfigError otherwise), to be put into a `Sampler`, whose komi does not matter here.

    `ownership`, `opponent`: whether examples have these targets. ConfigError if no position has any weight.
    """

    games: SelfPlayGames
    ownership: bool = False
    opponent: bool = False
    _upper: NDArray[np.float64] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        if len(np.unique(self.games.games.size)) > 1:
            raise ConfigError("a source has games of one board size; select those of each size")
        upper = self.games.weight.cumsum(dtype=np.float64)
        if not len(upper) or upper[-1] <= 0.0:
            raise ConfigError("these games of self-play have no position to learn from")
        object.__setattr__(self, "_upper", upper)

    @property
    def side(self) -> int:
        """See `examples.AnySource`."""
        return int(self.games.games.size[0])

    @property
    def positions(self) -> int:
        """How many positions may be drawn."""
        return int((self.games.weights.values > 0).sum())

    def draw(self, rng: np.random.Generator, count: int) -> NDArray[np.int64]:
        """The numbers int64[count] of positions drawn by weight, each time from all."""
        chances = rng.random(count) * self._upper[-1]
        return np.asarray(np.searchsorted(self._upper, chances, side="right"), np.int64)

    @cached_property
    def _offsets(self) -> NDArray[np.int64]:
        return self.games.target_offsets

    @cached_property
    def _leads(self) -> NDArray[np.float32]:
        """float32[G]: points Black was ahead on the board in the end; NaN where it was not counted."""
        return black_leads(self.games.games, "area")

    @cached_property
    def _has_result(self) -> NDArray[np.bool_]:
        return np.asarray(self.games.games.result != "Void", np.bool_)

    def examples(
        self, positions: NDArray[np.int64], encoder: Encoder, symmetries: NDArray[np.int64], komi: float = 0.0
    ) -> Examples:
        """See `examples.AnySource`; the komi of each game is its own."""
        games, plies = located(self.games.games, positions)
        boards = self.games.replay(games, plies)
        encoded = encoder.encode(boards)
        spatial, move = turn(encoded.spatial, self.games.games.moves.values[positions].astype(np.int64), symmetries)
        view = np.where(boards["to_play"] == 1, np.float32(1), np.float32(-1))
        policy = self._policies(positions, symmetries)
        further: dict[str, NDArray[np.float32]] = {}
        if self.opponent:
            further |= self._opponents(positions, games, plies, symmetries)
        if self.ownership:
            further |= self._ownerships(games, view, symmetries)
        return Examples(
            spatial=spatial,
            globals=encoded.globals,
            move=move,
            value=view * self.games.games.winner[games].astype(np.float32),
            policy_weight=(policy.sum(axis=1) > 0).astype(np.float32),
            value_weight=self._has_result[games].astype(np.float32),
            ply=plies,
            score=view * self._leads[games],
            policy=policy,
            **further,
        )

    def _policies(self, positions: NDArray[np.int64], symmetries: NDArray[np.int64]) -> NDArray[np.float32]:
        """Targets float32[B, A], turned."""
        policies = self.games.targets(positions, self.side**2 + 1, self._offsets)
        for one in np.unique(symmetries).tolist():
            chosen = symmetries == one
            policies[chosen] = symmetry.apply_policy(one, policies[chosen], self.side, self.side)
        return policies

    def _opponents(
        self,
        positions: NDArray[np.int64],
        games: NDArray[np.int64],
        plies: NDArray[np.int64],
        symmetries: NDArray[np.int64],
    ) -> dict[str, NDArray[np.float32]]:
        """The targets of the moves after: none at the end of a game."""
        last = plies + 1 >= self.games.games.moves.lengths[games]
        found = self._policies(np.where(last, positions, positions + 1), symmetries)
        found[last] = 0.0
        return {"opponent": found, "opponent_weight": (found.sum(axis=1) > 0).astype(np.float32)}

    def _ownerships(
        self, games: NDArray[np.int64], view: NDArray[np.float32], symmetries: NDArray[np.int64]
    ) -> dict[str, NDArray[np.float32]]:
        """Who owns what in the end, turned; of no weight where the game was resigned."""
        counted = ~np.isnan(self._leads[games])
        owners = turned_owners(black_ownership(self.games.games, games), view, symmetries)
        return {"ownership": owners, "ownership_weight": counted.astype(np.float32)}


@dataclass(frozen=True)
class SizedSampler:
    """Batches of one board size each, which chance chooses: of sampler i in the proportion of `shares[i]`."""

    samplers: Sequence[Sampler]
    shares: tuple[float, ...]
    seed: int

    def draw(self, number: int) -> Examples:
        """Batch `number`: a function of the seed and the number alone."""
        shares = np.array(self.shares) / sum(self.shares)
        chosen = np.random.default_rng([self.seed, number, len(shares)]).choice(len(shares), p=shares)
        return self.samplers[int(chosen)].draw(number)
