"""Points of the board and all their spellings.

A *point* is one int: row-major, counted from the **top left** corner; pass is the first int after the points. The
same two points of a 19×19 board in every spelling:

==================  ============  ============  =========================================================
spelling            upper right   lower left    note
==================  ============  ============  =========================================================
GTP vertex          ``Q16``       ``D4``        letters from the left **without I**; row 1 is at the bottom
SGF point           ``pd``        ``dp``        column letter, then row letter; ``a`` is the left, the top
(row, col)          (3, 15)       (15, 3)       from the top left, counted from 0: the index of an array
point               72            288           ``row * cols + col``
label in a matrix   row 3, 15     row 15, 3     the array ``[H, W]`` printed top row first
pass                ``pass``      361           GTP ``pass`` in any case; SGF empty, or ``tt`` up to 19×19
==================  ============  ============  =========================================================

The AlphaGo course that this package follows swaps rows and columns in its own examples: it sets ``board[3, 3]`` for
D4 (that is D16), ``board[15, 3]`` for Q16 (that is D4), and prints ``'D4' -> (3, 15)`` beside a function that rightly
returns (15, 3).

Boards have 1 to 19 rows and columns and need not be square; SGF's letters name points on up to 52, for records are read
beyond 19. Nothing here knows what stands on a point.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from numbers import Integral
from typing import Final

from move37.errors import RulesError, VertexError

MAX_SIDE: Final = 19
"""The longest side of a board."""

_LETTERS: Final = "ABCDEFGHJKLMNOPQRST"
_SGF_LETTERS: Final = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

MAX_SGF_SIDE: Final = len(_SGF_LETTERS)
"""The longest side of a board in a game record: SGF has no more letters."""


def check_size(rows: object, cols: object) -> None:
    """Raise `RulesError` unless both sides are ints from 1 to 19."""
    for side in (rows, cols):
        if isinstance(side, bool) or not isinstance(side, Integral) or not 1 <= int(side) <= MAX_SIDE:
            raise RulesError(
                f"A board of {rows!r} rows and {cols!r} columns is not possible: each side must be 1 to 19."
            )


def pass_point(rows: int, cols: int) -> int:
    """The int that means pass: the number of points.

    >>> pass_point(9, 9)
    81
    """
    return rows * cols


def column_letters(cols: int) -> str:
    """The column letters from the left, without I.

    >>> column_letters(9)
    'ABCDEFGHJ'
    """
    return _LETTERS[:cols]


def row_col(point: int, rows: int, cols: int) -> tuple[int, int]:
    """Row and column of a point, both from the top left, counted from 0; pass and others raise `VertexError`.

    >>> row_col(72, 19, 19)
    (3, 15)
    """
    if not 0 <= point < rows * cols:
        raise VertexError(
            f"{point} is no point of a {_size(rows, cols)} board: points run from 0 to {rows * cols - 1}."
        )
    return divmod(point, cols)


def point_at(row: int, col: int, rows: int, cols: int) -> int:
    """The point at a row and a column, both from the top left, counted from 0; `VertexError` off the board."""
    if not (0 <= row < rows and 0 <= col < cols):
        raise VertexError(
            f"({row}, {col}) is off a {_size(rows, cols)} board: "
            f"(row, col) runs from (0, 0) to ({rows - 1}, {cols - 1})."
        )
    return row * cols + col


def check_move(move: int, rows: int, cols: int) -> int:
    """Give back ``move`` if it is a point of the board or pass, else raise `VertexError`."""
    if not 0 <= move <= rows * cols:
        raise VertexError(
            f"{move} is no move on a {_size(rows, cols)} board: "
            f"moves run from 0 to {rows * cols - 1}, pass is {rows * cols}."
        )
    return move


def parse_vertex(text: str, rows: int, cols: int) -> int:
    """Read a GTP vertex (``Q16``, ``pass``, any case) and give its point; `VertexError` if it is not on this board.

    >>> parse_vertex("q16", 19, 19), parse_vertex("PASS", 9, 9)
    (72, 81)
    """
    name = text.strip().upper()
    if name == "PASS":
        return rows * cols
    col = _LETTERS.find(name[:1]) if name else -1
    digits = name[1:]
    if 0 <= col < cols and digits.isascii() and digits.isdigit() and len(digits) <= 2 and 1 <= int(digits) <= rows:
        return (rows - int(digits)) * cols + col
    raise VertexError(
        f"{text!r} is not a point of a {_size(rows, cols)} board: "
        f"points run from A1 to {_LETTERS[cols - 1]}{rows} without the letter I, or 'pass'."
    )


def format_vertex(point: int, rows: int, cols: int) -> str:
    """Write a point as a GTP vertex, pass as ``pass``; `VertexError` for any other int.

    >>> format_vertex(72, 19, 19), format_vertex(81, 9, 9)
    ('Q16', 'pass')
    """
    if check_move(point, rows, cols) == rows * cols:
        return "pass"
    row, col = divmod(point, cols)
    return f"{_LETTERS[col]}{rows - row}"


@lru_cache(maxsize=64)
def sgf_points(rows: int, cols: int) -> Mapping[str, int]:
    """The point of every SGF spelling on a board up to 52x52, pass included: for those who read thousands of games."""
    table = {_SGF_LETTERS[col] + _SGF_LETTERS[row]: row * cols + col for row in range(rows) for col in range(cols)}
    table[""] = rows * cols
    if max(rows, cols) <= MAX_SIDE:
        table["tt"] = rows * cols
    return table


def parse_sgf(text: str, rows: int, cols: int) -> int:
    """Read an SGF move or point and give its point on a board up to 52x52; `VertexError` if it is not on this board.

    Empty is pass, and ``tt`` up to 19x19. Blanks are skipped; capitals are read as small letters where the board has no
    lines for them.

    >>> parse_sgf("pd", 19, 19), parse_sgf("", 9, 9), parse_sgf("tt", 9, 9), parse_sgf(" P d", 19, 19)
    (72, 81, 81, 72)
    """
    table = sgf_points(rows, cols)
    point = table.get(text)
    if point is None:
        name = "".join(text.split())
        point = table.get(name)
        if point is None and max(rows, cols) <= MAX_SGF_SIDE // 2:
            point = table.get(name.lower())
    if point is not None:
        return point
    last = _SGF_LETTERS[cols - 1] + _SGF_LETTERS[rows - 1]
    raise VertexError(
        f"SGF point {text[:20]!r} is not on a {_size(rows, cols)} board: "
        f"points run from 'aa' to {last!r}, or '' for pass."
    )


def format_sgf(point: int, rows: int, cols: int) -> str:
    """Write a point of a board up to 52x52 as in SGF, pass as the empty text; `VertexError` for any other int.

    >>> format_sgf(72, 19, 19), format_sgf(81, 9, 9)
    ('pd', '')
    """
    if check_move(point, rows, cols) == rows * cols:
        return ""
    row, col = divmod(point, cols)
    return _SGF_LETTERS[col] + _SGF_LETTERS[row]


def _size(rows: int, cols: int) -> str:
    return f"{rows}x{cols}"
