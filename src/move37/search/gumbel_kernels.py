"""Gumbel AlphaZero: which move a simulation follows at the root, and which below it.

It knows one node and its children, not boards. Both rules are those of Danihelka et al. 2022, *Policy improvement by
planning with Gumbel*. At the root a plan (`gumbel.considered_visits`) says how many visits the move to be visited next
has had, and of the moves with as many the one with the greatest ``g + ln P + σ(Q)`` is visited (Algorithm 2 of the
paper, in the order of the authors' library mctx). Below the root the move is visited that is furthest behind the
improved policy π' = softmax(ln P + σ(Q)): the greatest ``π' - N / (1 + ΣN)`` (Section 5).

Q is *completed*: an unvisited move is as good as its node's mixed value (Appendix D). The logits are ln P of the priors
kept in the tree, softmax does not mind the constant. Visits under way count as visits, not as values.
"""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from move37._jit import kernel
from move37.search.tree_kernels import NONE, Edges, Nodes, decode_prior

GUMBEL: Final = np.dtype([("c_visit", np.float64), ("c_scale", np.float64)], align=True)
"""What σ is made of; one record, ``GumbelConfig.record()`` fills it."""

WAIT: Final = -2
DONE: Final = -3


@kernel
def mixed_value(nodes: Nodes, index: int) -> float:
    """What the unvisited moves of a node are worth, for its player to move.

    The node's own evaluation, and with the weight of all visits the mean Q of its visited moves by their priors.
    """
    visits = 0
    total = 0.0
    weighted = 0.0
    child = nodes[index]["first_child"]
    while child != NONE:
        count = nodes[child]["visits"]
        if count > 0:
            prior = decode_prior(nodes[child]["prior"])
            visits += count
            total += prior
            weighted -= prior * nodes[child]["value_sum"] / count
        child = nodes[child]["next_sibling"]
    if visits == 0:
        return float(nodes[index]["value"])
    return float((nodes[index]["value"] + visits * weighted / total) / (1 + visits))


@kernel
def value_scale(nodes: Nodes, index: int, params: Any) -> float:
    """σ's factor at a node, ``(c_visit + max N) * c_scale``."""
    most = 0
    child = nodes[index]["first_child"]
    while child != NONE:
        most = max(most, nodes[child]["visits"])
        child = nodes[child]["next_sibling"]
    return float((params["c_visit"] + most) * params["c_scale"])


@kernel
def _improved_logit(child: Any, scale: float, unvisited: float) -> float:
    """``ln P + σ(Q)`` of a child, for its parent; what is only under way is worth what is unvisited."""
    q = unvisited if child["visits"] == 0 else -child["value_sum"] / child["visits"]
    return float(math.log(decode_prior(child["prior"])) + scale * q)


@kernel
def _top_logit(nodes: Nodes, index: int, scale: float, unvisited: float) -> float:
    """A logit that no move of a node exceeds, and that some move is near: it keeps exponentials in range."""
    top = scale * unvisited
    child = nodes[index]["first_child"]
    while child != NONE:
        top = max(top, _improved_logit(nodes[child], scale, unvisited))
        child = nodes[child]["next_sibling"]
    return top


@kernel
def _total_weight(nodes: Nodes, index: int, scale: float, unvisited: float, top: float) -> float:
    """Sum of ``exp(logit - top)`` over all moves of a node; the unvisited ones share their Q, so their prior counts."""
    total = max(0.0, 1.0 - nodes[index]["visited_prior"]) * math.exp(scale * unvisited - top)
    child = nodes[index]["first_child"]
    while child != NONE:
        total += math.exp(_improved_logit(nodes[child], scale, unvisited) - top)
        child = nodes[child]["next_sibling"]
    return float(total)


@kernel
def select_child(nodes: Nodes, index: int, params: Any) -> int:
    """The child to follow at an EXPANDED node below the root, or NONE for its best unvisited edge.

    Among equals the oldest child. Of the unvisited edges only that with the greatest prior can be first.
    """
    node = nodes[index]
    scale, unvisited = value_scale(nodes, index, params), mixed_value(nodes, index)
    top = _top_logit(nodes, index, scale, unvisited)
    total = _total_weight(nodes, index, scale, unvisited, top)
    share = 1.0 / (node["visits"] + node["pending"])  # 1 + ΣN: the node's own evaluation is a visit
    best = NONE
    best_score = -np.inf
    child = node["first_child"]
    while child != NONE:
        count = nodes[child]["visits"] + nodes[child]["pending"]
        score = math.exp(_improved_logit(nodes[child], scale, unvisited) - top) / total - count * share
        if score > best_score:
            best, best_score = child, score
        child = nodes[child]["next_sibling"]
    if node["best_edge"] != NONE:
        open_score = decode_prior(node["best_prior"]) * math.exp(scale * unvisited - top) / total
        if open_score > best_score:
            return NONE
    return best


@kernel
def improved_logits(nodes: Nodes, edges: Edges, root: int, params: Any, out: NDArray[np.float64]) -> None:
    """Write ``ln P + σ(completed Q)`` of every legal move of a root to ``out: float64[A]``, else minus infinity."""
    scale, unvisited = value_scale(nodes, root, params), mixed_value(nodes, root)
    for action in range(out.shape[0]):
        code = edges[root, action]
        out[action] = math.log(decode_prior(code)) + scale * unvisited if code != 0 else -np.inf
    child = nodes[root]["first_child"]
    while child != NONE:
        out[nodes[child]["action"]] = _improved_logit(nodes[child], scale, unvisited)
        child = nodes[child]["next_sibling"]


@kernel
def count_new(nodes: Nodes, root: int, before: NDArray[np.int32], out: NDArray[np.int32]) -> int:
    """Write the visits that the moves of a root had since ``before`` (int32[A]), those under way too; their sum."""
    for action in range(out.shape[0]):
        out[action] = -before[action]
    total = 0
    child = nodes[root]["first_child"]
    while child != NONE:
        action = nodes[child]["action"]
        out[action] += nodes[child]["visits"] + nodes[child]["pending"]
        total += int(out[action])
        child = nodes[child]["next_sibling"]
    return total


@kernel
def select_at_root(
    nodes: Nodes,
    edges: Edges,
    root: int,
    params: Any,
    noise: NDArray[np.float64],
    before: NDArray[np.int32],
    plan: NDArray[np.int32],
    starts: NDArray[np.bool_],
    logits: NDArray[np.float64],
    new: NDArray[np.int32],
) -> int:
    """The move to visit next at a root; WAIT until the visits under way are back; DONE where the plan is fulfilled.

    noise: float64[A], the move's Gumbel numbers. before: int32[A], its moves' visits when the plan began. plan:
    int32[n], new visits of the move that the plan's i-th simulation is for; starts: bool[n], whether a phase begins
    there. logits: float64[A] and new: int32[A] are scratch. Among equals the first action.
    """
    place = count_new(nodes, root, before, new)
    if place >= plan.shape[0]:
        return DONE
    if starts[place] and nodes[root]["pending"] > 0:
        return WAIT
    improved_logits(nodes, edges, root, params, logits)
    best = NONE
    for action in range(logits.shape[0]):
        due = logits[action] > -np.inf and new[action] == plan[place]
        if due and (best == NONE or logits[action] + noise[action] > logits[best] + noise[best]):
            best = action
    return best if best != NONE else DONE
