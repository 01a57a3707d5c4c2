"""The engine's state: what commands keep, what players are shown, and that nothing a controller writes can break it."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from move37.errors import NetworkFileError, PlayerError, RulesError
from move37.gtp.engine import Engine, Identity
from move37.gtp.handicap import free_handicap_points
from move37.gtp.protocol import Protocol
from move37.players.player import Clock, TimeSystem
from move37.rules.color import Color
from move37.rules.position import Position
from tests.support.players import FailingPlayer, ScriptedPlayer

ELEVEN = {
    "protocol_version", "name", "version", "known_command", "list_commands", "quit", "boardsize", "clear_board", "komi",
    "play", "genmove",
}  # fmt: skip
FURTHER = {
    "undo", "showboard", "final_score", "fixed_handicap", "place_free_handicap", "set_free_handicap", "time_settings",
    "time_left", "get_komi", "final_status_list", "move37-explain_score", "kata-get-rules", "kata-set-rules",
    "kata-set-rule", "kgs-rules", "set_position", "rectangular_boardsize", "loadsgf", "printsgf", "reg_genmove",
    "kgs-genmove_cleanup", "kgs-time_settings", "kata-time_settings", "kata-list_time_settings", "kata-debug-print-tc",
    "cputime", "gomill-cpu_time", "gomill-describe_engine", "stop", "gogui-analyze_commands", "gogui-title",
    "gogui-interrupt", "gogui-setup", "gogui-setup_player", "gogui-play_sequence",
}  # fmt: skip


def test_the_commands_are_those_that_work(tmp_path: Path) -> None:
    protocol = Engine(ScriptedPlayer(), size=9).protocol()
    assert set(protocol.commands) == ELEVEN | FURTHER
    arguments = {"boardsize": "9", "komi": "5", "play": "b c3", "genmove": "w", "fixed_handicap": "2", "quit": ""}
    arguments |= {
        "place_free_handicap": "2",
        "set_free_handicap": "a1 b1",
        "time_settings": "1 2 3",
        "time_left": "b 1 2",
        "final_status_list": "dead",
        "kata-set-rules": "aga",
        "kata-set-rule": "ko simple",
        "kgs-rules": "japanese",
        "rectangular_boardsize": "9 7",
        "reg_genmove": "b",
        "kgs-genmove_cleanup": "b",
        "kgs-time_settings": "none",
        "kata-time_settings": "fischer 30 5",
        "gogui-setup": "b a1",
        "gogui-setup_player": "w",
        "gogui-play_sequence": "b a1 w b1",
        "loadsgf": str(tmp_path / "game.sgf"),
    }
    (tmp_path / "game.sgf").write_text("(;SZ[9];B[ee])", encoding="utf-8")
    for name in protocol.commands:
        protocol.respond("clear_board")
        if name == "undo":
            protocol.respond("play b a1")
        answer = protocol.respond(f"{name} {arguments.get(name, '')}")
        assert answer is not None and answer.startswith("="), name


def test_name_and_version_are_the_identity() -> None:
    protocol = Engine(ScriptedPlayer(), identity=Identity("someone", "4.2")).protocol()
    assert protocol.respond("name") == "= someone\n\n"
    assert protocol.respond("version") == "= 4.2\n\n"


def test_the_player_is_shown_the_named_colour_with_the_whole_history() -> None:
    player = ScriptedPlayer(["E5"])
    engine = Engine(player, size=9)
    protocol = engine.protocol()
    for command in ("play b d4", "play b f6", "genmove b"):
        protocol.respond(command)
    (seen,) = player.seen
    assert seen.to_play is Color.BLACK
    assert [seen.vertex(move) for _, move in seen.moves] == ["D4", "F6"]
    assert seen.board["last_moves"][:2].tolist() == [seen.point("F6"), seen.point("D4")]
    assert engine.position.to_play is Color.WHITE
    assert engine.position.moves[-1] == (Color.BLACK, seen.point("E5"))


def test_out_of_turn_positions_obey_superko_and_not_simple_ko() -> None:
    player = ScriptedPlayer()
    protocol = Engine(player, size=5, rules="tromp-taylor").protocol()
    for move in ("b b1", "w c1", "b a2", "w b2", "b e5", "w a1"):
        protocol.respond(f"play {move}")
    protocol.respond("genmove w")
    (seen,) = player.seen
    assert seen.to_play is Color.WHITE
    assert seen.is_legal("B1")
    assert not seen.is_legal("B1", color="B")


def test_clocks_reach_the_player_whose_clock_it_is() -> None:
    player = ScriptedPlayer()
    protocol = Engine(player, size=9).protocol()
    for command in ("time_settings 300 30 5", "time_left w 120 0", "genmove b", "genmove w"):
        protocol.respond(command)
    system = TimeSystem("canadian", main=300.0, period=30.0, stones=5)
    assert player.clocks == [Clock(system), Clock(system, 120.0, 0)]


@pytest.mark.parametrize(
    ("words", "system"),
    [
        ("600 0 0", TimeSystem("absolute", main=600.0)),
        ("0 30 5", TimeSystem("canadian", main=0.0, period=30.0, stones=5)),
        ("600 30 0", TimeSystem()),
        ("0 0 0", TimeSystem()),
    ],
)
def test_time_settings_mean_what_gtp_says(words: str, system: TimeSystem) -> None:
    player = ScriptedPlayer()
    protocol = Engine(player, size=9).protocol()
    assert protocol.respond(f"time_settings {words}") == "= \n\n"
    protocol.respond("genmove b")
    assert player.clocks == [Clock(system)]


def test_a_size_that_the_player_lacks_is_refused_and_nothing_changes() -> None:
    engine = Engine(ScriptedPlayer(sizes=[9]), size=9)
    protocol = engine.protocol()
    protocol.respond("play b c3")
    assert protocol.respond("boardsize 19") == "? unacceptable size\n\n"
    for wrong in ("1_9", "９", "9.0", "99999999999999999999"):
        assert protocol.respond(f"boardsize {wrong}") == "? boardsize not an integer\n\n"
    assert len(engine.position.moves) == 1
    with pytest.raises(PlayerError, match="19x19"):
        Engine(ScriptedPlayer(sizes=[9]), size=19)
    with pytest.raises(RulesError):
        Engine(ScriptedPlayer(), size=20)


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (NetworkFileError("net.x: expected\nthis, found that"), "? net.x: expected this, found that\n\n"),
        (ValueError("oh"), "? internal error: ValueError: oh\n\n"),
    ],
)
def test_a_failing_player_leaves_the_game_as_it_was(error: Exception, expected: str) -> None:
    engine = Engine(FailingPlayer(error), size=9)
    protocol = engine.protocol(io.StringIO())
    assert protocol.respond("genmove b") == expected
    assert engine.position == Position(9)


def test_an_illegal_choice_is_reported_and_not_played() -> None:
    engine = Engine(ScriptedPlayer(["C3", "C3"]), size=9)
    protocol = engine.protocol()
    assert protocol.respond("genmove b") == "= C3\n\n"
    answer = protocol.respond("genmove w")
    assert answer is not None and answer.startswith("? Move 2, White C3, is illegal")
    assert len(engine.position.moves) == 1


def test_handicap_gives_white_the_move_and_the_bonus_of_the_rules() -> None:
    engine = Engine(ScriptedPlayer(), size=9, rules="chinese", komi=0.5)
    engine.protocol().respond("fixed_handicap 3")
    assert engine.position.to_play is Color.WHITE
    assert engine.position.handicap == 3
    assert engine.position.score().white == 3.5


@pytest.mark.parametrize(("rows", "stones"), [(1, 9), (2, 2), (3, 2), (5, 30), (9, 12), (19, 100)])
def test_free_handicap_stones_are_different_points_with_liberties(rows: int, stones: int) -> None:
    points = free_handicap_points(stones, rows, rows)
    assert len(set(points)) == len(points) <= stones
    if len(points) >= 2:
        Position(rows).place_free_handicap(points)


_ARGUMENTS = ["b", "w", "white", "BLACK", "c3", "j9", "i5", "t20", "pass", "resign", "9", "5", "0", "-1", "7.5", "nan"]
_RESULT_ARGUMENTS = ["dead", "seki", "dame", "black_territory", "ko", "simple", "japanese", "encore=true", "{}", "true"]
_ODD_ARGUMENTS = [*_RESULT_ARGUMENTS, "1e400", "99999999999999999999", "007", "#", "é", "²"]
_WORDS = st.sampled_from(
    [*sorted(ELEVEN | FURTHER - {"printsgf"}), *_ARGUMENTS, *_ODD_ARGUMENTS, "\t", "\x00", "", "genmove", "play"]
)
_LINES = st.one_of(
    st.lists(_WORDS, max_size=5).map(" ".join),
    st.text(max_size=30),
    st.sampled_from([f"play {color} {point}" for color in "bw" for point in ("a1", "b1", "a2", "b2")]),
)


@settings(max_examples=200)
@given(lines=st.lists(_LINES, max_size=12))
def test_no_line_can_break_a_session(lines: list[str]) -> None:
    log = io.StringIO()
    protocol = Engine(ScriptedPlayer(["A1", "B2"]), size=2).protocol(log)
    for line in (part for text in lines for part in text.split("\n")):
        _check_answer(protocol, line)
    assert log.getvalue() == ""


def _check_answer(protocol: Protocol, line: str) -> None:
    answer = protocol.respond(line)
    if answer is None:
        assert not re.sub("[\x00-\x1f\x7f]", "", line.split("#")[0]).strip()
        return
    assert re.fullmatch(r"[=?][0-9]* [^\n]*(\n[^\n]+)*\n\n", answer), answer
    assert answer.count("\n\n") == 1


def test_the_session_state_is_the_same_after_any_refusal() -> None:
    engine = Engine(ScriptedPlayer(), size=9)
    protocol = engine.protocol()
    for command in ("komi 6.5", "play b c3", "play w g7"):
        protocol.respond(command)
    before = engine.position.copy()
    for line in (
        "play w c3",
        "komi x",
        "boardsize 40",
        "undo_all",
        "fixed_handicap 4",
        "set_free_handicap a1 b2",
        "play b",
        "kata-set-rules ko=maybe",
        "kata-set-rule ko",
        "kgs-rules go",
        "set_position b c3 w c3",
        "set_position b a1 w a2 w b1",
        "set_position b",
        "rectangular_boardsize 9",
        "rectangular_boardsize 5 20",
        "loadsgf /no/such/file.sgf",
        "final_status_list",
        "final_status_list lively",
    ):
        answer = protocol.respond(line)
        assert answer is not None and answer.startswith("?"), line
        assert engine.position == before and engine.position.moves == before.moves


def test_rules_under_which_the_game_so_far_could_not_be_played_are_refused() -> None:
    """In an encore a turn may only lift a block; under other rules it would be a move onto a stone."""
    engine = Engine(ScriptedPlayer(), size=2, rules="japanese, encore=true", komi=0)
    protocol = engine.protocol()
    moves = ["b a1", "w b1", "b pass", "w pass", "b a1", "w a1"]
    for line in ["rectangular_boardsize 2 1", *(f"play {move}" for move in moves)]:
        assert protocol.respond(line) == "= \n\n"
    before = engine.position.copy()
    answer = protocol.respond("kgs-rules chinese") or ""
    assert answer.startswith("? the game so far cannot be one under these rules: Move 6, White A1, is illegal")
    assert engine.position == before
