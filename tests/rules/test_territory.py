"""Counting as people do, on boards drawn by hand with the sum written beside them."""

from __future__ import annotations

import pytest

from move37.errors import VertexError
from move37.rules.position import Position
from move37.rules.scoring import Score
from tests.support.diagrams import SEKI


def score_of(diagram: str, rules: dict[str, object] | str = "japanese", dead: str = "", komi: float = 0) -> Score:
    """The score of a drawn board with the chains of these vertices taken off."""
    return Position.from_diagram(diagram, rules=rules, komi=komi).score(dead=dead.split())


def parts_of(score: Score) -> dict[str, tuple[float, float]]:
    return {part.name: (part.black, part.white) for part in score.parts}


# ------------------------------------------------------------------------------------------- the known faults

DEAD_INSIDE = """
. . X O .
. . X O .
O . X O .
. . X O .
. . X O .
"""


def test_two_passes_do_not_make_stones_dead() -> None:
    """As the board stands: Black 5 stones, White 6 stones and 5 points; the region of A3 touches both colours."""
    score = score_of(DEAD_INSIDE, "tromp-taylor")
    assert parts_of(score) == {"stones": (5, 6), "territory": (0, 5)}
    assert (score.text, score.rule, score.dead) == ("W+6", "area", ())


def test_a_dead_stone_is_taken_off_and_named() -> None:
    """Area: Black 5 + 10, White 5 + 5. Territory: Black 10 and a prisoner, White 5."""
    area = score_of(DEAD_INSIDE, "chinese", dead="A3")
    assert (area.black, area.white, area.text, area.dead) == (15, 10, "B+5", ("A3",))
    territory = score_of(DEAD_INSIDE, "japanese", dead="A3")
    assert parts_of(territory) == {"territory": (10, 5), "prisoners": (1, 0)}
    assert (territory.text, territory.rule, territory.rules, territory.dead) == (
        "B+6",
        "territory",
        "japanese",
        ("A3",),
    )
    assert "taken off as dead: A3" in territory.explanation
    assert "Black: 10 territory + 1 prisoner = 11" in territory.explanation


@pytest.mark.parametrize(
    ("rules", "bonus"), [("chinese", 2), ("aga", 1), ("tromp-taylor", 0), ("japanese", 0), ("new-zealand", 0)]
)
def test_white_is_paid_for_handicap_stones_only(rules: str, bonus: int) -> None:
    """The same stones as handicap, as setup and as two moves of Black in a row: only a handicap has a bonus."""
    handicap = Position(9, rules=rules, komi=0.5)
    stones = handicap.place_handicap(2)
    setup = Position(9, rules=rules, komi=0.5)
    setup.setup(black=stones, to_play="W")
    played = Position(9, rules=rules, komi=0.5)
    for vertex in stones:
        played.play(vertex, color="B")
    for position in (handicap, setup, played):
        position.play("E9", color="W")
    assert setup.score().black_margin - handicap.score().black_margin == bonus
    assert setup.score().black_margin == played.score().black_margin
    assert parts_of(handicap.score()).get("handicap bonus", (0, 0)) == (0, bonus)
    assert parts_of(handicap.score())["komi"] == (0, 0.5)


def test_seki_without_eyes() -> None:
    """Area: Black 12 stones + 10, White 12 + 13. Territory: 10 and 13. Nobody has the two dame."""
    position = Position.from_diagram(SEKI, rules="japanese", komi=0)
    count = position.count()
    assert [position.vertex(point) for point in count.seki] == ["C3", "D3", "E3", "C2", "E2", "C1", "E1"]
    assert [position.vertex(point) for point in count.dame] == ["D2", "D1"]
    assert parts_of(count.score) == {"territory": (10, 13)}
    assert count.score.text == score_of(SEKI, "chinese").text == "W+3"
    assert parts_of(score_of(SEKI, "chinese")) == {"stones": (12, 12), "territory": (10, 13)}
    assert set(count.score.seki) == {"C1", "C2", "C3", "D3", "E1", "E2", "E3"}
    assert "in seki: C3 D3 E3 C2 E2 C1 E1" in count.score.explanation
    assert score_of(SEKI, "chinese").seki == count.score.seki and "seki" not in score_of(SEKI, "chinese").explanation


