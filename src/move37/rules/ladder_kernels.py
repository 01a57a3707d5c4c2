"""Ladders of whole boards: which chains are caught, by which moves, and which moves get away.

What counts as a ladder, and how it is read, is said in `ladder_search_kernels`. The position may be a board record's
present one or one of those it remembers.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from move37._jit import kernel
from move37.rules.board_kernels import (
    BLACK,
    EMPTY,
    NO_POINT,
    STRIDE,
    WALL,
    WHITE,
    Board,
    cell_of,
    give_liberty,
    has_bit,
    place_stone,
    point_of,
)
from move37.rules.ladder_search_kernels import (
    MOST_CANDIDATES,
    LadderWork,
    Level,
    add_move,
    ladder_work,
    least_after,
    liberties_of,
    list_captures,
    may_play,
    read,
)

__all__ = [
    "LadderWork",
    "is_captured",
    "is_laddered",
    "ladder_work",
    "list_answers",
    "mark_laddered",
    "start_from_board",
    "start_from_history",
    "write_attacks",
    "write_escapes",
    "write_laddered",
    "write_rescues",
]

# ------------------------------------------------------------------------------------------- the position asked about


@kernel
def start_from_board(work: LadderWork, board: Board) -> None:
    """Make the position of a board record the one that is asked about."""
    base = work[0]
    base["root"][:] = board["root"]
    base["next_stone"][:] = board["next_stone"]
    base["size"][:] = board["size"]
    base["liberties"][:] = board["liberties"]
    base["stones"][:] = board["stones"]
    base["rows"] = board["rows"]
    base["cols"] = board["cols"]
    base["ko_cell"] = 0 if board["ko_point"] == NO_POINT else cell_of(board["ko_point"], board["cols"])


@kernel
def _flood_chain(base: Level, start: int) -> None:
    """Make the stones connected to ``start`` one chain with that root, in a circle in the order they are met."""
    stones, root, next_stone = base["stones"], base["root"], base["next_stone"]
    color = stones[start]
    root[start] = start
    size = 1
    last = start
    stone = start
    while True:
        for direction in (-STRIDE, -1, 1, STRIDE):
            beside = stone + direction
            if stones[beside] == color and root[beside] == 0:
                root[beside] = start
                next_stone[last] = beside
                last = beside
                size += 1
        if stone == last:
            break
        stone = next_stone[stone]
    next_stone[last] = start
    base["size"][start] = size


@kernel
def start_from_history(work: LadderWork, board: Board, plies: int) -> None:
    """Make the configuration so many plies ago (0 to 7, less than ``history_length``) the one that is asked about."""
    base = work[0]
    rows, cols = board["rows"], board["cols"]
    base["rows"] = rows
    base["cols"] = cols
    ko_point = board["history_ko"][plies]
    base["ko_cell"] = 0 if ko_point == NO_POINT else cell_of(ko_point, cols)
    stones, root = base["stones"], base["root"]
    root[:] = 0
    stones[:] = WALL
    black, white = board["history"][plies, 0], board["history"][plies, 1]
    point = 0
    for row in range(rows):
        start = (row + 1) * STRIDE + 1
        for cell in range(start, start + cols):
            stones[cell] = has_bit(black, point) * BLACK + has_bit(white, point) * WHITE
            base["liberties"][cell] = 0
            point += 1
    for row in range(rows):
        start = (row + 1) * STRIDE + 1
        for cell in range(start, start + cols):
            if stones[cell] != EMPTY and root[cell] == 0:
                _flood_chain(base, cell)
    for row in range(rows):
        start = (row + 1) * STRIDE + 1
        for cell in range(start, start + cols):
            if stones[cell] == EMPTY:
                give_liberty(base, cell, 0)


# ------------------------------------------------------------------------------------------- one chain


@kernel
def _attack_works(work: LadderWork, target: int, move: int, other: int, moves: NDArray[np.int16]) -> bool:
    """Whether the attacker's ``move``, one liberty of the chain at ``target`` in ``work[0]``, captures it."""
    base = work[0]
    color = base["stones"][target]
    if least_after(base, base["root"][target], other, move) > 2 or not may_play(base, move, 3 - color):
        return False
    work[1] = base
    place_stone(work[1], move, 3 - color)
    work[1]["ko_cell"] = 0
    return read(work, target, True, moves)


