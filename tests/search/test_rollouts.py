"""Rollouts of many positions: the games are games, the same on any number of threads, and counted under the rules."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from move37.errors import ConfigError
from move37.rules.board_kernels import BoardArray
from move37.rules.color import Color
from move37.rules.position import Position
from move37.rules.records import stones_grid
from move37.search import rollouts as rollouts_module
from move37.search.rollouts import LEAST_WEIGHT, Played, RolloutEvaluations, Rollouts, light_policy, results, scores
from tests.support.positions import batch, random_position
from tests.support.slow_light_rollouts import slow_weights


def some_boards(rows: int = 5, cols: int = 6, rules: str = "chinese") -> BoardArray:
    rng = np.random.default_rng(rows * cols)
    return batch([random_position(rng, rows, cols, moves, rules) for moves in (0, 7, 18, 30, 33)])


def everything(played: Played) -> list[NDArray[Any]]:
    assert played.owners is not None and played.moves is not None and played.lengths is not None
    rows = played.moves.reshape(-1, played.moves.shape[2])
    moves = [row[:length] for row, length in zip(rows, played.lengths.ravel().tolist(), strict=True)]
    return [played.margins, played.owners, np.concatenate(moves)]


@pytest.mark.parametrize("light", [False, True])
def test_the_games_do_not_depend_on_the_threads_or_on_waiting(light: bool) -> None:
    boards = some_boards()
    before = boards.tobytes()
    found: list[list[NDArray[Any]]] = []
    for threads in (1, 2, 5):
        games = Rollouts(threads, seed=3, light=light)
        first = games.play(boards, 7, keep_owners=True, keep_moves=True)
        second = games.submit(boards[:3], 2, keep_owners=True, keep_moves=True).result(timeout=60)
        found.append(everything(first) + everything(second))
        games.close()
    for other in found[1:]:
        for one, two in zip(found[0], other, strict=True):
            np.testing.assert_array_equal(one, two)
    assert boards.tobytes() == before
    assert len(np.unique(found[0][0])) > 5


def test_another_seed_and_another_call_give_other_games() -> None:
    boards = some_boards()
    games = Rollouts(1, seed=3)
    first = games.play(boards, 20).margins
    assert not np.array_equal(games.play(boards, 20).margins, first)
    assert not np.array_equal(Rollouts(1, seed=4).play(boards, 20).margins, first)
    np.testing.assert_array_equal(Rollouts(1, seed=3).play(boards, 20).margins, first)


@pytest.mark.parametrize("light", [False, True])
@pytest.mark.parametrize(("rows", "cols"), [(1, 1), (2, 3), (5, 6), (9, 9)])
def test_the_moves_kept_lead_to_the_margin_and_the_owners(rows: int, cols: int, light: bool) -> None:
    boards = some_boards(rows, cols)
    played = Rollouts(2, seed=1, light=light).play(boards, 3, keep_owners=True, keep_moves=True)
    assert played.moves is not None and played.lengths is not None and played.owners is not None
    for i, board in enumerate(boards):
        for game in range(3):
            position = Position(rows=rows, cols=cols, rules={"ko": "simple"})
            stones = [np.flatnonzero(stones_grid(board).ravel() == color).tolist() for color in (1, 2)]
            position.setup(black=stones[0], white=stones[1], to_play=Color(int(board["to_play"])))
            for move in played.moves[i, game, : played.lengths[i, game]].tolist():
                position.play(move, force=True)  # the ko of the position before is not known to this one
            score = position.score()
            assert played.margins[i, game] == score.black_margin + position.komi
            owned = played.owners[i, game]
            assert played.margins[i, game] == (owned == 1).sum() - (owned == 2).sum()


def test_a_rollout_of_the_whole_board_at_most_moves_is_counted_as_it_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rollouts_module, "MOVES_A_POINT", 0)
    boards = batch([random_position(np.random.default_rng(1), 5, 5, 22)])
    position = random_position(np.random.default_rng(1), 5, 5, 22)
    played = Rollouts(1).play(boards, 4, keep_moves=True)
    assert played.lengths is not None and not played.lengths.any()
    assert (played.margins == position.score().black_margin + position.komi).all()


@pytest.mark.parametrize("rules", ["chinese", "japanese", "aga", "new-zealand"])
def test_scores_count_komi_and_what_else_the_rules_give_white(rules: str) -> None:
    position = Position(size=5, rules=rules, komi=3.5)
    position.place_free_handicap(["B2", "D4", "C3"])
    position.play_many(["A1", "E5", "A2"])
    margins = np.array([[10, 3, -25], [10, 3, -25]], np.int16)
    white = float(position.board["komi"] + position.board["white_bonus"] + position.board["play_bonus"])
    boards = np.concatenate([position.board_array, position.board_array])
    boards["to_play"] = [1, 2]
    expected = margins - white
    np.testing.assert_allclose(scores(boards, margins), expected * np.array([[1], [-1]]))
    wins = float(np.sign(expected[0]).mean())
    np.testing.assert_allclose(results(boards, margins), [wins, -wins], atol=1e-6)


def test_a_draw_counts_nothing() -> None:
    boards = Position(size=5, komi=3).board_array
    np.testing.assert_allclose(results(boards, np.array([[3, 4, 4, 3]], np.int16)), [0.5])


def test_the_light_policy_is_the_weights() -> None:
    positions = [random_position(np.random.default_rng(seed), 5, 5, 6 * seed, "chinese") for seed in range(5)]
    expected = np.stack([np.maximum(slow_weights(position), LEAST_WEIGHT) for position in positions])
    np.testing.assert_allclose(np.exp(light_policy(batch(positions))), expected, rtol=1e-5)


def test_calls_from_several_threads_do_not_disturb_each_other() -> None:
    boards = some_boards()
    games = Rollouts(2, seed=1)
    found: list[Played] = []
    threads = [threading.Thread(target=lambda: found.append(games.play(boards, 10))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    games.close()
    assert len(found) == 4
    assert all(np.abs(played.margins).max() <= 30 for played in found)
    assert len({played.margins.tobytes() for played in found}) == 4  # four numbers of streams


def test_an_error_in_a_share_reaches_who_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any) -> int:
        raise ArithmeticError("broken")

    monkeypatch.setattr(rollouts_module, "play_rollouts", broken)
    games = Rollouts(2)
    with pytest.raises(ArithmeticError, match="broken"):
        games.submit(some_boards(), 4).result(timeout=60)
    with pytest.raises(ArithmeticError, match="broken"):
        games.play(some_boards(), 4)


def test_nothing_to_play_is_played_at_once() -> None:
    games = Rollouts(2)
    assert games.play(some_boards()[:0], 3).margins.shape == (0, 3)
    assert games.submit(some_boards()[:0], 3).result(timeout=60).margins.shape == (0, 3)


def test_wrong_numbers_are_refused() -> None:
    with pytest.raises(ConfigError, match="thread"):
        Rollouts(0)
    with pytest.raises(ValueError, match="at least one"):
        Rollouts(1).play(some_boards(), 0)


def test_a_part_of_the_answers_has_the_games_of_its_positions() -> None:
    boards = some_boards()
    played = Rollouts(1, seed=1).play(boards, 2, keep_owners=True, keep_moves=True)
    value = results(boards, played.margins)
    part = RolloutEvaluations(light_policy(boards), value, played=played).part(1, 3)
    assert isinstance(part, RolloutEvaluations) and np.array_equal(part.value, value[1:3]) and part.played is not None
    games = part.played
    assert games.owners is not None and games.moves is not None and games.lengths is not None
    assert len(games.owners) == len(games.moves) == len(games.lengths) == 2
    assert all(map(np.array_equal, everything(games), everything(played.part(1, 3))))
    assert np.array_equal(games.margins, played.margins[1:3])
    assert RolloutEvaluations(light_policy(boards), value).part(1, 3).played is None
