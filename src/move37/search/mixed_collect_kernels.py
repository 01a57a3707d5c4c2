"""A wave of simulations of the mixed search: the way down, and the questions to the network on the way.

It knows rules, tree and queues; the rule is in `mixed_kernels`. All simulations of a wave are under way at once, as
those of AlphaGo's threads were: each waits for its rollout, with virtual losses on its path; several may wait at one
leaf.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from move37._jit import kernel
from move37.rules.board_kernels import Board, BoardArray, copy_board, is_over, legal_mask, play
from move37.rules.repetition_kernels import record_keys, write_superko_bans
from move37.search.collect_kernels import COLLISION, MAX_DEPTH, SETTLED, close_moves, margin_for, result_for
from move37.search.mixed_kernels import (
    ASKED_POLICY,
    ASKED_VALUE,
    GROWS,
    HAS_POLICY,
    LEAF,
    VALUES,
    MixedNodes,
    back_up_value,
    clear_mixed,
    select_mixed,
)
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
)

ROOM_FOR_VALUES: Final = 2
"""Questions for values fill one part in so many of a queue; the rest is kept for leaves that are expanded."""


@kernel
def ask(
    mixed: MixedNodes,
    node: int,
    kind: int,
    room: int,
    boards: BoardArray,
    i: int,
    queue_boards: BoardArray,
    queue_nodes: NDArray[np.int32],
    queue_counts: NDArray[np.int64],
) -> bool:
    """Put ``node``, whose position is ``boards[i]``, into the queue of a kind; whether it was asked, now or before.

    No more than ``room`` questions may wait. queue_boards: BOARD[2, C], queue_nodes: int32[2, C], queue_counts:
    int64[2].
    """
    flag = ASKED_VALUE if kind == VALUES else ASKED_POLICY
    if mixed[node]["flags"] & flag != 0:
        return True
    n = queue_counts[kind]
    if n >= room:
        return False
    copy_board(queue_boards[kind], n, boards, i)
    queue_nodes[kind, n] = node
    queue_counts[kind] = n + 1
    mixed[node]["flags"] |= flag
    return True


@kernel
def _descend(
    nodes: Nodes,
    edges: Edges,
    mixed: MixedNodes,
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
        child = select_mixed(nodes, mixed, node, params)
        if child == NONE:
            child = counters[0]
            counters[0] += 1
            add_best_child(nodes, edges, node, child)
            clear_mixed(mixed, child)
        node = child
        play(board, nodes[node]["action"], board["to_play"])
        key_count = record_keys(board, keys, key_count)
        depth += 1
    return node, depth, key_count


@kernel
def _meet_leaf(
    nodes: Nodes,
    edges: Edges,
    mixed: MixedNodes,
    node: int,
    board: Board,
    over: bool,
    keys: NDArray[np.uint64],
    key_count: int,
    depth: int,
    mix: float,
    closed: NDArray[np.int32],
    legal: NDArray[np.bool_],
) -> int:
    """The end of a way down, in a node that is not EXPANDED. ``over``: the game ends here.

    Returns the node, whose path is then pending; SETTLED for a finished game, which is counted; COLLISION where a
    search without rollouts already waits for the value of this leaf.
    """
    color = board["to_play"]
    if nodes[node]["state"] == FRESH and over:
        nodes[node]["state"] = TERMINAL
        nodes[node]["value"] = result_for(board, color)
        nodes[node]["score"] = margin_for(board, color)
    if nodes[node]["state"] == TERMINAL:
        points = nodes[node]["score"]
        back_up(nodes, node, nodes[node]["value"], points, points, 0)
        back_up_value(nodes, mixed, node, nodes[node]["value"])
        return SETTLED
    if mix == 0.0 and nodes[node]["pending"] > 0:
        return COLLISION
    write_superko_bans(board, color, keys, key_count)
    if nodes[node]["state"] == FRESH:
        legal_mask(board, color, legal)
        close_moves(legal, closed, color, depth)
        write_legal(edges, node, legal)
        nodes[node]["state"] = LEAF
    mark_pending(nodes, node)
    return node


@kernel
def _wants_to_grow(node: Any, extra: Any, params: Any) -> bool:
    """Whether a LEAF, this simulation and others under way counted, has been met more often than the threshold."""
    if extra["flags"] & GROWS != 0 or node["state"] != LEAF:
        return False
    return bool(node["parent"] == NONE or node["visits"] + node["pending"] > params["threshold"])


@kernel
def _grow_or_ask(
    nodes: Nodes,
    mixed: MixedNodes,
    node: int,
    params: Any,
    boards: BoardArray,
    i: int,
    queue_boards: BoardArray,
    queue_nodes: NDArray[np.int32],
    queue_counts: NDArray[np.int64],
) -> bool:
    """Ask about a leaf what is still to be asked; whether it is to get placeholder priors now.

    A leaf that has the network's priors already is expanded at once. One for which the queue has no room stays a leaf.
    """
    capacity = queue_nodes.shape[1]
    if params["mix"] < 1.0:
        ask(mixed, node, VALUES, capacity // ROOM_FOR_VALUES, boards, i, queue_boards, queue_nodes, queue_counts)
    if not _wants_to_grow(nodes[node], mixed[node], params):
        return False
    if mixed[node]["flags"] & HAS_POLICY != 0:
        nodes[node]["state"] = EXPANDED
        return False
    kind = params["policy_kind"]
    if kind != NONE and not ask(mixed, node, kind, capacity, boards, i, queue_boards, queue_nodes, queue_counts):
        return False
    mixed[node]["flags"] |= GROWS
    return True


@kernel
def collect_wave(
    nodes: Nodes,
    edges: Edges,
    mixed: MixedNodes,
    counters: NDArray[np.int64],
    root: int,
    root_boards: BoardArray,
    keys: NDArray[np.uint64],
    key_count: int,
    visits: int,
    params: Any,
    move_limit: int,
    closed: NDArray[np.int32],
    legal: NDArray[np.bool_],
    leaf_boards: BoardArray,
    leaf_nodes: NDArray[np.int32],
    grows: NDArray[np.bool_],
    queue_boards: BoardArray,
    queue_nodes: NDArray[np.int32],
    queue_counts: NDArray[np.int64],
) -> int:
    """Start up to ``visits`` simulations of one tree; return how many wait at ``leaf_boards`` and ``leaf_nodes``.

    The others met finished games. grows: bool[W] is written, which leaves are to be expanded with placeholder priors.
    root_boards: BOARD[1]; keys: uint64 with room for a path beyond key_count; closed: as in `close_moves`; legal:
    bool[A], scratch; the queues are those of `ask`.
    """
    leaves = 0
    while visits > 0 and leaves < leaf_nodes.shape[0] and counters[0] < nodes.shape[0]:
        board = leaf_boards[leaves]
        copy_board(leaf_boards, leaves, root_boards, 0)
        node, depth, length = _descend(nodes, edges, mixed, counters, root, board, keys, key_count, params)
        over = depth > 0 and (is_over(board) or board["move_number"] >= move_limit or depth >= MAX_DEPTH)
        leaf = _meet_leaf(nodes, edges, mixed, node, board, over, keys, length, depth, params["mix"], closed, legal)
        if leaf == COLLISION:
            break
        visits -= 1
        if leaf != SETTLED:
            leaf_nodes[leaves] = leaf
            grows[leaves] = _grow_or_ask(
                nodes, mixed, leaf, params, leaf_boards, leaves, queue_boards, queue_nodes, queue_counts
            )
            leaves += 1
    return leaves
