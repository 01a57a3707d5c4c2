"""A player's own watch: what time a move may take, counted from the question to the answer.

It turns a controller's clock into a stopper for the player's searches and learns how long the player takes for what
cannot be interrupted. Allocation is in `search.time_plan`, the keeping of it in `search.clock_stopper`.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from move37.rules.position import Position
from move37.search.clock import Clock
from move37.search.clock_stopper import ClockStopper, Pace
from move37.search.limits import Progress, Stopper
from move37.search.result import SearchResult
from move37.search.time_plan import LAG, Budget, budget

__all__ = ["Timekeeper", "Turn"]


class Timekeeper:
    """Keeps a player's time from move to move; `now` measures it."""

    def __init__(self, now: Callable[[], float] = time.perf_counter) -> None:
        self.now = now
        self.pace = Pace()

    def begin(self, position: Position, clock: Clock | None, lag: float = LAG) -> Turn | None:
        """The turn that begins now; None where no clock runs. `lag`: seconds that messages to and fro may take."""
        if clock is None:
            return None
        points = position.rows * position.cols
        plan = budget(clock, points, position.move_number, lag, self.pace.least, self.pace.next_step)
        return None if plan is None else Turn(self, plan)


class Turn:
    """One move's time."""

    def __init__(self, keeper: Timekeeper, plan: Budget) -> None:
        self._keeper = keeper
        self._plan = plan
        self._began = keeper.now()
        self._searched = self._began

    def stopper(self, look: Callable[[], SearchResult]) -> Stopper:
        """For a search that starts now; one after another has the time of the first once more, under one deadline."""
        used = self._keeper.now() - self._began
        plan = self._plan if self._plan.use_all else Budget(used + self._plan.soft, self._plan.hard)
        inner = ClockStopper(plan, self._keeper.pace, self._began, now=self._keeper.now, look=look)
        return _Watched(inner, self._note_search)

    def end(self) -> None:
        """The answer is given: learn what it took beside the search."""
        self._keeper.pace.ends.add(self._keeper.now() - self._searched)

    def _note_search(self) -> None:
        self._searched = self._keeper.now()


class _Watched:
    """A stopper that tells when it was last asked, after which a search only gathers its result."""

    def __init__(self, inner: Stopper, tell: Callable[[], None]) -> None:
        self._inner = inner
        self._tell = tell

    def visits_left(self, progress: Progress) -> int:
        left = self._inner.visits_left(progress)
        self._tell()
        return left
