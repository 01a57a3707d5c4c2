"""Boards in pictures: a position with move numbers, marks and values laid over it, and the board as a matrix.

The drawing of the board itself is `rules.board_svg`; what lies over it is placed by the same frame. Concept picture A1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from html import escape
from typing import Final

import numpy as np
from numpy.typing import NDArray

from move37.errors import ConfigError
from move37.pictures.drawing import GAP, Picture, box, grid, line, number, text
from move37.rules.board_svg import CELL, Frame, board_svg
from move37.rules.color import Color
from move37.rules.coordinates import format_vertex
from move37.rules.position_view import PositionView

__all__ = ["Overlay", "board_panel", "board_picture", "matrix_picture", "move_numbers", "percent", "values_overlay"]

Overlay = Callable[[Frame], Iterable[str]]
"""What is drawn over a board, in the units of its frame."""

_HEAT: Final = "#b3122b"
"""On the board's wood, which is the same in the light and in the dark."""
_BAD: Final = "#1f4fb0"
_ON_WOOD: Final = {0: "#2b1d07", int(Color.BLACK): "#ffffff", int(Color.WHITE): "#000000"}


def board_panel(
    stones: NDArray[np.int8],
    title: str,
    *,
    last: int | None = None,
    labels: Mapping[int, str] | None = None,
    marks: Mapping[int, str] | None = None,
    overlay: Overlay | None = None,
    coordinates: bool = True,
    width: int = 320,
    heading: str = "",
    caption: str = "",
) -> Picture:
    """Stones int8[H, W] with what `board_svg` can add, and an `overlay` above them."""
    frame = Frame(stones.shape[0], stones.shape[1], coordinates)
    body = board_svg(stones, last=last, labels=labels, marks=marks, coordinates=coordinates, width=width)
    height = round(width * frame.height / frame.width)
    if overlay is not None:
        drawn = "".join(overlay(frame))
        view = f'viewBox="0 0 {number(frame.width)} {number(frame.height)}"'
        body += f'<svg {view} width="{width}" height="{height}">{drawn}</svg>'
    return Picture(title, width, height, body, heading, caption)


def move_numbers(position: PositionView, first: int = 1) -> dict[int, str]:
    """The number of the move that put each stone, from number `first` on; setup stones have none."""
    found: dict[int, str] = {}
    start = position.move_number - len(position.moves)
    for number_, (color, point) in enumerate(position.moves, start + 1):
        if number_ >= first and point < position.rows * position.cols and position.stone_at(point) == color:
            found[point] = str(number_)
    return found


def board_picture(
    position: PositionView,
    *,
    numbers: bool = False,
    first: int = 1,
    labels: Mapping[str, str] | None = None,
    marks: Mapping[str, str] | None = None,
    coordinates: bool = True,
    width: int = 480,
    heading: str = "",
    caption: str = "",
) -> Picture:
    """A position: with move numbers from `first` on if asked, short texts on points, and points coloured as in CSS.

    VertexError for a label or mark that is not on the board.
    """
    written = move_numbers(position, first) if numbers else {}
    written |= {_on_board(position, move): words for move, words in (labels or {}).items()}
    colored = {_on_board(position, move): color for move, color in (marks or {}).items()}
    title = f"Go board, {position.rows} by {position.cols}, after {position.move_number} moves"
    last = None if numbers else position.last_move
    return board_panel(
        position.stones,
        title,
        last=last,
        labels=written,
        marks=colored,
        coordinates=coordinates,
        width=width,
        heading=heading,
        caption=caption,
    )


def _on_board(position: PositionView, move: str) -> int:
    point = position.point(move)
    if point == position.rows * position.cols:
        raise ConfigError("a pass is not on the board: label or mark a vertex such as D4")
    return point


