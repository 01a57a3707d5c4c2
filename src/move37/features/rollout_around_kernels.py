"""The patterns around every empty point, kept up to date while stones are played.

Only points whose surroundings changed are looked up anew after a move: the neighbours of stones that came, went, or
have another class of liberties (1, 2, more).
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from move37._jit import inlined, kernel
from move37.features.neighbourhood_kernels import DIRECTIONS, find_slot, first_slot, least, may_play, nibble_of
from move37.rules.board_kernels import (
    BLACK,
    CELLS,
    EMPTY,
    NO_POINT,
    STRIDE,
    WALL,
    WHITE,
    Board,
    cell_of,
    has_bit,
    place_stone,
)

NO_FEATURE: Final = -1
MEMO: Final = 8192
"""Codes whose features are remembered: most surroundings of a game come up again and again."""


class PatternTables(NamedTuple):
    """What kernels need of a policy's patterns; made by `rollout_policy.pattern_tables`.

    Keys are hashed: int64[2^n]. `shape_ids: int32[2^n, 2]`: the feature of a 3x3 code for Black and for White to move.
    `answer_rows: int32[2^n]`: the row of `answer_ids: int32[D, 12]`. `nakade_ids`, `diamond_ids: int32[2^n]`. The
    features `other_shape` and `other_diamond` are those of patterns in no table. `mask`: what of a code counts.
    """

    mask: int
    article: bool
    other_shape: int
    other_diamond: int
    shape_keys: NDArray[np.int64]
    shape_ids: NDArray[np.int32]
    answer_keys: NDArray[np.int64]
    answer_rows: NDArray[np.int32]
    answer_ids: NDArray[np.int32]
    nakade_keys: NDArray[np.int64]
    nakade_ids: NDArray[np.int32]
    diamond_keys: NDArray[np.int64]
    diamond_ids: NDArray[np.int32]


AROUND: Final = np.dtype(
    [
        ("code", np.int64, (CELLS,)),  # 3x3, of every cell on the board; elsewhere it means nothing
        ("ids", np.int32, (2, CELLS)),  # feature of the pattern for [colour - 1]; NO_FEATURE where it may not play
        ("memo", np.int64, (MEMO,)),  # a code + 1, or 0
        ("memo_ids", np.int32, (MEMO, 2)),  # its features for Black and for White to move
        ("changed", np.int16, (CELLS,)),  # cells looked up after the last move
        ("taken", np.int16, (CELLS,)),  # cells that the last move emptied
        ("changes", np.int32),
        ("takes", np.int32),
        ("shown", np.int8, (CELLS,)),  # nibbles
        ("is_changed", np.int8, (CELLS,)),
    ],
    align=True,
)
"""What a game's features stand on; beside a board record, valid for it alone.

