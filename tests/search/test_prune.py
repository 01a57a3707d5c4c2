"""Pruning a full tree: what is left, what goes on, and that a limit of memory is kept. B55 of the behaviour list."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import pytest

from move37.rules.position import Position
from move37.search import ConstantEvaluator, KataGoConfig, KataGoSearch, Search, SearchConfig, Trees
from move37.search.graph_kernels import STATS
from move37.search.graph_prune_kernels import cut_rare_edges
from move37.search.katago_kernels import recompute
from move37.search.katago_trees import KataGoTrees
from move37.search.prune_kernels import cut_rare, least_kept
from move37.search.tree import NODES_SHARE
from move37.search.tree_kernels import EXPANDED, NODE, NONE, decode_prior, encode_prior
from tests.support.positions import random_position
from tests.support.slow_katago_values import ScoredHashEvaluator
from tests.support.slow_prune import as_lines, pruned
from tests.support.slow_search import HashEvaluator

CONFIG = SearchConfig(batch=4)


def forest(seed: int) -> Trees:
    """Three games searched together."""
    rng = np.random.default_rng(seed)
    trees = Trees(4, 4, games=3, batch=6)
    for game in range(3):
        position = random_position(rng, 4, 4, 4 * game)
        trees.plant(game, position.board, position.superko_keys)
    for _ in range(150):
        leaves = trees.collect(np.full(3, 2, np.int64), CONFIG.record())
        trees.expand(leaves, ScoredHashEvaluator().evaluate(trees.leaf_boards[:leaves]))
    return trees


@pytest.mark.parametrize("least", [1, 2, 3, 10, 1000])
def test_rare_nodes_go_and_all_others_stay_as_they_were(least: int) -> None:
    trees = forest(least)
    before = [as_lines(trees, game) for game in range(3)]
    cut_rare(trees.nodes, trees.edges, trees.count, least)
    trees.compact()
    expected = [pruned(lines, least) for lines in before]
    assert [as_lines(trees, game) for game in range(3)] == expected
    assert trees.count == sum(len(lines) for lines in expected)
    assert least == 1 or trees.count < sum(len(lines) for lines in before)


def test_the_threshold_leaves_as_many_as_are_wanted() -> None:
    nodes = np.zeros(100, NODE)
    nodes["visits"] = np.arange(100) % 20
    for most in (0, 1, 30, 94, 100):
        least = least_kept(nodes, 100, most)
        assert (nodes["visits"] >= least).sum() <= most
    assert least_kept(nodes, 100, 90) == 2


def check_pruned_tree(trees: Trees) -> None:
    """What holds between batches in a tree that may have been pruned."""
    nodes = trees.nodes[: trees.count]
    assert not nodes["pending"].any()
    for link in ("parent", "first_child", "last_child", "next_sibling"):
        assert ((nodes[link] >= NONE) & (nodes[link] < trees.count)).all()
    for index in np.flatnonzero(nodes["state"] == EXPANDED):
        children, child = [], int(nodes["first_child"][index])
        while child != NONE:
            assert nodes["parent"][child] == index
            assert trees.edges[index, nodes["action"][child]] == 0
            children.append(child)
            child = int(nodes["next_sibling"][child])
        assert nodes["last_child"][index] == (children[-1] if children else NONE)
        assert nodes["visits"][children].sum() <= nodes["visits"][index] - 1
        codes = [*nodes["prior"][children].tolist(), *trees.edges[index].tolist()]
        assert sum(decode_prior(code) for code in codes) == pytest.approx(1, abs=2e-3)
        assert nodes["best_prior"][index] == trees.edges[index].max()
    assert (np.abs(nodes["value_sum"]) <= nodes["visits"]).all()


def test_b55_a_search_goes_on_in_a_full_tree_and_keeps_its_limit() -> None:
    memory = 400.5 * Trees.node_bytes(26) / (NODES_SHARE * 1e6)
    search = Search(HashEvaluator(), SearchConfig(batch=8, memory_mb=memory))
    position = Position(5)
    for _ in range(6):
        result = search.run(position, 1500)
        trees = cast(Trees, search.trees)
        assert result.root_visits == 1500
        assert not result.full
        assert result.pruned > 0
        assert result.nodes <= 400 == len(trees.nodes)
        check_pruned_tree(trees)
        position.play(result.move)
    first = Search(HashEvaluator(), SearchConfig(batch=8, memory_mb=memory)).run(Position(5), 1500)
    assert first.visits.sum() == 1499
    free = Search(HashEvaluator(), SearchConfig(batch=8)).run(Position(5), 1500)
    assert free.pruned == 0
    assert np.corrcoef(free.visits, first.visits)[0, 1] > 0.9
    assert first.value == pytest.approx(free.value, abs=0.05)


def test_without_a_memory_limit_a_full_pool_ends_the_search() -> None:
    result = Search(ConstantEvaluator(), SearchConfig(max_nodes=50, memory_mb=1000.0)).run(Position(5), 400)
    assert result.full
    assert result.pruned == 0


def test_a_memory_limit_leaves_room_for_the_moves_of_a_root() -> None:
    assert Trees(19, 19, memory_mb=0.001).max_nodes == 2 * 362 + 2
    result = Search(ConstantEvaluator(), SearchConfig(memory_mb=0.001)).run(Position(3), 600)
    assert result.root_visits == 600
    assert Trees(19, 19, memory_mb=200.0).max_nodes == 198_000_000 // (64 + 2 * 362 + 4)
    assert Trees(19, 19, memory_mb=200.0, max_nodes=1000).prunes is False


def grown(visits: int, memory: float | None = None, **options: Any) -> tuple[KataGoSearch, Any, Any]:
    config = KataGoConfig(batch=4, repetition_bound=3, memory_mb=memory, **options)
    search = KataGoSearch(ScoredHashEvaluator(), config)
    result = search.run(Position(4, komi=0.5), visits)
    return search, search.trees, result


def check_pruned_graph(trees: KataGoTrees) -> None:
    """What holds between batches in a graph that may have been pruned."""
    nodes, stats = trees.nodes[: trees.count], trees.graph.stats[: trees.count]
    assert not nodes["pending"].any()
    sources = {int(stats["source"][index]) for index in range(trees.count)}
    for index in sources:
        assert stats["source"][index] == index
        if nodes["state"][index] != EXPANDED:
            continue
        edges, below = trees.edges_of(index)
        assert ((below >= 0) & (below < trees.count)).all()
        assert stats["visits"][index] >= 1 + nodes["visits"][edges].sum() + stats["rest_visits"][index]
        assert (nodes["visits"][edges] <= stats["visits"][below]).all()
        assert (trees.edges[index, nodes["action"][edges]] == 0).all()
        codes = [*nodes["prior"][edges].tolist(), *trees.edges[index].tolist()]
        whole = sum(decode_prior(code) for code in codes)  # at the root mirrored moves are left out
        assert whole == pytest.approx(1, abs=2e-3) or (index == trees.root and whole < 1)
    assert (stats["weight"][stats["visits"] > 0] > 0).all()
    assert (np.abs(stats["win_loss"]) <= 1 + 1e-9).all()
    biases = stats["bias"][stats["bias"] != NONE]
    assert biases.max(initial=-1) < trees.graph.counters[1]


@pytest.mark.parametrize("least", [2, 4, 50])
def test_what_is_cut_from_a_graph_lives_on_above_it(least: int) -> None:
    """Exactly so where children are not weighted by their worth, which depends on who is left."""
    _, trees, result = grown(700, value_weight_exponent=0.0, noise_prune_scale=1e12, bias_factor=0.0)
    order, ordered = trees._order()
    before = trees.graph.stats[: trees.count].copy()
    cut_rare_edges(trees.graph, trees.root, order, ordered, least, trees.params)
    for index in order[:ordered]:
        if trees.nodes["state"][index] != EXPANDED:
            continue
        edges, _ = trees.edges_of(int(index))
        assert index == trees.root or (trees.nodes["visits"][edges] >= least).all()
        recompute(trees.graph, int(index), trees.params)
        after = trees.graph.stats[index]
        assert after["visits"] == before["visits"][index]
        for name in ("weight", "utility", "win_loss", "score", "lead", "score_sq", "no_result"):
            assert after[name] == pytest.approx(before[name][index], rel=1e-5, abs=1e-6), name
    assert result.visits.sum() == 699


def test_b55_a_graph_goes_on_when_it_is_full_and_keeps_its_limit() -> None:
    memory = 500.5 * KataGoTrees.node_bytes(17) / (NODES_SHARE * 1e6)
    search = KataGoSearch(ScoredHashEvaluator(), KataGoConfig(batch=4, repetition_bound=3, memory_mb=memory))
    position = Position(4, komi=0.5)
    for _ in range(5):
        result = search.run(position, 1500)
        trees = cast(KataGoTrees, search.trees)
        assert result.root_visits >= 1500
        assert result.pruned > 0
        assert result.nodes <= 500 == len(trees.nodes)
        check_pruned_graph(trees)
        position.play(result.move)
    free = grown(1500)[2]
    first = grown(1500, memory)[2]
    assert first.visits.sum() == 1499
    assert free.analysis is not None
    assert first.analysis is not None
    assert first.analysis.winrate == pytest.approx(free.analysis.winrate, abs=0.05)
    assert first.analysis.lead == pytest.approx(free.analysis.lead, abs=1.0)


def test_a_node_of_a_graph_counts_all_its_arrays() -> None:
    trees = KataGoTrees(19, 19, KataGoConfig())
    trees.reserve(5000)
    arrays = [trees.nodes, trees.edges, trees.graph.stats, trees.graph.entries]
    arrays += [trees.graph.sources, trees.graph.states, trees.graph.entry_index]
    assert sum(array.nbytes for array in arrays) / 5000 <= KataGoTrees.node_bytes(362) - 17
    assert STATS.itemsize <= 200


def test_a_pruned_edge_keeps_its_prior_exactly() -> None:
    trees = forest(1)
    root = int(trees.roots[0])
    child = int(trees.nodes["first_child"][root])
    grandchild = int(trees.nodes["first_child"][child])
    move, code = int(trees.nodes["action"][grandchild]), int(trees.nodes["prior"][grandchild])
    cut_rare(trees.nodes, trees.edges, trees.count, 10_000)
    assert trees.edges[child, move] == code
    assert encode_prior(decode_prior(code)) == code
