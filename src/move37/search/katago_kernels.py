"""KataGo's rule: which move a simulation follows, and how worth travels up.

It knows nodes and statistics (`graph_kernels`), not boards; what one position is worth is `katago_utility_kernels`'.
The formulas are KataGo's; `docs/katago_search.md` states them with their sources. In short: the child with the greatest
``utility + c · P · √W / (1 + w)`` is followed, w its weight and W that of all children; a node's statistics are made
anew from its children after each visit, those of worse children counting less than their visits.

All statistics are for White: nothing changes its sign on the way up.
"""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from move37._jit import kernel
from move37.search.graph_kernels import Graph
from move37.search.katago_utility_kernels import score_utility, start_leaf, utility_radius, weigh_own
from move37.search.tree_kernels import EXPANDED, NONE, decode_prior

OFFSET: Final = 0.01
"""Added to the children's weight under the root, so that priors decide a node's first choice (KataGo)."""
LEAST_WEIGHT: Final = 0.25
"""Weight at least that a child with virtual losses is taken to have (KataGo)."""
LEAST_SHARE: Final = 0.0001
"""Added to the distribution's value when children are weighted by their worth (KataGo)."""
LEAST_VARIANCE: Final = 1e-8
PRECISION: Final = 1.5
LENIENCE: Final = 2.0
"""Weight beyond its prior that a bad child keeps unpruned, as a factor (KataGo)."""
SQRT_3: Final = math.sqrt(3.0)


# --------------------------------------------------------------------------------------------------------- selection


@kernel
def edge_weight(graph: Graph, edge: int) -> float:
    """The part of a position's weight that came this way."""
    stats = graph.stats[graph.stats[edge]["source"]]
    return float(stats["weight"] * (graph.nodes[edge]["visits"] / max(1, stats["visits"])))


@kernel
def spread_factor(graph: Graph, index: int, params: Any) -> float:
    """By how much a node explores more where utilities below it differ much, less where little."""
    stats = graph.stats[index]
    prior = params["stdev_prior"]
    deviation = prior
    if stats["visits"] > 0 and stats["weight"] > 1.0:
        square = stats["utility"] * stats["utility"]
        mean_square = max(stats["utility_sq"], square)
        prior_weight = params["stdev_prior_weight"]
        total = (square + prior * prior) * prior_weight + mean_square * stats["weight"]
        deviation = math.sqrt(max(0.0, total / (prior_weight + stats["weight"] - 1.0) - square))
    return float(1.0 + params["stdev_scale"] * (deviation / prior - 1.0))


@kernel
def explore_scale(graph: Graph, index: int, params: Any, total: float) -> float:
    """What a prior is multiplied by at a node whose children weigh ``total`` together."""
    growth = math.log((total + params["cpuct_base"]) / params["cpuct_base"])
    factor = params["cpuct"] + params["cpuct_log"] * growth
    return float(factor * math.sqrt(total + OFFSET) * spread_factor(graph, index, params))


@kernel
def urgency(graph: Graph, index: int, params: Any, visited: float) -> float:
    """First-play urgency: utility of unvisited moves for the player to move; ``visited``: prior of the visited ones."""
    stats = graph.stats[index]
    share = min(1.0, visited ** params["fpu_visited_power"])
    value = share * stats["utility"] + (1.0 - share) * stats["own_utility"]
    is_root = graph.nodes[index]["parent"] == NONE
    reduction = params["root_fpu_reduction"] if is_root else params["fpu_reduction"]
    return float((value if stats["white"] else -value) - reduction * math.sqrt(visited))


@kernel
def child_utility(graph: Graph, index: int, edge: int, params: Any) -> float:
    """Utility of a visited child for the player to move at ``index``, at the root with its ending bonus."""
    stats = graph.stats[graph.stats[edge]["source"]]
    utility = float(stats["utility"])
    if graph.nodes[index]["parent"] == NONE:
        bonus = graph.bonus[graph.nodes[edge]["action"]]
        if bonus != 0.0:
            shifted = stats["score_sq"] + 2.0 * bonus * stats["score"] + bonus * bonus
            utility += score_utility(graph, params, stats["score"] + bonus, shifted)
            utility -= score_utility(graph, params, stats["score"], stats["score_sq"])
    return utility if graph.stats[index]["white"] else -utility


@kernel
def _wide_noise(graph: Graph, wide: float) -> float:
    """The next utility that a root move gets by chance (KataGo's wideRootNoise): none, or as often about ``wide``."""
    if wide == 0.0:
        return 0.0
    place = graph.counters[2]
    graph.counters[2] = (place + 1) % graph.noise.shape[0]
    return float(wide * graph.noise[place])


@kernel
def _wide_prior(code: int, wide: float) -> float:
    """A prior, drawn towards the others where the root is to be searched widely."""
    prior = decode_prior(code)
    return prior if wide == 0.0 else prior ** (1.0 / (4.0 * wide + 1.0))


