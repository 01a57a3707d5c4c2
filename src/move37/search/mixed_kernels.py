"""AlphaGo's mixed search of 2016 (APV-MCTS): what a move is worth, and how rollouts and the networks' answers go up.

The rule knows one node and its children. Beside the tree's ``NODE``, whose ``visits`` and ``value_sum`` are here the
paper's N_r and W_r (rollouts), each node has a ``MIXED_NODE`` with N_v and W_v (value network). A child's record is the
edge that leads to it. The way down and the queues are in `mixed_collect_kernels`.

Source: Silver et al., Nature 529 (2016), Methods, "Search algorithm"; the constants are in Extended Data Table 5.
"""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from move37._jit import kernel
from move37.search.tree_kernels import EXPANDED, NONE, Edges, Nodes, back_up, decode_prior, replace_priors

LEAF: Final = 3
"""State of a node that is visited but not in the tree yet: rollouts start there, it has no children."""

VALUES: Final = 0
POLICIES: Final = 1
"""Kinds of questions to the network: for values (a two-headed network gives its policy with it), and for policies."""

ASKED_VALUE: Final = 1
ASKED_POLICY: Final = 2
HAS_POLICY: Final = 4
GROWS: Final = 8  # is to be expanded at the end of this wave

MIXED_NODE: Final = np.dtype(
    [
        ("value_sum", np.float64),  # W_v, for the player to move here
        ("values", np.int32),  # N_v: positions evaluated here and below; the end of a game counts at each visit
        ("flags", np.int8),  # what the network was asked, and what it answered
    ],
    align=True,
)
"""What the value network said of one node and those below it."""

MixedNodes = Any
"""An array of dtype ``MIXED_NODE``."""

MIXED: Final = np.dtype(
    [
        ("c_puct", np.float64),
        ("mix", np.float64),  # lambda: 0 values alone, 1 rollouts alone
        ("virtual_loss", np.float64),  # n_vl
        ("threshold", np.int64),  # n_thr, adapted during the search
        ("sharpness", np.float64),  # 1 / beta: what logits are multiplied by
        ("policy_kind", np.int64),  # the kind of question that brings priors, NONE for a search without them
    ],
    align=True,
)
"""What the search may be told; one record, ``MixedConfig.record()`` fills it."""


@kernel
def clear_mixed(mixed: MixedNodes, index: int) -> None:
    """Make the record of a new node."""
    mixed[index]["value_sum"] = 0.0
    mixed[index]["values"] = 0
    mixed[index]["flags"] = 0


@kernel
def mixed_value(node: Any, extra: Any, mix: float, lost: float) -> float:
    """Q of a node for the player who moved there; ``lost`` visits under way count as lost rollouts.

    ``(1 - mix) W_v / N_v + mix W_r / N_r``. Where one kind is missing the other counts alone; 0 without any.
    """
    played = node["visits"] + lost
    evaluated = extra["values"]
    if evaluated == 0 and played == 0.0:
        return 0.0
    if evaluated == 0:
        return float(-(node["value_sum"] + lost) / played)
    value = float(-extra["value_sum"] / evaluated)
    if played == 0.0 or mix == 0.0:
        return value
    return float((1.0 - mix) * value - mix * (node["value_sum"] + lost) / played)


@kernel
def select_mixed(nodes: Nodes, mixed: MixedNodes, index: int, params: Any) -> int:
    """The child to follow at an EXPANDED node, or NONE for its best unvisited edge. Among equals the oldest child.

    The greatest ``Q + c P sqrt(sum N_r) / (1 + N_r)``, where a visit under way is ``virtual_loss`` lost rollouts. An
    unvisited move has Q = 0, as the paper starts all statistics with 0.
    """
    loss = params["virtual_loss"]
    total = 0.0
    child = nodes[index]["first_child"]
    while child != NONE:
        total += nodes[child]["visits"] + loss * nodes[child]["pending"]
        child = nodes[child]["next_sibling"]
    scale = params["c_puct"] * math.sqrt(total)
    best = NONE
    best_score = -np.inf
    child = nodes[index]["first_child"]
    while child != NONE:
        lost = loss * nodes[child]["pending"]
        u = scale * decode_prior(nodes[child]["prior"]) / (1.0 + nodes[child]["visits"] + lost)
        score = mixed_value(nodes[child], mixed[child], params["mix"], lost) + u
        if score > best_score:
            best, best_score = child, score
        child = nodes[child]["next_sibling"]
    if nodes[index]["best_edge"] != NONE and scale * decode_prior(nodes[index]["best_prior"]) > best_score:
        return NONE
    return best


@kernel
def back_up_value(nodes: Nodes, mixed: MixedNodes, leaf: int, value: float) -> None:
    """The paper's second backward pass: count one evaluation, for the player to move at ``leaf``, up to the root."""
    node = leaf
    while node != NONE:
        mixed[node]["values"] += 1
        mixed[node]["value_sum"] += value
        value = -value
        node = nodes[node]["parent"]


