"""The tree of `tree_kernels` as a graph: equal positions reached by different moves share one node.

A node of the tree is here an *edge*: a move from its parent, with a prior and the visits that went this way. The
position it leads to is its *source*: the first node found there, itself or another. Statistics, children and priors are
the source's; so is ``pending``. A source counts its own visits; an edge may have fewer, and catches up for free
(KataGo's docs/GraphSearch.md). Which positions are equal is told by keys: stones, player, ko, passes, bans, points from
the play; where so few points are open that the last move may soon be repeated, also the whole way there, so that
superko and cycles stay apart. An evaluation is shared by all positions in one state, as if the way there did not matter
to networks that see the last moves: KataGo's cache does so too.

The record of statistics is KataGo's; this file finds, orders and drops nodes, and does not read it.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from move37._jit import kernel
from move37.rules.board_kernels import CELLS, EMPTY, STRIDE, WORDS, Board, cell_of
from move37.rules.repetition_kernels import situation_hash
from move37.search.bias_kernels import Entries
from move37.search.tree_kernels import EXPANDED, NONE, Edges, Nodes, decode_prior, find_best_edge

STATS: Final = np.dtype(
    [
        # Weighted means over the subtree, for White
        ("utility", np.float64),
        ("utility_sq", np.float64),
        ("win_loss", np.float64),  # P(win) - P(loss)
        ("no_result", np.float64),
        ("score", np.float64),
        ("score_sq", np.float64),
        ("lead", np.float64),
        ("weight", np.float64),  # sum of weights; weight_sq: of their squares
        ("weight_sq", np.float64),
        # The position's own evaluation, for White
        ("own_utility", np.float64),
        ("own_weight", np.float64),
        ("own_win_loss", np.float64),
        ("own_no_result", np.float64),
        ("own_score", np.float64),
        ("own_deviation", np.float64),
        ("own_lead", np.float64),
        ("win_loss_error", np.float64),  # of a network that knows its error, else NaN
        ("score_error", np.float64),
        # What this node last gave its entry of subtree value bias
        ("bias_delta", np.float64),
        ("bias_weight", np.float64),
        ("bias", np.int32),  # the entry, or NONE
        ("visits", np.int32),  # of the position, by whatever way
        # Of pruned children: their visits, and what of the own weight, and evaluation, was theirs
        ("rest_visits", np.int32),
        ("rest_weight", np.float32),
        ("source", np.int32),
        ("white", np.int8),  # 1 if White is to move
        ("goes_on", np.int8),  # 1 if this passed-out position is searched on
        ("key", np.uint64),
        ("state", np.uint64),  # of the position whatever the way to it
    ],
    align=True,
)
"""What KataGo's search keeps of a node, beside its ``NODE``."""


class Graph(NamedTuple):
    """All arrays of a search. T nodes of room, A actions.

    nodes: NODE[T], stats: STATS[T], edges: uint16[T, A]; counters: int64[3], nodes and bias entries in use, and the
    place in noise: float64[N], of the next number by chance.
    sources: int32[> T], hash table of sources by key; states: int32[> T], of evaluated ones by state.
    entries: ENTRY[T] of value bias, entry_index: int32[> T], their hash table.
    bonus: float64[A], points for White that a root move gets; table: `score_value_table()`.
    picked: int32[A], weight: float64[A], worth: float64[A]: scratch.
    """

    nodes: Nodes
    stats: Any
    edges: Edges
    counters: NDArray[np.int64]
    sources: NDArray[np.int32]
    states: NDArray[np.int32]
    entries: Entries
    entry_index: NDArray[np.int32]
    bonus: NDArray[np.float64]
    noise: NDArray[np.float64]
    table: NDArray[np.float64]
    picked: NDArray[np.int32]
    weight: NDArray[np.float64]
    worth: NDArray[np.float64]


_ZERO = np.uint64(0)
_ONE = np.uint64(1)
_WAY = np.uint64(0x9E3779B97F4A7C15)
_LOST = np.uint64(0x94D049BB133111EB)
_GOES_ON = np.uint64(0xBF58476D1CE4E5B9)
_SHIFT, _BACK = np.uint64(13), np.uint64(51)

