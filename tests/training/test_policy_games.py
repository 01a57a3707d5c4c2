"""Games side by side against games one by one, and what holds of each."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from move37.errors import ConfigError
from move37.rules.board_kernels import BoardArray
from move37.rules.position import Position
from move37.search.evaluator import ConstantEvaluator, Evaluations, Evaluator
from move37.training import policy_games
from move37.training.policy_games import Passes, PlayedGames, Ply
from tests.support.networks import StonesEvaluator
from tests.support.positions import random_position
from tests.support.slow_policy_games import slow_game

CHOOSERS: list[Evaluator] = [StonesEvaluator(), ConstantEvaluator()]


def starts(rows: int, cols: int, count: int, seed: int) -> list[Position]:
    rng = np.random.default_rng(seed)
    return [random_position(rng, rows, cols, int(rng.integers(0, rows * cols)), "chinese") for _ in range(count)]


def play(positions: list[Position], seed: int = 0, first: int = 0, **options: Any) -> PlayedGames:
    boards = np.concatenate([position.board_array for position in positions])
    sides = [[(first + i) % 2, (first + i + 1) % 2] for i in range(len(positions))]
    streams = policy_games.streams([seed], first, len(positions))
    settings: dict[str, Any] = {"max_moves": 60} | options
    return policy_games.play(boards, CHOOSERS, np.array(sides), streams, **settings)


@pytest.mark.parametrize("passes", ["guarded", "learned", "last"])
@pytest.mark.parametrize(("rows", "cols", "temperature"), [(1, 2, 1.0), (3, 3, 1.0), (4, 5, 0.5), (5, 4, 0.0)])
def test_games_are_those_of_the_slow_twin(rows: int, cols: int, temperature: float, passes: Passes) -> None:
    positions = starts(rows, cols, 10, rows * 7 + cols)
    played = play(positions, max_moves=40, temperature=temperature, passes=passes)
    for number, position in enumerate(positions):
        black, white = CHOOSERS[number % 2], CHOOSERS[(number + 1) % 2]
        rng = policy_games.streams([0], number, 1)[0]
        moves = slow_game(position, black, white, rng, max_moves=40, temperature=temperature, passes=passes)
        assert played.moves[number].tolist() == moves
        assert played.black_margin[number] == position.score().black_margin
        assert played.boards[number]["stones_hash"] == position.board["stones_hash"]
        assert played.passed_out[number] == (position.passes >= 2)


def test_a_game_does_not_depend_on_those_beside_it() -> None:
    positions = starts(4, 4, 9, 5)
    whole = play(positions)
    few = play(positions, together=2)
    last = play(positions[6:], first=6)
    for number in range(9):
        assert whole.moves[number].tolist() == few.moves[number].tolist()
    for number in range(3):
        assert whole.moves[6 + number].tolist() == last.moves[number].tolist()


def test_a_chooser_is_asked_once_a_ply_for_all_its_games() -> None:
    counting = StonesEvaluator()
    positions = starts(4, 4, 8, 2)
    boards = np.concatenate([position.board_array for position in positions])
    streams = policy_games.streams([1], 0, 8)
    played = policy_games.play(boards, [counting], np.zeros((8, 2), np.int64), streams, max_moves=30)
    assert len(counting.batches) == played.moves.lengths.max()
    assert sum(len(batch) for batch in counting.batches) == played.moves.lengths.sum()
    assert [len(batch) for batch in counting.batches] == sorted((len(b) for b in counting.batches), reverse=True)


def test_the_watcher_is_told_every_move_and_the_boards_given_stay() -> None:
    positions, plies = starts(3, 4, 6, 8), list[Ply]()
    boards = np.concatenate([position.board_array for position in positions])
    before = boards.copy()
    streams = policy_games.streams([0], 0, 6)
    played = policy_games.play(boards, CHOOSERS, np.array([[0, 1]] * 6), streams, max_moves=30, watch=plies.append)
    assert np.array_equal(boards, before)
    told: list[list[int]] = [[] for _ in range(6)]
    for ply in plies:
        assert ply.allowed[np.arange(len(ply.games)), ply.moves].all()
        assert (ply.boards["to_play"] - 1 == ply.chooser).all()
        for game, move in zip(ply.games.tolist(), ply.moves.tolist(), strict=True):
            told[game].append(move)
    assert told == [played.moves[game].tolist() for game in range(6)]


def test_moves_come_as_often_as_their_probabilities() -> None:
    logits = np.log(np.array([[1, 2, 3, 4, 90]], np.float32)).repeat(20000, axis=0)
    allowed = np.array([[True, True, False, True, False]]).repeat(20000, axis=0)
    chances = np.random.default_rng(3).random(20000)
    counts = np.bincount(policy_games.draw(logits, allowed, chances), minlength=5) / 20000
    np.testing.assert_allclose(counts, [1 / 7, 2 / 7, 0, 4 / 7, 0], atol=0.015)
    assert (policy_games.draw(logits, allowed, chances, 0.0) == 3).all()
    edge = np.array([0.0, np.nextafter(1.0, 0.0)])
    assert policy_games.draw(logits[:2], allowed[:2], edge).tolist() == [0, 3]


class Passing:
    """Wants to pass, whatever the board."""

    def evaluate(self, boards: NDArray[Any]) -> Evaluations:
        policy = np.zeros((len(boards), int(boards[0]["rows"]) * int(boards[0]["cols"]) + 1), np.float32)
        policy[:, -1] = 100.0
        return Evaluations(policy, np.zeros(len(boards), np.float32))


def passing_games(passes: Passes, boards: BoardArray) -> PlayedGames:
    count = len(boards)
    streams = policy_games.streams([0], 0, count)
    sides = np.zeros((count, 2), np.int64)
    return policy_games.play(boards, [Passing()], sides, streams, max_moves=200, passes=passes)


def test_who_would_lose_does_not_pass_unless_told_to() -> None:
    board = Position(4, rules="chinese", komi=0.5).board_array
    assert passing_games("learned", board).moves[0].tolist() == [16, 16]
    guarded = passing_games("guarded", board)
    assert guarded.moves[0][0] != 16, "Black, half a point behind, has to play"
    assert passing_games("last", board).moves.lengths[0] > guarded.moves.lengths[0] >= 3


def test_games_that_are_over_have_no_moves() -> None:
    over = Position(3, rules="chinese", komi=0.5)
    over.play("pass")
    over.play("pass")
    played = play([over, *starts(3, 3, 1, 4)])
    assert played.moves.lengths[0] == 0 and played.moves.lengths[1] > 0
    assert played.black_result[0] == -1


def test_each_game_has_its_own_limit_of_moves() -> None:
    positions = [Position(5, rules="chinese", komi=0.5) for _ in range(4)]
    limits = np.array([0, 1, 2, 7])
    assert play(positions, max_moves=limits).moves.lengths.tolist() == [0, 1, 2, 7]


def test_what_cannot_be_is_refused() -> None:
    positions = starts(3, 3, 2, 0)
    with pytest.raises(ConfigError, match="temperature"):
        play(positions, temperature=-1.0)
    with pytest.raises(ConfigError, match="side by side"):
        play(positions, together=0)
    boards = positions[0].board_array
    with pytest.raises(ValueError, match="chooser_of"):
        policy_games.play(boards, CHOOSERS, np.zeros((1, 3), np.int64), policy_games.streams([0], 0, 1), max_moves=3)
    with pytest.raises(ValueError, match="choosers 0 to 1"):
        policy_games.play(boards, CHOOSERS, np.array([[0, 2]]), policy_games.streams([0], 0, 1), max_moves=3)
