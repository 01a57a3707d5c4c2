"""A figure of the benchmark, its table and its JSON. It measures nothing.

The JSON is one array of objects with the keys of `Figure`; names stay stable so that versions can be compared.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from move37.errors import ConfigError, Move37Error
from move37.files import read_bytes

__all__ = ["BenchmarkError", "Figure", "best_rate", "figure", "read", "require", "table", "to_json"]

ROUNDS = 3

_LARGEST = 2**24  # bytes of a stored run, which has some thousands


class BenchmarkError(Move37Error):
    """A result that was wrong before it was timed."""


def require(holds: bool, what: str) -> None:
    """Raise `BenchmarkError` with these words unless a check holds."""
    if not holds:
        raise BenchmarkError(f"The benchmark's check failed: {what}; no figure is printed, please report this.")


@dataclass(frozen=True)
class Figure:
    """One measured figure. `ratio` is how many times better than `reference` it is (1.0: equal).

    `note` is a line for people: what was measured on, or which settings to use.
    """

    name: str
    value: float
    unit: str
    reference: float | None
    ratio: float | None
    checked: bool
    note: str = ""


def figure(name: str, value: float, unit: str, reference: float | None = None, note: str = "") -> Figure:
    """A figure whose result has been checked. Units of time and memory are better when smaller, others when larger."""
    if reference is None:
        return Figure(name, value, unit, None, None, True, note)
    ratio = reference / value if unit in ("s", "us", "MB") else value / reference
    return Figure(name, value, unit, reference, ratio, True, note)


def best_rate(work: Callable[[], float]) -> float:
    """Units of work a second, the best (least disturbed) of a few rounds; `work` returns how many units it did."""
    best = 0.0
    for _ in range(ROUNDS):
        began = time.perf_counter()
        done = work()
        best = max(best, done / (time.perf_counter() - began))
    return best


def to_json(figures: Sequence[Figure]) -> str:
    """The JSON array of `move37 benchmark --json`."""
    return json.dumps([asdict(one) for one in figures], indent=2)


def read(path: Path) -> dict[str, float]:
    """Values by name of a stored run; ConfigError if the file is not one."""
    try:
        rows = json.loads(read_bytes(path, _LARGEST).decode("utf-8"))
        return {str(row["name"]): float(row["value"]) for row in rows}
    except (OSError, ValueError, TypeError, LookupError, RecursionError) as error:
        raise ConfigError(
            f"{path} is not a stored benchmark ({error}); write one with move37 benchmark --json."
        ) from error


def table(figures: Sequence[Figure], stored: dict[str, float] | None = None) -> str:
    """Aligned text, a line a figure, then the notes; the last column is the ratio to a stored run, if one is given."""
    head = ["name", "value", "unit", "reference", "ratio"] + (["against stored"] if stored else [])
    rows = [head]
    for one in figures:
        row = [one.name, _number(one.value), one.unit, _number(one.reference), _number(one.ratio)]
        if stored:
            before = stored.get(one.name)
            row.append(_number(None if not before else figure("", one.value, one.unit, before).ratio))
        rows.append(row)
    widths = [max(len(row[i]) for row in rows) for i in range(len(head))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    return "\n".join(lines + [one.note for one in figures if one.note])


def _number(value: float | None) -> str:
    if value is None:
        return "–"
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.2f}"
