from __future__ import annotations

import pytest

from move37.errors import SetupError, VertexError
from move37.rules.color import Color
from move37.rules.coordinates import format_vertex
from move37.rules.handicap import fixed_handicap_points, largest_fixed_handicap, star_points
from move37.rules.position import Position

FIXED = [
    (19, 2, "D4 Q16"),
    (19, 3, "D4 Q16 D16"),
    (19, 4, "D4 Q16 D16 Q4"),
    (19, 5, "D4 Q16 D16 Q4 K10"),
    (19, 6, "D4 Q16 D16 Q4 D10 Q10"),
    (19, 7, "D4 Q16 D16 Q4 D10 Q10 K10"),
    (19, 8, "D4 Q16 D16 Q4 D10 Q10 K4 K16"),
    (19, 9, "D4 Q16 D16 Q4 D10 Q10 K4 K16 K10"),
    (13, 5, "D4 K10 D10 K4 G7"),
    (13, 9, "D4 K10 D10 K4 D7 K7 G4 G10 G7"),
    (9, 2, "C3 G7"),
    (9, 9, "C3 G7 C7 G3 C5 G5 E3 E7 E5"),
    (8, 4, "C3 F6 C6 F3"),
    (7, 4, "C3 E5 C5 E3"),
]


@pytest.mark.parametrize(("size", "stones", "vertices"), FIXED)
def test_fixed_places_and_order(size: int, stones: int, vertices: str) -> None:
    points = fixed_handicap_points(stones, size, size)
    assert [format_vertex(point, size, size) for point in points] == vertices.split()
    position = Position(size, rules="chinese")
    assert position.place_handicap(stones) == vertices.split()
    assert (position.to_play, position.handicap, position.move_number) == (Color.WHITE, stones, 0)
    assert {chain.stones[0] for chain in position.chains()} == set(vertices.split())


@pytest.mark.parametrize(
    ("rows", "cols", "most"),
    [
        (19, 19, 9),
        (9, 9, 9),
        (18, 18, 4),
        (8, 8, 4),
        (7, 7, 4),
        (6, 6, 0),
        (1, 19, 0),
        (13, 9, 9),
        (9, 8, 4),
        (7, 19, 4),
    ],
)
def test_most_stones(rows: int, cols: int, most: int) -> None:
    assert largest_fixed_handicap(rows, cols) == most
    for stones in (1, most + 1):
        with pytest.raises(SetupError):
            fixed_handicap_points(stones, rows, cols)


def test_free_handicap() -> None:
    position = Position(rows=5, cols=4, rules="aga")
    assert position.place_free_handicap(["A1", "d5"]) == ["A1", "D5"]
    assert (position.handicap, position.white_bonus, position.to_play) == (2, 1, Color.WHITE)


@pytest.mark.parametrize("stones", [[], ["A1"], ["A1", "a1"]])
def test_free_handicap_needs_two_different_points(stones: list[str]) -> None:
    with pytest.raises(SetupError, match="2 or more"):
        Position(5).place_free_handicap(stones)


def test_handicap_only_on_an_empty_board_before_the_first_move() -> None:
    position = Position(9)
    position.play("pass")
    with pytest.raises(SetupError, match="empty board"):
        position.place_handicap(2)
    position.undo()
    position.place_handicap(2)
    with pytest.raises(SetupError, match="empty board"):
        position.place_handicap(3)
    assert position.handicap == 2
    position.clear()
    assert (position.handicap, position.white_bonus) == (0, 0)
    assert not position.stones.any()


def test_wrong_handicap_changes_nothing() -> None:
    position = Position(2)
    with pytest.raises(SetupError, match="no liberty"):
        position.place_free_handicap(["A1", "A2", "B1", "B2"])
    with pytest.raises(VertexError):
        position.place_free_handicap(["A1", "C3"])
    with pytest.raises(VertexError):
        position.place_free_handicap(["A1", "pass"])
    assert position == Position(2)


def test_star_points() -> None:
    assert star_points(19, 19) == sorted(fixed_handicap_points(9, 19, 19))
    assert star_points(9, 9) == sorted(fixed_handicap_points(5, 9, 9))
    assert star_points(5, 5) == [12]
    assert star_points(4, 4) == star_points(1, 1) == []
