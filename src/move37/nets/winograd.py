"""Winograd's convolution as matrices: how filters are prepared, and which tile suits a board.

The transforms that run for every position are kernels (`winograd_kernels`); their matrices stand here too, made from
the same points, so that a test can compare. For m outputs in a line, ``y = A.T @ ((G @ filter) * (B.T @ inputs))``.
"""

from __future__ import annotations

import numpy as np
from numpy.polynomial import polynomial
from numpy.typing import NDArray

from move37.nets.matmul_kernels import ROWS

POINTS = (0, 1, -1, 2, -2)
TILES = (4, 3)
"""Outputs of a tile in a line, m. Larger tiles lose too many digits in float32."""


def matrices(tile: int) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """``A.T`` [m, m + 2], ``G`` [m + 2, 3] and ``B.T`` [m + 2, m + 2] for tiles of m = ``tile`` outputs.

    Rows of ``B.T`` are the coefficients of the product of (x - p) over all other points p; the last is over all points.
    """
    points = np.array(POINTS[: tile + 1], np.float64)
    size = tile + 2
    powers = points[:, None] ** np.arange(max(size, 3))
    back = np.zeros((tile, size))
    back[:, :-1] = powers[:, :tile].T
    back[-1, -1] = 1.0
    spread = np.zeros((size, 3))
    inputs = np.zeros((size, size))
    for i, point in enumerate(points):
        others = np.delete(points, i)
        inputs[i, :-1] = polynomial.polyfromroots(others)
        spread[i] = powers[i, :3] / np.prod(point - others)
    inputs[-1] = polynomial.polyfromroots(points)
    spread[-1, -1] = 1.0
    return back, spread, inputs


@np.errstate(all="ignore")  # damaged weights are told by what they answer, in one sentence
def transformed(weight: NDArray[np.float32], tile: int) -> NDArray[np.float32]:
    """Filters float32[filters, channels, 3, 3] as their values float32[(m + 2)^2, channels, filters]."""
    _, spread, _ = matrices(tile)
    values: NDArray[np.float64] = np.einsum(
        "ia,fcab,jb->ijcf", spread, weight.astype(np.float64), spread, optimize=True
    )
    return values.reshape(-1, weight.shape[1], weight.shape[0]).astype(np.float32)


def tiles_on(rows: int, cols: int, tile: int) -> tuple[int, int]:
    """How many tiles a board of ``rows`` x ``cols`` needs down and across."""
    return -(-rows // tile), -(-cols // tile)


def padded(count: int) -> int:
    """``count`` rows of a matrix as the multiple of ROWS that the products work on."""
    return -(-count // ROWS) * ROWS


def best_tile(rows: int, cols: int) -> int:
    """The tile with the fewest products on a board: 4 on 19x19, 3 on 9x9 and 13x13."""

    def products(tile: int) -> int:
        down, across = tiles_on(rows, cols, tile)
        return padded(down * across) * (tile + 2) ** 2

    return min(TILES, key=products)
