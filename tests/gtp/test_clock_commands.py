"""Time systems as controllers tell them."""

from __future__ import annotations

import pytest

from move37.gtp.engine import Engine
from move37.gtp.protocol import Protocol
from move37.players.player import Clock, TimeSystem
from tests.support.gtp_session import plain_player
from tests.support.players import ScriptedPlayer


def session() -> tuple[Protocol, ScriptedPlayer]:
    player = ScriptedPlayer()
    return Engine(player, size=9).protocol(), player


@pytest.mark.parametrize(
    ("line", "system"),
    [
        ("kata-time_settings none", TimeSystem()),
        ("kata-time_settings absolute 30.5", TimeSystem("absolute", main=30.5)),
        ("kata-time_settings byoyomi 30 5 3", TimeSystem("byo-yomi", main=30, period=5, periods=3)),
        ("kata-time_settings canadian 30 5 3", TimeSystem("canadian", main=30, period=5, stones=3)),
        ("kata-time_settings fischer 30 5", TimeSystem("fischer", main=30, increment=5)),
        ("kata-time_settings fischer-capped 30 5 60 10", TimeSystem("fischer", main=30, increment=5, cap=60)),
        ("kata-time_settings fischer-capped 30 5 -1 -1", TimeSystem("fischer", main=30, increment=5)),
        ("kgs-time_settings none", TimeSystem()),
        ("kgs-time_settings absolute 300", TimeSystem("absolute", main=300)),
        ("kgs-time_settings byoyomi 300 30 5", TimeSystem("byo-yomi", main=300, period=30, periods=5)),
        ("kgs-time_settings canadian 300 30 10", TimeSystem("canadian", main=300, period=30, stones=10)),
        ("time_settings 300 30 10", TimeSystem("canadian", main=300, period=30, stones=10)),
        ("time_settings 300 0 0", TimeSystem("absolute", main=300)),
        ("time_settings 0 1 0", TimeSystem()),
    ],
)
def test_the_player_gets_the_system_for_both_sides_and_what_is_left(line: str, system: TimeSystem) -> None:
    protocol, player = session()
    assert protocol.respond("time_left b 7 1") == "= \n\n"
    assert protocol.respond(line) == "= \n\n"
    for command in ("genmove b", "time_left w 12.5 3", "genmove w"):
        protocol.respond(command)
    assert player.clocks == [Clock(system), Clock(system, 12.5, 3)]


@pytest.mark.parametrize("line", [
    "kata-time_settings", "kata-time_settings hourglass 3", "kata-time_settings absolute",
    "kata-time_settings absolute -3", "kata-time_settings absolute 1 2", "kata-time_settings fischer 30",
    "kata-time_settings byoyomi 30 5", "kata-time_settings byoyomi 30 5 0", "kata-time_settings byoyomi 30 5 1.5",
    "kata-time_settings canadian 30 5 3 1", "kata-time_settings fischer-capped 30 5 60", "kgs-time_settings",
    "kata-time_settings absolute nan", "kata-time_settings absolute 1e20", "kgs-time_settings fischer 30 5",
    "time_left b 1", "time_left b x 1", "time_left q 1 1", "time_settings 1 2 -3",
])  # fmt: skip
def test_what_is_no_time_system_is_refused_and_changes_nothing(line: str) -> None:
    protocol, player = session()
    protocol.respond("kata-time_settings fischer 30 5")
    answer = protocol.respond(line)
    assert answer is not None and answer.startswith("? ") and len(answer) > 5
    protocol.respond("genmove b")
    assert player.clocks == [Clock(TimeSystem("fischer", main=30, increment=5))]


def test_clocks_are_told() -> None:
    protocol, _ = session()
    protocol.respond("kata-time_settings fischer-capped 30 5 60 10")
    protocol.respond("time_left w 12 0")
    assert protocol.respond("kata-debug-print-tc") == (
        "= Black fischer main 30 increment 5 cap 60 left unknown\n"
        "White fischer main 30 increment 5 cap 60 left 12 stones 0\n\n"
    )
    assert protocol.respond("kata-list_time_settings") == (
        "= none absolute byoyomi canadian fischer fischer-capped\n\n"
    )


def test_the_longest_time_of_a_move_ends_its_search() -> None:
    protocol = Engine(plain_player(visits=10**6), size=5).protocol()
    assert protocol.respond("kata-time_settings fischer-capped 3000 5 -1 0") == "= \n\n"
    answer = protocol.respond("kata-genmove_analyze b 100000")
    assert answer is not None and "\nplay " in answer


class PreparingPlayer(ScriptedPlayer):
    """Notes for which boards it got ready."""

    def __init__(self) -> None:
        super().__init__()
        self.ready: list[tuple[int, int]] = []

    def prepare(self, rows: int, cols: int) -> None:
        self.ready.append((rows, cols))


def test_the_player_gets_ready_once_for_each_board_when_time_is_told() -> None:
    player = PreparingPlayer()
    protocol = Engine(player, size=9).protocol()
    lines = ["kata-time_settings none", "time_settings 30 0 0", "kata-time_settings fischer 30 5", "boardsize 5 4"]
    for line in [*lines, "kgs-time_settings absolute 30", "boardsize 9", "time_settings 30 0 0"]:
        assert protocol.respond(line) == "= \n\n"
    assert player.ready == [(9, 9), (4, 5)]
