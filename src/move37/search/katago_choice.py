"""What KataGo's search reports of its root, and the values by which it chooses.

A move's *choice value* is its weight; less where the search went on with it longer than it would have in hindsight, and
more for the move with the best lower confidence bound of utility. Once per search, so plain Python. Facts: KataGo's
searchresults.cpp and searchhelpers.cpp; what the bound in win rates is, its `getHackedLCBForWinrate`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from move37.rules.board_kernels import BLACK, TERRITORY
from move37.search.choice import bound_holds, bound_radius, raise_safest
from move37.search.katago_kernels import child_utility, edge_weight, explore_scale
from move37.search.katago_root import SURE
from move37.search.katago_trees import KataGoTrees
from move37.search.katago_utility_kernels import utility_radius
from move37.search.result import Analysis
from move37.search.tree_kernels import decode_prior

__all__ = ["analysis_of", "choice_values", "safest_is_most_visited"]

LEAST_VALUE, LEAST_PART = 1.0, 64.0
"""Choice values below the lesser of these, the second as a part of the greatest, count as none (chosenMovePrune)."""
PASS_UTILITY = 0.1
PASS_POINTS = 0.5
ENOUGH_VISITS = 500


@dataclass(frozen=True)
class _Child:
    """A visited root move: its place, what it weighs, and its utility for the player to move, bonus included."""

    edge: int
    action: int
    prior: float
    weight: float
    utility: float
    radius: float
    stats: Any


def _children(trees: KataGoTrees) -> list[_Child]:
    found: list[_Child] = []
    for edge, source in zip(*trees.root_edges(), strict=True):
        node, stats = trees.nodes[edge], trees.graph.stats[source]
        weight = edge_weight(trees.graph, int(edge))
        if node["visits"] == 0 or weight <= 0.0:
            continue
        utility = child_utility(trees.graph, trees.root, int(edge), trees.params)
        weight_sq = stats["weight_sq"] * (float(node["visits"]) / float(stats["visits"]))
        mean, mean_square, weights, squares = np.array([stats["utility"], stats["utility_sq"], weight, weight_sq])[
            :, None
        ]
        error = bound_radius(mean, mean_square, weights, squares, utility_radius(trees.params))
        radius = float(error[0]) * trees.config.lcb_stdevs
        prior = decode_prior(int(node["prior"]))
        found.append(_Child(int(edge), int(node["action"]), prior, weight, utility, radius, stats))
    return found


def choice_values(trees: KataGoTrees, use_lcb: bool = True) -> NDArray[np.float64]:
    """Choice values float64[A], 0 for unvisited moves; all 0 if nothing was visited.

    `use_lcb` False: the weights that the root's reported values are made of.
    """
    children = _children(trees)
    values = np.zeros(trees.actions)
    if not children:
        return values
    steadiest = max(children, key=lambda child: _steadiness(trees, child))
    scale = explore_scale(trees.graph, trees.root, trees.params, sum(child.weight for child in children))
    goal = steadiest.utility + scale * steadiest.prior / (1.0 + steadiest.weight)
    for child in children:
        values[child.action] = child.weight if child is steadiest else _wanted(child, goal, scale)
    if trees.config.fill_dame and _passes_too_early(trees, children):
        values[-1] = 0.0
    if use_lcb and trees.config.use_lcb:
        utilities, radii = np.full((2, trees.actions), np.nan)
        for child in children:
            utilities[child.action], radii[child.action] = child.utility, child.radius
        raise_safest(values, utilities, radii, trees.config.min_visit_share_for_lcb * steadiest.weight)
    values[values < min(LEAST_VALUE, values.max() / LEAST_PART)] = 0.0
    return values


def _steadiness(trees: KataGoTrees, child: _Child) -> float:
    """A move's weight less its last visit, and a little for its prior: the move searched most in the long run."""
    visits = float(trees.nodes[child.edge]["visits"])
    return child.weight * (visits - 1.0) / visits + 2.0 * child.prior


def _wanted(child: _Child, goal: float, scale: float) -> float:
    """The weight with which a move would be as good to follow as the heaviest, at most its own, rounded up."""
    missing = goal - child.utility
    wanted = math.inf if missing <= 0.0 else max(0.0, scale * child.prior / missing - 1.0)
    return float(math.ceil(min(child.weight, wanted)))


