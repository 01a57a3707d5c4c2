"""Boards, the matrix, the hash, the forest and the planes, value by value on small positions."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from move37.errors import ConfigError, VertexError
from move37.features.encoder import encode, encoder_names, get_encoder
from move37.features.meanings import number_meanings, plane_meanings
from move37.pictures.boards import board_picture, matrix_picture, move_numbers, percent, values_overlay
from move37.pictures.forest import StringForest, forest_of, strings_picture
from move37.pictures.planes import plane_panel, planes_picture, zero_beside_alphago
from move37.pictures.scaling import scaled_liberties, scaling_picture
from move37.pictures.zobrist import hash_steps, stone_number, zobrist_picture
from move37.rules.board_kernels import ZOBRIST_PLAYER
from move37.rules.board_svg import Frame
from move37.rules.color import Color
from move37.rules.position import Position
from tests.support.drawings import SVG, classes, hovers, parsed, stones, words
from tests.support.positions import random_position

CORNER = ["B5", "A5", "A4", "pass", "E1"]
"""On 5x5: White's stone in the corner is taken by Black's third move."""


def corner() -> Position:
    return Position.from_moves(CORNER, size=5, komi=7)


def test_a_board_has_the_stones_the_last_move_and_the_coordinates() -> None:
    picture = board_picture(corner())
    assert stones(picture) == {"black": 3}
    assert [kind.get("class") for kind in parsed(picture).iter(f"{SVG}circle")].count("last") == 1
    assert [one for one in words(picture) if one.isalpha()] == sorted("ABCDE" * 2)
    assert picture.title == "Go board, 5 by 5, after 5 moves"


def test_move_numbers_are_those_of_the_stones_that_stand() -> None:
    position = corner()
    assert move_numbers(position) == {position.point(v): n for v, n in {"B5": "1", "A4": "3", "E1": "5"}.items()}
    assert set(move_numbers(position, 4)) == {position.point("E1")}
    shown = words(board_picture(position, numbers=True, coordinates=False))
    assert shown == ["1", "3", "5"]


def test_numbers_go_on_where_stones_were_set_up_in_the_game() -> None:
    position = Position.from_moves(["C3", "D3"], size=5)
    position.edit(black=["A1"])
    position.play("E5", "B")
    assert move_numbers(position) == {position.point("E5"): "3"}


def test_labels_and_marks_lie_on_their_points() -> None:
    picture = board_picture(corner(), labels={"C3": "<a>"}, marks={"D2": "tomato"}, coordinates=False)
    frame = Frame(5, 5, coordinates=False)
    [label] = parsed(picture).iter(f"{SVG}text")
    assert (label.text, label.get("x"), label.get("y")) == ("<a>", *(f"{at:g}" for at in frame.xy(12)))
    assert [rect.get("fill") for rect in parsed(picture).iter(f"{SVG}rect")].count("tomato") == 1
    with pytest.raises(VertexError):
        board_picture(corner(), labels={"F1": "x"})
    with pytest.raises(ConfigError, match="a pass is not on the board"):
        board_picture(corner(), marks={"pass": "red"})


def test_values_are_told_and_the_great_ones_written() -> None:
    values = np.zeros((2, 2))
    values[0, 1], values[1, 0], values[1, 1] = 0.6, -0.3, 0.001
    drawn = "".join(values_overlay(values, np.zeros((2, 2), np.int8))(Frame(2, 2)))
    assert "<title>B2 60</title>" in drawn and "<title>A1 -30" not in drawn
    assert drawn.count("<rect") == 3 and drawn.count("<text") == 2
    assert "".join(values_overlay(np.zeros((2, 2)), np.zeros((2, 2), np.int8))(Frame(2, 2))) == ""
    assert [percent(share) for share in (1, 0.0994, 0.5, 0.001, 0.0009)] == ["100", "9.9", "50", "0.1", "<.1"]


def test_the_matrix_has_every_cell() -> None:
    position = Position.from_moves(["A3", "B3", "C1"], size=3)
    picture = matrix_picture(position)
    cells = [one for one in words(picture) if one in ("0", "1", "2")][7:]  # the edge of the board, then the columns
    assert "".join(cells) == "012010002001"
    assert "int8[3, 3]: 9 bytes; 0 empty, 1 Black, 2 White" in words(picture)
    assert stones(picture) == {"black": 2, "white": 1}


# ---------------------------------------------------------------------------------------------------- the hash


@pytest.mark.parametrize("seed", range(4))
def test_each_hash_is_the_one_before_and_what_the_move_changed(seed: int) -> None:
    position = random_position(np.random.default_rng(seed), 5, 4, 60)
    steps = hash_steps(position)
    assert len(steps) == len(position.moves) + 1
    assert steps[-1].hash == position.hash
    for before, after in pairwise(steps):
        assert before.hash ^ after.flipped == after.hash


def test_a_capture_takes_the_stones_number_out() -> None:
    step = hash_steps(corner())[3]
    turn = int(ZOBRIST_PLAYER[1]) ^ int(ZOBRIST_PLAYER[2])
    black, white = stone_number(1, 5, 5), stone_number(2, 0, 5)
    assert step.parts == (("+Black A4", black), ("−White A5", white), ("turn", turn))
    assert step.words == "Black A4" and step.seen is None


def test_stones_that_come_back_are_seen_by_their_hash() -> None:
    game = Position(4, rules="japanese")
    game.setup(black=["B4", "A3", "B2"], white=["C4", "D3", "C2", "B3"], to_play="B")
    game.play_many(["C3", "A1", "D1", "B3"])
    assert [step.seen for step in hash_steps(game)] == [None] * 5
    ko = Position(4, rules="japanese")
    ko.setup(black=["B4", "A3", "B2", "C3"], white=["C4", "D3", "C2"], to_play="W")
    start = ko.copy()
    ko.play("B3")
    ko.play_many(["pass", "pass"])
    ko.play("C3", "B", force=True)
    assert hash_steps(ko)[-1].seen == 0 and np.array_equal(ko.stones, start.stones)
    assert any("superko" in one for one in words(zobrist_picture(ko)))


def test_the_strips_have_each_bit_and_mark_the_flipped() -> None:
    position = corner()
    picture, steps = zobrist_picture(position, 2), hash_steps(position)[-3:]
    bits = [hover for hover in hovers(picture) if hover.startswith("bit ")]
    assert len(bits) == 3 * 64
    for i, step in enumerate(steps):
        row = bits[64 * i : 64 * (i + 1)]
        assert int("".join(hover.split(": ")[1][0] for hover in row), 2) == step.hash
        flipped = [hover for hover in row if hover.endswith("(flipped)")]
        assert len(flipped) == (step.flipped.bit_count() if i else 0)
        assert f"{step.hash:016x}" in words(picture)


# -------------------------------------------------------------------------------------------------- the forest


@pytest.mark.parametrize("seed", range(4))
def test_the_trees_are_the_chains(seed: int) -> None:
    position = random_position(np.random.default_rng(seed + 10), 5, 5, 80)
    trees = forest_of(position).trees()
    assert sorted(sorted(tree) for tree in trees.values()) == sorted(sorted(one.points) for one in position.chains())


def test_find_hangs_all_under_the_root_and_union_goes_by_rank() -> None:
    forest = StringForest()
    for point in range(4):
        forest.add(point)
    forest.union(0, 1)
    forest.union(2, 3)
    assert (forest.parent, forest.rank[0]) == ({0: 0, 1: 0, 2: 2, 3: 2}, 1)
    forest.union(1, 3)
    assert forest.parent == {0: 0, 1: 0, 2: 0, 3: 2} and forest.rank[0] == 2
    assert forest.find(3) == 0
    assert forest.parent[3] == 0 and forest.log[-1] == ("find", (3, 2, 0))


def test_the_last_moves_steps_are_told() -> None:
    game = Position.from_moves(["B5", "A5", "A4"], size=5)
    picture = strings_picture(game)
    assert words(picture)[-1] == "new A4 · capture A5"
    assert "rank 0, 1 stone, 3 liberties" in picture.body.replace("\n", " ") or "3 liberties" in " ".join(
        words(picture)
    )
    assert classes(picture)["stone"] == 2
    joined = strings_picture(Position.from_moves(["A4", "E1", "A3"], size=5))
    assert words(joined)[-1] == "new A3 · find A3: a root · find A4: a root · union: A4 under A3"
    assert words(strings_picture(Position(3)))[-1] == "No stone has been played."


# -------------------------------------------------------------------------------------------------- the planes


@pytest.mark.parametrize("name", encoder_names())
def test_every_plane_of_every_encoder_has_a_meaning(name: str) -> None:
    assert len(plane_meanings(name)) == get_encoder(name).planes
    assert len(number_meanings(name)) == get_encoder(name).globals
    assert all(plane_meanings(name))
    assert len(set(plane_meanings(name))) >= get_encoder(name).planes - 2  # article48 shows the present twice


def test_meanings_are_those_of_the_planes() -> None:
    position = Position.from_moves(["C3", "D3", "C4"], size=5, komi=7)  # White is to move
    by_name = dict(zip(plane_meanings("alphago49"), encode("alphago49", position).spatial[0], strict=True))
    assert np.array_equal(by_name["own stones"], position.stones == Color.WHITE)
    assert np.array_equal(by_name["opponent’s stones"], position.stones == Color.BLACK)
    assert by_name["stone put 1 turn ago"].nonzero() == (np.array([1]), np.array([2]))
    assert by_name["liberties of the chain: 3"].sum() == 1 and by_name["liberties of the chain: 5"].sum() == 2
    assert by_name["Black is to move"].sum() == 0 and by_name["ones"].sum() == 25
    zero = dict(zip(plane_meanings("zero17"), encode("zero17", position).spatial[0], strict=True))
    assert zero["opponent’s stones, now"].sum() == 2 and zero["opponent’s stones, 1 move ago"].sum() == 1
    komi = dict(zip(number_meanings("katago22"), encode("katago22", position).globals[0], strict=True))
    assert komi["own komi / 20"] == pytest.approx(0.35)


def test_a_plane_shows_each_value_at_its_point() -> None:
    values = np.zeros((2, 3), np.float32)
    values[0, 2], values[1, 0] = 1.0, -0.5
    picture = plane_panel(values, "x", stones=np.zeros((2, 3), np.int8))
    assert hovers(picture) == ["C2 1", "A1 -0.5"]
    cells = [one for one in parsed(picture).iter(f"{SVG}rect") if one.get("class") in ("blue", "orange")]
    assert [(one.get("class"), one.get("fill-opacity")) for one in cells] == [("blue", None), ("orange", "0.500")]
    assert hovers(plane_panel(np.ones((2, 3), np.float32), "x")) == ["everywhere 1"]


def test_planes_of_a_position_are_those_of_the_encoder() -> None:
    position = corner()
    for name in ("zero17", "katago22"):
        spatial, told = encode(name, position).spatial[0], hovers(planes_picture(position, name))
        cells = [hover for hover in told if not hover.startswith("everywhere")]
        partly = [plane for plane in spatial if plane.any() and not (plane == plane[0, 0]).all()]
        assert len(cells) == sum(int(np.count_nonzero(plane)) for plane in partly)
        full = [plane for plane in spatial if plane[0, 0] != 0 and (plane == plane[0, 0]).all()]
        assert len(told) - len(cells) == len(full)
    some = " ".join(words(planes_picture(position, "zero17", [16])))
    assert "16: Black is to move" in some and "15:" not in some
    with pytest.raises(ConfigError, match="zero17 has no plane 17: they are numbered 0 to 16"):
        planes_picture(position, "zero17", [17])


def test_17_planes_stand_beside_48() -> None:
    shown = words(zero_beside_alphago(corner()))
    assert "zero17: 17 planes" in shown and "alphago48: 48 planes" in shown
    assert shown.count("16") == 2 and shown.count("17") == 1 and shown.count("47") == 1


def test_liberties_are_scaled() -> None:
    position = Position.from_moves(["C3", "E5"], size=5, komi=6.5)
    found = scaled_liberties(position)
    assert found["raw"][2, 2] == 4 and found["raw"][0, 4] == 2 and found["raw"].sum() == 6
    assert found["divided"][2, 2] == 0.5
    assert abs(found["standardised"].mean()) < 1e-12 and found["standardised"].std() == pytest.approx(1)
    assert not scaled_liberties(Position(3))["standardised"].any()
    shown = words(scaling_picture(position))
    assert "komi 6.5 points, for the player to move: −6.5 → divided by 20 → −0.325 (katago22)" in shown


def test_many_liberties_count_as_eight() -> None:
    position = Position.from_moves([move for at in "ABCDE" for move in (f"{at}3", "pass")], size=5)
    assert scaled_liberties(position)["raw"].max() == 10 and scaled_liberties(position)["divided"].max() == 1
