"""The score of a board as the record's own rules count it, nothing agreed upon: for search, self-play and networks.

Area scoring without a tax is Tromp and Taylor's count. With a tax, and under territory scoring, it is KataGo's: areas
that are not in seki (*independent life*), and in territory scoring the stones that stood there before the second encore
phase, so that with White's bonus for the play (`board_kernels.play`) the area difference is the territory difference.
How people count, with agreed dead stones and open dame, is in `territory`.

Source: KataGo's rules page, version 2, and its network inputs (planes 18 and 19).
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from move37._jit import kernel
from move37.rules.area_kernels import area_score
from move37.rules.board_kernels import (
    AREA,
    BLACK,
    BUTTON_FREE,
    CELLS,
    EMPTY,
    STRIDE,
    WHITE,
    Board,
    cell_of,
    has_bit,
    point_of,
)
from move37.rules.life_kernels import basic_area

TAX_NONE: Final = 0
TAX_SEKI: Final = 1
TAX_ALL: Final = 2
GROUP_TAX: Final = 2
"""Points that each group pays under the tax *all*."""


@kernel
def _in_seki(board: Board, area: NDArray[np.int8], cell: int, color: int) -> bool:
    """Whether a point shows that its group is in seki: its own stone in atari, or a dame beside it."""
    stones, cols = board["stones"], board["cols"]
    if stones[cell] == color and board["liberties"][board["root"][cell]] == 1:
        return True
    for direction in (-STRIDE, -1, 1, STRIDE):
        beside = cell + direction
        if stones[beside] == EMPTY and area[point_of(beside, cols)] == EMPTY:
            return True
    return False


@kernel
def _flood_group(
    board: Board, area: NDArray[np.int8], seen: NDArray[np.bool_], group: NDArray[np.int16], start: int
) -> tuple[int, bool]:
    """Collect the connected area around ``start`` into ``group``; return its size and whether it is in seki."""
    stones, cols = board["stones"], board["cols"]
    color = area[point_of(start, cols)]
    seen[start] = True
    group[0] = start
    count = 1
    done = 0
    seki = False
    while done < count:
        cell = group[done]
        done += 1
        seki = seki or _in_seki(board, area, cell, color)
        for direction in (-STRIDE, -1, 1, STRIDE):
            beside = cell + direction
            if stones[beside] <= WHITE and not seen[beside] and area[point_of(beside, cols)] == color:
                seen[beside] = True
                group[count] = beside
                count += 1
    return count, seki


@kernel
def independent_area(
    board: Board, suicide: bool, keep_territory: bool, keep_stones: bool, out: NDArray[np.int8]
) -> int:
    """Write ``out: int8[points]``: the areas that are not in seki, BLACK, WHITE or EMPTY.

    A connected piece of `basic_area` is in seki if one of its stones is in atari or touches a dame. ``keep_territory``
    keeps the points without an own stone of those in seki too, ``keep_stones`` their stones. Returns how many pieces
    that are not in seki Black has more than White.
    """
    rows, cols = board["rows"], board["cols"]
    area = np.empty(rows * cols, np.int8)
    basic_area(board, suicide, True, True, True, area)
    seen = np.zeros(CELLS, np.bool_)
    group = np.empty(CELLS, np.int16)
    out[:] = EMPTY
    pieces = 0
    for point in range(rows * cols):
        color = area[point]
        cell = cell_of(point, cols)
        if color == EMPTY or seen[cell]:
            continue
        count, seki = _flood_group(board, area, seen, group, cell)
        if not seki:
            pieces += 1 if color == BLACK else -1
        for i in range(count):
            own_stone = board["stones"][group[i]] == color
            if not seki or (keep_stones if own_stone else keep_territory):
                out[point_of(group[i], cols)] = color
    return pieces


@kernel
def counted_owner(board: Board, out: NDArray[np.int8]) -> int:
    """Write ``out: int8[points]``, for whom each point counts under these rules; return Black's tax less White's.

    Not for area scoring without a tax, which is `area_kernels.area_owner`.
    """
    area = board["scoring"] == AREA
    keep_territory = not area and board["tax"] == TAX_NONE
    pieces = independent_area(board, board["suicide"] != 0, keep_territory, area, out)
    if not area:
        cols = board["cols"]
        for point in range(board["rows"] * cols):
            stone = board["stones"][cell_of(point, cols)]
            if out[point] != EMPTY or stone == EMPTY:
                continue
            if board["phase"] < 2 or has_bit(board["encore_stones"][stone - 1], point):
                out[point] = stone
    return GROUP_TAX * pieces if board["tax"] == TAX_ALL else 0


@kernel
def _difference(owner: NDArray[np.int8]) -> int:
    """Black's points less White's."""
    total = 0
    for color in owner:
        if color == BLACK:
            total += 1
        elif color == WHITE:
            total -= 1
    return total


@kernel
def white_points(board: Board) -> float:
    """Points White has besides the board: komi, handicap bonus, the bonus for the play.

    A button that is still free at the end belongs to the player to move.
    """
    points = float(board["komi"]) + float(board["white_bonus"]) + float(board["play_bonus"])
    if board["button"] == BUTTON_FREE:
        points += 0.5 if board["to_play"] == WHITE else -0.5
    return points


@kernel
def black_margin(board: Board) -> float:
    """Points Black is ahead of White if the game ended here and nothing were agreed upon; 0 after a long cycle."""
    if board["no_result"] != 0:
        return 0.0
    if board["scoring"] == AREA and board["tax"] == TAX_NONE:
        return area_score(board) - white_points(board)
    owner = np.empty(board["rows"] * board["cols"], np.int8)
    tax = counted_owner(board, owner)
    return _difference(owner) - tax - white_points(board)
