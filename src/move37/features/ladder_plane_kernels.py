"""Compiled writing of the four ladder planes of each side which the articles' lists ask for.

What a ladder is, and how it is read, is said in `rules.ladder_search_kernels`. Kernels trust their callers.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from move37._jit import kernel
from move37.features.outcome_kernels import Outcomes
from move37.rules.board_kernels import Board, cell_of
from move37.rules.ladder_breaker_kernels import write_breakers
from move37.rules.ladder_kernels import LadderWork, write_escapes, write_laddered

CAPTURES: Final = 0
ESCAPES: Final = 1
CAUGHT: Final = 2
BREAKERS: Final = 3
A_SIDE: Final = 4
"""Planes of a side."""

_ONE = np.float32(1.0)


@kernel
def _mark(mask: NDArray[np.bool_], plane: NDArray[np.float32]) -> None:
    """Add the points of a mask to a plane."""
    for point in range(mask.shape[0]):
        if mask[point]:
            plane[point] = _ONE


@kernel
def _write_caught(
    board: Board, reading: LadderWork, laddered: NDArray[np.bool_], color: int, planes: NDArray[np.float32]
) -> None:
    """Mark the caught stones of a colour and what would break their ladders."""
    breakers = np.empty(laddered.shape[0], np.bool_)
    for point in range(laddered.shape[0]):
        cell = cell_of(point, board["cols"])
        if not laddered[point] or board["stones"][cell] != color:
            continue
        planes[CAUGHT, point] = _ONE
        if board["root"][cell] == cell:
            write_breakers(board, reading, point, breakers)
            _mark(breakers, planes[BREAKERS])


@kernel
def write_ladder_planes(board: Board, work: Outcomes, reading: LadderWork, planes: NDArray[np.float32]) -> None:
    """Mark the ladders of the player to move and then of the opponent in ``planes`` (float32[8, H*W], zeros).

    ``work`` holds the outcomes of the player's moves.
    """
    points = planes.shape[1]
    player = int(board["to_play"])
    laddered, escapes = np.empty(points, np.bool_), np.empty(points, np.bool_)
    captures = np.empty((2, points), np.bool_)
    write_laddered(board, reading, laddered, captures)
    for side in range(2):
        color = player if side == 0 else 3 - player
        own = planes[side * A_SIDE : (side + 1) * A_SIDE]
        write_escapes(board, reading, color, escapes)
        if side == 0:
            for point in range(points):
                captures[color - 1, point] &= work["puts"][point] != 0
                escapes[point] &= work["puts"][point] != 0
        _mark(captures[color - 1], own[CAPTURES])
        _mark(escapes, own[ESCAPES])
        _write_caught(board, reading, laddered, color, own)
