"""Positions set up stone by stone: chains, liberties and hashes built from the bare stones.

The slow way round of `board_kernels.play`, for diagrams, handicaps and problems. It checks nothing but that every chain
has a liberty.
"""

from __future__ import annotations

from move37._jit import kernel
from move37.rules.board_kernels import (
    BLACK,
    EMPTY,
    NO_POINT,
    STRIDE,
    TERRITORY,
    WHITE,
    ZOBRIST,
    Board,
    cell_of,
    forget_history,
    give_liberty,
    set_bit,
)


@kernel
def set_stone(board: Board, point: int, color: int) -> None:
    """Write a stone (or EMPTY) while setting up a position; ``finish_setup`` must follow."""
    board["stones"][cell_of(point, board["cols"])] = color


@kernel
def _flood_chain(board: Board, start: int) -> None:
    """Make the stones of ``start``'s colour connected to it one chain with root ``start``."""
    stones = board["stones"]
    root = board["root"]
    next_stone = board["next_stone"]
    root[start] = start
    next_stone[start] = start
    board["size"][start] = 1
    stone = start
    while True:
        for direction in (-STRIDE, -1, 1, STRIDE):
            beside = stone + direction
            if stones[beside] == stones[start] and root[beside] == 0:
                # Inserted last in the circle, so the walk below meets it once.
                root[beside] = start
                board["size"][start] += 1
                last = start
                while next_stone[last] != start:
                    last = next_stone[last]
                next_stone[last] = beside
                next_stone[beside] = start
        stone = next_stone[stone]
        if stone == start:
            return


@kernel
def finish_setup(board: Board) -> int:
    """Build chains, liberties, hash and a fresh history from the stones as set.

    Returns NO_POINT, or the first point whose chain has no liberty (the position is then not a legal one).
    """
    rows, cols = board["rows"], board["cols"]
    stones = board["stones"]
    board["root"][:] = 0
    board["liberties"][:] = 0
    board["passes"] = 0
    board["no_result"] = 0
    board["play_bonus"] = 0.0
    if board["scoring"] == TERRITORY:
        board["play_bonus"] += float(board["prisoners"][WHITE]) - float(board["prisoners"][BLACK])
    forget_history(board)
    for point in range(rows * cols):
        cell = cell_of(point, cols)
        color = stones[cell]
        if color != EMPTY:
            board["stones_hash"] ^= ZOBRIST[color, cell]
            set_bit(board["history"][0, color - 1], point)
            set_bit(board["ever_occupied"], point)
            if board["scoring"] == TERRITORY:  # as if the stones had been played, see `play`
                board["play_bonus"] += 1.0 if color == BLACK else -1.0
            if board["root"][cell] == 0:
                _flood_chain(board, cell)
    board["history_hash"][0] = board["stones_hash"]
    for point in range(rows * cols):
        cell = cell_of(point, cols)
        if stones[cell] == EMPTY:
            give_liberty(board, cell, 0)
    for point in range(rows * cols):
        cell = cell_of(point, cols)
        if stones[cell] != EMPTY and board["liberties"][board["root"][cell]] == 0:
            return point
    return NO_POINT
