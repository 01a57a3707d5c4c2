"""Searches solve tactical problems: those with the bundled network on 9×9, UCB1 with rollouts by rollouts alone.

What is asserted is less than what was measured (in brackets), for machines round their networks differently.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import pytest

from move37.benchmark.solvers import SOLVERS, Solver, network_evaluator, rollout_evaluator
from move37.benchmark.tactics import Problem, load_problems, problem_files
from move37.search.evaluator import Evaluator

LOADED = {name: load_problems(path) for name, path in problem_files().items()}
ENOUGH = {("puct", 400): 36, ("gumbel", 400): 42, ("gumbel", 16): 30, ("mixed", 400): 32, ("uct", 1000): 30}
"""Problems solved at least, of 53 by networks (42, 47, 37, 40) and 35 by rollouts (35)."""


@cache
def evaluator(kind: str) -> Evaluator:
    """One for all tests, so that positions met again cost nothing."""
    makers: dict[str, Callable[[], Evaluator]] = {"network": network_evaluator, "rollouts": rollout_evaluator}
    return makers[kind]()


@pytest.mark.parametrize(("name", "simulations"), ENOUGH)
def test_a_search_solves_most_problems(name: str, simulations: int) -> None:
    solver = SOLVERS[name]
    problems = LOADED[solver.problems]
    failed = [one.name for one in problems if not solves(solver, one, simulations)]
    assert len(problems) - len(failed) >= ENOUGH[name, simulations], failed


def solves(solver: Solver, problem: Problem, simulations: int) -> bool:
    """Whether a fresh search with the same seed finds a right move."""
    return solver.make(evaluator(solver.problems)).run(problem.position, simulations).move in problem.right


def test_ucb1_solves_capture_snapback_and_short_ladder_problems() -> None:
    problems = [one for one in LOADED["rollouts"] if one.kind in ("capture", "snapback", "ladder")]
    failed = [one.name for one in problems if not solves(SOLVERS["uct"], one, 1000)]
    assert len(problems) >= 10
    assert len(failed) <= 2, failed
