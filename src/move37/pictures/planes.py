"""The planes a network is shown of a position, each with its meaning; AlphaGo Zero's 17 beside AlphaGo's 48.

Concept pictures A8 and E3 of the course. A plane is drawn over a faint copy of the stones: blue above zero, orange
below, the stronger the farther from zero. The planes come from the encoders, the words from `features.meanings`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from move37.errors import ConfigError
from move37.features.encoder import encode
from move37.features.meanings import number_meanings, plane_meanings
from move37.pictures.boards import board_panel
from move37.pictures.drawing import GAP, Picture, box, circle, grid, text
from move37.rules.color import Color
from move37.rules.coordinates import format_vertex
from move37.rules.position import Position

__all__ = ["PLANE_WIDTH", "plane_panel", "planes_picture", "zero_beside_alphago"]

PLANE_WIDTH = 112.0


def plane_panel(
    values: NDArray[np.floating],
    title: str,
    *,
    stones: NDArray[np.int8] | None = None,
    scale: float | None = None,
    width: float = PLANE_WIDTH,
    heading: str = "",
    caption: str = "",
) -> Picture:
    """Values [H, W] as a small board; `scale`: the value of full strength (default: the greatest; at least 1)."""
    rows, cols = values.shape
    side = width / cols
    full = max(1.0, float(np.abs(values).max(initial=0.0))) if scale is None else scale
    body = [box(0, 0, width, side * rows, "card"), *_cells(values, side, full)]
    if stones is not None:
        body += _dots(stones, side)
    frame = box(0, 0, width, side * rows, "line-rule", more=' fill="none"')
    return Picture(title, width, side * rows, "".join([*body, frame]), heading, caption)


def _cells(values: NDArray[np.floating], side: float, full: float) -> Iterable[str]:
    rows, cols = values.shape
    if values.size > 1 and values.flat[0] != 0 and np.all(values == values.flat[0]):
        yield _cell(0, 0, side * cols, side * rows, float(values.flat[0]), full, "everywhere")
        return
    for point in np.flatnonzero(values):
        row, col = divmod(int(point), cols)
        name = format_vertex(int(point), rows, cols)
        yield _cell(side * col, side * row, side, side, float(values.flat[point]), full, name)


def _cell(x: float, y: float, w: float, h: float, value: float, full: float, name: str) -> str:
    strength = min(1.0, abs(value) / full) if full else 0.0
    return box(x, y, w, h, "blue" if value > 0 else "orange", opacity=strength, hover=f"{name} {value:.4g}")


def _dots(stones: NDArray[np.int8], side: float) -> Iterable[str]:
    for point in np.flatnonzero(stones):
        row, col = divmod(int(point), stones.shape[1])
        black = stones.flat[point] == Color.BLACK
        look = ' pointer-events="none"' if black else ' pointer-events="none" stroke-width="0.8"'
        kind = "ink" if black else "line-ink"
        yield circle(side * (col + 0.5), side * (row + 0.5), side * 0.2, kind, opacity=0.55 if black else 1, more=look)


def planes_picture(
    position: Position,
    encoder: str,
    planes: Sequence[int] = (),
    *,
    columns: int = 8,
    heading: str = "",
    caption: str = "",
) -> Picture:
    """The board, then every plane of the encoder called `encoder` (or only `planes`) with its number and meaning.

    ConfigError for an encoder or plane that there is not.
    """
    encoded = encode(encoder, position)
    spatial, meanings = encoded.spatial[0], plane_meanings(encoder)
    chosen = list(planes) or list(range(len(spatial)))
    for plane in chosen:
        if not 0 <= plane < len(spatial):
            raise ConfigError(f"{encoder} has no plane {plane}: they are numbered 0 to {len(spatial) - 1}")
    stones = position.stones
    panels = [
        plane_panel(spatial[i], f"plane {i}: {meanings[i]}", stones=stones, caption=f"{i}: {meanings[i]}")
        for i in chosen
    ]
    many = grid(f"{encoder} planes", panels, columns)
    parts = [_board(position), many]
    if encoded.globals.shape[1]:
        parts.append(_numbers(encoded.globals[0], number_meanings(encoder)))
    told = heading or f"{encoder}: {len(spatial)} planes of {position.rows} × {position.cols}"
    return grid(f"The planes of {encoder}", parts, 1, heading=told, caption=caption)


def _board(position: Position) -> Picture:
    width = 240 if position.rows > 9 else 180
    side = f"{position.to_play.title} to play, after {position.move_number} moves"
    return board_panel(position.stones, "the board", last=position.last_move, width=width, caption=side)


def _numbers(values: NDArray[np.float32], meanings: Sequence[str], columns: int = 3) -> Picture:
    """The numbers beside the planes as a table."""
    wide = (8 * PLANE_WIDTH + 7 * GAP) / columns
    body: list[str] = []
    for i, (value, meaning) in enumerate(zip(values.tolist(), meanings, strict=True)):
        column, row = i % columns, i // columns
        kind = "faint" if value == 0 else "ink"
        body.append(text(column * wide, 14 + 18 * row, f"{i}: {meaning}", 11, kind, "start"))
        body.append(text(column * wide + wide - 24, 14 + 18 * row, f"{value:.3g}", 11, kind, "end", bold=value != 0))
    return Picture("numbers beside the planes", wide * columns, 18.0 * -(-len(values) // columns), "".join(body))


def zero_beside_alphago(position: Position, *, heading: str = "", caption: str = "") -> Picture:
    """AlphaGo Zero's 17 planes at the left, AlphaGo's 48 at the right: how little knowledge Zero is given."""
    halves = [_half(position, name, columns) for name, columns in (("zero17", 4), ("alphago48", 8))]
    told = caption or (
        "Zero is given stones and whose turn it is. AlphaGo was also told liberties, captures, ladders and good sense."
    )
    title = heading or "What the network is told: 17 planes and 48"
    return grid("17 planes beside 48", halves, 2, heading=title, caption=told, gap=3 * GAP)


def _half(position: Position, encoder: str, columns: int) -> Picture:
    spatial, meanings, stones = encode(encoder, position).spatial[0], plane_meanings(encoder), position.stones
    panels = [
        plane_panel(plane, f"{encoder} {i}: {meanings[i]}", stones=stones, width=76, caption=str(i))
        for i, plane in enumerate(spatial)
    ]
    return grid(f"{encoder} planes", panels, columns, heading=f"{encoder}: {len(spatial)} planes")
