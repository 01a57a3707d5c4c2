"""The search tree: flat arrays that hold many trees, and the kernels that grow, back up, cut and read them.

It does not choose moves (that is `puct_kernels`) and plays none (that is `collect_kernels`). A node is an evaluated
position without its board. There are two arrays, both indexed by node:

- ``nodes: NODE[T]``: statistics, kept for visited moves alone: one record is one cache line;
- ``edges: uint16[T, A]``: the moves not yet visited; the place in the row is the action and the number its prior, so an
  unvisited edge takes two bytes. 0 means illegal or already visited.

A million nodes on 19×19 thus take 0.8 GB. Unvisited moves of a node all have the same value (first-play urgency), so
only the one with the greatest prior competes; the node remembers it, and a new scan is due only when it is visited.

A parent always has a smaller index than its children; `keep_trees` relies on it.

Values are for the player to move at the node they belong to: a parent negates its children's.
"""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from move37._jit import kernel

NONE: Final = -1

FRESH: Final = 0  # created, its evaluation not yet here
EXPANDED: Final = 1  # evaluated, its edges have priors
TERMINAL: Final = 2  # the game is over here

NODE: Final = np.dtype(
    [
        ("value_sum", np.float64),  # of all visits, for the player to move here
        ("visits", np.int32),
        ("pending", np.int32),  # visits under way: each counts as virtual losses until backed up
        ("parent", np.int32),
        ("first_child", np.int32),
        ("last_child", np.int32),
        ("next_sibling", np.int32),
        ("value", np.float32),  # own evaluation, or the result where the game is over
        ("visited_prior", np.float32),  # sum of the children's priors
        ("action", np.int16),  # the move that led here
        ("best_edge", np.int16),  # unvisited action with the greatest prior, NONE if there is none
        ("prior", np.uint16),  # code of the prior of `action`
        ("best_prior", np.uint16),  # code of the prior of `best_edge`
        ("state", np.int8),  # FRESH, EXPANDED, TERMINAL
        # Means of all visits, NaN where the evaluator does not know scores; a mean stays exact in few bits
        ("square", np.float32),  # of the squared value
        ("lead", np.float32),  # points ahead, for the player to move here; score: of the final score
        ("score", np.float32),
    ],
    align=True,
)
"""One node: 64 bytes, a cache line."""

Nodes = Any
"""An array of dtype ``NODE``."""
Edges = NDArray[np.uint16]

PRIOR_SCALE: Final = 65535.0


@kernel
def decode_prior(code: int) -> float:
    """The prior of a code. A code is ``65535 * sqrt(prior)``: small priors keep their relative precision."""
    root = float(code) / PRIOR_SCALE
    return root * root


@kernel
def encode_prior(prior: float) -> int:
    """The code of a prior in [0, 1]; at least 1, because 0 means that there is no such edge."""
    return min(max(1, int(math.sqrt(prior) * PRIOR_SCALE + 0.5)), 65535)


@kernel
def add_node(nodes: Nodes, index: int, parent: int, action: int, prior: int) -> None:
    """Write a FRESH node without visits at ``index``; it is not yet in its parent's list of children."""
    node = nodes[index]
    node["value_sum"] = 0.0
    node["visits"] = 0
    node["pending"] = 0
    node["parent"] = parent
    node["first_child"] = NONE
    node["last_child"] = NONE
    node["next_sibling"] = NONE
    node["value"] = 0.0
    node["visited_prior"] = 0.0
    node["action"] = action
    node["best_edge"] = NONE
    node["prior"] = prior
    node["best_prior"] = 0
    node["state"] = FRESH
    node["square"], node["lead"], node["score"] = 0.0, 0.0, 0.0


@kernel
def find_best_edge(nodes: Nodes, edges: Edges, node: int) -> None:
    """Look for the unvisited edge with the greatest prior; among equals the first, points before pass."""
    row = edges[node]
    best = np.uint16(0)
    for action in range(row.shape[0]):
        best = max(best, row[action])
    place = NONE
    if best > 0:
        place = 0
        while row[place] != best:
            place += 1
    nodes[node]["best_edge"] = place
    nodes[node]["best_prior"] = best


@kernel
def add_best_child(nodes: Nodes, edges: Edges, parent: int, index: int) -> None:
    """Turn the best unvisited edge of ``parent`` into a FRESH node at ``index``, last in the list of children."""
    action = nodes[parent]["best_edge"]
    code = nodes[parent]["best_prior"]
    add_node(nodes, index, parent, action, code)
    last = nodes[parent]["last_child"]
    if last == NONE:
        nodes[parent]["first_child"] = index
    else:
        nodes[last]["next_sibling"] = index
    nodes[parent]["last_child"] = index
    nodes[parent]["visited_prior"] += decode_prior(code)
    edges[parent, action] = 0
    find_best_edge(nodes, edges, parent)


@kernel
def mark_pending(nodes: Nodes, leaf: int) -> None:
    """Count a visit under way on the path from ``leaf`` to its root."""
    node = leaf
    while node != NONE:
        nodes[node]["pending"] += 1
        node = nodes[node]["parent"]


