"""Which searches are asked tactical problems, and the table of how many each solves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from move37.benchmark.figures import Figure, figure
from move37.benchmark.tactics import load_problems, problem_files, solved
from move37.players.searches import new_search
from move37.search.evaluator import Evaluator
from move37.search.gumbel import GumbelConfig
from move37.search.mixed import MixedConfig
from move37.search.puct import SearchConfig
from move37.search.root import AnySearch
from move37.search.ucb1 import UctConfig

__all__ = ["SOLVERS", "Solver", "network_evaluator", "problems_group", "rollout_evaluator"]

CACHE = 200_000
SEED = 37


@dataclass(frozen=True)
class Solver:
    """The options of a search, the file of problems that it is asked, and with how many simulations."""

    config: object
    problems: str
    simulations: tuple[int, ...]

    def make(self, evaluator: Evaluator) -> AnySearch:
        """A fresh search, always with the same seed."""
        return new_search(evaluator, self.config, np.random.default_rng(SEED))


SOLVERS = {
    "puct": Solver(SearchConfig(), "network", (16, 100, 400)),
    "gumbel": Solver(GumbelConfig(), "network", (16, 100, 400)),
    "mixed": Solver(MixedConfig(), "network", (400, 1600)),
    "uct": Solver(UctConfig(), "rollouts", (200, 1000)),
}
"""Searches by name, with their own options; positions are seen as they are, by no symmetry."""


def network_evaluator() -> Evaluator:
    """The bundled 9×9 network, evaluations kept."""
    from move37.evaluators.cached import CachedEvaluator
    from move37.evaluators.network import NetworkEvaluator
    from move37.nets import weights

    return CachedEvaluator(NetworkEvaluator(weights.load(weights.find("zero-9x9-6x64"))), capacity=CACHE)


def rollout_evaluator() -> Evaluator:
    """One light rollout from each position."""
    from move37.evaluators.rollout import RolloutEvaluator
    from move37.search.rollouts import Rollouts

    return RolloutEvaluator(Rollouts(seed=SEED, light=True))


def problems_group() -> Iterator[Figure]:
    """How many problems each search solves; the reference is how many there are."""
    files = {name: load_problems(path) for name, path in problem_files().items()}
    evaluators = {"network": network_evaluator(), "rollouts": rollout_evaluator()}
    for name, solver in SOLVERS.items():
        problems, evaluator = files[solver.problems], evaluators[solver.problems]
        for simulations in solver.simulations:
            found = len(solved(problems, partial(solver.make, evaluator), simulations))
            yield figure(f"problems-{name}-{simulations}", found, "solved", len(problems))
