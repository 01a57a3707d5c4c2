"""PUCT: which move a simulation follows at a node.

It knows one node and its children, not boards. The rule is AlphaGo Zero's (Silver et al. 2017, Methods): the greatest
``Q + c · P · sqrt(ΣN) / (1 + N)``. The papers leave open what Q an unvisited move has; here it is KataGo's first-play
urgency (Wu 2019): the parent's value less ``fpu_reduction · sqrt(prior visited so far)``. ΣN counts as 1 at least, so
that priors decide the first choice of a node.

Visits under way count, so that a batch spreads: as lost ones (AlphaGo's virtual loss, Silver et al. 2016), or as visits
without a value (Liu et al. 2020, *Watch the Unobserved*: WU-UCT; lc0 does so too). Forced playouts give each visited
move at the root ``sqrt(k · P · ΣN)`` visits at least (Wu 2019, 3.2).
"""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np

from move37._jit import kernel
from move37.search.tree_kernels import NONE, Nodes, decode_prior

PUCT: Final = np.dtype(
    [
        ("c_puct", np.float64),
        ("c_base", np.float64),  # 0: c does not grow with the visits
        ("fpu_reduction", np.float64),
        ("root_fpu_reduction", np.float64),
        ("fpu_value", np.float64),  # what an unvisited move is worth; NaN: by reduction
        ("virtual_loss", np.float64),  # visits that one under way counts as
        ("lost", np.float64),  # 1 if these count as lost, 0 if they only count
        ("forced", np.float64),  # k of forced playouts at the root; 0: none
    ],
    align=True,
)
"""What PUCT may be told; one record, ``SearchConfig.record()`` fills it."""


@kernel
def exploration(visits: float, params: Any) -> float:
    """The factor c: ``c_puct``; growing as ``log((1 + N + c_base) / c_base) + c_puct`` if c_base > 0 (AlphaZero)."""
    if params["c_base"] > 0.0:
        return float(params["c_puct"] + math.log((1.0 + visits + params["c_base"]) / params["c_base"]))
    return float(params["c_puct"])


@kernel
def urgency(node: Any, params: Any) -> float:
    """Q of the unvisited moves of a node, for its player to move."""
    if not math.isnan(params["fpu_value"]):
        return float(params["fpu_value"])
    reduction = params["root_fpu_reduction"] if node["parent"] == NONE else params["fpu_reduction"]
    value = node["value_sum"] / node["visits"] - reduction * math.sqrt(node["visited_prior"])
    return float(max(-1.0, value))


@kernel
def select_child(nodes: Nodes, index: int, params: Any) -> int:
    """The child to follow at an EXPANDED node, or NONE for its best unvisited edge. Among equals the oldest child."""
    node = nodes[index]
    amount = params["virtual_loss"]
    visits = node["visits"] - 1 + amount * node["pending"]
    scale = exploration(visits, params) * math.sqrt(max(1.0, visits))
    unvisited = urgency(node, params)
    forced = params["forced"] * visits if node["parent"] == NONE else 0.0
    best = NONE
    best_score = -np.inf
    child = node["first_child"]
    while child != NONE:
        under_way = amount * nodes[child]["pending"]
        count = nodes[child]["visits"] + under_way
        prior = decode_prior(nodes[child]["prior"])
        score = _value_under_way(nodes[child], under_way * params["lost"], unvisited) + scale * prior / (1.0 + count)
        if count * count < forced * prior:
            score = np.inf
        if score > best_score:
            best, best_score = child, score
        child = nodes[child]["next_sibling"]
    if node["best_edge"] != NONE and unvisited + scale * decode_prior(node["best_prior"]) > best_score:
        return NONE
    return best


@kernel
def _value_under_way(child: Any, losses: float, unvisited: float) -> float:
    """Q of a child for its parent, so many visits counted as lost; what is only under way is as good as unvisited."""
    count = child["visits"] + losses
    if count == 0.0:
        return unvisited
    return float(-(child["value_sum"] + losses) / count)
