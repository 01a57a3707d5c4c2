"""Subtree value bias: where a network misjudges a local shape, the searches of one place teach the others.

All nodes whose last two moves were the same, with the same 5×5 surroundings, share one entry: by how much searching
such nodes changed their evaluation, on average. New evaluations are moved a part of that way (KataGoMethods, "Subtree
Value Bias Correction"). This file keeps the entries and finds the one of a move; what goes in and out is
`katago_kernels`' business.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from move37._jit import kernel
from move37.rules.board_kernels import BLACK, NO_POINT, WHITE, Board, cell_of
from move37.search.tree_kernels import NONE

ENTRY: Final = np.dtype(
    [
        ("pattern", np.uint64),
        ("place", np.uint64),
        ("delta", np.float64),  # weighted sum of (children's utility - own utility), for White
        ("weight", np.float64),
    ],
    align=True,
)
Entries = Any
"""An array of dtype ``ENTRY``."""

REACH: Final = 2
IN_FIRST_WORD: Final = 21
_PRIME = np.uint64(2147483647)
_FACTOR = np.uint64(131)


@kernel
def _state_at(board: Board, row: int, col: int) -> int:
    """0 for an empty point, 1 or 2 for a stone, 4 or 5 if it is in atari, 3 off the board."""
    if row < 0 or row >= board["rows"] or col < 0 or col >= board["cols"]:
        return 3
    cell = cell_of(row * board["cols"] + col, board["cols"])
    color = board["stones"][cell]
    if color in (BLACK, WHITE) and board["liberties"][board["root"][cell]] == 1:
        return int(color) + 3
    return int(color)


@kernel
def shape_words(board: Board, move: int) -> tuple[np.uint64, np.uint64]:
    """Two numbers that are equal exactly for equal last move, ``move``, player, ko and 5×5 surroundings before it."""
    pattern, place = np.uint64(0), np.uint64(0)
    points = board["rows"] * board["cols"]
    if move < points:
        row, col = move // board["cols"], move % board["cols"]
        count = 0
        for y in range(row - REACH, row + REACH + 1):
            for x in range(col - REACH, col + REACH + 1):
                state = np.uint64(_state_at(board, y, x))
                if count < IN_FIRST_WORD:
                    pattern |= state << np.uint64(3 * count)
                else:
                    place |= state << np.uint64(3 * (count - IN_FIRST_WORD))
                count += 1
    place |= np.uint64(move) << np.uint64(12)
    place |= np.uint64(board["last_moves"][0] + 1) << np.uint64(21)
    place |= np.uint64(board["ko_point"] + 1) << np.uint64(30)
    place |= np.uint64(board["to_play"]) << np.uint64(39)
    return pattern, place


@kernel
def _slot(index: NDArray[np.int32], entries: Entries, pattern: np.uint64, place: np.uint64) -> int:
    """Where in ``index`` the entry of this shape is, or would be."""
    mixed = (pattern % _PRIME) * _FACTOR + place % _PRIME
    slot = int(np.int64(mixed % np.uint64(index.shape[0])))
    while index[slot] != NONE:
        entry = entries[index[slot]]
        if entry["pattern"] == pattern and entry["place"] == place:
            break
        slot += 1
        if slot == index.shape[0]:
            slot = 0
    return int(slot)


@kernel
def find_entry(
    index: NDArray[np.int32], entries: Entries, counters: NDArray[np.int64], pattern: np.uint64, place: np.uint64
) -> int:
    """The entry of a shape, made if need be. ``index`` must have room; ``counters[1]``: entries in use."""
    slot = _slot(index, entries, pattern, place)
    if index[slot] == NONE:
        made = counters[1]
        counters[1] += 1
        index[slot] = made
        entries[made]["pattern"] = pattern
        entries[made]["place"] = place
        entries[made]["delta"] = 0.0
        entries[made]["weight"] = 0.0
    return int(index[slot])


@kernel
def has_last_move(board: Board) -> bool:
    """Whether a last move is known, without which a move has no entry."""
    return bool(board["last_moves"][0] != NO_POINT)


@kernel
def rebuild_index(index: NDArray[np.int32], entries: Entries, count: int) -> None:
    """Fill ``index`` (int32, larger than ``count``) anew for the first ``count`` entries."""
    index[:] = NONE
    for i in range(count):
        index[_slot(index, entries, entries[i]["pattern"], entries[i]["place"])] = i