@kernel
def back_up(nodes: Nodes, leaf: int, value: float, lead: float, score: float, pending: int) -> None:
    """Count one visit up to the root and take ``pending`` off; value, lead and score are for the player at ``leaf``."""
    node = leaf
    square = value * value
    while node != NONE:
        nodes[node]["visits"] += 1
        share = 1.0 / nodes[node]["visits"]
        nodes[node]["value_sum"] += value
        nodes[node]["square"] += share * (square - nodes[node]["square"])
        nodes[node]["lead"] += share * (lead - nodes[node]["lead"])
        nodes[node]["score"] += share * (score - nodes[node]["score"])
        nodes[node]["pending"] -= pending
        value, lead, score = -value, -lead, -score
        node = nodes[node]["parent"]


@kernel
def write_legal(edges: Edges, node: int, legal: NDArray[np.bool_]) -> None:
    """Remember which moves are legal at a FRESH node until its priors come. ``legal: bool[A]``."""
    for action in range(legal.shape[0]):
        edges[node, action] = 1 if legal[action] else 0


@kernel
def write_priors(nodes: Nodes, edges: Edges, node: int, logits: NDArray[np.float32]) -> int:
    """Softmax of ``logits: float32[A]`` over the legal moves of a FRESH node, which becomes EXPANDED.

    Returns 0; 1 if every legal move had minus infinity (the priors are then uniform); -1 if a legal move's logit is NaN
    or plus infinity (the node is then spoilt).
    """
    row = edges[node]
    top = -np.inf
    legal = 0
    for action in range(row.shape[0]):
        if row[action] != 0:
            legal += 1
            if not logits[action] <= top:
                top = logits[action]
    if not top < np.inf:
        return -1
    status = 1 if top == -np.inf else 0
    total = 0.0
    for action in range(row.shape[0]):
        if row[action] != 0 and status == 0:
            total += math.exp(np.float32(logits[action] - top))
    if math.isnan(total):
        return -1
    scale = PRIOR_SCALE / math.sqrt(total) if status == 0 else PRIOR_SCALE / math.sqrt(legal)
    half_top = np.float32(top)
    for action in range(row.shape[0]):
        if row[action] != 0:
            root = math.exp(np.float32(0.5) * (logits[action] - half_top)) if status == 0 else np.float32(1.0)
            row[action] = max(1, int(root * scale + 0.5))
    nodes[node]["state"] = EXPANDED
    find_best_edge(nodes, edges, node)
    return status


@kernel
def read_priors(nodes: Nodes, edges: Edges, node: int, out: NDArray[np.float32]) -> None:
    """Write ``out: float32[A]``: the priors of visited and unvisited moves, 0 where illegal, summing to 1."""
    total = 0.0
    for action in range(out.shape[0]):
        out[action] = decode_prior(edges[node, action])
        total += out[action]
    child = nodes[node]["first_child"]
    while child != NONE:
        out[nodes[child]["action"]] = decode_prior(nodes[child]["prior"])
        total += out[nodes[child]["action"]]
        child = nodes[child]["next_sibling"]
    if total > 0.0:
        for action in range(out.shape[0]):
            out[action] /= total


@kernel
def replace_priors(nodes: Nodes, edges: Edges, node: int, priors: NDArray[np.float32]) -> None:
    """Give an EXPANDED node other priors (``float32[A]``, at a root: with noise); visited moves too."""
    for action in range(priors.shape[0]):
        if edges[node, action] != 0:
            edges[node, action] = encode_prior(float(priors[action]))
    visited = 0.0
    child = nodes[node]["first_child"]
    while child != NONE:
        code = encode_prior(float(priors[nodes[child]["action"]]))
        nodes[child]["prior"] = code
        visited += decode_prior(code)
        child = nodes[child]["next_sibling"]
    nodes[node]["visited_prior"] = visited
    find_best_edge(nodes, edges, node)


@kernel
def read_children(nodes: Nodes, node: int, visits: NDArray[np.int32], q: NDArray[np.float32]) -> None:
    """Write ``visits: int32[A]`` and ``q: float32[A]``: mean value for the player to move at ``node``, else NaN."""
    visits[:] = 0
    q[:] = np.nan
    child = nodes[node]["first_child"]
    while child != NONE:
        action = nodes[child]["action"]
        count = nodes[child]["visits"]
        visits[action] = count
        if count > 0:
            q[action] = -nodes[child]["value_sum"] / count
        child = nodes[child]["next_sibling"]


@kernel
def read_scores(nodes: Nodes, node: int, out: NDArray[np.float64]) -> None:
    """Write mean squared value, lead and score of the moves at ``node``, for its player, to ``out: float64[3, A]``.

    NaN where unvisited.
    """
    out[:] = np.nan
    child = nodes[node]["first_child"]
    while child != NONE:
        if nodes[child]["visits"] > 0:
            action = nodes[child]["action"]
            out[0, action] = nodes[child]["square"]
            out[1, action] = -nodes[child]["lead"]
            out[2, action] = -nodes[child]["score"]
        child = nodes[child]["next_sibling"]


