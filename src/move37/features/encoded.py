"""What every encoder returns, and the checks every encoder makes on its input.

No encoder lives here: one file each, beside this one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from move37.rules.board_kernels import BOARD, MAX_SIDE


@dataclass(frozen=True, slots=True, eq=False)
class Encoded:
    """Network inputs of B positions of one board size.

    `spatial`: float32[B, C, H, W], row 0 at the top, column 0 at the left.
    `globals`: float32[B, G]; G is 0 for encoders without global inputs.
    """

    spatial: NDArray[np.float32]
    globals: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.spatial)


def common_size(boards: NDArray[Any]) -> tuple[int, int]:
    """Rows and columns shared by all of `boards` (BOARD[B], B >= 1); ValueError if they differ or there is none."""
    if boards.dtype != BOARD or boards.ndim != 1:
        raise ValueError(
            f"Positions are an array BOARD[B] of records, not {boards.ndim}-dimensional {boards.dtype.kind!r}."
        )
    if len(boards) == 0:
        raise ValueError("There are no positions to encode; pass at least one.")
    rows, cols = boards["rows"], boards["cols"]
    if np.any(rows != rows[0]) or np.any(cols != cols[0]):
        sizes = sorted({f"{r}x{c}" for r, c in zip(rows.tolist(), cols.tolist(), strict=True)})
        raise ValueError(f"A batch has one board size, but this one holds {', '.join(sizes)}; group positions by size.")
    if not (1 <= rows[0] <= MAX_SIDE and 1 <= cols[0] <= MAX_SIDE):
        raise ValueError(f"A board of {rows[0]}x{cols[0]} is none; records come from positions or from reset().")
    return int(rows[0]), int(cols[0])


def plane_buffer(out: NDArray[np.float32] | None, shape: tuple[int, int, int, int]) -> NDArray[np.float32]:
    """`out` if it fits `shape` (float32, C-contiguous), a new array if `out` is None, else ValueError."""
    if out is None:
        return np.empty(shape, dtype=np.float32)
    if out.shape != shape or out.dtype != np.float32 or not out.flags.c_contiguous:
        raise ValueError(f"out must be a C-contiguous float32 array of shape {shape}, not {out.dtype}{out.shape}.")
    return out
