"""Rule cases about life, area and ownership, through the slow oracle and through the package; areas of the engine.

The answers come from other programs (each case names its source); the oracle is checked by them, the kernels by both.
"""

from __future__ import annotations

import json

import numpy as np
import pytest

from move37.rules.color import Color
from move37.rules.life import benson, certain_owner
from move37.rules.position import Position
from tests.support import slow_life
from tests.support.cases import Case, load_cases
from tests.support.diagrams import SIGNS, draw, point_to_vertex, vertex_to_point
from tests.support.oracle_board import BLACK, EMPTY, WHITE
from tests.support.shared import SHARED

LIFE = load_cases("benson.json")
AREAS = load_cases("area-score.json")
OWNERS = load_cases("ownership.json")
NAMES = {BLACK: "black", WHITE: "white"}


def asking(cases: list[Case], question: str) -> list[Case]:
    return [case for case in cases if case.question["ask"] == question]


def position_of(case: Case, rules: str = "chinese", komi: float = 0) -> Position:
    return Position.from_diagram(draw(case.stones, case.cols), rules=rules, komi=komi)


def vertices(case: Case, points: set[int] | frozenset[int]) -> set[str]:
    return {point_to_vertex(point, case.rows, case.cols) for point in points}


def test_every_question_is_here() -> None:
    assert {case.question["ask"] for case in LIFE} == {"benson", "pass_alive_area", "unconditional_status"}
    assert {case.question["ask"] for case in OWNERS} == {"ownership", "dead_stones"}


# ------------------------------------------------------------------------------------------- unconditional life


@pytest.mark.parametrize("case", asking(LIFE, "benson") + asking(LIFE, "pass_alive_area"), ids=lambda case: case.id)
def test_living_stones(case: Case) -> None:
    kernels = benson(position_of(case), suicide=False)
    for color, name in NAMES.items():
        life = slow_life.benson(case.stones, case.rows, case.cols, color)
        assert vertices(case, life.alive) == set(case.expected[f"alive_{name}"])
        if f"safe_{name}" in case.expected:
            assert vertices(case, life.safe) == set(case.expected[f"safe_{name}"])
        alive, territory = kernels.alive(Color(color)), kernels.territory(Color(color))
        assert frozenset(np.flatnonzero(alive).tolist()) == life.alive
        assert frozenset(np.flatnonzero(territory).tolist()) == life.territory


@pytest.mark.parametrize("case", asking(LIFE, "pass_alive_area"), ids=lambda case: case.id)
def test_pass_alive_area(case: Case) -> None:
    area = slow_life.pass_alive_area(case.stones, case.rows, case.cols)
    assert draw(area, case.cols) == "\n".join(case.expected["area"])
    same = slow_life.katago_area(
        case.stones, case.rows, case.cols, non_pass_alive_stones=False, safe_big=False, unsafe_big=False
    )
    assert same == area


@pytest.mark.parametrize("case", asking(LIFE, "unconditional_status"), ids=lambda case: case.id)
def test_unconditional_status(case: Case) -> None:
    position = position_of(case)
    alive = benson(position).black_alive | benson(position).white_alive
    owner = certain_owner(position).ravel()
    slow = slow_life.unconditional_status(case.stones, case.rows, case.cols)
    for vertex, expected in case.expected.items():
        point = vertex_to_point(vertex, case.rows, case.cols)
        stone = case.stones[point]
        if stone != EMPTY:
            fast = "alive" if alive.ravel()[point] else "dead" if owner[point] == 3 - stone else "undecided"
        else:
            fast = f"{NAMES[int(owner[point])]}_territory" if owner[point] else "undecided"
        assert (vertex, slow[point], fast) == (vertex, expected, expected)


# ------------------------------------------------------------------------------------------- counting


@pytest.mark.parametrize("case", AREAS, ids=lambda case: case.id)
def test_area_scores(case: Case) -> None:
    """Nothing is dead, whatever the rules let players agree on."""
    count = position_of(case, komi=case.question.get("komi", 0)).count()
    owners = count.owner.ravel().tolist()
    assert (owners.count(BLACK), owners.count(WHITE)) == (case.expected["black"], case.expected["white"])
    if "owner" in case.expected:
        assert draw(owners, case.cols) == "\n".join(case.expected["owner"])
    else:
        assert len(count.dame) == case.expected["neutral"]
    if "result" in case.expected:
        assert count.score.text == case.expected["result"]


@pytest.mark.parametrize("case", asking(OWNERS, "ownership"), ids=lambda case: case.id)
def test_owners_once_dead_stones_are_named(case: Case) -> None:
    """Dead are the stones that the source gives to the other side; ``?`` is what it leaves open."""
    expected = "".join(case.expected)
    dead = [at for at, stone in enumerate(case.stones) if stone and expected[at] == SIGNS[3 - stone]]
    count = position_of(case, case.question["rules"]).count(dead)
    assert set(count.dead) == set(dead)
    for point, owner in enumerate(count.owner.ravel().tolist()):
        assert expected[point] in ("?", SIGNS[owner]), point_to_vertex(point, case.rows, case.cols)


@pytest.mark.parametrize("case", asking(OWNERS, "dead_stones"), ids=lambda case: case.id)
@pytest.mark.parametrize("rules", ["chinese", "japanese", "stone-scoring"])
def test_dead_stones_become_the_other_sides(case: Case, rules: str) -> None:
    """The named stones are whole chains; their points and, under territory scoring, prisoners go to the captor."""
    position = position_of(case, rules)
    count = position.count(case.expected)
    assert set(count.score.dead) == set(case.expected)
    for point in count.dead:
        assert count.owner.ravel()[point] == 3 - case.stones[point]
    if rules == "japanese":
        killed = {color: sum(case.stones[point] == color for point in count.dead) for color in (BLACK, WHITE)}
        prisoners = [(part.black, part.white) for part in count.score.parts if part.name == "prisoners"]
        assert prisoners == ([(killed[WHITE], killed[BLACK])] if case.expected else [])


# ------------------------------------------------------------------------------------------- the engine's areas

KATAGO = SHARED / "katago"
IDS = (
    [entry["id"] for entry in json.loads((KATAGO / "positions.json").read_text())["positions"]]
    if KATAGO.is_dir()
    else []
)


@pytest.mark.parametrize("name", IDS)
def test_the_oracle_finds_the_areas_of_the_engine(name: str) -> None:
    """Planes 18 and 19 of KataGo's inputs from its planes of stones, under every kind of scoring and tax."""
    entries = json.loads((KATAGO / "positions.json").read_text())["positions"]
    entry = next(entry for entry in entries if entry["id"] == name)
    with np.load(KATAGO / "v7_inputs.npz") as inputs:
        planes = inputs[f"{name}_planes"]
    own, other = (BLACK, WHITE) if entry["to_play"] == "B" else (WHITE, BLACK)
    rules = entry["rules"]
    found = slow_life.area_planes(
        (planes[1] * own + planes[2] * other).ravel().tolist(),
        entry["ysize"],
        entry["xsize"],
        scoring=rules["scoring"].lower(),
        tax=rules["tax"].lower(),
        suicide=rules["suicide"],
        phase=entry["encore_phase"],
        second_encore_stones=(planes[20] * own + planes[21] * other).ravel().tolist(),
    )
    assert found == (planes[18] * own + planes[19] * other).ravel().tolist()
