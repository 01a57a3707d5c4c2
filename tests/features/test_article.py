"""The planes of the articles' lists, value by value on hand-drawn boards. The slow twin: `test_slow_twins`."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from move37.rules.position import Position
from tests.support.plane_pictures import drawn_position, marks, numbers, planes_of, rows_of

NOTHING = [".....", ".....", ".....", ".....", "....."]


def shown(name: str, position: Position, first: int, count: int = 1) -> list[str]:
    """Planes `first` to `first + count - 1` as digits."""
    return numbers(planes_of(name, position)[first : first + count])


def values(name: str, position: Position, number: int) -> set[float]:
    """What stands in a plane, rounded."""
    return set(np.unique(planes_of(name, position)[number]).astype(float).round(6).tolist())


# ---------------------------------------------------------------------------------------------- article48


def test_article48_shows_stones_by_colour_whoever_plays() -> None:
    drawing = """
        X . O
        . O .
    """
    for to_play in ("B", "W"):
        position = drawn_position(drawing, to_play)
        for name in ("article48", "article48_000", "article22"):
            assert [shown(name, position, number) for number in (0, 1, 2)] == [
                ["1..", "..."],
                ["..1", ".1."],
                [".1.", "1.1"],
            ]


def test_article48_shows_the_last_eight_positions_newest_first() -> None:
    game = Position.from_moves(["B1", "A1", "A2"], size=5)  # A2 takes A1
    planes = planes_of("article48", game)
    assert marks(planes[3]) == marks(planes[0]) == [*NOTHING[:3], "1....", ".1..."]
    assert marks(planes[4]) == marks(planes[5]) == [*NOTHING[:4], ".1..."]
    assert marks(planes[11]) == NOTHING
    assert marks(planes[12]) == [*NOTHING[:4], "1...."]
    assert not planes[6:11].any()
    assert not planes[13:19].any()


def test_article48_has_no_plane_for_more_than_four_liberties() -> None:
    drawing = """
        X . O . .
        . . . . .
        . O O . .
        X . . X .
        X . . X X
    """
    own, enemy = ["2....", ".....", ".....", "3..4.", "3..44"], ["..3..", ".....", ".....", ".....", "....."]
    black, white = drawn_position(drawing), drawn_position(drawing, "W")
    assert shown("article48", black, 19, 4) == shown("article48", white, 23, 4) == own
    assert shown("article48", black, 23, 4) == shown("article48", white, 19, 4) == enemy


def test_article48_counts_the_stones_that_a_move_puts_into_atari() -> None:
    drawing = """
        O . . . X O O
        . . . . . . O
        . . . . . . .
        . . . . . . .
        . . . . . . .
        X . . X X X .
        O O . O O O O
    """
    of_white = rows_of("""
        . 1 . . . . .
        1 . . . . 3 .
        . . . . . . 3
        . . . . . . .
        . . . . . . .
        . 2 . . . . 4
        . . . . . . .
    """)  # C1 puts two and four stones into atari, and six have no plane
    of_black = rows_of("""
        . . . 1 . . .
        . . . . 1 . .
        . . . . . . .
        . . . . . . .
        1 . . . . . .
        . 1 . . . . .
        . . . . . . .
    """)
    assert shown("article48", drawn_position(drawing), 27, 4) == of_white
    assert shown("article48", drawn_position(drawing), 31, 4) == of_black
    assert shown("article48", drawn_position(drawing, "W"), 27, 4) == of_black
    assert shown("article48", drawn_position(drawing, "W"), 31, 4) == of_white


LADDER = """
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . X . . . .
    . . . X O . . . .
    . . . X . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
