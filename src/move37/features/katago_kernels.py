"""Compiled writing of KataGo's inputs of version 7 from board records; what each plane and number is, `katago` says.

Kernels trust their callers. A plane starts as zeros and ones are written into it: most are nearly empty.
"""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from move37._jit import kernel
from move37.rules.board_kernels import (
    AREA,
    BLACK,
    BUTTON_FREE,
    EMPTY,
    KO_POSITIONAL,
    KO_SIMPLE,
    NO_POINT,
    STRIDE,
    TERRITORY,
    WHITE,
    WORDS,
    Board,
    BoardArray,
    has_bit,
    is_over,
)
from move37.rules.ladder_kernels import (
    LadderWork,
    ladder_work,
    mark_laddered,
    start_from_board,
    start_from_history,
)
from move37.rules.life_kernels import basic_area
from move37.rules.score_kernels import GROUP_TAX, TAX_ALL, TAX_NONE, independent_area

PLANES: Final = 22
NUMBERS: Final = 19
HISTORY_PLIES: Final = 5
KOMI_MARGIN: Final = 20
"""Komi is clipped to the number of points and this many more, and divided by it."""

OPTIONS: Final = np.dtype(
    [
        ("draw_value", np.float64),
        ("doubling_advantage", np.float64),
        ("history", np.int8),
        ("conservative_pass", np.int8),
        ("passing_hacks", np.int8),
        ("suicide_for_life", np.int8),  # -1: as the rules say
    ],
    align=True,
)
"""The options of an encoder, see `katago.KataGoEncoder`."""
Options = Any
"""One record of dtype `OPTIONS`."""

_STONES: Final = 1
_LIBERTIES: Final = 2  # planes 3, 4 and 5 for one, two and three
_BANS: Final = 6
_BLOCKS: Final = 7
_MOVES: Final = 9
_LADDERED: Final = 14
_CAPTURES: Final = 17
_AREA: Final = 18
_FIRST_STONES: Final = 20

_ZERO = np.uint64(0)
_ONE = np.float32(1.0)
_TWO = np.float32(2.0)


# ---------------------------------------------------------------------------------------------------- planes


@kernel
def _write_stones(board: Board, planes: NDArray[np.float32]) -> None:
    """Planes 0 to 5: the board, the stones, the stones of chains with one, two and three liberties."""
    stones, root, liberties = board["stones"], board["root"], board["liberties"]
    to_play = board["to_play"]
    planes[0] = _ONE
    point = 0
    for row in range(board["rows"]):
        start = (row + 1) * STRIDE + 1
        for cell in range(start, start + board["cols"]):
            color = stones[cell]
            if color != EMPTY:
                planes[_STONES if color == to_play else _STONES + 1, point] = _ONE
                count = liberties[root[cell]]
                if count <= 3:
                    planes[_LIBERTIES + count, point] = _ONE
            point += 1


@kernel
def _add_bits(words: NDArray[np.uint64], plane: NDArray[np.float32]) -> None:
    """Ones for the points of a bit board."""
    for word in range(WORDS):
        if words[word] != _ZERO:
            for point in range(word * 64, min(word * 64 + 64, plane.shape[0])):
                if has_bit(words, point):
                    plane[point] = _ONE


@kernel
def _write_bans(board: Board, planes: NDArray[np.float32]) -> None:
    """Planes 6 and 7, and the stones of planes 20 and 21: what earlier moves forbid, and what the encore remembers."""
    _add_bits(board["superko_banned"], planes[_BANS])
    if board["ko_point"] != NO_POINT:
        planes[_BANS, board["ko_point"]] = _ONE
    if board["phase"] > 0:
        _add_bits(board["ko_recapture_blocked"], planes[_BLOCKS])
    if board["phase"] > 1:
        own = board["to_play"] - 1
        _add_bits(board["encore_stones"][own], planes[_FIRST_STONES])
        _add_bits(board["encore_stones"][1 - own], planes[_FIRST_STONES + 1])


