"""Times and time systems as a person writes them: ``5s``, ``10m``, ``5m+3s``, ``10m+5x30s``, ``10m+25/5m``.

It knows no clocks.
"""

from __future__ import annotations

import re
from math import isfinite

from move37.errors import ConfigError
from move37.search.clock import TimeSystem

__all__ = ["duration", "duration_words", "time_system", "time_words"]

_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "": 1.0}
_DURATION = re.compile(r"(\d+(?:\.\d*)?|\.\d+)\s*(ms|s|m|h|)", re.ASCII)
_HINT = "write 10m (absolute), 5m+3s or 5m+3s max 10m (Fischer), 10m+5x30s (byo-yomi), 10m+25/5m (Canadian), or none"


def duration(text: str) -> float | None:
    """Seconds of ``5``, ``5s``, ``500ms``, ``2m`` or ``1h``; None for anything else, and for what is not positive."""
    found = _DURATION.fullmatch(text.strip().lower())
    seconds = float(found[1]) * _UNITS[found[2]] if found else 0.0
    return seconds if seconds > 0 and isfinite(seconds) else None


def duration_words(seconds: float) -> str:
    """The shortest text that `duration` reads as `seconds`: ``10m``, ``90s``, ``1.5s``."""
    for unit, length in (("h", 3600.0), ("m", 60.0)):
        if seconds >= length and seconds % length == 0:
            return f"{seconds / length:g}{unit}"
    return f"{seconds:.10g}s"


def time_system(text: str) -> TimeSystem:
    """Read a time system; ``0+5x30s`` and ``0+25/5m`` have no main time. `ConfigError` in one sentence."""
    words = text.strip().lower()
    if words == "none":
        return TimeSystem()
    main_word, plus, rest = words.partition("+")
    main = 0.0 if re.fullmatch(r"0+[a-z]*", main_word.strip()) else duration(main_word)
    system = None
    if main is not None:
        system = _with_overtime(main, rest.strip()) if plus else TimeSystem("absolute", main=main) if main else None
    if system is None:
        raise ConfigError(f"{text!r} is no time system: {_HINT}")
    return system


def _with_overtime(main: float, rest: str) -> TimeSystem | None:
    """The system whose part behind the plus sign is `rest`; None where there is none."""
    if found := re.fullmatch(r"(\d{1,4})\s*([x/])\s*(.+)", rest, re.ASCII):
        count, period = int(found[1]), duration(found[3])
        if period is None or count == 0:
            return None
        if found[2] == "x":
            return TimeSystem("byo-yomi", main=main, period=period, periods=count)
        return TimeSystem("canadian", main=main, period=period, stones=count)
    word, limited, cap_word = rest.partition("max")
    increment, cap = duration(word), duration(cap_word)
    if increment is None or main == 0 or (limited and cap is None):
        return None
    return TimeSystem("fischer", main=main, increment=increment, cap=cap)


def time_words(system: TimeSystem) -> str:
    """The text that `time_system` reads as `system`."""
    main = duration_words(system.main) if system.main else "0"
    period = duration_words(system.period) if system.period else ""
    cap = f" max {duration_words(system.cap)}" if system.cap else ""
    return {
        "none": "none",
        "absolute": main,
        "byo-yomi": f"{main}+{system.periods}x{period}",
        "canadian": f"{main}+{system.stones}/{period}",
        "fischer": f"{main}+{duration_words(system.increment)}{cap}",
    }[system.kind]
