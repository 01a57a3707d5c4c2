"""A search from one position: the loop over batches, noise at the root, and the tree kept from move to move.

It knows neither networks nor players. Values are for the player to move: at the root in the result, at each node in the
tree.
"""

from __future__ import annotations

import math
import threading
import time
import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from move37.rules.board_kernels import BoardArray
from move37.search.evaluator import EvaluationError, Evaluations, Evaluator
from move37.search.following import GamePosition, moves_from_root, walk
from move37.search.forced_playouts import pruned_visits
from move37.search.limits import Progress, Stopper, limit
from move37.search.ownership import OwnershipSum
from move37.search.puct import SearchConfig
from move37.search.puct_kernels import exploration
from move37.search.restriction import Restriction, closed_until
from move37.search.result import SearchResult, Tally
from move37.search.root_priors import dirichlet_noise
from move37.search.tree import NotANumberError, Trees
from move37.search.tree_analysis import lead_of_choice, tree_analysis, tree_result

__all__ = ["AnySearch", "GamePosition", "Report", "Search", "SearchOptions", "Steps", "Tally", "finite_answers"]

Steps = Generator[BoardArray, Evaluations, SearchResult]
"""A search that leaves the evaluating to another: it gives BOARD[B], takes its evaluations, and ends with a result."""

Report = Callable[[SearchResult], None]
"""What is told of a search under way."""

_Step = Generator[BoardArray, Evaluations, None]

VISITS_PER_LEAF = 16
"""A batch holds at most one leaf for so many planned visits, so that few visits are not spent blindly."""

RESERVED_AT_MOST = 1_000_000
"""Nodes for which room is made at once; beyond, it grows as it is used."""


class SearchOptions(Protocol):
    """What the loop needs of a search's options; see `SearchConfig`."""

    @property
    def batch(self) -> int:
        """Most leaves an evaluator call gets."""
        ...

    @property
    def max_nodes(self) -> int:
        """The search stops when its tree holds as many."""
        ...


