"""The 17 planes: values on hand-drawn boards, and agreement with the slow twin on random games."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from move37.features import encode, get_encoder
from move37.rules.batch import batch as games_at_once
from move37.rules.position import Position
from tests.support.diagrams import parse_diagram
from tests.support.positions import batch, random_position
from tests.support.slow_features import SLOW

ORDERS = ("zero17", "article17")


def planes(name: str, position: Position) -> NDArray[np.float32]:
    found: NDArray[np.float32] = encode(name, [position]).spatial[0]
    return found


def drawn(*vertices: str, size: int = 9) -> NDArray[np.float32]:
    """A plane with ones at these vertices."""
    plane = np.zeros((size, size), np.float32)
    for vertex in vertices:
        plane[size - int(vertex[1:]), "ABCDEFGHJKLMNOPQRST".index(vertex[0])] = 1.0
    return plane


def test_an_empty_board_shows_only_who_is_to_play() -> None:
    game = Position(size=9)
    for name in ORDERS:
        expected = np.zeros((17, 9, 9), np.float32)
        expected[16] = 1.0
        np.testing.assert_array_equal(planes(name, game), expected)


def test_planes_after_three_moves_white_to_play() -> None:
    game = Position.from_moves(["D4", "Q16", "Q4"], size=19)
    found = planes("zero17", game)
    expected = np.zeros((17, 19, 19), np.float32)
    expected[0] = drawn("Q16", size=19)  # own stones are White's, in all of history
    expected[1] = drawn("D4", "Q4", size=19)
    expected[2] = drawn("Q16", size=19)
    expected[3] = drawn("D4", size=19)
    expected[5] = drawn("D4", size=19)
    np.testing.assert_array_equal(found, expected)
    by_color = planes("article17", game)
    np.testing.assert_array_equal(by_color[:3], expected[1:7:2])
    np.testing.assert_array_equal(by_color[8:11], expected[0:6:2])
    assert not by_color[3:8].any()
    assert not by_color[11:].any()


def test_row_zero_is_the_top_and_column_zero_the_left() -> None:
    game = Position(rows=3, cols=5)
    game.play("A3")
    game.play("E1")
    now = planes("zero17", game)
    assert now[0, 0, 0] == 1.0
    assert now[1, 2, 4] == 1.0
    assert now[:16].sum() == 3.0  # both stones now, the first one also a move ago


def test_captured_stones_leave_the_present_but_not_the_past() -> None:
    game = Position.from_moves(["B1", "A1", "A2"], size=9)
    found = planes("zero17", game)  # White to play, A1 was captured
    np.testing.assert_array_equal(found[0], drawn())
    np.testing.assert_array_equal(found[1], drawn("B1", "A2"))
    np.testing.assert_array_equal(found[2], drawn("A1"))
    np.testing.assert_array_equal(found[3], drawn("B1"))


def test_a_pass_repeats_the_configuration_and_changes_the_view() -> None:
    game = Position.from_moves(["E5", "pass"], size=9)
    found = planes("zero17", game)  # Black to play
    np.testing.assert_array_equal(found[0], drawn("E5"))
    np.testing.assert_array_equal(found[2], drawn("E5"))
    assert not found[4].any()
    assert found[16].all()


def test_undo_gives_back_the_planes() -> None:
    rng = np.random.default_rng(5)
    game = random_position(rng, 7, 7, 30)
    before = planes("zero17", game)
    game.play("pass")
    assert not np.array_equal(planes("zero17", game), before)
    game.undo()
    np.testing.assert_array_equal(planes("zero17", game), before)


def test_handicap_stones_are_there_from_the_start_and_have_no_past() -> None:
    game = Position(size=9)
    game.place_handicap(2)
    found = planes("zero17", game)  # White to play
    assert found[1].sum() == 2.0
    assert not found[0].any()
    assert not found[2:].any()


def test_setup_has_no_past_but_the_present_of_the_played_game() -> None:
    played = planes("zero17", Position.from_moves(["D4", "Q16", "Q4"], size=19))
    game = Position(size=19)
    game.setup(black=["D4", "Q4"], white=["Q16"], to_play="W")
    set_up = planes("zero17", game)
    np.testing.assert_array_equal(set_up[:2], played[:2])
    np.testing.assert_array_equal(set_up[16], played[16])
    assert not set_up[2:16].any()


def test_swapping_the_colours_swaps_the_planes() -> None:
    rows, cols, stones = parse_diagram("""
        . X O . .
        X O . X .
        . . O . .
        . . . . X
    """)
    black = [i for i, stone in enumerate(stones) if stone == 1]
    white = [i for i, stone in enumerate(stones) if stone == 2]
    game, swapped = Position(rows=rows, cols=cols), Position(rows=rows, cols=cols)
    game.setup(black=black, white=white, to_play="B")
    swapped.setup(black=white, white=black, to_play="W")
    for move in ("A1", "D2", "pass", "E4"):
        game.play(move)
        swapped.play(move)
    np.testing.assert_array_equal(planes("zero17", game)[:16], planes("zero17", swapped)[:16])
    np.testing.assert_array_equal(planes("article17", game)[:8], planes("article17", swapped)[8:16])
    assert planes("zero17", game)[16].all()
    assert not planes("zero17", swapped)[16].any()


@pytest.mark.parametrize("name", ORDERS)
@pytest.mark.parametrize(("rows", "cols"), [(1, 1), (2, 3), (5, 5), (8, 8), (9, 9), (13, 7), (19, 19)])
def test_random_games_agree_with_the_slow_twin(name: str, rows: int, cols: int) -> None:
    rng = np.random.default_rng(rows * 100 + cols)
    games = [random_position(rng, rows, cols, moves) for moves in (0, 1, 5, 9, 60)]
    expected = np.stack([SLOW[name](game) for game in games])
    np.testing.assert_array_equal(encode(name, games).spatial, expected)


def test_out_is_overwritten_and_returned() -> None:
    games = [random_position(np.random.default_rng(1), 9, 9, 20), Position(size=9)]
    out = np.full((2, 17, 9, 9), 7.0, np.float32)
    encoded = get_encoder("zero17").encode(batch(games), out=out)
    assert encoded.spatial is out
    np.testing.assert_array_equal(out, encode("zero17", games).spatial)


def test_a_wrong_out_is_refused() -> None:
    boards = batch([Position(size=9)])
    for out in (np.zeros((1, 17, 9, 8), np.float32), np.zeros((1, 17, 9, 18), np.float32)[..., ::2]):
        with pytest.raises(ValueError, match="out must be"):
            get_encoder("zero17").encode(boards, out=out)


def test_one_position_and_a_batch_of_games_are_taken_as_they_are() -> None:
    game = Position(5)
    game.play("C3")
    assert np.array_equal(encode("zero17", game).spatial, encode("zero17", [game]).spatial)
    games = games_at_once(3, size=5)
    assert encode("zero17", games).spatial.shape == (3, 17, 5, 5)
