"""Queries answered: turns, priorities, termination, reports under way, points of view, and other actions."""

from __future__ import annotations

import json
from typing import Any

import pytest

from move37.analysis.engine import Engine
from move37.analysis.settings import Settings
from move37.search.evaluator import EvaluationError, Evaluations
from tests.support.analysis import Asked, SearchingPlayer
from tests.support.networks import OwnershipEvaluator, StonesEvaluator

OPENING = [["B", "E5"], ["W", "C3"], ["B", "G3"]]


def test_every_turn_asked_about_gets_one_answer() -> None:
    asked = Asked()
    asked.ask(moves=OPENING, analyzeTurns=[3, 0, 1, 1])
    asked.engine.finish()
    assert sorted(answer["turnNumber"] for answer in asked.answers) == [0, 1, 3]
    assert {answer["id"] for answer in asked.answers} == {"q"}
    assert not any(answer["isDuringSearch"] for answer in asked.answers)
    players = {answer["turnNumber"]: answer["rootInfo"]["currentPlayer"] for answer in asked.answers}
    assert players == {0: "B", 1: "W", 3: "W"}


def test_without_turns_the_last_position_is_analysed() -> None:
    assert Asked().answer(moves=OPENING)["turnNumber"] == 3


def test_visits_are_those_asked_for() -> None:
    answer = Asked().answer(maxVisits=7, moves=OPENING)
    assert answer["rootInfo"]["visits"] == 7
    assert sum(info["edgeVisits"] for info in answer["moveInfos"] if "isSymmetryOf" not in info) == 6


def test_one_visit_tells_no_move() -> None:
    answer = Asked().answer(maxVisits=1)
    assert answer["moveInfos"] == []
    assert answer["rootInfo"]["visits"] == 1


def test_b47_duplicate_ids_are_two_queries() -> None:
    asked = Asked()
    asked.ask()
    asked.ask(moves=OPENING)
    asked.engine.finish()
    assert sorted(answer["turnNumber"] for answer in asked.answers) == [0, 3]


def test_a_query_of_the_highest_priority_is_answered_first() -> None:
    asked = Asked(parallel=1)
    for name, priority in (("low", -3), ("first", 5), ("second", 5), ("middle", 0)):
        asked.ask(id=name, priority=priority)
    asked.engine.finish()
    assert [answer["id"] for answer in asked.answers] == ["first", "second", "middle", "low"]


def test_turns_have_their_own_priorities() -> None:
    asked = Asked(parallel=1)
    asked.ask(moves=OPENING, analyzeTurns=[0, 1, 2, 3], priorities=[1, 4, 2, 3])
    asked.engine.finish()
    assert [answer["turnNumber"] for answer in asked.answers] == [1, 3, 2, 0]


def test_searches_share_batches_and_find_what_they_find_alone() -> None:
    alone: list[dict[str, Any]] = []
    for turn in range(4):
        alone.append(Asked(batch=1).answer(moves=OPENING, analyzeTurns=[turn], maxVisits=20))
    together = Asked(batch=1, parallel=4)
    together.answer(moves=OPENING, analyzeTurns=[0, 1, 2, 3], maxVisits=20)
    assert sorted(together.answers, key=lambda answer: answer["turnNumber"]) == alone
    evaluator = together.player.evaluator
    assert isinstance(evaluator, StonesEvaluator)
    assert max(len(batch) for batch in evaluator.batches) == 4
    assert len(evaluator.batches) <= 25


def test_boards_of_different_sizes_are_searched_side_by_side() -> None:
    asked = Asked(parallel=4)
    asked.ask(id="small", boardXSize=5, boardYSize=7)
    asked.ask(id="large", boardXSize=13, boardYSize=13)
    asked.engine.finish()
    assert sorted(answer["id"] for answer in asked.answers) == ["large", "small"]


# ------------------------------------------------------------------------------------------------- termination


def test_terminate_ends_a_search_with_what_it_found() -> None:
    asked = Asked(parallel=1)
    asked.ask(id="long", maxVisits=100_000)
    for _ in range(3):
        asked.engine.step()
    asked.ask(id="waiting")
    asked.engine.receive('{"id": "t", "action": "terminate", "terminateId": "long"}')
    assert asked.answers == [{"id": "t", "action": "terminate", "terminateId": "long"}]
    asked.engine.finish()
    assert [answer["id"] for answer in asked.answers] == ["t", "long", "waiting"]
    assert 0 < asked.answers[1]["rootInfo"]["visits"] < 1000


