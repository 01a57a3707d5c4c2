"""Live analysis: one thread goes on with the searches of all boards, a few leaves of each at a time.

All searches of one player give their leaves into one batch (`analysis.scheduler`), each as many as every other, so no
board gets more than its share; the more there are, the rarer each tells of itself.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field

from move37.analysis.scheduler import Scheduler, Task
from move37.errors import PlayerError
from move37.rules.position import Position
from move37.search.limits import UNLIMITED, All, Progress, StopRequest, TimeLimit
from move37.search.result import SearchResult
from move37.search.root import AnySearch, Steps
from move37.web.engines import SharedAnalyst
from move37.web.limits import Limits

__all__ = ["Look", "Watcher"]

_ALL_AT_ONCE = 1_000_000
"""Searches that run side by side: all that are asked for, whose number the limits of pages and boards bound."""


@dataclass(frozen=True)
class Look:
    """A position to be looked at.

    place: whose look it is; a later one of the same place ends it. visits, seconds: what ends it. tell: is given what
    was found and whether that is the end; fail: what broke it off. Both are called in the thread of the searches.
    """

    place: Hashable
    analyst: SharedAnalyst
    position: Position
    visits: int
    seconds: float | None
    ownership: bool
    tell: Callable[[SearchResult, bool], None]
    fail: Callable[[Exception], None]


class Watcher:
    """Looks at positions until it is closed."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._orders: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._scheduler = Scheduler(parallel=_ALL_AT_ONCE, batch=1)
        self._looks: dict[Hashable, _Task] = {}
        self._closed = False
        self._thread = threading.Thread(target=self._work, name="analysis", daemon=True)
        self._thread.start()

    def look(self, look: Look) -> None:
        """Look at a position, in place of what its place looked at before."""
        self._orders.put(lambda: self._begin(look))

    def drop(self, place: Hashable) -> None:
        """Look no more; nothing is told of it afterwards."""
        self._orders.put(lambda: self._end(place))

    def close(self, seconds: float) -> None:
        """End all, and wait so long for the batch under way."""
        self._closed = True
        self._orders.put(lambda: None)
        self._thread.join(seconds)

    @property
    def every(self) -> float:
        """Seconds between reports of one look."""
        return self._limits.report_every + self._limits.report_share * max(0, len(self._looks) - 1)

    @property
    def share(self) -> int:
        """Visits that one look may have, so that all together stay in memory."""
        return self._limits.all_visits // max(1, len(self._looks))

    def _begin(self, look: Look) -> None:
        self._end(look.place)
        if len(self._looks) >= self._limits.looks:
            look.fail(PlayerError(f"{len(self._looks)} analyses are under way already: stop one before the next"))
            return
        task = _Task(look, self._limits.leaves, self)
        self._looks[look.place] = task
        self._scheduler.submit(task)

    def _end(self, place: Hashable) -> None:
        task = self._looks.pop(place, None)
        if task is not None:
            task.over = True
            self._scheduler.cancel(lambda one: one is task)

    def done(self, task: _Task) -> None:
        """A look has come to its own end."""
        if self._looks.get(task.look.place) is task:
            del self._looks[task.look.place]

    def _work(self) -> None:
        while not self._closed:
            self._obey(wait=not self._scheduler.busy)
            try:
                self._scheduler.step()
            except Exception as error:  # a defect
                self._begin_anew(error)

    def _begin_anew(self, error: Exception) -> None:
        """End all looks and say so; their pages may ask again."""
        self._scheduler = Scheduler(parallel=_ALL_AT_ONCE, batch=1)
        for task in list(self._looks.values()):
            task.failed(error)

    def _obey(self, wait: bool) -> None:
        """Carry out the orders that have come, waiting for one if asked."""
        while True:
            try:
                order = self._orders.get(block=wait)
            except queue.Empty:
                return
            order()
            wait = False


@dataclass(eq=False)
class _Task(Task):
    """A look as the scheduler wants it."""

    look: Look
    leaves: int
    watcher: Watcher
    over: bool = False
    _told: float = field(default=float("-inf"))

    @property
    def priority(self) -> int:
        return 0

    def begin(self, batch: int, stop: StopRequest) -> tuple[AnySearch, Steps]:
        """The same number of leaves for everybody, whoever began first."""
        look = self.look
        search = look.analyst.new_search(look.position.rows, look.position.cols, batch=self.leaves)
        limits = All((stop, _Visits(look.visits, self.watcher), *([TimeLimit(look.seconds)] if look.seconds else [])))
        return search, search.steps(look.position, limits, ownership=look.ownership)

    def stepped(self, search: AnySearch) -> None:
        if time.monotonic() - self._told >= self.watcher.every:
            self._told = time.monotonic()
            self._tell(search.snapshot(), end=False)

    def finished(self, result: SearchResult) -> None:
        self._tell(result, end=True)
        self.watcher.done(self)

    def dropped(self) -> None:
        pass

    def failed(self, error: Exception) -> None:
        if not self.over:
            self.look.fail(error)
        self.watcher.done(self)

    def _tell(self, result: SearchResult, end: bool) -> None:
        if not self.over:
            self.look.tell(result, end)


@dataclass(frozen=True)
class _Visits:
    """Stop at so many visits, or at the share of one look. No room is made for them at the start: most end earlier."""

    visits: int
    watcher: Watcher

    def visits_left(self, progress: Progress) -> int:
        return UNLIMITED if progress.visits < min(self.visits, self.watcher.share) else 0
