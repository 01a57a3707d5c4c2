"""What users of other engines reported as wrong, as sessions; the numbers are those of the list of behaviours.

Sequences that need no reading of answers are also in the transcripts.
"""

from __future__ import annotations

import io
import re
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from move37.cli.gtp import speak_gtp
from move37.gtp.engine import Engine
from move37.gtp.protocol import Protocol
from move37.gtp.settings import Settings
from move37.players.player import Clock, Decision
from move37.rules.color import Color
from move37.rules.position import Position
from tests.support.gtp_session import Typist, plain_player
from tests.support.players import ScriptedPlayer


def ask(protocol: Protocol, line: str) -> str:
    answer = protocol.respond(line)
    assert answer is not None
    return answer.rstrip()


def engine(size: int = 5, **more: Any) -> Engine:
    return Engine(plain_player(), size=size, settings=Settings(visits=16), **more)


def test_b29_the_colour_named_is_the_colour_played() -> None:
    player = ScriptedPlayer(["E5"])
    nineteen = Engine(player, size=19)
    protocol = nineteen.protocol()
    for line in ("play b d4", "play b q16", "genmove b"):
        assert ask(protocol, line).startswith("=")
    (seen,) = player.seen
    assert seen.to_play is Color.BLACK
    assert [color for color, _ in nineteen.position.moves] == [Color.BLACK] * 3
    assert [seen.vertex(int(move)) for move in seen.board["last_moves"][:2]] == ["Q16", "D4"]


class NoisyPlayer(ScriptedPlayer):
    """Prints while it thinks, as libraries do."""

    def choose(self, position: Position, clock: Clock | None = None) -> Decision:
        print("a banner")
        return super().choose(position, clock)


def test_b31_every_block_on_stdout_is_an_answer(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("1 genmove b\nnonsense\nlist_commands\n\n# x\nquit\n"))
    speak_gtp(NoisyPlayer(["C3"]), 9, "tromp-taylor", 7.5)
    captured = capfd.readouterr()
    blocks = captured.out.split("\n\n")
    assert blocks.pop() == "" and len(blocks) == 4
    assert all(re.match(r"[=?]\d* ", block) for block in blocks)
    assert captured.err == "a banner\n"
    assert "gtp-output" not in [thread.name for thread in threading.enumerate()]  # it watches stdout no more


@pytest.mark.parametrize("line", [
    "play", "play b", "play green a1", "play b i5", "play w t20", "komi abc", "boardsize x", "time_left b", "genmove",
    "lz-analyze q", "kata-analyze b b", "kata-set-param", "kata-time_settings", "kgs-time_settings", "kata-search",
    "lz-genmove_analyze allow", "cgos-genmove_analyze", "kgs-genmove_cleanup", "kata-raw-nn", "loadsgf",
    "gogui-setup_player", "final_status_list", "kata-benchmark x", "lz-setoption name",
])  # fmt: skip
def test_b33_a_missing_or_bad_argument_gets_an_answer_and_the_engine_goes_on(line: str) -> None:
    log = io.StringIO()
    protocol = engine().protocol(log)
    assert re.fullmatch(r"\?4 [^\n]+", ask(protocol, f"4 {line}"))
    assert ask(protocol, "5 name") == "=5 move37"
    assert log.getvalue() == ""
    known = {"play": "invalid color or coordinate", "komi abc": "komi not a float", "genmove": "invalid color"}
    known |= {"boardsize x": "boardsize not an integer"}
    if line in known:
        assert ask(protocol, line) == f"? {known[line]}"


def test_b35_what_a_new_board_keeps_and_what_it_drops() -> None:
    nine = engine(9)
    protocol = nine.protocol()
    for line in ("komi 5.5", "play b c3", "kata-search w", "boardsize 9", "clear_board"):
        assert ask(protocol, line).startswith("=")
    assert ask(protocol, "get_komi") == "= 5.5"
    assert nine.position == Position(9, komi=5.5) and nine.position.moves == []
    assert ask(protocol, "gomill-explain_last_move") == "="
    (first,) = re.findall(r"rootInfo visits (\d+)", ask(protocol, "kata-search_analyze b 100000 rootInfo true"))
    assert first == "16"


