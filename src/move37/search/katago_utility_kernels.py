"""What a position is worth in KataGo's search, by its own evaluation or by the result of its game.

A *utility* joins the expected result with the worth of the score; a *weight* says how much an evaluation counts. What
is below a position is `katago_kernels`' business. All is for White: nothing changes its sign on the way up. The
formulas are KataGo's; `docs/katago_search.md` states them with their sources.
"""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np

from move37._jit import kernel
from move37.search.graph_kernels import Graph
from move37.search.score_value_kernels import score_slope, score_value
from move37.search.tree_kernels import NONE

KATAGO: Final = np.dtype(
    [
        ("win_loss_factor", np.float64),
        ("static_score_factor", np.float64),
        ("dynamic_score_factor", np.float64),
        ("static_scale", np.float64),
        ("dynamic_scale", np.float64),
        ("cpuct", np.float64),
        ("cpuct_log", np.float64),
        ("cpuct_base", np.float64),
        ("stdev_prior", np.float64),
        ("stdev_prior_weight", np.float64),
        ("stdev_scale", np.float64),
        ("fpu_reduction", np.float64),
        ("root_fpu_reduction", np.float64),
        ("fpu_visited_power", np.float64),
        ("value_weight_exponent", np.float64),
        ("noise_prune_scale", np.float64),
        ("bias_factor", np.float64),
        ("bias_weight_exponent", np.float64),
        ("uncertainty_coeff", np.float64),
        ("uncertainty_max_weight", np.float64),
        ("virtual_loss", np.float64),
        ("wide_root_noise", np.float64),
        ("repetition_bound", np.int64),
        ("conservative_pass", np.int8),
        ("passing_hacks", np.int8),
        ("more_passing_hacks", np.int8),
        ("graph", np.int8),
        # Of this search
        ("center", np.float64),  # of the dynamic score worth, points for White
        ("sqrt_area", np.float64),
        ("terminal_weight", np.float64),
    ],
    align=True,
)
"""What the rule is told; one record, ``KataGoConfig.record()`` fills all but the last three."""


@kernel
def score_utility(graph: Graph, params: Any, score: float, score_sq: float) -> float:
    """Utility for White of a score with this mean and mean square."""
    deviation = math.sqrt(max(0.0, score_sq - score * score))
    root_area = params["sqrt_area"]
    static = score_value(graph.table, score, deviation, 0.0, params["static_scale"], root_area)
    dynamic = score_value(graph.table, score, deviation, params["center"], params["dynamic_scale"], root_area)
    return float(static * params["static_score_factor"] + dynamic * params["dynamic_score_factor"])


@kernel
def utility_radius(params: Any) -> float:
    """The greatest utility there can be."""
    return float(params["win_loss_factor"] + params["static_score_factor"] + params["dynamic_score_factor"])


@kernel
def weight_of_evaluation(params: Any, score: float, win_loss_error: float, score_error: float) -> float:
    """1, or less to more by the error that the network itself expects."""
    if math.isnan(win_loss_error):
        return 1.0
    slope = params["static_score_factor"] * score_slope(score, 0.0, params["static_scale"], params["sqrt_area"])
    slope += params["dynamic_score_factor"] * score_slope(
        score, params["center"], params["dynamic_scale"], params["sqrt_area"]
    )
    error = params["win_loss_factor"] * win_loss_error + slope * score_error
    coeff = params["uncertainty_coeff"]
    return float(coeff / (error + coeff / params["uncertainty_max_weight"]))


@kernel
def weigh_own(graph: Graph, index: int, params: Any) -> None:
    """Compute utility and weight of a position's own evaluation anew, as after a change of the centre."""
    stats = graph.stats[index]
    score, deviation = stats["own_score"], stats["own_deviation"]
    stats["own_utility"] = params["win_loss_factor"] * stats["own_win_loss"] + score_utility(
        graph, params, score, score * score + deviation * deviation
    )
    own = weight_of_evaluation(params, score, stats["win_loss_error"], stats["score_error"])
    stats["own_weight"] = own + stats["rest_weight"]


@kernel
def _biased_own_utility(graph: Graph, index: int, params: Any) -> float:
    """The own utility, moved by what its entry of subtree value bias has learnt."""
    stats = graph.stats[index]
    utility = float(stats["own_utility"])
    entry = stats["bias"]
    if entry != NONE and graph.entries[entry]["weight"] > 0.001:
        share = 1.0 - stats["rest_weight"] / stats["own_weight"]  # not of what pruned children left
        utility += share * params["bias_factor"] * graph.entries[entry]["delta"] / graph.entries[entry]["weight"]
    return utility


@kernel
def start_leaf(graph: Graph, index: int, params: Any) -> None:
    """The statistics of a position with its own evaluation alone; `weigh_own` has been called."""
    stats = graph.stats[index]
    utility = _biased_own_utility(graph, index, params)
    score, deviation, weight = stats["own_score"], stats["own_deviation"], stats["own_weight"]
    stats["win_loss"] = stats["own_win_loss"]
    stats["no_result"] = stats["own_no_result"]
    stats["score"] = score
    stats["score_sq"] = score * score + deviation * deviation
    stats["lead"] = stats["own_lead"]
    stats["utility"] = utility
    stats["utility_sq"] = utility * utility
    stats["weight"] = weight
    alone = weight - stats["rest_weight"]
    stats["weight_sq"] = alone * alone + stats["rest_weight"]


@kernel
def start_result(graph: Graph, index: int, params: Any, margin: float, no_result: bool, whole_komi: bool) -> None:
    """Statistics, without weight yet, of a finished game that White wins by ``margin``.

    With a whole komi the margin stands for two games half a point to either side of it: a draw is half won.
    """
    stats = graph.stats[index]
    stats["no_result"] = 1.0 if no_result else 0.0
    stats["win_loss"] = 0.0 if no_result or margin == 0.0 else (1.0 if margin > 0.0 else -1.0)
    stats["score"] = 0.0 if no_result else margin
    stats["score_sq"] = stats["score"] * stats["score"] + (0.25 if whole_komi and not no_result else 0.0)
    stats["lead"] = stats["score"]
    utility = params["win_loss_factor"] * stats["win_loss"]
    stats["utility"] = utility + score_utility(graph, params, stats["score"], stats["score_sq"])
    stats["utility_sq"] = stats["utility"] * stats["utility"]
    stats["weight"] = 0.0
    stats["weight_sq"] = 0.0


@kernel
def visit_result(graph: Graph, index: int, params: Any) -> None:
    """Count one more visit of a finished game."""
    weight = params["terminal_weight"]
    graph.stats[index]["weight"] += weight
    graph.stats[index]["weight_sq"] += weight * weight
    graph.stats[index]["visits"] += 1
