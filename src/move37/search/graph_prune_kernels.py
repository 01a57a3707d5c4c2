"""Making room in the graph of KataGo's search, whose statistics are made anew from the children: see `prune_kernels`.

So what is cut lives on in its parent's own evaluation, with the weight it had: the parent's statistics stay what they
are, and so do its visits. KataGo itself has no such thing; it stops when memory ends.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from move37._jit import kernel
from move37.search.graph_kernels import Graph
from move37.search.katago_kernels import weigh_children
from move37.search.tree_kernels import EXPANDED, NONE, decode_prior, find_best_edge


@kernel
def _fold(graph: Graph, index: int, source: int, weight: float) -> None:
    """Average ``weight`` of a position's statistics into the own evaluation of a node."""
    stats, child = graph.stats[index], graph.stats[source]
    own = stats["own_weight"]
    whole = own + weight
    part = weight / whole
    square = stats["own_score"] * stats["own_score"] + stats["own_deviation"] * stats["own_deviation"]
    square += part * (child["score_sq"] - square)
    stats["own_win_loss"] += part * (child["win_loss"] - stats["own_win_loss"])
    stats["own_no_result"] += part * (child["no_result"] - stats["own_no_result"])
    stats["own_score"] += part * (child["score"] - stats["own_score"])
    stats["own_lead"] += part * (child["lead"] - stats["own_lead"])
    stats["own_utility"] += part * (child["utility"] - stats["own_utility"])
    stats["own_deviation"] = math.sqrt(max(0.0, square - stats["own_score"] * stats["own_score"]))
    stats["own_weight"] = whole
    stats["rest_weight"] += weight


@kernel
def _cut_edges_of(graph: Graph, index: int, least: int, params: Any) -> None:
    """Cut the edges of a source that have fewer than ``least`` visits; fold what they weigh in its statistics."""
    count = weigh_children(graph, index, params)
    for i in range(count):
        edge = graph.picked[i]
        if graph.nodes[edge]["visits"] < least:
            _fold(graph, index, graph.stats[edge]["source"], graph.weight[i])
            graph.stats[index]["rest_visits"] += graph.nodes[edge]["visits"]
    node = graph.nodes[index]
    edge = node["first_child"]
    node["first_child"], node["last_child"], node["visited_prior"] = NONE, NONE, 0.0
    while edge != NONE:
        following = graph.nodes[edge]["next_sibling"]
        graph.nodes[edge]["next_sibling"] = NONE
        if graph.nodes[edge]["visits"] < least:
            graph.edges[index, graph.nodes[edge]["action"]] = graph.nodes[edge]["prior"]
        else:
            if node["last_child"] == NONE:
                node["first_child"] = edge
            else:
                graph.nodes[node["last_child"]]["next_sibling"] = edge
            node["last_child"] = edge
            node["visited_prior"] += decode_prior(graph.nodes[edge]["prior"])
        edge = following
    find_best_edge(graph.nodes, graph.edges, index)


@kernel
def cut_rare_edges(graph: Graph, root: int, order: NDArray[np.int32], ordered: int, least: int, params: Any) -> None:
    """Cut edges with fewer than ``least`` visits of every ordered source but the root; no visit may be under way."""
    for i in range(ordered):
        index = order[i]
        if index != root and graph.nodes[index]["state"] == EXPANDED and graph.nodes[index]["first_child"] != NONE:
            _cut_edges_of(graph, index, least, params)
