"""Keeps a search within a budget of time: it ends when the move is clear, goes on while it is not, and never oversteps.

A batch under way cannot be stopped, so how long batches take is learned (`Pace`) and none is begun that may end after
the deadline. It knows no clocks: `time_plan` made the budget.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable

from move37.search.limits import UNLIMITED, Progress
from move37.search.time_plan import LEAST_COMPLEX, Budget, Choice, complexity

__all__ = ["ClockStopper", "Pace"]

_REMEMBERED = 32
_FREAK = 10.0
"""A time so many times the next longest, alone of its kind, says nothing about the next: kernels compiled."""
_SPARE, _SPARE_OF_MEDIAN = 1.25, 3.0
"""The next batch may take this much of the slowest one known, and this much of an ordinary one."""


class _Times:
    """The last times something took, with the visits made in them."""

    def __init__(self) -> None:
        self._all: deque[tuple[float, int]] = deque()
        self._seconds, self._visits = 0.0, 0
        self.slowest = 0.0
        """What the next may take; 0 before the first."""

    def add(self, seconds: float, visits: int = 0) -> None:
        if len(self._all) == _REMEMBERED:
            forgotten = self._all.popleft()
            self._seconds -= forgotten[0]
            self._visits -= forgotten[1]
        self._all.append((seconds, visits))
        self._seconds += seconds
        self._visits += visits
        times = sorted(taken for taken, _ in self._all)
        freak = len(times) > 1 and times[-1] > _FREAK * times[-2]
        self.slowest = max(_SPARE * times[-2 if freak else -1], _SPARE_OF_MEDIAN * times[len(times) // 2])

    @property
    def visits_per_second(self) -> float:
        """0 before the first."""
        return self._visits / max(self._seconds, 1e-9)


class Pace:
    """How long an evaluator's batches take, and a player's work beside its search; learned from move to move."""

    def __init__(self) -> None:
        self.batches, self.starts, self.ends = _Times(), _Times(), _Times()
        """Of a batch; before a search's first batch, when its root is evaluated; from a search's end to the answer."""

    @property
    def least(self) -> float:
        """Seconds that a move costs without any search."""
        return self.starts.slowest + self.ends.slowest

    @property
    def next_step(self) -> float:
        """Seconds that one more batch and the answer may take."""
        return self.batches.slowest + self.ends.slowest


class ClockStopper:
    """A `Stopper` for one search of a move that began when `now()` was `began`.

    `look` shows the search so far, for its complexity (see `time_plan.complexity`); without it all moves are ordinary.
    `early`: stop as soon as no other move can be chosen in the time that is planned.
    """

    def __init__(
        self,
        budget: Budget,
        pace: Pace,
        began: float,
        *,
        now: Callable[[], float] = time.perf_counter,
        look: Callable[[], Choice] | None = None,
        early: bool = True,
    ) -> None:
        self._budget = budget
        self._pace = pace
        self._began = began
        self._now = now
        self._look = look
        self._early = early and not budget.use_all
        self._last: tuple[float, int] | None = None
        self._started = now() - began
        ordinary = budget.use_all or look is None
        self._target = budget.soft if ordinary else self._started + LEAST_COMPLEX * (budget.soft - self._started)

    def visits_left(self, progress: Progress) -> int:
        """See `Stopper`: what fits into the time planned, rounded up to a power of two."""
        used = self._now() - self._began
        self._learn(used, progress.new_visits)
        if used + self._pace.next_step > self._budget.hard or not self._goes_on(used):
            return 0
        rate = self._pace.batches.visits_per_second
        if rate <= 0:
            return UNLIMITED
        expected = rate * (max(self._target, self._budget.soft) - used)
        if self._early and progress.settled(expected):
            return 0
        return 1 << int(max(1.0, expected)).bit_length()

    def _learn(self, used: float, visits: int) -> None:
        if self._last is None:
            self._pace.starts.add(used - self._started)
        elif visits > self._last[1]:
            self._pace.batches.add(used - self._last[0], visits - self._last[1])
        self._last = used, visits

    def _goes_on(self, used: float) -> bool:
        """Whether there is time before the target, or the target moves on as the choice is not clear yet.

        Where a target is the end of a period, no batch may cross it.
        """
        ends = used + self._pace.next_step if self._budget.use_all else used
        while ends >= self._target:
            moved = self._next_target()
            if moved <= self._target:
                return False
            self._target = moved
        return True

    def _next_target(self) -> float:
        if self._look is None:
            return self._target
        budget, hard = self._budget, complexity(self._look())
        if budget.use_all:  # the period is used up; another is spent whole, or not at all
            return budget.hard if hard > 1.2 else self._target
        return min(budget.hard, hard * budget.soft)
