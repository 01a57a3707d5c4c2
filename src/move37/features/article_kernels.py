"""Compiled writing of the planes of the articles' lists; which plane means what is said in ``features.article``.

Kernels trust their callers: shapes, dtypes and a common board size are checked in the encoders.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from move37._jit import kernel
from move37.features.alphago_kernels import write_stones
from move37.features.ladder_plane_kernels import write_ladder_planes
from move37.features.outcome_kernels import OUTCOMES, Outcomes, write_outcomes
from move37.features.plane_kernels import write_bits
from move37.rules.board_kernels import (
    BLACK,
    EMPTY,
    HISTORY,
    NO_POINT,
    STRIDE,
    Board,
    BoardArray,
    cell_of,
    liberty_status,
)
from move37.rules.ladder_kernels import ladder_work

EXACT: Final = 4
"""Liberties and stones in atari are told apart up to here by `article48`; more have no plane."""
EIGHT: Final = 8

# article48
_BLACK_HISTORY: Final = 3
_WHITE_HISTORY: Final = 11
_LIBERTIES: Final = 19
_ATARI: Final = 27
_LADDERS: Final = 35
_LEGAL: Final = 43
_LINES: Final = 44
PLANES_48: Final = 48

# article48_000
_OF_ONES: Final = 3
_OF_LIBERTIES: Final = 4
_OF_ENEMY_AFTER: Final = 12
_OF_LIBERTIES_AFTER: Final = 20
_OF_MOVES: Final = 28
_OF_LADDERS: Final = 36
_OF_SYMMETRY: Final = 44
_OF_TURN: Final = 47

_ONE = np.float32(1.0)
_ZERO = np.float32(0.0)


@kernel
def mark_exact(planes: NDArray[np.float32], first: int, number: int, most: int, point: int) -> None:
    """Mark ``number`` one-hot from plane ``first`` on if it is 1 to ``most``; any other number has no plane."""
    if 1 <= number <= most:
        planes[first + number - 1, point] = _ONE


@kernel
def write_lines(rows: int, cols: int, planes: NDArray[np.float32]) -> None:
    """Mark in ``planes`` (float32[4, H*W], zeros) the points on line 1, 2, 3 and 4 or deeper."""
    for row in range(rows):
        for col in range(cols):
            line = min(min(row, rows - 1 - row), min(col, cols - 1 - col))
            planes[min(line, 3), row * cols + col] = _ONE


@kernel
def fewest_enemy_liberties(board: Board, cell: int, color: int) -> int:
    """Liberties of the opponent's chain beside ``cell`` that has fewest, chains in atari left out; 0 if there is none.

    A stone of ``color`` on ``cell`` takes the chains in atari there, and a liberty from each of the others.
    """
    stones, root, liberties = board["stones"], board["root"], board["liberties"]
    fewest = 0
    for direction in (-STRIDE, -1, 1, STRIDE):
        beside = cell + direction
        if stones[beside] == 3 - color:
            count = liberties[root[beside]]
            if count > 1 and (fewest == 0 or count < fewest):
                fewest = count
    return int(fewest)


@kernel
def stones_put_into_atari(board: Board, cell: int, color: int) -> int:
    """How many of the opponent's stones beside ``cell`` have two liberties, one of which a move there takes."""
    stones, root, liberties = board["stones"], board["root"], board["liberties"]
    count = 0
    first = second = third = 0
    for direction in (-STRIDE, -1, 1, STRIDE):
        beside = cell + direction
        chain = root[beside]
        if stones[beside] != 3 - color or chain in (first, second, third):
            continue
        third = second
        second = first
        first = chain
        if liberties[chain] == 2:
            count += board["size"][chain]
    return count


@kernel
def _write_history(board: Board, planes: NDArray[np.float32]) -> None:
    """Write the last eight configurations of each colour; those before the record's first one stay zero."""
    for ply in range(min(board["history_length"], HISTORY)):
        write_bits(board["history"][ply, 0], planes[_BLACK_HISTORY + ply])
        write_bits(board["history"][ply, 1], planes[_WHITE_HISTORY + ply])


