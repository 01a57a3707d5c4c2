"""Many trees in one pool: a batch across games, golden trees, and what happens when trees come and go."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from move37.rules.position import Position
from move37.search import SearchConfig, Trees
from tests.support.positions import random_position
from tests.support.slow_search import HashEvaluator

GOLDEN = Path(__file__).parents[1] / "golden" / "search" / "trees.json"
CONFIG = SearchConfig(c_puct=1.25, batch=12)


def games() -> list[Position]:
    """Positions of one size with different legal moves, players and rules."""
    rng = np.random.default_rng(11)
    found = [random_position(rng, 5, 4, moves, rules) for moves in (0, 7, 30) for rules in ("tromp-taylor", "chinese")]
    finished = Position(rows=5, cols=4, komi=0.5)
    finished.play("C3")
    finished.play("pass")
    return [*found, finished]


def grow(positions: list[Position], rounds: int, a_round: int) -> Trees:
    """Search all positions together, `a_round` simulations of each in each batch."""
    trees = Trees(positions[0].rows, positions[0].cols, games=len(positions), batch=a_round * len(positions))
    for game, position in enumerate(positions):
        trees.plant(game, position.board, position.superko_keys)
    advance(trees, rounds, a_round)
    return trees


def advance(trees: Trees, rounds: int, a_round: int) -> None:
    evaluator = HashEvaluator()
    for _ in range(rounds):
        leaves = trees.collect(np.full(len(trees.roots), a_round, np.int64), CONFIG.record())
        if leaves:
            trees.expand(leaves, evaluator.evaluate(trees.leaf_boards[:leaves]))


def summary(trees: Trees, game: int) -> dict[str, Any]:
    """What a golden file keeps of a tree."""
    visits, q = trees.children(game)
    root = trees.nodes[trees.roots[game]]
    moves = [int(move) for move in np.flatnonzero(visits)]
    return {
        "root_visits": int(root["visits"]),
        "value": round(float(root["value_sum"] / root["visits"]), 4),
        "visits": {str(move): int(visits[move]) for move in moves},
        "q": {str(move): round(float(q[move]), 4) for move in moves},
        "legal": int((trees.priors(game) > 0).sum()),
        "variation": list(trees.variation(game)),
    }


def test_golden_trees(update_golden: bool) -> None:
    trees = grow(games(), rounds=90, a_round=3)
    found = [summary(trees, game) for game in range(len(trees.roots))]
    if update_golden:
        GOLDEN.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    assert len({tree["legal"] for tree in found}) > 3
    assert found == json.loads(GOLDEN.read_text(encoding="utf-8"))


def test_a_tree_does_not_depend_on_the_others_in_its_batch() -> None:
    positions = games()
    together = grow(positions, rounds=60, a_round=2)
    for game, position in enumerate(positions):
        assert summary(grow([position], rounds=60, a_round=2), 0) == summary(together, game)


def test_trees_advance_and_end_without_touching_the_others() -> None:
    positions = games()
    trees = grow(positions, rounds=80, a_round=1)
    untouched = summary(trees, 1)
    move = trees.variation(0)[0]
    positions[0].play(move)
    child_visits = int(trees.children(0)[0][move])
    assert trees.advance(0, move, positions[0].board, positions[0].superko_keys)
    trees.drop(3)
    before = trees.count
    trees.compact()
    assert trees.count < before
    assert trees.visits(0) == child_visits
    assert trees.visits(3) == 0
    assert summary(trees, 1) == untouched
    alone = grow([positions[0]], rounds=trees.visits(0), a_round=1)
    assert summary(trees, 0) == summary(alone, 0)
    advance(trees, 20, 1)
    assert trees.visits(0) == child_visits + 20
    trees.plant(3, positions[3].board, positions[3].superko_keys)
    advance(trees, 80, 1)
    assert summary(trees, 3) == summary(grow([positions[3]], rounds=80, a_round=1), 0)


def test_games_may_live_in_the_trees_alone() -> None:
    positions = games()
    trees, apart = grow(positions, rounds=60, a_round=1), grow(positions, rounds=60, a_round=1)
    moves = [trees.variation(game)[0] if game != 2 else -1 for game in range(len(positions))]
    moves[4] = int(np.flatnonzero((apart.priors(4) > 0) & (apart.children(4)[0] == 0))[0])
    trees.play(np.array(moves, np.int64))
    for game, (position, move) in enumerate(zip(positions, moves, strict=True)):
        if move >= 0:
            position.play(move)
            assert apart.advance(game, move, position.board, position.superko_keys) == (game != 4)
        assert trees.has_tree(game) == apart.has_tree(game)
        count = int(trees.key_counts[game])
        np.testing.assert_array_equal(trees.keys[game, :count], position.superko_keys)
        assert trees.boards[game] == position.board
        if game != 4:
            assert summary(trees, game) == summary(apart, game)
    trees.replant(4)
    advance(trees, 30, 1)  # not compacted: a root must not pass its visits on to what it came from
    apart.compact()
    apart.plant(4, positions[4].board, positions[4].superko_keys)
    advance(apart, 30, 1)
    for game in range(len(positions)):
        assert summary(trees, game) == summary(apart, game)


def test_batches_of_two_kinds_stand_behind_each_other() -> None:
    positions = games()[:4]
    trees, apart = grow(positions, rounds=20, a_round=1), grow(positions, rounds=20, a_round=1)
    quota, other = np.array([1, 0, 1, 0]), np.array([0, 1, 0, 1])
    waiting = trees.collect(quota, CONFIG.record())
    waiting = trees.collect_more(waiting, other, SearchConfig(c_puct=1.25).record())
    order = [0, 2, 1, 3]
    assert apart.collect(np.ones(4, np.int64), CONFIG.record()) == waiting == 4
    np.testing.assert_array_equal(trees.leaf_boards[:4], apart.leaf_boards[order])


def test_an_unsearched_move_drops_the_tree() -> None:
    positions = games()[:1]
    trees = grow(positions, rounds=1, a_round=1)
    positions[0].play(3)
    assert not trees.advance(0, 3, positions[0].board, positions[0].superko_keys)
    assert trees.count == 0


@pytest.mark.parametrize("batch", [1, 3])
def test_a_small_batch_serves_the_games_in_turn_of_their_quota(batch: int) -> None:
    positions = games()[:3]
    trees = Trees(5, 4, games=3, batch=batch)
    for game, position in enumerate(positions):
        trees.plant(game, position.board, position.superko_keys)
    quota = np.ones(3, np.int64)
    assert trees.collect(quota, CONFIG.record()) == min(batch, 3)
    assert quota.sum() == 3 - batch


def test_a_long_game_has_room_for_its_keys() -> None:
    trees = Trees(5, 4)
    position = games()[0]
    keys = np.arange(1, 5000, dtype=np.uint64)
    trees.plant(0, position.board, keys)
    advance(trees, 30, 1)
    np.testing.assert_array_equal(trees.keys[0, :4999], keys)
    assert trees.visits() == 30
