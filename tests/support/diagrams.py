"""Boards as text: `X` Black, `O` White, `.` empty, the top row first.

Only what the tests need: no coordinates, no last move; blank lines and blanks between the signs are ignored.
"""

from __future__ import annotations

from collections.abc import Sequence

SIGNS = ".XO"
COLUMNS = "ABCDEFGHJKLMNOPQRST"

SEKI = """
. . X O . . .
. . X O . . .
. . X O . . .
. X X O O O .
. X O X X O .
. X O . X O .
. X O . X O .
"""
"""C1-C3 and D3-E1 share the liberties D1 and D2; whoever plays there is taken."""


def parse_rows(rows: Sequence[str]) -> tuple[int, int, tuple[int, ...]]:
    """Rows of signs as (number of rows, number of columns, stones row by row from the top left)."""
    tight = [row.replace(" ", "") for row in rows if row.strip()]
    if len({len(row) for row in tight}) != 1:
        raise ValueError(f"the rows of a diagram must be equally long, got lengths {[len(row) for row in tight]}")
    return len(tight), len(tight[0]), tuple(SIGNS.index(sign) for row in tight for sign in row)


def parse_diagram(text: str) -> tuple[int, int, tuple[int, ...]]:
    """A diagram of several lines, as `parse_rows`."""
    return parse_rows(text.splitlines())


def draw(stones: Sequence[int], cols: int) -> str:
    """Stones (0, 1, 2), row by row from the top left, as a diagram."""
    signs = "".join(SIGNS[stone] for stone in stones)
    return "\n".join(signs[start : start + cols] for start in range(0, len(signs), cols))


def vertex_to_point(vertex: str, rows: int, cols: int) -> int:
    """A vertex as GTP spells it (`C3`, `pass`) as a point; the tests' own reading, independent of the package's."""
    if vertex.lower() == "pass":
        return rows * cols
    return (rows - int(vertex[1:])) * cols + COLUMNS.index(vertex[0].upper())


def point_to_vertex(point: int, rows: int, cols: int) -> str:
    """The inverse of `vertex_to_point`."""
    if point == rows * cols:
        return "pass"
    row, col = divmod(point, cols)
    return f"{COLUMNS[col]}{rows - row}"
