"""How fast AlphaGo's mixed search is: with the bundled network in turn and beside it, and with rollouts alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from move37.benchmark.figures import Figure, best_rate, figure, require
from move37.evaluators.network import load_network
from move37.rules.position import Position
from move37.search.evaluator import ConstantEvaluator, Evaluator
from move37.search.mixed import MixedConfig
from move37.search.mixed_search import MixedSearch

__all__ = ["mixed_group"]

VISITS = 1600
BATCH = 8


def mixed_group() -> Iterator[Figure]:
    """Simulations a second from the empty board, light rollouts on all cores."""
    config = MixedConfig(batch=BATCH)
    network = load_network().evaluator
    yield _figure("mixed-9", network, config, 9)
    yield _figure("mixed-asynchronous-9", network, replace(config, asynchronous=True), 9)
    yield _figure("mixed-rollouts-19", ConstantEvaluator(), MixedConfig(mix=1.0, policy=False), 19)


def _figure(name: str, evaluator: Evaluator, config: MixedConfig, size: int) -> Figure:
    search = MixedSearch(evaluator, config, np.random.default_rng(1))
    position = Position(size, komi=7)
    evaluations = 0

    def work() -> float:
        nonlocal evaluations
        search.clear()
        result = search.run(position, VISITS)
        require(int(result.visits.sum()) == result.root_visits - 1, "child visits do not add up to the root's")
        assert search.trees is not None
        require(not search.trees.nodes["pending"][: search.trees.count].any(), "virtual losses are left in the tree")
        evaluations = result.evaluations
        return result.root_visits

    rate = best_rate(work)
    return figure(name, rate, "simulations/s", note=f"{evaluations} positions evaluated in {VISITS} simulations")
