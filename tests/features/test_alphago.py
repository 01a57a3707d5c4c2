"""The 2016 paper's planes, value by value on hand-drawn boards. Agreement with the slow twin: `test_slow_twins`."""

from __future__ import annotations

import numpy as np
import pytest

from move37.features import encode, get_encoder
from move37.features.alphago_kernels import (
    CAPTURE_SIZE,
    LADDER_CAPTURE,
    LADDER_ESCAPE,
    LIBERTIES,
    LIBERTIES_AFTER,
    ONES,
    PLAYER_COLOR,
    SELF_ATARI_SIZE,
    SENSIBLENESS,
    TURNS_SINCE,
    ZEROS,
)
from move37.rules.legality import Illegal
from move37.rules.position import Position
from tests.support.plane_pictures import drawn_position, marks, numbers, planes_of, rows_of
from tests.support.positions import batch, random_position


def group(position: Position, first: int) -> list[str]:
    """The eight planes from `first` on as digits."""
    return numbers(planes_of("alphago48", position)[first : first + 8])


def plane(position: Position, number: int) -> list[str]:
    return marks(planes_of("alphago48", position)[number])


# ---------------------------------------------------------------------------------------------- stones and history


def test_the_groups_follow_one_another_as_in_the_papers_table() -> None:
    firsts = [ONES, TURNS_SINCE, LIBERTIES, CAPTURE_SIZE, SELF_ATARI_SIZE, LIBERTIES_AFTER]
    assert firsts == [3, 4, 12, 20, 28, 36]
    assert [LADDER_CAPTURE, LADDER_ESCAPE, SENSIBLENESS, ZEROS, PLAYER_COLOR] == [44, 45, 46, 47, 48]


def test_stones_are_own_then_the_opponents_then_empty() -> None:
    drawing = """
        X . O
        . O .
    """
    for to_play, own, other in (("B", "X", "O"), ("W", "O", "X")):
        position = drawn_position(drawing, to_play)
        for number, sign in enumerate((own, other, ".")):
            expected = [row.translate({ord(s): "1" if s == sign else "." for s in "XO."}) for row in rows_of(drawing)]
            assert plane(position, number) == expected
        assert plane(position, ONES) == ["111", "111"]
        assert plane(position, ZEROS) == ["...", "..."]


def test_the_49th_plane_says_whether_black_is_to_play() -> None:
    game = Position(size=3)
    assert planes_of("alphago49", game)[PLAYER_COLOR].all()
    game.play("B2")
    assert not planes_of("alphago49", game)[PLAYER_COLOR].any()
    np.testing.assert_array_equal(planes_of("alphago49", game)[:48], planes_of("alphago48", game))


@pytest.mark.parametrize(("name", "count"), [("alphago4", 4), ("alphago12", 12), ("alphago20", 20)])
def test_the_first_planes_alone_are_those_of_the_48(name: str, count: int) -> None:
    encoder = get_encoder(name)
    assert encoder.planes == count
    games = [random_position(np.random.default_rng(seed), 9, 9, 10 * seed) for seed in range(6)]
    whole = encode("alphago48", games).spatial
    np.testing.assert_array_equal(encode(name, games).spatial, whole[:, :count])
    out = np.full((6, count, 9, 9), 9.0, np.float32)
    assert encoder.encode(batch(games), out=out).spatial is out
    np.testing.assert_array_equal(out, whole[:, :count])
    assert whole[:, :count].any(axis=(0, 2, 3)).all()  # games in which every plane has a one somewhere
    with pytest.raises(ValueError, match="out must be"):
        encoder.encode(batch(games), out=out[:, 1:])


def test_the_first_planes_are_stones_then_history_then_liberties() -> None:
    game = Position.from_moves(["B2", "C3", "A3"], size=3)
    stones, history, liberties = (planes_of(name, game) for name in ("alphago4", "alphago12", "alphago20"))
    assert [marks(plane) for plane in stones] == [
        ["..1", "...", "..."],
        ["1..", ".1.", "..."],
        [".1.", "1.1", "111"],
        ["111", "111", "111"],
    ]
    assert numbers(history[4:]) == ["1.2", ".3.", "..."]
    assert numbers(liberties[12:]) == ["2.2", ".4.", "..."]


