"""Rollouts by a trained policy: games played out by moves drawn from a softmax over patterns.

Every empty point has a weight for either colour, the exponential of its pattern's; rows of the board have sums of them.
After a move only points whose surroundings changed get new weights; what answers the last move is multiplied in before
the draw and taken out after it. A move is drawn by the rows' sums and then along its row. Weights are whole numbers, so
that sums stay exact and the order of changes leaves no trace. The rest of a rollout is that of `rollout_kernels`.

With *replies* a player often answers a move as the winner of an earlier rollout did (last good reply with forgetting:
Baier, Drake, The Power of Forgetting, 2010; AlphaGo 2016 kept such replies from its tree instead).

Source: Silver et al. 2016, Methods ("Rollout policy"), which names 2 µs a move and 1,000 rollouts a second and thread.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from move37._jit import inlined, kernel
from move37.features.rollout_around_kernels import NO_FEATURE, Around, PatternTables, play_stone, recent_cell, start
from move37.features.rollout_feature_kernels import MOST_LOCAL, MOST_OWN, list_local, list_own
from move37.rules.area_kernels import area_owner
from move37.rules.board_kernels import (
    BLACK,
    BOARD,
    CELLS,
    NO_POINT,
    STRIDE,
    Board,
    BoardArray,
    cell_of,
    point_of,
)
from move37.rules.score_kernels import white_points
from move37.search.rollout_kernels import next_random, seed_random

UNIT: Final = 2.0**20
"""What a move of logit 0 weighs."""
HEAVIEST: Final = 2.0**44  # so that the sum of a board stays exact in a float64
REPLIES: Final = 9
"""In ten: how often a reply that is known and may be played is played."""

DRAW: Final = np.dtype(
    [
        ("weights", np.int64, (2, CELLS)),  # [colour - 1]; 0 where it may not play
        ("rows", np.int64, (2, STRIDE + 1)),  # sums of the weights of a row of cells
        ("before", np.int64, (MOST_LOCAL + 1,)),  # weights to go back to after the draw
        ("cells", np.int16, (MOST_LOCAL + 1,)),  # whose they are
        ("features", np.int32, (MOST_LOCAL,)),
        ("own", np.int32, (MOST_OWN,)),
    ],
    align=True,
)
"""What moves are drawn from; beside a board record and its AROUND."""
Draw = Any
"""One record of dtype ``DRAW``."""


class Weights(NamedTuple):
    """Exponentials of a policy's weights: ``gammas: float32[R]``, and ``bases: int64[R]`` in UNITs, 1 to HEAVIEST."""

    gammas: NDArray[np.float32]
    bases: NDArray[np.int64]


