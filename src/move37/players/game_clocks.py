"""The two clocks of a game against a person, whose clock runs from the turn to the move, hints and all.

Taking moves back does not give time back.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from move37.rules.color import Color
from move37.search.clock import Clock, TimeSystem
from move37.search.match_clock import MatchClock


class GameClocks:
    """Both sides' clocks under one system; `now` measures. Without a system nothing runs."""

    def __init__(self, system: TimeSystem | None, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._clocks = {color: MatchClock(system or TimeSystem()) for color in Color}
        self._began = now()

    def begin(self) -> None:
        """The turn begins."""
        self._began = self._now()

    def end(self, color: Color) -> bool:
        """The side has moved; False where its time is over. The other side's turn begins."""
        used = self._now() - self._began
        self._began = self._now()
        return self._clocks[color].spend(used)

    @property
    def elapsed(self) -> float:
        """Seconds since the turn began."""
        return self._now() - self._began

    def clock(self, color: Color) -> Clock:
        """What a player is told."""
        return self._clocks[color].clock()

    @property
    def words(self) -> str:
        """Both clocks for people, "" without a system."""
        told = [f"{color.title} {_words(self.clock(color))}" for color in Color]
        return "" if self.clock(Color.BLACK).time_left is None else ", ".join(told)


def _words(clock: Clock) -> str:
    seconds = int(clock.time_left or 0)
    count = f" ({clock.stones_left} {'periods' if clock.system.periods else 'stones'})" if clock.stones_left else ""
    return f"{seconds // 60}:{seconds % 60:02d}{count}"
