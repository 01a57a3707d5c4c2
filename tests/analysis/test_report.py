"""What an answer holds: fields, order, mirrored moves, lines, hashes, numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from move37.analysis.report import side_of
from move37.analysis.settings import Settings
from move37.rules import symmetry
from tests.support.analysis import Asked, SearchingPlayer
from tests.support.slow_katago_values import ScoredHashEvaluator
from tests.support.slow_search import HashEvaluator

MOVE_FIELDS = {
    *("move", "order", "visits", "weight", "edgeVisits", "edgeWeight", "prior", "winrate", "lcb", "utility"),
    *("utilityLcb", "scoreLead", "scoreMean", "scoreSelfplay", "scoreStdev", "playSelectionValue", "pv"),
}
ROOT_FIELDS = {
    *("currentPlayer", "visits", "weight", "winrate", "utility", "scoreLead", "scoreSelfplay", "scoreStdev"),
    *("thisHash", "symHash", "rawWinrate", "rawLead", "rawScoreSelfplay", "rawScoreSelfplayStdev"),
    *("rawNoResultProb", "rawStWrError", "rawStScoreError", "rawVarTimeLeft"),
}
"""KataGo 1.18.1's, of queries that ask for nothing more."""

ASYMMETRIC: dict[str, Any] = {"initialStones": [["B", "C3"], ["W", "G7"], ["B", "D3"]], "initialPlayer": "B"}


def test_an_answer_has_katagos_fields_and_no_more() -> None:
    answer = Asked().answer(**ASYMMETRIC, maxVisits=30)
    assert set(answer) == {"id", "turnNumber", "isDuringSearch", "moveInfos", "rootInfo"}
    assert set(answer["rootInfo"]) == ROOT_FIELDS
    assert all(set(info) == MOVE_FIELDS for info in answer["moveInfos"])


def test_what_is_asked_for_comes_as_well() -> None:
    flags = dict.fromkeys(
        ("includeOwnership", "includeOwnershipStdev", "includeMovesOwnership", "includePolicy", "includePVVisits"), True
    )
    answer = Asked().answer(**ASYMMETRIC, **flags, maxVisits=30, boardXSize=9, boardYSize=8)
    assert {name: len(answer[name]) for name in ("ownership", "ownershipStdev", "policy")} == {
        "ownership": 72,
        "ownershipStdev": 72,
        "policy": 73,
    }
    for info in answer["moveInfos"]:
        assert set(info) >= MOVE_FIELDS | {"ownership", "pvVisits", "pvEdgeVisits"}
        assert len(info["ownership"]) == 72
        assert len(info["pvVisits"]) == len(info["pv"])
        assert info["pvVisits"][0] == info["edgeVisits"]


def test_a_network_that_knows_no_scores_tells_none() -> None:
    answer = Asked(SearchingPlayer(HashEvaluator(), katago=False)).answer(**ASYMMETRIC, maxVisits=20)
    for info in (answer["rootInfo"], answer["moveInfos"][0]):
        assert not [name for name in info if "score" in name.lower() and name != "rawStScoreError"]
    assert answer["rootInfo"]["rawVarTimeLeft"] == -1
    assert {"winrate", "lcb", "utility", "utilityLcb", "pv"} <= set(answer["moveInfos"][0])


def test_policy_is_a_distribution_over_legal_moves_and_says_which_are_not() -> None:
    policy = Asked().answer(**ASYMMETRIC, includePolicy=True)["policy"]
    illegal = [index for index, share in enumerate(policy) if share < 0]
    assert illegal == [2 * 9 + 6, 6 * 9 + 2, 6 * 9 + 3]
    assert {policy[index] for index in illegal} == {-1}
    assert sum(share for share in policy if share >= 0) == pytest.approx(1, abs=1e-5)


def test_moves_are_ordered_by_choice_then_visits_then_prior() -> None:
    infos = Asked(SearchingPlayer(ScoredHashEvaluator())).answer(**ASYMMETRIC, maxVisits=60)["moveInfos"]
    assert [info["order"] for info in infos] == list(range(len(infos)))
    keys = [(info["playSelectionValue"], info["edgeVisits"], info["prior"]) for info in infos]
    assert keys[1:] == sorted(keys[1:], reverse=True)
    assert keys[0][:2] == max(key[:2] for key in keys)


