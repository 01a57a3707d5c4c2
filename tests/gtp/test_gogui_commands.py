"""GoGui's own commands: boards set up, moves played in a row, pictures that GoGui can draw."""

from __future__ import annotations

import re

import pytest

from move37.gtp.engine import Engine
from move37.gtp.protocol import Protocol
from move37.players.presets import policy, random
from move37.rules.color import Color
from tests.support.gtp_session import PlainEvaluator, plain_player
from tests.support.networks import katago_network, small_network
from tests.support.players import ScriptedPlayer


def ask(protocol: Protocol, line: str) -> str:
    answer = protocol.respond(line)
    assert answer is not None and answer.startswith("= "), answer
    return answer[2:].strip()


def test_stones_are_added_to_the_board_and_a_new_history_begins() -> None:
    engine = Engine(ScriptedPlayer(), size=5)
    protocol = engine.protocol()
    ask(protocol, "play b c3")
    ask(protocol, "gogui-setup b a1 w b1 w b2")
    position = engine.position
    assert (position.stones > 0).sum() == 4 and position.moves == []
    assert position.to_play is Color.WHITE  # as before: only gogui-setup_player changes it
    ask(protocol, "gogui-setup_player b")
    assert engine.position.to_play is Color.BLACK and (engine.position.stones > 0).sum() == 4
    assert protocol.respond("undo") == "? cannot undo\n\n"


@pytest.mark.parametrize("line", [
    "gogui-setup b", "gogui-setup b pass", "gogui-setup b a1 w a1", "gogui-setup x a1", "gogui-setup b a1 w a2 w b1",
    "gogui-setup_player", "gogui-setup_player red", "gogui-play_sequence b", "gogui-play_sequence b c3 w c3",
    "gogui-play_sequence b z9",
])  # fmt: skip
def test_what_cannot_be_is_refused_and_the_game_stays(line: str) -> None:
    engine = Engine(ScriptedPlayer(), size=5)
    protocol = engine.protocol()
    ask(protocol, "play b d4")
    before = engine.position.copy()
    answer = protocol.respond(line)
    assert answer is not None and answer.startswith("? ")
    assert engine.position == before and engine.position.moves == before.moves


def test_a_sequence_of_moves_is_played() -> None:
    engine = Engine(ScriptedPlayer(), size=5)
    ask(engine.protocol(), "gogui-play_sequence b c3 w pass b d3")
    assert [color.letter for color, _ in engine.position.moves] == ["B", "W", "B"]


@pytest.mark.parametrize("player", [
    random(seed=1), policy(net=PlainEvaluator()), plain_player(), plain_player(scores=False)
])  # fmt: skip
def test_every_picture_that_is_offered_can_be_drawn(player: object) -> None:
    protocol = Engine(player, size=5).protocol()  # type: ignore[arg-type]
    offered = ask(protocol, "gogui-analyze_commands").split("\n")
    for line in offered:
        kind, label, command = line.split("/", 2)
        assert label and kind in ("gfx", "varc", "string", "hstring", "plist")
        ask(protocol, "play b c3")
        answer = protocol.respond(command.replace("%c", "w"))
        if command == "move37-ownership" and answer is not None and answer.startswith("? this network does not"):
            ask(protocol, "undo")
            continue
        assert answer is not None and answer.startswith("= "), (command, answer)
        if kind == "gfx":
            for drawn in answer[2:].strip().split("\n"):
                pattern = r"COLOR #[0-9a-f]{6} [A-E][1-5]|LABEL [A-E][1-5] \S+|TEXT .+"
                assert re.fullmatch(rf"{pattern}|INFLUENCE( [A-E][1-5] -?[01]\.\d+){{25}}", drawn), drawn
        ask(protocol, "undo")


def test_pictures_of_a_search_are_of_the_position_on_the_board() -> None:
    protocol = Engine(plain_player(), size=5).protocol()
    ask(protocol, "play b a5")
    first = ask(protocol, "move37-visits")
    assert first == ask(protocol, "move37-visits")  # the same search, not another one
    ask(protocol, "play w c3")
    assert "A5" not in ask(protocol, "move37-visits") and "A5" not in first
    assert not ask(protocol, "move37-variation w").startswith("C3")


def test_the_ownership_picture_is_blacks_whoever_is_to_move() -> None:
    protocol = Engine(plain_player(), size=5).protocol()
    ask(protocol, "play b c3")
    assert " C3 0.750 " in ask(protocol, "move37-ownership")
    ask(protocol, "gogui-setup_player b")
    assert " C3 0.750 " in ask(protocol, "move37-ownership")
    assert ask(protocol, "gogui-title") == "move37 katago"


def test_ownership_is_offered_only_by_networks_that_foretell_it() -> None:
    for net, offered in ((small_network(), False), (katago_network(), True)):
        protocol = Engine(policy(net=net), size=5).protocol()
        assert ("move37-ownership" in protocol.commands) == offered
        assert ("move37-ownership" in ask(protocol, "gogui-analyze_commands")) == offered
