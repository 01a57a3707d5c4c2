"""Compiled writing of the 2016 paper's planes; which plane means what is said in ``features.alphago``.

Kernels trust their callers: shapes, dtypes and a common board size are checked in the encoders.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from move37._jit import kernel
from move37.features.outcome_kernels import OUTCOMES, Outcomes, write_outcomes
from move37.features.plane_kernels import write_bits
from move37.rules.board_kernels import BLACK, EMPTY, HISTORY, WORDS, Board, BoardArray, cell_of
from move37.rules.eye_kernels import is_own_eye
from move37.rules.ladder_kernels import LadderWork, ladder_work, write_escapes, write_laddered

GROUP: Final = 8
"""Planes of a number shown one-hot."""
STONES: Final = 0
ONES: Final = 3
TURNS_SINCE: Final = 4
LIBERTIES: Final = 12
CAPTURE_SIZE: Final = 20
SELF_ATARI_SIZE: Final = 28
LIBERTIES_AFTER: Final = 36
LADDER_CAPTURE: Final = 44
LADDER_ESCAPE: Final = 45
SENSIBLENESS: Final = 46
ZEROS: Final = 47
PLAYER_COLOR: Final = 48

_ONE = np.float32(1.0)
_ZERO = np.float32(0.0)
_BIT = np.uint64(1)
_NO_BITS = np.uint64(0)


@kernel
def write_stones(board: Board, first: int, planes: NDArray[np.float32]) -> None:
    """Write stones of the colour ``first``, of the other colour and empty points into ``planes`` (float32[3, H*W])."""
    write_bits(board["history"][0, first - 1], planes[0])
    write_bits(board["history"][0, 2 - first], planes[1])
    planes[2] = _ONE - planes[0] - planes[1]


@kernel
def _mark_bits(bits: np.uint64, start: int, plane: NDArray[np.float32]) -> None:
    """Write ones into ``plane`` at the points ``start`` + bit of the bits set."""
    point = start
    while bits != _NO_BITS:
        if bits & _BIT != _NO_BITS:
            plane[point] = _ONE
        bits >>= _BIT
        point += 1


@kernel
def write_turns_since(board: Board, planes: NDArray[np.float32]) -> None:
    """Mark in ``planes`` (float32[8, H*W], zeros) how many turns ago each stone was played."""
    history = board["history"]
    plies = min(board["history_length"], HISTORY)
    for color in range(2):
        for word in range(WORDS):
            standing = history[0, color, word]
            for ply in range(1, plies):
                before = history[ply, color, word]
                _mark_bits(standing & ~before, 64 * word, planes[ply - 1])
                standing &= before
            _mark_bits(standing, 64 * word, planes[GROUP - 1])


@kernel
def mark_number(planes: NDArray[np.float32], first: int, number: int, most: int, point: int) -> None:
    """Mark ``number`` one-hot from plane ``first`` on; ``most`` and more are one plane, and 0 has none."""
    if number > 0:
        planes[first + min(number, most) - 1, point] = _ONE


@kernel
def _write_point(board: Board, work: Outcomes, color: int, point: int, planes: NDArray[np.float32]) -> None:
    """The planes of one point that need neither history nor reading."""
    cell = cell_of(point, board["cols"])
    if board["stones"][cell] != EMPTY:
        mark_number(planes, LIBERTIES, board["liberties"][board["root"][cell]], GROUP, point)
    if work["legal"][point] and (board["stones"][cell] != EMPTY or not is_own_eye(board, cell, color)):
        planes[SENSIBLENESS, point] = _ONE
    if not work["puts"][point]:
        return
    liberties = work["liberties"][point]
    mark_number(planes, CAPTURE_SIZE, work["captured"][point] + 1, GROUP, point)
    mark_number(planes, LIBERTIES_AFTER, liberties, GROUP, point)
    if liberties <= 1:
        mark_number(planes, SELF_ATARI_SIZE, work["size"][point], GROUP, point)


@kernel
def _write_ladders(board: Board, work: Outcomes, reading: LadderWork, planes: NDArray[np.float32]) -> None:
    """Mark the moves of the player that capture and that escape in a ladder."""
    points = planes.shape[1]
    laddered, escapes = np.empty(points, np.bool_), np.empty(points, np.bool_)
    captures = np.empty((2, points), np.bool_)
    write_laddered(board, reading, laddered, captures)
    write_escapes(board, reading, board["to_play"], escapes)
    for point in range(points):
        if work["puts"][point]:
            planes[LADDER_CAPTURE, point] = captures[board["to_play"] - 1, point]
            planes[LADDER_ESCAPE, point] = escapes[point]


@kernel
def write_alphago(board: Board, work: Outcomes, reading: LadderWork, planes: NDArray[np.float32]) -> None:
    """Write the 48 planes of one record, or 49 with the player's colour, into ``planes`` (float32[C, H*W])."""
    color = board["to_play"]
    planes[:, :] = _ZERO
    write_stones(board, color, planes[STONES:ONES])
    planes[ONES] = _ONE
    write_turns_since(board, planes[TURNS_SINCE:LIBERTIES])
    write_outcomes(board, color, work)
    for point in range(planes.shape[1]):
        _write_point(board, work, color, point, planes)
    _write_ladders(board, work, reading, planes)
    if planes.shape[0] > PLAYER_COLOR and color == BLACK:
        planes[PLAYER_COLOR] = _ONE


@kernel
def write_alphago_batch(boards: BoardArray, planes: NDArray[np.float32]) -> None:
    """Write the planes of ``boards`` (BOARD[B], one size) into ``planes`` (float32[B, 48 or 49, H*W])."""
    work = np.zeros(1, OUTCOMES)
    reading = ladder_work()
    for i in range(boards.shape[0]):
        write_alphago(boards[i], work[0], reading, planes[i])
