"""The table behind `score_value_kernels`: the worth of a score, averaged over a normal distribution.

Steps and bounds are KataGo's (`ScoreValue` in its neuralnet/nninputs), so that utilities agree with its own: means half
a point off the whole numbers, whole deviations, the normal distribution cut at five deviations in steps of a tenth.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from move37.search.score_value_kernels import DEVIATIONS, MEANS, RADIUS, TABLE_SIDE, TWO_OVER_PI

__all__ = ["score_value_table"]

STEPS = 10
CUT = 5


@cache
def score_value_table() -> NDArray[np.float64]:
    """float64[MEANS, DEVIATIONS], read-only; made at the first call (about 0.2 s)."""
    places = np.arange(-CUT * STEPS, CUT * STEPS + 1)
    weights = np.exp(-0.5 * (places / STEPS) ** 2)
    weights /= weights.sum()
    means = (np.arange(MEANS) - RADIUS) * STEPS - STEPS // 2
    reach = RADIUS * STEPS + STEPS // 2 + CUT * DEVIATIONS * STEPS
    curve = TWO_OVER_PI * np.arctan(np.arange(-reach, reach + 1) / STEPS / TABLE_SIDE)
    table = np.empty((MEANS, DEVIATIONS))
    for deviation in range(DEVIATIONS):
        table[:, deviation] = curve[means[:, None] + deviation * places + reach] @ weights
    table.flags.writeable = False
    return table
