"""AlphaGo's search of 2016 (APV-MCTS): rollouts from every leaf while the networks work, and a value mixed of both.

One step is a wave of simulations: they go down, their rollouts begin on all cores, the networks' questions of the wave
are given out, and when both are back their results go up. So network and rollouts work at the same time, and what is
found does not depend on the clock. With `MixedConfig.asynchronous`, `run` does not wait for a network while there are
rollouts to play, as AlphaGo's threads did not: an answer then goes up when it comes.

The rule is in `mixed_kernels`, a wave in `mixed_collect_kernels`, the queues in `mixed_trees`. Source: Silver et al.,
Nature 529 (2016), Methods, "Search algorithm".
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from typing import Protocol, cast

import numpy as np

from move37.rules.board_kernels import BoardArray
from move37.search.evaluator import EvaluationError, Evaluations, Evaluator
from move37.search.limits import Progress, Stopper
from move37.search.mixed import MixedConfig
from move37.search.mixed_kernels import POLICIES, VALUES
from move37.search.mixed_trees import MixedTrees
from move37.search.restriction import Restriction
from move37.search.result import SearchResult
from move37.search.rollouts import Played, Rollouts
from move37.search.root import (
    RESERVED_AT_MOST,
    VISITS_PER_LEAF,
    AnySearch,
    GamePosition,
    Report,
    Tally,
    finite_answers,
    make_room,
)
from move37.search.tree import NotANumberError, Trees
from move37.search.tree_analysis import lead_of_choice, tree_analysis, tree_result
from move37.search.tree_policy import LightTreePolicy, TreePolicy
from move37.search.two_networks import TwoNetworks

__all__ = ["MixedSearch", "MixedSteps", "RolloutSource"]

MixedSteps = Generator[BoardArray, Evaluations | None, SearchResult]
"""As `root.Steps`; None in place of an answer means "not yet", and the same boards are given again after a wave."""

_Step = Generator[BoardArray, Evaluations | None, None]

SERIOUS = 0.1
"""A move's value counts against the most visited one if it has this share of its visits. Ours: fewer are noise."""


class RolloutSource(Protocol):
    """What plays rollouts; see `search.rollouts.Rollouts`."""

    def submit(self, boards: BoardArray, games: int = 1, *, keep_owners: bool = False) -> Future[Played]:
        """Begin `games` rollouts from each of `boards` (BOARD[B], one size, B >= 1)."""
        ...