@kernel
def _atari_works(work: LadderWork, target: int, moves: NDArray[np.int16]) -> bool:
    """Whether the chain at ``target`` in ``work[0]``, in atari, is captured even if its side moves first."""
    work[1] = work[0]
    work[1]["ko_cell"] = 0
    return read(work, target, True, moves)


@kernel
def _working_moves(work: LadderWork, target: int, moves: NDArray[np.int16]) -> tuple[int, int]:
    """The cells of the working ataris on a chain of two liberties; 0 for one that does not work."""
    first, second = liberties_of(work[0], target)
    works = first if _attack_works(work, target, first, second, moves) else 0
    return works, second if _attack_works(work, target, second, first, moves) else 0


@kernel
def is_laddered(work: LadderWork, target: int, moves: NDArray[np.int16]) -> bool:
    """Whether the chain at ``target`` in ``work[0]`` is caught in a ladder."""
    count = work[0]["liberties"][work[0]["root"][target]]
    if count > 2:
        return False
    if count == 1:
        return _atari_works(work, target, moves)
    first, second = _working_moves(work, target, moves)
    return first != 0 or second != 0


# ------------------------------------------------------------------------------------------- whole boards


@kernel
def _mark_chain(base: Level, chain: int, out: NDArray[np.bool_]) -> None:
    """Mark the points of a chain."""
    stone = chain
    while True:
        out[point_of(stone, base["cols"])] = True
        stone = base["next_stone"][stone]
        if stone == chain:
            return


@kernel
def mark_laddered(work: LadderWork, laddered: NDArray[np.bool_], captures: NDArray[np.bool_]) -> None:
    """`write_laddered` for the position in ``work[0]``."""
    base = work[0]
    rows, cols = base["rows"], base["cols"]
    stones, root, liberties = base["stones"], base["root"], base["liberties"]
    moves = np.empty(MOST_CANDIDATES, np.int16)
    laddered[:] = False
    captures[:, :] = False
    for row in range(rows):
        start = (row + 1) * STRIDE + 1
        for cell in range(start, start + cols):
            if stones[cell] == EMPTY or root[cell] != cell or liberties[cell] > 2:
                continue
            if liberties[cell] == 1:
                if _atari_works(work, cell, moves):
                    _mark_chain(base, cell, laddered)
                continue
            first, second = _working_moves(work, cell, moves)
            if first != 0 or second != 0:
                _mark_chain(base, cell, laddered)
                attacker = 3 - stones[cell]
                for move in (first, second):
                    if move != 0:
                        captures[attacker - 1, point_of(move, cols)] = True


@kernel
def write_laddered(board: Board, work: LadderWork, laddered: NDArray[np.bool_], captures: NDArray[np.bool_]) -> None:
    """Write which chains of a board are caught in a ladder, and by which moves.

    ``laddered: bool[points]``: the stones, of both colours, of each chain of one liberty that is captured even if its
    side moves first, and of each of two liberties that is captured if the other side moves first. ``captures: bool[2,
    points]``: ``captures[c - 1, p]`` if a move of colour ``c`` at ``p`` captures a chain of two liberties. The board's
    ko point may not be played by either colour.
    """
    start_from_board(work, board)
    mark_laddered(work, laddered, captures)


@kernel
def _gets_away(work: LadderWork, target: int, move: int, moves: NDArray[np.int16]) -> bool:
    """Whether the chain at ``target`` in ``work[0]`` is out of the ladder after its side's ``move``."""
    color = work[0]["stones"][target]
    if not may_play(work[0], move, color):
        return False
    work[1] = work[0]
    _, ko_cell, _ = place_stone(work[1], move, color)
    work[1]["ko_cell"] = ko_cell
    return not read(work, target, False, moves)