@kernel
def _write_point_48(board: Board, work: Outcomes, point: int, planes: NDArray[np.float32]) -> None:
    """The planes of `article48` for one point that need neither history nor reading."""
    color = board["to_play"]
    cell = cell_of(point, board["cols"])
    occupant = board["stones"][cell]
    if work["legal"][point]:
        planes[_LEGAL, point] = _ONE
    if occupant != EMPTY:
        first = _LIBERTIES + (0 if occupant == color else EXACT)
        mark_exact(planes, first, board["liberties"][board["root"][cell]], EXACT, point)
        return
    if work["puts"][point] and work["liberties"][point] > 0:
        mark_exact(planes, _ATARI, stones_put_into_atari(board, cell, color), EXACT, point)
    if liberty_status(board, cell, 3 - color) == 0:
        mark_exact(planes, _ATARI + EXACT, stones_put_into_atari(board, cell, 3 - color), EXACT, point)


@kernel
def write_article48_batch(boards: BoardArray, planes: NDArray[np.float32]) -> None:
    """Write the planes of ``boards`` (BOARD[B], one size) into ``planes`` (float32[B, 48, H*W])."""
    work = np.zeros(1, OUTCOMES)
    reading = ladder_work()
    for i in range(boards.shape[0]):
        board, out = boards[i], planes[i]
        out[:, :] = _ZERO
        write_stones(board, BLACK, out[:_BLACK_HISTORY])
        _write_history(board, out)
        write_outcomes(board, board["to_play"], work[0])
        for point in range(out.shape[1]):
            _write_point_48(board, work[0], point, out)
        write_ladder_planes(board, work[0], reading, out[_LADDERS:_LEGAL])
        write_lines(board["rows"], board["cols"], out[_LINES:])


# ---------------------------------------------------------------------------------------------------- article48_000


@kernel
def _write_point_000(board: Board, work: Outcomes, point: int, planes: NDArray[np.float32]) -> None:
    """The planes of `article48_000` for one point that need neither history nor reading."""
    cell = cell_of(point, board["cols"])
    if board["stones"][cell] != EMPTY:
        mark_exact(planes, _OF_LIBERTIES, board["liberties"][board["root"][cell]], EIGHT, point)
    elif work["puts"][point] and work["liberties"][point] > 0:
        enemy = fewest_enemy_liberties(board, cell, board["to_play"]) - 1
        mark_exact(planes, _OF_ENEMY_AFTER, enemy, EIGHT, point)
        mark_exact(planes, _OF_LIBERTIES_AFTER, work["liberties"][point], EIGHT, point)


@kernel
def _write_moves(board: Board, planes: NDArray[np.float32]) -> None:
    """Mark the last moves, at most eight, the oldest of them in the first plane of ``planes`` (float32[8, H*W])."""
    moves = board["last_moves"]
    known = 0
    while known < HISTORY and moves[known] != NO_POINT:
        known += 1
    for i in range(known):
        move = moves[known - 1 - i]
        if move < planes.shape[1]:
            planes[i, move] = _ONE


@kernel
def _write_symmetry(board: Board, planes: NDArray[np.float32]) -> None:
    """Mark in ``planes`` (float32[3, H*W], zeros) the points that equal their images, see `features.article`."""
    rows, cols = board["rows"], board["cols"]
    stones = board["stones"]
    for row in range(rows):
        for col in range(cols):
            point = row * cols + col
            up, left = (rows - 1 - row) * cols, cols - 1 - col
            here = stones[cell_of(point, cols)]
            if here == stones[cell_of(up + left, cols)]:
                planes[0, point] = _ONE
            if here == stones[cell_of(up + col, cols)] and here == stones[cell_of(row * cols + left, cols)]:
                planes[1, point] = _ONE
            if (
                rows == cols
                and here == stones[cell_of(col * cols + row, cols)]
                and here == stones[cell_of(left * cols + rows - 1 - row, cols)]
            ):
                planes[2, point] = _ONE


@kernel
def write_article48_000_batch(boards: BoardArray, planes: NDArray[np.float32]) -> None:
    """Write the planes of ``boards`` (BOARD[B], one size) into ``planes`` (float32[B, 48, H*W])."""
    work = np.zeros(1, OUTCOMES)
    reading = ladder_work()
    for i in range(boards.shape[0]):
        board, out = boards[i], planes[i]
        out[:, :] = _ZERO
        write_stones(board, BLACK, out[:_OF_ONES])
        out[_OF_ONES] = _ONE
        write_outcomes(board, board["to_play"], work[0])
        for point in range(out.shape[1]):
            _write_point_000(board, work[0], point, out)
        _write_moves(board, out[_OF_MOVES:_OF_LADDERS])
        write_ladder_planes(board, work[0], reading, out[_OF_LADDERS:_OF_SYMMETRY])
        _write_symmetry(board, out[_OF_SYMMETRY:_OF_TURN])
        if board["to_play"] == BLACK:
            out[_OF_TURN] = _ONE