def test_terminate_of_what_waits_answers_that_there_is_nothing() -> None:
    asked = Asked(parallel=1)
    asked.ask(id="a", maxVisits=50)
    asked.ask(id="b", moves=OPENING, analyzeTurns=[1, 2, 3])
    asked.engine.step()
    asked.engine.receive('{"id": "t", "action": "terminate", "terminateId": "b", "turnNumbers": [3, 1]}')
    nothing = [answer for answer in asked.answers if answer.get("noResults")]
    assert nothing == [{"id": "b", "turnNumber": turn, "isDuringSearch": False, "noResults": True} for turn in (1, 3)]
    asked.engine.finish()
    assert [(answer["id"], answer["turnNumber"]) for answer in asked.answers[-2:]] == [("a", 0), ("b", 2)]


def test_terminate_all_leaves_nothing_to_do() -> None:
    asked = Asked(parallel=2)
    for name in "abcd":
        asked.ask(id=name, maxVisits=10_000)
    asked.engine.step()
    asked.engine.receive('{"id": "t", "action": "terminate_all"}')
    asked.engine.finish()
    assert sorted(answer["id"] for answer in asked.answers) == ["a", "b", "c", "d", "t"]
    assert not asked.engine.busy


def test_terminate_of_an_unknown_id_is_answered_back() -> None:
    asked = Asked()
    asked.engine.receive('{"id": "t", "action": "terminate", "terminateId": "nobody", "extra": [1]}')
    assert asked.answers == [{"id": "t", "action": "terminate", "terminateId": "nobody", "extra": [1]}]


# ----------------------------------------------------------------------------------------- reports under way


def test_reports_during_a_search_come_at_their_times_and_one_answer_at_the_end() -> None:
    asked = Asked(parallel=1)
    asked.ask(maxVisits=40, reportDuringSearchEvery=2.0)
    while asked.engine.busy:
        asked.now += 1.0
        asked.engine.step()
    during = [answer for answer in asked.answers if answer["isDuringSearch"]]
    assert len(during) >= 2
    visits = [answer["rootInfo"]["visits"] for answer in asked.answers]
    assert visits == sorted(visits)
    assert [answer["isDuringSearch"] for answer in asked.answers] == [True] * len(during) + [False]


def test_the_first_report_has_a_time_of_its_own() -> None:
    asked = Asked(parallel=1)
    asked.ask(maxVisits=40, firstReportDuringSearchAfter=1.0)
    while asked.engine.busy:
        asked.now += 1.0
        asked.engine.step()
    assert sum(answer["isDuringSearch"] for answer in asked.answers) == 1


def test_time_ends_a_search() -> None:
    answer = Asked().answer(maxVisits=10**12, overrideSettings={"maxTime": 0.001})
    assert answer["rootInfo"]["visits"] >= 1


# ------------------------------------------------------------------------------------------ points of view


def test_b43_the_player_named_moves_and_only_the_moves_allowed_are_shown() -> None:
    allowed = [{"player": "W", "moves": ["E5"], "untilDepth": 1}]
    answer = Asked(settings=Settings(view="SIDETOMOVE")).answer(
        initialPlayer="W", allowMoves=allowed, maxVisits=10, initialStones=[["B", "C3"], ["W", "G7"], ["W", "G6"]]
    )
    assert [info["move"] for info in answer["moveInfos"]] == ["E5"]
    assert answer["rootInfo"]["currentPlayer"] == "W"
    black = Asked(settings=Settings(view="SIDETOMOVE")).answer(
        initialPlayer="B", allowMoves=allowed, maxVisits=10, initialStones=[["B", "C3"], ["W", "G7"], ["W", "G6"]]
    )
    assert len(black["moveInfos"]) > 1  # a restriction binds the side that it names


def test_avoided_moves_are_not_shown() -> None:
    avoid = [{"player": "B", "moves": ["E5", "pass"], "untilDepth": 1}]
    answer = Asked().answer(avoidMoves=avoid, maxVisits=60)
    assert not {"E5", "pass"} & {info["move"] for info in answer["moveInfos"]}


