"""Games replayed: who moves, handicaps, moves that rules forbid, ends of games."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from move37.analysis.problems import QueryError
from move37.analysis.replay import Turn, replay
from move37.analysis.schema import Query, parse_line
from move37.rules.records import stones_grid
from tests.support.analysis import BASE


def turns(ignore_history: bool = False, **fields: Any) -> list[Turn]:
    query = parse_line(json.dumps({"id": "q", **BASE, **fields}))
    assert isinstance(query, Query)
    return replay(query, ignore_history)


def plays(text: str) -> list[list[str]]:
    """Moves such as ``B:E5 W:pass``."""
    return [word.split(":") for word in text.split()]


def bonuses(text: str, **fields: Any) -> list[float]:
    """White's bonus before each move and at the end, under Chinese rules: a point for each handicap stone."""
    moves = plays(text)
    found = turns(moves=moves, analyzeTurns=list(range(len(moves) + 1)), **fields)
    return [float(turn.board["white_bonus"]) for turn in found]


HANDICAPS: list[tuple[str, dict[str, Any], list[float]]] = [
    ("", {"initialStones": [["B", "G7"], ["B", "C3"]]}, [2]),
    ("W:G3 B:C7", {"initialStones": [["B", "G7"], ["B", "C3"]]}, [2, 2, 2]),
    ("B:G3 W:C7", {"initialStones": [["B", "G7"], ["B", "C3"]]}, [2, 3, 3]),
    ("B:G3 W:C7", {"initialStones": [["B", "G7"], ["B", "C3"], ["W", "E5"]]}, [0, 0, 0]),
    ("B:G7 B:C3 B:G3 W:E5 B:C7", {}, [0, 0, 2, 3, 3, 3]),
    ("B:G7 W:pass B:C3 W:E5", {}, [0, 0, 0, 2, 2]),
    ("B:G3 B:C7 W:E5", {"initialStones": [["B", "G7"]]}, [0, 2, 3, 3]),
    ("B:G7 W:C3 W:G3 B:E5", {}, [0, 0, 0, 0, 0]),
    ("B:G7 W:C3 B:G3", {}, [0, 0, 0, 0]),
]
"""What KataGo 1.18.1 takes for a handicap, as its network's answers show."""


@pytest.mark.parametrize(("moves", "fields", "expected"), HANDICAPS, ids=[case[0] or "setup" for case in HANDICAPS])
def test_a_handicap_is_stones_set_up_and_moves_before_whites_first(
    moves: str, fields: dict[str, Any], expected: list[float]
) -> None:
    assert bonuses(moves, **fields) == expected


def test_a_bonus_of_the_query_goes_before_that_of_the_rules() -> None:
    stones = {"initialStones": [["B", "G7"], ["B", "C3"], ["B", "C7"]]}
    assert bonuses("", **stones, whiteHandicapBonus="N-1") == [2]
    assert bonuses("", **stones, whiteHandicapBonus=0) == [0]
    assert bonuses("", **stones, rules="japanese", whiteHandicapBonus="N") == [3]


@pytest.mark.parametrize(
    ("fields", "color"),
    [
        ({}, 1),
        ({"initialPlayer": "white"}, 2),
        ({"initialStones": [["B", "E5"]]}, 1),
        ({"initialStones": [["B", "E5"], ["B", "C3"]]}, 2),
        ({"initialStones": [["B", "E5"], ["B", "C3"], ["W", "G7"]]}, 1),
        ({"initialStones": [["B", "E5"], ["B", "C3"]], "moves": [["B", "G7"]], "analyzeTurns": [0]}, 1),
    ],
)
def test_who_moves_first(fields: dict[str, Any], color: int) -> None:
    assert turns(**fields)[0].color == color


def test_stones_lie_where_the_query_says_row_one_at_the_bottom() -> None:
    board = turns(initialStones=[["B", "A1"], ["W", "J9"], ["B", "(2,0)"]], boardXSize=9, boardYSize=9)[0].board
    stones = stones_grid(board)
    assert (stones[8, 0], stones[0, 8], stones[0, 2]) == (1, 2, 1)
    wide = stones_grid(turns(initialStones=[["B", "A1"], ["W", "E3"]], boardXSize=5, boardYSize=3)[0].board)
    assert wide.shape == (3, 5)
    assert (wide[2, 0], wide[0, 4]) == (1, 2)


