"""The classic search against its slow twin, its invariants, and what it finds."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from move37.errors import ConfigError
from move37.evaluators.rollout import RolloutEvaluator
from move37.rules.position import Position
from move37.search.evaluator import ConstantEvaluator
from move37.search.limits import limit
from move37.search.result import SearchResult
from move37.search.rollouts import Rollouts
from move37.search.tree_kernels import EXPANDED, NONE, TERMINAL
from move37.search.ucb1 import UctConfig
from move37.search.ucb1_kernels import mixed_rate, upper_bound
from move37.search.ucb1_search import UctSearch
from move37.search.ucb1_trees import UctTrees
from tests.support.positions import random_position
from tests.support.slow_search import HashEvaluator
from tests.support.slow_uct import SlowUct, UctNode, all_nodes

GOLDEN = Path(__file__).parents[1] / "golden" / "search" / "ucb1.json"
BOARDS = [(1, 1), (1, 4), (2, 2), (2, 3), (3, 3), (4, 3), (5, 5)]
RULES = ["tromp-taylor", "japanese", {"ko": "simple", "suicide": True}, {"ko": "situational", "suicide": True}]
CONFIGS = [
    UctConfig(batch=1),
    UctConfig(batch=1, c=1.4, first_play=0.6),
    UctConfig(batch=1, c=0.0, first_play=1.1, move_limit=12),
    UctConfig(batch=1, rave=True, rave_bias=0.1),
    UctConfig(batch=1, rave=True, c=0.3, first_play=0.5),
]


def rollouts(games: int = 1, light: bool = False, keep: bool = True, threads: int = 1) -> RolloutEvaluator:
    return RolloutEvaluator(Rollouts(threads, seed=5, light=light), games, keep_moves=keep)


def both(position: Position, config: UctConfig, visits: int, **options: Any) -> tuple[SearchResult, UctNode, UctSearch]:
    search = UctSearch(rollouts(**options), config, np.random.default_rng(7))
    slow = SlowUct(rollouts(**options), config, np.random.default_rng(7)).run(position, visits)
    return search.run(position, limit(visits)), slow, search


def visits_of(root: UctNode) -> dict[int, int]:
    return {action: child.visits for action, child in root.children.items()}


@pytest.mark.parametrize(("rows", "cols"), BOARDS)
@pytest.mark.parametrize("rules", RULES, ids=str)
def test_the_compiled_search_does_what_the_slow_one_does(rows: int, cols: int, rules: str) -> None:
    config = CONFIGS[(rows + cols) % len(CONFIGS)]
    position = random_position(np.random.default_rng(rows * 10 + cols), rows, cols, 3, rules)
    result, slow, _ = both(position, config, 150)
    assert {int(move): int(result.visits[move]) for move in np.flatnonzero(result.visits)} == visits_of(slow)
    for move, child in slow.children.items():
        assert 0.5 + 0.5 * result.q[move] == pytest.approx(child.win_rate, abs=1e-5)
    assert result.value == pytest.approx(slow.results / slow.visits)
    assert result.nodes == len(all_nodes(slow))
    assert set(np.flatnonzero(result.priors)) == set(slow.priors)


@pytest.mark.parametrize("config", CONFIGS, ids=str)
@pytest.mark.parametrize("light", [False, True])
def test_every_option_matches_the_slow_search(config: UctConfig, light: bool) -> None:
    position = random_position(np.random.default_rng(4), 4, 5, 6)
    result, slow, search = both(position, config, 250, light=light, games=2)
    assert {int(move): int(result.visits[move]) for move in np.flatnonzero(result.visits)} == visits_of(slow)
    if config.rave:
        trees = search.trees
        assert isinstance(trees, UctTrees)
        row = trees.rows[trees.row_of[trees.roots[0]]]
        for move in range(20):
            assert row[0, move] == len(slow.as_first.get(move, []))
            assert row[1, move] == sum(slow.as_first.get(move, []))


def summary(result: SearchResult) -> dict[str, Any]:
    """What the golden file keeps of a search."""
    moves = np.flatnonzero(result.visits).tolist()
    return {
        "visits": {str(move): int(result.visits[move]) for move in moves},
        "q": {str(move): round(float(result.q[move]), 4) for move in moves},
        "value": round(result.value, 4),
        "variation": list(result.variation),
        "nodes": result.nodes,
    }


def test_golden_trees(update_golden: bool) -> None:
    found: list[dict[str, Any]] = []
    for rave in (False, True):
        for light in (False, True):
            for moves in (0, 14):
                config = UctConfig(rave=rave, batch=4, first_play=1.0 if moves else None)
                search = UctSearch(rollouts(light=light), config, np.random.default_rng(2))
                found.append(summary(search.run(random_position(np.random.default_rng(3), 5, 4, moves), 300)))
    if update_golden:
        GOLDEN.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    assert found == json.loads(GOLDEN.read_text(encoding="utf-8"))


def check_tree(trees: UctTrees, pruned: bool = False) -> None:
    """The invariants that hold when no batch is under way."""
    nodes = trees.nodes[: trees.count]
    assert not nodes["pending"].any()
    assert (np.abs(nodes["value_sum"]) <= nodes["visits"] + 1e-6).all()
    child_visits = np.zeros(trees.count, np.int64)
    for node in nodes:
        if node["parent"] != NONE:
            child_visits[node["parent"]] += node["visits"]
    expanded = nodes["state"] == EXPANDED
    assert (child_visits[expanded] <= nodes["visits"][expanded] - 1).all()
    if not pruned:
        np.testing.assert_array_equal(child_visits[expanded], nodes["visits"][expanded] - 1)
    if trees.rave:
        check_rows(trees)


def check_rows(trees: UctTrees) -> None:
    """Every node above a leaf rolled out has a row of its own, the empty one stays so, no result counts double."""
    nodes, row_of = trees.nodes[: trees.count], trees.row_of[: trees.count]
    parents = nodes["parent"][nodes["state"] == EXPANDED]
    assert (row_of[parents[parents != NONE]] > 0).all()
    used = row_of[row_of > 0]
    assert len(set(used.tolist())) == len(used)
    assert not trees.rows[0].any()
    rows = trees.rows[used]
    assert (np.abs(rows[:, 1]) <= rows[:, 0]).all()
    assert (rows[:, 0].max(axis=1) <= nodes["visits"][row_of > 0]).all()


@pytest.mark.parametrize("rave", [False, True])
@pytest.mark.parametrize("batch", [1, 16, 64])
def test_invariants_after_a_search(batch: int, rave: bool) -> None:
    search = UctSearch(rollouts(threads=2), UctConfig(batch=batch, rave=rave))
    result = search.run(random_position(np.random.default_rng(5), 5, 6, 20), limit(1500))
    assert isinstance(search.trees, UctTrees)
    check_tree(search.trees)
    assert result.root_visits == 1500
    assert result.visits.sum() == 1499
    assert result.priors.sum() == pytest.approx(1, abs=1e-5)
    assert (search.trees.nodes[: search.trees.count]["state"] == TERMINAL).any()


@pytest.mark.parametrize("rave", [False, True])
def test_a_limit_of_memory_is_kept_and_the_search_goes_on(rave: bool) -> None:
    search = UctSearch(rollouts(), UctConfig(rave=rave, memory_mb=0.12))
    result = search.run(Position(5), 3000)
    trees = search.trees
    assert isinstance(trees, UctTrees)
    assert result.root_visits == 3000 and result.pruned > 0 and not result.full
    check_tree(trees, pruned=True)
    taken = trees.nodes.nbytes + trees.edges.nbytes
    assert taken + (trees.rows.nbytes + trees.row_of.nbytes if rave else 0) <= 120_000


@pytest.mark.parametrize("rave", [False, True])
def test_the_tree_is_kept_from_move_to_move(rave: bool) -> None:
    search = UctSearch(rollouts(threads=2), UctConfig(rave=rave))
    position = Position(size=5, komi=24)
    first = search.run(position, limit(800))
    for _ in range(2):
        position.play(search.run(position, limit(800)).move)
    again = search.run(position, limit(800))
    assert 0 < again.reused_visits < first.root_visits
    assert again.root_visits == 800
    assert isinstance(search.trees, UctTrees)
    check_tree(search.trees)
    other = Position(size=5, komi=24)
    other.play("A1")
    other.play("B1")
    assert search.run(other, limit(50)).reused_visits in (0, 1)
    check_tree(search.trees)


def test_the_same_seed_gives_the_same_search_on_any_number_of_threads() -> None:
    found = [
        UctSearch(rollouts(threads=threads), UctConfig(rave=True), np.random.default_rng(1))
        .run(Position(7), 400)
        .visits
        for threads in (1, 2, 3)
    ]
    np.testing.assert_array_equal(found[0], found[1])
    np.testing.assert_array_equal(found[0], found[2])


def test_every_move_is_tried_once_before_any_is_tried_again() -> None:
    result = UctSearch(rollouts(), UctConfig(batch=1)).run(Position(5), 1 + 26)
    assert (result.visits == 1).all()
    with_first_play = UctSearch(rollouts(), UctConfig(batch=1, first_play=0.3, c=0.1)).run(Position(5), 1 + 26)
    assert with_first_play.visits.max() > 1


def test_equal_moves_are_tried_in_random_order_and_better_priors_first() -> None:
    def tried(seed: int) -> set[int]:
        search = UctSearch(ConstantEvaluator(), UctConfig(batch=1), np.random.default_rng(seed))
        return set(np.flatnonzero(search.run(Position(7), 8).visits).tolist())

    assert tried(1) != tried(2)
    likely = HashEvaluator(spread=5.0)
    logits = likely.evaluate(Position(7).board_array).policy[0]
    best = UctSearch(HashEvaluator(spread=5.0), UctConfig(batch=1)).run(Position(7), 3)
    assert set(np.flatnonzero(best.visits)) <= set(np.argsort(-logits)[:4].tolist())


def test_own_eyes_are_left_alone_even_where_only_passing_is_left() -> None:
    position = Position.from_diagram(
        """
        . X . X .
        X X X X X
        O O O O O
        . O . O .
        """,
        rules="chinese",
        komi=0,
    )
    result = UctSearch(rollouts()).run(position, 60)
    assert set(np.flatnonzero(result.priors)) == {position.point("pass")}


def test_the_bound_is_ucb1_and_the_mix_is_rave_s() -> None:
    assert upper_bound(0.4, 9.0, np.log(100.0), 2**0.5) == pytest.approx(0.4 + (2 * np.log(100.0) / 9) ** 0.5)
    assert mixed_rate(0.3, 5.0, 0.0, 0.0, 0.1) == 0.3
    assert mixed_rate(0.3, 0.0, 8.0, 4.0, 0.1) == pytest.approx(0.75)  # unvisited: all moves as first alone
    beta = 8 / (5 + 8 + 4 * 0.1**2 * 5 * 8)
    assert mixed_rate(0.3, 5.0, 8.0, 4.0, 0.1) == pytest.approx((1 - beta) * 0.3 + beta * 0.75)
    assert abs(mixed_rate(0.3, 1e6, 8.0, 4.0, 0.1) - 0.3) < 1e-4


def test_more_visits_wear_rave_out() -> None:
    shares = [mixed_rate(0.0, n, 1000.0, 1000.0, 0.05) for n in (0.0, 10.0, 100.0, 1000.0, 10_000.0)]
    assert shares == sorted(shares, reverse=True)
    assert shares[0] == 1 and shares[-1] < 0.02


def test_rave_without_the_moves_of_rollouts_says_what_it_needs() -> None:
    for evaluator in (ConstantEvaluator(), rollouts(keep=False)):
        with pytest.raises(TypeError, match="keep_moves"):
            UctSearch(evaluator, UctConfig(rave=True)).run(Position(5), 10)


def test_a_full_pool_ends_the_search_and_says_so() -> None:
    search = UctSearch(rollouts(), UctConfig(max_nodes=50, rave=True))
    result = search.run(Position(5), 1000)
    assert result.full and result.nodes == 50
    assert isinstance(search.trees, UctTrees)
    check_tree(search.trees)


@pytest.mark.parametrize(
    "options",
    [{"c": -1.0}, {"batch": 0}, {"rave_bias": 0.0}, {"first_play": -0.1}, {"max_nodes": 1}, {"choice": "luck"}],
)
def test_options_out_of_range_are_refused_by_name(options: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match=next(iter(options))):
        UctConfig(**options)


SNAPBACK = """
    . X . X . X .
    X X X X X X X
    . X X X X X X
    X X . X X O O
    . X X X X O .
    . X O . X O O
    . X O . O O .
    """
PROBLEMS = {
    "a snapback: the stone thrown in at D1 is taken, and three stones with it": (SNAPBACK, "B"),
    "a connection that saves two stones": (SNAPBACK, "W"),
    "two stones in atari": (SNAPBACK.replace(". X O . X O O", ". X O X X O O"), "B"),
}


@pytest.mark.parametrize("rave", [False, True])
@pytest.mark.parametrize("light", [False, True])
@pytest.mark.parametrize("name", PROBLEMS)
def test_small_problems_are_solved_at_d1(name: str, light: bool, rave: bool) -> None:
    diagram, to_play = PROBLEMS[name]
    position = Position.from_diagram(diagram, to_play=to_play, rules="chinese", komi=28)
    result = UctSearch(rollouts(light=light), UctConfig(rave=rave), np.random.default_rng(1)).run(position, 1500)
    assert position.vertex(result.move) == "D1" and result.value > 0.5


WITHOUT_COMPILING = """
import numpy as np
from move37.evaluators.rollout import RolloutEvaluator
from move37.rules.position import Position
from move37.search.rollouts import Rollouts
from move37.search.ucb1 import UctConfig
from move37.search.ucb1_search import UctSearch
evaluator = RolloutEvaluator(Rollouts(1, seed=5), keep_moves=True)
search = UctSearch(evaluator, UctConfig(rave=True), np.random.default_rng(1))
print(search.run(Position(rows=3, cols=4), 30).visits.tolist())
"""


def test_plain_python_finds_the_same_as_compiled_code() -> None:
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-W", "error", "-c", WITHOUT_COMPILING]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    search = UctSearch(rollouts(light=True), UctConfig(rave=True), np.random.default_rng(1))
    assert json.loads(done.stdout) == search.run(Position(rows=3, cols=4), 30).visits.tolist()