"""


def vertices(position: Position, plane: NDArray[np.float32]) -> list[str]:
    return [position.vertex(int(point)) for point in np.flatnonzero(plane)]


@pytest.mark.parametrize(("name", "first"), [("article48", 35), ("article48_000", 36)])
def test_the_ladder_planes_are_captures_escapes_stones_and_breakers_of_each_side(name: str, first: int) -> None:
    position = drawn_position(LADDER)
    own, enemy = np.split(planes_of(name, position)[first : first + 8], 2)
    assert [vertices(position, plane) for plane in own] == [["F5"], [], [], []]
    assert [vertices(position, plane) for plane in enemy[:3]] == [[], [], ["E5"]]
    breakers = vertices(position, enemy[3])
    assert {"G2", "F4", "E3"} <= set(breakers)
    assert not {"A9", "C9", "J9", "A1", "F5", "E4"} & set(breakers)
    other = drawn_position(LADDER, "W")
    np.testing.assert_array_equal(planes_of(name, other)[first : first + 8], np.concatenate([enemy, own]))


def test_an_escape_of_the_other_side_is_in_its_own_plane() -> None:
    position = drawn_position("""
        . . . . .
        . X . . .
        X O . . .
        . X . . .
        . . . . .
    """)
    assert vertices(position, planes_of("article48", position)[36]) == []
    assert vertices(position, planes_of("article48", position)[40]) == ["C3"]


def test_article48_shows_legal_points_and_lines() -> None:
    position = drawn_position(
        """
        . X O . . . . . .
        X O O . . . . . .
        O O . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
    """,
        rules="chinese",
    )
    assert shown("article48", position, 43)[:3] == ["...111111", "...111111", "..1111111"]
    assert shown("article48", position, 44, 4) == rows_of("""
        1 1 1 1 1 1 1 1 1
        1 2 2 2 2 2 2 2 1
        1 2 3 3 3 3 3 2 1
        1 2 3 4 4 4 3 2 1
        1 2 3 4 4 4 3 2 1
        1 2 3 3 3 3 3 2 1
        1 2 2 2 2 2 2 2 1
        1 1 1 1 1 1 1 1 1
    """)


# ---------------------------------------------------------------------------------------------- article48_000


def test_article48_000_tells_exactly_eight_liberties_from_more() -> None:
    position = drawn_position("""
        . . . . . . .
        . . O O O . .
        . . . . . . .
        . . . . . . .
        . X X X X . .
        . . . . . . .
        O X . . . . .
    """)
    assert shown("article48_000", position, 3) == ["1111111"] * 7
    assert shown("article48_000", position, 4, 8) == rows_of("""
        . . . . . . .
        . . 8 8 8 . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        1 2 . . . . .
    """)


def test_article48_000_shows_the_opponents_liberties_after_a_move_and_ones_own() -> None:
    position = drawn_position("""
        O . . . .
        X . . . .
        . . O . .
        . . . O .
        . . . . .
    """)
    assert shown("article48_000", position, 12, 8) == rows_of("""
        . . . . .
        . . 3 . .
        . 3 . 3 .
        . . 3 . 3
        . . . 3 .
    """)  # B5 takes A5: there is nothing left beside it
    assert shown("article48_000", position, 20, 8) == rows_of("""
        . 3 3 3 2
        . 4 3 4 3
        3 3 . 2 3
        3 4 2 . 2
        2 3 3 2 2
    """)


def test_article48_000_shows_moves_oldest_first_without_gaps() -> None:
    game = Position.from_moves(["A1", "B1", "pass", "C1"], rows=2, cols=9)
    planes = planes_of("article48_000", game)[28:36]
    assert [vertices(game, plane) for plane in planes] == [["A1"], ["B1"], [], ["C1"], [], [], [], []]
    game.play_many(["D1", "E1", "F1", "G1", "H1"])
    planes = planes_of("article48_000", game)[28:36]
    assert [vertices(game, plane) for plane in planes] == [["B1"], [], ["C1"], ["D1"], ["E1"], ["F1"], ["G1"], ["H1"]]


def test_article48_000_shows_where_the_board_is_symmetric() -> None:
    position = drawn_position("""
        X . . O
        . O X .
        . X O .
        O . . O
    """)
    assert shown("article48_000", position, 44) == [".111", "1111", "1111", "111."]
    assert shown("article48_000", position, 45) == [".11.", "1..1", "1..1", ".111"]
    assert shown("article48_000", position, 46) == [".111", "1111", "1111", "111."]
    rectangle = drawn_position("""
        X . X
        X . X
    """)
    assert shown("article48_000", rectangle, 44) == shown("article48_000", rectangle, 45) == ["111", "111"]
    assert shown("article48_000", rectangle, 46) == ["...", "..."]


def test_article48_000_says_whose_turn_it_is_in_its_last_plane() -> None:
    game = Position(size=5)
    assert values("article48_000", game, 47) == {1.0}
    game.play("pass")
    assert values("article48_000", game, 47) == {0.0}


# ---------------------------------------------------------------------------------------------- article22


def test_article22_shows_the_last_five_moves_newest_first() -> None:
    game = Position.from_moves(["A1", "B1", "C1", "pass", "D1", "E1"], rows=2, cols=9)
    planes = planes_of("article22", game)
    assert [vertices(game, plane) for plane in planes[5:10]] == [["E1"], ["D1"], [], ["C1"], ["B1"]]
    assert (values("article22", game, 3), values("article22", game, 4)) == ({1.0}, {1.0})
    game.play("F1")
    assert values("article22", game, 4) == {0.0}


KO = """
    . X O . .
    X . X O .
    . X O . .
    . . . . .
