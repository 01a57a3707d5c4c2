"""Giving up: only after low turns in a row, of one game."""

from __future__ import annotations

import pytest

from move37.players.resignation import Resignation
from move37.rules.position import Position

LONG = ("A1", "B1", "C1", "D1", "E1", "A2", "B2", "C2", "D2")


def after(*moves: str) -> Position:
    return Position.from_moves(moves, size=5)


def test_it_takes_turns_in_a_row() -> None:
    resignation = Resignation(-0.9, turns=3, after=0)
    values = [-0.95, -0.95, 0.0, -0.95, -0.91, -0.99]
    moves = ["A1", "B1", "C1", "D1", "E1", "A2", "B2", "C2", "D2", "E2"]
    found = [resignation.resigns(after(*moves[: 2 * i]), value) for i, value in enumerate(values)]
    assert found == [False, False, False, False, False, True]


def test_one_turn_is_enough_where_one_is_asked() -> None:
    assert Resignation(-0.9, after=0).resigns(after(), -0.95)
    assert not Resignation(-0.9, after=0).resigns(after(), -0.9)
    assert not Resignation(None, after=0).resigns(after(), -1.0)
    assert not Resignation(-1.0, after=0).resigns(after(), -1.0)


def test_never_early() -> None:
    resignation = Resignation(-0.5, after=2)
    assert not resignation.resigns(after("A1"), -0.9)
    assert resignation.resigns(after("A1", "B1"), -0.9)


def test_the_same_turn_asked_again_counts_once() -> None:
    resignation = Resignation(-0.5, turns=2, after=0)
    assert [resignation.resigns(after("A1"), -0.9) for _ in range(3)] == [False, False, False]
    assert resignation.resigns(after("A1", "B1", "C1"), -0.9)
    assert resignation.resigns(after("A1", "B1", "C1"), -0.9)


def test_another_game_and_one_taken_back_begin_anew() -> None:
    for other in (after("B2", "B1", "C1"), after("A1"), after(*LONG)):
        resignation = Resignation(-0.5, turns=2, after=0)
        assert not resignation.resigns(after("A1", "B1", "C1", "D1", "E1"), -0.9)
        assert not resignation.resigns(other, -0.9)


def test_the_two_sides_count_apart() -> None:
    resignation = Resignation(-0.5, turns=2, after=0)
    games = [after(), after("A1"), after("A1", "B1"), after("A1", "B1", "C1")]
    assert [resignation.resigns(game, -0.9) for game in games] == [False, False, True, True]


def handicap(stones: int, moves: int, komi: float = 0.5) -> Position:
    """White to play on 9x9 after `moves` moves; its patience begins with 17 moves and ends with 48.6."""
    position = Position(9, rules="japanese", komi=komi)
    if stones:
        position.place_handicap(stones)
    for i in range(moves):
        position.play(next(point for point in range(5 * i % 81, 400) if position.is_legal(point % 81)) % 81)
    return position


@pytest.mark.parametrize(
    ("moves", "lead", "gives_up"),
    [
        (16, -80, False),  # nobody is lost so early
        (18, -59, False),  # four stones: 48.5 points, nearly all to be caught up yet, and 12.3 to spare
        (18, -60, True),
        (34, -34, False),  # half of the time is over
        (34, -36, True),
        (60, -12, False),  # by now they should be even
        (60, -13, True),
    ],
)
def test_white_is_patient_in_a_handicap_game_as_long_as_it_catches_up(moves: int, lead: float, gives_up: bool) -> None:
    assert Resignation(-0.9, after=0).resigns(handicap(4, moves), -1.0, lead) == gives_up


def test_black_and_an_even_game_know_no_such_patience() -> None:
    assert Resignation(-0.9, after=0).resigns(handicap(4, 1), -1.0, -9.0)  # Black to play
    assert Resignation(-0.9, after=0).resigns(handicap(0, 1, komi=6.5), -1.0, -9.0)
    assert not Resignation(-0.9, after=0).resigns(handicap(0, 1, komi=-20), -1.0, -9.0)  # reverse komi is a handicap


def test_white_without_a_known_lead_waits_for_the_first_moves_only() -> None:
    assert not Resignation(-0.9, after=0).resigns(handicap(4, 16), -1.0)
    assert Resignation(-0.9, after=0).resigns(handicap(4, 18), -1.0)
