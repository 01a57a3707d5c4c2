"""Compiled writing of feature planes from board records.

Kernels trust their callers: shapes, dtypes and a common board size are checked in the encoders. The bit boards of a
record number points as the planes do (row-major from the top left, no walls), so a plane is written straight through.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from move37._jit import kernel
from move37.rules.board_kernels import BLACK, HISTORY, Board, BoardArray

_COLOR_PLANE = 16
_WORD_BITS = 64


@kernel
def write_bits(words: NDArray[np.uint64], plane: NDArray[np.float32]) -> None:
    """Write the bit board `words` (uint64[6]) into `plane` (float32[H*W]) as zeros and ones."""
    points = plane.shape[0]
    for word in range((points + _WORD_BITS - 1) // _WORD_BITS):
        bits = words[word]
        start = word * _WORD_BITS
        for bit in range(min(_WORD_BITS, points - start)):
            plane[start + bit] = np.float32((bits >> np.uint64(bit)) & np.uint64(1))


@kernel
def write_zero17(board: Board, by_color: bool, planes: NDArray[np.float32]) -> None:
    """Write the 17 planes of one record into `planes` (float32[17, H*W]); order as said in `features.zero`."""
    first = BLACK if by_color else board["to_play"]
    for t in range(HISTORY):
        own, other = (t, HISTORY + t) if by_color else (2 * t, 2 * t + 1)
        if t < board["history_length"]:
            write_bits(board["history"][t, first - 1], planes[own])
            write_bits(board["history"][t, 2 - first], planes[other])
        else:
            planes[own] = np.float32(0.0)
            planes[other] = np.float32(0.0)
    planes[_COLOR_PLANE] = np.float32(1.0 if board["to_play"] == BLACK else 0.0)


@kernel
def write_zero17_batch(boards: BoardArray, planes: NDArray[np.float32]) -> None:
    """Write the planes of `boards` (BOARD[B], one size) into `planes` (float32[B, 17, H*W]), own stones first."""
    for i in range(boards.shape[0]):
        write_zero17(boards[i], False, planes[i])


@kernel
def write_article17_batch(boards: BoardArray, planes: NDArray[np.float32]) -> None:
    """The same with Black's stones first."""
    for i in range(boards.shape[0]):
        write_zero17(boards[i], True, planes[i])
