"""Who ends up with each point: playouts for positions in which the fighting is over.

Uniform playouts (see `rollout_kernels`) kill what lives and save what is dead too often. Two habits of every player
mend that: an atari is answered (the chain that gave it or another is taken, or the chain in atari runs), and nobody
puts three stones or more into atari without taking any, which also keeps a seki as it is. Points whose owner is
certain already are not played on. The numbers two and three are measured, not derived.

Source of the idea, ownership by playouts and its use for dead stones: Bernd Brügmann, "Monte Carlo Go" (1993).
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from move37._jit import kernel
from move37.rules.area_kernels import area_owner
from move37.rules.atari_kernels import atari_size, some_liberty
from move37.rules.board_kernels import (
    BLACK,
    BOARD,
    CELLS,
    STRIDE,
    WHITE,
    Board,
    liberty_status,
    place_stone,
)
from move37.rules.eye_kernels import is_own_eye
from move37.search.rollout_kernels import (
    list_captured,
    list_empty,
    next_random,
    seed_random,
    set_aside,
    unlist,
)

LARGEST_SACRIFICE: Final = 2
"""Stones that a playout puts into atari without taking any: enough for a throw-in, too few to break a seki."""


@kernel
def _may_play(board: Board, closed: NDArray[np.bool_], ko: int, cell: int, color: int) -> bool:
    """Whether a cell, if empty, is open, not forbidden by ko, and no suicide."""
    return cell != 0 and cell != ko and not closed[cell] and liberty_status(board, cell, color) == 0


@kernel
def _taking_move(board: Board, closed: NDArray[np.bool_], ko: int, chain: int, color: int) -> int:
    """A move that takes a chain in atari; 0 if it is in none or the move cannot be played."""
    if board["liberties"][chain] != 1:
        return 0
    cell = some_liberty(board, chain, 0)
    return cell if _may_play(board, closed, ko, cell, color) else 0


@kernel
def _saving_move(board: Board, closed: NDArray[np.bool_], ko: int, chain: int, color: int) -> int:
    """A move that gets an own chain out of atari: it takes a neighbour in atari, else it runs; 0 if there is none."""
    stones, root, next_stone = board["stones"], board["root"], board["next_stone"]
    stone = chain
    while True:
        for direction in (-STRIDE, -1, 1, STRIDE):
            beside = stone + direction
            if stones[beside] == 3 - color:
                taking = _taking_move(board, closed, ko, root[beside], color)
                if taking != 0:
                    return taking
        stone = next_stone[stone]
        if stone == chain:
            break
    cell = some_liberty(board, chain, 0)
    runs = _may_play(board, closed, ko, cell, color) and atari_size(board, cell, color) == 0
    return cell if runs else 0


@kernel
def answer(board: Board, closed: NDArray[np.bool_], ko: int, last: int, color: int) -> int:
    """The answer of ``color`` to a stone just put on the cell ``last``, or 0: take it, or save what it put in atari."""
    stones, root, liberties = board["stones"], board["root"], board["liberties"]
    if last == 0 or stones[last] != 3 - color:
        return 0
    taking = _taking_move(board, closed, ko, root[last], color)
    if taking != 0:
        return taking
    for direction in (-STRIDE, -1, 1, STRIDE):
        beside = last + direction
        if stones[beside] == color and liberties[root[beside]] == 1:
            saving = _saving_move(board, closed, ko, root[beside], color)
            if saving != 0:
                return saving
    return 0


@kernel
def settle(board: Board, closed: NDArray[np.bool_], state: NDArray[np.uint64], max_moves: int) -> int:
    """Play ``board`` (changed: only its stones and chains stay meaningful) to two passes or ``max_moves`` moves.

    ``closed: bool[CELLS]`` are cells nobody plays on; ``state: uint64[1]`` is the stream. Returns the number of moves.
    """
    empty = np.empty(CELLS, np.int16)
    place = np.empty(CELLS, np.int16)
    count = list_empty(board, empty, place)
    color = board["to_play"]
    ko = last = passes = moves = 0
    while passes < 2 and moves < max_moves:
        chosen = answer(board, closed, ko, last, color)
        untried = count
        while chosen == 0 and untried > 0:
            i = next_random(state, untried)
            cell = empty[i]
            if (
                _may_play(board, closed, ko, cell, color)
                and not is_own_eye(board, cell, color)
                and atari_size(board, cell, color) <= LARGEST_SACRIFICE
            ):
                chosen = cell
            untried -= 1
            set_aside(empty, place, i, untried)
        moves += 1
        color = 3 - color
        last = chosen
        ko = 0
        if chosen == 0:
            passes += 1
            continue
        passes = 0
        count = unlist(empty, place, count, chosen)
        captured, ko, _ = place_stone(board, chosen, 3 - color)
        if captured > 0:
            count = list_captured(board, empty, place, count, chosen)
    return moves


@kernel
def ownership(
    board: Board, closed: NDArray[np.bool_], games: int, seed: int, max_moves: int, out: NDArray[np.int32]
) -> None:
    """Write how many of ``games`` playouts give each point to Black less those that give it to White.

    ``out: int32[rows * cols]``. Black and White begin in turn and no ko is forbidden at the start; ``board`` is left
    unchanged.
    """
    work = np.empty(1, BOARD)
    state = np.empty(1, np.uint64)
    seed_random(state, seed)
    owner = np.empty(board["rows"] * board["cols"], np.int8)
    out[:] = 0
    for game in range(games):
        work[0] = board
        work[0]["to_play"] = BLACK + game % 2
        settle(work[0], closed, state, max_moves)
        area_owner(work[0], owner)
        for point in range(owner.size):
            if owner[point] == BLACK:
                out[point] += 1
            elif owner[point] == WHITE:
                out[point] -= 1
