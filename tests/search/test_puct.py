"""The compiled PUCT search against its slow twin, and the invariants of a tree."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from move37.errors import ConfigError
from move37.rules.position import Position
from move37.search import ConstantEvaluator, Search, SearchConfig, limit
from move37.search.tree import Trees
from move37.search.tree_kernels import EXPANDED, NONE, TERMINAL, decode_prior, encode_prior
from tests.support.positions import random_position
from tests.support.slow_search import HashEvaluator, SlowSearch, all_nodes

BOARDS = [(1, 1), (1, 4), (2, 2), (2, 3), (3, 3), (4, 3), (5, 5)]
RULES = ["tromp-taylor", "chinese", {"ko": "simple", "suicide": True}, {"ko": "situational", "suicide": True}]
CONFIGS = [
    SearchConfig(batch=1),
    SearchConfig(batch=1, c_puct=0.3, fpu_reduction=0.0),
    SearchConfig(batch=1, c_puct=1.25, c_base=50.0, move_limit=12),
    SearchConfig(batch=1, fpu_value=0.2),
    SearchConfig(batch=1, fpu_value=-1.0),  # an unvisited move is lost
    SearchConfig(batch=1, fpu_reduction=0.0, c_puct=1.25, c_base=19652.0),  # the parent's value; AlphaZero's constants
    SearchConfig(batch=8, virtual_loss_kind="loss", virtual_loss=3.0),
    SearchConfig(batch=8),
    SearchConfig(batch=3, virtual_loss=2.0, fpu_value=0.1),
    SearchConfig(batch=4, forced_playouts=2.0),
]


@pytest.mark.parametrize(("rows", "cols"), BOARDS)
@pytest.mark.parametrize("rules", RULES, ids=str)
def test_the_compiled_search_does_what_the_slow_one_does(rows: int, cols: int, rules: str) -> None:
    config = CONFIGS[(rows + cols) % len(CONFIGS)]
    position = random_position(np.random.default_rng(rows * 10 + cols), rows, cols, 3, rules)
    result = Search(HashEvaluator(), config).run(position, limit(150))
    slow = SlowSearch(HashEvaluator(), config).run(position, 150)
    expected = np.zeros(rows * cols + 1, np.int32)
    for action, child in slow.children.items():
        expected[action] = child.visits
        assert result.q[action] == pytest.approx(child.q, abs=1e-5)
    np.testing.assert_array_equal(result.visits, expected)
    assert result.value == pytest.approx(slow.value_sum / slow.visits)
    assert result.nodes == len(all_nodes(slow))
    assert set(np.flatnonzero(result.priors)) == set(slow.priors)


@pytest.mark.parametrize("config", CONFIGS, ids=range(len(CONFIGS)))
def test_every_option_of_the_rule_matches_the_slow_search(config: SearchConfig) -> None:
    position = Position(size=3, komi=0.5)
    result = Search(HashEvaluator(), config).run(position, limit(250))
    slow = SlowSearch(HashEvaluator(), config).run(position, 250)
    assert {int(a): int(result.visits[a]) for a in np.flatnonzero(result.visits)} == {
        action: child.visits for action, child in slow.children.items()
    }


def test_the_differential_test_meets_superko_inside_the_tree() -> None:
    slow = SlowSearch(HashEvaluator(), SearchConfig(batch=1)).run(Position(size=2), 150)
    simple = Position(size=2, rules={"ko": "simple", "suicide": True})
    banned = 0
    for node in all_nodes(slow):
        free = simple.copy()
        for color, move in node.position.moves:
            free.play(move, color)
        banned += int(free.legal_mask().sum()) - int(node.position.legal_mask().sum())
    assert banned > 0


def check_tree(trees: Trees) -> None:
    """The invariants that hold when no batch is under way."""
    nodes = trees.nodes[: trees.count]
    assert not nodes["pending"].any()
    assert (np.abs(nodes["value_sum"]) <= nodes["visits"] + 1e-6).all()
    child_visits = np.zeros(trees.count, np.int64)
    visited_prior = np.zeros(trees.count)
    for node in nodes:
        if node["parent"] != NONE:
            child_visits[node["parent"]] += node["visits"]
            visited_prior[node["parent"]] += decode_prior(int(node["prior"]))
    expanded = nodes["state"] == EXPANDED
    np.testing.assert_array_equal(child_visits[expanded], nodes["visits"][expanded] - 1)
    np.testing.assert_allclose(visited_prior, nodes["visited_prior"], atol=1e-5)
    unvisited = ((trees.edges[: trees.count].astype(np.float64) / 65535) ** 2).sum(axis=1)
    np.testing.assert_allclose((unvisited + visited_prior)[expanded], 1.0, atol=2e-3)
    np.testing.assert_array_equal(trees.edges[: trees.count].max(axis=1)[expanded], nodes["best_prior"][expanded])


@pytest.mark.parametrize("batch", [1, 8, 32])
def test_invariants_after_a_search(batch: int) -> None:
    search = Search(HashEvaluator(), SearchConfig(batch=batch))
    result = search.run(random_position(np.random.default_rng(5), 5, 6, 20), limit(700))
    assert search.trees is not None
    check_tree(search.trees)
    assert result.root_visits == 700
    assert result.visits.sum() == 699
    assert np.nanmax(np.abs(result.q)) <= 1
    assert result.priors.sum() == pytest.approx(1, abs=1e-5)
    assert (search.trees.nodes[: search.trees.count]["state"] == TERMINAL).any()


def test_priors_are_zero_exactly_where_a_move_is_illegal() -> None:
    position = random_position(np.random.default_rng(3), 4, 5, 25)
    result = Search(HashEvaluator(spread=20.0), SearchConfig()).run(position, limit(60))
    np.testing.assert_array_equal(result.priors > 0, position.legal_mask())


def test_codes_of_priors_keep_relative_precision() -> None:
    for prior in (1.0, 0.3, 1 / 362, 1e-4, 1e-6):
        assert decode_prior(encode_prior(prior)) == pytest.approx(prior, rel=2e-2 if prior < 1e-5 else 2e-3)
    assert encode_prior(0.0) == 1


def test_no_position_is_evaluated_twice_and_batches_stay_small_for_few_visits() -> None:
    for visits, largest in ((16, 1), (64, 4), (600, 16)):
        evaluator = HashEvaluator()
        search = Search(evaluator, SearchConfig(batch=16))
        result = search.run(Position(size=5), limit(visits))
        assert search.trees is not None
        states = search.trees.nodes[: search.trees.count]["state"]
        assert sum(evaluator.batches) == result.evaluations == (states == EXPANDED).sum()
        assert max(evaluator.batches) == largest


def test_the_same_seed_gives_the_same_search() -> None:
    def visits(seed: int) -> NDArray[np.int32]:
        config = SearchConfig(noise_fraction=0.25)
        return Search(HashEvaluator(), config, np.random.default_rng(seed)).run(Position(size=7), limit(300)).visits

    np.testing.assert_array_equal(visits(1), visits(1))
    assert not np.array_equal(visits(1), visits(2))


def test_a_full_pool_ends_the_search_and_says_so() -> None:
    search = Search(ConstantEvaluator(), SearchConfig(max_nodes=50, batch=8))
    result = search.run(Position(size=5), limit(1000))
    assert result.full
    assert result.nodes == 50
    assert search.trees is not None
    check_tree(search.trees)


def test_a_node_on_the_largest_board_takes_less_than_a_kilobyte() -> None:
    trees = Trees(19, 19)
    assert trees.nodes.itemsize <= 64
    assert trees.nodes.itemsize + trees.edges[0].nbytes < 800


@pytest.mark.parametrize(
    "options",
    [
        {"c_puct": 0.0},
        {"batch": 0},
        {"noise_fraction": 1.5},
        {"fpu_value": 2.0},
        {"max_nodes": 1},
        {"memory_mb": 0.0},
        {"forced_playouts": -1.0},
        {"choice": "best"},
        {"virtual_loss_kind": "none"},
    ],
)
def test_options_out_of_range_are_refused_by_name(options: dict[str, float]) -> None:
    with pytest.raises(ConfigError, match=next(iter(options))):
        SearchConfig(**options)  # type: ignore[arg-type]  # wrong values are the point
