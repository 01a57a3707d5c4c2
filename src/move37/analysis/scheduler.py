"""Many searches at once over one evaluator: leaves of several searches go into one batch.

Searches give their leaves and take evaluations (`AnySearch.steps`), so nothing here waits or has threads: whoever owns
the scheduler calls `step` as long as it is `busy`. It knows no protocol.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import count
from typing import Any, Protocol

import numpy as np

from move37.rules.board_kernels import BoardArray
from move37.search.evaluator import Evaluations
from move37.search.limits import StopRequest
from move37.search.result import SearchResult
from move37.search.root import AnySearch, Steps

__all__ = ["Scheduler", "Task"]


class Task(Protocol):
    """A search to be made, and who is told of it."""

    @property
    def priority(self) -> int:
        """The highest is begun first, of equal ones the first submitted."""
        ...

    def begin(self, batch: int, stop: StopRequest) -> tuple[AnySearch, Steps]:
        """Make the search, of at most `batch` leaves at a time, and its steps, which end soon after `stop`."""
        ...

    def stepped(self, search: AnySearch) -> None:
        """The search has gone on; it can be looked at."""
        ...

    def finished(self, result: SearchResult) -> None:
        """The search is over."""
        ...

    def dropped(self) -> None:
        """It was ended before anything was found."""
        ...

    def failed(self, error: Exception) -> None:
        """It broke off."""
        ...


@dataclass
class _Running:
    """A search under way: its steps, the leaves that wait for evaluation, and whether it has had an answer."""

    task: Task
    search: AnySearch
    steps: Steps
    boards: BoardArray
    stop: StopRequest
    has_answer: bool = False


@dataclass
class Scheduler:
    """At most `parallel` searches at a time, which share a batch of about `batch` leaves.

    A search that begins while n are wanted at a time takes batch / n leaves at a time; with n >= batch each takes one,
    so that no search pays for the batch with blind visits.
    """

    parallel: int = 16
    batch: int = 16
    _waiting: list[tuple[int, int, Task]] = field(default_factory=list[tuple[int, int, Task]])
    _running: list[_Running] = field(default_factory=list[_Running])
    _numbers: Any = field(default_factory=count)

    @property
    def busy(self) -> bool:
        """Whether there is anything to do."""
        return bool(self._waiting or self._running)

    def submit(self, task: Task) -> None:
        """Take a task into the queue."""
        heapq.heappush(self._waiting, (-task.priority, next(self._numbers), task))

    def cancel(self, wanted: Callable[[Task], bool]) -> None:
        """End the tasks that `wanted` picks: those that have found something finish with that at the next step."""
        dropped = [entry for entry in sorted(self._waiting) if wanted(entry[2])]
        self._waiting = [entry for entry in self._waiting if not wanted(entry[2])]
        heapq.heapify(self._waiting)
        for running in [one for one in self._running if wanted(one.task)]:
            running.stop.stop()
            if not running.has_answer:
                self._end(running)
                running.task.dropped()
        for _, _, task in dropped:
            task.dropped()

    def step(self) -> None:
        """Begin what can begin, and give every search one batch of answers."""
        self._admit()
        for group in _groups(self._running):
            boards = np.concatenate([running.boards for running in group])
            try:
                answers = group[0].search.evaluator.evaluate(boards)
            except Exception as error:
                for running in group:
                    self._fail(running, error)
                continue
            at = 0
            for running in group:
                size = len(running.boards)
                self._advance(running, answers.part(at, at + size))
                at += size

    def _admit(self) -> None:
        while self._waiting and len(self._running) < self.parallel:
            wanted = min(self.parallel, len(self._running) + len(self._waiting))
            task, stop = heapq.heappop(self._waiting)[2], StopRequest()
            try:
                search, steps = task.begin(max(1, self.batch // wanted), stop)
                boards = next(steps)
            except StopIteration as end:
                task.finished(end.value)
            except Exception as error:
                task.failed(error)
            else:
                self._running.append(_Running(task, search, steps, boards, stop))

    def _advance(self, running: _Running, answers: Evaluations) -> None:
        try:
            running.boards = running.steps.send(answers)
        except StopIteration as end:
            self._running.remove(running)
            running.task.finished(end.value)
        except Exception as error:
            self._fail(running, error)
        else:
            trees = running.search.trees
            if trees is not None and trees.visits() > 0:  # a mixed search's first rollouts may still be on their way
                running.has_answer = True
                running.task.stepped(running.search)

    def _fail(self, running: _Running, error: Exception) -> None:
        self._end(running)
        running.task.failed(error)

    def _end(self, running: _Running) -> None:
        running.steps.close()
        self._running.remove(running)


def _groups(running: Iterable[_Running]) -> list[list[_Running]]:
    """The searches whose leaves can be evaluated together: one evaluator, one board size."""
    groups: dict[tuple[int, int, int], list[_Running]] = {}
    for one in running:
        board = one.boards[0]
        key = (id(one.search.evaluator), int(board["rows"]), int(board["cols"]))
        groups.setdefault(key, []).append(one)
    return list(groups.values())
