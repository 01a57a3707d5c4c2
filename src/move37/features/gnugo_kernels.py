"""Compiled writing of hand-made point features; which plane means what is said in ``features.gnugo``.

Kernels trust their callers: shapes, dtypes and a common board size are checked in the encoders.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from move37._jit import kernel
from move37.features.alphago_kernels import GROUP, mark_number
from move37.features.article_kernels import write_lines
from move37.features.outcome_kernels import OUTCOMES, Outcomes, write_outcomes
from move37.features.pattern_kernels import FAMILIES, shape_families
from move37.features.plane_kernels import write_bits
from move37.rules.board_kernels import BOARD, EMPTY, STRIDE, WALL, Board, BoardArray, cell_of, place_stone
from move37.rules.eye_kernels import is_own_eye

CAPTURE: Final = 2
CONNECT: Final = 3
EYE: Final = 4
LIBERTIES_AFTER: Final = 5
ENEMY_LIBERTIES: Final = 13
LINES: Final = 21
SHAPES: Final = 25
PLANES: Final = SHAPES + len(FAMILIES)

_ONE = np.float32(1.0)
_ZERO = np.float32(0.0)


@kernel
def _looks_around(board: Board, cell: int, color: int) -> tuple[int, int]:
    """How many chains of ``color`` an empty cell touches; the fewest liberties of an enemy chain there (0: none)."""
    stones, root = board["stones"], board["root"]
    friends = fewest = 0
    first = second = third = 0
    for direction in (-STRIDE, -1, 1, STRIDE):
        beside = cell + direction
        occupant = stones[beside]
        chain = root[beside]
        if occupant in (EMPTY, WALL) or chain in (first, second, third):
            continue
        third = second
        second = first
        first = chain
        if occupant == color:
            friends += 1
        elif fewest == 0 or board["liberties"][chain] < fewest:
            fewest = int(board["liberties"][chain])
    return friends, fewest


@kernel
def _makes_eye(board: Board, trial: BoardArray, cell: int, color: int) -> bool:
    """Whether a stone on ``cell`` makes a point beside it an own eye that was none; ``trial: BOARD[1]`` is scratch."""
    trial[0] = board
    captured, _, _ = place_stone(trial[0], cell, color)
    if captured < 0:
        return False
    for direction in (-STRIDE, -1, 1, STRIDE):
        beside = cell + direction
        if trial[0]["stones"][beside] != EMPTY or not is_own_eye(trial[0], beside, color):
            continue
        if board["stones"][beside] != EMPTY or not is_own_eye(board, beside, color):
            return True
    return False


@kernel
def _write_move(board: Board, trial: BoardArray, work: Outcomes, point: int, planes: NDArray[np.float32]) -> None:
    """The planes of one legal move."""
    color = board["to_play"]
    cell = cell_of(point, board["cols"])
    friends, fewest = _looks_around(board, cell, color)
    if work["captured"][point] > 0:
        planes[CAPTURE, point] = _ONE
    if friends >= 2 and work["liberties"][point] > 0:
        planes[CONNECT, point] = _ONE
    if _makes_eye(board, trial, cell, color):
        planes[EYE, point] = _ONE
    mark_number(planes, LIBERTIES_AFTER, work["liberties"][point], GROUP, point)
    mark_number(planes, ENEMY_LIBERTIES, fewest, GROUP, point)
    families = shape_families(board, cell)
    for family in range(len(FAMILIES)):
        if families >> family & 1:
            planes[SHAPES + family, point] = _ONE


@kernel
def write_gnugo_batch(boards: BoardArray, planes: NDArray[np.float32]) -> None:
    """Write the planes of ``boards`` (BOARD[B], one size) into ``planes`` (float32[B, 28, H*W])."""
    work = np.zeros(1, OUTCOMES)
    trial = np.empty(1, BOARD)
    for i in range(boards.shape[0]):
        board, out = boards[i], planes[i]
        color = board["to_play"]
        out[:, :] = _ZERO
        write_bits(board["history"][0, color - 1], out[0])
        write_bits(board["history"][0, 2 - color], out[1])
        write_outcomes(board, color, work[0])
        for point in range(out.shape[1]):
            if work[0]["puts"][point]:
                _write_move(board, trial, work[0], point, out)
        write_lines(board["rows"], board["cols"], out[LINES:SHAPES])