# ------------------------------------------------------------------------------------------- seki

ONE_EYE_EACH = """
. . O X . . .
. . O X . . .
. . O X . . .
O O O X X X X
X X X O O O X
. X . O . O X
"""
"""Black's eye A1, White's eye E1, the dame C1; above, a living group of each."""


@pytest.mark.parametrize(
    ("scoring", "tax", "black", "white"),
    [
        ("territory", "none", 9 + 1, 6 + 1),
        ("territory", "seki", 9, 6),
        ("territory", "all", 9 - 2, 6 - 2),
        ("area", "none", 13 + 9 + 1, 11 + 6 + 1),
        ("area", "seki", 13 + 9, 11 + 6),
        ("area", "all", 13 + 9 - 2, 11 + 6 - 2),
    ],
)
def test_the_eyes_of_a_seki_under_each_rule(scoring: str, tax: str, black: int, white: int) -> None:
    """Black has 13 stones and 9 points above, White 11 and 6; each has one independent group."""
    score = score_of(ONE_EYE_EACH, {"scoring": scoring, "tax": tax})
    assert (score.black, score.white) == (black, white)
    assert score.seki == ("A2", "B2", "C2", "D2", "E2", "F2", "B1", "D1", "F1")


TWO_POINT_EYES = """
. . . O X . . . .
. . . O X . . . .
. . . O X . . . .
O O O O X X X X X
X X X X O O O O X
. . X . O . . O X
"""
"""Whoever fills D1 has two liberties left, and so has the other, who is to play: nobody fills it."""


def test_a_seki_of_larger_eyes() -> None:
    score = score_of(TWO_POINT_EYES)
    assert parts_of(score) == {"territory": (12, 9)}
    assert len(score.seki) == 5 + 6
    assert parts_of(score_of(TWO_POINT_EYES, {"scoring": "territory", "tax": "none"})) == {"territory": (14, 11)}


BENT_FOUR = """
. . . . . . .
. . . . . . .
. . . . . . .
X X X . . . .
O O X X X X .
. O O O O X .
X X X . O X .
"""
"""Neither may play A2 or D1, but Black can make a bent four in the corner: by Japanese rules White is dead."""


def test_bent_four_in_the_corner_is_dead_if_the_players_say_so() -> None:
    """Seven prisoners; all but 12 stones of Black's on 49 points is territory."""
    score = score_of(BENT_FOUR, "japanese", dead="A3")
    assert parts_of(score) == {"territory": (37, 0), "prisoners": (7, 0)}
    assert score.seki == ()


def test_bent_four_in_the_corner_is_a_seki_if_they_do_not() -> None:
    """Black's living group has 28 points; by area Black has 12 stones as well, White 7."""
    score = score_of(BENT_FOUR, "japanese")
    assert parts_of(score) == {"territory": (28, 0)}
    assert score.seki == ("A3", "B3", "B2", "C2", "D2", "E2", "A1", "B1", "C1", "E1")
    assert score_of(BENT_FOUR, "chinese").text == "B+33"


WITH_LIBERTIES_TO_SPARE = """
. . . . . X O . .
. . . . . X O . .
X X X X X X O . .
O O O O O X O . .
. . . . X O O . .
X X X X X O . . .
"""
"""Black's lowest group and White's above it share A2 to D2: two of these are dame to fill, the last two are not."""


def test_a_seki_with_liberties_to_spare() -> None:
    """Above, Black has 10 points; at the right White has 13; one independent group each."""
    position = Position.from_diagram(WITH_LIBERTIES_TO_SPARE, rules="japanese", komi=0)
    assert set(position.score().seki) == {"A1", "B1", "C1", "D1", "E1", "E2", "A3", "B3", "C3", "D3", "E3"}
    assert {position.vertex(point) for point in position.count().dame} == {"A2", "B2", "C2", "D2"}
    assert parts_of(position.score()) == {"territory": (10, 13)}
    taxed = score_of(WITH_LIBERTIES_TO_SPARE, {"scoring": "territory", "tax": "all"})
    assert parts_of(taxed) == {"territory": (10, 13), "group tax": (-2, -2)}