class AnySearch(ABC):
    """Searches positions of one game after another, keeping what it can of its tree; a subclass knows the rule.

    The tree is kept only if the new position follows from the last one by moves that were searched, under the same
    rules and komi; that of a restricted search only at the same position under equal restrictions. One search at a
    time. Same seed, same evaluator, same result.
    """

    def __init__(self, evaluator: Evaluator, options: SearchOptions, clock: Callable[[], float]) -> None:
        self.evaluator = evaluator
        self.trees: Trees | None = None
        self._options = options
        self._clock = clock
        self._warned = False
        self._began = 0.0
        self._tally = Tally(reused=0)
        self._restrictions: tuple[Restriction, ...] = ()
        self._ownership: OwnershipSum | None = None
        self._root_evaluation: Evaluations | None = None
        self._under_way = threading.Lock()

    @abstractmethod
    def _new_trees(self, rows: int, cols: int) -> Trees:
        """Empty trees for boards of this size."""

    @abstractmethod
    def _collect(self, trees: Trees, visits: int) -> int:
        """Start at most so many simulations; return how many leaves wait."""

    @abstractmethod
    def _prepare_root(self, trees: Trees, tally: Tally) -> _Step:
        """What is to be done to an evaluated root before the search; it may be kept from an earlier one."""

    @abstractmethod
    def _result(self, trees: Trees, seconds: float, tally: Tally) -> SearchResult:
        """What was found."""

    def run(
        self,
        position: GamePosition,
        limits: Stopper | int,
        restrictions: Sequence[Restriction] = (),
        *,
        report: Report | None = None,
        every: float = 1.0,
        ownership: bool = False,
    ) -> SearchResult:
        """Search `position` until `limits` stop it (an int: visits); at least the root is evaluated.

        The position is not changed. `restrictions` are moves it does not look at. `report` is told what was found so
        far, at most once in `every` seconds. With `ownership` the result's analysis has it averaged over the positions
        evaluated since this position became the root. Raises EvaluationError if the evaluator answers NaN; the tree is
        then dropped.
        """
        steps = self.steps(position, limits, restrictions, ownership=ownership)
        told = self._clock()
        try:
            boards = next(steps)
            while True:
                boards = steps.send(self.evaluator.evaluate(boards))
                if report is not None and self._clock() - told >= every:
                    report(self.snapshot())
                    told = self._clock()
        except StopIteration as end:
            result: SearchResult = end.value
            return result
        finally:
            steps.close()

    def steps(
        self,
        position: GamePosition,
        limits: Stopper | int,
        restrictions: Sequence[Restriction] = (),
        *,
        ownership: bool = False,
    ) -> Steps:
        """`run` with the evaluating left to the caller: send `Evaluations` of each batch of boards it gives.

        So one evaluator can serve many searches at once. The boards are valid until the next step. A search closed, or
        failed, before its end drops its tree. RuntimeError, which harms nothing, while another of its searches is
        under way.
        """
        if not self._under_way.acquire(blocking=False):
            raise RuntimeError("this search is under way; end it or close its steps first, or make another search")
        try:
            return (yield from self._steps(position, limits, restrictions, ownership))
        finally:
            self._under_way.release()

    def _steps(
        self, position: GamePosition, limits: Stopper | int, restrictions: Sequence[Restriction], ownership: bool
    ) -> Steps:
        limits = limit(limits) if isinstance(limits, int | float) else limits
        self._began = self._clock()
        try:
            trees = self._tree_for(position, tuple(restrictions))
            tally = self._tally = Tally(reused=trees.visits())
            self._sum_ownership(trees, ownership)
            if trees.is_fresh():
                yield from self._step(trees, 1, tally)
            yield from self._prepare_root(trees, tally)
            if self._ownership is not None and self._ownership.count == 0:
                yield from self._evaluate_root(trees, tally)
            yield from self._loop(trees, limits, tally)
        except BaseException:
            self.clear()
            raise
        if tally.uniform and not self._warned:
            self._warned = True
            warnings.warn("the evaluator gave no legal move a finite logit; uniform priors are used", stacklevel=3)
        return self.snapshot()

    def snapshot(self) -> SearchResult:
        """What the search under way, or the last one, found; only between its steps, and while there is a tree."""
        if self.trees is None:
            raise RuntimeError("there is no search to look at")
        result = self._result(self.trees, self._clock() - self._began, self._tally)
        analysis, owned = result.analysis, self._ownership
        if analysis is not None and owned is not None and owned.count > 0:
            analysis = replace(
                analysis, ownership=owned.mean(), ownership_stdev=owned.stdev(), move_ownership=owned.by_move()
            )
        return replace(result, analysis=analysis, root_evaluation=self._root_evaluation)

    def advance(self, position: GamePosition) -> bool:
        """Go down the tree to `position`, giving the rest of it back; False, and no tree, if it does not lead there."""
        trees = self.trees
        if trees is None or not trees.has_tree():
            return False
        moves = moves_from_root(trees, position)
        if moves is None or (moves and self._restrictions) or not walk(trees, moves, position):
            trees.drop(0)
        elif moves:
            trees.compact()
            self._forget_root()
        return trees.has_tree()

    def _forget_root(self) -> None:
        """Drop what belongs to the last root."""
        self._ownership = self._root_evaluation = None
        self._root_changed()

    @abstractmethod
    def _root_changed(self) -> None:
        """Forget what a subclass keeps of the last root."""

    def clear(self) -> None:
        """Drop the tree and its memory."""
        self.trees = None
        self._forget_root()

    def _tree_for(self, position: GamePosition, restrictions: tuple[Restriction, ...]) -> Trees:
        rows, cols = int(position.board["rows"]), int(position.board["cols"])
        closed = closed_until(restrictions, rows * cols + 1)
        if self.trees is None or self.trees.actions != rows * cols + 1:
            self.trees = self._new_trees(rows, cols)
        if restrictions != self._restrictions:
            self.trees.drop(0)
            self._restrictions = restrictions
        if not self.advance(position):
            self.trees.closed[:] = closed
            self.trees.plant(0, position.board, position.superko_keys)
            self._forget_root()
        return self.trees

    def _sum_ownership(self, trees: Trees, wanted: bool) -> None:
        """Begin or go on to sum up ownership, or leave off."""
        if not wanted:
            self._ownership = None
        elif self._ownership is None:
            self._ownership = OwnershipSum(int(trees.boards[0]["rows"]), int(trees.boards[0]["cols"]))

    def _loop(self, trees: Trees, limits: Stopper, tally: Tally) -> _Step:
        while True:
            progress = self._progress(trees, tally)
            left = limits.visits_left(progress)
            if left <= 0:
                return
            if left <= RESERVED_AT_MOST:
                trees.reserve(trees.count + left)
            if trees.count >= trees.max_nodes and not make_room(trees, tally):
                tally.full = True
                return
            at_once = self._at_once(trees, progress.visits + left, left)
            yield from self._step(trees, min(left, self._options.batch, max(1, at_once)), tally)

    def _at_once(self, trees: Trees, planned: int, left: int) -> int:
        """How many leaves may be under way at once where `planned` visits are to be and `left` are still to come."""
        return planned // VISITS_PER_LEAF

    def _step(self, trees: Trees, visits: int, tally: Tally) -> _Step:
        """One batch of at most `visits` simulations."""
        is_root = trees.is_fresh()
        leaves = self._collect(trees, visits)
        if leaves == 0:
            return
        answers = yield trees.leaf_boards[:leaves]
        with finite_answers(self.evaluator):
            tally.uniform += trees.expand(leaves, answers)
        tally.evaluations += leaves
        if is_root:
            self._root_evaluation = answers.row(0)
        if self._ownership is not None:
            self._ownership.add(*trees.root_moves(leaves), answers.ownership)

    def _evaluate_root(self, trees: Trees, tally: Tally) -> Generator[BoardArray, Evaluations, Evaluations]:
        """Ask about the root of a kept tree, which changes nothing in it; returns the answers."""
        answers = yield trees.root_board()
        trees.check(1, answers)
        tally.evaluations += 1
        self._root_evaluation = answers.row(0)
        if self._ownership is not None:
            self._ownership.add(np.array([-1], np.int32), np.zeros(1, np.int32), answers.ownership)
        return answers

    def _progress(self, trees: Trees, tally: Tally) -> Progress:
        visits, seconds = trees.visits(), self._clock() - self._began
        lead, holds = self._lead(trees)
        return Progress(visits, visits - tally.reused, trees.count, seconds, lead, holds=holds)

    def _lead(self, trees: Trees) -> tuple[int, Callable[[], bool]]:
        """`lead` and `holds` of `Progress`; here of a choice by visits."""
        return trees.lead(), lambda: True


