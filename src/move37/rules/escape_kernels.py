"""How stones in atari get out of it: by taking what surrounds them, or by running.

Running is worth it if the chain then has three liberties, or two and no ladder of length one: wherever the other side
plays, running on gains at least two liberties. For rollouts, which have no time to read further; `ladder_kernels` does.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from move37._jit import kernel
from move37.rules.atari_kernels import some_liberty
from move37.rules.board_kernels import EMPTY, STRIDE, Board

MOST_SAVING: Final = 16


@kernel
def _note_liberty(found: NDArray[np.int16], count: int, cell: int) -> int:
    """Add a cell to the liberties found, unless it is among them or there is no room; return their number."""
    for i in range(count):
        if found[i] == cell:
            return count
    if count < found.shape[0]:
        found[count] = cell
        count += 1
    return count


@kernel
def _note_chain(board: Board, chain: int, but: int, found: NDArray[np.int16], count: int) -> int:
    """Add a chain's liberties, without the cell ``but``, while there is room; return their number."""
    stones, next_stone = board["stones"], board["next_stone"]
    stone = chain
    while count < found.shape[0]:
        for direction in (-STRIDE, -1, 1, STRIDE):
            beside = stone + direction
            if stones[beside] == EMPTY and beside != but:
                count = _note_liberty(found, count, beside)
        stone = next_stone[stone]
        if stone == chain:
            break
    return count


@kernel
def liberties_after(board: Board, cell: int, color: int, found: NDArray[np.int16]) -> int:
    """Write liberties of the chain that a stone of ``color`` on an empty cell makes; return how many. Captures ignored.

    ``found: int16[n]``; n are counted at most.
    """
    stones, root = board["stones"], board["root"]
    count = 0
    for direction in (-STRIDE, -1, 1, STRIDE):
        beside = cell + direction
        if stones[beside] == EMPTY:
            count = _note_liberty(found, count, beside)
        elif stones[beside] == color:
            count = _note_chain(board, root[beside], cell, found, count)
    return count


@kernel
def _gains(board: Board, chain: int, runs: int, blocked: int, cell: int, color: int) -> bool:
    """Whether ``chain``, having run to ``runs`` and been blocked at ``blocked``, gains two liberties by ``cell``."""
    stones, root = board["stones"], board["root"]
    found = np.empty(4, np.int16)  # the two that may be no gain, and two
    count = 0
    for direction in (-STRIDE, -1, 1, STRIDE):
        beside = cell + direction
        if stones[beside] == EMPTY and beside != runs and beside != blocked:
            count = _note_liberty(found, count, beside)
        elif stones[beside] == color and root[beside] != chain:
            count = _note_chain(board, root[beside], cell, found, count)
    gained = count
    for i in range(count):
        if found[i] == blocked or found[i] == runs:
            gained -= 1
    return gained >= 2


@kernel
def runs_free(board: Board, chain: int, cell: int, color: int) -> bool:
    """Whether a chain in atari lives on by running to ``cell``, its last liberty: see the head of this file."""
    found = np.empty(3, np.int16)
    count = liberties_after(board, cell, color, found)
    if count != 2:
        return count > 2
    return _gains(board, chain, cell, found[0], found[1], color) and _gains(
        board, chain, cell, found[1], found[0], color
    )


@kernel
def is_threatened(board: Board, last: int, color: int) -> bool:
    """Whether there is anything to save: stones of ``color`` in atari beside the cell ``last``."""
    stones, root, liberties = board["stones"], board["root"], board["liberties"]
    for direction in (-STRIDE, -1, 1, STRIDE):
        beside = last + direction
        if stones[beside] == color and liberties[root[beside]] == 1:
            return True
    return False


@kernel
def list_saving(board: Board, ko: int, last: int, color: int, cells: NDArray[np.int16]) -> int:
    """List where ``color`` saves stones beside the cell ``last`` from atari; return how many, MOST_SAVING at most.

    ``ko``: a cell that may not be played, or 0. ``cells: int16[MOST_SAVING]``.
    """
    stones, root, liberties = board["stones"], board["root"], board["liberties"]
    count = 0
    for direction in (-STRIDE, -1, 1, STRIDE):
        beside = last + direction
        if stones[beside] == color and liberties[root[beside]] == 1:
            count = _list_for_chain(board, ko, root[beside], color, cells, count)
    return count


@kernel
def _list_for_chain(board: Board, ko: int, chain: int, color: int, cells: NDArray[np.int16], count: int) -> int:
    """Add what saves a chain in atari: taking neighbours of it in atari, and running."""
    stones, root, next_stone = board["stones"], board["root"], board["next_stone"]
    stone = chain
    while True:
        for direction in (-STRIDE, -1, 1, STRIDE):
            beside = stone + direction
            if stones[beside] == 3 - color and board["liberties"][root[beside]] == 1:
                cell = some_liberty(board, root[beside], 0)
                if cell != ko:
                    count = _note_liberty(cells, count, cell)
        stone = next_stone[stone]
        if stone == chain:
            break
    cell = some_liberty(board, chain, 0)
    if runs_free(board, chain, cell, color):
        count = _note_liberty(cells, count, cell)
    return count
