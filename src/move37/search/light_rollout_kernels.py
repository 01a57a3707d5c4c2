"""Light rollouts: a game played to its end by moves that answer the last one where there is something to answer.

A *light* policy gives every move a weight from a few signs that need no reading, and draws in proportion:

- any playable move weighs 1; one that puts its own chain of one or two stones into atari a quarter; one that fills an
  own eye, or puts more stones than that into atari, nothing;
- an answer to the last move weighs more by a *share* of the number of empty points, so that it is as likely on a large
  board as on a small one: taking the stones just moved, if they are in atari; saving own stones that the last move put
  into atari, by taking one of their neighbours or by running; a 3×3 shape beside the last move.

What saves is said in `rules.escape_kernels`.

The weights are drawn from exactly, by rejection: `write_weights` gives the same ones as a table, which also serves as
a quick policy where a search has no better. Learned rollout policies are not here. The rest of a rollout is that of
`rollout_kernels`.

Source: answers and shapes near the last move are MoGo's (Gelly, Wang, Munos, Teytaud 2006, INRIA RR-6062); drawing by
weights is Coulom's (Computing Elo Ratings of Move Patterns, 2007). The shares are measured, not derived.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from move37._jit import kernel
from move37.features.pattern_kernels import shape_families
from move37.features.rollout_around_kernels import recent_cell
from move37.rules.atari_kernels import atari_size, some_liberty
from move37.rules.board_kernels import (
    CELLS,
    EMPTY,
    NO_POINT,
    STRIDE,
    Board,
    BoardArray,
    cell_of,
    liberty_status,
    place_stone,
    point_of,
)
from move37.rules.escape_kernels import MOST_SAVING, is_threatened, list_saving
from move37.rules.eye_kernels import is_own_eye
from move37.search.rollout_kernels import list_captured, list_empty, next_random, set_aside, unlist

TAKE: Final = 1  # kinds of answers, as bits
SAVE: Final = 2
SHAPE: Final = 4
SHARES: Final = np.array([0, 8, 4, 12, 2, 10, 6, 14], np.int64)
"""What an answer of these kinds together weighs, in numbers of empty points."""

FULL: Final = 4  # weights are counted in quarters
TIMID: Final = 1  # what a small self-atari weighs
LARGEST_SACRIFICE: Final = 2
MOST_ANSWERS: Final = 32


@kernel
def _offer(cells: NDArray[np.int16], kinds: NDArray[np.uint8], count: int, cell: int, kind: int) -> int:
    """Note that a cell is an answer of a kind; return the number of answers."""
    for i in range(count):
        if cells[i] == cell:
            kinds[i] |= kind
            return count
    if count < MOST_ANSWERS:
        cells[count] = cell
        kinds[count] = kind
        count += 1
    return count


@kernel
def base_weight(board: Board, ko: int, cell: int, color: int) -> int:
    """What an empty cell weighs without regard to the last move: 0, TIMID or FULL."""
    if cell == ko or is_own_eye(board, cell, color) or liberty_status(board, cell, color) != 0:
        return 0
    own = atari_size(board, cell, color)
    if own == 0:
        return FULL
    return TIMID if own <= LARGEST_SACRIFICE else 0


@kernel
def list_answers(
    board: Board, ko: int, last: int, color: int, cells: NDArray[np.int16], kinds: NDArray[np.uint8]
) -> int:
    """List the answers of ``color`` to the stone on the cell ``last`` (0: none); return how many.

    ``cells: int16[MOST_ANSWERS]``, ``kinds: uint8[MOST_ANSWERS]``, bits of TAKE, SAVE, SHAPE.
    """
    stones, root, liberties = board["stones"], board["root"], board["liberties"]
    if last == 0 or stones[last] != 3 - color:
        return 0
    count = 0
    if liberties[root[last]] == 1:
        cell = some_liberty(board, root[last], 0)
        if cell != ko:
            count = _offer(cells, kinds, count, cell, TAKE)
    if is_threatened(board, last, color):
        saving = np.empty(MOST_SAVING, np.int16)
        for i in range(list_saving(board, ko, last, color, saving)):
            count = _offer(cells, kinds, count, saving[i], SAVE)
    for direction in (-STRIDE - 1, -STRIDE, -STRIDE + 1, -1, 1, STRIDE - 1, STRIDE, STRIDE + 1):
        cell = last + direction
        if stones[cell] == EMPTY and shape_families(board, cell) and base_weight(board, ko, cell, color) == FULL:
            count = _offer(cells, kinds, count, cell, SHAPE)
    return count


@kernel
def _draw_answer(
    state: NDArray[np.uint64], cells: NDArray[np.int16], kinds: NDArray[np.uint8], answers: int, empty: int, drawn: int
) -> int:
    """The answer that the number ``drawn`` falls on, each being as wide as its weight; 0 if beyond them."""
    for i in range(answers):
        drawn -= int(SHARES[kinds[i]]) * empty
        if drawn < 0:
            return int(cells[i])
    return 0


@kernel
def light_rollout(board: Board, state: NDArray[np.uint64], moves: NDArray[np.int16]) -> int:
    """`rollout_kernels.rollout` with light moves; the first answers the board's last move."""
    cols = board["cols"]
    empty = np.empty(CELLS, np.int16)
    place = np.empty(CELLS, np.int16)
    cells = np.empty(MOST_ANSWERS, np.int16)
    kinds = np.empty(MOST_ANSWERS, np.uint8)
    count = list_empty(board, empty, place)
    color = board["to_play"] + 0  # an int64 from the start, or what it is given to is compiled twice
    ko = cell_of(board["ko_point"], cols) if board["ko_point"] != NO_POINT else 0
    last = recent_cell(board, 0)
    passes = 0
    played = 0
    while passes < 2 and played < moves.shape[0]:
        answers = list_answers(board, ko, last, color, cells, kinds)
        chosen = choose_light(board, state, ko, color, empty, place, count, cells, kinds, answers)
        moves[played] = point_of(chosen, cols) if chosen != 0 else board["rows"] * cols
        played += 1
        last = chosen
        ko = 0
        if chosen == 0:
            passes += 1
            color = 3 - color
            continue
        passes = 0
        count = unlist(empty, place, count, chosen)
        captured, ko, _ = place_stone(board, chosen, color)
        if captured > 0:
            count = list_captured(board, empty, place, count, chosen)
        color = 3 - color
    return played


