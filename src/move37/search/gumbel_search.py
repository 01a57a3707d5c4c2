"""Gumbel AlphaZero's search of one position: plans of sequential halving at the root, and what comes of them.

Where the number of visits is known, one plan spends them. Where it is not (a time limit), plans follow each other, each
twice as long as the one before, and each considers the moves anew. A kept tree's visits count as knowledge: they are in
every Q, but no plan. Nothing is random unless `GumbelConfig.noise` is.

The rules are in `gumbel_kernels`, the plan in `gumbel`.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Generator
from dataclasses import dataclass, fields, replace
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from move37.rules.board_kernels import BoardArray
from move37.search.evaluator import Evaluations, Evaluator
from move37.search.gumbel import GumbelConfig
from move37.search.gumbel_trees import GumbelTrees
from move37.search.result import GREEDY_BELOW, SearchResult
from move37.search.root import AnySearch, Tally
from move37.search.tree import Trees
from move37.search.tree_analysis import tree_analysis, tree_result

__all__ = ["GumbelResult", "GumbelSearch"]

PLANNED_AT_MOST = 2**24
"""A limit beyond so many visits counts as none."""


@dataclass(frozen=True, repr=False, kw_only=True)
class GumbelResult(SearchResult):
    """A `SearchResult` whose policy is the improved one, and whose value is that policy's.

    improved: float64[A], π' = softmax(ln P + σ(completed Q)), 0 where illegal. value: Σ π' · completed Q; the mean of
    all visits would also count the moves that were tried and given up.
    """

    improved: NDArray[np.float64]

    def policy_target(self, temperature: float = 1.0) -> NDArray[np.float64]:
        """π' float64[A], what a policy network learns; to the power 1 / temperature."""
        if temperature < GREEDY_BELOW:
            powers = (self.improved == self.improved.max()).astype(np.float64)
        else:
            powers = (self.improved / self.improved.max()) ** (1.0 / temperature)
        shares: NDArray[np.float64] = powers / float(powers.sum())
        return shares


class GumbelSearch(AnySearch):
    """Searches by Gumbel AlphaZero's rules; good from very few visits on. `rng` draws the Gumbel numbers."""

    def __init__(
        self,
        evaluator: Evaluator,
        config: GumbelConfig | None = None,
        rng: np.random.Generator | None = None,
        *,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self.config = GumbelConfig() if config is None else config
        super().__init__(evaluator, self.config, clock)
        self._rng = np.random.default_rng() if rng is None else rng
        self._params = self.config.record()

    def _new_trees(self, rows: int, cols: int) -> Trees:
        return GumbelTrees(rows, cols, self.config)

    def _collect(self, trees: Trees, visits: int) -> int:
        return trees.collect(np.array([visits], np.int64), self._params, self.config.last_move_number)

    def _root_changed(self) -> None:
        """Nothing is kept of a root: every search draws and plans anew."""

    def _prepare_root(self, trees: Trees, tally: Tally) -> Generator[BoardArray, Evaluations, None]:
        yield from ()
        trees = cast(GumbelTrees, trees)
        if self.config.noise > 0:
            trees.noise[0] = self._rng.gumbel(size=trees.actions) * self.config.noise
        trees.begin(0)

    def _lead(self, trees: Trees) -> tuple[int, Callable[[], bool]]:
        """The plan decides, and which move survives is open to its end."""
        return 0, lambda: True

    def _at_once(self, trees: Trees, planned: int, left: int) -> int:
        """Also as many as are due once more in this pass: they are of different moves, none is started blindly."""
        trees = cast(GumbelTrees, trees)
        if trees.planned() == 0:
            trees.begin(left if left <= PLANNED_AT_MOST else _longer(trees))
        return max(trees.pass_left(), super()._at_once(trees, planned, left))

    def _result(self, trees: Trees, seconds: float, tally: Tally) -> SearchResult:
        trees = cast(GumbelTrees, trees)
        improved, value = trees.improved_policy(self._params)
        choice = trees.choice_values(self._params)
        analysis = tree_analysis(trees)
        analysis = replace(analysis, choice_values=choice, winrate=0.5 + 0.5 * value, utility=value)
        found = tree_result(trees, seconds, tally, analysis)
        same: dict[str, Any] = {field.name: getattr(found, field.name) for field in fields(found)}
        same["value"] = value
        return GumbelResult(**same, improved=improved)


def _longer(trees: GumbelTrees) -> int:
    """The simulations of the next plan where their number is not given: twice the last one's.

    The first is the shortest whose phases are all of one length.
    """
    considered = trees.most_considered()
    return 2 * len(trees.plan()) or considered * max(1, math.ceil(math.log2(considered)))
