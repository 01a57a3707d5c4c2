"""Which moves do a player no harm by themselves: own eyes and moves that only put a chain into atari are found here.

No search and no knowledge of life and death: a move that passes these tests may still be bad, but it cannot by itself
lose stones at once. Used where a player must move on although it would rather pass, and by the random player.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from move37._jit import kernel
from move37.rules.board_kernels import BOARD, EMPTY, BoardArray, cell_of, copy_board, legal_mask, play
from move37.rules.eye_kernels import is_own_eye


@kernel
def eye_filling_mask(boards: BoardArray, color: int, out: NDArray[np.bool_]) -> None:
    """Write `out: bool[A]` for the record `boards[0]`: True where a stone of `color` fills an eye of its own."""
    board = boards[0]
    out[-1] = False
    for point in range(out.shape[0] - 1):
        cell = cell_of(point, board["cols"])
        out[point] = board["stones"][cell] == EMPTY and is_own_eye(board, cell, color)


@kernel
def safe_mask(boards: BoardArray, color: int, out: NDArray[np.bool_]) -> int:
    """Write `out: bool[A]` for the record `boards[0]`: True where `color` can safely move; return how many.

    Such a move is legal, fills no own eye, and captures or leaves its own chain at least two liberties. Never pass.
    Superko bans are taken as written in the record.
    """
    eyes = np.empty(out.shape[0], np.bool_)
    eye_filling_mask(boards, color, eyes)
    legal_mask(boards[0], color, out)
    out[-1] = False
    trial = np.empty(1, BOARD)
    count = 0
    for point in range(out.shape[0] - 1):
        if not out[point]:
            continue
        copy_board(trial, 0, boards, 0)
        captured = play(trial[0], point, color)
        liberties = trial[0]["liberties"][trial[0]["root"][cell_of(point, boards[0]["cols"])]]
        out[point] = not eyes[point] and (captured > 0 or (captured == 0 and liberties >= 2))
        count += out[point]
    return count