def test_b37_play_goes_on_after_two_passes_and_nobody_resigns_early() -> None:
    lost = "gogui-setup w a1 w b1 w c1 w d1 w e1 w a3 w b3 w c3 w d3 w e3"
    protocol = engine().protocol()
    for line in ("play b pass", "play w pass", "play b d4"):
        assert ask(protocol, line) == "="
    assert re.fullmatch(r"= ([A-E][1-5]|pass)", ask(protocol, "genmove w"))
    for color in "bw":
        stones = lost if color == "b" else lost.replace("w ", "b ")
        for line in (
            "clear_board",
            stones,
            "kata-set-param resignThreshold -0.01",
            "kata-set-param resignConsecTurns 1",
        ):
            assert ask(protocol, line) == "="
        assert ask(protocol, f"kata-search {color}") != "= resign"  # never among the first moves
        ask(protocol, "gogui-play_sequence " + "b pass w pass " * 10)
        assert ask(protocol, f"kata-search {color}") == "= resign"
        assert ask(protocol, f"kata-search {'bw'[color == 'b']}") != "= resign"  # the side that wins
        ask(protocol, "kata-set-param resignThreshold -1")
        assert ask(protocol, f"kata-search {color}") != "= resign"


def test_b39_a_path_is_the_rest_of_the_line_and_what_the_file_says_is_adopted(tmp_path: Path) -> None:
    folder = tmp_path / "围棋 dir"
    folder.mkdir()
    path = folder / "a game 5.sgf"
    path.write_text("(;SZ[9]KM[6.5]RU[Japanese];B[cc];W[dd];B[ee])", encoding="utf-8")
    five = engine()
    protocol = five.protocol()
    assert ask(protocol, "loadsgf /no/such.sgf").startswith("? cannot open or parse ")
    assert ask(protocol, f"loadsgf {path}") == "= white\n9x9, komi 6.5, japanese rules, 3 moves"
    assert ask(protocol, f"loadsgf {path} 2").startswith("= white\n")
    assert len(five.position.moves) == 1  # before move 2
    assert (five.position.rows, five.position.komi, five.position.rules.name) == (9, 6.5, "japanese")


_ARGUMENTS = {
    "play": "b c3", "boardsize": "9", "rectangular_boardsize": "9 7", "komi": "5", "fixed_handicap": "2",
    "place_free_handicap": "2", "set_free_handicap": "a1 b1", "time_settings": "1 2 3", "time_left": "b 1 2",
    "final_status_list": "dead", "kata-set-rules": "aga", "kata-set-rule": "ko simple", "kgs-rules": "japanese",
    "kgs-time_settings": "none", "kata-time_settings": "fischer 30 5", "gogui-setup": "b a1", "kata-raw-nn": "0",
    "gogui-setup_player": "w", "gogui-play_sequence": "b a1 w b1", "kata-get-param": "maxVisits",
    "kata-set-param": "maxVisits 9", "lz-setoption": "name Visits value 9", "kata-benchmark": "20",
    "move37-variation": "b",
}  # fmt: skip
_COLOR_FIRST = ("genmove", "search", "reg_genmove")


def test_b41_every_command_that_is_listed_works(tmp_path: Path) -> None:
    (tmp_path / "game.sgf").write_text("(;SZ[9];B[cc])", encoding="utf-8")
    log = io.StringIO()
    protocol = engine(9).protocol(log)
    listed = ask(protocol, "list_commands")[2:].split("\n")
    assert len(listed) == len(set(listed)) > 70
    for name in listed:
        for line in ("boardsize 9", "kata-set-rules tromp-taylor", "clear_board"):
            assert ask(protocol, line) == "="
        if name == "undo":
            ask(protocol, "play b a1")
        arguments = _ARGUMENTS.get(name, "b" if any(word in name for word in _COLOR_FIRST) else "")
        arguments = str(tmp_path / "game.sgf") if name == "loadsgf" else arguments
        assert ask(protocol, f"known_command {name}") == "= true"
        answer = protocol.respond(f"1 {name} {arguments}")
        assert answer is not None and re.fullmatch(r"=1( [^\n]*)?\n([^\n]+\n)*\n", answer), (name, answer)
    assert log.getvalue() == ""


