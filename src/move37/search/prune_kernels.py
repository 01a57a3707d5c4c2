"""Making room in a full tree: moves visited rarely become unvisited again, and all below them is given back.

A cut move keeps its prior, its ancestors keep their statistics: what it taught them stays. It may be visited again and
is then evaluated again. The moves of a root are never cut, so that a search still reports all it looked at. KataGo's
graph has its own counterpart, `graph_prune_kernels`.
"""

from __future__ import annotations

from move37._jit import kernel
from move37.search.tree_kernels import NONE, Edges, Nodes, decode_prior, find_best_edge


@kernel
def least_kept(nodes: Nodes, count: int, most: int) -> int:
    """A number of visits, at least 2, that no more than ``most`` of the first ``count`` nodes have."""
    least = 2
    while True:
        kept = 0
        for i in range(count):
            if nodes[i]["visits"] >= least:
                kept += 1
        if kept <= most:
            return least
        least += (least + 1) // 2


@kernel
def cut_children(nodes: Nodes, edges: Edges, parent: int, least: int) -> None:
    """Make the children of an EXPANDED node that have fewer than ``least`` visits unvisited moves again.

    The cut nodes get no parent, so that `keep_trees` drops them with all below them.
    """
    node = nodes[parent]
    child = node["first_child"]
    node["first_child"], node["last_child"], node["visited_prior"] = NONE, NONE, 0.0
    while child != NONE:
        following = nodes[child]["next_sibling"]
        nodes[child]["next_sibling"] = NONE
        if nodes[child]["visits"] < least:
            nodes[child]["parent"] = NONE
            edges[parent, nodes[child]["action"]] = nodes[child]["prior"]
        else:
            if node["last_child"] == NONE:
                node["first_child"] = child
            else:
                nodes[node["last_child"]]["next_sibling"] = child
            node["last_child"] = child
            node["visited_prior"] += decode_prior(nodes[child]["prior"])
        child = following
    find_best_edge(nodes, edges, parent)


@kernel
def cut_rare(nodes: Nodes, edges: Edges, count: int, least: int) -> None:
    """Cut moves with fewer than ``least`` visits at every node but the roots; no visit may be under way."""
    for i in range(count):
        if nodes[i]["parent"] != NONE and nodes[i]["first_child"] != NONE:
            cut_children(nodes, edges, i, least)
