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
def margin_for(board: Board, color: int) -> float:
    """Points that ``color`` is ahead in a finished game; 0 where it has no result."""
    margin = black_margin(board)
    return margin if color == BLACK else -margin


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
def close_moves(legal: NDArray[np.bool_], closed: NDArray[np.int32], color: int, depth: int) -> None:
    """Take out of ``legal: bool[A]`` what is closed to ``color`` in this depth; if nothing is left, passing stays.

    closed: int32[2, A], the depth from which a move is open to Black and White.
    """
    left = False
    for action in range(legal.shape[0]):
        legal[action] = legal[action] and depth >= closed[color - 1, action]
        left = left or legal[action]
    if not left:
        legal[legal.shape[0] - 1] = True


@kernel
def meet_leaf(
    nodes: Nodes,
    edges: Edges,
    node: int,
    board: Board,
    keys: NDArray[np.uint64],
    key_count: int,
    depth: int,
    move_limit: int,
    closed: NDArray[np.int32],
    legal: NDArray[np.bool_],
) -> int:
    """The end of a way down, at a node that is not EXPANDED, its position on ``board``.

    Returns the node if it waits for its evaluation: its legal moves are written and its path is pending; SETTLED if its
    game is over and backed up; COLLISION if it is in this batch already. The same for all rules of selection.
    """
    color = board["to_play"]
    if nodes[node]["state"] == FRESH:
        if nodes[node]["pending"] > 0:
            return COLLISION
        if not _is_over(board, depth, move_limit):
            write_superko_bans(board, color, keys, key_count)
            legal_mask(board, color, legal)
            close_moves(legal, closed, color, depth)
            write_legal(edges, node, legal)
            mark_pending(nodes, node)
            return node
        nodes[node]["state"] = TERMINAL
        nodes[node]["value"] = result_for(board, color)
        nodes[node]["score"] = margin_for(board, color)
    points = nodes[node]["score"]
    back_up(nodes, node, nodes[node]["value"], points, points, 0)
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
    closed: NDArray[np.int32],
    legal: NDArray[np.bool_],
    leaf_boards: BoardArray,
    leaf_nodes: NDArray[np.int32],
) -> int:
    """Start up to ``quota[g]`` simulations in each tree g; return how many of ``leaf_boards`` wait for evaluation.

    roots: int32[G] (NONE is passed over), root_boards: BOARD[G], keys: uint64[G, >= key_counts + KEY_ROOM] (written
    beyond key_counts), quota: int64[G], reduced by what was started. counters: int64[1], nodes in use; a full pool
    starts nothing. closed: as in `close_moves`. legal: bool[A], scratch. leaf_boards: BOARD[B] and leaf_nodes:
    int32[B] are written.
    """
    leaves = 0
    for game in range(roots.shape[0]):
        root = roots[game]
        while root != NONE and quota[game] > 0 and leaves < leaf_nodes.shape[0] and counters[0] < nodes.shape[0]:
            board = leaf_boards[leaves]
            copy_board(leaf_boards, leaves, root_boards, game)
            node, depth, length = _descend(nodes, edges, counters, root, board, keys[game], key_counts[game], params)
            leaf = meet_leaf(nodes, edges, node, board, keys[game], length, depth, move_limit, closed, legal)
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
    scores: NDArray[np.float32],
) -> int:
    """Give ``count`` leaves their priors and value and back them up.

    policy: float32[B, A] logits; value: float32[B], cut to [-1, 1]; scores: float32[2, B], lead and score, NaN where
    not known. Returns how many leaves had no legal move with a finite logit (uniform priors), or ``-1 - i`` if the
    answer for leaf i is not a number: the trees are then spoilt.
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
        back_up(nodes, leaf, result, scores[0, i], scores[1, i], 1)
    return uniform
