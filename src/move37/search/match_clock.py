"""A referee's clock of one side: it runs down by a time system, and says when the time is over.

It does not measure: it is told how long a move took, from the question to the answer.
"""

from __future__ import annotations

from math import ceil

from move37.search.clock import Clock, TimeSystem

__all__ = ["MatchClock"]


class MatchClock:
    """One side's clock under `system`. `spend` takes a move's time off it."""

    def __init__(self, system: TimeSystem) -> None:
        self.system = system
        self._main = system.main
        self._period = system.period
        self._count = system.overtime_count

    def clock(self) -> Clock:
        """What a player is told before its move."""
        if self.system.kind == "none":
            return Clock()
        if self._main > 0 or not self.system.overtime_count:
            return Clock(self.system, self._main, 0)
        return Clock(self.system, self._period, self._count)

    def spend(self, seconds: float) -> bool:
        """Take a move of so many seconds off; False where that was more than there was: the game is lost."""
        if self.system.kind == "none":
            return True
        in_overtime = self._main <= 0
        over = max(0.0, seconds - self._main)
        self._main = max(0.0, self._main - seconds)
        if not self.system.overtime_count:
            self._add_increment()
            return over <= 0
        if not in_overtime and over <= 0:
            return True
        return self._spend_period(over) if self.system.kind == "byo-yomi" else self._spend_stone(over)

    def _add_increment(self) -> None:
        more = self._main + self.system.increment
        self._main = more if self.system.cap is None else max(self._main, min(more, self.system.cap))

    def _spend_period(self, seconds: float) -> bool:
        """Byo-yomi: every full period that a move goes beyond costs one; the last one begins anew."""
        self._count -= max(0, ceil(seconds / self.system.period) - 1)
        return self._count > 0

    def _spend_stone(self, seconds: float) -> bool:
        """Canadian: the period runs on until its stones are played."""
        self._period -= seconds
        self._count -= 1
        lost = self._period < 0
        if self._count == 0:
            self._period, self._count = self.system.period, self.system.stones
        return not lost