@kernel
def choose_light(
    board: Board,
    state: NDArray[np.uint64],
    ko: int,
    color: int,
    empty: NDArray[np.int16],
    place: NDArray[np.int16],
    count: int,
    cells: NDArray[np.int16],
    kinds: NDArray[np.uint8],
    answers: int,
) -> int:
    """Draw a cell by its weight from the ``count`` empty ones; 0 if none may be played.

    Proposed are the answers by their own weights and every empty cell alike; a cell that weighs less than FULL is then
    refused in proportion and all is drawn anew, so that each move comes as often as it weighs.
    """
    extra = 0
    for i in range(answers):
        extra += int(SHARES[kinds[i]]) * count
    untried = count
    while untried + extra > 0:
        drawn = next_random(state, untried + extra)
        if drawn < extra:
            return _draw_answer(state, cells, kinds, answers, count, drawn)
        i = drawn - extra
        cell = empty[i]
        weight = base_weight(board, ko, cell, color)
        if weight == FULL or (weight > 0 and next_random(state, FULL) < weight):
            return int(cell)
        if weight == 0:
            untried -= 1
            set_aside(empty, place, i, untried)
    return 0


@kernel
def write_weights(board: Board, weights: NDArray[np.float32]) -> None:
    """Write how much each move weighs for the player to move: ``weights: float32[A]``, in no unit; they sum above 0.

    A pass weighs nothing while there is another move. Superko is not looked at.
    """
    cols, color = board["cols"], board["to_play"]
    ko = cell_of(board["ko_point"], cols) if board["ko_point"] != NO_POINT else 0
    empty = 0
    total = np.float32(0.0)
    for point in range(weights.shape[0] - 1):
        cell = cell_of(point, cols)
        weights[point] = 0.0
        if board["stones"][cell] == EMPTY:
            empty += 1
            weights[point] = base_weight(board, ko, cell, color) / FULL
            total += weights[point]
    cells = np.empty(MOST_ANSWERS, np.int16)
    kinds = np.empty(MOST_ANSWERS, np.uint8)
    answers = list_answers(board, ko, recent_cell(board, 0), color, cells, kinds)
    for i in range(answers):
        weights[point_of(cells[i], cols)] += int(SHARES[kinds[i]]) * empty
    weights[-1] = 0.0 if total > 0.0 or answers > 0 else 1.0


@kernel
def write_weights_batch(boards: BoardArray, weights: NDArray[np.float32]) -> None:
    """``write_weights`` of each record: ``boards: BOARD[B]`` of one size, ``weights: float32[B, A]``."""
    for i in range(boards.shape[0]):
        write_weights(boards[i], weights[i])
