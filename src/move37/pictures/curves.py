"""Training curves from the log of a run (`log.jsonl`): one panel a figure, one line a kind of measurement.

Lines in the log are those of `training.run_log`: a kind (`train`, `held_out`, ...), a step, and figures by name.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from move37.errors import CheckpointError, ConfigError
from move37.pictures.drawing import Picture, circle, grid, line, path, text
from move37.training.run_log import read

__all__ = ["Curves", "curves_of", "curves_picture", "ticks"]

Curves = dict[str, dict[str, list[tuple[float, float]]]]
"""For each figure and each kind: (step, value) pairs in the order of the steps."""

_WIDTH, _HEIGHT, _LEFT, _BOTTOM = 360.0, 190.0, 52.0, 26.0
_COLORS = ("blue", "orange", "green", "violet", "ink", "faint")


def curves_of(lines: Iterable[Mapping[str, Any]]) -> Curves:
    """The figures of log lines; what is no finite number is left out."""
    found: Curves = {}
    for one in lines:
        for name, value in one.items():
            is_number = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
            if name not in ("kind", "step") and is_number:
                kinds = found.setdefault(name, {})
                kinds.setdefault(str(one.get("kind", "")), []).append((float(one["step"]), float(value)))
    for kinds in found.values():
        for points in kinds.values():
            points.sort(key=lambda point: point[0])
    return found


def curves_picture(
    run: Path, figures: Sequence[str] = (), *, columns: int = 2, heading: str = "", caption: str = ""
) -> Picture:
    """The curves of the run in the folder `run` (or its log file): all figures, or those named.

    CheckpointError if there is no log with figures, ConfigError for a figure that it does not have.
    """
    folder = run.parent if run.name == "log.jsonl" else run
    curves = curves_of(read(folder))
    if not curves:
        raise CheckpointError(f"{folder} has no log.jsonl with figures: name the folder of a training run")
    for name in figures:
        if name not in curves:
            raise ConfigError(f"the log of {folder} has no figure {name!r}; there are {', '.join(curves)}")
    panels = [_panel(name, curves[name]) for name in figures or curves]
    title = heading or f"Training of {folder.resolve().name}"
    return grid("Training curves", panels, columns, heading=title, caption=caption)


def ticks(low: float, high: float, most: int = 5) -> list[float]:
    """Round numbers from `low` to `high`, at most `most` + 1: steps of 1, 2 or 5 times a power of ten."""
    span = high - low
    if span <= 0:
        return [low]
    power = 10.0 ** math.floor(math.log10(span / most))
    step = next(one * power for one in (1, 2, 5, 10, 20) if span / (one * power) <= most)
    first = math.ceil(low / step - 1e-9)
    return [round(i * step, 12) for i in range(first, math.floor(high / step + 1e-9) + 1)]


def _panel(name: str, kinds: Mapping[str, list[tuple[float, float]]]) -> Picture:
    xs = [x for points in kinds.values() for x, _ in points]
    ys = [y for points in kinds.values() for _, y in points]
    low, high = min(ys), max(ys)
    margin = 0.05 * (high - low) or 0.5 * abs(high) or 0.5
    axes = _Axes(min(xs), max(xs), low - margin, high + margin)
    parts = list(axes.elements())
    for i, (kind, points) in enumerate(kinds.items()):
        color = _COLORS[i % len(_COLORS)]
        places = [axes.xy(x, y) for x, y in points]
        if len(places) > 1:
            parts.append(path(places, color, 2))
        if len(places) <= 60:
            told = (f"{kind} step {x:g}: {y:.4g}" for x, y in points)
            parts += [circle(x, y, 3, color, hover=words) for (x, y), words in zip(places, told, strict=True)]
        parts.append(
            text(_LEFT + 8, 14 + 14 * i, f"{kind}: {points[-1][1]:.4g}", 11, f"{color} halo", "start", bold=True)
        )
    return Picture(f"curve of {name}", _WIDTH, _HEIGHT, "".join(parts), name)


class _Axes:
    """Both axes of a panel, and where values lie on them."""

    def __init__(self, left: float, right: float, low: float, high: float) -> None:
        self.left, self.right, self.low, self.high = left, right if right > left else left + 1, low, high

    def xy(self, x: float, y: float) -> tuple[float, float]:
        across = (x - self.left) / (self.right - self.left)
        up = (y - self.low) / (self.high - self.low)
        return _LEFT + (_WIDTH - _LEFT - 8) * across, 4 + (_HEIGHT - _BOTTOM - 4) * (1 - up)

    def elements(self) -> Iterable[str]:
        for y in ticks(self.low, self.high):
            height = self.xy(self.left, y)[1]
            yield line(_LEFT, height, _WIDTH - 8, height)
            yield text(_LEFT - 6, height + 4, f"{y:g}".replace("-", "−"), 10, "faint", "end")
        for x in ticks(self.left, self.right, 4):
            across = self.xy(x, self.low)[0]
            yield line(across, _HEIGHT - _BOTTOM, across, _HEIGHT - _BOTTOM + 4, "faint")
            yield text(across, _HEIGHT - 8, f"{x:g}", 10, "faint")
        yield line(_LEFT, _HEIGHT - _BOTTOM, _WIDTH - 8, _HEIGHT - _BOTTOM, "faint")