@kernel
def set_weight(draw: Draw, side: int, cell: int, weight: int) -> None:
    """Give a cell another weight for a side (colour - 1)."""
    draw["rows"][side, cell // STRIDE] += weight - draw["weights"][side, cell]
    draw["weights"][side, cell] = weight


@inlined
def _weigh(
    board: Board,
    around: Around,
    draw: Draw,
    article: bool,
    gammas: NDArray[np.float32],
    bases: NDArray[np.int64],
    cell: int,
) -> None:
    """Give a cell the weights of its pattern for both sides."""
    for side in range(2):
        weight = 0
        feature = around["ids"][side, cell]
        if feature != NO_FEATURE:
            weight = int(bases[feature])
            if article:
                product = 1.0 * weight
                for i in range(1, list_own(board, around, article, cell, side + 1, draw["own"])):
                    product *= gammas[draw["own"][i]]
                weight = int(min(max(product, 1.0), HEAVIEST))
        if draw["weights"][side, cell] != weight:
            set_weight(draw, side, cell, weight)


@kernel
def weigh_all(board: Board, around: Around, draw: Draw, article: bool, weights: Weights) -> None:
    """Make ``draw`` that of a board; ``around`` already is."""
    draw["weights"][:, :] = 0
    draw["rows"][:, :] = 0
    gammas, bases = weights.gammas, weights.bases
    for point in range(board["rows"] * board["cols"]):
        _weigh(board, around, draw, article, gammas, bases, cell_of(point, board["cols"]))


@inlined
def weigh_changed(board: Board, around: Around, draw: Draw, article: bool, weights: Weights) -> None:
    """Keep up after `play_stone`."""
    gammas, bases = weights.gammas, weights.bases
    for i in range(around["changes"]):
        _weigh(board, around, draw, article, gammas, bases, around["changed"][i])


@inlined
def lift(
    board: Board,
    around: Around,
    draw: Draw,
    tables: PatternTables,
    weights: Weights,
    ko: int,
    last: int,
    color: int,
) -> int:
    """Multiply in what answers the last move, and forbid the ko; return how many changes `lower` has to take back."""
    cells, features = draw["cells"], draw["features"]
    side = color - 1
    count = list_local(board, around, tables, ko, last, color, cells, features)
    gammas = weights.gammas
    for i in range(count):
        weight = draw["weights"][side, cells[i]]
        draw["before"][i] = weight
        set_weight(draw, side, cells[i], int(min(max(weight * gammas[features[i]], 1.0), HEAVIEST)))
    if ko != 0:
        cells[count] = ko
        draw["before"][count] = draw["weights"][side, ko]
        set_weight(draw, side, ko, 0)
        count += 1
    return count


@kernel
def lower(draw: Draw, color: int, count: int) -> None:
    """Take back what `lift` did."""
    for i in range(count - 1, -1, -1):
        set_weight(draw, color - 1, draw["cells"][i], draw["before"][i])


@kernel
def _draw_cell(board: Board, draw: Draw, state: NDArray[np.uint64], color: int) -> int:
    """A cell drawn by its weight; 0 if none has any."""
    rows, weights = draw["rows"][color - 1], draw["weights"][color - 1]
    total = 0
    for row in range(1, board["rows"] + 1):
        total += rows[row]
    if total == 0:
        return 0
    part = (next_random(state, 1 << 26) * 67108864.0 + next_random(state, 1 << 26)) / 4503599627370496.0
    left = min(int(part * total), total - 1)
    row = 1
    while left >= rows[row]:
        left -= rows[row]
        row += 1
    cell = row * STRIDE + 1
    while left >= weights[cell]:
        left -= weights[cell]
        cell += 1
    return cell


@kernel
def _draw_move(
    board: Board, draw: Draw, replies: NDArray[np.int16], state: NDArray[np.uint64], last: int, color: int
) -> int:
    """A reply that is known, mostly, or a cell drawn by its weight; 0 for a pass."""
    if replies.shape[1] > 0 and last != 0:
        reply = int(replies[color - 1, last])
        if draw["weights"][color - 1, reply] > 0 and next_random(state, 10) < REPLIES:
            return reply
    return _draw_cell(board, draw, state, color)


@kernel
def play_pattern_rollouts(
    boards: BoardArray,
    games: int,
    first: int,
    last: int,
    seed: int,
    around: NDArray[Any],
    draw: NDArray[Any],
    tables: PatternTables,
    weights: Weights,
    replies: NDArray[np.int16],
    margins: NDArray[np.int16],
    owners: NDArray[np.int8],
    moves: NDArray[np.int16],
    lengths: NDArray[np.int16],
) -> int:
    """`rollout_batch_kernels.play_rollouts` by a trained policy; the first move answers the board's last.

    One function, since every call around this loop would be compiled with all that is in it once more. ``around:
    AROUND[1]``, ``draw: DRAW[1]``: room of its own. ``replies: int16[2, CELLS]``: the cell that answers a
    move for [colour - 1], 0 if none is known; or ``[2, 0]``.
    """
    work = np.empty(1, BOARD)
    state = np.empty(1, np.uint64)
    total = 0
    for k in range(first, last):
        seed_random(state, seed + k)
        work[0] = boards[k // games]
        row = moves[k if moves.shape[0] > 1 else 0]
        start(work[0], around[0], tables)
        weigh_all(work[0], around[0], draw[0], tables.article, weights)
        cols, color = work[0]["cols"], work[0]["to_play"] + 0
        ko = cell_of(work[0]["ko_point"], cols) if work[0]["ko_point"] != NO_POINT else 0
        answered = recent_cell(work[0], 0)
        passes = played = 0
        while passes < 2 and played < row.shape[0]:
            lifted = lift(work[0], around[0], draw[0], tables, weights, ko, answered, color)
            chosen = _draw_move(work[0], draw[0], replies, state, answered, color)
            lower(draw[0], color, lifted)
            ko = 0
            if chosen == 0:
                passes += 1
                row[played] = work[0]["rows"] * cols
            else:
                passes = 0
                row[played] = point_of(chosen, cols)
                ko = play_stone(work[0], around[0], tables, chosen, color)
                weigh_changed(work[0], around[0], draw[0], tables.article, weights)
            played += 1
            answered = chosen
            color = 3 - color
        lengths[k] = played
        margins[k] = area_owner(work[0], owners[k if owners.shape[0] > 1 else 0])
        total += played
    return total


@kernel
def note_replies(
    boards: BoardArray,
    games: int,
    margins: NDArray[np.int16],
    moves: NDArray[np.int16],
    lengths: NDArray[np.int16],
    replies: NDArray[np.int16],
) -> None:
    """Learn replies from rollouts of `play_pattern_rollouts`: the winner's are kept, the loser's forgotten."""
    for k in range(lengths.shape[0]):
        board = boards[k // games]
        cols, passing = board["cols"], board["rows"] * board["cols"]
        margin = margins[k] - white_points(board)
        color, last = board["to_play"], recent_cell(board, 0)
        for i in range(lengths[k]):
            cell = cell_of(moves[k, i], cols) if moves[k, i] != passing else 0
            if last != 0 and cell != 0:
                won = margin > 0 if color == BLACK else margin < 0
                if won:
                    replies[color - 1, last] = cell
                elif margin != 0 and replies[color - 1, last] == cell:
                    replies[color - 1, last] = 0
            last = cell
            color = 3 - color
