"""Where handicap stones go.

The fixed places and their order are those of the Go Text Protocol, version 2, section 4.1.1: corners, then the sides,
the centre with every odd number from five; on the fourth line from 13 lines on, on the third below. GTP speaks of
square boards; on others each direction uses its own line.
"""

from __future__ import annotations

from typing import Final

from move37.errors import SetupError
from move37.rules.coordinates import point_at

_SPOTS: Final = {
    "lower left": (2, 0),
    "upper right": (0, 2),
    "upper left": (0, 0),
    "lower right": (2, 2),
    "left": (1, 0),
    "right": (1, 2),
    "bottom": (2, 1),
    "top": (0, 1),
    "centre": (1, 1),
}
_ORDER: Final = tuple(spot for spot in _SPOTS if spot != "centre")


def largest_fixed_handicap(rows: int, cols: int) -> int:
    """The most stones with a fixed place: 9, or 4 if a side is even or 7 long, or 0 if one is shorter than 7.

    >>> largest_fixed_handicap(19, 19), largest_fixed_handicap(8, 8), largest_fixed_handicap(5, 5)
    (9, 4, 0)
    """
    if min(rows, cols) < 7:
        return 0
    return 9 if rows % 2 == 1 and cols % 2 == 1 and min(rows, cols) >= 9 else 4


def fixed_handicap_points(stones: int, rows: int, cols: int) -> list[int]:
    """The points of a fixed handicap of 2 to 9 stones in GTP's order; `SetupError` if there are no such places."""
    most = largest_fixed_handicap(rows, cols)
    if most == 0:
        raise SetupError(f"A {rows}x{cols} board has no fixed handicap places: place the stones freely.")
    if not 2 <= stones <= most:
        raise SetupError(f"A fixed handicap on {rows}x{cols} has 2 to {most} stones, not {stones}.")
    centre = stones >= 5 and stones % 2 == 1
    spots = [*_ORDER[: stones - centre], *(["centre"] if centre else [])]
    return [_place(*_SPOTS[spot], rows, cols) for spot in spots]


def star_points(rows: int, cols: int) -> list[int]:
    """The marked points of a board (*hoshi*): corners, on odd boards the centre, from 13 lines on also the sides."""
    most = largest_fixed_handicap(rows, cols)
    points = {_place(*spot, rows, cols) for spot in list(_SPOTS.values())[:4]} if most else set[int]()
    if most == 9 and min(rows, cols) >= 13:
        points |= {_place(*spot, rows, cols) for spot in _SPOTS.values()}
    if rows % 2 == 1 and cols % 2 == 1 and min(rows, cols) >= 5:
        points.add((rows // 2) * cols + cols // 2)
    return sorted(points)


def _place(third_row: int, third_col: int, rows: int, cols: int) -> int:
    return point_at(_line(third_row, rows), _line(third_col, cols), rows, cols)


def _line(third: int, side: int) -> int:
    """The index of the near line (0), the middle (1) or the far line (2) of a side."""
    edge = 3 if side >= 13 else 2
    return (edge, side // 2, side - 1 - edge)[third]
