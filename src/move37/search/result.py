"""What a search found, and how a move is drawn from it.

Temperature and the order of preference are applied here, at the root alone; the tree knows neither.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["SearchResult", "visit_distribution"]

GREEDY_BELOW = 1e-3


def visit_distribution(visits: NDArray[np.int32], temperature: float) -> NDArray[np.float64]:
    """Probabilities float64[A] as ``visits ** (1 / temperature)``; below 0.001 the most visited share all."""
    counts = visits.astype(np.float64)
    if temperature < GREEDY_BELOW:
        weights = (counts == counts.max()).astype(np.float64)
    else:
        weights = (counts / counts.max()) ** (1.0 / temperature)
    total: float = weights.sum()
    shares: NDArray[np.float64] = weights / total
    return shares


@dataclass(frozen=True, repr=False)
class SearchResult:
    """The search's statistics at the root, for the player to move there (A actions, pass last).

    visits: int32[A]; they sum to root_visits - 1. q: float32[A] in [-1, 1], NaN where unvisited.
    priors: float32[A], as searched (noise included), summing to 1 over the legal moves, 0 elsewhere.
    value: mean of all visits; network_value: the evaluation of the root alone. Both in [-1, 1].
    root_visits: the root's visits, its own evaluation included. reused_visits: those that an earlier search made.
    variation: the most visited line. evaluations: positions evaluated in it. nodes: in the tree. seconds: used.
    uniform_fallbacks: leaves where every legal move had logit minus infinity. full: whether max_nodes ended the search.
    """

    visits: NDArray[np.int32]
    q: NDArray[np.float32]
    priors: NDArray[np.float32]
    value: float
    network_value: float
    root_visits: int
    reused_visits: int
    variation: tuple[int, ...]
    evaluations: int
    nodes: int
    seconds: float
    uniform_fallbacks: int = 0
    full: bool = False

    def __repr__(self) -> str:
        """The choice in short; the arrays are for those who ask for them."""
        return f"<search result: move {self.move}, value {self.value:+.3f}, {self.root_visits} visits>"

    @property
    def ranking(self) -> NDArray[np.int64]:
        """Legal actions from best to worst: by visits, then value, then prior, then the first point."""
        q = np.where(np.isnan(self.q), -2.0, self.q)
        order = np.lexsort((np.arange(len(q)), -self.priors, -q, -self.visits))
        return order[self.priors[order] > 0].astype(np.int64)

    @property
    def move(self) -> int:
        """The choice: the most visited move; ties as in `ranking`."""
        return int(self.ranking[0])

    def policy_target(self, temperature: float = 1.0) -> NDArray[np.float64]:
        """π float64[A], the visit shares at a temperature; the priors where no move was visited."""
        if self.visits.max() == 0:
            return self.priors.astype(np.float64) / float(self.priors.sum(dtype=np.float64))
        return visit_distribution(self.visits, temperature)

    def sample(self, rng: np.random.Generator, temperature: float) -> int:
        """Draw a move from π at a temperature; temperature 0 is `move`."""
        if temperature < GREEDY_BELOW:
            return self.move
        return int(rng.choice(len(self.visits), p=self.policy_target(temperature)))