KO = "B:D5 W:E5 B:C4 W:F4 B:D3 W:E3 B:A9 W:D4 B:E4"


@pytest.mark.parametrize(
    ("moves", "rules", "number"),
    [
        ("B:E5 W:E5", "chinese", 1),
        (KO + " W:D4", "chinese", 9),
        (KO + " W:D4", "tromp-taylor", 9),
        ("B:A2 W:E5 B:B1 W:A1", "tromp-taylor", 3),
    ],
)
def test_b47_an_illegal_move_is_named_with_its_number(moves: str, rules: str, number: int) -> None:
    with pytest.raises(QueryError, match=rf"^Illegal move {number}: ") as caught:
        turns(moves=plays(moves), rules=rules)
    assert (caught.value.id, caught.value.field) == ("q", "moves")


def test_suicide_and_repetition_are_taken_as_played() -> None:
    suicide = turns(moves=plays("B:A2 W:A1 B:B2 W:E5 B:C1 W:B1"), rules="chinese")[0]
    assert stones_grid(suicide.board)[8, :2].tolist() == [0, 0]
    sending_two = "B:A2 W:A3 B:B1 W:B2 B:C1 W:C2 B:D1 W:D2 B:E1 W:E2 B:F1 W:F2 B:G1 W:G2"
    assert turns(moves=plays(sending_two), rules="aga")


def test_a_setup_without_liberties_is_an_error_of_its_field() -> None:
    with pytest.raises(QueryError, match="no liberty") as caught:
        turns(initialStones=[["B", "A1"], ["W", "A2"], ["W", "B1"]])
    assert caught.value.field == "initialStones"


def test_two_moves_by_one_side_begin_the_history_anew() -> None:
    board = turns(moves=plays("B:E5 W:C3 W:G7 B:C7"))[0].board
    assert int(board["phase_moves"]) == 2
    assert turns(moves=plays("B:E5 W:C3 B:G7 W:C7"))[0].board["phase_moves"] == 4


def test_history_may_be_hidden() -> None:
    shown, hidden = (turns(ignore, moves=plays("B:E5 W:C3"))[0] for ignore in (False, True))
    assert (int(shown.board["phase_moves"]), int(hidden.board["phase_moves"])) == (2, 0)
    assert np.array_equal(stones_grid(shown.board), stones_grid(hidden.board))


@pytest.mark.parametrize("rules", ["chinese", "japanese", "tromp-taylor"])
def test_a_game_that_is_over_goes_on(rules: str) -> None:
    found = turns(moves=plays("B:E5 W:pass B:pass W:pass"), analyzeTurns=[2, 3, 4], rules=rules)
    assert [turn.passes for turn in found] == [1, 2, 2]
    assert [int(turn.board["passes"]) for turn in found] == [1, 1, 1]
    assert [int(turn.board["phase"]) for turn in found] == [0, 0, 0]
    assert {int(turn.board["encore"]) for turn in found} == {int(rules == "japanese")}


def test_a_move_limit_ends_no_analysis() -> None:
    board = turns(moves=plays("B:E5 W:C3"), rules={"moveLimit": 1})[0].board
    assert board["move_limit"] == 0


@pytest.mark.parametrize(
    ("rules", "komi"),
    [
        ("chinese", 7.5),
        ("japanese", 6.5),
        ("aga-button", 7.0),
        ({"scoring": "territory"}, 6.5),
        ({"scoring": "AREA", "komi": 3.5}, 3.5),
        ('{"ko": "SIMPLE", "komi": 0}', 0.0),
    ],
)
def test_komi_where_the_query_names_none(rules: Any, komi: float) -> None:
    query = {name: value for name, value in BASE.items() if name != "komi"} | {"id": "q", "rules": rules}
    asked = parse_line(json.dumps(query))
    assert isinstance(asked, Query)
    assert asked.komi == komi


def test_territory_in_an_object_of_rules_taxes_seki() -> None:
    query = parse_line(json.dumps({"id": "q", **BASE, "rules": {"score": "TERRITORY"}}))
    assert isinstance(query, Query)
    assert (query.rules.scoring, query.rules.tax) == ("territory", "seki")


@pytest.mark.parametrize("rules", ["/etc/passwd.toml", "chinese,ko=simple", "{bad"])
def test_rules_in_a_query_are_no_files(rules: str) -> None:
    with pytest.raises(QueryError, match="Could not parse rules"):
        turns(rules=rules)
