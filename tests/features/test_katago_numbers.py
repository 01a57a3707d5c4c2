"""The numbers of the encoder `katago22`: komi, rules, phases, and when passes and history are hidden."""

from __future__ import annotations

import numpy as np
import pytest

from move37.rules.position import Position
from tests.support.shown_inputs import ENCORE, Shown, after


@pytest.mark.parametrize(
    ("size", "komi", "black", "white"),
    [
        (19, 7.5, (-0.375, -0.5), (0.375, 0.5)),
        (9, 7.0, (-0.35, 0.0), (0.35, 0.0)),
        (9, 6.5, (-0.325, 0.5), (0.325, -0.5)),
        (9, 6.0, (-0.3, 0.0), (0.3, 0.0)),
        (8, 7.5, (-0.375, 0.5), (0.375, -0.5)),
        (3, 40.0, (-1.45, 0.0), (1.45, 0.0)),
        (3, -29.5, (1.45, 0.0), (-1.45, 0.0)),
    ],
)
def test_komi_and_its_place_between_draws(
    size: int, komi: float, black: tuple[float, float], white: tuple[float, float]
) -> None:
    position = Position(size, komi=komi)
    assert Shown(position).numbers(5, 18) == [np.float32(value) for value in black]
    position.play("pass")
    assert Shown(position).numbers(5, 18) == [np.float32(value) for value in white]


def test_komi_holds_every_bonus() -> None:
    position = Position(9, rules="chinese", komi=0.5)
    position.place_handicap(3)
    assert Shown(position).number(5) == np.float32(3.5 / 20)
    button = Position(9, rules="aga-button", komi=7)
    assert Shown(button).numbers(5, 17) == [np.float32(-7 / 20), 1.0]
    button.play("pass")  # Black takes the button
    assert Shown(button).numbers(5, 17) == [np.float32(6.5 / 20), 0.0]
    territory = after("C3", rules="japanese", komi=6.5)
    assert Shown(territory).numbers(5, 18) == [np.float32(7.5 / 20), 0.0]


def test_a_draw_may_count_as_more_or_less() -> None:
    assert Shown(Position(9, komi=7), draw_value=0.75).number(5) == np.float32(-7.25 / 20)
    assert Shown(Position(9, komi=7.5), draw_value=0.75).number(5) == np.float32(-7.5 / 20)
    button = Position(9, komi=7.5, rules="aga-button")
    assert Shown(button, draw_value=0.25).number(5) == np.float32(-7.25 / 20)


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        ("tromp-taylor", [1.0, 0.5, 1.0, 0.0, 0.0, 0.0]),
        ("chinese", [0.0, 0.0, 0.0, 0.0, 0.0, 0.0]),
        ("aga", [1.0, -0.5, 0.0, 0.0, 0.0, 0.0]),
        ("japanese", [0.0, 0.0, 0.0, 1.0, 1.0, 0.0]),
        ("stone-scoring", [0.0, 0.0, 0.0, 0.0, 1.0, 1.0]),
    ],
)
def test_rules(rules: str, expected: list[float]) -> None:
    assert Shown(Position(5, rules=rules)).numbers(*range(6, 12)) == expected


def test_phases() -> None:
    position = Position(5, rules=ENCORE)
    assert Shown(position).numbers(12, 13) == [0.0, 0.0]
    position.play_many(["pass", "pass"])
    assert Shown(position).numbers(12, 13) == [1.0, 0.0]
    position.play_many(["pass", "pass"])
    assert Shown(position).numbers(12, 13) == [1.0, 1.0]


def test_a_pass_that_ends_the_phase() -> None:
    position = after("C3", rules="tromp-taylor")
    assert Shown(position).number(14) == 0.0
    position.play("pass")
    assert Shown(position).numbers(0, 14) == [1.0, 1.0]
    assert Shown(position).plane(10) == "C3"
    first = after("C3", "pass", rules=ENCORE)  # it ends the phase, not the game: nothing is hidden
    assert Shown(first, conservative_pass=True).numbers(0, 14) == [1.0, 1.0]