@pytest.mark.parametrize("view", ["BLACK", "WHITE", "SIDETOMOVE"])
@pytest.mark.parametrize("player", ["B", "W"])
def test_b45_one_view_for_all_numbers(view: str, player: str) -> None:
    """The same search told to another is the same with every number of two sides turned."""
    fields: dict[str, Any] = {"initialPlayer": player, "maxVisits": 30, "includeOwnership": True, "includePolicy": True}
    fields |= {"initialStones": [["B", "C3"], ["W", "G7"], ["B", "D3"]], "includeMovesOwnership": True}
    told = Asked(batch=1, settings=Settings(view=view)).answer(**fields)
    own = Asked(batch=1, settings=Settings(view="SIDETOMOVE")).answer(**fields)
    sign = 1 if view == "SIDETOMOVE" or view[0] == player else -1

    def seen(info: dict[str, Any]) -> dict[str, float]:
        turned = {str(name): sign * info[name] for name in ("utility", "scoreLead", "scoreSelfplay") if name in info}
        for name in ("winrate", "lcb"):
            if name in info:
                turned[name] = info[name] if sign > 0 else 1 - info[name]
        return turned

    for mine, other in zip([told["rootInfo"], *told["moveInfos"]], [own["rootInfo"], *own["moveInfos"]], strict=True):
        assert {name: mine[name] for name in seen(other)} == pytest.approx(seen(other), abs=1e-6)
        assert 0 <= mine["winrate"] <= 1
    assert told["ownership"] == pytest.approx([sign * point for point in own["ownership"]])
    assert told["moveInfos"][0]["ownership"] == pytest.approx([sign * p for p in own["moveInfos"][0]["ownership"]])
    assert told["policy"] == own["policy"]


def test_b45_a_game_is_told_from_one_side_all_along() -> None:
    """Ownership for Black keeps its sign from turn to turn; for the player to move it changes."""
    player = SearchingPlayer(OwnershipEvaluator(0.5))
    for view, signs in (("BLACK", [1, 1, 1]), ("WHITE", [-1, -1, -1]), ("SIDETOMOVE", [-1, 1, -1])):
        asked = Asked(player, Settings(view=view))
        asked.ask(moves=OPENING, analyzeTurns=[1, 2, 3], includeOwnership=True, maxVisits=1)
        asked.engine.finish()
        answers = sorted(asked.answers, key=lambda answer: answer["turnNumber"])
        assert [answer["ownership"][4 * 9 + 4] for answer in answers] == [0.5 * sign for sign in signs]


# ------------------------------------------------------------------------------------------------- settings


def test_settings_of_a_query_go_before_those_of_the_engine() -> None:
    asked = Asked(settings=Settings(view="BLACK", max_visits=3))
    base: dict[str, Any] = {"maxVisits": ..., "moves": [["B", "E5"]]}
    assert asked.answer(**base)["rootInfo"]["visits"] == 3
    assert asked.answer(**base, overrideSettings={"maxVisits": "5"})["rootInfo"]["visits"] == 5
    both = asked.answer(moves=[["B", "E5"]], maxVisits=6, overrideSettings={"maxVisits": 5})
    assert both["rootInfo"]["visits"] == 6
    white = asked.answer(**base, overrideSettings={"reportAnalysisWinratesAs": "white"})
    assert white["rootInfo"]["rawWinrate"] == pytest.approx(1 - both["rootInfo"]["rawWinrate"], abs=1e-6)


def test_options_reach_the_search() -> None:
    asked = Asked()
    asked.answer(overrideSettings={"cpuctExploration": 2.5, "rootSymmetryPruning": "false"}, rootFpuReductionMax=0.5)
    config: Any = asked.player.made[-1].config  # type: ignore[attr-defined]
    assert (config.cpuct, config.symmetry_pruning, config.root_fpu_reduction) == (2.5, False, 0.5)


@pytest.mark.parametrize(
    ("settings", "word"),
    [
        ({"maxVisits": "x"}, "Could not parse 'x'"),
        ({"maxVisits": 0}, "must be in the range 1 to"),
        ({"maxVisits": None}, "Could not parse"),
        ({"maxVisits": 1.5}, "whole number"),
        ({"maxTime": -1}, "must be in the range 0 to"),
        ({"reportAnalysisWinratesAs": "XX"}, "Could not parse config value"),
        ({"cpuctExploration": -1}, "cpuct cannot be -1"),
        ({"cpuctExploration": [1]}, "as a number"),
        ({"conservativePass": "maybe"}, "as bool"),
        ({"ignorePreRootHistory": 3}, "as bool"),
    ],
)
def test_a_setting_that_cannot_be_is_an_error_of_its_field(settings: dict[str, Any], word: str) -> None:
    answer = Asked().answer(overrideSettings=settings)
    assert answer["error"].startswith("Could not set settings: ")
    assert word in answer["error"]
    assert (answer["id"], answer["field"]) == ("q", "overrideSettings")


