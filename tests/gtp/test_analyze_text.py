"""Reports as text: every field as the search has it, nothing that it does not know, and how views change."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import numpy as np
import pytest

from move37.gtp.analyze_arguments import AnalyzeRequest
from move37.gtp.analyze_text import View, cgos_json, katago_line, leela_line, move_infos
from move37.rules.color import Color
from move37.search.result import Analysis, SearchResult

NAN = float("nan")
NAMES = ["A1", "B1", "C1", "pass"]
REQUEST = AnalyzeRequest(Color.BLACK)
SAME = View()


def name(move: int) -> str:
    return NAMES[move]


def result(scores: bool = True) -> SearchResult:
    """A board of one row and three columns: B1 was searched most, A1 a little, C1 and pass not at all."""
    known = np.array([-2.0, 1.5, NAN, NAN]) if scores else np.full(4, NAN)
    analysis = Analysis(
        winrates=np.array([0.25, 0.75, NAN, NAN]),
        leads=known,
        scores=known / 2,
        utilities=np.array([-0.5, 0.5, NAN, NAN]),
        lcbs=np.array([-0.1, 0.625, NAN, NAN]),
        weights=np.array([1.0, 6.5, NAN, NAN]),
        choice_values=np.array([1.0, 7.0, 0.0, 0.0]),
        variations={0: (0,), 1: (1, 0, 3)},
        winrate=0.625,
        lead=1.0 if scores else NAN,
        score=0.5 if scores else NAN,
        score_stdev=3.0 if scores else NAN,
        utility=0.25,
        weight=8.0,
        ownership=np.array([[0.5, -1.0, 0.0]], np.float32) if scores else None,
        ownership_stdev=np.array([[0.125, 0.0, 0.25]], np.float32) if scores else None,
        move_ownership={1: np.array([[1.0, -1.0, 0.25]], np.float32)} if scores else {},
        pv_visits={0: (1,), 1: (7, 3, 1)},
        utility_lcbs=np.array([-0.75, 0.25, NAN, NAN]),
        score_stdevs=np.array([4.0, 5.0, NAN, NAN]) if scores else None,
    )
    return SearchResult(
        visits=np.array([1, 7, 0, 0], np.int32),
        q=np.array([-0.5, 0.5, NAN, NAN], np.float32),
        priors=np.array([0.125, 0.5, 0.25, 0.125], np.float32),
        value=0.25,
        network_value=0.0,
        root_visits=9,
        reused_visits=0,
        variation=(1, 0, 3),
        evaluations=9,
        nodes=9,
        seconds=0.5,
        analysis=analysis,
    )


def test_leela_zeros_line() -> None:
    assert leela_line(result(), REQUEST, SAME, name, None) == (
        "info move B1 visits 7 winrate 7500 prior 5000 lcb 6250 order 0 pv B1 A1 pass "
        "info move A1 visits 1 winrate 2500 prior 1250 lcb 0 order 1 pv A1"
    )


def test_katagos_line_has_its_fields_in_its_order() -> None:
    line = katago_line(result(), replace(REQUEST, maxmoves=1), SAME, name, None)
    assert line == (
        "info move B1 visits 7 edgeVisits 7 utility 0.500000 winrate 0.750000 scoreMean 1.500000 scoreStdev 5.000000 "
        "scoreLead 1.500000 scoreSelfplay 0.750000 prior 0.500000 lcb 0.625000 utilityLcb 0.250000 weight 6.500000 "
        "order 0 pv B1 A1 pass"
    )


def test_everything_that_may_be_asked_for() -> None:
    request = replace(REQUEST, maxmoves=1, ownership=True, ownership_stdev=True, moves_ownership=True, pv_visits=True)
    line = katago_line(result(), replace(request, root_info=True, no_result=True), SAME, name, 2)
    assert line.partition(" order ")[2] == (
        "0 pv B1 A1 pvVisits 7 3 movesOwnership 1.0000 -1.0000 0.2500 rootInfo visits 9 utility 0.250000 "
        "winrate 0.625000 scoreMean 1.000000 scoreStdev 3.000000 scoreLead 1.000000 scoreSelfplay 0.500000 "
        "weight 8.000000 ownership 0.5000 -1.0000 0.0000 ownershipStdev 0.1250 0.0000 0.2500"
    )


def test_what_the_search_does_not_know_is_left_out() -> None:
    request = replace(REQUEST, root_info=True, ownership=True, ownership_stdev=True, moves_ownership=True)
    line = katago_line(result(scores=False), request, SAME, name, None)
    assert not re.search("score|wnership|nan", line)
    assert "rootInfo visits 9 utility 0.250000 winrate 0.625000 weight 8.000000" in line


def test_without_a_move_nothing_is_told() -> None:
    request = replace(REQUEST, maxmoves=0, root_info=True, ownership=True)
    assert katago_line(result(), request, SAME, name, None) == ""


def test_moves_without_visits_are_told_where_asked_for_with_the_roots_values() -> None:
    infos = move_infos(result(), replace(REQUEST, minmoves=3), SAME)
    assert [(info.move, info.order, info.visits) for info in infos] == [(1, 0, 7), (0, 1, 1), (2, 2, 0)]
    last = infos[2]
    assert (last.winrate, last.utility, last.lead, last.lcb, last.line) == (0.625, 0.25, 1.0, 0.0, (2,))
    assert last.utility_lcb is None and last.score_stdev is None
    assert move_infos(result(), replace(REQUEST, maxmoves=0), SAME) == []


def test_b45_another_view_turns_every_value_and_nothing_else() -> None:
    request = replace(REQUEST, ownership=True, root_info=True, moves_ownership=True, minmoves=4)
    own = katago_line(result(), request, View.of(Color.WHITE, Color.WHITE), name, None).split()
    other = katago_line(result(), request, View.of(Color.WHITE, Color.BLACK), name, None).split()
    assert View.of(Color.BLACK, None) == SAME
    key = ""
    for mine, theirs in zip(own, other, strict=True):
        if re.fullmatch(r"[a-zA-Z]{4,}|lcb|pv|info", mine):
            key = mine
        if re.fullmatch(r"-?\d+\.\d+", mine) and key in ("winrate", "lcb"):
            assert 0 <= float(mine) <= 1 and 0 <= float(theirs) <= 1
            if key == "winrate":
                assert float(mine) + float(theirs) == pytest.approx(1)
        elif key in ("utility", "utilityLcb", "scoreLead", "scoreMean", "scoreSelfplay", "ownership", "movesOwnership"):
            assert mine == theirs or float(mine) == -float(theirs)
        else:
            assert mine == theirs


def test_the_json_of_cgos_reads_back() -> None:
    told = json.loads(cgos_json(result(), REQUEST, name))
    assert told["winrate"] == 0.625 and told["visits"] == 9 and told["score"] == 1.0
    assert told["moves"][0] == {
        "move": "B1", "winrate": 0.75, "score": 1.5, "prior": 0.5, "visits": 7, "pv": "A1 pass"
    }  # fmt: skip
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    assert [letters.index(letter) / 31 - 1 for letter in told["ownership"]] == pytest.approx([0.5, -1, 0], abs=0.02)
    without = json.loads(cgos_json(result(scores=False), REQUEST, name))
    assert "score" not in without and "ownership" not in without and "score" not in without["moves"][0]
