"""The tree as plain nodes, and that the greatest score of a node's moves is the move that its kernel follows."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import pytest

from move37.evaluators.rollout import RolloutEvaluator
from move37.rules.position import Position
from move37.search.mixed import MixedConfig
from move37.search.mixed_kernels import select_mixed
from move37.search.mixed_search import MixedSearch
from move37.search.mixed_trees import MixedTrees
from move37.search.puct import SearchConfig
from move37.search.puct_kernels import select_child
from move37.search.rollouts import Rollouts
from move37.search.root import Search
from move37.search.tree import Trees
from move37.search.tree_kernels import NONE
from move37.search.tree_view import (
    MoveScore,
    ViewedNode,
    best_line,
    mixed_scores,
    puct_scores,
    ucb1_scores,
    viewed_tree,
)
from move37.search.ucb1 import UctConfig
from move37.search.ucb1_kernels import select_child as select_by_ucb1
from move37.search.ucb1_search import UctSearch
from tests.support.networks import StonesEvaluator

POSITION = Position.from_moves(["B2", "C3"], size=4)


def every(node: ViewedNode) -> Iterator[ViewedNode]:
    yield node
    for child in node.children:
        yield from every(child)


def searched(config: SearchConfig, visits: int = 60) -> Trees:
    search = Search(StonesEvaluator(), config, np.random.default_rng(1))
    search.run(POSITION, visits)
    assert search.trees is not None
    return search.trees


def chosen(trees: Trees, node: int, child: int) -> int:
    """The move that a kernel chose: of a child, or the best unvisited edge."""
    return int(trees.nodes[node]["best_edge"] if child == NONE else trees.nodes[child]["action"])


def best(scores: list[MoveScore]) -> int:
    return max(scores, key=lambda one: one.score).move


@pytest.mark.parametrize(
    "config",
    [
        SearchConfig(batch=1),
        SearchConfig(batch=1, fpu_value=0.3, c_puct=0.6),
        SearchConfig(batch=4, c_base=100.0, virtual_loss_kind="loss", virtual_loss=2.0),
    ],
)
def test_puct_follows_the_greatest_score(config: SearchConfig) -> None:
    trees, params = searched(config, 120), config.record()
    expanded = [one.index for one in every(viewed_tree(trees, most=40)) if one.children]
    assert len(expanded) > 5
    for node in expanded:
        assert best(puct_scores(trees, config, node)) == chosen(trees, node, select_child(trees.nodes, node, params))


def test_visits_under_way_change_the_scores_as_the_kernel_has_it() -> None:
    config = SearchConfig(batch=8, virtual_loss_kind="loss")
    trees = searched(config, 80)
    before = puct_scores(trees, config)
    waiting = trees.collect(np.array([8], np.int64), config.record())
    assert waiting == 8
    now, root = puct_scores(trees, config), int(trees.roots[0])
    assert sum(one.pending for one in now) == 8 == viewed_tree(trees).pending
    assert best(now) == chosen(trees, root, select_child(trees.nodes, root, config.record()))
    by_move = {one.move: one for one in before}
    under_way = [one for one in now if one.pending and one.visits]
    assert under_way and all(one.q < by_move[one.move].q for one in under_way)
    assert all(one.bonus < by_move[one.move].bonus * 2 for one in under_way)


@pytest.mark.parametrize("config", [UctConfig(batch=1, c=0.5), UctConfig(batch=1, first_play=0.6)])
def test_ucb1_follows_the_greatest_bound(config: UctConfig) -> None:
    search = UctSearch(RolloutEvaluator(Rollouts(1, 3)), config, np.random.default_rng(1))
    search.run(POSITION, 150)
    trees = search.trees
    assert trees is not None
    for node in [one.index for one in every(viewed_tree(trees, most=30)) if one.children]:
        scores = ucb1_scores(trees, config, node)
        assert best(scores) == chosen(trees, node, select_by_ucb1(trees.nodes, node, config.record()))
        visited = [one for one in scores if one.visits]
        total = int(trees.nodes[node]["visits"]) - 1
        for one in visited:
            assert one.bonus == pytest.approx(config.exploration * math.sqrt(math.log(max(1, total)) / one.visits))


def test_the_mixed_search_follows_the_greatest_score() -> None:
    search = MixedSearch(StonesEvaluator(), MixedConfig(threads=1, threshold=2), np.random.default_rng(1))
    search.run(POSITION, 200)
    trees = search.trees
    assert isinstance(trees, MixedTrees)
    root = viewed_tree(trees, most=40)
    for node in [one.index for one in every(root) if one.children]:
        child = int(select_mixed(trees.nodes, trees.mixed, node, trees.params))
        assert best(mixed_scores(trees, node)) == chosen(trees, node, child)
    visits, q = trees.children()
    assert {one.move: one.q for one in root.children} == {
        move: pytest.approx(float(q[move])) for move in np.flatnonzero(visits).tolist() if move in _moves(root)
    }


def _moves(root: ViewedNode) -> set[int]:
    return {one.move for one in root.children}


def test_a_viewed_tree_is_the_searchs_own() -> None:
    trees = searched(SearchConfig(batch=1), 90)
    root = viewed_tree(trees, most=10_000)
    assert root.visits == trees.visits() == 90 and root.move == NONE and root.hidden == 0
    assert len(list(every(root))) == trees.count
    visits, q = trees.children()
    assert {one.move: one.visits for one in root.children} == {
        int(move): int(visits[move]) for move in np.flatnonzero(visits)
    }
    for one in root.children:
        assert one.q == pytest.approx(float(q[one.move]))
        assert one.prior == pytest.approx(float(trees.priors()[one.move]), abs=1e-4)
    assert tuple(node.move for node in best_line(root)[1:]) == trees.variation()


def test_only_the_most_visited_nodes_are_shown() -> None:
    trees = searched(SearchConfig(batch=1), 90)
    root, whole = viewed_tree(trees, most=12), viewed_tree(trees, most=10_000)
    shown = {one.index: one.visits for one in every(root)}
    hidden = [one.visits for one in every(whole) if one.index not in shown]
    assert len(shown) == 12 and max(hidden) <= min(shown.values())
    assert root.hidden == len(whole.children) - len(root.children)
    assert all(one.visits >= 5 for one in every(viewed_tree(trees, least_visits=5)))
    with pytest.raises(ValueError, match="there is no tree to look at"):
        viewed_tree(Trees(3, 3))
