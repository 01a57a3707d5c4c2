"""The JSON analysis engine: lines in, answers out, any number of queries at once over one evaluator.

The protocol is KataGo's; `docs/analysis.md` says what is different. Nothing here reads or writes streams or has
threads: `receive` takes a line, `step` goes on with the searches, and `write` is called with each answer. From Python:

    engine = Engine(go.player("katago"), write=answers.append)
    engine.receive('{"id": "a", "moves": [["B", "E5"]], "rules": "chinese", "boardXSize": 9, "boardYSize": 9}')
    engine.finish()
"""

from __future__ import annotations

import sys
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any, Protocol

from move37.analysis.problems import Notice, QueryError
from move37.analysis.replay import Turn, replay
from move37.analysis.report import Form, report
from move37.analysis.scheduler import Scheduler
from move37.analysis.schema import Action, Query, parse_line
from move37.analysis.settings import Settings, override
from move37.errors import ConfigError, Move37Error
from move37.search.limits import StopRequest, limit
from move37.search.restriction import Restriction
from move37.search.result import SearchResult
from move37.search.root import AnySearch, Steps

__all__ = ["Engine", "Searcher"]

Answer = dict[str, Any]


class Searcher(Protocol):
    """What the engine needs of a player; `players.SearchPlayer` is one."""

    def supports(self, rows: int, cols: int) -> bool:
        """Whether it can search boards of this size."""
        ...

    def new_search(self, rows: int, cols: int, **overrides: Any) -> AnySearch:
        """See `players.player.Analyst`."""
        ...


