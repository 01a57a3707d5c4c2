from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from move37.errors import IllegalMoveError, RulesError
from move37.rules.batch import Batch, batch
from move37.rules.board_kernels import BOARD, Board
from move37.rules.color import Color
from move37.rules.position import Position


def fields(board: Board) -> list[Any]:
    """All fields of a record, to be compared one by one."""
    return [np.asarray(board[name]).tolist() for name in BOARD.names or ()]


def all_fields(games: Batch) -> list[list[Any]]:
    return [fields(board) for board in games.boards]


@pytest.mark.parametrize("ko", ["simple", "positional", "situational"])
@pytest.mark.parametrize(("rows", "cols", "suicide"), [(4, 4, True), (3, 5, False), (1, 6, True)])
def test_games_agree_with_positions(ko: str, rows: int, cols: int, suicide: bool) -> None:
    rng = np.random.default_rng(7)
    rules = {"ko": ko, "suicide": suicide}
    games = batch(6, rows=rows, cols=cols, rules=rules, komi=0.5)
    positions = [Position(rows=rows, cols=cols, rules=rules, komi=0.5) for _ in range(6)]
    for _ in range(90):
        mask = games.legal_mask()
        actions = np.full(6, -1)
        for game, position in enumerate(positions):
            if position.is_over:
                assert games.done[game] and not mask[game].any()
                continue
            assert mask[game].tolist() == position.legal_mask().tolist()
            actions[game] = rng.choice(np.flatnonzero(mask[game]))
            position.play(int(actions[game]))
        games.step(actions)
        for game, position in enumerate(positions):
            assert fields(games.boards[game]) == fields(position.board)
            assert games.black_margin()[game] == position.score().black_margin
    assert games.stones.tolist() == [position.stones.tolist() for position in positions]


def finished(komi: float) -> Batch:
    """Two games of 3x3: Black took the centre of the first, nobody played in the second; both are over."""
    games = batch(2, size=3, komi=komi)
    games.step([4, 9])
    games.step([9, 9])
    games.step([9, -1])
    return games


def test_results() -> None:
    games = finished(komi=0.5)
    assert games.done.tolist() == [True, True]
    assert games.to_play.tolist() == [Color.WHITE, Color.BLACK]
    assert games.black_margin().tolist() == [8.5, -0.5]
    assert games.score().tolist() == [-8.5, -0.5]
    assert games.winner().tolist() == [Color.BLACK, Color.WHITE]
    assert finished(komi=0).winner().tolist() == [Color.BLACK, 0]
    assert not games.legal_mask().any()


WRONG: list[tuple[Any, str]] = [
    ([4, 3], "White B2 in game 0 .* a stone is there already"),
    ([3, -1], "Action -1 of White in game 1 .* actions run from 0 to 9"),
    ([3, 10], "Action 10 of White in game 1"),
]


@pytest.mark.parametrize(("actions", "words"), WRONG)
def test_one_illegal_action_stops_all(actions: Any, words: str) -> None:
    games = batch(2, size=3)
    games.step([4, 4])
    before = all_fields(games)
    with pytest.raises(IllegalMoveError, match=words):
        games.step(actions)
    assert all_fields(games) == before


def test_a_finished_game_takes_no_move() -> None:
    games = finished(komi=0)
    before = all_fields(games)
    with pytest.raises(IllegalMoveError, match="Game 1 of the batch is over"):
        games.step([-1, 9])
    games.step([-1, -1])
    assert all_fields(games) == before


@pytest.mark.parametrize("actions", [[0], [0, 1, 2], [[0], [1]], [0.0, 1.0], ["A1", "B1"]])
def test_shapes_and_types(actions: Any) -> None:
    with pytest.raises(ValueError, match="must be 2 ints"):
        batch(2, size=3).step(actions)


def test_superko_in_every_game() -> None:
    games = batch(2, rows=1, cols=3, rules="tromp-taylor")
    for left, middle in [(0, 1), (3, 3), (2, 0)]:
        games.step([left, middle])
    for game, position in enumerate([Position.from_moves(moves, rows=1, cols=3) for moves in ([0, 3, 2], [1, 3, 0])]):
        assert games.legal_mask()[game].tolist() == position.legal_mask().tolist()


def test_reset_some() -> None:
    games = finished(komi=0)
    games.reset([True, False])
    assert games.done.tolist() == [False, True]
    assert games.legal_mask().sum(axis=1).tolist() == [10, 0]
    games.step([4, -1])
    fresh = batch(2, size=3, komi=0)
    fresh.step([4, 4])
    assert fields(games.boards[0]) == fields(fresh.boards[0])
    games.reset()
    assert all_fields(games) == all_fields(batch(2, size=3, komi=0))
    with pytest.raises(ValueError, match="2 bools"):
        games.reset([1, 0])


def test_move_limit() -> None:
    games = batch(1, size=3, move_limit=2)
    games.step([0])
    assert not games.done[0]
    games.step([1])
    assert games.done[0]
    with pytest.raises(IllegalMoveError, match="is over"):
        games.step([2])


def test_long_games_keep_all_keys() -> None:
    games = batch(1, size=5, move_limit=200)
    position = Position(5, rules={"moveLimit": 200})
    rng = np.random.default_rng(3)
    while not games.done[0]:
        points = np.flatnonzero(games.legal_mask()[0][:-1])
        action = int(rng.choice(points)) if len(points) else 25
        games.step([action])
        position.play(action)
    assert position.move_number > 64
    assert fields(games.boards[0]) == fields(position.board)


@pytest.mark.parametrize("limits", [{"rules": {"moveLimit": 3}}, {"move_limit": 3}])
def test_either_move_limit_ends_a_game(limits: dict[str, Any]) -> None:
    games = batch(1, size=5, **limits)
    for move in range(3):
        assert not games.done[0]
        games.step([move])
    assert games.done[0]


def test_a_long_cycle_ends_a_game() -> None:
    games = batch(2, rows=1, cols=4, rules="chinese")
    games.step([1, 1])
    for move in (3, 0, 2, 1, 3, 0, 2, 1):
        assert not games.done.any()
        games.step([move, move])
    assert games.done.all()
    assert games.boards["no_result"].all()


@pytest.mark.parametrize(
    "settings", [{"count": 0}, {"count": 2, "size": 20}, {"count": 2, "komi": 0.25}, {"count": 1, "move_limit": 0}]
)
def test_wrong_settings(settings: dict[str, Any]) -> None:
    with pytest.raises(RulesError):
        batch(**settings)


def test_a_batch_says_in_short_what_it_is() -> None:
    games = batch(2, size=5)
    games.step(np.array([25, 0]))
    games.step(np.array([25, 1]))
    assert repr(games) == "<batch of 2 games on 5x5, 1 over>"