@contextmanager
def finite_answers(evaluator: Evaluator) -> Generator[None]:
    """Name the evaluator where an answer of it is not a number (EvaluationError)."""
    try:
        yield
    except NotANumberError as error:
        raise EvaluationError(
            f"The evaluator {type(evaluator).__name__} answered a policy or value that is not a finite number; check "
            "its network."
        ) from error


def make_room(trees: Trees, tally: Tally) -> bool:
    """Prune a full tree where it has a limit of memory; whether there is room now."""
    if trees.prunes:
        tally.pruned += trees.prune()
    return trees.count < trees.max_nodes


class Search(AnySearch):
    """PUCT over one tree, with noise at the root where asked: drawn anew in each search, also for a kept tree."""

    def __init__(
        self,
        evaluator: Evaluator,
        config: SearchConfig | None = None,
        rng: np.random.Generator | None = None,
        *,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self.config = SearchConfig() if config is None else config
        super().__init__(evaluator, self.config, clock)
        self._rng = np.random.default_rng() if rng is None else rng
        self._params = self.config.record()
        self._clean_priors: NDArray[np.float32] | None = None

    def _new_trees(self, rows: int, cols: int) -> Trees:
        config = self.config
        return Trees(rows, cols, batch=config.batch, max_nodes=config.max_nodes, memory_mb=config.memory_mb)

    def _collect(self, trees: Trees, visits: int) -> int:
        return trees.collect(np.array([visits], np.int64), self._params, self.config.last_move_number)

    def _lead(self, trees: Trees) -> tuple[int, Callable[[], bool]]:
        return lead_of_choice(trees, self.config.choice)

    def _root_changed(self) -> None:
        self._clean_priors = None

    def _prepare_root(self, trees: Trees, tally: Tally) -> _Step:
        """Mix fresh noise into the root's own priors, which a kept root still has unmixed."""
        yield from ()
        config = self.config
        if config.noise_fraction == 0:
            return
        if self._clean_priors is None:
            self._clean_priors = trees.priors()
        noised = dirichlet_noise(self._clean_priors, config.noise_alpha, config.noise_fraction, self._rng)
        trees.set_priors(noised)

    def _result(self, trees: Trees, seconds: float, tally: Tally) -> SearchResult:
        result = tree_result(trees, seconds, tally, tree_analysis(trees, self.config.choice))
        forced = self.config.forced_playouts
        if forced == 0:
            return result
        total = int(result.visits.sum())
        scale = exploration(float(total), self._params) * math.sqrt(max(1, total))
        return replace(result, target_visits=pruned_visits(result.visits, result.q, result.priors, scale, forced))