class Engine:
    """Answers queries with the searches of `player`.

    settings: for queries that say nothing else. parallel, batch: as of `Scheduler`. models, version: what
    `query_models` and `query_version` answer. clock: seconds, for reports during a search.
    """

    def __init__(
        self,
        player: Searcher,
        write: Callable[[Answer], None],
        settings: Settings | None = None,
        *,
        parallel: int = 16,
        batch: int = 16,
        models: Sequence[Mapping[str, Any]] = (),
        version: str = "0",
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._player = player
        self._write = write
        self._settings = settings or Settings()
        self._scheduler = Scheduler(parallel, batch)
        self._models = [dict(model) for model in models]
        self._version = version
        self._clock = clock
        self._evaluators: dict[int, Any] = {}

    @property
    def busy(self) -> bool:
        """Whether a query is waiting or being searched."""
        return self._scheduler.busy

    def receive(self, line: str) -> None:
        """Take one line; a blank one is none. Whatever it holds, it is answered and nothing is raised."""
        if not line.strip():
            return
        asked: Query | Action | None = None
        try:
            asked = parse_line(line.strip())
            if isinstance(asked, Action):
                self._act(asked)
            else:
                self._ask(asked)
        except QueryError as error:
            self._write(error.answer())
        except RecursionError:  # it could be read, but takes a little more room to be written back
            self._write(QueryError("The request is nested too deeply", _id_of(asked)).answer())
        except Exception as error:  # a defect, or a network that cannot be loaded
            self._write(_told(error, _id_of(asked)))

    def step(self) -> None:
        """Go on with the searches by one batch each; answers are written as they are ready."""
        self._scheduler.step()

    def finish(self) -> None:
        """Go on until nothing is left to do."""
        while self.busy:
            self.step()

    # ------------------------------------------------------------------------------------------------ queries

    def _ask(self, query: Query) -> None:
        self._require_size(query)
        settings, notices = self._settings_for(query)
        for notice in notices:
            self._write(notice.answer())
        turns = replay(query, settings.ignore_history)
        for turn, priority in zip(turns, query.priorities, strict=True):
            self._scheduler.submit(_Search(self, query, settings, turn, priority))

    def _require_size(self, query: Query) -> None:
        if not self._player.supports(query.rows, query.cols):
            text = f"There is no network for boards of {query.cols} x {query.rows}; choose another with --net"
            raise QueryError(text, query.id, "boardXSize")

    def _settings_for(self, query: Query) -> tuple[Settings, list[Notice]]:
        """The settings of a query, and what it asks for in vain."""
        try:
            settings, left = override(self._settings, query.settings, options_of(self.search(query, self._settings, 1)))
            self.search(query, settings, 1)
        except ConfigError as error:
            text = f"Could not set settings: {' '.join(str(error).split())}"
            raise QueryError(text, query.id, "overrideSettings") from None
        settings = replace(
            settings,
            max_visits=query.max_visits or settings.max_visits,
            pv_length=query.pv_length or settings.pv_length,
        )
        return settings, _notices(query, left, self._settings.warn_unused)

    def search(self, query: Query, settings: Settings, batch: int) -> AnySearch:
        """A fresh search for a query; ConfigError for options that cannot be."""
        found = self._player.new_search(query.rows, query.cols, **{"batch": batch, **settings.options})
        self._evaluators[id(found.evaluator)] = found.evaluator
        return found

    def now(self) -> float:
        """The clock."""
        return self._clock()

    def tell(self, answer: Answer) -> None:
        """Write an answer."""
        self._write(answer)

    # ------------------------------------------------------------------------------------------------ actions

    def _act(self, action: Action) -> None:
        answer = dict(action.request)
        if action.name == "query_version":
            answer |= {"version": self._version, "git_hash": "<omitted>"}
        elif action.name == "query_models":
            answer |= {"models": self._models}
        elif action.name == "clear_cache":
            self._clear_caches()
        else:
            self._scheduler.cancel(lambda task: isinstance(task, _Search) and task.is_meant(action))
        self._write(answer)

    def _clear_caches(self) -> None:
        for evaluator in self._evaluators.values():
            clear = getattr(evaluator, "clear", None)
            if callable(clear):
                clear()


def options_of(search: AnySearch) -> dict[str, Any]:
    """A search's options as they are, by name."""
    config = getattr(search, "config", None)
    return {one.name: getattr(config, one.name) for one in fields(config)} if is_dataclass(config) else {}


def _notices(query: Query, left: list[str], warn_unused: bool) -> list[Notice]:
    """Warnings of a query: what is not known, and what is not offered."""
    own = [name for name in left if name in ("rootFpuReductionMax", "rootPolicyTemperature")]
    notices = [Notice("This search has no such option", query.id, name) for name in own]
    if len(left) > len(own):
        unknown = ",".join(name for name in left if name not in own)
        notices.append(Notice(f"Unknown config params: {unknown}", query.id, "overrideSettings"))
    for name, asked in (
        ("includeNoResultValue", query.wanted.no_result),
        ("includeMovesOwnershipStdev", query.wanted.moves_ownership_stdev),
    ):
        if asked:
            notices.append(Notice("Not offered here, ignored", query.id, name))
    return notices + (list(query.unused) if warn_unused else [])


@dataclass
class _Search:
    """One position of a query, searched and answered."""

    engine: Engine
    query: Query
    settings: Settings
    turn: Turn
    priority: int
    _next_report: float = float("inf")
    _mirrored: bool = False

    def is_meant(self, action: Action) -> bool:
        """Whether an action ends it."""
        return action.target in (None, self.query.id) and (action.turns is None or self.turn.number in action.turns)

    def begin(self, batch: int, stop: StopRequest) -> tuple[AnySearch, Steps]:
        """See `scheduler.Task`."""
        search = self.engine.search(self.query, self.settings, batch)
        config = getattr(search, "config", None)
        self._mirrored = bool(getattr(config, "symmetry_pruning", False)) and not self.query.limited
        if self.query.first_report is not None:
            self._next_report = self.engine.now() + self.query.first_report
        limits = limit(self.settings.max_visits, seconds=self.settings.max_time or None, stop=stop)
        restrictions = [Restriction(*one) for one in self.query.limited]
        return search, search.steps(self.turn, limits, restrictions, ownership=self.query.wanted.any_ownership)

    def stepped(self, search: AnySearch) -> None:
        """See `scheduler.Task`."""
        if self.engine.now() >= self._next_report:
            self._answer(search.snapshot(), during=True)
            self._next_report = self.engine.now() + (self.query.report_every or float("inf"))

    def finished(self, result: SearchResult) -> None:
        """See `scheduler.Task`."""
        self._answer(result, during=False)

    def dropped(self) -> None:
        """See `scheduler.Task`."""
        self.engine.tell(self._head(during=False) | {"noResults": True})

    def failed(self, error: Exception) -> None:
        """See `scheduler.Task`."""
        self.engine.tell(_told(error, self.query.id) | {"turnNumber": self.turn.number})

    def _answer(self, result: SearchResult, during: bool) -> None:
        form = Form(self.settings.view, self.settings.pv_length, self.query.wanted, self._mirrored)
        self.engine.tell(self._head(during) | report(result, self.turn, form))

    def _head(self, during: bool) -> Answer:
        return {"id": self.query.id, "turnNumber": self.turn.number, "isDuringSearch": during}


def _id_of(asked: Query | Action | None) -> str | None:
    return asked.request["id"] if isinstance(asked, Action) else None if asked is None else asked.id


def _told(error: Exception, id: str | None) -> Answer:
    """An error that is not the query's fault as an answer; a defect's traceback goes to the log (stderr)."""
    text = " ".join(str(error).split())
    if not isinstance(error, Move37Error):
        traceback.print_exception(error, file=sys.stderr)
        text = f"internal error: {type(error).__name__}: {text}"
    return QueryError(text, id).answer()