def percent(share: float) -> str:
    """A probability in few signs: 64, 3.2, <.1 (per cent)."""
    hundredths = 100 * share
    if hundredths >= 9.95:
        return f"{hundredths:.0f}"
    return f"{hundredths:.1f}" if hundredths >= 0.1 else "<.1"


def values_overlay(
    values: NDArray[np.floating],
    stones: NDArray[np.int8],
    *,
    words: Callable[[float], str] = percent,
    least: float = 0.01,
) -> Overlay:
    """Points coloured by `values` [H, W]: red above zero, blue below, the stronger the farther from zero.

    Values of at least `least` times the greatest are also written, by `words`; hovering tells every value drawn.
    """
    flat = np.asarray(values, np.float64).ravel()
    most = float(np.abs(flat).max(initial=0.0))

    def drawn(frame: Frame) -> Iterable[str]:
        for point in np.flatnonzero(flat) if most > 0 else ():
            share = abs(flat[point]) / most
            if share < 1e-3:
                continue
            x, y = frame.xy(int(point))
            side = CELL * 0.94
            color = _HEAT if flat[point] > 0 else _BAD
            yield box(
                x - side / 2,
                y - side / 2,
                side,
                side,
                "heat",
                opacity=0.08 + 0.72 * share**0.5,
                hover=f"{_vertex(frame, int(point))} {words(float(flat[point]))}",
                more=f' fill="{color}"',
            )
            if share >= least:
                yield _on_wood(x, y, words(float(flat[point])), int(stones.flat[point]), strong=share > 0.35)

    return drawn


def _on_wood(x: float, y: float, words: str, stone: int, *, strong: bool) -> str:
    ink = "#ffffff" if strong and stone == 0 else _ON_WOOD[stone]
    size = CELL * (0.42 if len(words) < 3 else 0.34)
    halo = "" if ink == "#ffffff" else ' stroke="#e3b768" stroke-opacity="0.7" stroke-width="3" paint-order="stroke"'
    return (
        f'<text x="{number(x)}" y="{number(y)}" font-size="{number(size)}" fill="{ink}" text-anchor="middle"{halo} '
        f'dominant-baseline="central" pointer-events="none">{escape(words)}</text>'
    )


def _vertex(frame: Frame, point: int) -> str:
    return format_vertex(point, frame.rows, frame.cols)


def matrix_picture(position: PositionView, *, heading: str = "", caption: str = "") -> Picture:
    """The board beside the matrix that a program keeps: int8 cells, row 0 at the top, 0 empty, 1 Black, 2 White."""
    stones = position.stones
    rows, cols = stones.shape
    size = 320 / max(rows, cols)
    told = f"int8[{rows}, {cols}]: {rows * cols} bytes; 0 empty, 1 Black, 2 White"
    matrix = Picture(told, size * (cols + 1), size * (rows + 1), "".join(_matrix(stones, size)), "the matrix", told)
    board = board_panel(stones, "the board", last=position.last_move, width=360, heading="the board")
    return grid("A board and its matrix", [board, matrix], 2, heading=heading, caption=caption, gap=2 * GAP)


def _matrix(stones: NDArray[np.int8], size: float) -> Iterable[str]:
    rows, cols = stones.shape
    letter = min(14.0, size * 0.62)
    for col in range(cols):
        yield text(size * (col + 1.5), size * 0.72, str(col), letter * 0.8, "faint")
    for row in range(rows):
        yield text(size * 0.5, size * (row + 1.72), str(row), letter * 0.8, "faint")
        for col in range(cols):
            value = int(stones[row, col])
            x, y = size * (col + 1), size * (row + 1)
            if value:
                yield box(x + 1, y + 1, size - 2, size - 2, "blue" if value == Color.BLACK else "orange")
            kind = "on-color" if value else "faint"
            yield text(x + size / 2, y + size * 0.72, str(value), letter, kind, bold=bool(value))
    yield line(size, size, size, size * (rows + 1)) + line(size, size, size * (cols + 1), size)
