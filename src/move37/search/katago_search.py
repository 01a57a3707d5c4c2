"""KataGo's search of one position: what is done once per search around the loop of `root`.

The rule is in `katago_kernels`, the way down in `katago_collect_kernels`, what the root adds in `katago_root`, the
choice in `katago_choice`.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import cast

import numpy as np
from numpy.typing import NDArray

from move37.search.evaluator import Evaluator
from move37.search.katago import KataGoConfig
from move37.search.katago_choice import analysis_of
from move37.search.katago_root import ending_bonus, forbidden_moves
from move37.search.katago_trees import KataGoTrees
from move37.search.result import SearchResult
from move37.search.root import AnySearch, Tally
from move37.search.tree import Trees

__all__ = ["KataGoSearch"]


class KataGoSearch(AnySearch):
    """Searches as KataGo does, with whatever evaluator; best with one that knows scores and ownership.

    The root of a kept tree is evaluated once more, as a root: with the root's policy optimism, and for its ownership.
    With `batch=1` nothing is left to chance or to virtual losses.
    """

    def __init__(
        self,
        evaluator: Evaluator,
        config: KataGoConfig | None = None,
        *,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self.config = KataGoConfig() if config is None else config
        super().__init__(evaluator, self.config, clock)
        self._priors: NDArray[np.float32] | None = None

    def _new_trees(self, rows: int, cols: int) -> Trees:
        return KataGoTrees(rows, cols, self.config)

    def _collect(self, trees: Trees, visits: int) -> int:
        return trees.collect(np.array([visits], np.int64), None, self.config.last_move_number)

    def _root_changed(self) -> None:
        self._priors = None

    def _prepare_root(self, trees: Trees, tally: Tally) -> None:
        """Evaluate a kept root, set its bonus, take moves out; then make kept statistics anew."""
        trees = cast(KataGoTrees, trees)
        if self._priors is None:
            if tally.reused:
                self._renew(trees, tally)
            self._priors = trees.priors()
            trees.forbid(forbidden_moves(trees.boards[0], self.config))
            tally.reused = min(tally.reused, trees.visits())
            trees.graph.bonus[:] = ending_bonus(trees.boards[0], trees.ownership, self.config.ending_bonus)
        if tally.reused:
            trees.recenter()

    def _renew(self, trees: KataGoTrees, tally: Tally) -> None:
        with self._finite():
            trees.renew_root(self.evaluator.evaluate(trees.root_board()))
        tally.evaluations += 1

    def _result(self, trees: Trees, seconds: float, tally: Tally) -> SearchResult:
        trees = cast(KataGoTrees, trees)
        visits, q = trees.children()
        analysis = analysis_of(trees)
        return SearchResult(
            visits=visits,
            q=q,
            priors=trees.priors() if self._priors is None else self._priors,
            value=2.0 * analysis.winrate - 1.0,
            network_value=trees.own_value(),
            root_visits=trees.visits(),
            reused_visits=tally.reused,
            variation=trees.variation(),
            evaluations=tally.evaluations,
            nodes=trees.count,
            seconds=seconds,
            uniform_fallbacks=tally.uniform,
            full=tally.full,
            analysis=analysis,
        )
