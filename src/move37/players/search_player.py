"""A player that searches: AlphaGo Zero's search or KataGo's over an evaluator, the tree kept from move to move.

The search itself decides whether its tree still belongs to the position it is given (same rules and komi, moves that
it has seen); this file turns its statistics into a move: draws among them in the opening if asked, resigns if asked,
and never passes a game away (`pass_guard`).

Where players may pass with dead stones on the board, networks of KataGo pass early. If the count as it stands would
then lose, the move is searched anew as under rules that know no such agreement, which they have learned as well: then
the dead stones are taken off first.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Literal, Protocol, TypeAlias, cast, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from move37.errors import ConfigError
from move37.nets.graph import NetworkSpec
from move37.players.network_source import Source
from move37.players.pass_guard import counted_margin, guarded, pass_wins_now
from move37.players.player import Clock, Decision, TimeSystem
from move37.players.ranks import Strength
from move37.players.resignation import Resignation
from move37.players.searches import new_search
from move37.players.timekeeper import Timekeeper, Turn
from move37.rules.position import Position
from move37.search.evaluator import Evaluator
from move37.search.extension import Extended
from move37.search.katago import KataGoConfig
from move37.search.limits import UNLIMITED, All, Progress, Stopper, StopRequest, limit
from move37.search.puct import SearchConfig
from move37.search.restriction import Restriction, closed_until
from move37.search.result import SearchResult
from move37.search.root import AnySearch, Report, SearchOptions
from move37.search.time_plan import LAG


@dataclass(frozen=True)
class SearchPlayerConfig:
    """How a search becomes a move.

    visits, seconds: what ends a search, whichever comes first; the visits count those kept from the last search. A
        clock that runs ends it as well. default_visits: where none of the three is given; 400 is ours.
    lag: seconds of its clock that a move leaves for messages to and fro.
    early: a search with a limit of visits or seconds ends as soon as no other move can be chosen within it.
    extension: it goes on to so many times as many new visits while its most visited move is not its best
        (`search.extension`).
    temperature: of the draw among visit counts in the first `temperature_moves` moves of the game; later the most
        visited. rank: weaker play; it has its own visits and temperature.
    resign_below: resign when the value, in [-1, 1] for the player to move, is less; None never resigns.
    resign_by: which value: "value" of all visits (KataGo), "best" of any move (AlphaGo: max Q, Silver et al. 2016,
        Methods), "both": of all visits and of the best move (AlphaGo Zero, Silver et al. 2017, Methods).
    resign_turns: and was so at so many turns in a row. resign_after: never before so many moves were played.
    """

    visits: int | None = None
    seconds: float | None = None
    lag: float = LAG
    default_visits: int = 400
    early: bool = False
    extension: float = 1.0
    temperature: float = 0.0
    temperature_moves: int = 0
    rank: Strength | None = None
    resign_below: float | None = None
    resign_by: Literal["value", "best", "both"] = "value"
    resign_turns: int = 1
    resign_after: int = 20

    def __post_init__(self) -> None:
        """Refuse values out of range (`ConfigError`)."""
        if not 0 <= self.temperature < np.inf:
            raise ConfigError(f"a temperature is a finite number of at least 0, not {self.temperature}")
        if self.resign_below is not None and not -1 <= self.resign_below < 0:
            raise ConfigError(f"who resigns does so below a value from -1 to just under 0, not {self.resign_below}")
        if self.resign_turns < 1:
            raise ConfigError(f"resign_turns is at least 1, not {self.resign_turns}")
        if not 0 <= self.lag < np.inf:
            raise ConfigError(f"a lag is a finite number of seconds of at least 0, not {self.lag}")
        if self.rank is not None and (self.visits is not None or self.temperature > 0):
            raise ConfigError("a rank has its own visits and temperature: give either the rank or these")
        self.limits()

    def limits(self, clock: Stopper | None = None, stop: StopRequest | None = None) -> Stopper:
        """What ends a search; `ConfigError` for a limit that is not positive."""
        visits = self.rank.visits if self.rank is not None else self.visits
        if visits is None and self.seconds is None and clock is None:
            visits = self.default_visits
        more = [stopper for stopper in (clock, stop) if stopper is not None]
        if visits is None and self.seconds is None:
            return All(tuple(more))
        own = limit(visits, seconds=self.seconds, early=self.early)
        return All((own if self.extension == 1 else Extended(own, self.extension), *more))


SearchMaker: TypeAlias = Callable[[Evaluator, Any, np.random.Generator, tuple[int, int]], AnySearch]
"""Makes a search of an evaluator, its options and a generator, for a board size."""


@runtime_checkable
class Forgetful(Protocol):
    """An evaluator that keeps what it has seen."""

    def clear(self) -> None:
        """Forget it."""
        ...


class SearchPlayer:
    """Searches with the network of `source`; one search, with its tree, for each board size.

    `make` makes the search for a board size, by default as its options say. `now`: the time.
    """

    def __init__(
        self,
        source: Source,
        config: SearchPlayerConfig | None = None,
        search: SearchOptions | None = None,
        rng: np.random.Generator | None = None,
        name: str = "search",
        *,
        make: SearchMaker | None = None,
        now: Callable[[], float] = time.perf_counter,
    ) -> None:
        self.name = name
        self.config = config or SearchPlayerConfig()
        self._source = source
        self._search_config = search or SearchConfig()
        self._make = make
        self._rng = rng or np.random.default_rng()
        self._searches: dict[tuple[int, int, bool], AnySearch] = {}
        self._resignation = Resignation(self.config.resign_below, self.config.resign_turns, self.config.resign_after)
        self._time = Timekeeper(now)

    def __repr__(self) -> str:
        config = self.config
        visits = config.rank.visits if config.rank is not None else config.visits
        limits = (
            f"{config.seconds:g} s a move"
            if config.seconds and not visits
            else f"{visits or config.default_visits} visits"
        )
        return f"<player {self.name}: {self._source.name or 'bundled network'}, {limits}>"

    @property
    def network_name(self) -> str:
        """Its network's name; empty where the board decides which it is, or the caller made the evaluator."""
        return self._source.name

    @property
    def search_options(self) -> dict[str, Any]:
        """Its search's options by name, which `new_search` may override."""
        config = cast(Any, self._search_config)
        return {field.name: getattr(config, field.name) for field in fields(config)}

    def supports(self, rows: int, cols: int) -> bool:
        """Whether there is a network for this size."""
        return self._source.supports(rows, cols)

    def judge(self, rows: int, cols: int) -> Evaluator | None:
        """See `player.Judge`."""
        return self._source.judge(rows, cols)

    @property
    def specs(self) -> list[NetworkSpec]:
        """See `player.Seer`."""
        return self._source.specs

    def network(self, rows: int, cols: int) -> Evaluator:
        """See `player.Seer`."""
        return self._source.plain(rows, cols)

    def choose(
        self,
        position: Position,
        clock: Clock | None = None,
        *,
        stop: StopRequest | None = None,
        restrictions: Sequence[Restriction] = (),
        report: Report | None = None,
        every: float = 1.0,
        ownership: bool = False,
    ) -> Decision:
        """Search and choose. `value` is the search's, `visits` the visit counts, `tree` the `SearchResult`.

        The other arguments are those of `player.Analyst`.
        """
        barred = closed_until(restrictions, position.rows * position.cols + 1)[int(position.to_play) - 1] > 0
        if pass_wins_now(position) and not barred[-1]:
            return Decision(position.rows * position.cols, value=1.0)
        turn = self._time.begin(position, clock, self.config.lag)
        think = _Thinking(turn, stop, restrictions, {"report": report, "every": every, "ownership": ownership})
        decision, preference = self._decide(position, think)
        knows = isinstance(self._search_config, KataGoConfig)  # what rules say of passing
        if knows and decision.move == position.rows * position.cols and _is_too_friendly(position):
            decision, preference = self._decide(_without_agreement(position), think)
        if self._resigns(position, decision):
            decision = replace(decision, move=None, resign=True)
        decision = guarded(position, decision, preference, barred)
        if turn is not None:
            turn.end()
        return decision

    def prepare(self, rows: int, cols: int) -> None:
        """See `player.Preparing`: two moves by a player like this one, of a few batches each, on an empty board."""
        position = Position(rows=rows, cols=cols)
        config, rng = self._search_config, np.random.default_rng(0)
        scratch = SearchPlayer(self._source, None, config, rng, self.name, make=self._make)
        for _ in range(2):
            result = scratch.choose(position, _LONG, stop=_Batches(left=3)).tree
            position.play_many(list(result.variation[:2]) or [result.move])
        guarded(position, Decision(rows * cols), np.ones(rows * cols + 1))

    def analyze(
        self,
        position: Position,
        limits: Stopper,
        restrictions: Sequence[Restriction] = (),
        *,
        report: Report | None = None,
        every: float = 1.0,
        ownership: bool = False,
    ) -> SearchResult:
        """See `player.Analyst`."""
        search = self._search(position)
        return search.run(position, limits, restrictions, report=report, every=every, ownership=ownership)

    def ponder(self, position: Position, stop: StopRequest) -> SearchResult:
        """See `player.Analyst`."""
        return self._search(position).run(position, stop)

    def new_search(self, rows: int, cols: int, **overrides: Any) -> AnySearch:
        """See `player.Analyst`."""
        try:
            config = replace(cast(Any, self._search_config), **overrides)
        except TypeError as error:
            raise ConfigError(f"player {self.name!r} has no such search option: {error}") from error
        evaluator = self._source.evaluator(rows, cols)
        if self._make is None:
            return new_search(evaluator, config, self._rng)
        return self._make(evaluator, config, self._rng, (rows, cols))

    def forget(self) -> None:
        """Drop the trees, and what was kept of evaluations."""
        for search in self._searches.values():
            if isinstance(search.evaluator, Forgetful):
                search.evaluator.clear()
        self._searches.clear()

    def reconfigure(self, **changes: Any) -> None:
        """Change fields of `config` between moves; `ConfigError` for a value that it refuses."""
        self.config = config = replace(self.config, **changes)
        self._resignation = Resignation(config.resign_below, config.resign_turns, config.resign_after)

    def _decide(self, position: Position, think: _Thinking) -> tuple[Decision, NDArray[np.float64]]:
        """What the search chooses, and how much it likes each move, float64[A]."""
        search = self._search(position)
        clock = None if think.turn is None else think.turn.stopper(search.snapshot)
        limits = self.config.limits(clock, think.stop)
        result = search.run(position, limits, think.restrictions, **think.looks)
        visits = result.visits.astype(np.float64)
        preference = visits + result.priors
        early = position.move_number < self.config.temperature_moves
        rank = self.config.rank
        move = (
            result.sample(self._rng, self.config.temperature if early else 0.0)
            if rank is None
            else rank.draw(preference, self._rng)
        )
        return Decision(move, value=result.value, visits=visits, tree=result), preference

    def _resigns(self, position: Position, decision: Decision) -> bool:
        result: SearchResult = decision.tree
        lead = None if result.analysis is None or np.isnan(result.analysis.lead) else result.analysis.lead
        return self._resignation.resigns(position, self._resign_value(result), lead)

    def _resign_value(self, result: SearchResult) -> float:
        """The value by which it resigns; that of all visits where no move was visited."""
        by = self.config.resign_by
        if by == "value" or result.visits.max() == 0:
            return result.value
        best = float(np.nanmax(result.q))
        return best if by == "best" else max(result.value, best)

    def close(self) -> None:
        """Drop trees and networks."""
        self._searches.clear()

    def _search(self, position: Position) -> AnySearch:
        key = (position.rows, position.cols, bool(position.board["friendly_pass"]))
        if key not in self._searches:
            self._searches[key] = self.new_search(position.rows, position.cols)
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


@dataclass(frozen=True)
class _Thinking:
    """What `choose` was told about how to think."""

    turn: Turn | None
    stop: StopRequest | None
    restrictions: Sequence[Restriction]
    looks: dict[str, Any]


_LONG = Clock(TimeSystem("absolute", main=1e6))


@dataclass
class _Batches(StopRequest):
    """A stop after so many batches, full ones."""

    left: int = 0

    def visits_left(self, progress: Progress) -> int:
        """See `Stopper`."""
        self.left -= 1
        return UNLIMITED if self.left >= 0 else 0