class MixedSearch(AnySearch):
    """Searches as AlphaGo did in 2016. `evaluator`: `TwoNetworks`, or one with two heads.

    `rollouts` and `tree_policy` (placeholder priors) are by default those of the light heuristics; `rng` seeds the
    former. With λ = 1 and without policy the evaluator is never asked. A driver of `steps` may send None for "not yet";
    `wants` says which of two networks the boards just given are for, one that answers with both will always do.
    """

    def __init__(
        self,
        evaluator: Evaluator,
        config: MixedConfig | None = None,
        rng: np.random.Generator | None = None,
        *,
        rollouts: RolloutSource | None = None,
        tree_policy: TreePolicy | None = None,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self.config = MixedConfig() if config is None else config
        super().__init__(evaluator, self.config, clock)
        rng = np.random.default_rng() if rng is None else rng
        self._rollouts = rollouts or Rollouts(self.config.threads, int(rng.integers(2**63)))
        self._tree_policy = tree_policy or LightTreePolicy()
        self._kind = VALUES
        self._idle = False
        self._tell: Callable[[], None] = _nothing

    @property
    def wants(self) -> Evaluator:
        """The network whose answer the boards given last wait for."""
        if isinstance(self.evaluator, TwoNetworks):
            return self.evaluator.policy if self._kind == POLICIES else self.evaluator.value
        return self.evaluator

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
        """See `AnySearch.run`. What a network raises in its thread is raised here."""
        self._tell = _nothing if report is None else self._reporter(report, every)
        steps = self.steps(position, limits, restrictions, ownership=ownership)
        try:
            return self._run_beside(steps) if self.config.asynchronous else self._run_in_turn(steps)
        finally:
            steps.close()
            self._tell = _nothing

    def _run_in_turn(self, steps: MixedSteps) -> SearchResult:
        """Give each batch its answer before the search goes on."""
        try:
            boards = next(steps)
            while True:
                boards = steps.send(self.wants.evaluate(boards))
        except StopIteration as end:
            return cast(SearchResult, end.value)

    def _run_beside(self, steps: MixedSteps) -> SearchResult:
        """Let the networks work in threads of their own and go on meanwhile."""
        asked: dict[int, Future[Evaluations]] = {}
        with ThreadPoolExecutor(2, "network") as pool:
            try:
                boards = next(steps)
                while True:
                    if self._kind not in asked:
                        asked[self._kind] = pool.submit(self.wants.evaluate, boards)
                    ready = self._idle or asked[self._kind].done()
                    boards = steps.send(asked.pop(self._kind).result() if ready else None)
            except StopIteration as end:
                return cast(SearchResult, end.value)

    def steps(
        self,
        position: GamePosition,
        limits: Stopper | int,
        restrictions: Sequence[Restriction] = (),
        *,
        ownership: bool = False,
    ) -> MixedSteps:
        """See `AnySearch.steps`; a driver may also answer None: not yet."""
        return cast(MixedSteps, super().steps(position, limits, restrictions, ownership=ownership))

    def _reporter(self, report: Report, every: float) -> Callable[[], None]:
        told = self._clock()

        def tell() -> None:
            nonlocal told
            if self._clock() - told >= every:
                report(self.snapshot())
                told = self._clock()

        return tell

    # ------------------------------------------------------------------------------------------------ a step

    def _loop(self, trees: Trees, limits: Stopper, tally: Tally) -> _Step:
        trees = cast(MixedTrees, trees)
        while (left := limits.visits_left(progress := self._progress(trees, tally))) > 0:
            if left <= RESERVED_AT_MOST:
                trees.reserve(trees.count + left)
            if trees.count >= trees.max_nodes:
                yield from self._wait(trees, tally)
                if not make_room(trees, tally):
                    tally.full = True
                    break
            planned = (progress.visits + left) // VISITS_PER_LEAF
            yield from self._step(trees, min(left, self.config.wave, max(1, planned)), tally)
            self._tell()
        yield from self._wait(trees, tally)

    def _step(self, trees: Trees, visits: int, tally: Tally) -> _Step:
        """A wave of at most `visits` simulations, and as many questions as the networks are given at once."""
        trees = cast(MixedTrees, trees)
        if not self.config.rollouts:  # the simulations under way wait for these very values
            yield from self._wait(trees, tally)
        self._idle = not self.config.rollouts
        leaves = trees.descend(visits if self.config.rollouts else min(visits, self.config.batch))
        playing = self._play(trees, leaves) if leaves and self.config.rollouts else None
        self._grow(trees, leaves)
        yield from self._ask(trees, tally, take=True)
        if playing is not None:
            self._finish(trees, leaves, playing.result())

    def _play(self, trees: MixedTrees, leaves: int) -> Future[Played]:
        return self._rollouts.submit(trees.leaf_boards[:leaves], 1, keep_owners=self._ownership is not None)

    def _finish(self, trees: MixedTrees, leaves: int, played: Played) -> None:
        trees.finish(leaves, played.margins)
        if self._ownership is not None and played.owners is not None:
            self._ownership.add(*trees.root_moves(leaves), trees.owned(played.owners))

    def _grow(self, trees: MixedTrees, leaves: int) -> None:
        growing = trees.growing(leaves)
        if len(growing) == 0:
            return
        try:
            trees.grow(growing, self._tree_policy.weights(trees.leaf_boards[growing]))
        except NotANumberError as error:
            name = type(self._tree_policy).__name__
            raise EvaluationError(f"The tree policy {name} gave a weight that is negative or not a number.") from error

    def _ask(self, trees: MixedTrees, tally: Tally, *, take: bool) -> _Step:
        """Give out what is in flight, policies first, and take the answers; with `take` fill up before."""
        for kind in (POLICIES, VALUES):
            if take and len(trees.in_flight(kind)) == 0:
                trees.take(kind)
            boards = trees.in_flight(kind)
            if len(boards) == 0:
                continue
            self._kind = kind
            answers = yield boards
            if answers is not None:
                self._take(trees, kind, answers, tally)

    def _wait(self, trees: MixedTrees, tally: Tally) -> _Step:
        """Until what is in flight has its answers."""
        self._idle = True
        while any(len(trees.in_flight(kind)) for kind in (POLICIES, VALUES)):
            yield from self._ask(trees, tally, take=False)

    def _take(self, trees: MixedTrees, kind: int, answers: Evaluations, tally: Tally) -> None:
        """Give the tree its answers, and keep what they say of the root and of ownership."""
        moves, depths = trees.places(kind)
        with finite_answers(self.evaluator):
            tally.uniform += trees.answer(kind, answers)
        tally.evaluations += len(moves)
        if self._ownership is not None and not self.config.rollouts:
            self._ownership.add(moves, depths, answers.ownership)
        for i in np.flatnonzero(depths == 0):
            self._note_root(kind, answers.row(int(i)))

    def _note_root(self, kind: int, answer: Evaluations) -> None:
        """Two networks' answers about the root are put together."""
        known = self._root_evaluation
        if known is None or not isinstance(self.evaluator, TwoNetworks):
            self._root_evaluation = answer
        elif kind == POLICIES:
            self._root_evaluation = replace(known, policy=answer.policy)
        else:
            self._root_evaluation = replace(answer, policy=known.policy)

    def _evaluate_root(self, trees: Trees, tally: Tally) -> Generator[BoardArray, Evaluations | None, Evaluations]:
        """As `AnySearch` does, but wait for the answer, and take it from the network of values, if that has a say."""
        self._kind, self._idle = VALUES if self.config.values else POLICIES, True
        asking = super()._evaluate_root(trees, tally)
        boards = next(asking)
        while (answers := (yield boards)) is None:
            pass
        with suppress(StopIteration):
            asking.send(answers)
        return answers

    # ------------------------------------------------------------------------------------ what AnySearch asks

    def _new_trees(self, rows: int, cols: int) -> Trees:
        return MixedTrees(rows, cols, self.config, isinstance(self.evaluator, TwoNetworks))

    def _collect(self, trees: Trees, visits: int) -> int:
        return cast(MixedTrees, trees).descend(visits)

    def _lead(self, trees: Trees) -> tuple[int, Callable[[], bool]]:
        return lead_of_choice(trees, self.config.choice)

    def _root_changed(self) -> None:
        """Nothing belongs to a root alone."""

    def _prepare_root(self, trees: Trees, tally: Tally) -> _Step:
        yield from ()

    def _progress(self, trees: Trees, tally: Tally) -> Progress:
        return replace(super()._progress(trees, tally), undecided=_is_undecided(cast(MixedTrees, trees)))

    def _result(self, trees: Trees, seconds: float, tally: Tally) -> SearchResult:
        trees = cast(MixedTrees, trees)
        value = trees.value()
        analysis = replace(tree_analysis(trees, self.config.choice), winrate=0.5 + 0.5 * value, utility=value)
        result = tree_result(trees, seconds, tally, analysis)
        evaluated = self.config.values and trees.mixed[trees.roots[0]]["values"] > 0
        network = result.network_value if evaluated else value
        return replace(result, value=value, network_value=network, root_visits=trees.visits())


def _is_undecided(trees: MixedTrees) -> bool:
    """Whether the most visited move is not the one with the best value among those that were looked at seriously."""
    visits, q = trees.children()
    most = int(visits.max())
    serious = (visits >= SERIOUS * most) & (visits > 0)
    return most > 0 and float(q[visits == most].max()) < float(q[serious].max())


def _nothing() -> None:
    """Nobody wants a report."""
