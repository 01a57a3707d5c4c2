"""Ladder breakers: where one more stone of its side keeps a chain from being caught.

Each point is answered by reading the ladder again with the stone there. Only points that the first reading could have
noticed are tried: it has looked at the cells it played on or emptied, a little around them, at the liberties of the
chains there and at what would give them more; a stone anywhere else leaves every line of it as it was.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from move37._jit import kernel
from move37.rules.board_kernels import CELLS, EMPTY, STRIDE, WALL, Board, cell_of, has_bit, place_stone
from move37.rules.ladder_kernels import is_laddered, list_answers, start_from_board
from move37.rules.ladder_search_kernels import LADDER, MOST_CANDIDATES, LadderWork, Level, is_among, may_play

_REACH = 2
"""A reading looks so far from a move or a stone of the chain: at the neighbours of its liberties."""


@kernel
def _add_chain(base: Level, chain: int, marked: NDArray[np.int8]) -> None:
    """Mark the stones of a chain."""
    stone = chain
    while True:
        marked[stone] = 1
        stone = base["next_stone"][stone]
        if stone == chain:
            return


@kernel
def _widen(base: Level, marked: NDArray[np.int8], step: int) -> None:
    """Mark with ``step + 1`` the unmarked cells beside those marked with up to ``step``."""
    for cell in range(STRIDE, CELLS - STRIDE):
        if 0 < marked[cell] <= step:
            for direction in (-STRIDE, -1, 1, STRIDE):
                beside = cell + direction
                if marked[beside] == 0 and base["stones"][beside] != WALL:
                    marked[beside] = step + 1


@kernel
def _mark_way(base: Level, target: int, marked: NDArray[np.int8]) -> None:
    """Mark the cells met by the reading, the chain at ``target``, its liberties, and the friends they touch."""
    stones, root = base["stones"], base["root"]
    marked[:] = 0
    _add_chain(base, root[target], marked)
    for cell in range(STRIDE, CELLS - STRIDE):
        if marked[cell] != 0 and root[cell] == root[target]:
            for direction in (-STRIDE, -1, 1, STRIDE):
                if stones[cell + direction] == EMPTY:
                    marked[cell + direction] = 1
        if has_bit(base["met"], cell):
            marked[cell] = 1
    for cell in range(STRIDE, CELLS - STRIDE):
        if marked[cell] != 0:
            for direction in (-STRIDE, -1, 1, STRIDE):
                beside = cell + direction
                if stones[beside] == stones[target] and marked[beside] == 0:
                    _add_chain(base, root[beside], marked)


@kernel
def _mark_liberties(base: Level, chain: int, marked: NDArray[np.int8]) -> None:
    """Mark the liberties of a chain, and -1 at its root as a sign that this was done."""
    stones = base["stones"]
    stone = chain
    while True:
        for direction in (-STRIDE, -1, 1, STRIDE):
            if stones[stone + direction] == EMPTY:
                marked[stone + direction] = 1
        stone = base["next_stone"][stone]
        if stone == chain:
            break
    marked[chain] = -1


@kernel
def _mark_gains(base: Level, chain: int, marked: NDArray[np.int8]) -> None:
    """Mark the points where a chain would gain liberties because a chain of the other side beside it is taken."""
    stones, root, liberties = base["stones"], base["root"], base["liberties"]
    stone = chain
    while True:
        for direction in (-STRIDE, -1, 1, STRIDE):
            beside = stone + direction
            if stones[beside] == 3 - stones[chain] and liberties[root[beside]] == 1 and marked[root[beside]] != -1:
                _mark_liberties(base, root[beside], marked)
        stone = base["next_stone"][stone]
        if stone == chain:
            return


@kernel
def _mark_noticed(base: Level, target: int, marked: NDArray[np.int8]) -> None:
    """Mark (``int8[CELLS]``, not 0) every empty cell where a stone could change the reading just made of a chain."""
    stones, root = base["stones"], base["root"]
    _mark_way(base, target, marked)
    for step in range(1, _REACH + 1):
        _widen(base, marked, step)
    near = marked.copy()
    for cell in range(STRIDE, CELLS - STRIDE):
        if near[cell] != 0 and stones[cell] != EMPTY and marked[root[cell]] != -1:
            _mark_liberties(base, root[cell], marked)
            if stones[cell] == stones[target]:
                _mark_gains(base, root[cell], marked)


@kernel
def write_breakers(board: Board, work: LadderWork, point: int, breakers: NDArray[np.bool_]) -> None:
    """Write ``breakers: bool[points]``: where one more stone of its side breaks the ladder of the chain at ``point``.

    A breaker is an empty point on which its side may put a stone, no move of the ladder itself (a liberty of the chain,
    or one that takes a chain beside it), such that with that stone on the board, and what it takes off, the chain is
    not laddered as `write_laddered` says. A chain that is not laddered has none.
    """
    original = np.empty(1, LADDER)
    answers, moves = np.empty(MOST_CANDIDATES, np.int16), np.empty(MOST_CANDIDATES, np.int16)
    noticed = np.empty(CELLS, np.int8)
    start_from_board(work, board)
    base = work[0]
    target = cell_of(point, base["cols"])
    breakers[:] = False
    base["met"][:] = np.uint64(0)
    if not is_laddered(work, target, moves):
        return
    _mark_noticed(base, target, noticed)
    base["ko_cell"] = 0
    original[0] = base
    count = list_answers(base, target, answers)
    for other in range(breakers.shape[0]):
        cell = cell_of(other, original[0]["cols"])
        if original[0]["stones"][cell] != EMPTY or noticed[cell] == 0 or is_among(answers, count, cell):
            continue
        if may_play(base, cell, original[0]["stones"][target]):
            place_stone(base, cell, original[0]["stones"][target])
            breakers[other] = not is_laddered(work, target, moves)
            work[0] = original[0]
