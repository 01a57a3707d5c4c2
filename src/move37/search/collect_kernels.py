"""One simulation's way down, for one game or many: fill a batch of boards for the evaluator, then expand and back up.

It knows rules and trees; the selection rule itself is in `puct_kernels`. A tree that meets a leaf already in this batch
stops there for this batch: no position is evaluated twice. Where the rules end the game (two passes, a long cycle), or
the move limit does, the score decides and no evaluation is spent. Repetition is judged against the game's positions and
those of the path.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from move37._jit import kernel
from move37.rules.board_kernels import BLACK, Board, BoardArray, copy_board, is_over, legal_mask, play
from move37.rules.repetition_kernels import KEYS_A_PLY, record_keys, write_superko_bans
from move37.rules.score_kernels import black_margin
from move37.search.puct_kernels import select_child
from move37.search.tree_kernels import (
    EXPANDED,
    FRESH,
    NONE,
    TERMINAL,
    Edges,
    Nodes,
    add_best_child,
    back_up,
    mark_pending,
    write_legal,
    write_priors,
)

MAX_DEPTH: Final = 1024
"""Longest path; the position at its end counts as over."""

KEY_ROOM: Final = MAX_DEPTH * KEYS_A_PLY
"""Rows of keys have room for so many beyond the game's own."""

COLLISION: Final = -2
SETTLED: Final = -1


@kernel
def result_for(board: Board, color: int) -> float:
    """Result of a finished game: 1 if ``color`` wins, -1 if it loses, 0 for a draw or no result."""
    margin = black_margin(board)
    if margin == 0.0:
        return 0.0
    return 1.0 if (margin > 0.0) == (color == BLACK) else -1.0


@kernel
def _descend(
    nodes: Nodes,
    edges: Edges,
    counters: NDArray[np.int64],
    node: int,
    board: Board,
    keys: NDArray[np.uint64],
    key_count: int,
    params: Any,
) -> tuple[int, int, int]:
    """Follow the rule from a root down to a node that is not EXPANDED, playing its moves on ``board``.

    Returns the node, which may be new, its depth, and the number of keys.
    """
    depth = 0
    while nodes[node]["state"] == EXPANDED:
        child = select_child(nodes, node, params)
        if child == NONE:
            child = counters[0]
            counters[0] += 1
            add_best_child(nodes, edges, node, child)
        node = child
        play(board, nodes[node]["action"], board["to_play"])
        key_count = record_keys(board, keys, key_count)
        depth += 1
    return node, depth, key_count


@kernel
def _is_over(board: Board, depth: int, move_limit: int) -> bool:
    """Whether a path ends here: by the rules, the move limit, or the room for keys. A root is never over."""
    return depth > 0 and (is_over(board) or board["move_number"] >= move_limit or depth >= MAX_DEPTH)


@kernel
def _simulate(
    nodes: Nodes,
    edges: Edges,
    counters: NDArray[np.int64],
    root: int,
    board: Board,
    keys: NDArray[np.uint64],
    key_count: int,
    params: Any,
    move_limit: int,
    legal: NDArray[np.bool_],
) -> int:
    """One simulation on ``board``, a copy of the root's. Returns the leaf to evaluate, SETTLED or COLLISION."""
    node, depth, length = _descend(nodes, edges, counters, root, board, keys, key_count, params)
    if nodes[node]["state"] == FRESH:
        if nodes[node]["pending"] > 0:
            return COLLISION
        if not _is_over(board, depth, move_limit):
            write_superko_bans(board, board["to_play"], keys, length)
            legal_mask(board, board["to_play"], legal)
            write_legal(edges, node, legal)
            mark_pending(nodes, node)
            return node
        nodes[node]["state"] = TERMINAL
        nodes[node]["value"] = result_for(board, board["to_play"])
    back_up(nodes, node, nodes[node]["value"], 0)
    return SETTLED


@kernel
def collect(
    nodes: Nodes,
    edges: Edges,
    counters: NDArray[np.int64],
    roots: NDArray[np.int32],
    root_boards: BoardArray,
    keys: NDArray[np.uint64],
    key_counts: NDArray[np.int64],
    quota: NDArray[np.int64],
    params: Any,
    move_limit: int,
    legal: NDArray[np.bool_],
    leaf_boards: BoardArray,
    leaf_nodes: NDArray[np.int32],
) -> int:
    """Start up to ``quota[g]`` simulations in each tree g; return how many of ``leaf_boards`` wait for evaluation.

    roots: int32[G] (NONE is passed over), root_boards: BOARD[G], keys: uint64[G, >= key_counts + KEY_ROOM] (written
    beyond key_counts), quota: int64[G], reduced by what was started. counters: int64[1], nodes in use; a full pool
    starts nothing. legal: bool[A], scratch. leaf_boards: BOARD[B] and leaf_nodes: int32[B] are written.
    """
    leaves = 0
    for game in range(roots.shape[0]):
        root = roots[game]
        while root != NONE and quota[game] > 0 and leaves < leaf_nodes.shape[0] and counters[0] < nodes.shape[0]:
            board = leaf_boards[leaves]
            copy_board(leaf_boards, leaves, root_boards, game)
            leaf = _simulate(
                nodes, edges, counters, root, board, keys[game], key_counts[game], params, move_limit, legal
            )
            if leaf == COLLISION:
                break
            quota[game] -= 1
            if leaf != SETTLED:
                leaf_nodes[leaves] = leaf
                leaves += 1
    return leaves


@kernel
def expand_and_back_up(
    nodes: Nodes,
    edges: Edges,
    leaf_nodes: NDArray[np.int32],
    count: int,
    policy: NDArray[np.float32],
    value: NDArray[np.float32],
) -> int:
    """Give ``count`` leaves their priors and value and back them up. policy: float32[B, A] logits, value: float32[B].

    Values beyond [-1, 1] are cut. Returns how many leaves had no legal move with a finite logit (uniform priors), or
    ``-1 - i`` if the answer for leaf i is not a number: the trees are then spoilt.
    """
    uniform = 0
    for i in range(count):
        leaf = leaf_nodes[i]
        status = write_priors(nodes, edges, leaf, policy[i])
        if status < 0 or not abs(value[i]) < np.inf:
            return -1 - i
        uniform += status
        result = min(1.0, max(-1.0, float(value[i])))
        nodes[leaf]["value"] = result
        back_up(nodes, leaf, result, 1)
    return uniform
