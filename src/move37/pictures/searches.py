"""Searches run to be looked at: a tree by each rule of selection, a batch under way, one simulation.

Small and repeatable: one thread, a seed, few visits. The searches are the players' own (`search`), run step by step.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import islice

import numpy as np

from move37.errors import ConfigError
from move37.evaluators.rollout import RolloutEvaluator
from move37.nets.graph import Network
from move37.players.network_source import NetworkSource
from move37.rules.position import Position
from move37.search.mixed import MixedConfig
from move37.search.mixed_search import MixedSearch
from move37.search.mixed_trees import MixedTrees
from move37.search.puct import SearchConfig
from move37.search.rollouts import Rollouts
from move37.search.root import AnySearch, Search
from move37.search.tree_view import MoveScore, ViewedNode, mixed_scores, puct_scores, ucb1_scores, viewed_tree
from move37.search.ucb1 import UctConfig
from move37.search.ucb1_phases import Simulation, simulations
from move37.search.ucb1_search import UctSearch

__all__ = ["RULES", "batch_under_way", "scores_by", "search_by", "simulation", "tree_by", "usual_rule"]

RULES = ("ucb1", "puct", "mixed")

_UCB1 = UctConfig(batch=1)
_PUCT = SearchConfig(batch=1)
_BATCH = 8


def search_by(rule: str, network: Network, position: Position, seed: int) -> AnySearch:
    """A search by a rule for boards of a position's size, one leaf at a time; ConfigError for no rule."""
    if rule not in RULES:
        raise ConfigError(f"there is no rule {rule!r:.40}; there are {', '.join(RULES)}")
    rng = np.random.default_rng(seed)
    if rule == "ucb1":
        return UctSearch(RolloutEvaluator(Rollouts(1, seed)), _UCB1, rng)
    evaluator = NetworkSource(network, threads=1, heads=("policy",)).evaluator(position.rows, position.cols)
    if rule == "puct":
        return Search(evaluator, _PUCT, rng)
    mix = 0.5 if _has_value(network) else 1.0
    return MixedSearch(evaluator, MixedConfig(mix=mix, asynchronous=False, threads=1), rng)


def _has_value(network: Network) -> bool:
    return "value" in network.graph.outputs or network.spec.katago is not None


def usual_rule(network: Network) -> str:
    """PUCT where the network knows values, else AlphaGo's mix, with rollouts in their place."""
    return "puct" if _has_value(network) else "mixed"


def tree_by(
    rule: str | None, network: Network, position: Position, visits: int, *, seed: int = 0, most: int = 60
) -> ViewedNode:
    """The tree of a search by a rule (None: the usual one for the network), its `most` most visited nodes."""
    search = search_by(rule or usual_rule(network), network, position, seed)
    search.run(position, visits)
    assert search.trees is not None
    return viewed_tree(search.trees, most=most)


def scores_by(rule: str, network: Network, position: Position, visits: int, *, seed: int = 0) -> list[MoveScore]:
    """What a rule sees at the root after a search of its own."""
    search = search_by(rule, network, position, seed)
    search.run(position, visits)
    trees = search.trees
    assert trees is not None
    if isinstance(trees, MixedTrees):
        return mixed_scores(trees)
    return ucb1_scores(trees, _UCB1) if rule == "ucb1" else puct_scores(trees, _PUCT)


def batch_under_way(
    network: Network, position: Position, visits: int, *, seed: int = 0, most: int = 60
) -> tuple[ViewedNode, list[MoveScore], list[MoveScore]]:
    """A PUCT search stopped with a batch of leaves under way: its tree, and the root's scores without and with it.

    ConfigError for so few visits that no batch is collected.
    """
    if visits < 20 * _BATCH:
        raise ConfigError(f"a batch of {_BATCH} leaves needs a search of at least {20 * _BATCH} visits, not {visits}")
    config = SearchConfig(batch=_BATCH, virtual_loss=1.0, virtual_loss_kind="loss")
    evaluator = NetworkSource(network, threads=1, heads=("policy",)).evaluator(position.rows, position.cols)
    search = Search(evaluator, config, np.random.default_rng(seed))
    steps = search.steps(position, visits)
    boards = next(steps)
    try:
        while not _is_worth_showing(search, len(boards), visits):
            boards = steps.send(evaluator.evaluate(boards))
        trees = search.trees
        assert trees is not None
        without = puct_scores(trees, replace(config, virtual_loss=1e-9))
        return viewed_tree(trees, most=most), without, puct_scores(trees, config)
    except StopIteration:
        raise ConfigError("the game is all but over here: there is no batch of leaves to show") from None
    finally:
        steps.close()


def _is_worth_showing(search: Search, leaves: int, visits: int) -> bool:
    """Whether so many leaves wait in a tree that is well grown: a whole batch, or near the end of the search a part."""
    seen = 0 if search.trees is None else search.trees.visits()
    return (2 * seen >= visits and leaves == _BATCH) or (4 * seen >= 3 * visits and leaves > 1)


def simulation(position: Position, number: int, *, seed: int = 0) -> Simulation:
    """Simulation `number` (from 1) of a classic search; ConfigError if the search has no such one."""
    if number < 1:
        raise ConfigError(f"simulations are numbered from 1, so there is no simulation {number}")
    search = UctSearch(RolloutEvaluator(Rollouts(1, seed), keep_moves=True), _UCB1, np.random.default_rng(seed))
    steps = simulations(search, position, number)
    found = next(islice(steps, number - 1, None), None)
    if found is None:
        raise ConfigError(f"the search has no simulation {number} with a rollout: the game ends before")
    return found
