"""One liberty more or less: where a chain in atari runs to, and what a move puts into atari itself.

What playouts and other quick judgements ask of a move before they play it. No reading: ladders are in `ladder_kernels`.
"""

from __future__ import annotations

from move37._jit import kernel
from move37.rules.board_kernels import EMPTY, STRIDE, Board


@kernel
def some_liberty(board: Board, chain: int, but: int) -> int:
    """A liberty of a chain other than the cell ``but``; 0 if it has no other."""
    stones, next_stone = board["stones"], board["next_stone"]
    stone = chain
    while True:
        for direction in (-STRIDE, -1, 1, STRIDE):
            liberty = stone + direction
            if stones[liberty] == EMPTY and liberty != but:
                return int(liberty)
        stone = next_stone[stone]
        if stone == chain:
            return 0


@kernel
def atari_size(board: Board, cell: int, color: int) -> int:
    """How many stones a stone on an empty cell would put into atari with itself; 0 if it takes any or keeps liberties.

    Trusts that the move is no suicide.
    """
    stones, root, liberties = board["stones"], board["root"], board["liberties"]
    only = 0  # the one liberty found so far
    total = 1
    first = second = third = 0  # own chains already looked at
    for direction in (-STRIDE, -1, 1, STRIDE):
        beside = cell + direction
        chain = root[beside]
        found = 0
        if stones[beside] == EMPTY:
            found = beside
        elif stones[beside] == 3 - color:
            if liberties[chain] == 1:
                return 0
        elif stones[beside] == color and chain != first and chain != second and chain != third:
            if liberties[chain] > 2:
                return 0
            third, second, first = second, first, chain
            total += board["size"][chain]
            found = some_liberty(board, chain, cell)
        if found != 0 and only != 0 and found != only:
            return 0
        if found != 0:
            only = found
    return total
