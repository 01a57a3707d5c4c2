"""Ladders of other programs' tests, as the planes show them; the hand-drawn boards of the other files always run."""

from __future__ import annotations

import pytest

from move37.features.alphago_kernels import LADDER_CAPTURE, LADDER_ESCAPE
from move37.rules.position import Position
from tests.support.cases import Case, load_cases
from tests.support.plane_pictures import planes_of
from tests.support.shared import SHARED

CASES = load_cases("ladder.json") if (SHARED / "cases" / "ladder.json").is_file() else []
CAUGHT = {"own": 37, "opponent": 41}
"""The planes of `article48` that show stones caught in a ladder."""


def position_of(case: Case, to_play: str) -> Position:
    position = Position(rows=case.rows, cols=case.cols, rules="chinese")
    black, white = ([point for point, stone in enumerate(case.stones) if stone == color] for color in (1, 2))
    position.setup(black=black, white=white, to_play=to_play)
    return position


def asks(*kinds: str) -> list[Case]:
    return [case for case in CASES if case.question["ask"] in kinds]


@pytest.mark.skipif(not CASES, reason="needs the shared folder of cases")
def test_there_are_cases_of_each_kind() -> None:
    assert len(asks("ladder_captured")) > 50
    assert len(asks("ladder_capture_move", "ladder_escape_move")) == 10


@pytest.mark.parametrize("case", asks("ladder_capture_move", "ladder_escape_move"), ids=lambda case: case.id)
def test_a_move_captures_or_escapes(case: Case) -> None:
    position = position_of(case, case.question["color"])
    plane = LADDER_CAPTURE if case.question["ask"] == "ladder_capture_move" else LADDER_ESCAPE
    for name in ("alphago48", "alphago49"):
        assert planes_of(name, position)[plane].ravel()[case.point] == case.expected


@pytest.mark.parametrize("case", asks("ladder_captured"), ids=lambda case: case.id)
def test_a_chain_is_caught(case: Case) -> None:
    """Of a chain in atari the plane says what happens if it moves first, of one of two liberties if the other does."""
    position = position_of(case, "B")
    chain = position.chain(case.question["chain"])
    first = {1: "defender", 2: "attacker"}.get(len(chain.liberties))
    caught = planes_of("article48", position)[CAUGHT["own" if chain.color == position.to_play else "opponent"]]
    shown = {bool(caught.ravel()[point]) for point in chain.points}
    assert len(shown) == 1
    if first is None:
        assert shown == {False}
    elif first == case.question["first"]:
        assert shown == {case.expected}
