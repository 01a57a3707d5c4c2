"""KataGo's search against its slow twin, and the invariants of its graph."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from move37.errors import ConfigError
from move37.rules.position import Position
from move37.search import ConstantEvaluator, EvaluationError, Evaluations, KataGoConfig, KataGoSearch
from move37.search.katago_trees import KataGoTrees
from move37.search.tree_kernels import EXPANDED, NONE, TERMINAL, decode_prior
from tests.support.positions import random_position
from tests.support.slow_katago_search import MEANS, SlowKataGoNode, SlowKataGoSearch
from tests.support.slow_katago_values import ScoredHashEvaluator
from tests.support.slow_search import HashEvaluator

BOARDS = [(1, 1), (1, 4), (2, 3), (3, 3), (4, 3), (5, 5)]
ENCORE: dict[str, Any] = {"base": "japanese", "encore": True}
RULES: list[Any] = ["tromp-taylor", "chinese", {"ko": "situational", "suicide": True}, "aga-button", ENCORE]
TWIN = KataGoConfig(batch=1, symmetry_pruning=False, prune_useless=False, ending_bonus=0.0)
"""What the twin knows: no root rules."""
CONFIGS = [
    TWIN,
    replace(TWIN, graph=False, bias_factor=0.0),
    replace(TWIN, repetition_bound=0),
    replace(TWIN, repetition_bound=4, value_weight_exponent=0.0, more_passing_hacks=False, passing_hacks=False),
]


def search(evaluator: Any, config: KataGoConfig, position: Position, visits: int) -> tuple[KataGoTrees, Any]:
    made = KataGoSearch(evaluator, config)
    result = made.run(position, visits)
    assert isinstance(made.trees, KataGoTrees)
    return made.trees, result


def check_twins(trees: KataGoTrees, root: int, slow: SlowKataGoNode) -> int:
    """Compare a node and all below it; how many were compared."""
    met: set[int] = set()
    waiting = [(root, slow)]
    while waiting:
        node, twin = waiting.pop()
        if node in met:
            continue
        met.add(node)
        stats = trees.graph.stats[node]
        for name in (*MEANS, "weight", "weight_sq"):
            assert stats[name] == pytest.approx(getattr(twin.stats, name), rel=1e-6, abs=1e-7), name
        assert stats["visits"] == twin.visits
        edges, sources = trees.edges_of(node)
        actions = [int(action) for action in trees.nodes["action"][edges]]
        assert dict(zip(actions, trees.nodes["visits"][edges].tolist(), strict=True)) == {
            action: edge.visits for action, edge in twin.edges.items()
        }
        waiting += [(int(source), twin.edges[action].node) for source, action in zip(sources, actions, strict=True)]
    return len(met)


@pytest.mark.parametrize(("rows", "cols"), BOARDS)
@pytest.mark.parametrize("rules", RULES, ids=str)
def test_the_compiled_search_does_what_the_slow_one_does(rows: int, cols: int, rules: Any) -> None:
    config = CONFIGS[(rows + cols + RULES.index(rules)) % len(CONFIGS)]
    position = random_position(np.random.default_rng(rows * 10 + cols), rows, cols, 3, rules)
    trees, result = search(ScoredHashEvaluator(), config, position, 100)
    slow = SlowKataGoSearch(ScoredHashEvaluator(), config)
    root = slow.run(position, 100)
    assert check_twins(trees, trees.root, root) > (1 if rows * cols == 1 else 10)
    expected = np.zeros(rows * cols + 1, np.int32)
    for action, edge in root.edges.items():
        expected[action] = edge.visits
    np.testing.assert_array_equal(result.visits, expected)


@pytest.mark.parametrize("config", CONFIGS, ids=range(len(CONFIGS)))
def test_a_crowded_board_with_errors_known(config: KataGoConfig) -> None:
    position = Position(3, rules="chinese", komi=0)
    evaluator = ScoredHashEvaluator(errors=True)
    trees, _ = search(evaluator, config, position, 400)
    slow = SlowKataGoSearch(ScoredHashEvaluator(errors=True), config)
    check_twins(trees, trees.root, slow.run(position, 400))
    assert (trees.nodes["state"][: trees.count] == TERMINAL).any()
    assert slow.asides > 0 or not config.more_passing_hacks
    assert slow.caught_up > 0 or not config.graph or config.repetition_bound > 4


def test_the_differential_tests_meet_what_a_graph_adds() -> None:
    slow = SlowKataGoSearch(ScoredHashEvaluator(), replace(TWIN, repetition_bound=4))
    slow.run(Position(3), 400)
    assert min(slow.caught_up, slow.shared, slow.asides) > 0


def check_graph(trees: KataGoTrees) -> None:
    """The invariants that hold when no batch is under way."""
    nodes, stats = trees.nodes[: trees.count], trees.graph.stats[: trees.count]
    assert not nodes["pending"].any()
    for index in np.flatnonzero(nodes["state"] == EXPANDED):
        assert stats["source"][index] == index
        edges, sources = trees.edges_of(int(index))
        assert stats["visits"][index] == 1 + nodes["visits"][edges].sum()
        assert (nodes["visits"][edges] <= stats["visits"][sources]).all()
        assert stats["weight"][index] <= stats["own_weight"][index] + stats["weight"][sources].sum() + 1e-6
        priors = sum(decode_prior(int(code)) for code in nodes["prior"][edges])
        assert nodes["visited_prior"][index] == pytest.approx(priors, abs=1e-5)
    seen = stats["visits"] > 0
    assert (np.abs(stats["win_loss"][seen]) <= 1 + 1e-9).all()
    assert (stats["utility_sq"][seen] >= stats["utility"][seen] ** 2 - 1e-9).all()
    assert (stats["weight"][seen] > 0).all()
    known = stats["bias"][stats["bias"] != NONE]
    assert known.max(initial=-1) < trees.graph.counters[1]


@pytest.mark.parametrize("batch", [1, 8, 32])
def test_invariants_after_a_search(batch: int) -> None:
    position = random_position(np.random.default_rng(5), 5, 6, 20)
    trees, result = search(ScoredHashEvaluator(), KataGoConfig(batch=batch), position, 700)
    check_graph(trees)
    assert result.root_visits == 700
    assert result.visits.sum() == 699
    assert result.priors.sum() == pytest.approx(1, abs=1e-5)
    again = search(ScoredHashEvaluator(), KataGoConfig(batch=batch), position, 700)[1]
    np.testing.assert_array_equal(result.visits, again.visits)


@pytest.mark.parametrize("rules", RULES, ids=str)
def test_a_kept_graph_keeps_its_invariants_move_after_move(rules: Any) -> None:
    position = Position(4, rules=rules, komi=0.5)
    kept = KataGoSearch(ScoredHashEvaluator(), KataGoConfig(batch=4, repetition_bound=3))
    reused: list[int] = []
    for _ in range(16):
        result = kept.run(position, 100)
        trees = kept.trees
        assert isinstance(trees, KataGoTrees)
        check_graph(trees)
        assert trees.keys[0, : trees.key_counts[0]].tolist() == position.superko_keys.tolist()
        assert result.root_visits >= 100
        reused.append(result.reused_visits)
        position.play(result.move)
        if position.is_over:
            break
    assert max(reused) > 20
    assert len(kept.trees.nodes) <= 1024 if kept.trees is not None else True


def test_a_kept_graph_says_what_a_new_one_of_the_same_visits_says() -> None:
    """A new search differs by the centre, the root's rules and what the table of biases has learnt, not by much."""
    position = Position(7)
    kept = KataGoSearch(ScoredHashEvaluator(), KataGoConfig(batch=1, bias_factor=0.0))
    position.play(kept.run(position, 900).move)
    continued = kept.run(position, 1)
    fresh = KataGoSearch(ScoredHashEvaluator(), KataGoConfig(batch=1, bias_factor=0.0)).run(
        position, continued.root_visits
    )
    assert continued.reused_visits == continued.root_visits > 100
    assert continued.evaluations == 1  # the root, as a root
    assert continued.analysis is not None
    assert fresh.analysis is not None
    assert continued.analysis.utility == pytest.approx(fresh.analysis.utility, abs=0.1)