def test_a_pass_that_takes_the_button_does_not_end_the_phase() -> None:
    position = after("C3", "pass", rules={"base": "aga-button", "friendlyPassOk": False})
    assert Shown(position).numbers(0, 14, 17) == [1.0, 0.0, 0.0]
    position.play("pass")
    assert Shown(position).numbers(0, 14) == [1.0, 1.0]


@pytest.mark.parametrize("friendly", [False, True])
def test_a_pass_that_repeats_ends_the_phase(friendly: bool) -> None:
    """Both kos are taken and retaken, and Black stands where it has passed before; no pass was made just now."""
    position = Position.from_diagram(
        """
        . X O . . O X .
        X . X O O . O X
        . X O . . O X .
        . . . . . . . .
        """,
        to_play="B",
        rules={"base": "chinese", "friendlyPassOk": friendly},
    )
    for move in ("pass", "B3", "F3", "pass", "C3"):
        position.play(move)
        assert Shown(position).number(14) == float(move == "pass" and not friendly)
    position.play("G3")
    assert position.passes == 0
    assert Shown(position).number(14) == 1.0
    assert Shown(position).planes(9, 10) == ["G3", "C3"]  # friendly rules hide only what two passes in a row do
    assert Shown(position, conservative_pass=True).number(14) == 0.0
    position.play("pass")
    assert position.is_over


def test_friendly_rules_hide_history_and_end_after_a_pass() -> None:
    """Under Chinese rules nobody must take dead stones off, so a pass that would end the game is not shown as such."""
    shown = Shown(after("C3", "A1", "pass", rules="chinese"))
    assert shown.planes(9, 10, 11) == ["", "", ""]
    assert shown.numbers(0, 14) == [0.0, 0.0]
    assert Shown(after("C3", "A1", "pass", "B2", rules="chinese")).planes(9, 11) == ["B2", "A1"]


def test_a_conservative_root_hides_them_under_any_rules() -> None:
    position = after("C3", "pass", rules="tromp-taylor")
    shown = Shown(position, conservative_pass=True)
    assert shown.plane(10) == ""
    assert shown.numbers(0, 14) == [0.0, 0.0]


def test_passing_hacks_hide_only_what_would_not_win() -> None:
    ahead = after("C3", "pass", rules="tromp-taylor", komi=24.5)  # Black, to move, owns all 25 points
    assert Shown(ahead, passing_hacks=True).numbers(0, 14) == [1.0, 1.0]
    ahead.komi = 25
    assert Shown(ahead, passing_hacks=True).numbers(0, 14) == [0.0, 0.0]


def test_passing_hacks_reckon_the_group_tax() -> None:
    """One group of Black's owns all 9 points: 2 of them are tax."""
    position = Position(3, rules={"tax": "all"}, komi=6.5)
    position.play_many(["B2", "pass"])
    assert Shown(position, passing_hacks=True).number(14) == 1.0
    position.komi = 7
    assert Shown(position, passing_hacks=True).number(14) == 0.0


def test_after_the_end_one_move_is_shown() -> None:
    over = after("C3", "A1", "pass", "pass", rules="tromp-taylor")
    assert over.is_over
    assert Shown(over).numbers(0, 1, 14) == [1.0, 0.0, 1.0]
    over.play("E5")
    assert Shown(over).planes(9, 12, 13) == ["E5", "", ""]
    assert Shown(over).numbers(0, 1, 2, 14) == [0.0, 1.0, 0.0, 0.0]


def test_doubling_advantage() -> None:
    assert Shown(Position(5)).numbers(15, 16) == [0.0, 0.0]
    assert Shown(Position(5), doubling_advantage=-1.5).numbers(15, 16) == [1.0, -0.75]