@kernel
def _write_moves(board: Board, plies: int, planes: NDArray[np.float32], numbers: NDArray[np.float32]) -> int:
    """Planes 9 to 13 and numbers 0 to 4, at most ``plies`` moves back; return how many are shown."""
    points = board["rows"] * board["cols"]
    mover = board["to_play"]
    for ply in range(plies):
        mover = 3 - mover
        if board["last_colors"][ply] != mover:
            return ply
        move = board["last_moves"][ply]
        if move == points:
            numbers[ply] = _ONE
        else:
            planes[_MOVES + ply, move] = _ONE
    return plies


@kernel
def _write_ladders(
    board: Board,
    plies: int,
    work: LadderWork,
    laddered: NDArray[np.bool_],
    captures: NDArray[np.bool_],
    planes: NDArray[np.float32],
) -> None:
    """Planes 14 to 17, from the present configuration and the two before it if ``plies`` moves are shown."""
    start_from_board(work, board)
    mark_laddered(work, laddered, captures)
    planes[_LADDERED] = laddered
    planes[_CAPTURES] = captures[board["to_play"] - 1]
    for ago in range(1, 3):
        if ago <= plies:
            start_from_history(work, board, ago)
            mark_laddered(work, laddered, captures)
        planes[_LADDERED + ago] = laddered


@kernel
def _find_area(board: Board, suicide: bool, area: NDArray[np.int8]) -> tuple[bool, float]:
    """Write ``area: int8[points]``; return whether the planes 18 and 19 exist now, and Black's tax less White's."""
    area_scoring = board["scoring"] == AREA
    if area_scoring and board["tax"] == TAX_NONE:
        basic_area(board, suicide, True, True, True, area)
        return True, 0.0
    if not area_scoring and board["phase"] < 2:
        return False, 0.0
    keep_territory = not area_scoring and board["tax"] == TAX_NONE
    pieces = independent_area(board, suicide, keep_territory, area_scoring, area)
    return True, float(GROUP_TAX * pieces) if board["tax"] == TAX_ALL else 0.0


@kernel
def _add_first_stones(board: Board, area: NDArray[np.int8]) -> None:
    """Under territory scoring also stones count that stood there when the second encore began."""
    point = 0
    for row in range(board["rows"]):
        start = (row + 1) * STRIDE + 1
        for cell in range(start, start + board["cols"]):
            color = board["stones"][cell]
            if color != EMPTY and area[point] == EMPTY and has_bit(board["encore_stones"][color - 1], point):
                area[point] = color
            point += 1


@kernel
def _write_area(board: Board, area: NDArray[np.int8], planes: NDArray[np.float32]) -> int:
    """Planes 18 and 19; return the difference of their sums."""
    own = board["to_play"]
    lead = 0
    for point in range(planes.shape[1]):
        owner = area[point]
        if owner == own:
            planes[_AREA, point] = _ONE
            lead += 1
        elif owner != EMPTY:
            planes[_AREA + 1, point] = _ONE
            lead -= 1
    return lead


# ---------------------------------------------------------------------------------------------------- numbers


@kernel
def own_komi(board: Board, draw_value: float) -> np.float32:
    """All points the player to move has besides the board; a draw counts as ``draw_value`` wins for White."""
    komi = np.float32(board["komi"])
    points = np.float32(board["play_bonus"]) + np.float32(board["white_bonus"]) + komi
    if (math.floor(komi) == komi) != (board["button"] != 0):  # the result will be a whole number
        points += np.float32(draw_value - 0.5)
    return np.float32(points if board["to_play"] == WHITE else -points)


@kernel
def parity_wave(komi: np.float32, points: int) -> np.float32:
    """Where ``komi`` lies between the komis that can give a draw on a board of so many points, as a triangle wave."""
    odd = np.float32(points % 2)
    floor = np.float32(math.floor((komi - odd) / _TWO)) * _TWO + odd
    above = np.float32(komi - floor)
    if above < 0.5:
        return above
    if above < 1.5:
        return np.float32(_ONE - above)
    return np.float32(above - _TWO)


@kernel
def _write_rules(board: Board, numbers: NDArray[np.float32]) -> None:
    """Numbers 6 to 13 and 17."""
    if board["ko_rule"] != KO_SIMPLE:
        numbers[6] = _ONE
        numbers[7] = np.float32(0.5 if board["ko_rule"] == KO_POSITIONAL else -0.5)
    numbers[8] = np.float32(board["suicide"])
    numbers[9] = np.float32(board["scoring"] == TERRITORY)
    numbers[10] = np.float32(board["tax"] != TAX_NONE)
    numbers[11] = np.float32(board["tax"] == TAX_ALL)
    numbers[12] = np.float32(board["phase"] >= 1)
    numbers[13] = np.float32(board["phase"] >= 2)
    numbers[17] = np.float32(board["button"] == BUTTON_FREE)