def test_room_is_made_while_a_search_grows_and_a_full_pool_ends_it() -> None:
    trees, _ = search(ScoredHashEvaluator(), KataGoConfig(batch=8), Position(5), 3000)
    check_graph(trees)
    trees, result = search(ConstantEvaluator(), KataGoConfig(batch=8, max_nodes=50), Position(5), 1000)
    assert result.full
    assert result.nodes <= 50
    check_graph(trees)


def test_an_evaluator_without_scores_will_do() -> None:
    trees, result = search(HashEvaluator(), KataGoConfig(batch=4), Position(5), 200)
    check_graph(trees)
    assert result.analysis is not None
    assert result.analysis.ownership is None


class Spoilt:
    """Answers with one number everywhere."""

    def __init__(self, number: float, field: str) -> None:
        self.number, self.field = number, field

    def evaluate(self, boards: NDArray[np.void]) -> Evaluations:
        answer = ConstantEvaluator().evaluate(boards)
        spoilt = np.full_like(answer.policy if self.field == "policy" else answer.value, self.number)
        return replace(answer, **{self.field: spoilt})


@pytest.mark.parametrize("field", ["policy", "value", "score_mean", "score_stdev", "lead", "no_result"])
def test_what_is_not_a_number_stops_the_search_and_names_the_evaluator(field: str) -> None:
    bad = KataGoSearch(Spoilt(np.nan, field))
    with pytest.raises(EvaluationError, match="Spoilt"):
        bad.run(Position(3), 30)
    assert bad.trees is None


class Optimist:
    """Two policies that want different moves."""

    def evaluate(self, boards: NDArray[np.void]) -> Evaluations:
        answer = ConstantEvaluator().evaluate(boards)
        optimistic = answer.policy.copy()
        optimistic[:, 3] = 5.0
        return replace(answer, optimistic=optimistic)


def test_the_root_is_a_little_optimistic_and_the_tree_wholly() -> None:
    made = KataGoSearch(Optimist(), KataGoConfig(batch=1, symmetry_pruning=False))
    result = made.run(Position(3), 60)
    trees = made.trees
    assert isinstance(trees, KataGoTrees)
    expected = np.exp(1.0) / (np.exp(1.0) + 9)
    assert result.priors[3] == pytest.approx(expected, rel=1e-3)
    child = trees.root_edges()[1][np.argmax(result.visits[trees.nodes["action"][trees.root_edges()[0]]])]
    row = {int(trees.nodes["action"][edge]): int(trees.nodes["prior"][edge]) for edge in trees.edges_of(int(child))[0]}
    assert (
        decode_prior(row.get(3, int(trees.edges[child, 3]))) == pytest.approx(np.exp(5.0) / (np.exp(5.0) + 8), rel=2e-2)
        or result.visits[3] > 0
    )


@pytest.mark.parametrize(
    "options",
    [
        {"cpuct": 0.0},
        {"batch": 0},
        {"policy_optimism": 1.5},
        {"max_nodes": 1},
        {"stdev_prior": -1.0},
        {"bias_factor": -1},
    ],
)
def test_options_out_of_range_are_refused_by_name(options: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match=next(iter(options))):
        KataGoConfig(**options)
