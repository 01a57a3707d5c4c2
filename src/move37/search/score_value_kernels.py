"""The worth of a score in KataGo's search: a saturating curve, averaged over the uncertainty of the score.

One point more matters much where the game is close to ``center`` and little far from it: the worth of a score is ``2/π
· atan((score - center) / (scale · √area))``, in (-1, 1). A network's score is a mean with a standard deviation; its
worth is the mean of that curve over a normal distribution (Wu 2019, *Accelerating Self-Play Learning in Go*, section
3.5 and appendix on score maximisation). The integral is looked up in the table of `search.score_value`.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

from move37._jit import kernel

TABLE_SIDE: Final = 19.0
"""The table is of a board of so many rows, scale 1 and centre 0; other boards stretch it."""
RADIUS: Final = 19 * 19 + 60
"""Means from -RADIUS to RADIUS and deviations below RADIUS, in points."""
MEANS: Final = 2 * RADIUS
DEVIATIONS: Final = RADIUS

TWO_OVER_PI: Final = 2.0 / math.pi


@kernel
def score_value(
    table: NDArray[np.float64], mean: float, deviation: float, center: float, scale: float, sqrt_area: float
) -> float:
    """Expected worth in [-1, 1] of a score with this mean and standard deviation, linear between the table's places."""
    stretch = TABLE_SIDE / (scale * sqrt_area)
    place = (mean - center) * stretch + 0.5 + RADIUS
    row = math.floor(place)
    along = place - row
    if row < 0:
        row, along = 0, 0.0
    elif row >= MEANS - 1:
        row, along = MEANS - 2, 1.0
    width = deviation * stretch
    column = math.floor(width)
    across = width - column
    if column >= DEVIATIONS - 1:
        column, across = DEVIATIONS - 2, 1.0
    low = table[row, column] + across * (table[row, column + 1] - table[row, column])
    high = table[row + 1, column] + across * (table[row + 1, column + 1] - table[row + 1, column])
    return float(low + along * (high - low))


@kernel
def score_slope(score: float, center: float, scale: float, sqrt_area: float) -> float:
    """Derivative of the worth by the score, its uncertainty left out."""
    width = scale * sqrt_area
    return float(TWO_OVER_PI * width / (width * width + (score - center) * (score - center)))
