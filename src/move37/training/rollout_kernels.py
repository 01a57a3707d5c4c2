"""Patterns and gradients of rollout policies from whole games: each game is played through once, position by position.

`mine` counts the patterns that come up; `learn` adds up the gradient of the log-likelihood of the moves played, among
all moves that are legal, ko included, and fill no own eye. Passes are played and not learned. The caller deals games
out to threads: no call touches what another writes.
"""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from move37._jit import kernel
from move37.features.neighbourhood_kernels import (
    NO_KEY,
    diamond_code,
    find_slot,
    least,
    least_with_symmetry,
    other_side,
)
from move37.features.rollout_around_kernels import NO_FEATURE, Around, PatternTables, play_stone, start
from move37.features.rollout_feature_kernels import MOST_TAKEN, answer_code, nakade_key
from move37.features.rollout_move_kernels import MOST_FEATURES, POINTS, list_candidates, write_logits
from move37.rules.board_kernels import EMPTY, WHITE, Board, BoardArray, cell_of, liberty_status

FIGURES: Final = 3
"""Positions, sum of cross-entropies in nats, sum of hits."""


@kernel
def is_sound(board: Board, cell: int, ko: int, color: int) -> bool:
    """Whether a move of a stored game may be played, suicide not."""
    return bool(board["stones"][cell] == EMPTY and cell != ko and liberty_status(board, cell, color) == 0)


# ----------------------------------------------------------------------------------------------------------- mining


@kernel
def _count(keys: NDArray[np.int64], counts: NDArray[np.int32], key: int, room: NDArray[np.int64], kind: int) -> None:
    """Count a key; one that is new is left out when there is no room."""
    slot = find_slot(keys, key)
    if keys[slot] == NO_KEY:
        if room[kind] == 0:
            return
        room[kind] -= 1
        keys[slot] = key
    counts[slot] += 1


@kernel
def _count_at(
    around: Around,
    mask: int,
    cell: int,
    color: int,
    keys: NDArray[np.int64],
    counts: NDArray[np.int32],
    room: NDArray[np.int64],
) -> None:
    """Count the 3x3 shape and the diamond around a cell where ``color`` may play."""
    code = diamond_code(around["shown"], cell)
    if color == WHITE:
        code = other_side(code)
    _count(keys[2], counts[2], least(code & mask), room, 2)
    _count(keys[3], counts[3], least(code), room, 3)


@kernel
def mine(
    boards: BoardArray,
    moves: NDArray[np.uint16],
    offsets: NDArray[np.int64],
    work: NDArray[Any],
    tables: PatternTables,
    keys: NDArray[np.int64],
    counts: NDArray[np.int32],
    room: NDArray[np.int64],
) -> int:
    """Count the patterns of games: ``boards: BOARD[G]`` before their moves, ``moves[offsets[g] : offsets[g + 1]]``.

    ``work: AROUND[1]`` is room to work in. ``keys: int64[4, 2^n]``, ``counts: int32[4, 2^n]``, ``room: int64[4]`` (how
    many more keys may come) are of nakade, answers, shapes and diamonds. A shape or diamond counts where it newly comes
    up for the player to move, and once more where it is played. Returns the first game with an illegal move, or -1.
    """
    around = work[0]
    for game in range(boards.shape[0]):
        board = boards[game]
        start(board, around, tables)
        color, ko, last = board["to_play"] + 0, 0, 0
        for k in range(offsets[game], offsets[game + 1]):
            if last != 0:
                key, _ = least_with_symmetry(answer_code(around, last, color))
                _count(keys[1], counts[1], key, room, 1)
                for i in range(around["takes"] if around["takes"] <= MOST_TAKEN else 0):
                    _count(
                        keys[0],
                        counts[0],
                        nakade_key(around["taken"], around["takes"], int(around["taken"][i])),
                        room,
                        0,
                    )
            if moves[k] == board["rows"] * board["cols"]:
                last = ko = 0
                color = 3 - color
                continue
            last = cell_of(moves[k], board["cols"])
            if not is_sound(board, last, ko, color):
                return game
            _count_at(around, tables.mask, last, color, keys, counts, room)
            ko = play_stone(board, around, tables, last, color)
            color = 3 - color
            for i in range(around["changes"]):
                cell = around["changed"][i]
                if around["ids"][color - 1, cell] != NO_FEATURE:
                    _count_at(around, tables.mask, cell, color, keys, counts, room)
    return -1


