"""Points are given in any spelling and written in one; what is no point never gets into a record."""

from __future__ import annotations

from typing import Any

import pytest

from move37.errors import SgfError, VertexError
from move37.sgf import properties
from move37.sgf.game_record import GameRecord
from move37.sgf.point_values import point_of, point_value


@pytest.mark.parametrize(
    ("name", "value", "raw"),
    [
        *(("AB", 56, "cg"), ("AB", "C3", "cg"), ("AB", "cg", "cg"), ("AB", "CG", "cg"), ("TR", " c3 ", "cg")),
        *(("AB", "A9:C7", "aa:cc"), ("AE", "aa:C7", "aa:cc"), ("DD", "aa:cc", "aa:cc"), ("TB", "J1", "ii")),
        *(("B", 56, "cg"), ("W", "c3", "cg"), ("B", "cg", "cg"), ("B", 81, ""), ("W", "PASS", ""), ("B", "", "")),
        *(("B", "tt", ""), ("AR", "A9:C7", "aa:cc"), ("LN", "aa:C7", "aa:cc"), ("L", "C3", "cg"), ("SL", 0, "aa")),
        *(("LB", "C3:a", "cg:a"), ("LB", "cg:", "cg:"), ("LB", r"C3:a]:\ ", r"cg:a\]\:\\ "), ("DD", "", "")),
    ],
)
def test_points_in_every_spelling(name: str, value: str | int, raw: str) -> None:
    game = GameRecord(9)
    game.root.set(name, value)
    assert game.root.properties[name] == [raw]
    assert GameRecord.from_text(game.to_sgf()).root.properties[name] == [raw]


@pytest.mark.parametrize("name", sorted(properties.POINTS))
@pytest.mark.parametrize(
    "value", ["zz", "K10", "C", "C33", "a1b", "]", "é", "zz:aa", "z:bb:cc", ":", "1", "\0", -1, 82]
)
def test_what_is_no_point_is_an_error_that_names_property_and_value(name: str, value: str | int) -> None:
    game = GameRecord(9)
    with pytest.raises(VertexError) as caught:
        game.root.set(name, value)
    said = str(caught.value)
    assert said.startswith(f"{name} cannot be {value!r} on a 9x9 board: give ") and said.count(": ") == 1
    assert name not in game.root.properties


@pytest.mark.parametrize("name", ["AB", "TR", "AR", "LB", "LN"])
@pytest.mark.parametrize("value", ["", "pass", "tt", 81, ":aa", "pass:aa"])
def test_a_pass_is_no_point_of_a_list(name: str, value: str | int) -> None:
    with pytest.raises(VertexError, match=f"^{name} cannot be"):
        point_value(name, value, 9, 9)


def test_a_value_that_is_wrong_leaves_the_property_as_it_was() -> None:
    game = GameRecord(9)
    game.root.set("AB", "C3", 0)
    with pytest.raises(VertexError):
        game.root.set("AB", "E5", "K1")
    assert game.root.properties["AB"] == ["cg", "aa"]


def test_lists_without_points_are_taken_off_or_mean_none() -> None:
    game = GameRecord(9)
    for name in ("AB", "LB", "AR", "TB", "DD", "B"):
        game.root.set(name, *(["A1:C3"] if name != "B" else ["C3"]))
        game.root.set(name)
    assert {name: held for name, held in game.root.properties.items() if name in properties.POINTS} == {
        "TB": [""],
        "DD": [""],
    }


def test_moves_are_added_in_every_spelling() -> None:
    game = GameRecord(9)
    for move in (40, "c3", "gc", "pass"):
        game.append(move)
    assert [point for _, point in game.moves()] == [40, 56, 24, 81]
    with pytest.raises(VertexError, match=r"^B cannot be 'zz'"):
        game.append("zz")
    assert len(game.moves()) == 4


def test_large_boards_have_points_and_no_vertices() -> None:
    game = GameRecord(52)
    game.root.set("AB", "ZZ", "aA", 0)
    assert game.root.properties["AB"] == ["ZZ", "aA", "aa"]
    with pytest.raises(SgfError, match="'A1' name points up to 19x19: give the point as a number"):
        game.root.set("AB", "A1")
    assert GameRecord(26).root.properties and point_of("tt", 26, 26) == 19 * 26 + 19


def test_numbers_that_are_no_ints_are_a_mistake_of_the_program() -> None:
    wrong: Any = 3.0
    with pytest.raises(TypeError):
        GameRecord(9).root.set("AB", wrong)
    game = GameRecord(9)
    game.root.set("HA", 2)
    game.root.set("KM", "6.5]")
    assert (game.root.properties["HA"], game.root.properties["KM"]) == (["2"], [r"6.5\]"])
