"""One simulation's way down and up in KataGo's search, and what the rules have to do with it.

As `collect_kernels`, over a graph: a new edge may lead to a position already known, and an edge with fewer visits than
its position catches up without a way down. A move that the way just taken forbids, a position met twice on one way, and
a finished game spend a visit and no evaluation.
"""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from move37._jit import kernel
from move37.rules.board_kernels import (
    BLACK,
    KO_SIMPLE,
    Board,
    BoardArray,
    copy_board,
    is_legal,
    is_over,
    legal_mask,
    play,
)
from move37.rules.repetition_kernels import count_key, record_keys, write_superko_bans
from move37.rules.score_kernels import white_points
from move37.search.bias_kernels import find_entry, has_last_move, shape_words
from move37.search.collect_kernels import COLLISION, MAX_DEPTH, SETTLED, close_moves
from move37.search.graph_kernels import (
    Graph,
    copy_evaluation,
    find_slot,
    state_slot,
    write_keys_after,
    write_lost_keys,
)
from move37.search.katago_expand_kernels import reset_stats
from move37.search.katago_kernels import back_up_path, select_edge
from move37.search.katago_pass_kernels import end_is_suppressed, hide_end, pass_ends_phase, white_margin
from move37.search.katago_utility_kernels import start_leaf, start_result, visit_result
from move37.search.tree_kernels import EXPANDED, FRESH, NONE, TERMINAL, add_best_child, write_legal

PATH_ROOM: Final = MAX_DEPTH + 1


@kernel
def _is_finished(graph: Graph, node: int, board: Board, depth: int, move_limit: int) -> bool:
    """Whether a path ends here; a root is never over."""
    if depth == 0:
        return False
    if is_over(board) and graph.stats[node]["goes_on"] == 0:
        return True
    return bool(board["move_number"] >= move_limit or depth >= MAX_DEPTH)


@kernel
def _open_edge(
    graph: Graph, parent: int, board: Board, keys: NDArray[np.uint64], count: int, params: Any
) -> tuple[int, int, bool]:
    """Make the ``best_edge`` of ``parent`` an edge, play it and find the position it leads to.

    Returns the edge, the number of keys, and whether the way taken allows the move.
    """
    edge = int(graph.counters[0])
    graph.counters[0] += 1
    add_best_child(graph.nodes, graph.edges, parent, edge)
    reset_stats(graph, edge, board["to_play"] == BLACK)
    move = int(graph.nodes[edge]["action"])
    goes_on = end_is_suppressed(board, move, graph.nodes[parent]["parent"] == NONE, params)
    has_entry = params["bias_factor"] > 0.0 and has_last_move(board)
    pattern, place = shape_words(board, move)
    allowed, count = _play_move(board, move, keys, count)
    if not allowed:
        write_lost_keys(graph, edge, parent, move)
        return edge, count, False
    write_superko_bans(board, board["to_play"], keys, count)
    goes_on = goes_on and is_over(board) and board["no_result"] == 0
    write_keys_after(graph, edge, parent, board, move, params["repetition_bound"], goes_on)
    if params["graph"] != 0:
        _find_source(graph, edge)
    if has_entry and graph.stats[edge]["source"] == edge:
        graph.stats[edge]["bias"] = find_entry(graph.entry_index, graph.entries, graph.counters, pattern, place)
    return edge, count, True


@kernel
def _find_source(graph: Graph, edge: int) -> None:
    """Point a new edge at the node that already stands for its position, or make it that node."""
    slot = find_slot(graph, graph.stats[edge]["key"])
    known = graph.sources[slot]
    if known == NONE:
        graph.sources[slot] = edge
    elif graph.stats[known]["white"] == graph.stats[edge]["white"]:
        graph.stats[edge]["source"] = known


@kernel
def _play_move(board: Board, move: int, keys: NDArray[np.uint64], count: int) -> tuple[bool, int]:
    """Play a move; whether the way taken allows it, and the number of keys.

    A position shared by several ways was searched with the bans of one of them.
    """
    superko = board["ko_rule"] != KO_SIMPLE
    if board["phase"] > 0:
        write_superko_bans(board, board["to_play"], keys, count)
        if not is_legal(board, move, board["to_play"]):
            return False, count
        superko = False
    play(board, move, board["to_play"])
    count = record_keys(board, keys, count)
    repeats = superko and board["revisited"] != 0 and count_key(keys, count - 1, keys[count - 1]) > 0
    return not repeats, count


@kernel
def _is_on_path(graph: Graph, path: NDArray[np.int32], length: int, source: int) -> bool:
    """Whether a path has been at a position."""
    met = False
    for step in range(length):
        met = met or graph.stats[path[step]]["source"] == source
    return met


@kernel
def _catches_up(graph: Graph, edge: int) -> bool:
    """Whether the position behind an edge has visits that came another way."""
    return bool(graph.nodes[edge]["visits"] < graph.stats[graph.stats[edge]["source"]]["visits"])


@kernel
def _looks_aside(graph: Graph, node: int, board: Board, edge: int) -> bool:
    """Whether a visit is to go, uncounted, to the first pass or the first move that is none; makes it ``best_edge``.

    Where a pass would end the phase, both must have been looked at (KataGo's enableMorePassingHacks). ``edge``: what
    the rule chose, NONE for the best unvisited move.
    """
    visits = passes = moves = 0
    passing = board["rows"] * board["cols"]
    child = graph.nodes[node]["first_child"]
    while child != NONE:
        visits += int(graph.nodes[child]["visits"])
        passes += graph.nodes[child]["action"] == passing
        moves += graph.nodes[child]["action"] != passing
        child = graph.nodes[child]["next_sibling"]
    chosen = graph.nodes[node]["best_edge"] if edge == NONE else graph.nodes[edge]["action"]
    if visits < 2:
        return False
    if passes == 0 and chosen != passing and graph.edges[node, passing] != 0:
        graph.nodes[node]["best_edge"] = passing
        graph.nodes[node]["best_prior"] = graph.edges[node, passing]
        return True
    return bool(moves == 0 and chosen == passing and graph.nodes[node]["best_edge"] != NONE)


