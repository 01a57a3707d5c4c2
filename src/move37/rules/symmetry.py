"""The eight symmetries of the board, on points, planes and policies.

A symmetry is an int from 0 to 7, numbered as KataGo numbers them: bit 0 flips the rows, bit 1 flips the columns, bit
2 transposes; the flips come first. With (r, c) a row and a column of an n×n board and m = n - 1:

===  ===============================  ===================  =======
s    what it does                     (r, c) goes to       inverse
===  ===============================  ===================  =======
0    nothing                          (r, c)               0
1    top and bottom change places     (m - r, c)           1
2    left and right change places     (r, m - c)           2
3    half a turn                      (m - r, m - c)       3
4    rows and columns change places   (c, r)               4
5    a quarter turn clockwise         (c, m - r)           6
6    a quarter turn anticlockwise     (m - c, r)           5
7    the other diagonal               (m - c, m - r)       7
===  ===============================  ===================  =======

A board that is not square keeps its shape only under 0 to 3. Pass stays pass.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final, TypeVar

import numpy as np
from numpy.typing import NDArray

SYMMETRIES: Final = (0, 1, 2, 3, 4, 5, 6, 7)
"""All symmetries of a square board."""

FLIP_ROWS: Final = 1
FLIP_COLUMNS: Final = 2
TRANSPOSE: Final = 4

_Scalar = TypeVar("_Scalar", bound=np.generic)


def allowed(rows: int, cols: int) -> tuple[int, ...]:
    """The symmetries that keep the shape of a board: eight if it is square, else four."""
    return SYMMETRIES if rows == cols else SYMMETRIES[:4]


def inverse(symmetry: int) -> int:
    """The symmetry that undoes this one.

    >>> [inverse(s) for s in SYMMETRIES]
    [0, 1, 2, 3, 4, 6, 5, 7]
    """
    return {5: 6, 6: 5}.get(symmetry, symmetry)


def compose(first: int, then: int) -> int:
    """The one symmetry that does ``first`` and afterwards ``then``."""
    flips = then & 3
    if first & TRANSPOSE:  # a flip of rows after transposing is a flip of columns before it
        flips = (flips >> 1) | ((flips & 1) << 1)
    return ((first ^ then) & TRANSPOSE) | ((first & 3) ^ flips)


def point(symmetry: int, point: int, rows: int, cols: int) -> int:
    """Where a point goes; pass (rows · cols) stays.

    >>> point(5, 0, 9, 9)  # the upper left corner turns to the upper right
    8
    """
    _check(symmetry, rows, cols)
    if point == rows * cols:
        return point
    row, col = divmod(point, cols)
    if symmetry & FLIP_ROWS:
        row = rows - 1 - row
    if symmetry & FLIP_COLUMNS:
        col = cols - 1 - col
    return (col * cols + row) if symmetry & TRANSPOSE else (row * cols + col)


def apply(symmetry: int, planes: NDArray[_Scalar]) -> NDArray[_Scalar]:
    """Turn boards or planes ``[..., H, W]``: a view of the same shape and dtype, no copy."""
    _check(symmetry, planes.shape[-2], planes.shape[-1])
    turned = planes
    if symmetry & FLIP_ROWS:
        turned = turned[..., ::-1, :]
    if symmetry & FLIP_COLUMNS:
        turned = turned[..., ::-1]
    return turned.swapaxes(-1, -2) if symmetry & TRANSPOSE else turned


@lru_cache(maxsize=512)
def permutation(symmetry: int, rows: int, cols: int) -> NDArray[np.intp]:
    """How policies turn: ``intp[A]`` (read only) with ``turned = policy[..., permutation]``.

    If ``policy`` belongs to a board, ``turned`` belongs to ``apply(symmetry, board)``: the entry of `point` (p) is
    that of p before.
    """
    _check(symmetry, rows, cols)
    grid = np.arange(rows * cols, dtype=np.intp).reshape(rows, cols)
    order = np.append(apply(symmetry, grid).ravel(), rows * cols)
    order.flags.writeable = False
    return order


def apply_policy(symmetry: int, policies: NDArray[_Scalar], rows: int, cols: int) -> NDArray[_Scalar]:
    """Turn policies ``[..., A]``, pass last; a new array. ``apply_policy(inverse(s), …)`` turns them back."""
    if policies.shape[-1] != rows * cols + 1:
        raise ValueError(
            f"A policy for {rows}x{cols} has {rows * cols + 1} entries, but this one has {policies.shape[-1]}."
        )
    turned: NDArray[Any] = policies[..., permutation(symmetry, rows, cols)]
    return turned


def _check(symmetry: int, rows: int, cols: int) -> None:
    if symmetry not in SYMMETRIES:
        raise ValueError(f"There is no symmetry {symmetry}: they are numbered 0 to 7.")
    if symmetry & TRANSPOSE and rows != cols:
        raise ValueError(f"Symmetry {symmetry} does not keep the shape of a {rows}x{cols} board: use 0 to 3.")
