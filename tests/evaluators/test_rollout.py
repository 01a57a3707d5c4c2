"""Rollouts as an evaluator: its answers are the means of its games, for the player to move."""

from __future__ import annotations

import numpy as np
import pytest

from move37.evaluators.rollout import RolloutEvaluator
from move37.rules.color import Color
from move37.rules.position import Position
from move37.search.rollouts import Rollouts, light_policy, results, scores
from tests.support.positions import batch, random_position


def some_positions() -> list[Position]:
    rng = np.random.default_rng(4)
    return [random_position(rng, 5, 6, moves, "chinese") for moves in (0, 3, 11, 24)]


def test_answers_are_the_means_of_the_games() -> None:
    boards = batch(some_positions())
    found = RolloutEvaluator(Rollouts(1, seed=3), 40, keep_moves=True).evaluate(boards)
    games = Rollouts(1, seed=3).play(boards, 40, keep_owners=True)
    np.testing.assert_allclose(found.value, results(boards, games.margins), atol=1e-6)
    points = scores(boards, games.margins)
    assert found.lead is not None and found.score_stdev is not None and found.ownership is not None
    np.testing.assert_allclose(found.lead, points.mean(axis=1), rtol=1e-5)
    np.testing.assert_allclose(found.score_stdev, points.std(axis=1), rtol=1e-5)
    assert games.owners is not None and found.played is not None
    np.testing.assert_array_equal(found.played.margins, games.margins)
    for i, position in enumerate(some_positions()):
        own, enemy = int(position.to_play), 3 - int(position.to_play)
        expected = (games.owners[i] == own).mean(axis=0) - (games.owners[i] == enemy).mean(axis=0)
        np.testing.assert_allclose(found.ownership[i].ravel(), expected, atol=1e-6)


def test_many_games_from_a_settled_position_agree_with_the_count() -> None:
    position = Position.from_diagram(
        """
        . X . O . .
        X X X O O O
        . X O O . .
        X X X O O .
        """,
        rules="chinese",
        komi=0,
    )
    found = RolloutEvaluator(Rollouts(1, seed=1), 200).evaluate(position.board_array)
    assert found.lead is not None
    assert found.lead[0] == pytest.approx(position.score().margin_for(Color.BLACK), abs=2)


def test_the_policy_is_light_or_uniform_as_asked() -> None:
    boards = batch(some_positions())
    light, uniform = Rollouts(1), Rollouts(1, light=False)
    np.testing.assert_array_equal(RolloutEvaluator(light).evaluate(boards).policy, light_policy(boards))
    assert not RolloutEvaluator(uniform).evaluate(boards).policy.any()
    mixed = RolloutEvaluator(uniform, light_priors=True).evaluate(boards).policy
    np.testing.assert_array_equal(mixed, light_policy(boards))


def test_the_view_is_that_of_the_player_to_move() -> None:
    black, white = Position(size=5, komi=0.5), Position(size=5, komi=0.5)
    black.setup(black=["C3", "D2", "C4", "B2"], white=["A5"], to_play="B")
    white.setup(black=["C3", "D2", "C4", "B2"], white=["A5"], to_play="W")
    found = RolloutEvaluator(Rollouts(1, seed=1), 300).evaluate(batch([black, white]))
    assert found.value[0] > 0.4 and found.value[1] < -0.4
    assert found.ownership is not None
    assert found.ownership[0, 2, 2] > 0.3 and found.ownership[1, 2, 2] < -0.3


def test_no_positions_are_answered_with_nothing_and_no_games_are_refused() -> None:
    found = RolloutEvaluator(Rollouts(1, light=False)).evaluate(batch(some_positions())[:0])
    assert found.value.shape == (0,)
    with pytest.raises(ValueError, match="at least one"):
        RolloutEvaluator(Rollouts(1), 0)
