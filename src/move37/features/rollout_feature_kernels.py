"""The features of AlphaGo's rollout and tree policies: what speaks for a move, as numbers.

A *feature* is an index into a vector of weights; a move's weight is the exponential of the sum of its features'. Which
numbers are which patterns is said in `rollout_policy`. What an empty point has by itself is kept up to date
(`rollout_around_kernels`); what answers the last move is a short list made for each move.

Source: Silver et al. 2016, Extended Data Table 4. What it leaves open is decided in docs/rollout_policy.md.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from move37._jit import inlined, kernel
from move37.features.neighbourhood_kernels import (
    DIRECTIONS,
    NO_KEY,
    PLACES,
    SMALL,
    SYMMETRIES,
    TURNED_PLACES,
    diamond_code,
    find_slot,
    least,
    least_with_symmetry,
    other_side,
)
from move37.features.rollout_around_kernels import NO_FEATURE, Around, PatternTables
from move37.rules.atari_kernels import atari_size
from move37.rules.board_kernels import STRIDE, WHITE, Board
from move37.rules.escape_kernels import MOST_SAVING, is_threatened, list_saving

RESPONSE: Final = 0
SAVE: Final = 1
BESIDE: Final = 2
CORNER: Final = 3
SELF_ATARI: Final = 4
DISTANCE: Final = 5
FARTHEST: Final = 17  # distances from here on are one; of two moves: 34 features, as in the paper
LINE: Final = DISTANCE + 2 * FARTHEST
LINES: Final = 15  # two distances from the edge, 0 to 4, the lesser first
BIG_POINT: Final = LINE + LINES
ATARI: Final = BIG_POINT + 1
TAKE: Final = BIG_POINT + 2
NAMED: Final = BIG_POINT + 3
"""How many features have names; those of patterns follow."""

MOST_LOCAL: Final = 96
MOST_OWN: Final = 8
MOST_TAKEN: Final = 20  # a larger chain leaves no nakade
REACH: Final = 3  # a nakade is seen so far from the move, in rows and in columns


@kernel
def nakade_key(taken: NDArray[np.int16], count: int, cell: int) -> int:
    """The shape of ``count`` emptied cells as seen from one: a bit for each within REACH, the least of its forms."""
    side = 2 * REACH + 1
    row, col = cell // STRIDE, cell % STRIDE
    best = NO_KEY
    for symmetry in range(SYMMETRIES):
        key = 0
        for i in range(count):
            down, right = int(taken[i]) // STRIDE - row, int(taken[i]) % STRIDE - col
            if abs(down) <= REACH and abs(right) <= REACH:
                if symmetry & 1:
                    down = -down
                if symmetry & 2:
                    right = -right
                if symmetry & 4:
                    down, right = right, down
                key |= 1 << (down + REACH) * side + right + REACH
        if best == NO_KEY or key < best:
            best = key
    return best


@kernel
def answer_code(around: Around, last: int, color: int) -> int:
    """The diamond around the last move with its own liberties, the player to move being Black."""
    code = diamond_code(around["shown"], last) | int(around["shown"][last]) >> 2 << 48
    return other_side(code & 0xFFFFFFFFFFFF) | (code >> 48 << 48) if color == WHITE else code


@inlined
def _add(cells: NDArray[np.int16], features: NDArray[np.int32], count: int, cell: int, feature: int) -> int:
    if count < MOST_LOCAL:
        cells[count] = cell
        features[count] = feature
        count += 1
    return count


@inlined
def _list_answers(
    around: Around,
    tables: PatternTables,
    last: int,
    color: int,
    cells: NDArray[np.int16],
    features: NDArray[np.int32],
    count: int,
) -> int:
    """Add the response patterns around the last move."""
    key, symmetry = least_with_symmetry(answer_code(around, last, color))
    slot = find_slot(tables.answer_keys, key)
    if tables.answer_keys[slot] != key:
        return count
    row = tables.answer_rows[slot]
    for place in range(PLACES):
        feature = int(tables.answer_ids[row, TURNED_PLACES[symmetry, place]])
        cell = last + DIRECTIONS[place]
        if feature != NO_FEATURE and around["ids"][color - 1, cell] != NO_FEATURE:
            count = _add(cells, features, count, cell, RESPONSE)
            count = _add(cells, features, count, cell, feature)
    return count


@inlined
def list_local(
    board: Board,
    around: Around,
    tables: PatternTables,
    ko: int,
    last: int,
    color: int,
    cells: NDArray[np.int16],
    features: NDArray[np.int32],
) -> int:
    """List what answers the last move: pairs of a cell where ``color`` may play and a feature; return how many.

    ``last``: cell of the last move, 0 if it was a pass. ``cells: int16[MOST_LOCAL]``, ``features: int32[MOST_LOCAL]``.
    """
    playable = around["ids"][color - 1]
    count = 0
    if last == 0 or board["stones"][last] != 3 - color:
        return count
    if not tables.article:
        count = _list_answers(around, tables, last, color, cells, features, count)
        for i in range(around["takes"] if around["takes"] <= MOST_TAKEN else 0):
            cell = int(around["taken"][i])
            key = nakade_key(around["taken"], around["takes"], cell)
            slot = find_slot(tables.nakade_keys, key)
            if tables.nakade_keys[slot] == key and playable[cell] != NO_FEATURE:
                count = _add(cells, features, count, cell, tables.nakade_ids[slot])
    for place in range(8):
        cell = last + DIRECTIONS[place]
        if playable[cell] != NO_FEATURE:
            count = _add(cells, features, count, cell, BESIDE if place < 4 else CORNER)
    if is_threatened(board, last, color):
        saving = np.empty(MOST_SAVING, np.int16)
        for i in range(list_saving(board, ko, last, color, saving)):
            if playable[saving[i]] != NO_FEATURE:
                count = _add(cells, features, count, saving[i], SAVE)
    return count


@kernel
def _line(board: Board, cell: int) -> tuple[int, int]:
    """Distances of a cell from the two nearest edges, 0 to 4, the lesser first."""
    row, col = cell // STRIDE - 1, cell % STRIDE - 1
    down = min(row, board["rows"] - 1 - row, 4)
    right = min(col, board["cols"] - 1 - col, 4)
    return min(down, right), max(down, right)


@kernel
def list_own(board: Board, around: Around, article: bool, cell: int, color: int, features: NDArray[np.int32]) -> int:
    """List the features of a cell that do not depend on the last move; return how many. ``features: int32[MOST_OWN]``.

    The first is its pattern. ``color`` may play there.
    """
    features[0] = around["ids"][color - 1, cell]
    if not article:
        return 1
    code = around["code"][cell]
    near, far = _line(board, cell)
    features[1] = LINE + far * (far + 1) // 2 + near
    count = 2
    if code & SMALL == 0 and (near == 2 or near == 3):
        features[count] = BIG_POINT
        count += 1
    atari = take = False
    for place in range(4):
        nibble = code >> 4 * place & 15
        if nibble & 3 == 3 - color:
            take = take or nibble >> 2 == 1
            atari = atari or nibble >> 2 == 2
    if atari:
        features[count] = ATARI
        count += 1
    if take:
        features[count] = TAKE
        count += 1
    return count


@kernel
def list_tree(
    board: Board,
    around: Around,
    keys: NDArray[np.int64],
    ids: NDArray[np.int32],
    other: int,
    cell: int,
    last: int,
    before: int,
    color: int,
    features: NDArray[np.int32],
    count: int,
) -> int:
    """Add the features of the tree policy alone; ``before``: the cell of the move before the last, 0 if a pass.

    ``keys``, ``ids``, ``other``: the diamonds of the tables, passed by themselves: a tuple of arrays costs a reference
    count of each array in a call, which an inner loop feels.
    """
    code = diamond_code(around["shown"], cell)
    key = least(other_side(code) if color == WHITE else code)
    slot = find_slot(keys, key)
    features[count] = ids[slot] if keys[slot] == key else other
    count += 1
    if atari_size(board, cell, color) > 0:
        features[count] = SELF_ATARI
        count += 1
    if last != 0:
        features[count] = DISTANCE + _distance(cell, last) - 1
        count += 1
    if before != 0:
        features[count] = DISTANCE + FARTHEST + _distance(cell, before) - 1
        count += 1
    return count


@kernel
def _distance(cell: int, other: int) -> int:
    """Steps from one cell to another, 1 to FARTHEST."""
    steps = abs(cell // STRIDE - other // STRIDE) + abs(cell % STRIDE - other % STRIDE)
    return min(max(steps, 1), FARTHEST)
