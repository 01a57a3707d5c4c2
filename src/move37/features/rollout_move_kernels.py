"""All moves of a position with the features that AlphaGo's rollout and tree policies see in them, and what they weigh.

For positions by themselves and for learning; rollouts, which have no time for this, keep weights up to date instead
(`search.pattern_rollout_kernels`).
"""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from move37._jit import kernel
from move37.features.rollout_around_kernels import NO_FEATURE, Around, PatternTables, recent_cell, start
from move37.features.rollout_feature_kernels import MOST_LOCAL, list_local, list_own, list_tree
from move37.rules.board_kernels import CELLS, NO_POINT, Board, BoardArray, cell_of, point_of

MOST_FEATURES: Final = 24
"""Of one move."""
POINTS: Final = 361


@kernel
def list_candidates(
    board: Board,
    around: Around,
    tables: PatternTables,
    ko: int,
    last: int,
    before: int,
    color: int,
    tree: bool,
    cells: NDArray[np.int16],
    features: NDArray[np.int32],
    ends: NDArray[np.int16],
) -> int:
    """List the moves of a position with their features; return how many.

    ``cells: int16[n]``. ``features: int32[n, MOST_FEATURES]``: of move i those before ``ends[i, 0]`` are the rollout
    policy's, those before ``ends[i, 1]`` the tree policy's. ``ends: int16[n, 2]``.
    """
    row_of = np.empty(CELLS, np.int16)
    count = 0
    for point in range(board["rows"] * board["cols"]):
        cell = cell_of(point, board["cols"])
        if around["ids"][color - 1, cell] != NO_FEATURE and cell != ko:
            cells[count] = cell
            row_of[cell] = count
            ends[count, 0] = list_own(board, around, tables.article, cell, color, features[count])
            count += 1
    local_cells, local_features = np.empty(MOST_LOCAL, np.int16), np.empty(MOST_LOCAL, np.int32)
    for i in range(list_local(board, around, tables, ko, last, color, local_cells, local_features)):
        if local_cells[i] != ko:
            row = row_of[local_cells[i]]
            features[row, ends[row, 0]] = local_features[i]
            ends[row, 0] += 1
    keys, ids, other = tables.diamond_keys, tables.diamond_ids, tables.other_diamond
    for row in range(count if tree else 0):
        end = ends[row, 0]
        ends[row, 1] = list_tree(board, around, keys, ids, other, cells[row], last, before, color, features[row], end)
    return count


@kernel
def write_logits(
    weights: NDArray[np.float32],
    features: NDArray[np.int32],
    ends: NDArray[np.int16],
    policy: int,
    count: int,
    logits: NDArray[np.float32],
) -> None:
    """The logits float32[n] of the first ``count`` candidates under policy 0 (rollout) or 1 (tree)."""
    for row in range(count):
        logit = np.float32(0.0)
        for i in range(ends[row, policy]):
            logit += weights[features[row, i]]
        logits[row] = logit


@kernel
def write_probabilities(
    boards: BoardArray,
    work: NDArray[Any],
    tables: PatternTables,
    weights: NDArray[np.float32],
    policy: int,
    out: NDArray[np.float32],
) -> None:
    """Write the policy of each position: ``boards: BOARD[B]`` of one size, ``out: float32[B, A]``; rows sum to 1.

    ``work: AROUND[1]`` is room to work in; ``weights``: those of policy 0 (rollout) or 1 (tree). A pass has everything
    where no move may be played without filling an own eye, else nothing. Superko is not looked at.
    """
    around = work[0]
    cells, logits = np.empty(POINTS, np.int16), np.empty(POINTS, np.float32)
    features, ends = np.empty((POINTS, MOST_FEATURES), np.int32), np.empty((POINTS, 2), np.int16)
    for i in range(boards.shape[0]):
        board = boards[i]
        start(board, around, tables)
        ko = cell_of(board["ko_point"], board["cols"]) if board["ko_point"] != NO_POINT else 0
        last, before, color = recent_cell(board, 0), recent_cell(board, 1), board["to_play"] + 0
        count = list_candidates(board, around, tables, ko, last, before, color, policy == 1, cells, features, ends)
        write_logits(weights, features, ends, policy, count, logits)
        out[i] = 0.0
        if count == 0:
            out[i, -1] = 1.0
            continue
        greatest = logits[:count].max()
        total = np.float32(0.0)
        for row in range(count):
            logits[row] = math.exp(logits[row] - greatest)
            total += logits[row]
        for row in range(count):
            out[i, point_of(cells[row], board["cols"])] = logits[row] / total
