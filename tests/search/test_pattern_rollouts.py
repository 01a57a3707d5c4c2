"""Rollouts by a trained policy: weights kept up to date, moves as often as they weigh, games that end, replies."""

from __future__ import annotations

import numpy as np
import pytest

from move37.errors import ConfigError
from move37.features.rollout_around_kernels import AROUND, play_stone, start
from move37.rules.board_kernels import STRIDE
from move37.rules.position import Position
from move37.search.pattern_rollout_kernels import DRAW, lift, lower, weigh_all, weigh_changed
from move37.search.rollouts import Rollouts, move_weights
from move37.search.tree_policy import PatternTreePolicy
from tests.support.positions import random_position
from tests.support.rollout_policies import empty_policy, policy_of
from tests.support.slow_rollout_features import SlowFeatures


@pytest.mark.parametrize("seed", range(6))
def test_weights_kept_up_to_date_are_those_from_nothing(seed: int) -> None:
    """Random games with captures and kos; before each move its answers are multiplied in and taken out."""
    rng = np.random.default_rng(seed)
    rows, cols = int(rng.integers(2, 6)), int(rng.integers(2, 6))
    policy = policy_of([random_position(rng, rows, cols, 20, "chinese") for _ in range(4)], rng)
    tables, weights = policy.tables, move_weights(policy)
    board = Position(rows=rows, cols=cols, rules={"ko": "simple"}).board_array.copy()[0]
    arounds, draws = np.zeros(2, AROUND), np.zeros(2, DRAW)
    start(board, arounds[0], tables)
    weigh_all(board, arounds[0], draws[0], tables.article, weights)
    ko, color, last = 0, 1, 0
    for _ in range(80):
        lower(draws[0], color, lift(board, arounds[0], draws[0], tables, weights, ko, last, color))
        playable = [cell for cell in np.flatnonzero(draws[0]["weights"][color - 1]).tolist() if cell != ko]
        if not playable:
            break
        last = int(rng.choice(playable))
        ko = play_stone(board, arounds[0], tables, last, color)
        weigh_changed(board, arounds[0], draws[0], tables.article, weights)
        color = 3 - color
        start(board, arounds[1], tables)
        weigh_all(board, arounds[1], draws[1], tables.article, weights)
        for name in ("weights", "rows"):
            np.testing.assert_array_equal(draws[0][name], draws[1][name])
        sums = draws[0]["weights"][:, : (rows + 1) * STRIDE].reshape(2, -1, STRIDE).sum(axis=2)
        np.testing.assert_array_equal(draws[0]["rows"][:, : rows + 1], sums)


@pytest.mark.parametrize("seed", range(3))
def test_moves_come_as_often_as_they_weigh(seed: int) -> None:
    position = random_position(np.random.default_rng(seed), 5, 5, 8 + 5 * seed, "chinese")
    policy = policy_of([position], np.random.default_rng(seed), size=5)
    shares = np.zeros(26)
    for point, features in SlowFeatures(policy, position).all().rollout.items():
        shares[point] = np.exp(policy.rollout[features].astype(np.float64).sum())
    shares /= shares.sum()
    games = 4000
    played = Rollouts(1, seed, policy=policy).play(position.board_array, games, keep_moves=True)
    assert played.moves is not None
    drawn = np.bincount(played.moves[0, :, 0], minlength=26)
    assert not drawn[shares == 0].any()
    # Seven standard deviations of a binomial count: right weights never fail, wrong ones do.
    assert (np.abs(drawn - games * shares) <= 7 * np.sqrt(games * shares) + 1e-9).all()


@pytest.mark.parametrize(("rows", "cols"), [(1, 1), (3, 3), (5, 7), (9, 9)])
def test_a_rollout_is_a_game_that_ends_when_no_move_is_left(rows: int, cols: int) -> None:
    policy = policy_of([random_position(np.random.default_rng(1), rows, cols, 9)], np.random.default_rng(1))
    rollouts = Rollouts(1, 1, policy=policy)
    position = Position(rows=rows, cols=cols, rules={"ko": "simple"})
    played = rollouts.play(position.board_array, 3, keep_moves=True)
    assert played.moves is not None and played.lengths is not None
    for game, length in enumerate(played.lengths[0].tolist()):
        replayed = position.copy()
        for move in played.moves[0, game, :length].tolist():
            assert replayed.is_legal(move)
            replayed.play(move)
        if length < played.moves.shape[2]:
            assert played.moves[0, game, length - 2 : length].tolist() == [rows * cols] * 2


def test_games_do_not_depend_on_threads_and_calls_may_wait() -> None:
    position = random_position(np.random.default_rng(5), 7, 7, 10, "chinese")
    policy = policy_of([position], np.random.default_rng(5), size=7)
    one, two = Rollouts(1, 3, policy=policy), Rollouts(2, 3, policy=policy)
    first = one.play(position.board_array, 40, keep_owners=True)
    second = two.submit(position.board_array, 40, keep_owners=True).result()
    np.testing.assert_array_equal(first.margins, second.margins)
    np.testing.assert_array_equal(first.owners, second.owners)
    two.close()


def test_replies_of_winners_are_played_again() -> None:
    position = random_position(np.random.default_rng(7), 5, 5, 4, "chinese")
    games = Rollouts(1, 1, policy=empty_policy(), replies=True)
    usual = games.play(position.board_array, 400, keep_moves=True).moves
    again = games.play(position.board_array, 400, keep_moves=True).moves
    assert usual is not None and again is not None
    # The first move has one answer of a winner now, if any: a third of the games or more begin with the same move.
    counts = [np.bincount(moves[0, :, 0], minlength=26).max() for moves in (usual, again)]
    assert counts[0] < 80 and counts[1] > 200
    with pytest.raises(ConfigError, match="trained policy"):
        Rollouts(replies=True)


def test_the_tree_policy_weighs_legal_moves() -> None:
    position = random_position(np.random.default_rng(2), 5, 5, 9, "chinese")
    policy = policy_of([position], np.random.default_rng(2), size=5)
    weights = PatternTreePolicy(policy).weights(position.board_array)
    assert weights.shape == (1, 26) and weights.sum() == pytest.approx(1.0)
    assert not weights[0][~position.legal_mask()].any()
