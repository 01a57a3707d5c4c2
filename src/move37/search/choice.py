"""How a move is chosen at the root, as one number a move: the greatest is the choice.

- ``visits``: the most visited move (AlphaGo, 2016 on): the search's own judgement, and steady.
- ``value``: the best mean value, however few the visits.
- ``article``: visits × (1 + Q), the course's rule.
- ``lcb``: visits, but the move with the best lower confidence bound is raised until it is as sure to be better as its
  bound says (KataGo's; Leela Zero 0.17 had the idea first).

It knows arrays alone; `katago_choice` uses the bound for weights. Once per search, so plain numpy.
"""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

__all__ = ["CHOICES", "Choice", "bound_holds", "bound_radius", "choice_values", "lead_in_visits", "raise_safest"]

Choice = Literal["visits", "value", "article", "lcb"]
CHOICES: tuple[str, ...] = get_args(Choice)

FACTOR_AT_MOST = 0.20
"""A bound makes a move's weight grow at most by (1 / this)², 25 times (KataGo)."""

Floats = NDArray[np.float64]


def bound_radius(mean: Floats, mean_square: Floats, weight: Floats, weight_sq: Floats, span: float) -> Floats:
    """Standard error float64[...] of means of values in [-span, span]; times the deviations wanted, a bound's radius.

    weight, weight_sq: sums of the weights of the values and of their squares (for visits both are the visits). A small
    prior, gone with more visits, says that values may lie as far apart as they can (KataGo's searchhelpers.cpp).
    """
    effective = weight * weight / weight_sq
    prior = weight / effective**3
    square = mean * mean
    spread = np.maximum(mean_square, square + 1e-8)
    spread = (spread * weight + (spread + span * span) * prior) / (weight + prior)
    effective = (weight + prior) ** 2 / (weight_sq + prior * prior)
    radius: Floats = np.sqrt((spread - square) / effective)
    return radius


def raise_safest(values: Floats, means: Floats, radii: Floats, least: float) -> None:
    """Give the move with the best bound (mean - radius) what every other one is worth, by how sure it is to be better.

    values: float64[A], changed; 0 where unvisited, as means and radii are NaN. least: the value from which a move may
    be the safest.
    """
    eligible = np.flatnonzero((values > 0) & (values >= least))
    if len(eligible) == 0:
        return
    bounds = means - radii
    safest = int(eligible[np.argmax(bounds[eligible])])
    excess = bounds[safest] - bounds
    rivals = np.flatnonzero(excess >= 0)
    factors = (radii[rivals] + excess[rivals]) / (radii[rivals] + FACTOR_AT_MOST * excess[rivals])
    values[safest] = max(float(values[safest]), float((factors * factors * values[rivals]).max()))


def choice_values(choice: Choice, visits: NDArray[np.int32], q: Floats, radii: Floats, least_share: float) -> Floats:
    """float64[A] by a rule, 0 where unvisited; q and radii: float64[A], NaN there.

    least_share: of the most visited move's visits, that the safest move must have (rule ``lcb``).
    """
    counts = visits.astype(np.float64)
    if choice == "value":
        return np.where(visits > 0, 1.0 + np.nan_to_num(q), 0.0)
    if choice == "article":
        return counts * (1.0 + np.nan_to_num(q))
    if choice == "lcb":
        raise_safest(counts, q, radii, least_share * float(counts.max()))
    return counts


def lead_in_visits(choice: Choice, visits: NDArray[np.int32], q: Floats) -> int:
    """Fewer further visits than this cannot change the choice; 0 if one may. float64[A] q as in `choice_values`.

    ``article``: a visit adds between 0 and 2 to a move's value, and takes nothing off. ``value``: one good visit may
    change it. ``lcb``: see also `bound_holds`.
    """
    if choice == "value":
        return 0
    counts = visits.astype(np.float64)
    worth = 0.5 * choice_values(choice, visits, q, q, 0.0) if choice == "article" else counts
    second, first = np.sort(np.append(worth, (0.0, 0.0)))[-2:]
    return int(np.ceil(first - second))


def bound_holds(visits: NDArray[np.int32], q: Floats, radii: Floats) -> bool:
    """Whether no mean reaches the bound of the most visited move, so that the bounds choose it too.

    They may still move: a judgement, not a proof, and Leela Zero's.
    """
    best = int(np.argmax(visits))
    others = np.delete(q, best)
    return not np.any(others[~np.isnan(others)] >= q[best] - radii[best])
