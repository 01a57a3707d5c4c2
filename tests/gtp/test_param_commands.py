"""Settings that controllers change between moves: each does something, and what is wrong changes nothing."""

from __future__ import annotations

import json

import pytest

from move37.gtp.engine import Engine
from move37.gtp.protocol import Protocol
from move37.players.presets import policy
from move37.rules.position import Position
from tests.support.gtp_session import PlainEvaluator, plain_player
from tests.support.players import ScriptedPlayer


def session(visits: int = 16) -> Protocol:
    return Engine(plain_player(visits), size=5).protocol()


def told(protocol: Protocol, line: str) -> str:
    answer = protocol.respond(line)
    assert answer is not None and answer.startswith("="), answer
    return answer.lstrip("= ").strip()


@pytest.mark.parametrize(
    ("name", "value", "shown"),
    [
        ("maxVisits", "7", 7),
        ("maxVisits", "0", 400),
        ("maxTime", "2.5", 2.5),
        ("lagBuffer", "0.5", 0.5),
        ("maxVisitsPondering", "100", 100),
        ("maxVisitsPondering", "0", 2**50),
        ("maxTimePondering", "3", 3.0),
        ("maxTimePondering", "1e20", 1e20),
        ("ponderingEnabled", "true", True),
        ("resignThreshold", "-0.75", -0.75),
        ("resignThreshold", "-1", -1.0),
        ("resignConsecTurns", "2", 2),
        ("analysisPVLen", "3", 3),
        ("reportAnalysisWinratesAs", "black", "BLACK"),
        ("reportAnalysisWinratesAs", "SIDETOMOVE", "SIDETOMOVE"),
    ],
)
def test_what_is_set_is_told_and_listed(name: str, value: str, shown: object) -> None:
    protocol = session()
    assert told(protocol, f"kata-set-param {name} {value}") == ""
    one = told(protocol, f"kata-get-param {name}")
    assert (one if isinstance(shown, str) else json.loads(one)) == shown
    every = json.loads(told(protocol, "kata-get-params"))
    assert every[name] == shown
    assert told(protocol, "kata-list-params").split() == list(every)


@pytest.mark.parametrize("line", [
    "kata-set-param", "kata-set-param maxVisits", "kata-set-param maxVisits many", "kata-set-param maxVisits -1",
    "kata-set-param nosuch 1", "kata-get-param", "kata-get-param nosuch", "kata-set-param ponderingEnabled maybe",
    "kata-set-param resignThreshold 0.5", "kata-set-param resignThreshold nan", "kata-set-param resignConsecTurns 0",
    "kata-set-param reportAnalysisWinratesAs me", "kata-set-param maxTime -1", "kata-set-param maxVisits 1 2",
    "kata-set-param lagBuffer -1", "lz-setoption name Visits", "lz-setoption Visits value 3",
    "lz-setoption name Nothing value 3", "lz-setoption name Visits value x",
])  # fmt: skip
def test_what_is_wrong_is_refused_and_changes_nothing(line: str) -> None:
    protocol = session()
    before = told(protocol, "kata-get-params")
    answer = protocol.respond(line)
    assert answer is not None and answer.startswith("? ")
    assert told(protocol, "kata-get-params") == before


def test_visits_count_from_the_next_move_on() -> None:
    protocol = session(visits=16)
    told(protocol, "kata-set-param maxVisits 5")
    assert " edgeVisits 4 " in told(protocol, "kata-search_analyze b 100000 maxmoves 1")
    told(protocol, "lz-setoption name visits value 9")
    assert " edgeVisits 8 " in told(protocol, "kata-search_analyze b 100000 maxmoves 1")


def test_the_resignation_threshold_is_used() -> None:
    protocol = session()
    told(protocol, "gogui-setup w a1 w b1 w c1 w d1 w e1 w a3 w b3 w c3 w d3 w e3 w a5 w c5 w e5")
    told(protocol, "kata-set-param resignConsecTurns 1")
    for _ in range(10):
        told(protocol, "gogui-play_sequence b pass w pass")
    assert told(protocol, "kata-search b") != "resign"
    told(protocol, "kata-set-param resignThreshold -0.01")
    assert told(protocol, "kata-search b") == "resign"
    told(protocol, "kata-set-param resignThreshold -1")
    assert told(protocol, "kata-search b") != "resign"


def test_variations_are_cut_to_the_length_asked_for() -> None:
    protocol = session()
    told(protocol, "kata-set-param analysisPVLen 2")
    line = told(protocol, "kata-search_analyze b 100000 maxmoves 1")
    assert len(line.partition(" pv ")[2].partition("\n")[0].split()) == 2


def test_clear_cache_forgets_the_tree() -> None:
    player, position = plain_player(), Position(5)
    protocol = Engine(player, size=5).protocol()
    for line, reused in (("name", 16), ("clear_cache", 0)):
        told(protocol, "kata-search b")
        told(protocol, line)
        assert player.choose(position).tree.reused_visits == reused
    assert told(protocol, "gomill-explain_last_move") == ""


def test_players_without_search_have_no_settings_of_one() -> None:
    for player in (ScriptedPlayer(), policy(net=PlainEvaluator())):
        commands = Engine(player, size=5).protocol().commands
        assert not {"kata-set-param", "lz-setoption", "lz-analyze", "clear_cache", "kata-benchmark"} & set(commands)


def test_models_are_told_as_json() -> None:
    assert json.loads(told(session(), "kata-get-models")) == []
