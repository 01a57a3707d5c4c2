"""Tells another program what time it has: the system before a game, what is left before each move.

GTP itself knows absolute and Canadian time, in whole seconds. Byo-yomi and Fischer time are told by KataGo's or KGS's
command where the program has it; else as what comes nearest and is not longer: byo-yomi as Canadian periods of one
stone, Fischer time as absolute time, of which each move's `time_left` tells how it grows. A program that refuses any of
it plays without.
"""

from __future__ import annotations

from collections.abc import Callable

from move37.search.clock import Clock, TimeSystem

__all__ = ["ClockTeller"]


class ClockTeller:
    """What one program was told; `exchange` is `GtpProgram.exchange`."""

    def __init__(self, exchange: Callable[..., tuple[bool, str]]) -> None:
        self._exchange = exchange
        self._told: TimeSystem | None = TimeSystem()
        self._counts_periods = False

    def new_game(self) -> None:
        """The system is told anew before the next move, if there was one."""
        if self._told != TimeSystem():
            self._told = None

    def tell(self, color: str, clock: Clock) -> None:
        """Before a move of `color` (B or W)."""
        system = clock.system
        if system != self._told:
            self._counts_periods = self._tell_system(system)
            self._told = system
        if system.kind != "none" and clock.time_left is not None:
            one = system.kind == "byo-yomi" and not self._counts_periods
            stones = min(1, clock.stones_left) if one else clock.stones_left
            self._exchange("time_left", color, str(int(clock.time_left)), str(stones))

    def _tell_system(self, system: TimeSystem) -> bool:
        """Whether the program then counts byo-yomi by its periods."""
        main, period = f"{system.main:g}", f"{system.period:g}"
        if system.kind == "byo-yomi":
            count = str(system.periods)
            return (
                self._try("kata-time_settings", "byoyomi", main, period, count)
                or self._try("kgs-time_settings", "byoyomi", _whole(system.main), _whole(system.period), count)
                or self._plain(system.main, system.period, 1)
            )
        if system.kind == "fischer" and self._try("kata-time_settings", "fischer", main, f"{system.increment:g}"):
            return False
        if system.kind == "none":
            return self._plain(0, 1, 0)
        return self._plain(system.main, system.period, system.stones)

    def _try(self, command: str, *words: str) -> bool:
        """Whether the program knows the command and took it."""
        return self._exchange("known_command", command) == (True, "true") and self._exchange(command, *words)[0]

    def _plain(self, main: float, period: float, stones: int) -> bool:
        self._exchange("time_settings", _whole(main), _whole(period), str(stones))
        return False


def _whole(seconds: float) -> str:
    """Whole seconds, no more than there are; but one where there are less, for none means something else in GTP."""
    return str(int(seconds) if seconds >= 1 or seconds == 0 else 1)
