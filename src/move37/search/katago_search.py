"""KataGo's search of one position: what is done once per search around the loop of `root`.

The rule is in `katago_kernels`, the way down in `katago_collect_kernels`, what the root adds in `katago_root`, the
choice in `katago_choice`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator
from typing import cast

import numpy as np
from numpy.typing import NDArray

from move37.rules.board_kernels import BoardArray
from move37.search.evaluator import Evaluations, Evaluator
from move37.search.katago import KataGoConfig
from move37.search.katago_choice import analysis_of, safest_is_most_visited
from move37.search.katago_root import ending_bonus, forbidden_moves
from move37.search.katago_trees import KataGoTrees
from move37.search.result import SearchResult, Tally
from move37.search.root import AnySearch, finite_answers
from move37.search.root_priors import dirichlet_noise, shaped_alphas, tempered
from move37.search.tree import Trees

__all__ = ["KataGoSearch"]


class KataGoSearch(AnySearch):
    """Searches as KataGo does, with whatever evaluator; best with one that knows scores and ownership.

    The root of a kept tree is evaluated once more, as a root: with the root's policy optimism, and for its ownership.
    With `batch=1` nothing is left to chance or to virtual losses; `rng` is for the noise of the root where asked.
    """

    def __init__(
        self,
        evaluator: Evaluator,
        config: KataGoConfig | None = None,
        rng: np.random.Generator | None = None,
        *,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self.config = KataGoConfig() if config is None else config
        super().__init__(evaluator, self.config, clock)
        self._rng = np.random.default_rng() if rng is None else rng
        self._priors: NDArray[np.float32] | None = None
        self._shaped: NDArray[np.float32] | None = None

    def _new_trees(self, rows: int, cols: int) -> Trees:
        return KataGoTrees(rows, cols, self.config)

    def _collect(self, trees: Trees, visits: int) -> int:
        if self.config.wide_root_noise > 0:
            chances = cast(KataGoTrees, trees).graph.noise
            chances[:] = np.abs(self._rng.standard_normal(len(chances))) * self._rng.integers(0, 2, len(chances))
        return trees.collect(np.array([visits], np.int64), None, self.config.last_move_number)

    def _lead(self, trees: Trees) -> tuple[int, Callable[[], bool]]:
        """By visits, which weights follow closely."""
        return trees.lead(), lambda: safest_is_most_visited(cast(KataGoTrees, trees))

    def _root_changed(self) -> None:
        self._priors = self._shaped = None

    def _prepare_root(self, trees: Trees, tally: Tally) -> Generator[BoardArray, Evaluations, None]:
        """Evaluate a kept root, shape its priors, set its bonus, take moves out; then make kept statistics anew."""
        trees = cast(KataGoTrees, trees)
        if self._priors is None:
            if tally.reused:
                yield from self._renew(trees, tally)
            self._priors = trees.priors()
            if not trees.closed.any():
                trees.forbid(forbidden_moves(trees.boards[0], self.config))
            tally.reused = min(tally.reused, trees.visits())
            trees.graph.bonus[:] = ending_bonus(trees.boards[0], trees.ownership, self.config.ending_bonus)
        self._shaped = self._shape(self._priors)
        if self._shaped is not self._priors:
            trees.set_priors(self._shaped)
        if tally.reused:
            trees.recenter()

    def _shape(self, priors: NDArray[np.float32]) -> NDArray[np.float32]:
        """A root's priors as they are searched: at another temperature, and with fresh noise, where asked."""
        config = self.config
        if config.root_policy_temperature != 1.0:
            priors = tempered(priors, config.root_policy_temperature)
        if config.noise_fraction > 0:
            priors = dirichlet_noise(priors, shaped_alphas(priors), config.noise_fraction, self._rng)
        return priors

    def _renew(self, trees: KataGoTrees, tally: Tally) -> Generator[BoardArray, Evaluations, None]:
        answers = yield from self._evaluate_root(trees, tally)
        with finite_answers(self.evaluator):
            trees.renew_root(answers)

    def _result(self, trees: Trees, seconds: float, tally: Tally) -> SearchResult:
        trees = cast(KataGoTrees, trees)
        visits, q = trees.children()
        analysis = analysis_of(trees)
        return SearchResult(
            visits=visits,
            q=q,
            priors=trees.priors() if self._shaped is None else self._shaped,
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
            pruned=tally.pruned,
            analysis=analysis,
        )
