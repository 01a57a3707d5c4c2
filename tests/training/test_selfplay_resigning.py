from __future__ import annotations

import numpy as np
import pytest

from move37.games.self_play import SelfPlayGames
from move37.rules.result import Result
from move37.training.selfplay import SelfPlayConfig
from move37.training.selfplay_game import Game, Plan, rows_of
from move37.training.selfplay_resigning import THRESHOLDS, resign_threshold, resignations
from move37.training.selfplay_search import Found

NONE = np.empty(0, np.uint16)


def game_of(values: list[float], result: str, *, played_out: bool = True, opening: int = 0) -> Game:
    """A game whose searches found these values, each for its player to move; the best move's are a little better."""
    game = Game.of(SelfPlayConfig(sizes=(3,)), 0)
    game.opening, game.played_out, game.result = opening, played_out, Result.parse(result)
    for value in values:
        game.play(Found(0, NONE, NONE, value - 0.02, value), Plan(1, True, 1.0))
    return game


def at(games: SelfPlayGames, threshold: float) -> tuple[int, int]:
    """Resigned, and wrongly, at a threshold."""
    found, place = resignations(games), int(np.argmin(np.abs(THRESHOLDS - threshold)))
    return int(found.resigned[place]), int(found.wrong[place])


def test_the_first_below_the_threshold_resigns() -> None:
    black_won = rows_of([game_of([-0.7, 0.7, -0.8, 0.8, 0.9, -0.9], "B+2")])
    assert at(black_won, -0.6) == (1, 1)  # Black, at its first move
    assert at(black_won, -0.75) == (1, 1)  # Black, at its second
    assert at(black_won, -0.85) == (1, 0)  # White, at the end
    assert at(black_won, -0.95) == (0, 0)


def test_a_draw_given_up_is_wrong_and_openings_do_not_count() -> None:
    assert at(rows_of([game_of([-0.7, 0.7], "0")]), -0.6) == (1, 1)
    assert at(rows_of([game_of([-0.9, -0.7], "B+1", opening=1)]), -0.6) == (1, 0)


def test_only_games_played_out_are_looked_at() -> None:
    games = rows_of([game_of([-0.9], "B+2", played_out=False), game_of([-0.9], "W+2")])
    assert resignations(games).games == 1
    assert at(games, -0.8) == (1, 0)


def test_the_threshold_keeps_false_resignations_below_five_percent() -> None:
    right = [game_of([-0.6 - 0.01 * (number % 30), 0.0], "W+2") for number in range(57)]
    wrong = [game_of([value, 0.0], "B+2") for value in (-0.585, -0.655, -0.755)]
    games = rows_of([*right, *wrong])
    chosen = resign_threshold(games, None)
    assert chosen is not None
    resigned, false = at(games, chosen)
    assert false < 0.05 * resigned
    resigned, false = at(games, chosen + 0.01)
    assert false >= 0.05 * resigned


def test_few_games_change_nothing_and_bad_ones_forbid_resigning() -> None:
    few = rows_of([game_of([-0.9], "W+2")] * 5)
    assert resign_threshold(few, -0.87) == -0.87
    assert resign_threshold(few, None) is None
    lost = rows_of([game_of([-0.995], "B+2")] * 30)
    assert resign_threshold(lost, -0.9) is None
    quiet = rows_of([game_of([0.1], "B+2")] * 30)
    assert resign_threshold(quiet, -0.9) == pytest.approx(-0.5)