@pytest.mark.parametrize("line", ["kgs-chat game x hello", "kgs-game_over", "gtp_ladder"])
def test_b41_what_is_not_listed_is_unknown_in_the_ordinary_way(line: str) -> None:
    protocol = engine().protocol()
    assert ask(protocol, line) == "? unknown command"
    assert ask(protocol, f"known_command {line.split()[0]}") == "= false"
    assert ask(protocol, "kgs-time_settings none") == "="


def _infos(line: str) -> list[dict[str, str]]:
    """The moves of one report, each as its keys and first values."""
    parts = [part.split() for part in line.split("info ")[1:]]
    return [dict(zip(part[::2], part[1::2], strict=False)) for part in parts]


def test_b43_the_player_and_the_moves_that_are_named_are_the_ones_analysed() -> None:
    with Typist(engine(9)) as session:
        session.ask("play b c3")
        session.ask("play w g7")
        assert session.engine.position.to_play is Color.BLACK
        session.send("lz-analyze W interval 6000 allow W E5 1")
        assert session.line() == "="
        (info,) = _infos(session.line())
        assert info["move"] == "E5" and info["visits"] == "15"
        session.send("kata-analyze W 6000 avoid W A9,B9 1 minmoves 90")
        assert [session.line() for _ in range(2)] == ["", "="]
        moves = {info["move"] for info in _infos(session.line())}
        assert "E5" in moves and not {"A9", "B9", "C3"} & moves
        session.send("")
        assert session.line() == ""
    assert session.engine.position.to_play is Color.BLACK and len(session.engine.position.moves) == 2


@pytest.mark.parametrize("color", ["b", "w"])
def test_b43_values_are_of_the_side_that_is_named(color: str) -> None:
    """White has many stones: whoever is to move, White's win rate is high and Black's is low."""
    five = engine(komi=0.5)
    protocol = five.protocol()
    ask(protocol, "gogui-setup w a1 w b1 w c1 w d1 w e1 w a3 w b3")
    for named, high in (("w", True), ("b", False)):
        ask(protocol, f"gogui-setup_player {color}")
        (info, *_) = _infos(ask(protocol, f"kata-search_analyze {named} 100000"))
        assert (float(info["winrate"]) > 0.6) == high
        assert five.position.to_play.letter.lower() == color


def test_b45_after_the_best_move_the_other_side_sees_the_mirror_image() -> None:
    for view, sign in (("SIDETOMOVE", -1), ("BLACK", 1), ("WHITE", 1)):
        protocol = engine().protocol()
        ask(protocol, "gogui-play_sequence b c3 w b2 b d4 w d2")
        ask(protocol, f"kata-set-param reportAnalysisWinratesAs {view}")
        tell = "kata-search_analyze {} 100000 rootInfo true ownership true maxmoves 1"
        before = _root(ask(protocol, tell.format("b")))
        ask(protocol, f"play b {before['move']}")
        after = _root(ask(protocol, tell.format("w")))
        assert all(0 <= seen["winrate"] <= 1 for seen in (before, after))
        other = after["winrate"] if sign > 0 else 1 - after["winrate"]
        assert before["winrate"] == pytest.approx(other, abs=0.08)
        assert np.mean(np.sign(before["ownership"][STONES]) == sign * np.sign(after["ownership"][STONES])) == 1


STONES = [12, 16, 8, 18]
"""C3, B2, D4 and D2 on a board of five."""


def _root(text: str) -> dict[str, Any]:
    line = next(line for line in text.split("\n") if line.startswith("info "))
    words = line.split()
    root = words[words.index("rootInfo") :]
    owned = np.array([float(word) for word in words[words.index("ownership") + 1 :]])
    assert owned.shape == (25,) and np.abs(owned).max() <= 1
    return {"move": words[2], "winrate": float(root[root.index("winrate") + 1]), "ownership": owned}