@kernel
def list_answers(base: Level, target: int, answers: NDArray[np.int16]) -> int:
    """List the moves of a ladder for the side of the chain at ``target``: it takes a chain in atari, or runs."""
    chain = base["root"][target]
    count = list_captures(base, chain, answers)
    for liberty in liberties_of(base, chain):
        if liberty != 0:
            count = add_move(answers, count, liberty)
    return count


@kernel
def _mark_escapes(work: LadderWork, target: int, out: NDArray[np.bool_]) -> bool:
    """Mark the moves that get the chain at ``target`` in ``work[0]`` out of the ladder; return whether there is one."""
    answers = np.empty(MOST_CANDIDATES, np.int16)
    moves = np.empty(MOST_CANDIDATES, np.int16)
    found = False
    for i in range(list_answers(work[0], target, answers)):
        if _gets_away(work, target, int(answers[i]), moves):
            out[point_of(int(answers[i]), work[0]["cols"])] = True
            found = True
    return found


@kernel
def write_escapes(board: Board, work: LadderWork, color: int, escapes: NDArray[np.bool_]) -> None:
    """Write ``escapes: bool[points]``: moves of ``color`` that get a chain of its own in atari out of the ladder.

    Such a move takes a chain beside it that is in atari, or runs; afterwards no line of ataris captures the chain. A
    ko that ``color`` may not retake now is no such move; superko is not looked at.
    """
    start_from_board(work, board)
    base = work[0]
    rows, cols = base["rows"], base["cols"]
    if color != board["to_play"]:
        base["ko_cell"] = 0
    escapes[:] = False
    for row in range(rows):
        start = (row + 1) * STRIDE + 1
        for cell in range(start, start + cols):
            if base["stones"][cell] == color and base["root"][cell] == cell and base["liberties"][cell] == 1:
                _mark_escapes(work, cell, escapes)


# ------------------------------------------------------------------------------------------- one chain of a board


@kernel
def is_captured(board: Board, work: LadderWork, point: int, attacker_first: bool) -> bool:
    """Whether the chain at ``point`` is captured by ataris alone, by who moves first; never with three liberties.

    With two liberties and its side to move it is captured if the other side could do it and no move of its own,
    capturing or on a liberty, helps.
    """
    start_from_board(work, board)
    base = work[0]
    target = int(base["root"][cell_of(point, base["cols"])])
    moves = np.empty(MOST_CANDIDATES, np.int16)
    if base["liberties"][target] == 1:
        return attacker_first or _atari_works(work, target, moves)
    if not is_laddered(work, target, moves):
        return False
    escapes: NDArray[np.bool_] = np.empty(int(base["rows"]) * int(base["cols"]), np.bool_)
    return attacker_first or not _mark_escapes(work, target, escapes)


@kernel
def write_attacks(board: Board, work: LadderWork, point: int, attacks: NDArray[np.bool_]) -> None:
    """Write ``attacks: bool[points]``: moves of the other side that capture the chain at ``point``.

    The chain has one or two liberties. On the last one every legal move captures, of two those that work in a ladder.
    """
    start_from_board(work, board)
    base = work[0]
    target = int(base["root"][cell_of(point, base["cols"])])
    first, second = liberties_of(base, target)
    if second != 0:
        first, second = _working_moves(work, target, np.empty(MOST_CANDIDATES, np.int16))
    elif not may_play(base, first, 3 - base["stones"][target]):
        first = 0
    attacks[:] = False
    for move in (first, second):
        if move != 0:
            attacks[point_of(move, base["cols"])] = True


@kernel
def write_rescues(board: Board, work: LadderWork, point: int, rescues: NDArray[np.bool_]) -> None:
    """Write ``rescues: bool[points]``: moves of the ladder that get the chain at ``point`` out of it.

    The chain has one or two liberties and its side moves first, by taking a chain beside it or on a liberty.
    """
    start_from_board(work, board)
    base = work[0]
    target = int(base["root"][cell_of(point, base["cols"])])
    if base["stones"][target] != board["to_play"]:
        base["ko_cell"] = 0
    rescues[:] = False
    _mark_escapes(work, target, rescues)
