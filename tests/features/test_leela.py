"""Leela Zero's 18 planes: values on hand-drawn boards, and agreement with the slow twin on random games."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from move37.features import encode, get_encoder
from move37.rules.position import Position
from tests.support.diagrams import parse_diagram
from tests.support.positions import batch, random_position
from tests.support.slow_leela import leela18


def planes(position: Position) -> NDArray[np.float32]:
    found: NDArray[np.float32] = encode("leela18", [position]).spatial[0]
    return found


def drawn(text: str) -> NDArray[np.float32]:
    """A plane with ones where the diagram has stones."""
    rows, cols, stones = parse_diagram(text)
    return np.array(stones, np.float32).reshape(rows, cols).clip(0, 1)


def test_an_empty_board_shows_only_that_black_is_to_play() -> None:
    expected = np.zeros((18, 9, 9), np.float32)
    expected[16] = 1.0
    np.testing.assert_array_equal(planes(Position(size=9)), expected)


def test_each_colour_has_its_eight_planes_newest_first() -> None:
    game = Position.from_moves(["A5", "B4", "C3"], size=5)
    expected = np.zeros((18, 5, 5), np.float32)  # White to play: her stones are the own ones
    white = """
        . . . . .
        . O . . .
        . . . . .
        . . . . .
        . . . . .
    """
    black_now = """
        X . . . .
        . . . . .
        . . X . .
        . . . . .
        . . . . .
    """
    black_before = """
        X . . . .
        . . . . .
        . . . . .
        . . . . .
        . . . . .
    """
    expected[0] = expected[1] = drawn(white)
    expected[8] = drawn(black_now)
    expected[9] = expected[10] = drawn(black_before)
    expected[17] = 1.0
    np.testing.assert_array_equal(planes(game), expected)


def test_a_pass_adds_a_configuration_and_swaps_the_sides() -> None:
    game = Position.from_moves(["C3", "pass"], size=5)
    found = planes(game)
    assert [plane.sum() for plane in found] == [1, 1, *[0] * 14, 25, 0]
    assert found[0, 2, 2] == found[1, 2, 2] == 1.0


def test_captured_stones_leave_the_present_but_not_the_past() -> None:
    game = Position.from_moves(["B1", "A1", "A2"], size=5)  # White to play, A1 was captured
    found = planes(game)
    assert found[0].sum() == 0.0
    assert found[1].sum() == 1.0 and found[1, 4, 0] == 1.0
    assert found[8].sum() == 2.0 and found[8, 3, 0] == found[8, 4, 1] == 1.0


def test_the_ninth_configuration_is_forgotten() -> None:
    moves = ["A1", "B1", "C1", "D1", "E1", "F1", "G1", "H1", "J1"]
    found = planes(Position.from_moves(moves, size=9))  # White to play
    assert found[:8].sum(axis=(1, 2)).tolist() == [4, 4, 3, 3, 2, 2, 1, 1]
    assert found[8:16].sum(axis=(1, 2)).tolist() == [5, 4, 4, 3, 3, 2, 2, 1]


def test_handicap_and_setup_have_no_past() -> None:
    game = Position(size=9)
    game.place_handicap(3)
    found = planes(game)  # White to play
    assert found[8].sum() == 3.0
    assert not found[:8].any() and not found[9:17].any()
    assert found[17].all()
    game = Position(size=9)
    game.setup(black=["D4"], white=["F6", "F4"], to_play="B")
    found = planes(game)
    assert [plane.sum() for plane in found] == [1, *[0] * 7, 2, *[0] * 7, 81, 0]


def test_swapping_the_colours_swaps_only_the_last_two_planes() -> None:
    game, swapped = Position(rows=3, cols=4), Position(rows=3, cols=4)
    game.setup(black=["A1", "B2"], white=["C3"], to_play="B")
    swapped.setup(black=["C3"], white=["A1", "B2"], to_play="W")
    for move in ("A3", "D2", "pass"):
        game.play(move)
        swapped.play(move)
    first, second = planes(game), planes(swapped)
    np.testing.assert_array_equal(first[:16], second[:16])
    np.testing.assert_array_equal(first[16:], second[:15:-1])
    assert first[17].all() and second[16].all()


@pytest.mark.parametrize(("rows", "cols"), [(1, 1), (2, 3), (5, 5), (8, 8), (9, 9), (13, 7), (19, 19)])
def test_random_games_agree_with_the_slow_twin(rows: int, cols: int) -> None:
    rng = np.random.default_rng(rows * 100 + cols)
    games = [random_position(rng, rows, cols, moves) for moves in (0, 1, 5, 9, 40)]
    expected = np.stack([leela18(game) for game in games])
    np.testing.assert_array_equal(encode("leela18", games).spatial, expected)


def test_out_is_overwritten_and_returned_or_refused() -> None:
    games = [random_position(np.random.default_rng(1), 9, 9, 20), Position(size=9)]
    out = np.full((2, 18, 9, 9), 7.0, np.float32)
    assert get_encoder("leela18").encode(batch(games), out=out).spatial is out
    np.testing.assert_array_equal(out, encode("leela18", games).spatial)
    with pytest.raises(ValueError, match="out must be"):
        get_encoder("leela18").encode(batch(games), out=out[:1])