ZOBRIST_MARKS: Final = np.random.PCG64(39).random_raw(5 * CELLS).reshape(5, CELLS)
"""``uint64[5, CELLS]``: numbers for a ko point, a ban, a ko-recapture block and the two colours of encore stones."""


@kernel
def _mix_bits(key: np.uint64, words: NDArray[np.uint64], numbers: NDArray[np.uint64]) -> np.uint64:
    """``key`` with the number of every point of a bit board."""
    for word in range(WORDS):
        bits = words[word]
        point = 64 * word
        while bits != _ZERO:
            if bits & _ONE != _ZERO:
                key ^= numbers[point]
            bits >>= _ONE
            point += 1
    return key


@kernel
def state_key(board: Board) -> np.uint64:
    """Equal for positions with the same future, but for repetition of what came before."""
    key = situation_hash(board["stones_hash"], board["to_play"])
    if board["ko_point"] >= 0:
        key ^= ZOBRIST_MARKS[0, board["ko_point"]]
    key = _mix_bits(key, board["superko_banned"], ZOBRIST_MARKS[1])
    if board["phase"] > 0:
        key = _mix_bits(key, board["ko_recapture_blocked"], ZOBRIST_MARKS[2])
        key = _mix_bits(key, board["encore_stones"][0], ZOBRIST_MARKS[3])
        key = _mix_bits(key, board["encore_stones"][1], ZOBRIST_MARKS[4])
    small = (int(2 * board["play_bonus"]) + 4096) * 4 + int(board["phase"])
    small = small * 128 + int(board["passes"])
    small = small * 4 + int(board["button"])
    small = small * 2 + int(board["pass_repeats"])
    return key ^ np.uint64(small * 2 + int(board["no_result"]))


@kernel
def _repeats_soon(board: Board, move: int, bound: int) -> bool:
    """Whether the last move's chain and the empty regions beside it are at most ``bound`` points; True for a pass."""
    if move >= board["rows"] * board["cols"]:
        return True
    stones = board["stones"]
    cell = cell_of(move, board["cols"])
    found = np.empty(bound + 1, np.int16)
    count = size = 0
    if stones[cell] == EMPTY:
        found[0] = cell
        count = 1
    else:
        chain = board["root"][cell]
        size = int(board["size"][chain])
        if size + board["liberties"][chain] > bound:
            return False
        stone = chain
        while True:
            count = _add_empty_neighbours(board, stone, found, count, bound - size)
            stone = board["next_stone"][stone]
            if stone == chain or size + count > bound:
                break
    done = 0
    while done < count and size + count <= bound:
        count = _add_empty_neighbours(board, found[done], found, count, bound - size)
        done += 1
    return size + count <= bound


@kernel
def _add_empty_neighbours(board: Board, cell: int, found: NDArray[np.int16], count: int, most: int) -> int:
    """Append the empty neighbours that are not yet ``found``; stops at one more than ``most``."""
    for direction in (-STRIDE, -1, 1, STRIDE):
        beside = cell + direction
        if board["stones"][beside] != EMPTY or count > most:
            continue
        known = False
        for i in range(count):
            known = known or found[i] == beside
        if not known:
            found[count] = beside
            count += 1
    return count


@kernel
def write_keys_after(graph: Graph, node: int, parent: int, board: Board, move: int, bound: int, goes_on: bool) -> None:
    """Write the keys of the position after ``move``, its bans written; ``bound`` as in `_repeats_soon`."""
    stats = graph.stats[node]
    state = state_key(board)
    if goes_on:
        state ^= _GOES_ON
    key = state
    if _repeats_soon(board, move, bound):
        before = graph.stats[parent]["key"]
        key ^= ((before << _SHIFT) | (before >> _BACK)) ^ _WAY
    stats["goes_on"] = 1 if goes_on else 0
    stats["state"] = state
    stats["key"] = key