@kernel
def _write_komi(board: Board, komi: np.float32, numbers: NDArray[np.float32]) -> None:
    """Numbers 5 and 18, of the komi as the player to move sees it."""
    points = int(board["rows"]) * int(board["cols"])
    most = np.float32(points + KOMI_MARGIN)
    clipped = np.float32(min(max(komi, -most), most))
    numbers[5] = clipped / np.float32(KOMI_MARGIN)
    if board["scoring"] == AREA or board["phase"] >= 2:
        numbers[18] = parity_wave(clipped, points)


# ---------------------------------------------------------------------------------------------------- whole positions


@kernel
def _hides_end(board: Board, options: Options, losing: bool) -> bool:
    """Whether a pass would end the game but is shown as if it did not, without history. ``losing``: it does not win."""
    passes = 0 if board["button"] == BUTTON_FREE else board["passes"] + 1
    final = board["scoring"] == AREA or board["phase"] >= 2
    if not final or (passes < 2 and board["pass_repeats"] == 0):
        return False
    friendly = board["friendly_pass"] != 0 and board["scoring"] == AREA
    if friendly and passes == 2 and board["pass_repeats"] == 0:
        return True
    return bool(options["conservative_pass"] != 0 or (options["passing_hacks"] != 0 and losing))


@kernel
def pass_ends_phase(board: Board) -> bool:
    """Whether a pass now would end the phase: the second in a row (taking a button is none), or one that repeats."""
    return bool((board["button"] != BUTTON_FREE and board["passes"] >= 1) or board["pass_repeats"] != 0)


@kernel
def write_katago(
    board: Board,
    options: Options,
    work: LadderWork,
    laddered: NDArray[np.bool_],
    captures: NDArray[np.bool_],
    area: NDArray[np.int8],
    planes: NDArray[np.float32],
    numbers: NDArray[np.float32],
) -> None:
    """Write one record's ``planes: float32[22, points]`` and ``numbers: float32[19]``; the others are scratch."""
    planes[:, :] = 0.0
    numbers[:] = 0.0
    _write_stones(board, planes)
    _write_bans(board, planes)
    _write_rules(board, numbers)
    komi = own_komi(board, options["draw_value"])
    _write_komi(board, komi, numbers)
    suicide = board["suicide"] != 0 if options["suicide_for_life"] < 0 else options["suicide_for_life"] != 0
    exists, tax = _find_area(board, suicide, area)
    losing = False
    if exists:
        if board["scoring"] == TERRITORY:
            _add_first_stones(board, area)
        lead = _write_area(board, area, planes)
        losing = bool(lead + komi - (tax if board["to_play"] == BLACK else -tax) <= 0)
    plies = min(HISTORY_PLIES, options["history"], board["phase_moves"])
    if _hides_end(board, options, losing):
        plies = 0
    else:
        numbers[14] = np.float32(pass_ends_phase(board))
        if is_over(board):
            plies = min(plies, 1)
    plies = _write_moves(board, plies, planes, numbers)
    _write_ladders(board, plies, work, laddered, captures, planes)
    if options["doubling_advantage"] != 0.0:
        numbers[15] = _ONE
        numbers[16] = np.float32(0.5 * options["doubling_advantage"])


@kernel
def write_katago_batch(
    boards: BoardArray, options: Options, planes: NDArray[np.float32], numbers: NDArray[np.float32]
) -> None:
    """``write_katago`` of each of ``boards: BOARD[B]`` of one size: ``float32[B, 22, points]``, ``float32[B, 19]``."""
    points = planes.shape[2]
    work = ladder_work()
    laddered = np.empty(points, np.bool_)
    captures = np.empty((2, points), np.bool_)
    area = np.empty(points, np.int8)
    for i in range(boards.shape[0]):
        write_katago(boards[i], options, work, laddered, captures, area, planes[i], numbers[i])
