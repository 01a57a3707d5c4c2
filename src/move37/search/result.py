"""What a search found, and how a move is drawn from it.

Temperature and the order of preference are applied here, at the root alone; the tree knows neither.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from move37.search.evaluator import Evaluations

__all__ = ["Analysis", "SearchResult", "Tally", "visit_distribution"]

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


@dataclass
class Tally:
    """What one search counts: `SearchResult` says what each is."""

    reused: int
    evaluations: int = 0
    uniform: int = 0
    full: bool = False
    pruned: int = 0


@dataclass(frozen=True, repr=False)
class Analysis:
    """What a search says of its root, all for the player to move there (A actions, pass last; H rows, W columns).

    winrates: float64[A] in [0, 1] (no result is half). leads, scores: float64[A], points ahead: by how many points komi
    would have to change, and the mean final score. utilities: float64[A], what the search maximises. lcbs: float64[A],
    lower bounds in win rates, which may lie outside [0, 1]; utility_lcbs: the same of utilities, or None. score_stdevs:
    float64[A], how uncertain the final score is, None where the search does not know. weights: float64[A], visits as
    they count. All NaN where unvisited; leads, scores and score_stdev also where the evaluator does not know them.
    choice_values: float64[A], the greatest is the choice; 0 where unvisited. variations: the most visited line of each
    visited move; pv_visits: the visits along it. winrate, lead, score, score_stdev, utility, weight: of the root.
    ownership: float32[H, W], 1 where the player to move owns the point; averaged over the positions evaluated where the
    search was asked for it (then also ownership_stdev, and move_ownership of those below each visited move); else of
    the root's own evaluation, or None.
    shared_visits, shared_weights: int64[A] and float64[A], those of the position after each move, whichever way the
    search came to it. utility_lcbs, score_stdevs and these are None where the search does not keep them.
    """

    winrates: NDArray[np.float64]
    leads: NDArray[np.float64]
    scores: NDArray[np.float64]
    utilities: NDArray[np.float64]
    lcbs: NDArray[np.float64]
    weights: NDArray[np.float64]
    choice_values: NDArray[np.float64]
    variations: dict[int, tuple[int, ...]]
    winrate: float
    lead: float
    score: float
    score_stdev: float
    utility: float
    weight: float
    ownership: NDArray[np.float32] | None = None
    ownership_stdev: NDArray[np.float32] | None = None
    move_ownership: dict[int, NDArray[np.float32]] = field(default_factory=dict[int, NDArray[np.float32]])
    pv_visits: dict[int, tuple[int, ...]] = field(default_factory=dict[int, tuple[int, ...]])
    utility_lcbs: NDArray[np.float64] | None = None
    score_stdevs: NDArray[np.float64] | None = None
    shared_visits: NDArray[np.int64] | None = None
    shared_weights: NDArray[np.float64] | None = None

    def __repr__(self) -> str:
        """The root's judgement in short."""
        return f"<analysis: win rate {self.winrate:.3f}, lead {self.lead:+.1f}>"


@dataclass(frozen=True, repr=False)
class SearchResult:
    """The search's statistics at the root, for the player to move there (A actions, pass last).

    visits: int32[A]; they sum to root_visits - 1, or less where a root that was once inside the tree had moves pruned.
    q: float32[A] in [-1, 1], NaN where unvisited.
    priors: float32[A], as searched (noise included), summing to 1 over the legal moves, 0 elsewhere.
    value: mean of all visits; network_value: the evaluation of the root alone. Both in [-1, 1].
    root_visits: the root's visits, its own evaluation included. reused_visits: those that an earlier search made.
    variation: the most visited line. evaluations: positions evaluated in it. nodes: in the tree. seconds: used.
    uniform_fallbacks: leaves where every legal move had logit minus infinity. full: whether max_nodes ended the search.
    pruned: nodes given back because memory was full; visits below them stay in the counts of their ancestors.
    analysis: more of the same; its choice values come before the visits. root_evaluation: what the evaluator said of
    the root (B = 1), in this search or an earlier one; None where the root was first a position inside a tree.
    target_visits: int32[A], the visits to learn from where some were only forced; else None.
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
    pruned: int = 0
    analysis: Analysis | None = None
    root_evaluation: Evaluations | None = None
    target_visits: NDArray[np.int32] | None = None

    def __repr__(self) -> str:
        """The choice in short; the arrays are for those who ask for them."""
        return f"<search result: move {self.move}, value {self.value:+.3f}, {self.root_visits} visits>"

    @property
    def ranking(self) -> NDArray[np.int64]:
        """Legal actions from best to worst: by choice value if any, visits, value, prior, then the first point."""
        q = np.where(np.isnan(self.q), -2.0, self.q)
        chosen = np.zeros(len(q)) if self.analysis is None else self.analysis.choice_values
        order = np.lexsort((np.arange(len(q)), -self.priors, -q, -self.visits, -chosen))
        return order[self.priors[order] > 0].astype(np.int64)

    @property
    def move(self) -> int:
        """The choice: the first of `ranking`, usually the most visited move."""
        return int(self.ranking[0])

    def policy_target(self, temperature: float = 1.0) -> NDArray[np.float64]:
        """π float64[A], the visit shares at a temperature; the priors where no move was visited."""
        if self.visits.max() == 0:
            return self.priors.astype(np.float64) / float(self.priors.sum(dtype=np.float64))
        return visit_distribution(self.visits if self.target_visits is None else self.target_visits, temperature)

    def sample(self, rng: np.random.Generator, temperature: float) -> int:
        """Draw a move from π at a temperature; temperature 0 is `move`."""
        if temperature < GREEDY_BELOW:
            return self.move
        return int(rng.choice(len(self.visits), p=self.policy_target(temperature)))