# ------------------------------------------------------------------------------------------- unfilled dame

OPEN_BORDER = """
. X . O .
. X . O .
. X . O .
. X . O .
. X . O .
"""


def test_dame_between_living_groups_make_no_seki() -> None:
    """Territory 5 and 5, five dame; by area 10 and 10."""
    score = score_of(OPEN_BORDER)
    assert parts_of(score) == {"territory": (5, 5)}
    assert score.seki == ()
    assert (score.text, score_of(OPEN_BORDER, "chinese").text, score_of(OPEN_BORDER, komi=0.5).text) == (
        "0",
        "0",
        "W+0.5",
    )


CONNECTED_OVER_DAME = """
. X X X X X .
. X O O X . .
X X . . X X X
O O O O O O O
O . O . O . O
. . . . . . .
"""
"""White's C5 D5 has no eyes and touches dame, but White connects it at C4 or D4."""


def test_stones_that_connect_over_dame_are_not_in_seki() -> None:
    """Black A6 A5 G6 F5 G5, White B2 D2 F2 and the lowest row; each has one group to pay for."""
    score = score_of(CONNECTED_OVER_DAME)
    assert (parts_of(score), score.seki) == ({"territory": (5, 10)}, ())
    taxed = score_of(CONNECTED_OVER_DAME, {"scoring": "territory", "tax": "all"})
    assert parts_of(taxed) == {"territory": (5, 10), "group tax": (-2, -2)}


EYES_IN_A_CHAIN = """
. O . X .
O X X X .
. O O X .
O . O X .
O O O X .
X X X X .
. . . . .
"""
"""White has the eyes A7, A5 and B4; if Black takes the dame C7, White fills A7 to connect, and lives."""


def test_a_group_that_fills_one_of_three_eyes_to_connect_is_not_in_seki() -> None:
    score = score_of(EYES_IN_A_CHAIN)
    assert (parts_of(score), score.seki) == ({"territory": (11, 3)}, ())


OPEN_DOOR = """
X X X X X . .
O O O O X . .
O . O O X . .
O O O O X . .
. . . X . X .
"""
"""White's second eye is open at C1. Closing it puts D1 into atari, which Black answers at E1."""


def test_a_group_whose_border_is_open_is_not_in_seki() -> None:
    """Only B3 and Black's ten points count; A1 to C1 touch both colours."""
    score = score_of(OPEN_DOOR)
    assert (parts_of(score), score.seki) == ({"territory": (10, 1)}, ())


ONE_SIDED = """
. X . O . O .
. X X X O O O
. . . X O . .
. . . X O . .
. . . X O . .
"""
"""White may not fill C5 (self-atari) and Black puts D5 into atari there: a dame that stays, and no seki."""


def test_a_dame_that_one_side_only_can_fill() -> None:
    score = score_of(ONE_SIDED)
    assert (parts_of(score), score.seki) == ({"territory": (11, 8)}, ())


def test_an_open_border_counts_for_nobody() -> None:
    """The only empty region touches both colours, so there is no territory at all."""
    score = score_of(". . . . .\n. X . O .\n. . . . .")
    assert (parts_of(score), score.text) == ({}, "0")
    assert parts_of(score_of(". . . . .\n. X . O .\n. . . . .", "chinese")) == {"stones": (1, 1)}


# ------------------------------------------------------------------------------------------- dead stones and prisoners

DEAD_WITH_AN_EYE = """
. O . X .
O O O X .
X X X X .
. X . X .
. . . . .
"""


def test_an_eye_inside_dead_stones_is_the_captors_territory() -> None:
    """White's chain is one; 17 empty points and four prisoners. By area Black has the whole board."""
    score = score_of(DEAD_WITH_AN_EYE, dead="B5")
    assert parts_of(score) == {"territory": (17, 0), "prisoners": (4, 0)}
    assert score.dead == ("B5", "A4", "B4", "C4")
    assert score_of(DEAD_WITH_AN_EYE, "chinese", dead="A4").text == "B+25"


