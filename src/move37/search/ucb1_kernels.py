"""UCB1: which move a simulation of the classic Monte-Carlo search follows at a node, with RAVE where asked.

It knows one node and its children, not boards. The rule is UCB1 (Auer, Cesa-Bianchi, Fischer 2002) as UCT uses it
(Kocsis, Szepesvári 2006): the greatest ``mean + c · sqrt(ln N / n)``, means as win rates in [0, 1] for the player to
move. A move without visits comes before all others, or counts as a win rate of its own (Gelly, Wang 2007). Priors
decide only which unvisited move is first. Visits under way count as lost ones.

With RAVE (Gelly, Silver 2011, Artificial Intelligence 175, section 4) a move's mean is mixed with its mean as *all
moves as first*: over all simulations through the node in which its player played there at any time before the other
did. The share of the latter is ``β = m / (n + m + 4 · bias² · n · m)`` for n visits and m such simulations, which is
the paper's mix of least squared error; so unvisited moves are told apart at once. The exploring term then takes n as 1
at least.
"""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from move37._jit import kernel
from move37.search.tree_kernels import NONE, Edges, Nodes

UCB1: Final = np.dtype(
    [
        ("c", np.float64),
        ("first_play", np.float64),  # win rate of an unvisited move; infinity: it comes first
        ("virtual_loss", np.float64),  # losses that a visit under way counts as
        ("bias", np.float64),  # RAVE's; NaN: no RAVE
    ],
    align=True,
)
"""What UCB1 may be told; one record, ``UctConfig.record()`` fills it."""

RaveRows = NDArray[np.float32]
"""All-moves-as-first statistics: float32[R, 2, A], how often each move came and the sum of its results in [-1, 1]."""


@kernel
def upper_bound(mean: float, count: float, log_total: float, c: float) -> float:
    """UCB1 of a move with ``count`` visits: its mean, and how much better it may be at most."""
    return mean + c * math.sqrt(log_total / count)


@kernel
def win_rate(node: Any, loss: float) -> float:
    """Mean of a child in [0, 1] for the player who moved there, visits under way lost; 0.5 without any visit."""
    losses = loss * node["pending"]
    count = node["visits"] + losses
    if count == 0.0:
        return 0.5
    return float(0.5 - 0.5 * (node["value_sum"] + losses) / count)


@kernel
def mixed_rate(rate: float, count: float, times: float, results: float, bias: float) -> float:
    """RAVE's mix of a move's win rate from ``count`` visits and the mean of ``times`` results in [-1, 1]."""
    if times == 0.0:
        return rate
    share = times / (count + times + 4.0 * bias * bias * count * times)
    return rate + share * (0.5 + 0.5 * results / times - rate)


@kernel
def select_child(nodes: Nodes, index: int, params: Any) -> int:
    """The child to follow at an EXPANDED node, or NONE for its best unvisited edge. Among equals the oldest child."""
    node = nodes[index]
    loss = params["virtual_loss"]
    log_total = math.log(max(1.0, node["visits"] - 1 + loss * node["pending"]))
    best = NONE
    best_bound = -np.inf
    if node["best_edge"] != NONE:
        best_bound = params["first_play"]
        if best_bound == np.inf:
            return NONE
    child = node["first_child"]
    while child != NONE:
        count = nodes[child]["visits"] + loss * nodes[child]["pending"]
        bound = upper_bound(win_rate(nodes[child], loss), count, log_total, params["c"])
        if bound > best_bound:
            best, best_bound = child, bound
        child = nodes[child]["next_sibling"]
    return best


@kernel
def select_with_rave(nodes: Nodes, edges: Edges, index: int, rows: RaveRows, row: int, params: Any) -> int:
    """`select_child` with RAVE, statistics in ``rows[row]``. NONE: the edge to add is made the node's best one."""
    node = nodes[index]
    loss, bias = params["virtual_loss"], params["bias"]
    log_total = math.log(max(1.0, node["visits"] - 1 + loss * node["pending"]))
    best = NONE
    best_bound = -np.inf
    child = node["first_child"]
    while child != NONE:
        action = nodes[child]["action"]
        count = nodes[child]["visits"] + loss * nodes[child]["pending"]
        rate = mixed_rate(win_rate(nodes[child], loss), count, rows[row, 0, action], rows[row, 1, action], bias)
        bound = upper_bound(rate, max(1.0, count), log_total, params["c"])
        if bound > best_bound:
            best, best_bound = child, bound
        child = nodes[child]["next_sibling"]
    edge = _best_unvisited(node, edges[index], rows[row], params)
    if edge == NONE:
        return best
    rate = mixed_rate(min(1.0, params["first_play"]), 0.0, rows[row, 0, edge], rows[row, 1, edge], bias)
    if upper_bound(rate, 1.0, log_total, params["c"]) <= best_bound:
        return best
    node["best_edge"] = edge
    node["best_prior"] = edges[index, edge]
    return NONE


@kernel
def _best_unvisited(node: Any, edges: NDArray[np.uint16], row: NDArray[np.float32], params: Any) -> int:
    """The unvisited edge with the greatest all-moves-as-first mean, then the greatest prior; NONE if there is none."""
    best = NONE
    best_rate = -np.inf
    for action in range(edges.shape[0]):
        if edges[action] != 0:
            rate = mixed_rate(min(1.0, params["first_play"]), 0.0, row[0, action], row[1, action], params["bias"])
            if rate > best_rate or (rate == best_rate and edges[action] > edges[best]):
                best, best_rate = action, rate
    return best