# --------------------------------------------------------------------------------------------------------- learning


@kernel
def _add_gradient(
    logits: NDArray[np.float32],
    features: NDArray[np.int32],
    ends: NDArray[np.int16],
    policy: int,
    count: int,
    chosen: int,
    gradient: NDArray[np.float32],
    figures: NDArray[np.float64],
) -> None:
    """Add one position's gradient of the cross-entropy, and its figures. ``logits`` become probabilities.

    Where several moves have the greatest logit and one of them was played, it is a part of a hit.
    """
    greatest = logits[:count].max()
    figures[0] += 1
    if logits[chosen] == greatest:
        figures[2] += 1.0 / (logits[:count] == greatest).sum()
    total = np.float32(0.0)
    for row in range(count):
        logits[row] = math.exp(logits[row] - greatest)
        total += logits[row]
    figures[1] -= math.log(max(logits[chosen] / total, 1e-30))
    for row in range(count):
        share = logits[row] / total
        if row == chosen:
            share -= np.float32(1.0)
        for i in range(ends[row, policy] if gradient.shape[0] > 0 else 0):
            gradient[features[row, i]] += share


@kernel
def learn(
    boards: BoardArray,
    moves: NDArray[np.uint16],
    offsets: NDArray[np.int64],
    first: int,
    step: int,
    work: NDArray[Any],
    tables: PatternTables,
    rollout: NDArray[np.float32],
    tree: NDArray[np.float32],
    gradients: NDArray[np.float32],
    figures: NDArray[np.float64],
) -> int:
    """Go through games as `mine`, those with numbers first, first + step, ...; add up gradients and figures.

    ``work: AROUND[1]``. ``rollout``, ``tree``: the weights; without any of the tree policy only the other is asked.
    ``gradients: float32[2, W]``, or ``[2, 0]`` for figures alone. ``figures: float64[2, FIGURES]``. A move that is no
    candidate (it fills an own eye) counts as a miss and teaches nothing. Returns the first game with an illegal move,
    or -1.
    """
    around = work[0]
    cells, logits = np.empty(POINTS, np.int16), np.empty(POINTS, np.float32)
    features, ends = np.empty((POINTS, MOST_FEATURES), np.int32), np.empty((POINTS, 2), np.int16)
    both = tree.shape[0] > 0
    for game in range(first, boards.shape[0], step):
        board = boards[game]
        start(board, around, tables)
        color, ko, last, before = board["to_play"] + 0, 0, 0, 0
        for k in range(offsets[game], offsets[game + 1]):
            if moves[k] == board["rows"] * board["cols"]:
                before, last, ko = last, 0, 0
                color = 3 - color
                continue
            move = cell_of(moves[k], board["cols"])
            if not is_sound(board, move, ko, color):
                return game
            count = list_candidates(board, around, tables, ko, last, before, color, both, cells, features, ends)
            chosen = -1
            for row in range(count):
                if cells[row] == move:
                    chosen = row
            for policy in range(2 if both else 1):
                if chosen < 0:
                    figures[policy, 0] += 1
                    continue
                weights = tree if policy == 1 else rollout
                write_logits(weights, features, ends, policy, count, logits)
                _add_gradient(logits, features, ends, policy, count, chosen, gradients[policy], figures[policy])
            before, last = last, move
            ko = play_stone(board, around, tables, move, color)
            color = 3 - color
    return -1