def test_turns_since_counts_from_the_last_turn_and_passes_are_turns() -> None:
    game = Position.from_moves(["A2", "A1", "B1", "D4", "A1", "pass", "C3"], size=5)  # B1 takes A1, Black fills it
    assert group(game, TURNS_SINCE) == rows_of("""
        . . . . .
        . . . 4 .
        . . 1 . .
        7 . . . .
        3 5 . . .
    """)
    game.play_many(["E5", "E1"])
    assert group(game, TURNS_SINCE) == rows_of("""
        . . . . 2
        . . . 6 .
        . . 3 . .
        8 . . . .
        5 7 . . 1
    """)


def test_stones_set_up_count_as_played_long_ago() -> None:
    game = Position(size=9)
    game.place_handicap(2)
    assert sum(row.count("8") for row in group(game, TURNS_SINCE)) == 2
    game.play("E5")
    digits = "".join(group(game, TURNS_SINCE))
    assert (digits.count("8"), digits.count("1"), digits.count(".")) == (2, 1, 78)


def test_a_suicide_leaves_no_stone_that_a_turn_could_be_counted_for() -> None:
    game = drawn_position("""
        . X O .
        X O O .
        O O . .
    """)
    game.play("A3")
    assert group(game, TURNS_SINCE) == rows_of("""
        . . 8 .
        . 8 8 .
        8 8 . .
    """)


def test_liberties_are_the_chains_from_one_to_eight_or_more() -> None:
    position = drawn_position("""
        . . . . . . .
        . X . . . . .
        . . . O O . .
        . . . . . . X
        X X X X . . .
        . . . . . . .
        O X . . . . X
    """)
    assert group(position, LIBERTIES) == rows_of("""
        . . . . . . .
        . 4 . . . . .
        . . . 6 6 . .
        . . . . . . 3
        8 8 8 8 . . .
        . . . . . . .
        1 2 . . . . 2
    """)


# ---------------------------------------------------------------------------------------------- what a move does


def test_capture_size_has_none_in_its_first_plane_and_seven_or_more_in_its_last() -> None:
    position = drawn_position("""
        O O O O O O O .
        X X X X X X X .
        . X . X . . . .
        X O . O X . . .
        . X . X . . . .
        . . . . . . . .
        X X X X X X . .
        O O O O O O . .
    """)
    assert group(position, CAPTURE_SIZE) == rows_of("""
        . . . . . . . 8
        . . . . . . . 1
        1 . 1 . 1 1 1 1
        . . 3 . . 1 1 1
        1 . 1 . 1 1 1 1
        1 1 1 1 1 1 1 1
        . . . . . . 1 1
        . . . . . . 7 1
    """)
    after = group(position, LIBERTIES_AFTER)  # points of captured stones are liberties
    assert (after[0][7], after[3][2], after[7][6]) == ("2", "4", "3")


@pytest.mark.parametrize(("first", "size"), [("X", "8"), ("O", "7")])
def test_self_atari_size_is_that_of_the_chain_with_the_new_stone(first: str, size: str) -> None:
    position = drawn_position(f"""
        O O O O O O O O O
        {first} X X X X X X . .
        O O O O O O O O .
        . . . . . . . . .
    """)
    assert group(position, SELF_ATARI_SIZE) == rows_of(f"""
        . . . . . . . . .
        . . . . . . . {size} .
        . . . . . . . . .
        1 . . . . . . . .
    """)
    assert group(position, LIBERTIES_AFTER) == rows_of("""
        . . . . . . . . .
        . . . . . . . 1 2
        . . . . . . . . 2
        1 2 2 2 2 2 2 2 2
    """)


def test_liberties_after_a_move_are_those_of_the_joined_chain() -> None:
    assert group(
        drawn_position("""
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . X X . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
    """),
        LIBERTIES_AFTER,
    ) == rows_of("""
        2 3 3 3 3 3 2
        3 4 4 4 4 4 3
        3 4 4 7 7 4 3
        3 4 8 . . 8 3
        3 4 4 7 7 4 3
        3 4 4 4 4 4 3
        2 3 3 3 3 3 2
    """)
    joined = drawn_position("""
        . O . O .
        . X . X .
        . . . . .
    """)
    assert group(joined, LIBERTIES_AFTER)[1] == "4.6.4"  # the liberty between the two counts once


