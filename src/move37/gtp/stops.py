"""What ends a search that a controller has asked for: the next line of input, or a wish to leave."""

from __future__ import annotations

import time
from typing import Final

from move37.gtp.input import Input
from move37.search.limits import Progress, StopRequest

GRACE_SECONDS: Final = 0.25
"""What arrives so soon after a search began may have been sent together with its command."""


class UntilInput(StopRequest):
    """Stops a search as soon as anything waits: analysis that is streamed, pondering.

    It also ends at so many `visits` of the root or after so many `seconds`, then without being `stopped`.
    """

    def __init__(self, source: Input, visits: int | None = None, seconds: float | None = None) -> None:
        super().__init__()
        self._source = source
        self._visits = visits
        self._seconds = seconds

    def visits_left(self, progress: Progress) -> int:
        """See `search.limits.Stopper`."""
        self.stopped = self.stopped or self._source.waiting()
        if self._seconds is not None and progress.seconds >= self._seconds:
            return 0
        left = super().visits_left(progress)
        return left if self._visits is None else min(left, max(0, self._visits - progress.visits))


class UntilLeave(StopRequest):
    """Stops the search of a move where somebody wants to leave meanwhile: `Input.asks_to_leave`.

    `seconds`: and after so many, where a time system limits a single move.
    """

    def __init__(self, source: Input, seconds: float | None = None) -> None:
        super().__init__()
        self._source = source
        self._seconds = seconds
        self._since = time.monotonic() + GRACE_SECONDS

    def visits_left(self, progress: Progress) -> int:
        """See `search.limits.Stopper`."""
        late = self._seconds is not None and progress.seconds >= self._seconds
        self.stopped = self.stopped or late or self._source.asks_to_leave(self._since)
        return super().visits_left(progress)
