"""What a search over `Trees` reports of its root: the same for every rule of selection that backs up means.

KataGo's search weighs its visits and has its own, `katago_choice`.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from move37.search.choice import Choice, bound_holds, bound_radius, choice_values, lead_in_visits
from move37.search.result import Analysis, SearchResult, Tally
from move37.search.tree import Trees

__all__ = ["lead_of_choice", "root_moves", "tree_analysis", "tree_result"]

LCB_STDEVS, LEAST_SHARE = 5.0, 0.15
"""Width of a lower bound, and the share of the most visited move's visits from which a bound counts (KataGo's)."""


def root_moves(trees: Trees) -> tuple[NDArray[np.int32], NDArray[np.float64], NDArray[np.float64]]:
    """Visits int32[A], mean values and the radii of their bounds, float64[A], of the root's moves; NaN if unvisited."""
    visits, q32 = trees.children()
    q = q32.astype(np.float64)
    counts = np.where(visits > 0, visits, np.nan).astype(np.float64)
    return visits, q, LCB_STDEVS * bound_radius(q, trees.scores()[0], counts, counts, 1.0)


def tree_analysis(trees: Trees, choice: Choice = "visits") -> Analysis:
    """The root's statistics for its player to move, a move's choice value by `choice`."""
    visits, q, radii = root_moves(trees)
    _, leads, scores = trees.scores()
    variations, pv_visits = trees.lines()
    root = trees.nodes[trees.roots[0]]
    value = float(root["value_sum"]) / int(root["visits"])
    return Analysis(
        winrates=0.5 + 0.5 * q,
        leads=leads,
        scores=scores,
        utilities=q,
        lcbs=0.5 + 0.5 * (q - radii),
        weights=np.where(visits > 0, visits, np.nan).astype(np.float64),
        choice_values=choice_values(choice, visits, q, radii, LEAST_SHARE),
        variations=variations,
        pv_visits=pv_visits,
        winrate=0.5 + 0.5 * value,
        lead=float(root["lead"]),
        score=float(root["score"]),
        score_stdev=np.nan,
        utility=value,
        weight=float(root["visits"]),
        utility_lcbs=q - radii,
    )


def lead_of_choice(trees: Trees, choice: Choice) -> tuple[int, Callable[[], bool]]:
    """`lead` and `holds` of `limits.Progress` for a choice by this rule."""
    if choice in ("visits", "lcb"):
        return trees.lead(), lambda: choice == "visits" or bound_holds(*root_moves(trees))
    visits, q = trees.children()
    return lead_in_visits(choice, visits, q.astype(np.float64)), lambda: True


def tree_result(trees: Trees, seconds: float, tally: Tally, analysis: Analysis) -> SearchResult:
    """What was found in the tree of game 0."""
    visits, q = trees.children()
    root = trees.nodes[trees.roots[0]]
    return SearchResult(
        visits=visits,
        q=q,
        priors=trees.priors(),
        value=float(root["value_sum"] / root["visits"]),
        network_value=float(root["value"]),
        root_visits=int(root["visits"]),
        reused_visits=tally.reused,
        variation=trees.variation(),
        evaluations=tally.evaluations,
        nodes=trees.count,
        seconds=seconds,
        uniform_fallbacks=tally.uniform,
        full=tally.full,
        pruned=tally.pruned,
        analysis=analysis,
    )