def test_prisoners_of_play_and_of_agreement_add_up() -> None:
    """White lost one stone in the corner by play and A5 by agreement; Black lost E1 by agreement."""
    position = Position(5, rules="japanese", komi=0)
    moves = ["B1", "A1", "A2", "D1", "B2", "D2", "B3", "D3", "B4", "D4", "B5", "D5", "E1", "A5"]
    position.play_many(moves)
    score = position.score(dead=["A5", "E1"])
    assert parts_of(score) == {"territory": (4, 5), "prisoners": (2, 1)}
    assert score.text == "0"


def test_dead_chains_are_named_once_however_often_they_are_given() -> None:
    assert score_of(DEAD_WITH_AN_EYE, dead="B5 A4 B4 B5").dead == ("B5", "A4", "B4", "C4")


def test_passes_cost_nothing() -> None:
    position = Position.from_diagram(OPEN_BORDER, rules="japanese", komi=0.5)
    for _ in range(2):
        position.play("pass")
    assert position.score().text == "W+0.5"


# ------------------------------------------------------------------------------------------- taxes, button, bonus

TWO_GROUPS = """
. X O . . . O X .
. X O . . . O X .
. X O . . . O X .
"""


@pytest.mark.parametrize(("scoring", "black", "white"), [("area", 6 + 6 - 4, 6 + 9 - 2), ("territory", 6 - 4, 9 - 2)])
def test_each_living_group_costs_two_points(scoring: str, black: int, white: int) -> None:
    score = score_of(TWO_GROUPS, {"scoring": scoring, "tax": "all"})
    assert (score.black, score.white) == (black, white)
    assert parts_of(score)["group tax"] == (-4, -2)


def test_stone_scoring_by_name() -> None:
    score = score_of(TWO_GROUPS, "stone-scoring")
    assert (score.text, score.rules) == ("W+5", "stone-scoring")
    assert "Black: 6 stones + 6 territory - 4 group tax = 8" in score.explanation


@pytest.mark.parametrize(("first", "button"), [("pass", (0.5, 0)), ("A1", (0, 0.5))])
def test_the_button_is_half_a_point(first: str, button: tuple[float, float]) -> None:
    """Whoever passes first has it; before anybody did, it is counted for the player to move."""
    position = Position(3, rules="aga-button", komi=0)
    assert parts_of(position.score()) == {"button": (0.5, 0)}
    position.play(first)
    position.play("pass")
    assert parts_of(position.score())["button"] == button


def test_a_draw_with_half_a_point_of_komi_explains_itself() -> None:
    position = Position.from_diagram(OPEN_BORDER, rules="aga-button", komi=0.5)
    position.play("pass")
    assert position.score().text == "0"
    assert "Black: 5 stones + 5 territory + 0.5 button = 10.5" in position.score().explanation
    assert "White: 5 stones + 5 territory + 0.5 komi = 10.5" in position.score().explanation


def test_a_board_of_one_colour_is_one_group() -> None:
    score = score_of("X . .\n. . .", {"scoring": "area", "tax": "all"})
    assert (score.black, score.white) == (4, 0)


def test_a_game_that_is_not_over_has_no_seki() -> None:
    """An open space is no dame: stones beside it are not yet anything."""
    position = Position(9, rules="japanese", komi=6.5)
    position.play_many(["E5", "C3", "G7", "C7", "G3", "D4"])
    assert (position.score().seki, position.score().text) == ((), "W+6.5")
    assert len(position.count().dame) == 75


def test_a_point_without_a_stone_is_not_dead() -> None:
    with pytest.raises(VertexError, match="no stone at A1 to take off as dead"):
        score_of(OPEN_BORDER, dead="A1")


def test_a_long_cycle_is_noted_beside_the_sum() -> None:
    position = Position(rows=1, cols=4, rules="japanese", komi=0.5)
    position.setup(black=["B1"], to_play="white")
    position.play_many(["D1", "A1", "C1", "B1"])
    assert position.score().note == ""
    position.play_many(["D1", "A1", "C1", "B1", "D1"])
    score = position.score()
    assert position.is_no_result and position.result().text == "Void"
    assert score.note == "no result: a long cycle ended the game, and this is only what the board counts"
    assert score.explanation.splitlines()[-2:] == [score.text, score.note]
