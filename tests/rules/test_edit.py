"""Stones changed in the middle of a game, as game records do it: no captures, no ko, a new start of the history."""

from __future__ import annotations

import pytest

import move37 as go
from move37.errors import IllegalMoveError, SetupError


def started(**settings: object) -> go.Position:
    return go.Position.from_moves(["A1", "B1", "E5", "A2"], 9, **settings)  # White takes A1


def test_an_edit_keeps_prisoners_komi_and_move_number() -> None:
    game = started(komi=6.5, rules="chinese")
    game.edit(black=["C3"], white=["E5"], empty=["A2"], to_play="W")
    assert game.prisoners[go.Color.WHITE] == 1
    assert (game.move_number, game.komi, game.to_play) == (4, 6.5, go.Color.WHITE)
    assert game.moves == []
    assert [game.stones[6, 2], game.stones[4, 4], game.stones[7, 0]] == [1, 2, 0]


def test_an_edit_cannot_be_crossed_by_undo_but_moves_after_it_can_be_undone() -> None:
    game = started()
    game.edit(black=["C3"])
    before = game.copy()
    game.play("G7")
    game.undo()
    assert game == before
    with pytest.raises(IllegalMoveError, match="no move to undo"):
        game.undo()


def test_an_edit_makes_no_ko_and_forgets_repetition() -> None:
    game = go.Position.from_diagram(
        """
        . X O . .
        X O . O .
        . X O . .
        . . . . .
        . . . . .
    """,
        to_play="B",
        rules="tromp-taylor",
    )
    game.play("C4")
    assert not game.is_legal("B4")
    game.edit(to_play="W")
    assert game.is_legal("B4")


def test_a_stone_changes_colour_and_nothing_is_captured() -> None:
    game = started()
    game.edit(black=["A2", "C1"])
    assert game.stones[7, 0] == 1 and game.stones[8, 1] == 2
    assert game.prisoners[go.Color.BLACK] == 0


def test_a_chain_without_liberty_is_refused_and_nothing_changes() -> None:
    game = started()
    before = game.copy()
    with pytest.raises(SetupError, match="no liberty"):
        game.edit(black=["A1"], white=["A2"])
    assert game == before and game.moves == before.moves


def test_territory_counts_the_same_after_an_edit_that_changes_nothing() -> None:
    game = started(rules="japanese", komi=0)
    bonus = float(game.board["play_bonus"])
    game.edit(to_play="B")
    assert float(game.board["play_bonus"]) == bonus == 0.0  # two stones each were played
    game.edit(empty=["E5"])
    assert float(game.board["play_bonus"]) == -1.0  # as if Black had not played there


def test_other_rules_keep_the_game_and_what_an_edit_kept() -> None:
    game = started(rules="chinese", komi=6.5)
    game.edit(black=["C3"], to_play="B")
    game.play_many(["C5", "G7"])
    japanese = game.with_rules("japanese")
    assert japanese.rules.name == "japanese" and game.rules.name == "chinese"
    assert (japanese.moves, japanese.move_number, japanese.komi) == (game.moves, 6, 6.5)
    assert japanese.prisoners == game.prisoners and (japanese.stones == game.stones).all()
    assert float(japanese.board["play_bonus"]) == 1.0  # Black placed four stones, White three
    assert japanese.with_rules("chinese") == game
    handicapped = go.Position(9, rules="chinese")
    handicapped.place_handicap(3)
    assert [handicapped.white_bonus, handicapped.with_rules("aga").white_bonus] == [3, 2]
    assert float(handicapped.with_rules("aga").board["white_bonus"]) == 2


@pytest.mark.parametrize(("other", "margin"), [("aga-button", 24.5), ("aga", 25), ("japanese", 24)])
def test_a_button_taken_before_an_edit_stays_taken_under_rules_that_have_one(other: str, margin: float) -> None:
    game = go.Position.from_moves(["C3", "pass"], 5, rules="aga-button", komi=0)
    game.edit(white=["A1"])
    game.edit(empty=["A1"])
    assert game.score().black_margin == 24.5
    assert game.with_rules(other).score().black_margin == margin


def test_an_edit_leaves_the_encore() -> None:
    game = go.Position.from_moves(["C3", *["pass"] * 4], 5, rules="japanese, encore=true", komi=0)
    assert game.phase == 2
    game.edit(black=["C3"])
    assert (game.phase, game.is_over, game.score().text) == (0, False, "B+24")


def test_moves_after_an_edit_are_numbered_on() -> None:
    game = started()
    game.edit(black=["C3"])
    with pytest.raises(IllegalMoveError, match="Move 5, Black C3"):
        game.play("C3")
