"""Hand-made point features, value by value on hand-drawn boards. The slow twin: `test_slow_twins`."""

from __future__ import annotations

import pytest

from move37.features.gnugo_kernels import CAPTURE, CONNECT, ENEMY_LIBERTIES, EYE, LIBERTIES_AFTER, LINES, SHAPES
from move37.features.pattern_kernels import FAMILIES
from move37.rules.position import Position
from tests.support.plane_pictures import drawn_position, marks, numbers, planes_of, rows_of


def shown(position: Position, first: int, count: int = 1) -> list[str]:
    return numbers(planes_of("gnugo", position)[first : first + count])


FIGHT = """
    . X . X . .
    X . O . X .
    . X O X . .
    . . X . . .
    . O O X X .
    . O . X . .
"""


def test_stones_are_own_and_the_opponents() -> None:
    for to_play, own, other in (("B", "X", "O"), ("W", "O", "X")):
        position = drawn_position(FIGHT, to_play)
        for number, sign in enumerate((own, other)):
            expected = [row.translate({ord(s): "1" if s == sign else "." for s in "XO."}) for row in rows_of(FIGHT)]
            assert shown(position, number) == expected


def test_captures_are_marked_where_they_are_made() -> None:
    assert shown(
        drawn_position("""
        O X . .
        . . . O
        X O . X
        O . . .
    """),
        CAPTURE,
    ) == rows_of("""
        . . . .
        1 . . .
        . . . .
        . 1 . .
    """)


def test_joining_two_chains_or_more_connects() -> None:
    assert shown(drawn_position(FIGHT), CONNECT) == rows_of("""
        1 . 1 . 1 .
        . 1 . 1 . .
        1 . . . 1 .
        . 1 . 1 . .
        . . . . . .
        . . . . . .
    """)


def test_an_eye_is_made_by_the_stone_that_closes_it() -> None:
    assert shown(
        drawn_position("""
        . . X O . .
        X X . . . .
        . . . . . .
        . X . O . .
        X . X . . .
        . X O . . .
    """),
        EYE,
    ) == rows_of("""
        1 1 . . . .
        . . . . . .
        1 . . . . .
        . . . . . .
        . . . . . .
        . . . 1 . .
    """)


def test_liberties_of_ones_own_and_of_the_opponent() -> None:
    position = drawn_position("""
        . . . . .
        . X . O .
        . . . O .
        . X . . .
        . . O . .
    """)
    assert shown(position, LIBERTIES_AFTER, 8) == rows_of("""
        2 5 3 2 2
        5 . 5 . 2
        3 8 3 . 2
        5 . 5 3 3
        2 4 . 2 2
    """)
    assert shown(position, ENEMY_LIBERTIES, 8) == rows_of("""
        . . . 6 .
        . . 6 . 6
        . . 6 . 6
        . . 3 6 .
        . 3 . 3 .
    """)


def test_the_edge_is_one_to_four_or_more_lines_away() -> None:
    assert shown(Position(rows=3, cols=9), LINES, 4) == ["111111111", "122222221", "111111111"]


EMPTY_ROW = ". . . . . . ."


@pytest.mark.parametrize(
    ("family", "around", "move"),
    [
        ("hane", "X O X / . . . / . . .", "1"),
        ("hane", "X O . / . . . / . . .", "1"),
        ("hane", "X O X / X . . / . . .", "1"),
        ("hane", ". O . / X . . / . . .", "1"),
        ("hane", ". O . / . . . / . . .", "."),
        ("cut", "X O . / O . . / . . .", "1"),
        ("cut", "X O . / O . O / . . .", "."),
        ("cut", "X O . / O . X / . X .", "1"),
        ("cut", ". X . / O . O / . . .", "1"),
        ("cut", ". X . / O . O / . O .", "."),
        ("cut", "O X . / . . O / . . .", "1"),
        ("side", "X O X / . . . / . . .", "."),
    ],
)
def test_shapes_in_the_middle_of_the_board(family: str, around: str, move: str) -> None:
    ring = [f". . {row.strip()} . ." for row in around.split("/")]
    position = drawn_position("\n".join([EMPTY_ROW, EMPTY_ROW, *ring, EMPTY_ROW, EMPTY_ROW]))
    for turned in (position, drawn_position(str_of(position))):
        assert marks(planes_of("gnugo", turned)[SHAPES + FAMILIES.index(family)])[3][3] == move


def str_of(position: Position) -> str:
    """The drawing of a position with the colours exchanged."""
    return "\n".join("".join(".OX"[stone] for stone in row) for row in position.stones.tolist())


@pytest.mark.parametrize(
    ("around", "move"),
    [
        ("X . . / O . .", "1"),
        ("O X . / X . O", "1"),
        (". X . / . . O", "1"),
        (". X O / . . .", "1"),
        (". O X / X . O", "1"),
        (". X . / . . .", "."),
    ],
)
def test_shapes_at_the_edge(around: str, move: str) -> None:
    rows = [f". . {row.strip()} . ." for row in around.split("/")]
    position = drawn_position("\n".join([EMPTY_ROW, EMPTY_ROW, *rows]))
    assert marks(planes_of("gnugo", position)[SHAPES + FAMILIES.index("side")])[3][3] == move


def test_what_is_no_legal_move_has_no_feature_but_stones_and_edge() -> None:
    position = drawn_position(
        """
        . X O
        X O O
        O O .
    """,
        rules="chinese",
    )
    planes = planes_of("gnugo", position)
    assert not planes[CAPTURE:LINES, 0, 0].any()
    assert not planes[SHAPES:, 0, 0].any()
    assert planes[LINES, 0, 0] == 1.0