def test_suicide_counts_as_self_atari_where_it_is_legal_and_not_at_all_where_it_is_not() -> None:
    drawing = """
        . X O .
        X O O .
        O O . .
    """
    allowed = drawn_position(drawing, rules="tromp-taylor")
    assert group(allowed, SELF_ATARI_SIZE) == ["3..1", "....", "..1."]
    assert group(allowed, LIBERTIES_AFTER) == ["...1", "...2", "..12"]
    assert group(allowed, CAPTURE_SIZE) == ["1..1", "...1", "..11"]
    assert plane(allowed, SENSIBLENESS) == ["1..1", "...1", "..11"]
    forbidden = drawn_position(drawing, rules="chinese")
    assert group(forbidden, SELF_ATARI_SIZE) == ["...1", "....", "..1."]
    assert group(forbidden, CAPTURE_SIZE) == ["...1", "...1", "..11"]
    assert plane(forbidden, SENSIBLENESS) == ["...1", "...1", "..11"]


def test_a_point_that_ko_forbids_is_no_move() -> None:
    game = drawn_position(
        """
        . X O . .
        X . X O .
        . X O . .
        . . . . .
    """,
        "W",
    )
    before = group(game, CAPTURE_SIZE)
    assert before[1] == "." + "2" + "..1"
    game.play("B3")
    game.play("E1")
    assert group(game, CAPTURE_SIZE)[1][2] == "1"  # White fills the ko
    again = game.copy()
    again.undo()
    for first in (CAPTURE_SIZE, LIBERTIES_AFTER, SELF_ATARI_SIZE):
        assert group(again, first)[1][2] == "."  # Black may not retake at once
    assert plane(again, SENSIBLENESS)[1][2] == "."


def test_a_point_that_superko_forbids_is_no_move() -> None:
    game = Position.from_moves(["B1", "C1", "C2", "B2", "C1", "A1", "B1", "A2"], rows=2, cols=3, rules="tromp-taylor")
    assert game.why_illegal("C2") is Illegal.SUPERKO
    for first in (CAPTURE_SIZE, LIBERTIES_AFTER, SELF_ATARI_SIZE):
        assert group(game, first)[0][2] == "."
    assert plane(game, SENSIBLENESS)[0][2] == "."
    game = game.with_rules("chinese")
    assert plane(game, SENSIBLENESS)[0][2] == "1"


# ---------------------------------------------------------------------------------------------- eyes and ladders


def test_own_eyes_are_not_sensible_and_false_ones_are() -> None:
    position = drawn_position("""
        . X . X O .
        X X X . X O
        . . O X O .
        O X O . X .
        X . X X . X
        . X O . X .
    """)
    assert plane(position, SENSIBLENESS) == rows_of("""
        . . . . . 1
        . . . 1 . .
        1 1 . . . 1
        . . . 1 . 1
        . 1 . . . .
        . . . 1 . .
    """)


def test_one_enemy_corner_makes_an_eye_false_at_the_edge_only() -> None:
    edge = drawn_position("""
        . X . .
        X O . .
        . . . .
    """)
    assert plane(edge, SENSIBLENESS)[0] == "1.11"
    inside = drawn_position("""
        . . X . .
        . X . X .
        . O X . .
        . . . . .
    """)
    assert plane(inside, SENSIBLENESS)[1] == "1...1"


LADDER = """
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . X . . . .
    . . . X O . . . .
    . . . X . . . . .
    . . . . . . . . .
    . . . . . . {} . .
    . . . . . . . . .
"""


def test_the_ladder_planes_mark_the_atari_that_works_and_the_run_that_does_not() -> None:
    works = drawn_position(LADDER.format("."))
    assert [i for i, mark in enumerate("".join(plane(works, LADDER_CAPTURE))) if mark == "1"] == [works.point("F5")]
    works.play("F5")
    assert "1" not in "".join(plane(works, LADDER_ESCAPE))
    broken = drawn_position(LADDER.format("O"))
    assert "1" not in "".join(plane(broken, LADDER_CAPTURE))
    broken.play("F5")
    assert [i for i, mark in enumerate("".join(plane(broken, LADDER_ESCAPE))) if mark == "1"] == [broken.point("E4")]
