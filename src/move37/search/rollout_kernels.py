"""Rollouts: a game played to its end by moves drawn uniformly from those that do not fill an own eye.

The classic playout of Monte Carlo Go: ko and suicide are respected, superko is not looked at (a length limit ends
cycles), a side passes only when no other move is left. The stone handling is that of ``rules.board_kernels``; this file
adds the list of empty cells, the eye test and the draw. Rollouts that look are in `light_rollout_kernels`, many at once
in `rollout_batch_kernels`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from move37._jit import kernel
from move37.rules.board_kernels import (
    CELLS,
    EMPTY,
    NO_POINT,
    STRIDE,
    Board,
    cell_of,
    liberty_status,
    place_stone,
    point_of,
)
from move37.rules.eye_kernels import is_own_eye


@kernel
def next_random(state: NDArray[np.uint64], bound: int) -> int:
    """A number in ``[0, bound)`` from ``state: uint64[1]`` (xorshift64, Marsaglia 2003), which must not be zero."""
    x = state[0]
    x ^= x << np.uint64(13)
    x ^= x >> np.uint64(7)
    x ^= x << np.uint64(17)
    state[0] = x
    return int(((x >> np.uint64(32)) * np.uint64(bound)) >> np.uint64(32))


@kernel
def seed_random(state: NDArray[np.uint64], seed: int) -> None:
    """Start ``state`` from any seed; neighbouring seeds give unrelated streams (mixer of splitmix64, Steele 2014)."""
    state[0] = seed
    state += np.uint64(0x9E3779B97F4A7C15)  # arrays wrap around in plain Python too
    state ^= state >> np.uint64(30)
    state *= np.uint64(0xBF58476D1CE4E5B9)
    state ^= state >> np.uint64(27)
    state *= np.uint64(0x94D049BB133111EB)
    state ^= state >> np.uint64(31)
    if state[0] == np.uint64(0):
        state[0] = 37


@kernel
def list_empty(board: Board, empty: NDArray[np.int16], place: NDArray[np.int16]) -> int:
    """List the empty cells in ``empty`` and where each stands in it in ``place`` (-1: not there); return how many."""
    cols = board["cols"]
    place[:] = -1
    count = 0
    for point in range(board["rows"] * cols):
        cell = cell_of(point, cols)
        if board["stones"][cell] == EMPTY:
            empty[count] = cell
            place[cell] = count
            count += 1
    return count


@kernel
def unlist(empty: NDArray[np.int16], place: NDArray[np.int16], count: int, cell: int) -> int:
    """Take a cell off the list; return the list's new length."""
    last = empty[count - 1]
    i = place[cell]
    empty[i] = last
    place[last] = i
    place[cell] = -1
    return count - 1


@kernel
def set_aside(empty: NDArray[np.int16], place: NDArray[np.int16], i: int, untried: int) -> None:
    """Swap the cell at ``i`` behind the first ``untried`` ones, so that a draw stays uniform over what is left."""
    cell, other = empty[i], empty[untried]
    empty[untried] = cell
    place[cell] = untried
    empty[i] = other
    place[other] = i


@kernel
def _list_chain(board: Board, empty: NDArray[np.int16], place: NDArray[np.int16], count: int, first: int) -> int:
    """Add the cells of a chain just removed to the list of empty cells; return the list's new length."""
    next_stone = board["next_stone"]
    cell = first
    while True:
        if place[cell] < 0:
            empty[count] = cell
            place[cell] = count
            count += 1
        cell = next_stone[cell]
        if cell == first:
            return count


@kernel
def list_captured(board: Board, empty: NDArray[np.int16], place: NDArray[np.int16], count: int, stone: int) -> int:
    """Add all cells that the stone just put on ``stone`` emptied; return the list's new length."""
    stones = board["stones"]
    for direction in (-STRIDE, -1, 1, STRIDE):
        beside = stone + direction
        if stones[beside] == EMPTY and place[beside] < 0:
            count = _list_chain(board, empty, place, count, beside)
    return count


@kernel
def rollout(board: Board, state: NDArray[np.uint64], moves: NDArray[np.int16]) -> int:
    """Play ``board`` (changed: only its stones and chains stay meaningful) to two passes or n moves.

    ``moves: int16[n]`` gets the moves; returns how many they are. Suicide is not played even where it is legal.
    ``state: uint64[1]`` is the stream.
    """
    cols = board["cols"]
    empty = np.empty(CELLS, np.int16)
    place = np.empty(CELLS, np.int16)
    count = list_empty(board, empty, place)
    color = board["to_play"]
    ko = cell_of(board["ko_point"], cols) if board["ko_point"] != NO_POINT else 0
    passes = 0
    played = 0
    while passes < 2 and played < moves.shape[0]:
        untried = count
        chosen = 0
        while untried > 0:
            i = next_random(state, untried)
            cell = empty[i]
            if cell != ko and not is_own_eye(board, cell, color) and liberty_status(board, cell, color) == 0:
                chosen = cell
                break
            untried -= 1
            set_aside(empty, place, i, untried)
        moves[played] = point_of(chosen, cols) if chosen != 0 else board["rows"] * cols
        played += 1
        if chosen == 0:
            passes += 1
            ko = 0
            color = 3 - color
            continue
        passes = 0
        count = unlist(empty, place, count, chosen)
        captured, ko, _ = place_stone(board, chosen, color)
        if captured > 0:
            count = list_captured(board, empty, place, count, chosen)
        color = 3 - color
    return played