@kernel
def _select_value(
    graph: Graph, index: int, edge: int, params: Any, scale: float, unvisited: float, wide: float
) -> float:
    """How much a child is to be followed."""
    source = graph.stats[edge]["source"]
    weight = edge_weight(graph, edge)
    utility = unvisited
    if graph.stats[source]["visits"] > 0 and weight > 0.0:
        utility = child_utility(graph, index, edge, params)
    pending = graph.nodes[source]["pending"]
    if pending > 0:
        losses = params["virtual_loss"] * pending
        share = losses / (losses + max(LEAST_WEIGHT, weight))
        utility += (-utility_radius(params) - utility) * share
        weight += losses
    utility += _wide_noise(graph, wide)
    return utility + scale * _wide_prior(graph.nodes[edge]["prior"], wide) / (1.0 + weight)


@kernel
def select_edge(graph: Graph, index: int, params: Any) -> int:
    """The edge to follow at an EXPANDED node, or NONE for its best unvisited move. Among equals the oldest."""
    node = graph.nodes[index]
    total = visited = 0.0
    edge = node["first_child"]
    while edge != NONE:
        total += edge_weight(graph, edge)
        visited += decode_prior(graph.nodes[edge]["prior"])
        edge = graph.nodes[edge]["next_sibling"]
    scale = explore_scale(graph, index, params, total)
    unvisited = urgency(graph, index, params, visited)
    wide = params["wide_root_noise"] if node["parent"] == NONE else 0.0
    best, best_value = NONE, -np.inf
    edge = node["first_child"]
    while edge != NONE:
        value = _select_value(graph, index, edge, params, scale, unvisited, wide)
        if value > best_value:
            best, best_value = edge, value
        edge = graph.nodes[edge]["next_sibling"]
    if node["best_edge"] != NONE:
        value = unvisited + _wide_noise(graph, wide) + scale * _wide_prior(node["best_prior"], wide)
        if value > best_value:
            return NONE
    return int(best)


# ------------------------------------------------------------------------------------------------------------ backup


@kernel
def _pick_children(graph: Graph, index: int) -> tuple[int, float, int]:
    """Write children with visits to ``picked``, with weights and worth; their number and sums of weight and visits."""
    count, visits = 0, 0
    total = 0.0
    sign = 1.0 if graph.stats[index]["white"] else -1.0
    edge = graph.nodes[index]["first_child"]
    while edge != NONE:
        stats = graph.stats[graph.stats[edge]["source"]]
        if stats["visits"] > 0 and stats["weight"] > 0.0 and graph.nodes[edge]["visits"] > 0:
            graph.picked[count] = edge
            graph.weight[count] = edge_weight(graph, edge)
            graph.worth[count] = sign * stats["utility"]
            total += graph.weight[count]
            visits += int(graph.nodes[edge]["visits"])
            count += 1
        edge = graph.nodes[edge]["next_sibling"]
    return count, total, visits


@kernel
def _prune_noise(graph: Graph, count: int, params: Any) -> float:
    """Take weight off children that are worse than those before them and have far more than their prior's share."""
    worth_sum = weight_sum = prior_sum = 0.0
    for i in range(count):
        prior = max(1e-30, decode_prior(graph.nodes[graph.picked[i]]["prior"]))
        if weight_sum > 0.0 and prior_sum > 0.0:
            gap = worth_sum / weight_sum - graph.worth[i]
            excess = graph.weight[i] - LENIENCE * weight_sum * prior / prior_sum
            if gap > 0.0 and excess > 0.0:
                graph.weight[i] -= excess * (1.0 - math.exp(-gap / params["noise_prune_scale"]))
        worth_sum += graph.worth[i] * graph.weight[i]
        weight_sum += graph.weight[i]
        prior_sum += prior
    return weight_sum


@kernel
def student_share(z: float) -> float:
    """Distribution function of Student's t with three degrees of freedom."""
    x = z / SQRT_3
    return 0.5 + (x / (1.0 + x * x) + math.atan(x)) / math.pi


@kernel
def _favour_better(graph: Graph, count: int, total: float, exponent: float) -> None:
    """Shift weight to children of better worth; the sum stays ``total``."""
    mean = 0.0
    for i in range(count):
        mean += graph.worth[i] * graph.weight[i]
    mean /= total
    new_total = 0.0
    for i in range(count):
        deviation = math.sqrt(LEAST_VARIANCE + 1.0 / (PRECISION * math.sqrt(graph.weight[i])))
        share = student_share((graph.worth[i] - mean) / deviation) + LEAST_SHARE
        graph.weight[i] *= math.sqrt(math.sqrt(share)) if exponent == 0.25 else share**exponent
        new_total += graph.weight[i]
    for i in range(count):
        graph.weight[i] *= total / new_total


