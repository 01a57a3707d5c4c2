"""One simulation's way down by UCB1, for one game or many: fill a batch of boards to be rolled out.

The first two phases of the classic search, selection and expansion: the way ends at a node that is new. What happens
there is the same for all searches (`collect_kernels.meet_leaf`), as is the way back up (`expand_and_back_up`).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from move37._jit import kernel
from move37.rules.board_kernels import Board, BoardArray, cell_of, copy_board, play
from move37.rules.eye_kernels import is_own_eye
from move37.rules.repetition_kernels import record_keys
from move37.search.collect_kernels import COLLISION, SETTLED, meet_leaf
from move37.search.tree_kernels import EXPANDED, NONE, Edges, Nodes, add_best_child
from move37.search.ucb1_kernels import RaveRows, select_child, select_with_rave


@kernel
def descend(
    nodes: Nodes,
    edges: Edges,
    counters: NDArray[np.int64],
    node: int,
    board: Board,
    keys: NDArray[np.uint64],
    key_count: int,
    params: Any,
    rows: RaveRows,
    row_of: NDArray[np.int32],
) -> tuple[int, int, int]:
    """Follow UCB1 from a root down to a node that is not EXPANDED, playing its moves on ``board``.

    Returns the node, which may be new, its depth, and the number of keys. Without RAVE ``rows`` has no row.
    """
    depth = 0
    while nodes[node]["state"] == EXPANDED:
        if math.isnan(params["bias"]):
            child = select_child(nodes, node, params)
        else:
            child = select_with_rave(nodes, edges, node, rows, row_of[node], params)
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
def close_own_eyes(edges: Edges, node: int, board: Board) -> None:
    """Strike moves that fill an own eye from those noted as legal, unless there is no other: no rollout plays them."""
    legal = 0
    eyes = 0
    for action in range(edges.shape[1]):
        if edges[node, action] != 0:
            legal += 1
            eyes += _fills_eye(board, action)
    for action in range(edges.shape[1]):
        if edges[node, action] != 0 and eyes < legal and _fills_eye(board, action):
            edges[node, action] = 0


@kernel
def _fills_eye(board: Board, action: int) -> bool:
    """Whether a legal move of the player to move fills an own eye; a pass does not."""
    cols = board["cols"]
    return action < board["rows"] * cols and is_own_eye(board, cell_of(action, cols), board["to_play"])


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
    rows: RaveRows,
    row_of: NDArray[np.int32],
    move_limit: int,
    closed: NDArray[np.int32],
    legal: NDArray[np.bool_],
    leaf_boards: BoardArray,
    leaf_nodes: NDArray[np.int32],
) -> int:
    """`collect_kernels.collect` by UCB1, or with RAVE where ``params`` says so; see there and `rave_kernels`."""
    leaves = 0
    for game in range(roots.shape[0]):
        root = roots[game]
        while root != NONE and quota[game] > 0 and leaves < leaf_nodes.shape[0] and counters[0] < nodes.shape[0]:
            board = leaf_boards[leaves]
            copy_board(leaf_boards, leaves, root_boards, game)
            node, depth, length = descend(
                nodes, edges, counters, root, board, keys[game], key_counts[game], params, rows, row_of
            )
            leaf = meet_leaf(nodes, edges, node, board, keys[game], length, depth, move_limit, closed, legal)
            if leaf == COLLISION:
                break
            quota[game] -= 1
            if leaf != SETTLED:
                close_own_eyes(edges, leaf, board)
                leaf_nodes[leaves] = leaf
                leaves += 1
    return leaves
