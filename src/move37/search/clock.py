"""Time systems, and what is left on a clock.

It does not measure time (`match_clock` does) and chooses no moves; `time_plan` makes a budget for a move of it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import isfinite
from typing import Literal

from move37.errors import ConfigError

__all__ = ["Clock", "TimeSystem"]


@dataclass(frozen=True)
class TimeSystem:
    """How a game is timed; seconds.

    none: no limit. absolute: `main` alone. byo-yomi: after it `periods` of `period` each, one spent where a move takes
    longer. canadian: after it `period` for every `stones` moves. fischer: `increment` is added after each move, up to
    `cap` in all (None: no cap; what is above the cap already stays). `ConfigError` for what leaves nobody any time.
    """

    kind: Literal["none", "absolute", "byo-yomi", "canadian", "fischer"] = "none"
    main: float = 0.0
    period: float = 0.0
    periods: int = 0
    stones: int = 0
    increment: float = 0.0
    cap: float | None = None

    def __post_init__(self) -> None:
        """Refuse a system without time, or with negative time."""
        times = (self.main, self.period, self.increment, self.cap or 0.0)
        good = all(isfinite(time) and time >= 0 for time in times)
        good = good and {
            "none": True,
            "absolute": self.main > 0,
            "byo-yomi": self.period > 0 and self.periods >= 1,
            "canadian": self.period > 0 and self.stones >= 1,
            "fischer": self.main > 0 and (self.cap is None or self.cap > 0),
        }.get(self.kind, False)
        if not good:
            told = {name: value for name, value in vars(self).items() if name != "kind" and value}
            given = ", ".join(f"{name} {value:g}" for name, value in told.items()) or "none at all"
            raise ConfigError(f"{self.kind} time needs positive times and counts, not {given}.")

    @property
    def stones_a_period(self) -> int:
        """Moves for which a period of overtime is meant: 1 in byo-yomi, 0 without overtime."""
        return {"byo-yomi": 1, "canadian": self.stones}.get(self.kind, 0)

    @property
    def overtime_count(self) -> int:
        """What `Clock.stones_left` begins with in overtime: periods in byo-yomi, stones in Canadian time, else 0."""
        return {"byo-yomi": self.periods, "canadian": self.stones}.get(self.kind, 0)


@dataclass(frozen=True)
class Clock:
    """The clock of the player to move, as a controller told it.

    time_left: seconds of main time or, in overtime, of the period; None where nothing was told since the settings.
    stones_left: moves still to be made in a Canadian period, or periods left in byo-yomi; 0 in main time.
    """

    system: TimeSystem = field(default_factory=TimeSystem)
    time_left: float | None = None
    stones_left: int = 0

    def filled(self) -> Clock:
        """The same clock with every field known: a full one where nothing was told, overtime where main time is over.

        A negative time, as some controllers tell it, is none left.
        """
        system = self.system
        left = system.main if self.time_left is None else max(0.0, self.time_left)
        if self.stones_left <= 0 and left <= 0 and system.overtime_count:
            return Clock(system, system.period, system.overtime_count)
        overtime = self.time_left is not None and system.overtime_count > 0
        return Clock(system, left, max(0, self.stones_left) if overtime else 0)
