"""Ladders of real games and of other programs' tests: KataGo's planes, and cases of Fuego, Pachi, GNU Go, RocAlphaGo.

A small part lies in the repository, all of it in the shared folder.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from move37.rules import ladder_kernels
from move37.rules.board_kernels import NO_POINT
from move37.rules.color import Color
from move37.rules.ladders import ladders
from move37.rules.position import Position
from tests.support.cases import Case, load_cases
from tests.support.diagrams import vertex_to_point
from tests.support.oracle_board import BLACK, WHITE
from tests.support.shared import SHARED

CASES = load_cases("ladder.json")
ALL_FACTS = SHARED / "katago" / "ladder_facts.json"
SMALL_COPY = Path(__file__).parents[1] / "data" / "katago_ladders.json"
FACTS: list[dict[str, Any]] = json.loads((ALL_FACTS if ALL_FACTS.exists() else SMALL_COPY).read_text())["positions"]
WORK = ladder_kernels.ladder_work()


def board_of(case: Case) -> Any:
    """The record of a case, with the ko that it forbids."""
    position = Position(rows=case.rows, cols=case.cols, rules="chinese")
    black, white = ([at for at, stone in enumerate(case.stones) if stone == color] for color in (BLACK, WHITE))
    position.setup(black, white, Color(case.to_play))
    board = position.board_array.copy()[0]
    board["ko_point"] = case.ko_ban
    return board


def answer(case: Case) -> bool:
    board, asked = board_of(case), case.question["ask"]
    if asked == "ladder_captured":
        chain = vertex_to_point(case.question["chain"], case.rows, case.cols)
        return ladder_kernels.is_captured(board, WORK, chain, case.question["first"] == "attacker")
    points = case.rows * case.cols
    if asked == "ladder_escape_move":
        escapes = np.zeros(points, np.bool_)
        ladder_kernels.write_escapes(board, WORK, case.color, escapes)
        return bool(escapes[case.point])
    assert asked == "ladder_capture_move"
    laddered, captures = np.zeros(points, np.bool_), np.zeros((2, points), np.bool_)
    ladder_kernels.write_laddered(board, WORK, laddered, captures)
    return bool(captures[case.color - 1, case.point])


def test_every_question_is_here() -> None:
    asked = {(case.question["ask"], case.question.get("first"), case.expected) for case in CASES}
    assert asked >= {
        ("ladder_captured", first, expected) for first in ("attacker", "defender") for expected in (False, True)
    }
    assert {name for name, _, _ in asked} == {"ladder_captured", "ladder_capture_move", "ladder_escape_move"}
    assert any(case.ko_ban != NO_POINT for case in CASES)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_a_case(case: Case) -> None:
    assert answer(case) == case.expected


# ------------------------------------------------------------------------------------------- KataGo's planes


def replay(entry: dict[str, Any], plies: int | None = None) -> Position:
    position = Position(rows=entry["ysize"], cols=entry["xsize"], rules=entry["rules"], komi=entry["komi"])
    position.play_many([(color, vertex) for color, vertex in entry["moves"][:plies]])
    return position


@pytest.mark.parametrize("entry", FACTS, ids=lambda entry: entry["id"])
def test_what_the_engine_marks(entry: dict[str, Any]) -> None:
    """Laddered stones now, one and two moves ago, and the moves of both sides that work."""
    position = replay(entry)
    found = ladders(position)
    own = position.to_play
    assert found.captures(own) == sorted(entry["plane17"], key=position.point)
    assert found.captures(own.opponent) == sorted(entry["plane17_if_other_side_to_move"], key=position.point)
    for ago, plane in enumerate(("plane14", "plane15", "plane16")):
        earlier = ladders(replay(entry, len(entry["moves"]) - ago)).laddered
        marked = [position.vertex(int(point)) for point in np.flatnonzero(earlier)]
        assert marked == sorted(entry[plane], key=position.point)
        laddered, captures = np.ones(earlier.size, np.bool_), np.ones((2, earlier.size), np.bool_)
        ladder_kernels.start_from_history(WORK, position.board, ago)
        ladder_kernels.mark_laddered(WORK, laddered, captures)
        assert (laddered == earlier.ravel()).all()


@pytest.mark.parametrize("entry", FACTS, ids=lambda entry: entry["id"])
def test_what_the_engine_says_of_each_chain(entry: dict[str, Any]) -> None:
    position = replay(entry)
    caught = {chain.stones: chain for chain in ladders(position).chains}
    assert entry["chains_with_1_or_2_liberties"]
    for fact in entry["chains_with_1_or_2_liberties"]:
        stones = tuple(sorted(fact["stones"], key=position.point))
        first = len(fact["liberties"]) == 2
        assert ladder_kernels.is_captured(position.board, WORK, position.point(stones[0]), first) is fact["laddered"]
        assert (stones in caught) is fact["laddered"]
        if "attacker_working_moves" in fact:
            works = caught[stones].captures if fact["laddered"] else ()
            assert sorted(works) == sorted(fact["attacker_working_moves"])