@kernel
def _learn_bias(graph: Graph, index: int, params: Any, difference: float, weight: float) -> None:
    """Replace what this node gave its entry: its children differ by ``difference`` from its own evaluation."""
    stats = graph.stats[index]
    if stats["bias"] == NONE:
        return
    entry = graph.entries[stats["bias"]]
    bias_weight = weight ** params["bias_weight_exponent"]
    entry["delta"] += difference * bias_weight - stats["bias_delta"]
    entry["weight"] += bias_weight - stats["bias_weight"]
    stats["bias_delta"] = difference * bias_weight
    stats["bias_weight"] = bias_weight


@kernel
def _mean_of_children(graph: Graph, count: int) -> float:
    """Sum of weighted utilities of the picked children, for White."""
    total = 0.0
    for i in range(count):
        total += graph.weight[i] * graph.stats[graph.stats[graph.picked[i]]["source"]]["utility"]
    return total


@kernel
def _weigh_picked(graph: Graph, count: int, total: float, params: Any) -> float:
    """Turn the weights of picked children into those they count with; return their sum."""
    if count > 1:
        total = _prune_noise(graph, count, params)
        if params["value_weight_exponent"] > 0.0:
            _favour_better(graph, count, total, params["value_weight_exponent"])
    return total


@kernel
def weigh_children(graph: Graph, index: int, params: Any) -> int:
    """Write the visited children to ``picked`` and what they count for the node to ``weight``; return how many."""
    count, total, _ = _pick_children(graph, index)
    _weigh_picked(graph, count, total, params)
    return count


@kernel
def recompute(graph: Graph, index: int, params: Any) -> None:
    """Make the statistics of an EXPANDED node anew from its children's and its own evaluation."""
    count, unpruned, visits = _pick_children(graph, index)
    total = _weigh_picked(graph, count, unpruned, params)
    if total > 1e-10:
        difference = _mean_of_children(graph, count) / total - graph.stats[index]["own_utility"]
        _learn_bias(graph, index, params, difference, unpruned)
    start_leaf(graph, index, params)
    _average(graph, index, count, total)
    visits += 1 + int(graph.stats[index]["rest_visits"])
    graph.stats[index]["visits"] = max(graph.stats[index]["visits"], visits)


@kernel
def _average(graph: Graph, index: int, count: int, total: float) -> None:
    """Average the picked children into a node that holds its own evaluation alone."""
    stats = graph.stats[index]
    own = float(stats["weight"])
    whole = own + total
    utility, utility_sq = own * stats["utility"], own * stats["utility_sq"]
    win_loss, no_result, lead = own * stats["win_loss"], own * stats["no_result"], own * stats["lead"]
    score, score_sq = own * stats["score"], own * stats["score_sq"]
    weight_sq = float(stats["weight_sq"])
    for i in range(count):
        child = graph.stats[graph.stats[graph.picked[i]]["source"]]
        weight = graph.weight[i]
        utility += weight * child["utility"]
        utility_sq += weight * child["utility_sq"]
        win_loss += weight * child["win_loss"]
        no_result += weight * child["no_result"]
        score += weight * child["score"]
        score_sq += weight * child["score_sq"]
        lead += weight * child["lead"]
        part = weight / child["weight"]
        weight_sq += part * part * child["weight_sq"]
    stats["utility"], stats["utility_sq"] = utility / whole, utility_sq / whole
    stats["win_loss"], stats["no_result"] = win_loss / whole, no_result / whole
    stats["score"], stats["score_sq"], stats["lead"] = score / whole, score_sq / whole, lead / whole
    stats["weight"], stats["weight_sq"] = whole, weight_sq


@kernel
def back_up_path(graph: Graph, path: NDArray[np.int32], length: int, aside: int, params: Any) -> None:
    """Count one visit on the edges ``path[aside + 1 : length]`` and make their parents anew, the last first.

    Edges up to ``aside`` do not count, nor do their parents change: 0 to count all.
    """
    for step in range(length - 1, aside, -1):
        graph.nodes[path[step]]["visits"] += 1
        recompute(graph, graph.stats[path[step - 1]]["source"], params)
    root = path[0]
    graph.nodes[root]["visits"] = graph.stats[root]["visits"]


@kernel
def refresh(graph: Graph, order: NDArray[np.int32], count: int, params: Any) -> None:
    """Make all of the ordered sources anew, children first: the centre or the root has changed."""
    for i in range(count):
        index = order[i]
        if graph.nodes[index]["state"] == EXPANDED:
            weigh_own(graph, index, params)
            recompute(graph, index, params)
            continue
        stats = graph.stats[index]
        utility = params["win_loss_factor"] * stats["win_loss"]
        stats["utility"] = utility + score_utility(graph, params, stats["score"], stats["score_sq"])
        stats["utility_sq"] = stats["utility"] * stats["utility"]