@kernel
def back_up_rollouts(
    nodes: Nodes, leaf_nodes: NDArray[np.int32], results: NDArray[np.float32], scores: NDArray[np.float32]
) -> None:
    """Replace the virtual losses of each simulation by what its rollout gave, for the player to move at the leaf.

    results: float32[n] in [-1, 1]; scores: float32[n], points ahead.
    """
    for i in range(results.shape[0]):
        back_up(nodes, leaf_nodes[i], results[i], scores[i], scores[i], 1)


@kernel
def set_policy(nodes: Nodes, edges: Edges, index: int, logits: NDArray[np.float32], sharpness: float) -> int:
    """Give a node the network's priors, ``softmax(sharpness * logits)`` over its legal moves, visited or not.

    logits: float32[A]. Returns 0; 1 if every legal move has minus infinity (the priors are then uniform); -1 if the
    logit of a legal move is NaN or plus infinity (nothing is written).
    """
    priors = np.zeros(logits.shape[0], np.float32)
    legal = np.zeros(logits.shape[0], np.bool_)
    for action in range(legal.shape[0]):
        legal[action] = edges[index, action] != 0
    child = nodes[index]["first_child"]
    while child != NONE:
        legal[nodes[child]["action"]] = True
        child = nodes[child]["next_sibling"]
    top = -np.inf
    for action in range(legal.shape[0]):
        if legal[action] and not logits[action] <= top:
            top = logits[action]
    if not top < np.inf:
        return -1
    total = 0.0
    for action in range(legal.shape[0]):
        if legal[action]:
            weight = math.exp(sharpness * (float(logits[action]) - top)) if top > -np.inf else 1.0
            priors[action] = weight
            total += weight
    if math.isnan(total):
        return -1
    for action in range(legal.shape[0]):
        priors[action] /= total
    replace_priors(nodes, edges, index, priors)
    return 0 if top > -np.inf else 1


@kernel
def grow(
    nodes: Nodes,
    edges: Edges,
    mixed: MixedNodes,
    leaf_nodes: NDArray[np.int32],
    chosen: NDArray[np.int64],
    weights: NDArray[np.float32],
) -> None:
    """Expand the leaves ``leaf_nodes[chosen]`` with placeholder priors in proportion to ``weights: float32[n, A]``.

    Weights are at least 0; a leaf whose legal moves all weigh nothing gets uniform priors.
    """
    for i in range(chosen.shape[0]):
        node = int(leaf_nodes[chosen[i]])
        row = edges[node]
        total = 0.0
        legal = 0
        for action in range(row.shape[0]):
            if row[action] != 0:
                total += weights[i, action]
                legal += 1
        priors = np.zeros(row.shape[0], np.float32)
        for action in range(row.shape[0]):
            if row[action] != 0:
                priors[action] = weights[i, action] / total if total > 0.0 else 1.0 / legal
        replace_priors(nodes, edges, node, priors)
        nodes[node]["state"] = EXPANDED
        mixed[node]["flags"] &= ~GROWS


@kernel
def take_answers(
    nodes: Nodes,
    edges: Edges,
    mixed: MixedNodes,
    asked: NDArray[np.int32],
    kind: int,
    params: Any,
    policy: NDArray[np.float32],
    value: NDArray[np.float32],
    scores: NDArray[np.float32],
) -> int:
    """Write the network's answers about the nodes ``asked: int32[n]``: values go up, priors replace placeholders.

    policy: float32[n, A] logits; value: float32[n], cut to [-1, 1]; scores: float32[2, n], lead and score, NaN where
    not known. Without rollouts (``mix`` 0) the value ends the simulation. Returns how many had no legal move with a
    finite logit, or ``-1 - i`` if answer i is not a number.
    """
    uniform = 0
    for i in range(asked.shape[0]):
        node = asked[i]
        if kind == params["policy_kind"]:
            status = set_policy(nodes, edges, node, policy[i], params["sharpness"])
            if status < 0:
                return -1 - i
            uniform += status
            mixed[node]["flags"] |= HAS_POLICY
        if kind == VALUES:
            if not abs(value[i]) < np.inf:
                return -1 - i
            result = min(1.0, max(-1.0, float(value[i])))
            nodes[node]["value"] = result
            back_up_value(nodes, mixed, node, result)
            if params["mix"] == 0.0:
                back_up(nodes, node, result, scores[0, i], scores[1, i], 1)
    return uniform


@kernel
def read_mixed(
    nodes: Nodes, mixed: MixedNodes, node: int, mix: float, visits: NDArray[np.int32], q: NDArray[np.float32]
) -> None:
    """Write ``visits: int32[A]`` (N_r) and ``q: float32[A]`` (Q) of the moves at ``node``, NaN where unvisited."""
    visits[:] = 0
    q[:] = np.nan
    child = nodes[node]["first_child"]
    while child != NONE:
        action = nodes[child]["action"]
        visits[action] = nodes[child]["visits"]
        if nodes[child]["visits"] > 0 or mixed[child]["values"] > 0:
            q[action] = mixed_value(nodes[child], mixed[child], mix, 0.0)
        child = nodes[child]["next_sibling"]
