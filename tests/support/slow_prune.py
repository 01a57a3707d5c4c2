"""A tree as a dictionary from lines of moves to statistics, and what pruning leaves of it: `prune_kernels`' twin."""

from __future__ import annotations

from typing import Any

from move37.search.tree import Trees
from move37.search.tree_kernels import NONE

Line = tuple[int, ...]


def as_lines(trees: Trees, game: int = 0) -> dict[Line, dict[str, Any]]:
    """Every node by the moves that lead to it: its statistics, its prior, and the unvisited edges with their priors."""
    found: dict[Line, dict[str, Any]] = {}
    waiting: list[tuple[int, Line]] = [(int(trees.roots[game]), ())]
    while waiting:
        index, line = waiting.pop()
        node = trees.nodes[index]
        names = ("value_sum", "visits", "pending", "value", "state", "square", "lead", "score", "prior")
        found[line] = {name: node[name].item() for name in names}
        found[line]["edges"] = {
            move: int(code) for move, code in enumerate(trees.edges[index].tolist()) if node["state"] == 1 and code
        }
        child = int(node["first_child"])
        while child != NONE:
            waiting.append((child, (*line, int(trees.nodes["action"][child]))))
            child = int(trees.nodes["next_sibling"][child])
    return found


def pruned(lines: dict[Line, dict[str, Any]], least: int) -> dict[Line, dict[str, Any]]:
    """What is left if nodes deeper than a root's moves go that have fewer visits than `least`."""
    kept: dict[Line, dict[str, Any]] = {}
    for line, node in sorted(lines.items(), key=lambda item: len(item[0])):
        if len(line) < 2 or (line[:-1] in kept and node["visits"] >= least):
            kept[line] = node | {"edges": dict(node["edges"])}
        elif line[:-1] in kept:
            kept[line[:-1]]["edges"][line[-1]] = node["prior"]
    return kept
