"""The classic Monte-Carlo tree search: UCB1 in the tree, a judgement by rollouts at its leaves, RAVE as an option.

One simulation has four phases: *selection* of a way down by UCB1 and *expansion* by one new node
(`ucb1_collect_kernels`), a *rollout* from there (the evaluator's business, usually `evaluators.rollout`), and the
*backup* of its result along the way (`tree_kernels.back_up`). The loop around them is that of `root`; `ucb1_phases`
shows them one at a time.

Source: Kocsis, Szepesvári, Bandit based Monte-Carlo Planning (2006); Coulom (2006) for the tree in Go.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator

import numpy as np

from move37.rules.board_kernels import BoardArray
from move37.search.evaluator import Evaluations, Evaluator
from move37.search.result import SearchResult, Tally
from move37.search.root import AnySearch
from move37.search.tree import Trees
from move37.search.tree_analysis import lead_of_choice, tree_analysis, tree_result
from move37.search.ucb1 import UctConfig
from move37.search.ucb1_trees import UctTrees

__all__ = ["UctSearch"]


class UctSearch(AnySearch):
    """UCB1 over one tree. Moves that fill an own eye are not looked at while there are others, passing included.

    The evaluator's policy decides only which unvisited move is tried first; among equals `rng` does.
    """

    def __init__(
        self,
        evaluator: Evaluator,
        config: UctConfig | None = None,
        rng: np.random.Generator | None = None,
        *,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self.config = UctConfig() if config is None else config
        super().__init__(evaluator, self.config, clock)
        self._rng = np.random.default_rng() if rng is None else rng
        self._params = self.config.record()

    def _new_trees(self, rows: int, cols: int) -> UctTrees:
        return UctTrees(rows, cols, self.config, self._rng)

    def _collect(self, trees: Trees, visits: int) -> int:
        return trees.collect(np.array([visits], np.int64), self._params, self.config.last_move_number)

    def _prepare_root(self, trees: Trees, tally: Tally) -> Generator[BoardArray, Evaluations, None]:
        """Nothing is done to a root."""
        yield from ()

    def _lead(self, trees: Trees) -> tuple[int, Callable[[], bool]]:
        return lead_of_choice(trees, self.config.choice)

    def _root_changed(self) -> None:
        """Nothing is kept of a root."""

    def _result(self, trees: Trees, seconds: float, tally: Tally) -> SearchResult:
        return tree_result(trees, seconds, tally, tree_analysis(trees, self.config.choice))