@kernel
def write_lost_keys(graph: Graph, node: int, parent: int, move: int) -> None:
    """Write keys of its own to a node whose position is not known: the way taken forbids the move."""
    before = graph.stats[parent]["key"]
    key = ((before << _SHIFT) | (before >> _BACK)) ^ _LOST ^ np.uint64(move)
    graph.stats[node]["key"] = key
    graph.stats[node]["state"] = key


@kernel
def find_slot(graph: Graph, key: np.uint64) -> int:
    """Where in ``sources`` the one with ``key`` is, or would be."""
    size = graph.sources.shape[0]
    slot = int(np.int64(key % np.uint64(size)))
    while graph.sources[slot] != NONE and graph.stats[graph.sources[slot]]["key"] != key:
        slot += 1
        if slot == size:
            slot = 0
    return int(slot)


@kernel
def state_slot(graph: Graph, state: np.uint64) -> int:
    """Where in ``states`` an evaluated source in this state is, or would be."""
    size = graph.states.shape[0]
    slot = int(np.int64(state % np.uint64(size)))
    while graph.states[slot] != NONE and graph.stats[graph.states[slot]]["state"] != state:
        slot += 1
        if slot == size:
            slot = 0
    return int(slot)


@kernel
def offer_evaluation(graph: Graph, node: int) -> None:
    """Let positions in the same state have the evaluation of this one; a root's is of another kind."""
    if graph.nodes[node]["parent"] != NONE:
        slot = state_slot(graph, graph.stats[node]["state"])
        if graph.states[slot] == NONE:
            graph.states[slot] = node


@kernel
def rebuild_sources(graph: Graph, count: int, root: int) -> None:
    """Fill ``sources`` and ``states`` anew from the first ``count`` nodes, without the root: nothing leads to it."""
    graph.sources[:] = NONE
    graph.states[:] = NONE
    for node in range(count):
        if graph.stats[node]["source"] == node and node != root:
            graph.sources[find_slot(graph, graph.stats[node]["key"])] = node
            if graph.nodes[node]["state"] == EXPANDED:
                offer_evaluation(graph, node)


@kernel
def copy_evaluation(graph: Graph, leaf: int, donor: int) -> None:
    """Give a FRESH leaf the priors and the own evaluation of an EXPANDED source in the same state."""
    for action in range(graph.edges.shape[1]):
        graph.edges[leaf, action] = graph.edges[donor, action]
    edge = graph.nodes[donor]["first_child"]
    while edge != NONE:
        graph.edges[leaf, graph.nodes[edge]["action"]] = graph.nodes[edge]["prior"]
        edge = graph.nodes[edge]["next_sibling"]
    graph.nodes[leaf]["value"] = graph.nodes[donor]["value"]
    graph.nodes[leaf]["state"] = EXPANDED
    find_best_edge(graph.nodes, graph.edges, leaf)
    to, what = graph.stats[leaf], graph.stats[donor]
    to["own_utility"], to["own_weight"] = what["own_utility"], what["own_weight"] - what["rest_weight"]
    to["own_win_loss"], to["own_no_result"] = what["own_win_loss"], what["own_no_result"]
    to["own_score"], to["own_deviation"], to["own_lead"] = what["own_score"], what["own_deviation"], what["own_lead"]
    to["win_loss_error"], to["score_error"] = what["win_loss_error"], what["score_error"]


@kernel
def cut_edges(graph: Graph, node: int, forbidden: NDArray[np.bool_]) -> None:
    """Take edges of ``forbidden: bool[A]`` moves out of a source's list, and their visits out of its own."""
    parent = graph.nodes[node]
    edge = parent["first_child"]
    parent["first_child"], parent["last_child"], parent["visited_prior"] = NONE, NONE, 0.0
    visits = 1
    while edge != NONE:
        following = graph.nodes[edge]["next_sibling"]
        if not forbidden[graph.nodes[edge]["action"]]:
            graph.nodes[edge]["next_sibling"] = NONE
            if parent["last_child"] == NONE:
                parent["first_child"] = edge
            else:
                graph.nodes[parent["last_child"]]["next_sibling"] = edge
            parent["last_child"] = edge
            parent["visited_prior"] += decode_prior(graph.nodes[edge]["prior"])
            visits += graph.nodes[edge]["visits"]
        edge = following
    for action in range(forbidden.shape[0]):
        if forbidden[action]:
            graph.edges[node, action] = 0
    find_best_edge(graph.nodes, graph.edges, node)
    visits += int(graph.stats[node]["rest_visits"])
    graph.stats[node]["visits"] = visits
    parent["visits"] = visits