@kernel
def find_child(nodes: Nodes, node: int, action: int) -> int:
    """The child that ``action`` leads to, or NONE if it was never visited."""
    child: int = nodes[node]["first_child"]
    while child != NONE and nodes[child]["action"] != action:
        child = nodes[child]["next_sibling"]
    return child


@kernel
def most_visited_child(nodes: Nodes, node: int) -> int:
    """The child with the most visits, then the best value, then the greatest prior, then the oldest; or NONE."""
    best = NONE
    child = nodes[node]["first_child"]
    while child != NONE:
        if best == NONE or _is_better(nodes[child], nodes[best]):
            best = child
        child = nodes[child]["next_sibling"]
    return best


@kernel
def lead_of_best(nodes: Nodes, node: int) -> int:
    """Visits by which the most visited child is ahead of the second."""
    first = second = 0
    child = nodes[node]["first_child"]
    while child != NONE:
        visits = nodes[child]["visits"]
        if visits > first:
            first, second = visits, first
        elif visits > second:
            second = visits
        child = nodes[child]["next_sibling"]
    return first - second


@kernel
def _is_better(a: Any, b: Any) -> bool:
    """Whether sibling ``a`` is to be preferred to ``b``."""
    if a["visits"] != b["visits"]:
        return bool(a["visits"] > b["visits"])
    # Equal visits: the smaller sum is the opponent's worse.
    if a["value_sum"] != b["value_sum"]:
        return bool(a["value_sum"] < b["value_sum"])
    return bool(a["prior"] > b["prior"])


@kernel
def read_variation(nodes: Nodes, node: int, out: NDArray[np.int32], visits: NDArray[np.int32]) -> int:
    """Write the most visited line below ``node``, at most n moves, and its visits; return its length.

    out, visits: int32[n].
    """
    length = 0
    child = most_visited_child(nodes, node)
    while child != NONE and length < out.shape[0] and nodes[child]["visits"] > 0:
        out[length] = nodes[child]["action"]
        visits[length] = nodes[child]["visits"]
        length += 1
        child = most_visited_child(nodes, child)
    return length


@kernel
def read_lines(
    nodes: Nodes, node: int, out: NDArray[np.int32], visits: NDArray[np.int32], lengths: NDArray[np.int32]
) -> None:
    """Write the most visited line of each move at ``node``: out, visits: int32[A, n]; lengths: int32[A], 0 if none."""
    lengths[:] = 0
    child = nodes[node]["first_child"]
    while child != NONE:
        action = nodes[child]["action"]
        if nodes[child]["visits"] > 0:
            out[action, 0] = action
            visits[action, 0] = nodes[child]["visits"]
            lengths[action] = 1 + read_variation(nodes, child, out[action, 1:], visits[action, 1:])
        child = nodes[child]["next_sibling"]


@kernel
def find_root_moves(
    nodes: Nodes, leaves: NDArray[np.int32], moves: NDArray[np.int32], depths: NDArray[np.int32]
) -> None:
    """Write for each of ``leaves: int32[B]`` the root's move it is below, NONE for a root itself, and its depth."""
    for i in range(leaves.shape[0]):
        node = leaves[i]
        moves[i], depths[i] = NONE, 0
        while nodes[node]["parent"] != NONE:
            moves[i] = nodes[node]["action"]
            depths[i] += 1
            node = nodes[node]["parent"]


@kernel
def keep_trees(nodes: Nodes, edges: Edges, count: int, roots: NDArray[np.int32], moved: NDArray[np.int32]) -> int:
    """Drop every node not below one of ``roots`` and close the gaps; return the new count of nodes.

    ``roots: int32[G]`` (NONE allowed) gets the new indices; ``moved: int32[>= count]`` is scratch. One pass is enough
    because parents precede children.
    """
    moved[:count] = NONE
    for i in range(roots.shape[0]):
        if roots[i] != NONE:
            nodes[roots[i]]["parent"] = NONE
            nodes[roots[i]]["next_sibling"] = NONE
            moved[roots[i]] = roots[i]
    kept = 0
    for old in range(count):
        parent = nodes[old]["parent"]
        if moved[old] != NONE or (parent != NONE and moved[parent] != NONE):
            moved[old] = kept
            if kept != old:
                nodes[kept] = nodes[old]
                for action in range(edges.shape[1]):
                    edges[kept, action] = edges[old, action]
            if parent != NONE:
                nodes[kept]["parent"] = moved[parent]
            kept += 1
    for new in range(kept):
        _follow(nodes[new], moved)
    for i in range(roots.shape[0]):
        if roots[i] != NONE:
            roots[i] = moved[roots[i]]
    return kept


@kernel
def _follow(node: Any, moved: NDArray[np.int32]) -> None:
    """Point a moved node at the new places of its children and sibling."""
    if node["first_child"] != NONE:
        node["first_child"] = moved[node["first_child"]]
        node["last_child"] = moved[node["last_child"]]
    if node["next_sibling"] != NONE:
        node["next_sibling"] = moved[node["next_sibling"]]