"""


def test_article22_shows_kos_for_both_sides_and_the_point_that_is_forbidden() -> None:
    game = drawn_position(KO, "W")
    assert [vertices(game, plane) for plane in planes_of("article22", game)[10:13]] == [[], ["B3"], []]
    black = drawn_position(KO, "B")
    assert [vertices(black, plane) for plane in planes_of("article22", black)[10:13]] == [[], [], ["B3"]]
    game.play("B3")
    assert [vertices(game, plane) for plane in planes_of("article22", game)[10:13]] == [["C3"], [], ["A4"]]
    game.play_many(["E1", "E2"])
    assert [vertices(game, plane) for plane in planes_of("article22", game)[10:13]] == [[], ["C3"], ["A4"]]


def test_article22_shows_points_that_superko_forbids() -> None:
    game = Position.from_moves(["B1", "C1", "C2", "B2", "C1", "A1", "B1", "A2"], rows=2, cols=3, rules="tromp-taylor")
    assert vertices(game, planes_of("article22", game)[10]) == ["C2"]


RULE_PLANES = range(14, 22)


@pytest.mark.parametrize(
    ("rules", "ones"),
    [
        ("chinese", set[int]()),
        ("tromp-taylor", {14, 15}),
        ("new-zealand", {14, 16}),
        ("japanese", {17, 18}),
        ("stone-scoring", {18, 19}),
        ("aga-button", {16, 20}),
    ],
)
def test_article22_shows_the_rules(rules: str, ones: set[int]) -> None:
    game = Position(size=5, rules=rules)
    assert {number for number in RULE_PLANES if values("article22", game, number) == {1.0}} == ones
    assert all(values("article22", game, number) <= {0.0, 1.0} for number in RULE_PLANES)


def test_article22_shows_komi_for_the_player_to_move() -> None:
    game = Position(size=9, rules="chinese", komi=7)
    assert values("article22", game, 13) == {-0.35}
    game.play("E5")
    assert values("article22", game, 13) == {0.35}
    handicap = Position(size=9, rules="chinese", komi=0.5)
    handicap.place_handicap(2)  # White gets two points for the stones
    assert values("article22", handicap, 13) == {0.125}


def test_article22_shows_the_button_and_the_encore() -> None:
    game = Position(size=5, rules="aga-button", komi=7)
    game.play("pass")  # takes the button: half a point for Black
    assert values("article22", game, 20) == {0.0}
    assert values("article22", game, 13) == {0.325}
    encore = Position(size=5, rules="japanese,encore=true")
    assert values("article22", encore, 21) == {0.0}
    encore.play_many(["C3", "pass", "pass"])
    assert values("article22", encore, 21) == {0.5}
    encore.play_many(["pass", "pass"])
    assert values("article22", encore, 21) == {1.0}
