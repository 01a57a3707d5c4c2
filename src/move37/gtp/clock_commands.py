"""The commands about time: the standard's, KGS's, and KataGo's, which knows Fischer's clock too.

Sources: GTP version 2, section 4.2; kgsGtp's documentation; KataGo's GTP extensions.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from move37.errors import GtpError
from move37.gtp.arguments import color_of, number_of, numbers, whole_numbers
from move37.gtp.protocol import Handler
from move37.gtp.table import Table
from move37.players.player import Clock, Preparing, TimeSystem
from move37.rules.color import Color

_MOST_SECONDS: Final = 1e7


class ClockCommands:
    """Both sides have the same time system; a new one starts both clocks anew."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._prepared: set[tuple[int, int]] = set()

    def handlers(self) -> dict[str, Handler]:
        """The commands by name."""
        return {
            "time_settings": self._time_settings,
            "time_left": self._time_left,
            "kgs-time_settings": self._kgs_time_settings,
            "kata-time_settings": self._kata_time_settings,
            "kata-list_time_settings": lambda words: " ".join(_KATA),
            "kata-debug-print-tc": self._tell,
        }

    def _time_settings(self, words: list[str]) -> str:
        main, byo_yomi, stones = whole_numbers(words, 3, "not three integers")
        if min(main, byo_yomi, stones) < 0:
            raise GtpError("not three integers")
        self._set(_standard_system(main, byo_yomi, stones))
        return ""

    def _time_left(self, words: list[str]) -> str:
        complaint = "time and stones not two integers"
        color = color_of(words[0] if words else "", "invalid color")
        seconds = number_of(words[1:2], complaint)
        (stones,) = whole_numbers(words[2:], 1, complaint)
        clocks = self._table.clocks
        clocks[color] = replace(clocks[color], time_left=max(0.0, seconds), stones_left=max(0, stones))
        return ""

    def _kgs_time_settings(self, words: list[str]) -> str:
        self._set(_named_system(words, {name: _KATA[name] for name in ("none", "absolute", "byoyomi", "canadian")})[0])
        return ""

    def _kata_time_settings(self, words: list[str]) -> str:
        system, self._table.most_seconds = _named_system(words, _KATA)
        self._set(system)
        return ""

    def _set(self, system: TimeSystem) -> None:
        if max(system.main, system.period, system.increment) > _MOST_SECONDS:
            raise GtpError("so much time is no limit: use none")
        self._table.clocks = {color: Clock(system) for color in Color}
        if system.kind != "none":
            self._prepare()

    def _prepare(self) -> None:
        """Have the player get ready, once for each board size: no clock runs yet when a game's time is told first."""
        player, size = self._table.player, (self._table.position.rows, self._table.position.cols)
        if isinstance(player, Preparing) and size not in self._prepared and player.supports(*size):
            self._prepared.add(size)
            player.prepare(*size)

    def _tell(self, words: list[str]) -> str:
        """Both clocks, one a line."""
        return "\n".join(f"{color.title} {_told(self._table.clocks[color])}" for color in Color)


def _standard_system(main: int, byo_yomi: int, stones: int) -> TimeSystem:
    """What GTP's `time_settings` means: no overtime where its time is 0, no limit where only its stones are.

    Three zeros, which would leave nobody any time, are no limit either, as in GNU Go.
    """
    if byo_yomi > 0 and stones > 0:
        return TimeSystem("canadian", main=float(main), period=float(byo_yomi), stones=stones)
    return TimeSystem("absolute", main=float(main)) if byo_yomi == 0 and main > 0 else TimeSystem()


_Reader = Callable[[list[str]], tuple[TimeSystem, float | None]]


def _none(words: list[str]) -> tuple[TimeSystem, float | None]:
    return TimeSystem(), None


def _absolute(words: list[str]) -> tuple[TimeSystem, float | None]:
    (main,) = numbers(words, 1, "absolute takes MAINTIME, in seconds")
    return TimeSystem("absolute", main=main), None


def _byo_yomi(words: list[str]) -> tuple[TimeSystem, float | None]:
    complaint = "byoyomi takes MAINTIME PERIODTIME PERIODS, in seconds"
    main, period = numbers(words[:2], 2, complaint)
    (periods,) = whole_numbers(words[2:], 1, complaint)
    if periods < 1 or len(words) > 3:
        raise GtpError(complaint)
    return TimeSystem("byo-yomi", main=main, period=period, periods=periods), None


def _canadian(words: list[str]) -> tuple[TimeSystem, float | None]:
    complaint = "canadian takes MAINTIME PERIODTIME STONES, in seconds"
    main, period = numbers(words[:2], 2, complaint)
    (stones,) = whole_numbers(words[2:], 1, complaint)
    if stones < 1 or len(words) > 3:
        raise GtpError(complaint)
    return TimeSystem("canadian", main=main, period=period, stones=stones), None


def _fischer(words: list[str]) -> tuple[TimeSystem, float | None]:
    main, increment = numbers(words, 2, "fischer takes MAINTIME INCREMENT, in seconds")
    return TimeSystem("fischer", main=main, increment=increment), None


def _fischer_capped(words: list[str]) -> tuple[TimeSystem, float | None]:
    """The third and fourth are unlimited where negative, as in KataGo."""
    complaint = "fischer-capped takes MAINTIME INCREMENT MAINTIMELIMIT MAXTIMEPERMOVE, in seconds"
    main, increment = numbers(words[:2], 2, complaint)
    limits = [number_of([word], complaint) for word in words[2:]]
    if len(limits) != 2:
        raise GtpError(complaint)
    cap, most = (number if number >= 0 else None for number in limits)
    return TimeSystem("fischer", main=main, increment=increment, cap=cap), most


_KATA: Final[dict[str, _Reader]] = {
    "none": _none,
    "absolute": _absolute,
    "byoyomi": _byo_yomi,
    "canadian": _canadian,
    "fischer": _fischer,
    "fischer-capped": _fischer_capped,
}


def _named_system(words: list[str], known: dict[str, _Reader]) -> tuple[TimeSystem, float | None]:
    """The time system, and the most seconds for one move."""
    reader = known.get(words[0].lower()) if words else None
    if reader is None:
        raise GtpError(f"unknown time system: use {', '.join(known)}")
    return reader(words[1:])


def _told(clock: Clock) -> str:
    system = clock.system
    words = [system.kind, f"main {system.main:g}"]
    for name in ("period", "periods", "stones", "increment"):
        if value := getattr(system, name):
            words.append(f"{name} {value:g}")
    if system.cap is not None:
        words.append(f"cap {system.cap:g}")
    left = "unknown" if clock.time_left is None else f"{clock.time_left:g} stones {clock.stones_left}"
    return f"{' '.join(words)} left {left}"
