"""Forced playouts, taken off again: what of the root's visits is to be learnt from.

In self-play KataGo gives every visited root move a number of visits at least, so that it is looked at fairly; a network
should not learn to like it for that. The kernels force (`puct_kernels`), this file prunes the target (Wu 2019, 3.2).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["pruned_visits"]


def pruned_visits(
    visits: NDArray[np.int32], q: NDArray[np.float32], priors: NDArray[np.float32], scale: float, k: float
) -> NDArray[np.int32]:
    """Visits int32[A] without those that were only forced; the most visited move keeps its own.

    visits, q, priors: of the root's moves. scale: c · √ΣN, what a prior is multiplied by. Of another move up to
    √(k · prior · ΣN) visits go, as long as it would not have been preferred with fewer to the most visited one; if one
    is left, it goes too.
    """
    total = int(visits.sum())
    if total == 0:
        return visits
    best = int(np.argmax(visits))
    goal = float(q[best]) + scale * float(priors[best]) / (1 + int(visits[best]))
    pruned = visits.copy()
    for move in np.flatnonzero(visits):
        missing = goal - float(q[move])
        if move == best:
            continue
        wanted = int(visits[move])
        if missing > 0:
            wanted = int(np.floor(scale * float(priors[move]) / missing - 1.0)) + 1
        least = int(visits[move]) - int(np.sqrt(k * float(priors[move]) * total))
        kept = min(int(visits[move]), max(wanted, least, 0))
        pruned[move] = kept if kept > 1 else 0
    return pruned
