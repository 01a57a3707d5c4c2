"""What a person gives as the value of a property that holds points, as the raw value that SGF wants.

The way back of `properties.parse_point_list`. A point may be an int, a GTP vertex (``C3``) or an SGF point (``cg``):
vertices have digits and SGF points have none, so they cannot be taken for each other. What is no point of the board is
an error that names the property and the value, so that nothing else gets into a file.
"""

from __future__ import annotations

import operator

from move37.errors import SgfError, VertexError
from move37.rules import coordinates
from move37.sgf import properties

_PAIRS = frozenset({"AR", "LN"})
_WANTED = {
    **dict.fromkeys(properties.POINT_LISTS, "a point such as 'C3' or 'cg', or two corners such as 'A1:C3'"),
    **dict.fromkeys(_PAIRS, "two points such as 'A1:C3'"),
    "LB": "a point and a text such as 'C3:text'",
}
_USUAL = "a point such as 'C3' or 'cg', or 'pass'"


def point_value(name: str, value: str | int, rows: int, cols: int) -> str:
    r"""The raw value of one of `properties.POINTS` on a board; `VertexError` if the value does not fit the property.

    Moves take a point or a pass (``pass`` or empty), lists a point or a rectangle by two corners, arrows and lines two
    points, labels a point and a text. Rectangles, pairs and labels have a colon in the middle. Beyond 19 lines there
    are no vertices.

    >>> point_value("TR", "C3", 9, 9), point_value("AB", "A1:cg", 9, 9), point_value("LB", "E5:[a]", 9, 9)
    ('cg', 'ai:cg', 'ee:[a\\]')
    """
    try:
        return _raw(name, value, rows, cols)
    except VertexError as error:
        wanted = _WANTED.get(name, _USUAL)
        raise VertexError(f"{name} cannot be {value!r:.60} on a {rows}x{cols} board: give {wanted}.") from error


def point_of(value: str | int, rows: int, cols: int) -> int:
    """The point of an int, a vertex or an SGF point, rows · cols for a pass; `VertexError` for anything else."""
    if not isinstance(value, str):
        return coordinates.check_move(operator.index(value), rows, cols)
    if value.strip().lower() == "pass":
        return rows * cols
    if not any(sign.isdigit() for sign in value):
        return coordinates.parse_sgf(value, rows, cols)
    if max(rows, cols) > coordinates.MAX_SIDE:
        raise SgfError(f"Vertices such as {value!r:.20} name points up to 19x19: give the point as a number.")
    return coordinates.parse_vertex(value, rows, cols)


def _raw(name: str, value: str | int, rows: int, cols: int) -> str:
    first, colon, second = value.partition(":") if isinstance(value, str) else (value, "", "")
    if name == "LB":
        start = _stone(first if colon else "", rows, cols)
        return f"{start}:{properties.escape_text(second, composed=True)}"
    if name in _PAIRS or (colon and name in properties.POINT_LISTS):
        return f"{_stone(first, rows, cols)}:{_stone(second, rows, cols)}"
    if name in properties.MAY_BE_EMPTY and value == "":
        return ""
    if name in properties.POINT_LISTS:
        return _stone(value, rows, cols)
    return coordinates.format_sgf(point_of(value, rows, cols), rows, cols)


def _stone(value: str | int, rows: int, cols: int) -> str:
    """The SGF letters of a point that is no pass."""
    point = point_of(value, rows, cols)
    if point == rows * cols:
        raise VertexError("A pass is no point of the board.")
    return coordinates.format_sgf(point, rows, cols)
