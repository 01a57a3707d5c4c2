"""One simulation's way down by Gumbel's rules, for one game or many: fill a batch of boards for the evaluator.

The root's move is chosen by its plan, all others by the improved policy; both rules are in `gumbel_kernels`. What
happens at the end of the way is the same for all searches (`collect_kernels.meet_leaf`), as is the way back up.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from move37._jit import kernel
from move37.rules.board_kernels import Board, BoardArray, copy_board, play
from move37.rules.repetition_kernels import record_keys
from move37.search.collect_kernels import COLLISION, SETTLED, meet_leaf
from move37.search.gumbel_kernels import select_at_root, select_child
from move37.search.tree_kernels import EXPANDED, NONE, Edges, Nodes, add_best_child, find_child


@kernel
def child_for(nodes: Nodes, edges: Edges, counters: NDArray[np.int64], parent: int, action: int) -> int:
    """The child that ``action`` leads to; made if it was never visited, even if its edge is not the best."""
    child = find_child(nodes, parent, action)
    if child == NONE:
        child = counters[0]
        counters[0] += 1
        nodes[parent]["best_edge"] = action
        nodes[parent]["best_prior"] = edges[parent, action]
        add_best_child(nodes, edges, parent, child)
    return int(child)


@kernel
def _descend(
    nodes: Nodes,
    edges: Edges,
    counters: NDArray[np.int64],
    node: int,
    first: int,
    board: Board,
    keys: NDArray[np.uint64],
    key_count: int,
    params: Any,
) -> tuple[int, int, int]:
    """From a root by the move ``first``, then by the rule, down to a node that is not EXPANDED.

    ``first`` NONE: the root is itself not EXPANDED. Returns the node, which may be new, its depth, and the number of
    keys; its position is on ``board``.
    """
    depth = 0
    while nodes[node]["state"] == EXPANDED:
        child = child_for(nodes, edges, counters, node, first) if depth == 0 else select_child(nodes, node, params)
        if child == NONE:
            child = child_for(nodes, edges, counters, node, nodes[node]["best_edge"])
        node = child
        play(board, nodes[node]["action"], board["to_play"])
        key_count = record_keys(board, keys, key_count)
        depth += 1
    return node, depth, key_count


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
    noise: NDArray[np.float64],
    before: NDArray[np.int32],
    plan: NDArray[np.int32],
    starts: NDArray[np.bool_],
    logits: NDArray[np.float64],
    new: NDArray[np.int32],
    move_limit: int,
    closed: NDArray[np.int32],
    legal: NDArray[np.bool_],
    leaf_boards: BoardArray,
    leaf_nodes: NDArray[np.int32],
) -> int:
    """`collect_kernels.collect` by Gumbel's rules; noise: float64[G, A], before: int32[G, A], one plan for all games.

    A game also pauses where its next phase of halving needs the results under way. See `gumbel_kernels.select_at_root`.
    """
    leaves = 0
    for game in range(roots.shape[0]):
        root = roots[game]
        while root != NONE and quota[game] > 0 and leaves < leaf_nodes.shape[0] and counters[0] < nodes.shape[0]:
            first = NONE
            if nodes[root]["state"] == EXPANDED:
                first = select_at_root(nodes, edges, root, params, noise[game], before[game], plan, starts, logits, new)
                if first < 0:
                    break
            board = leaf_boards[leaves]
            copy_board(leaf_boards, leaves, root_boards, game)
            node, depth, length = _descend(
                nodes, edges, counters, root, first, board, keys[game], key_counts[game], params
            )
            leaf = meet_leaf(nodes, edges, node, board, keys[game], length, depth, move_limit, closed, legal)
            if leaf == COLLISION:
                break
            quota[game] -= 1
            if leaf != SETTLED:
                leaf_nodes[leaves] = leaf
                leaves += 1
    return leaves
