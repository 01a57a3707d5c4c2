"""Input scaling: what becomes of a raw number before a network reads it. Concept picture A10 of the course.

A count such as liberties is shown raw, divided by its range, standardised, and one-hot as AlphaGo's planes have it;
numbers such as komi are divided by a fixed unit (KataGo's 20 points). Weights of one size then fit all inputs.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from move37.features.encoder import encode
from move37.features.meanings import plane_meanings
from move37.pictures.boards import board_panel
from move37.pictures.drawing import GAP, Picture, box, grid, line, signed, text
from move37.pictures.planes import plane_panel
from move37.rules.position import Position
from move37.rules.records import liberties_grid

__all__ = ["scaled_liberties", "scaling_picture"]

_LIBERTIES = range(12, 20)
"""AlphaGo's planes of liberties."""
_MOST = 8


def scaled_liberties(position: Position) -> dict[str, NDArray[np.float64]]:
    """Liberties of each stone's chain, float64[H, W]: "raw", "divided" by 8 (more count as 8), and "standardised".

    Standardised: less the mean of all points, divided by their standard deviation (zeros where all are equal).
    """
    raw = liberties_grid(position.board).astype(np.float64)
    spread = float(raw.std())
    standard = (raw - raw.mean()) / spread if spread > 0 else np.zeros_like(raw)
    return {"raw": raw, "divided": np.minimum(raw, _MOST) / _MOST, "standardised": standard}


def scaling_picture(position: Position, *, heading: str = "", caption: str = "") -> Picture:
    """The liberties of a position in four ways, each with the range of its values, and komi on KataGo's scale."""
    found, stones = scaled_liberties(position), position.stones
    labels = {int(p): f"{found['raw'].flat[p]:.0f}" for p in np.flatnonzero(stones)}
    board = board_panel(stones, "liberties on the board", labels=labels, width=240, heading="raw: a count")
    panels = [board]
    for name, words in (("raw", "raw"), ("divided", "divided by 8"), ("standardised", "mean 0, deviation 1")):
        values = found[name]
        full = max(float(np.abs(values).max()), 1e-9)
        panel = plane_panel(values, words, scale=full, width=180, heading=words, caption=_range(values))
        panels.append(grid(words, [panel, _scale_bar(values)], 1))
    hot = encode("alphago48", position).spatial[0]
    meanings = plane_meanings("alphago48")
    planes = [plane_panel(hot[i], meanings[i], stones=stones, width=92, caption=meanings[i]) for i in _LIBERTIES]
    one_hot = grid("one-hot", planes, 8, heading="one-hot: eight planes of 0 and 1")
    title = heading or "Input scaling: the same liberties, in four ways"
    rows = [grid("numbers", panels, 4, gap=2 * GAP), one_hot, _komi(position)]
    told = caption or (
        "A raw count of 8 would weigh eight times a stone’s 1. Scaled inputs are all of one size, so one learning rate "
        "fits all weights; one-hot planes also let 1 and 2 liberties mean different things."
    )
    return grid("Input scaling", rows, 1, heading=title, caption=told)


def _range(values: NDArray[np.float64]) -> str:
    least, most, mean, spread = (
        round(float(one), 2) + 0.0 for one in (values.min(), values.max(), values.mean(), values.std())
    )
    return f"{least:g} to {most:g}, mean {mean:g}, deviation {spread:g}".replace("-", "−")


def _scale_bar(values: NDArray[np.float64], low: float = -3.0, high: float = 9.0) -> Picture:
    """Where the values lie on one common axis."""
    wide = 180.0

    def x(value: float) -> float:
        return wide * (min(high, max(low, value)) - low) / (high - low)

    unique, counts = np.unique(values, return_counts=True)
    most = float(counts.max())
    parts = [line(0, 30, wide, 30, "faint")]
    parts += [text(x(tick), 44, f"{tick:g}", 9, "faint") for tick in (-2, 0, 1, 8)]
    for value, count in zip(unique.tolist(), counts.tolist(), strict=True):
        high_bar = 4 + 24 * count / most
        parts.append(box(x(value) - 2, 30 - high_bar, 4, high_bar, "violet", hover=f"{value:.3g}: {count} points"))
    return Picture("the values on one axis", wide, 48, "".join(parts))


def _komi(position: Position) -> Picture:
    """Komi in points, and as KataGo's network reads it."""
    given = float(encode("katago22", position).globals[0, 5])
    points, scaled = signed(20 * given, "g"), signed(given, ".3f")
    words = f"komi {position.komi:g} points, for the player to move: {points} → divided by 20 → {scaled} (katago22)"
    return Picture("komi scaled", 700, 18, text(0, 13, words, 12, "ink", "start"))