@kernel
def order_below(graph: Graph, root: int, order: NDArray[np.int32], seen: NDArray[np.bool_]) -> int:
    """Write the sources reachable from ``root`` to ``order``, each after its children; return how many.

    order: int32[>= 3 T], its last two thirds are scratch; seen: bool[T], True where reached.
    """
    room = order.shape[0] // 3
    stack, cursor = order[room : 2 * room], order[2 * room :]
    seen[:] = False
    seen[root] = True
    stack[0], cursor[0] = root, graph.nodes[root]["first_child"]
    height, count = 1, 0
    while height > 0:
        edge = cursor[height - 1]
        if edge == NONE:
            height -= 1
            order[count] = stack[height]
            count += 1
            continue
        cursor[height - 1] = graph.nodes[edge]["next_sibling"]
        source = graph.stats[edge]["source"]
        if not seen[source]:
            seen[source] = True
            stack[height], cursor[height] = source, graph.nodes[source]["first_child"]
            height += 1
    return count


@kernel
def leads_back(graph: Graph, root: int, order: NDArray[np.int32], count: int) -> bool:
    """Whether an edge of the ordered sources leads to the root."""
    for i in range(count):
        edge = graph.nodes[order[i]]["first_child"]
        while edge != NONE:
            if graph.stats[edge]["source"] == root:
                return True
            edge = graph.nodes[edge]["next_sibling"]
    return False


@kernel
def _number_kept(graph: Graph, count: int, order: NDArray[np.int32], ordered: int, moved: NDArray[np.int32]) -> int:
    """Write the new place of each of ``count`` nodes to ``moved``, NONE for those to drop; return how many stay."""
    moved[:count] = NONE
    for i in range(ordered):
        moved[order[i]] = 0
        edge = graph.nodes[order[i]]["first_child"]
        while edge != NONE:
            moved[edge] = 0
            edge = graph.nodes[edge]["next_sibling"]
    kept = 0
    for node in range(count):
        if moved[node] != NONE:
            moved[node] = kept
            kept += 1
    return kept


@kernel
def _new_place(moved: NDArray[np.int32], node: int) -> int:
    return NONE if node == NONE else int(moved[node])


@kernel
def keep_below(graph: Graph, root: int, order: NDArray[np.int32], ordered: int, moved: NDArray[np.int32]) -> int:
    """Drop every node that the ordered sources do not reach and close the gaps; return the root's new place.

    ``counters[0]`` becomes the number of nodes kept. moved: int32[T], scratch. Indexes of keys are not yet rebuilt.
    """
    count = int(graph.counters[0])
    kept = _number_kept(graph, count, order, ordered, moved)
    for old in range(count):
        new = moved[old]
        if new == NONE:
            continue
        if new != old:
            graph.nodes[new] = graph.nodes[old]
            graph.stats[new] = graph.stats[old]
            for action in range(graph.edges.shape[1]):
                graph.edges[new, action] = graph.edges[old, action]
        node = graph.nodes[new]
        # Where only the first way to a node was dropped, any parent will do: it is not the root
        node["parent"] = max(_new_place(moved, node["parent"]), int(moved[root]))
        node["first_child"] = _new_place(moved, node["first_child"])
        node["last_child"] = _new_place(moved, node["last_child"])
        node["next_sibling"] = _new_place(moved, node["next_sibling"])
        graph.stats[new]["source"] = moved[graph.stats[new]["source"]]
    graph.counters[0] = kept
    place = int(moved[root])
    graph.nodes[place]["parent"] = NONE
    graph.nodes[place]["next_sibling"] = NONE
    return place