A new one is all zeros; then it serves any number of boards, one after the other, under the same tables.
"""
Around = Any
"""One record of dtype ``AROUND``."""


@kernel
def _mark(around: Around, cell: int) -> None:
    if around["is_changed"][cell] == 0:
        around["is_changed"][cell] = 1
        around["changed"][around["changes"]] = cell
        around["changes"] += 1


@kernel
def _show(around: Around, cell: int, nibble: int) -> None:
    """Let a cell show another nibble, and mark the cells that see it."""
    change = nibble ^ int(around["shown"][cell])
    around["shown"][cell] = nibble
    code = around["code"]
    for place in range(8):
        beside = cell - DIRECTIONS[place]
        code[beside] ^= change << 4 * place
        if around["shown"][beside] == EMPTY:
            _mark(around, beside)


@kernel
def _show_chain(board: Board, around: Around, stone: int) -> None:
    """Let all stones of a chain show what it is now; nothing to do if this one does."""
    nibble = nibble_of(board, stone)
    if around["shown"][stone] == nibble:
        return
    next_stone = board["next_stone"]
    at = stone
    while True:
        if around["shown"][at] != nibble:
            _show(around, at, nibble)
        at = next_stone[at]
        if at == stone:
            return


@kernel
def _show_taken(board: Board, around: Around, stone: int) -> None:
    """Let the cells of a chain just taken show that they are empty; list them."""
    at = stone
    while True:
        around["taken"][around["takes"]] = at
        around["takes"] += 1
        _show(around, at, EMPTY)
        _mark(around, at)
        at = board["next_stone"][at]
        if at == stone:
            return


@kernel
def _note_stone(board: Board, around: Around, cell: int) -> None:
    """Take note of the stone just put on a cell, with all it changed."""
    stones = board["stones"]
    around["takes"] = 0
    _show(around, cell, nibble_of(board, cell))
    _mark(around, cell)
    for direction in (-STRIDE, -1, 1, STRIDE):
        beside = cell + direction
        if stones[beside] == EMPTY:
            if around["shown"][beside] != EMPTY:
                _show_taken(board, around, beside)
        elif stones[beside] != WALL:
            _show_chain(board, around, beside)
    for i in range(around["takes"]):
        for direction in (-STRIDE, -1, 1, STRIDE):
            beside = around["taken"][i] + direction
            if stones[beside] == BLACK or stones[beside] == WHITE:
                _show_chain(board, around, beside)


@kernel
def _recall(around: Around, cell: int) -> bool:
    """Write the pattern features of a cell for both colours, if they are remembered; else say no."""
    ids = around["ids"]
    if around["shown"][cell] != EMPTY:
        ids[0, cell] = NO_FEATURE
        ids[1, cell] = NO_FEATURE
        return True
    code = int(around["code"][cell])
    slot = first_slot(MEMO, code)
    if around["memo"][slot] != code + 1:
        return False
    ids[0, cell] = around["memo_ids"][slot, 0]
    ids[1, cell] = around["memo_ids"][slot, 1]
    return True


@kernel
def _memorise(around: Around, tables: PatternTables, cell: int) -> None:
    """Look up the pattern features of a cell for both colours, write and remember them."""
    code = int(around["code"][cell])
    at = first_slot(MEMO, code)
    key = least(code & tables.mask)
    slot = find_slot(tables.shape_keys, key)
    known = tables.shape_keys[slot] == key
    around["memo"][at] = code + 1
    for side in range(2):
        feature = tables.shape_ids[slot, side] if known else tables.other_shape
        around["memo_ids"][at, side] = feature if may_play(code, side + 1) else NO_FEATURE
        around["ids"][side, cell] = around["memo_ids"][at, side]


@kernel
def start(board: Board, around: Around, tables: PatternTables) -> None:
    """Make ``around`` that of a board, from nothing."""
    rows, cols = board["rows"], board["cols"]
    around["ids"][:, :] = NO_FEATURE
    around["code"][:] = 0
    around["is_changed"][:] = 0
    around["changes"] = 0
    for cell in range(CELLS):
        around["shown"][cell] = nibble_of(board, cell)
    for point in range(rows * cols):
        cell = cell_of(point, cols)
        code = 0
        for place in range(8):
            code |= int(around["shown"][cell + DIRECTIONS[place]]) << 4 * place
        around["code"][cell] = code
        if not _recall(around, cell):
            _memorise(around, tables, cell)
    _list_taken(board, around)


@kernel
def _list_taken(board: Board, around: Around) -> None:
    """List what the last move took, from the board's memory."""
    around["takes"] = 0
    if board["history_length"] < 2 or board["to_play"] == board["last_colors"][0]:
        return
    side = board["to_play"] - 1
    for point in range(board["rows"] * board["cols"]):
        if has_bit(board["history"][1, side], point) and not has_bit(board["history"][0, side], point):
            around["taken"][around["takes"]] = cell_of(point, board["cols"])
            around["takes"] += 1


@inlined
def play_stone(board: Board, around: Around, tables: PatternTables, cell: int, color: int) -> int:
    """Put a stone on the board (chains only, as `board_kernels.place_stone`) and keep up; return the ko cell or 0.

    ``changed`` then lists the cells that were looked up.
    """
    around["changes"] = 0
    _, ko, _ = place_stone(board, cell, color)
    _note_stone(board, around, cell)
    for i in range(around["changes"]):
        cell = around["changed"][i]
        around["is_changed"][cell] = 0
        if not _recall(around, cell):
            _memorise(around, tables, cell)
    return ko


@kernel
def recent_cell(board: Board, plies: int) -> int:
    """The cell of the move so many plies before the last; 0 if it was a pass or there was none."""
    point = board["last_moves"][plies]
    if point == NO_POINT or point == board["rows"] * board["cols"]:
        return 0
    return cell_of(point, board["cols"])
