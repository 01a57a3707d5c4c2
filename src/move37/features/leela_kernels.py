"""Compiled writing of Leela Zero's planes from board records; the meaning of the planes is said in `features.leela`."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from move37._jit import kernel
from move37.features.plane_kernels import write_bits
from move37.rules.board_kernels import BLACK, HISTORY, Board, BoardArray


@kernel
def write_leela18(board: Board, planes: NDArray[np.float32]) -> None:
    """Write the 18 planes of one record into `planes` (float32[18, H*W])."""
    own = board["to_play"] - 1
    for t in range(HISTORY):
        if t < board["history_length"]:
            write_bits(board["history"][t, own], planes[t])
            write_bits(board["history"][t, 1 - own], planes[HISTORY + t])
        else:
            planes[t] = np.float32(0.0)
            planes[HISTORY + t] = np.float32(0.0)
    black = np.float32(1.0 if board["to_play"] == BLACK else 0.0)
    planes[2 * HISTORY] = black
    planes[2 * HISTORY + 1] = np.float32(1.0) - black


@kernel
def write_leela18_batch(boards: BoardArray, planes: NDArray[np.float32]) -> None:
    """Write the planes of `boards` (BOARD[B], one size) into `planes` (float32[B, 18, H*W])."""
    for i in range(boards.shape[0]):
        write_leela18(boards[i], planes[i])
