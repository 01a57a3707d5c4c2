from __future__ import annotations

import pytest

from move37.errors import RulesError, VertexError
from move37.rules.color import Color
from move37.rules.position import Position
from move37.rules.result import Result
from move37.rules.scoring import Part, Score, check_komi


@pytest.mark.parametrize(
    ("margin", "text"), [(2.0, "B+2"), (0.5, "B+0.5"), (-0.5, "W+0.5"), (-361.0, "W+361"), (0.0, "0"), (-0.0, "0")]
)
def test_the_text_of_a_result(margin: float, text: str) -> None:
    assert Result.of_margin(margin).text == Score(black=200 + margin, white=200).text == text


def test_views() -> None:
    score = Score(black=40, white=41.5)
    assert (score.black_margin, score.margin_for(Color.BLACK), score.margin_for(Color.WHITE)) == (-1.5, -1.5, 1.5)
    assert (score.winner, score.text, str(score)) == (Color.WHITE, "W+1.5", "W+1.5")
    assert Score(10, 10).winner is None


PARTS = [
    Part("stones", 20, 18),
    Part("territory", 21, 22),
    Part("group tax", -4, -2),
    Part("komi", 0, -3.5),
    Part("handicap bonus", 0, 0),
]


def test_a_score_is_the_sum_of_its_parts() -> None:
    score = Score.of_parts(PARTS, rule="area", rules="stone-scoring", dead=["A1", "B1"], seki=["C4"])
    assert (score.black, score.white, score.black_margin) == (37, 34.5, 2.5)
    assert score.result == Result(Color.BLACK, 2.5, "points")
    assert [part.name for part in score.parts] == ["stones", "territory", "group tax", "komi"]
    assert (score.dead, score.seki) == (("A1", "B1"), ("C4",))


def test_the_explanation_names_rule_dead_stones_seki_and_sums() -> None:
    score = Score.of_parts(PARTS, rule="area", rules="stone-scoring", dead=["A1", "B1"], seki=["C4"], tax="all")
    assert score.explanation.splitlines() == [
        "area scoring, stone-scoring rules",
        "taken off as dead: A1 B1",
        "in seki: C4",
        "Black: 20 stones + 21 territory - 4 group tax = 37",
        "White: 18 stones + 22 territory - 2 group tax - 3.5 komi = 34.5",
        "B+2.5",
    ]


def test_a_seki_that_costs_nothing_is_not_explained() -> None:
    score = Score.of_parts(PARTS, seki=["C4"])
    assert score.seki == ("C4",) and "seki" not in score.explanation


def test_the_note_ends_the_explanation() -> None:
    score = Score.of_parts(PARTS, note="no result")
    assert score.explanation.splitlines()[-2:] == ["B+2.5", "no result"]
    assert score.explanation.endswith(score.sums)


def test_the_explanation_of_an_empty_board() -> None:
    assert Score.of_parts([]).explanation.splitlines() == [
        "area scoring, tromp-taylor rules",
        "taken off as dead: nothing",
        "Black: 0",
        "White: 0",
        "0",
    ]


SPLIT = """
. X O . .
. X O O .
. X O . O
X X O O .
. X O . .
"""


@pytest.mark.parametrize(("komi", "text"), [(0, "W+5"), (-5, "0"), (-5.5, "B+0.5"), (7.5, "W+12.5")])
def test_komi_counts(komi: float, text: str) -> None:
    assert Position.from_diagram(SPLIT, komi=komi).score().text == text


def test_dead_chains_are_taken_off() -> None:
    position = Position.from_diagram(SPLIT, komi=0)
    dead = position.score(dead=["A2"])
    assert (dead.black, dead.white, dead.text) == (0, 25, "W+25")
    assert position.score().text == "W+5"
    assert position.area(dead=["A2"]).tolist() == [[2] * 5] * 5


def test_dead_stones_may_be_a_text_of_vertices() -> None:
    position = Position.from_diagram(SPLIT, rules="chinese", komi=0)
    for dead in ("A2 B1", " a2\tb1 ", ["A2", "B1"]):
        assert position.score(dead=dead).text == "W+25"
        assert position.count(dead).score == position.score(dead)
        assert (position.area(dead=dead) == 2).all()
    position.play_many(["pass", "pass"])
    assert position.result("A2").text == "W+25"
    assert position.score("").text == position.score().text
    with pytest.raises(VertexError, match="no stone at A5"):
        position.score("A2 A5")
    with pytest.raises(VertexError, match="'A2,C1' is not a point"):
        position.score("A2,C1")


def test_neutral_points_count_for_nobody() -> None:
    score = Position.from_diagram("X . O", komi=0).score()
    assert (score.black, score.white, score.text) == (1, 1, "0")
    assert Position(3, komi=0).score().text == "0"


def test_rule_is_named() -> None:
    score = Position(5, rules="chinese").score()
    assert (score.rule, score.rules) == ("area", "chinese")


@pytest.mark.parametrize(("name", "stones", "bonus"), [("chinese", 3, 3), ("aga", 3, 2), ("tromp-taylor", 3, 0)])
def test_handicap_bonus(name: str, stones: int, bonus: int) -> None:
    position = Position(9, rules=name, komi=0.5)
    position.place_handicap(stones)
    assert position.white_bonus == bonus == float(position.board["white_bonus"])
    assert position.score().black_margin == 81 - 0.5 - bonus


@pytest.mark.parametrize("komi", [401, -400.5, 6.75, float("nan"), float("inf")])
def test_wrong_komi(komi: float) -> None:
    with pytest.raises(RulesError, match="whole or half"):
        check_komi(komi)
    position = Position(5, komi=6.5)
    with pytest.raises(RulesError):
        position.komi = komi
    assert position.komi == 6.5 == float(position.board["komi"])
