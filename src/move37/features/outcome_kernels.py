"""What each move would do, found without playing it: stones taken, the chain it makes, the liberties of that chain.

Several encoders show these numbers; each reads them from one record ``OUTCOMES`` that is filled once a position. It
does not know planes, ladders or what comes after the move.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from move37._jit import kernel
from move37.rules.board_kernels import (
    CELLS,
    EMPTY,
    MAX_SIDE,
    NO_POINT,
    STRIDE,
    WALL,
    Board,
    cell_of,
    legal_mask,
    unblocked_by,
)

POINTS: Final = MAX_SIDE * MAX_SIDE
ENOUGH_LIBERTIES: Final = 9
"""Liberties after a move are counted up to here: no plane tells nine from more."""

OUTCOMES: Final = np.dtype(
    [
        ("legal", np.int8, (POINTS,)),  # 1: the player may choose the point
        ("puts", np.int8, (POINTS,)),  # 1: that puts a stone, which lifting a ko-recapture block does not
        ("captured", np.int16, (POINTS,)),  # the opponent's stones it takes
        ("size", np.int16, (POINTS,)),  # stones of the chain it makes, the new one among them; of suicide too
        ("liberties", np.int16, (POINTS,)),  # of that chain, after the captures, up to ENOUGH_LIBERTIES; 0 of suicide
        ("seen", np.int32, (CELLS,)),  # the last move for which a cell was counted, or a chain by its root
        ("taken", np.int32, (CELLS,)),  # the last move that takes the chain with this root
        ("stamp", np.int32),  # the number of the move at hand
    ],
    align=True,
)
"""Scratch of `write_outcomes`, all zeros before its first use; the numbers mean something only where ``puts`` is 1."""

Outcomes = Any
"""One record of dtype ``OUTCOMES``, as ``work[0]`` gives it."""


@kernel
def _is_new_liberty(board: Board, work: Outcomes, cell: int, stamp: int) -> bool:
    """Whether ``cell`` is empty after the move ``stamp`` and was not counted for it; from now on it is."""
    if work["seen"][cell] == stamp:
        return False
    if board["stones"][cell] != EMPTY and work["taken"][board["root"][cell]] != stamp:
        return False
    work["seen"][cell] = stamp
    return True


@kernel
def _count_chain(board: Board, work: Outcomes, chain: int, stamp: int, count: int) -> int:
    """``count`` plus the liberties of a chain that are not counted yet, up to ENOUGH_LIBERTIES."""
    stone = chain
    while count < ENOUGH_LIBERTIES:
        for direction in (-STRIDE, -1, 1, STRIDE):
            count += _is_new_liberty(board, work, stone + direction, stamp)
        stone = board["next_stone"][stone]
        if stone == chain:
            break
    return min(count, ENOUGH_LIBERTIES)


@kernel
def _walked_liberties(board: Board, work: Outcomes, cell: int, color: int) -> int:
    """Liberties of the chain that a stone of ``color`` on ``cell`` makes, counted one by one up to ENOUGH_LIBERTIES."""
    stones, root = board["stones"], board["root"]
    work["stamp"] += 1
    stamp = work["stamp"]
    work["seen"][cell] = stamp
    for direction in (-STRIDE, -1, 1, STRIDE):
        beside = cell + direction
        if stones[beside] == 3 - color and board["liberties"][root[beside]] == 1:
            work["taken"][root[beside]] = stamp
    count = 0
    for direction in (-STRIDE, -1, 1, STRIDE):
        beside = cell + direction
        if stones[beside] != color:
            count += _is_new_liberty(board, work, beside, stamp)
        elif work["seen"][root[beside]] != stamp:
            work["seen"][root[beside]] = stamp
            count = _count_chain(board, work, root[beside], stamp, count)
    return min(count, ENOUGH_LIBERTIES)


@kernel
def _extended_liberties(board: Board, cell: int, chain: int) -> int:
    """Liberties of ``chain`` after a stone on ``cell`` that takes nothing and touches no other chain of its colour."""
    stones, root = board["stones"], board["root"]
    count = board["liberties"][chain] - 1
    for direction in (-STRIDE, -1, 1, STRIDE):
        liberty = cell + direction
        if stones[liberty] == EMPTY and not (
            root[liberty - STRIDE] == chain
            or root[liberty - 1] == chain
            or root[liberty + 1] == chain
            or root[liberty + STRIDE] == chain
        ):
            count += 1
    return int(min(count, ENOUGH_LIBERTIES))


@kernel
def _write_outcome(board: Board, work: Outcomes, point: int, cell: int, color: int) -> None:
    """Fill the three numbers of ``work`` for a stone of ``color`` on the empty ``cell`` of ``point``."""
    stones, root, liberties = board["stones"], board["root"], board["liberties"]
    captured = empties = friends = friend = best = 0
    size = 1
    first = second = third = 0
    for direction in (-STRIDE, -1, 1, STRIDE):
        beside = cell + direction
        occupant = stones[beside]
        chain = root[beside]
        if occupant == EMPTY:
            empties += 1
        if occupant in (EMPTY, WALL) or chain in (first, second, third):
            continue
        third = second
        second = first
        first = chain
        if occupant == color:
            friends += 1
            friend = chain
            size += board["size"][chain]
            best = max(best, liberties[chain] - 1)
        elif liberties[chain] == 1:
            captured += board["size"][chain]
    work["captured"][point] = captured
    work["size"][point] = size
    if best >= ENOUGH_LIBERTIES:
        work["liberties"][point] = ENOUGH_LIBERTIES
    elif captured == 0 and friends == 0:
        work["liberties"][point] = empties
    elif captured == 0 and friends == 1:
        work["liberties"][point] = _extended_liberties(board, cell, friend)
    else:
        work["liberties"][point] = _walked_liberties(board, work, cell, color)


@kernel
def write_outcomes(board: Board, color: int, work: Outcomes) -> None:
    """Fill ``work`` for the moves of ``color``. Superko bans are taken as written in the record."""
    cols = board["cols"]
    points = board["rows"] * cols
    legal = np.empty(points + 1, np.bool_)
    legal_mask(board, color, legal)
    for point in range(points):
        puts = legal[point] and (board["phase"] == 0 or unblocked_by(board, point, color) == NO_POINT)
        work["legal"][point] = legal[point]
        work["puts"][point] = puts
        if puts:
            _write_outcome(board, work, point, cell_of(point, cols), color)
