"""What an evaluation gives a leaf of KataGo's search, and its way up.

The counterpart of `collect_kernels.expand_and_back_up`.
"""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from move37._jit import kernel
from move37.search.graph_kernels import Graph, offer_evaluation
from move37.search.katago_kernels import back_up_path
from move37.search.katago_utility_kernels import start_leaf, weigh_own
from move37.search.tree_kernels import NONE, write_priors

LOG_PASS_ODDS: Final = math.log(19.0)
"""A pass has at most 19 times the prior of all other moves together (KataGo)."""
# Columns of the evaluations that kernels read, all for the player to move
VALUE: Final = 0
NO_RESULT: Final = 1
SCORE: Final = 2
DEVIATION: Final = 3
LEAD: Final = 4
WIN_LOSS_ERROR: Final = 5
SCORE_ERROR: Final = 6
COLUMNS: Final = 7


@kernel
def reset_stats(graph: Graph, index: int, white: bool) -> None:
    """Write the statistics of a node that is its own source and has no visits."""
    stats = graph.stats[index]
    stats["utility"], stats["utility_sq"] = 0.0, 0.0
    stats["win_loss"], stats["no_result"] = 0.0, 0.0
    stats["score"], stats["score_sq"], stats["lead"] = 0.0, 0.0, 0.0
    stats["weight"], stats["weight_sq"] = 0.0, 0.0
    stats["own_utility"], stats["own_weight"] = 0.0, 0.0
    stats["own_win_loss"], stats["own_no_result"] = 0.0, 0.0
    stats["own_score"], stats["own_deviation"], stats["own_lead"] = 0.0, 0.0, 0.0
    stats["win_loss_error"], stats["score_error"] = np.nan, np.nan
    stats["bias_delta"], stats["bias_weight"], stats["bias"] = 0.0, 0.0, NONE
    stats["visits"], stats["rest_visits"], stats["rest_weight"] = 0, 0, 0.0
    stats["source"] = index
    stats["white"] = 1 if white else 0
    stats["goes_on"] = 0
    stats["key"] = np.uint64(0)
    stats["state"] = np.uint64(0)


@kernel
def write_evaluation(graph: Graph, leaf: int, answer: NDArray[np.float32], params: Any) -> None:
    """Give a position its own evaluation, ``answer: float32[COLUMNS]`` for the player to move, and weigh it."""
    stats = graph.stats[leaf]
    sign = 1.0 if stats["white"] else -1.0
    stats["own_win_loss"] = sign * min(1.0, max(-1.0, np.float64(answer[VALUE])))
    stats["own_no_result"] = answer[NO_RESULT]
    stats["own_score"] = sign * answer[SCORE]
    stats["own_deviation"] = answer[DEVIATION]
    stats["own_lead"] = sign * answer[LEAD]
    stats["win_loss_error"] = answer[WIN_LOSS_ERROR]
    stats["score_error"] = answer[SCORE_ERROR]
    weigh_own(graph, leaf, params)


@kernel
def cap_pass(open_moves: NDArray[np.uint16], logits: NDArray[np.float32]) -> None:
    """Lower the logit of a pass so that its prior is at most 0.95; ``open_moves``: not 0 where legal."""
    last = logits.shape[0] - 1
    top = -np.inf
    for action in range(last):
        if open_moves[action] != 0 and logits[action] > top:
            top = logits[action]
    if logits[last] <= top + LOG_PASS_ODDS or top == -np.inf:
        return
    total = 0.0
    for action in range(last):
        if open_moves[action] != 0:
            total += math.exp(logits[action] - top)
    logits[last] = min(logits[last], top + LOG_PASS_ODDS + math.log(total))


@kernel
def expand_graph(
    graph: Graph,
    leaf_nodes: NDArray[np.int32],
    paths: NDArray[np.int32],
    spans: NDArray[np.int32],
    count: int,
    policy: NDArray[np.float32],
    answers: NDArray[np.float32],
    params: Any,
) -> int:
    """Give ``count`` leaves priors and evaluation and back them up.

    policy: float32[B, A], changed where passes are capped; answers: float32[B, COLUMNS].
    Returns as `collect_kernels.expand_and_back_up` does.
    """
    uniform = 0
    for i in range(count):
        leaf = int(leaf_nodes[i])
        if params["passing_hacks"] != 0:
            cap_pass(graph.edges[leaf], policy[i])
        status = write_priors(graph.nodes, graph.edges, leaf, policy[i])
        finite = True
        for column in range(WIN_LOSS_ERROR):
            finite = finite and abs(answers[i, column]) < np.inf
        if status < 0 or not finite:
            return -1 - i
        uniform += status
        graph.nodes[leaf]["value"] = answers[i, VALUE]
        write_evaluation(graph, leaf, answers[i], params)
        start_leaf(graph, leaf, params)
        graph.stats[leaf]["visits"] = 1
        offer_evaluation(graph, leaf)
        for step in range(spans[i, 0]):
            graph.nodes[graph.stats[paths[i, step]]["source"]]["pending"] -= 1
        back_up_path(graph, paths[i], spans[i, 0], spans[i, 1], params)
    return uniform