def test_what_a_search_does_not_offer_is_a_warning_and_the_rest_is_answered() -> None:
    asked = Asked(SearchingPlayer(katago=False))
    asked.answer(rootPolicyTemperature=1.5, overrideSettings={"wideRootNoise": 0.04}, includeNoResultValue=True)
    assert [answer.get("field") for answer in asked.answers] == [
        "rootPolicyTemperature",
        "overrideSettings",
        "includeNoResultValue",
        None,
    ]
    assert "rootInfo" in asked.answers[-1]


def test_unused_fields_may_be_taken_in_silence() -> None:
    asked = Asked(settings=Settings(warn_unused=False))
    asked.answer(fromSomewhere=1)
    assert len(asked.answers) == 1


def test_a_board_that_no_network_fits_is_an_error_of_the_size() -> None:
    answer = Asked(SearchingPlayer(sizes=(5,))).answer()
    assert (answer["id"], answer["field"]) == ("q", "boardXSize")


# -------------------------------------------------------------------------------------------------- actions


def test_version_models_and_caches() -> None:
    asked = Asked(models=[{"name": "net", "version": 8}])
    for action in ("query_version", "query_models", "clear_cache"):
        asked.engine.receive(json.dumps({"id": "a", "action": action, "more": 1}))
    version, models, cleared = asked.answers
    assert version["action"] == "query_version" and version["more"] == 1 and version["git_hash"] and version["version"]
    assert models["models"] == [{"name": "net", "version": 8}]
    assert cleared == {"id": "a", "action": "clear_cache", "more": 1}


class ForgetfulEvaluator(StonesEvaluator):
    def __init__(self) -> None:
        super().__init__()
        self.cleared = 0

    def clear(self) -> None:
        self.cleared += 1


def test_clear_cache_clears_what_has_a_cache() -> None:
    evaluator = ForgetfulEvaluator()
    asked = Asked(SearchingPlayer(evaluator))
    asked.answer()
    asked.engine.receive('{"id": "c", "action": "clear_cache"}')
    assert evaluator.cleared == 1


# --------------------------------------------------------------------------------------------------- faults


class BrokenEvaluator:
    def __init__(self, error: Exception) -> None:
        self.error = error

    def evaluate(self, boards: Any) -> Evaluations:
        raise self.error


def test_an_evaluator_that_fails_is_told_to_each_query_and_the_engine_goes_on() -> None:
    asked = Asked(SearchingPlayer(BrokenEvaluator(EvaluationError("the network\nis damaged"))))
    asked.ask(id="a")
    asked.ask(id="b", moves=OPENING)
    asked.engine.finish()
    said = {(answer["id"], answer["turnNumber"], answer["error"]) for answer in asked.answers}
    assert said == {("a", 0, "the network is damaged"), ("b", 3, "the network is damaged")}
    assert not asked.engine.busy


def test_a_defect_is_told_as_such(capsys: pytest.CaptureFixture[str]) -> None:
    answer = Asked(SearchingPlayer(BrokenEvaluator(ZeroDivisionError("oh")))).answer()
    assert answer["error"] == "internal error: ZeroDivisionError: oh"
    assert "ZeroDivisionError" in capsys.readouterr().err


def test_a_number_beyond_all_bounds_is_no_number_of_json(capsys: pytest.CaptureFixture[str]) -> None:
    asked = Asked()
    asked.engine.receive('{"id": "a", "action": "query_version", "more": 1e999}')
    assert "1e999 is too great a number" in asked.answers[0]["error"]
    assert capsys.readouterr().err == ""


def test_an_action_too_deep_to_be_answered_back_is_an_error_with_its_id(capsys: pytest.CaptureFixture[str]) -> None:
    def write(answer: dict[str, Any]) -> None:
        if "error" not in answer:
            raise RecursionError
        answers.append(answer)

    answers: list[dict[str, Any]] = []
    Engine(SearchingPlayer(), write).receive('{"id": "a", "action": "query_version"}')
    assert answers == [{"error": "The request is nested too deeply", "id": "a"}]
    assert capsys.readouterr().err == ""
