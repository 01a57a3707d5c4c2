"""A board as an SVG drawing for notebooks, documents and the page: plain shapes, no scripts, no fonts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from typing import Final

import numpy as np
from numpy.typing import NDArray

from move37.rules.color import Color
from move37.rules.coordinates import column_letters
from move37.rules.handicap import star_points

CELL: Final = 28
"""Distance of two lines, in the drawing's units."""
_WOOD: Final = "#e3b768"
_LINE: Final = "#4a3516"
_MARK: Final = "#d1462f"
_SHADES: Final = (
    '<defs><radialGradient id="m37b" cx="35%" cy="30%" r="75%"><stop offset="0" stop-color="#5d5d63"/>'
    '<stop offset="1" stop-color="#0d0d10"/></radialGradient>'
    '<radialGradient id="m37w" cx="35%" cy="30%" r="80%"><stop offset="0" stop-color="#ffffff"/>'
    '<stop offset="1" stop-color="#cfcabf"/></radialGradient></defs>'
)


@dataclass(frozen=True)
class Frame:
    """Where things lie in a drawing of a board with ``coordinates`` around it or without."""

    rows: int
    cols: int
    coordinates: bool = True

    @property
    def margin(self) -> float:
        """From the edge of the drawing to the first line."""
        return CELL * (1.1 if self.coordinates else 0.75)

    @property
    def width(self) -> float:
        """In the drawing's units."""
        return (self.cols - 1) * CELL + 2 * self.margin

    @property
    def height(self) -> float:
        """In the drawing's units."""
        return (self.rows - 1) * CELL + 2 * self.margin

    def xy(self, point: int) -> tuple[float, float]:
        """The middle of a point."""
        row, col = divmod(point, self.cols)
        return self.margin + col * CELL, self.margin + row * CELL


def board_svg(
    stones: NDArray[np.int8],
    *,
    last: int | None = None,
    labels: Mapping[int, str] | None = None,
    marks: Mapping[int, str] | None = None,
    coordinates: bool = True,
    width: int = 420,
) -> str:
    """Draw stones ``int8[H, W]`` as one ``<svg>`` element.

    ``last`` is the last move's point (a pass is not drawn); ``labels`` writes short texts on points, ``marks``
    colours points (a CSS colour each); ``width`` is in pixels, the height follows.
    """
    rows, cols = stones.shape
    frame = Frame(rows, cols, coordinates)
    w, h = frame.width, frame.height
    drawing = _Drawing(frame)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {w:g} {h:g}" width="{width}" '
        f'height="{width * h / w:.0f}" '
        f'role="img" aria-label="Go board, {rows} by {cols}">',
        _SHADES,
        f'<rect width="{w:g}" height="{h:g}" rx="4" fill="{_WOOD}"/>',
        _grid(drawing, rows, cols),
        *(_edge_labels(drawing, rows, cols, w, h) if coordinates else ()),
        *(drawing.mark(point, color) for point, color in (marks or {}).items()),
        *(drawing.stone(int(point), int(stones.flat[point])) for point in np.flatnonzero(stones)),
    ]
    if last is not None and last < rows * cols:
        parts.append(drawing.ring(last, int(stones.flat[last])))
    parts += [drawing.label(point, text, int(stones.flat[point])) for point, text in (labels or {}).items()]
    return "".join([*parts, "</svg>"])


class _Drawing:
    """Shapes at points."""

    def __init__(self, frame: Frame) -> None:
        self.xy = frame.xy

    def stone(self, point: int, color: int) -> str:
        x, y = self.xy(point)
        shade, edge = ("m37b", "#000000") if color == Color.BLACK else ("m37w", "#8f897c")
        look = f'fill="url(#{shade})" stroke="{edge}" stroke-width="0.8"'
        return f'<circle cx="{x:g}" cy="{y:g}" r="{CELL * 0.475:g}" {look}/>'

    def ring(self, point: int, color: int) -> str:
        x, y = self.xy(point)
        ink = {int(Color.BLACK): "#ffffff", int(Color.WHITE): "#000000"}.get(color, _MARK)  # an empty point: suicide
        look = f'fill="none" stroke="{ink}" stroke-width="2"'
        return f'<circle class="last" cx="{x:g}" cy="{y:g}" r="{CELL * 0.23:g}" {look}/>'

    def mark(self, point: int, color: str) -> str:
        x, y = self.xy(point)
        side = CELL * 0.92
        return (
            f'<rect x="{x - side / 2:g}" y="{y - side / 2:g}" width="{side:g}" height="{side:g}" '
            f'fill="{escape(color)}" fill-opacity="0.55"/>'
        )

    def label(self, point: int, text: str, color: int) -> str:
        x, y = self.xy(point)
        ink = {int(Color.BLACK): "#ffffff", int(Color.WHITE): "#000000"}.get(color, _LINE)
        size = CELL * (0.5 if len(text) < 3 else 0.36)
        return _text(x, y, text, size, ink)


def _grid(drawing: _Drawing, rows: int, cols: int) -> str:
    left, top = drawing.xy(0)
    right, bottom = drawing.xy(rows * cols - 1)
    lines = [f"M{left:g} {top + row * CELL:g}H{right:g}" for row in range(rows)]
    lines += [f"M{left + col * CELL:g} {top:g}V{bottom:g}" for col in range(cols)]
    grid = f'<path d="{"".join(lines)}" stroke="{_LINE}" stroke-width="1" stroke-linecap="square" fill="none"/>'
    stars = (drawing.xy(point) for point in star_points(rows, cols))
    return grid + "".join(f'<circle cx="{x:g}" cy="{y:g}" r="3" fill="{_LINE}"/>' for x, y in stars)


def _edge_labels(drawing: _Drawing, rows: int, cols: int, w: float, h: float) -> list[str]:
    inset = CELL * 0.33
    size = CELL * 0.4
    found: list[str] = []
    for col, letter in enumerate(column_letters(cols)):
        x = drawing.xy(col)[0]
        found += [_text(x, inset, letter, size, _LINE), _text(x, h - inset, letter, size, _LINE)]
    for row in range(rows):
        y = drawing.xy(row * cols)[1]
        number = str(rows - row)
        found += [_text(inset, y, number, size, _LINE), _text(w - inset, y, number, size, _LINE)]
    return found


def _text(x: float, y: float, text: str, size: float, ink: str) -> str:
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" font-family="sans-serif" fill="{ink}" text-anchor="middle" '
        f'dominant-baseline="central">{escape(text)}</text>'
    )
