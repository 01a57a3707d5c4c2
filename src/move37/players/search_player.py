"""A player that searches: PUCT over an evaluator, the tree kept from move to move.

The search itself decides whether its tree still belongs to the position it is given (same rules and komi, moves that
it has seen); this file turns its statistics into a move: draws among them in the opening if asked, resigns if asked,
and never passes a game away (`pass_guard`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from move37.errors import ConfigError
from move37.players.network_source import NetworkSource
from move37.players.pass_guard import guarded, pass_wins_now
from move37.players.player import Clock, Decision
from move37.rules.position import Position
from move37.search.limits import Stopper, limit
from move37.search.puct import SearchConfig
from move37.search.root import Search


@dataclass(frozen=True)
class SearchPlayerConfig:
    """How a search becomes a move.

    visits, seconds: what ends a search, whichever comes first; the visits count those kept from the last search.
    temperature: of the draw among visit counts in the first `temperature_moves` moves of the game; later the most
        visited.
    resign_below: resign when the value, in [-1, 1] for the player to move, is less; None never resigns.
    resign_after: never resign before so many moves were played.
    """

    visits: int | None = 400
    seconds: float | None = None
    temperature: float = 0.0
    temperature_moves: int = 0
    resign_below: float | None = None
    resign_after: int = 20

    def __post_init__(self) -> None:
        """Refuse values out of range (`ConfigError`)."""
        if not 0 <= self.temperature < np.inf:
            raise ConfigError(f"a temperature is a finite number of at least 0, not {self.temperature}")
        if self.resign_below is not None and not -1 <= self.resign_below < 0:
            raise ConfigError(f"resign_below is a value from -1 to just under 0, not {self.resign_below}")
        self.limits()

    def limits(self) -> Stopper:
        """What ends a search; `ConfigError` for no limit or one that is not positive."""
        return limit(self.visits, seconds=self.seconds)


class SearchPlayer:
    """Searches with the network of `source`; one search, with its tree, for each board size."""

    def __init__(
        self,
        source: NetworkSource,
        config: SearchPlayerConfig | None = None,
        search: SearchConfig | None = None,
        rng: np.random.Generator | None = None,
        name: str = "search",
    ) -> None:
        self.name = name
        self.config = config or SearchPlayerConfig()
        self._source = source
        self._search_config = search or SearchConfig()
        self._rng = rng or np.random.default_rng()
        self._searches: dict[tuple[int, int], Search] = {}

    def __repr__(self) -> str:
        limits = f"{self.config.visits} visits" if self.config.visits else f"{self.config.seconds:g} s a move"
        return f"<player {self.name}: {self._source.name or 'bundled network'}, {limits}>"

    def supports(self, rows: int, cols: int) -> bool:
        """Whether there is a network for this size."""
        return self._source.supports(rows, cols)

    def choose(self, position: Position, clock: Clock | None = None) -> Decision:
        """Search and choose. `value` is the search's, `visits` the visit counts, `tree` the `SearchResult`."""
        if pass_wins_now(position):
            return Decision(position.rows * position.cols, value=1.0)
        result = self._search(position.rows, position.cols).run(position, self.config.limits())
        visits = result.visits.astype(np.float64)
        if self._resigns(position, result.value):
            return Decision(None, resign=True, value=result.value, visits=visits, tree=result)
        early = position.move_number < self.config.temperature_moves
        move = result.sample(self._rng, self.config.temperature if early else 0.0)
        decision = Decision(move, value=result.value, visits=visits, tree=result)
        return guarded(position, decision, visits + result.priors)

    def close(self) -> None:
        """Drop trees and networks."""
        self._searches.clear()

    def _search(self, rows: int, cols: int) -> Search:
        if (rows, cols) not in self._searches:
            evaluator = self._source.evaluator(rows, cols)
            self._searches[rows, cols] = Search(evaluator, self._search_config, self._rng)
        return self._searches[rows, cols]

    def _resigns(self, position: Position, value: float) -> bool:
        below = self.config.resign_below
        return below is not None and value < below and position.move_number >= self.config.resign_after