def safest_is_most_visited(trees: KataGoTrees) -> bool:
    """Whether bounds, where they are used, choose the most visited move; see `choice.bound_holds`."""
    if not trees.config.use_lcb:
        return True
    utilities, radii = np.full((2, trees.actions), np.nan)
    for child in _children(trees):
        utilities[child.action], radii[child.action] = child.utility, child.radius
    return bound_holds(trees.children()[0], utilities, radii)


def _passes_too_early(trees: KataGoTrees, children: list[_Child]) -> bool:
    """Whether, under territory scoring, a move not in the other side's sure area is about as good as passing."""
    board, owned = trees.boards[0], trees.ownership
    passing = next((child for child in children if child.action == trees.actions - 1), None)
    if board["scoring"] != TERRITORY or board["phase"] > 0 or owned is None or passing is None:
        return False
    near_own = np.zeros(owned.shape, np.bool_)
    sure = owned > SURE
    near_own[1:] |= sure[:-1]
    near_own[:-1] |= sure[1:]
    near_own[:, 1:] |= sure[:, :-1]
    near_own[:, :-1] |= sure[:, 1:]
    useful = ((owned >= -SURE) | near_own).ravel()
    return any(child is not passing and useful[child.action] and _rivals(trees, child, passing) for child in children)


def _rivals(trees: KataGoTrees, child: _Child, passing: _Child) -> bool:
    """Whether a move is searched enough and not clearly worse than passing."""
    if trees.nodes[child.edge]["visits"] <= ENOUGH_VISITS and child.weight <= 2 * math.sqrt(passing.weight):
        return False
    sign = 1.0 if trees.graph.stats[trees.root]["white"] else -1.0
    margins = {"utility": PASS_UTILITY, "score": PASS_POINTS, "lead": PASS_POINTS}
    return all(sign * (child.stats[name] - passing.stats[name]) > -margin for name, margin in margins.items())


def _root_values(trees: KataGoTrees, children: list[_Child]) -> dict[str, float]:
    """Means for White at the root over its own evaluation and its moves as they count in hindsight."""
    values = choice_values(trees, use_lcb=False)
    own = trees.graph.stats[trees.root]
    score, deviation = float(own["own_score"]), float(own["own_deviation"])
    total = float(own["own_weight"])
    means = {name: total * float(own[f"own_{name}"]) for name in ("win_loss", "score", "lead", "utility")}
    means["score_sq"] = total * (score * score + deviation * deviation)
    for child in children:
        weight = float(values[child.action])
        total += weight
        for name in means:
            means[name] += weight * float(child.stats[name])
    return {name: value / total for name, value in means.items()}


def analysis_of(trees: KataGoTrees) -> Analysis:
    """The root's statistics for the player to move there."""
    sign = -1.0 if trees.boards[0]["to_play"] == BLACK else 1.0
    children = _children(trees)
    table = {name: np.full(trees.actions, np.nan) for name in ("win_loss", "lead", "score", "utility")}
    radii, weights, stdevs, shared, bounds = np.full((5, trees.actions), np.nan)
    visits = np.zeros(trees.actions, np.int64)
    for child in children:
        for name, values in table.items():
            values[child.action] = sign * float(child.stats[name])
        radii[child.action], weights[child.action] = child.radius, child.weight
        bounds[child.action] = child.utility - child.radius
        stdevs[child.action] = math.sqrt(max(0.0, float(child.stats["score_sq"]) - float(child.stats["score"]) ** 2))
        visits[child.action], shared[child.action] = child.stats["visits"], child.stats["weight"]
    winrates = 0.5 * (1.0 + table["win_loss"])
    lines = {child.action: trees.line(child.action) for child in children}
    root = _root_values(trees, children)
    return Analysis(
        winrates=winrates,
        leads=table["lead"],
        scores=table["score"],
        utilities=table["utility"],
        lcbs=winrates - radii * 0.5 * trees.config.win_loss_factor / utility_radius(trees.params),
        weights=weights,
        choice_values=choice_values(trees),
        variations={move: line for move, (line, _) in lines.items()},
        pv_visits={move: visits for move, (_, visits) in lines.items()},
        winrate=0.5 * (1.0 + sign * root["win_loss"]),
        lead=sign * root["lead"],
        score=sign * root["score"],
        score_stdev=math.sqrt(max(0.0, root["score_sq"] - root["score"] ** 2)),
        utility=sign * root["utility"],
        weight=float(trees.graph.stats[trees.root]["weight"]),
        ownership=trees.ownership,
        utility_lcbs=bounds,
        score_stdevs=stdevs,
        shared_visits=visits,
        shared_weights=shared,
    )