def test_moves_that_mirror_a_searched_one_are_told_with_lines_that_are_mirrored() -> None:
    answer = Asked().answer(moves=[["B", "E5"]], maxVisits=40, includeMovesOwnership=True)
    infos = {info["move"]: info for info in answer["moveInfos"]}
    mirrored = [info for info in answer["moveInfos"] if "isSymmetryOf" in info]
    assert mirrored
    for info in mirrored:
        original = infos[info["isSymmetryOf"]]
        assert "isSymmetryOf" not in original
        assert {info[name] for name in ("visits", "winrate", "scoreLead")} == {
            original[name] for name in ("visits", "winrate", "scoreLead")
        }
        assert _is_turned(original, info)


def _is_turned(original: dict[str, Any], info: dict[str, Any]) -> bool:
    """Whether one symmetry turns the line and the ownership of one into those of the other."""
    grid = np.array(original["ownership"]).reshape(9, 9)
    line = [_point(vertex) for vertex in original["pv"]]
    return any(
        [symmetry.point(turned, point, 9, 9) for point in line] == [_point(vertex) for vertex in info["pv"]]
        and np.allclose(symmetry.apply(turned, grid).ravel(), info["ownership"])
        for turned in symmetry.SYMMETRIES
    )


def _point(vertex: str) -> int:
    return 81 if vertex == "pass" else (9 - int(vertex[1:])) * 9 + "ABCDEFGHJ".index(vertex[0])


def test_restrictions_and_the_option_leave_no_mirrored_moves() -> None:
    avoid = [{"player": "B", "moves": ["A1"], "untilDepth": 1}]
    for fields in ({"avoidMoves": avoid}, {"overrideSettings": {"rootSymmetryPruning": False}}):
        answer = Asked().answer(maxVisits=30, **fields)
        assert not any("isSymmetryOf" in info for info in answer["moveInfos"])


def test_lines_have_the_length_asked_for() -> None:
    player = SearchingPlayer(ScoredHashEvaluator(spread=6))
    long = Asked(player).answer(**ASYMMETRIC, maxVisits=200)["moveInfos"][0]["pv"]
    assert len(long) > 3
    for length in (1, 2):
        short = Asked(player).answer(**ASYMMETRIC, maxVisits=200, analysisPVLen=length)["moveInfos"][0]["pv"]
        assert short == long[: length + 1]
    by_setting = Asked(player, Settings(pv_length=1)).answer(**ASYMMETRIC, maxVisits=200)
    assert len(by_setting["moveInfos"][0]["pv"]) == 2


def hashes(**fields: Any) -> tuple[str, str]:
    root = Asked().answer(maxVisits=1, **fields)["rootInfo"]
    return root["thisHash"], root["symHash"]


def test_hashes_name_positions_and_their_mirror_images() -> None:
    base = {"initialStones": [["B", "C3"], ["W", "G6"]]}
    turned = {"initialStones": [["B", "C7"], ["W", "G4"]]}
    assert hashes(**base) == hashes(**base, komi=3.5)
    assert hashes(**base)[0] != hashes(**turned)[0]
    assert hashes(**base)[1] == hashes(**turned)[1]
    assert hashes(**base, initialPlayer="W")[1] != hashes(**base)[1]
    assert hashes(boardXSize=7)[0] != hashes(boardYSize=7)[0]
    assert hashes(boardXSize=7)[1] == hashes(boardYSize=7)[1]
    assert all(len(name) == 32 for name in hashes())


def test_a_ko_makes_another_position() -> None:
    ko = [["B", "D5"], ["W", "E5"], ["B", "C4"], ["W", "F4"], ["B", "D3"], ["W", "E3"], ["B", "A9"], ["W", "D4"]]
    ko += [["B", "E4"]]
    settled = [*ko, ["W", "pass"], ["B", "pass"]]
    assert hashes(moves=ko)[0] != hashes(moves=settled)[0]


@pytest.mark.parametrize(("view", "color", "same"), [("BLACK", 1, True), ("BLACK", 2, False), ("WHITE", 2, True)])
def test_sides(view: str, color: int, same: bool) -> None:
    side = side_of(view, color)
    assert side.same == same
    assert side.rate(0.25) == (0.25 if same else 0.75)
    assert side.signed(2.0) == (2.0 if same else -2.0)
    assert side_of("SIDETOMOVE", color).same