@kernel
def _descend(
    graph: Graph, board: Board, keys: NDArray[np.uint64], key_count: int, params: Any, path: NDArray[np.int32]
) -> tuple[int, int, int, int]:
    """Follow the rule down from the root, ``path[0]``, to a source that is not EXPANDED, playing on ``board``.

    Returns the source, the length of the path to it, the number of keys, and the place in the path of the last edge
    that is not to be counted, nor those above it (0: all count). NONE for the source where the last edge of the path
    takes a visit without going on.
    """
    node, length, aside = int(path[0]), 1, 0
    while graph.nodes[node]["state"] == EXPANDED:
        edge = select_edge(graph, node, params)
        if params["more_passing_hacks"] != 0 and pass_ends_phase(board) and _looks_aside(graph, node, board, edge):
            edge, aside = NONE, length
        opened, allowed = edge == NONE, True
        if opened:
            edge, key_count, allowed = _open_edge(graph, node, board, keys, key_count, params)
        path[length] = edge
        length += 1
        if aside != length - 1 and _catches_up(graph, edge):
            return NONE, length, key_count, aside
        if not opened:
            allowed, key_count = _play_move(board, int(graph.nodes[edge]["action"]), keys, key_count)
            if graph.nodes[graph.stats[edge]["source"]]["state"] == FRESH:
                write_superko_bans(board, board["to_play"], keys, key_count)
        node = int(graph.stats[edge]["source"])
        if not allowed or _is_on_path(graph, path, length - 1, node):
            return NONE, length, key_count, aside
    return node, length, key_count, aside


@kernel
def _finish(graph: Graph, node: int, board: Board, params: Any) -> None:
    """Make a FRESH node TERMINAL with the result of its game."""
    graph.nodes[node]["state"] = TERMINAL
    points = white_points(board)
    start_result(graph, node, params, white_margin(board), board["no_result"] != 0, points == math.floor(points))


@kernel
def _donor(graph: Graph, node: int) -> int:
    """An evaluated source in the same state, or NONE."""
    return int(graph.states[state_slot(graph, graph.stats[node]["state"])])


@kernel
def _simulate(
    graph: Graph,
    board: Board,
    keys: NDArray[np.uint64],
    key_count: int,
    params: Any,
    move_limit: int,
    closed: NDArray[np.int32],
    legal: NDArray[np.bool_],
    path: NDArray[np.int32],
) -> tuple[int, int, int]:
    """One simulation on ``board``, a copy of the root's: the leaf to evaluate, SETTLED or COLLISION.

    Also the path's length and its last edge that does not count, see `_descend`.
    """
    node, length, key_count, aside = _descend(graph, board, keys, key_count, params, path)
    if node != NONE and graph.nodes[node]["state"] == FRESH:
        if graph.nodes[node]["pending"] > 0:
            return COLLISION, length, aside
        donor = NONE if params["graph"] == 0 or length == 1 else _donor(graph, node)
        if _is_finished(graph, node, board, length - 1, move_limit):
            _finish(graph, node, board, params)
        elif donor != NONE:
            copy_evaluation(graph, node, donor)
            start_leaf(graph, node, params)
            graph.stats[node]["visits"] = 1
        else:
            if length == 1:
                write_superko_bans(board, board["to_play"], keys, key_count)
            legal_mask(board, board["to_play"], legal)
            close_moves(legal, closed, board["to_play"], length - 1)
            write_legal(graph.edges, node, legal)
            hide_end(board, length == 1, params)
            for step in range(length):
                graph.nodes[graph.stats[path[step]]["source"]]["pending"] += 1
            return node, length, aside
    if node != NONE and graph.nodes[node]["state"] == TERMINAL:
        visit_result(graph, node, params)
    back_up_path(graph, path, length, aside, params)
    return SETTLED, length, aside


@kernel
def collect_graph(
    graph: Graph,
    root: int,
    root_boards: BoardArray,
    keys: NDArray[np.uint64],
    key_count: int,
    quota: NDArray[np.int64],
    params: Any,
    move_limit: int,
    closed: NDArray[np.int32],
    legal: NDArray[np.bool_],
    leaf_boards: BoardArray,
    leaf_nodes: NDArray[np.int32],
    paths: NDArray[np.int32],
    spans: NDArray[np.int32],
) -> int:
    """Start up to ``quota[0]`` simulations; return how many of ``leaf_boards`` wait for evaluation.

    As `collect_kernels.collect`, for one game. paths: int32[B, PATH_ROOM] and spans: int32[B, 2] are written: the edges
    to each leaf, their number, and the last that does not count. Visits that do not count take no quota.
    """
    leaves = 0
    room = graph.nodes.shape[0]
    while quota[0] > 0 and leaves < leaf_nodes.shape[0] and graph.counters[0] < room:
        copy_board(leaf_boards, leaves, root_boards, 0)
        paths[leaves, 0] = root
        leaf, length, aside = _simulate(
            graph, leaf_boards[leaves], keys, key_count, params, move_limit, closed, legal, paths[leaves]
        )
        if leaf == COLLISION:
            break
        if aside == 0:
            quota[0] -= 1
        if leaf != SETTLED:
            leaf_nodes[leaves] = leaf
            spans[leaves, 0], spans[leaves, 1] = length, aside
            leaves += 1
    return leaves
