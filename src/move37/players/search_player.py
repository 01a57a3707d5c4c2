"""A player that searches: AlphaGo Zero's search or KataGo's over an evaluator, the tree kept from move to move.

The search itself decides whether its tree still belongs to the position it is given (same rules and komi, moves that
it has seen); this file turns its statistics into a move: draws among them in the opening if asked, resigns if asked,
and never passes a game away (`pass_guard`).

Where players may pass with dead stones on the board, networks of KataGo pass early. If the count as it stands would
then lose, the move is searched anew as under rules that know no such agreement, which they have learned as well: then
the dead stones are taken off first.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from move37.errors import ConfigError
from move37.players.network_source import NetworkSource
from move37.players.pass_guard import counted_margin, guarded, pass_wins_now
from move37.players.player import Clock, Decision
from move37.players.resignation import Resignation
from move37.rules.position import Position
from move37.search.evaluator import Evaluator
from move37.search.katago import KataGoConfig
from move37.search.katago_search import KataGoSearch
from move37.search.limits import Stopper, limit
from move37.search.puct import SearchConfig
from move37.search.root import AnySearch, Search


@dataclass(frozen=True)
class SearchPlayerConfig:
    """How a search becomes a move.

    visits, seconds: what ends a search, whichever comes first; the visits count those kept from the last search.
    temperature: of the draw among visit counts in the first `temperature_moves` moves of the game; later the most
        visited.
    resign_below: resign when the value, in [-1, 1] for the player to move, is less; None never resigns.
    resign_turns: and was so at so many turns in a row. resign_after: never before so many moves were played.
    """

    visits: int | None = 400
    seconds: float | None = None
    temperature: float = 0.0
    temperature_moves: int = 0
    resign_below: float | None = None
    resign_turns: int = 1
    resign_after: int = 20

    def __post_init__(self) -> None:
        """Refuse values out of range (`ConfigError`)."""
        if not 0 <= self.temperature < np.inf:
            raise ConfigError(f"a temperature is a finite number of at least 0, not {self.temperature}")
        if self.resign_below is not None and not -1 <= self.resign_below < 0:
            raise ConfigError(f"resign_below is a value from -1 to just under 0, not {self.resign_below}")
        if self.resign_turns < 1:
            raise ConfigError(f"resign_turns is at least 1, not {self.resign_turns}")
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
        search: SearchConfig | KataGoConfig | None = None,
        rng: np.random.Generator | None = None,
        name: str = "search",
    ) -> None:
        self.name = name
        self.config = config or SearchPlayerConfig()
        self._source = source
        self._search_config = search or SearchConfig()
        self._rng = rng or np.random.default_rng()
        self._searches: dict[tuple[int, int, bool], AnySearch] = {}
        self._resignation = Resignation(self.config.resign_below, self.config.resign_turns, self.config.resign_after)

    def __repr__(self) -> str:
        limits = f"{self.config.visits} visits" if self.config.visits else f"{self.config.seconds:g} s a move"
        return f"<player {self.name}: {self._source.name or 'bundled network'}, {limits}>"

    def supports(self, rows: int, cols: int) -> bool:
        """Whether there is a network for this size."""
        return self._source.supports(rows, cols)

    def judge(self, rows: int, cols: int) -> Evaluator | None:
        """See `player.Judge`."""
        return self._source.judge(rows, cols)

    def choose(self, position: Position, clock: Clock | None = None) -> Decision:
        """Search and choose. `value` is the search's, `visits` the visit counts, `tree` the `SearchResult`."""
        if pass_wins_now(position):
            return Decision(position.rows * position.cols, value=1.0)
        decision, preference = self._decide(position)
        knows = isinstance(self._search_config, KataGoConfig)  # what rules say of passing
        if knows and decision.move == position.rows * position.cols and _is_too_friendly(position):
            decision, preference = self._decide(_without_agreement(position))
        if self._resigns(position, decision):
            return replace(decision, move=None, resign=True)
        return guarded(position, decision, preference)

    def _decide(self, position: Position) -> tuple[Decision, NDArray[np.float64]]:
        """What the search chooses, and how much it likes each move, float64[A]."""
        result = self._search(position).run(position, self.config.limits())
        early = position.move_number < self.config.temperature_moves
        move = result.sample(self._rng, self.config.temperature if early else 0.0)
        visits = result.visits.astype(np.float64)
        return Decision(move, value=result.value, visits=visits, tree=result), visits + result.priors

    def _resigns(self, position: Position, decision: Decision) -> bool:
        analysis = decision.tree.analysis
        lead = None if analysis is None else analysis.lead
        return decision.value is not None and self._resignation.resigns(position, decision.value, lead)

    def close(self) -> None:
        """Drop trees and networks."""
        self._searches.clear()

    def _search(self, position: Position) -> AnySearch:
        key = (position.rows, position.cols, bool(position.board["friendly_pass"]))
        if key not in self._searches:
            evaluator, config = self._source.evaluator(position.rows, position.cols), self._search_config
            self._searches[key] = (
                KataGoSearch(evaluator, config)
                if isinstance(config, KataGoConfig)
                else Search(evaluator, config, self._rng)
            )
        return self._searches[key]


def _is_too_friendly(position: Position) -> bool:
    """Whether a pass trusts in an agreement on dead stones without which it loses."""
    friendly = position.rules.friendly_pass_ok and position.rules.scoring == "area"
    return friendly and counted_margin(position) < 0


def _without_agreement(position: Position) -> Position:
    """A copy in which dead stones count as long as they are on the board; for choosing a move."""
    strict = position.copy()
    strict.board["friendly_pass"] = 0
    return strict
