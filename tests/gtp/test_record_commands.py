"""`loadsgf` and `printsgf`: any path, the move number of GNU Go, and what of the record is adopted and told."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from move37.gtp.engine import Engine
from move37.players.random_player import RandomPlayer
from move37.rules.color import Color
from move37.rules.ruleset import ruleset
from tests.support.players import ScriptedPlayer

GAME = "(;GM[1]FF[4]SZ[9]KM[5.5]RU[Japanese];B[ee];W[gc];B[cg];W[gg])"


def answers(engine: Engine, *lines: str) -> list[str]:
    protocol = engine.protocol()
    return [(protocol.respond(line) or "").removesuffix("\n\n") for line in lines]


@pytest.fixture
def engine() -> Engine:
    return Engine(ScriptedPlayer(), size=13, rules="aga", komi=2)


def vertices(engine: Engine) -> list[str]:
    return [engine.position.vertex(point) for _, point in engine.position.moves]


@pytest.mark.parametrize("name", ["game.sgf", "a game  with blanks.sgf", "围棋 ゲーム é.sgf", "7", "game 3"])
def test_any_path_and_what_the_record_says(engine: Engine, tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text(GAME, encoding="utf-8")
    assert answers(engine, f"5 loadsgf {path}") == ["=5 black\n9x9, komi 5.5, japanese rules, 4 moves"]
    assert vertices(engine) == ["E5", "G7", "C3", "G3"]
    assert (engine.position.komi, engine.position.rules.name) == (5.5, "japanese")
    assert answers(engine, "get_komi", "undo") == ["= 5.5", "= "]


@pytest.mark.parametrize(
    ("number", "moves", "to_play"),
    [(1, 0, "black"), (2, 1, "white"), (4, 3, "white"), (5, 4, "black"), (99, 4, "black")],
)
def test_a_number_stops_before_that_move(engine: Engine, tmp_path: Path, number: int, moves: int, to_play: str) -> None:
    path = tmp_path / "my game.sgf"
    path.write_text(GAME, encoding="utf-8")
    (answer,) = answers(engine, f"loadsgf {path} {number}")
    assert answer == f"= {to_play}\n9x9, komi 5.5, japanese rules, {moves} move{'' if moves == 1 else 's'}"
    assert engine.position.move_number == moves


def test_what_the_record_does_not_say_stays(engine: Engine, tmp_path: Path) -> None:
    path = tmp_path / "bare.sgf"
    path.write_text("(;SZ[9]RU[house rules];B[ee])", encoding="utf-8")
    (answer,) = answers(engine, f"loadsgf {path}")
    assert answer.split("\n")[:2] == ["= white", "9x9, komi 2 (not in the file), aga rules (not in the file), 1 move"]
    assert (engine.position.komi, engine.position.rules.name) == (2.0, "aga")


def test_handicap_and_setup_are_loaded(engine: Engine, tmp_path: Path) -> None:
    path = tmp_path / "handicap.sgf"
    path.write_text("(;SZ[9]KM[0.5]HA[2]RU[Chinese]AB[cg][gc];W[ee])", encoding="utf-8")
    answers(engine, f"loadsgf {path}")
    assert engine.position.handicap == 2
    assert engine.position.white_bonus == 2
    path.write_text("(;SZ[9]KM[0]AB[cc]AW[gg]PL[W];W[ee];AE[cc]AB[dd];B[ce])", encoding="utf-8")
    answers(engine, f"loadsgf {path}")
    assert engine.position.stone_at("C7") is None
    assert engine.position.stone_at("D6") is Color.BLACK
    assert engine.position.to_play is Color.WHITE


def test_an_illegal_move_ends_what_is_loaded_and_is_told(engine: Engine, tmp_path: Path) -> None:
    path = tmp_path / "illegal.sgf"
    path.write_text("(;SZ[9]KM[0]RU[Chinese];B[ee];W[ee];B[cc])", encoding="utf-8")
    (answer,) = answers(engine, f"loadsgf {path}")
    assert answer.startswith("= white\n9x9, komi 0, chinese rules, 1 move\n")
    assert "ove 2" in answer and "E5" in answer
    (answer,) = answers(engine, f"loadsgf {path} 2")
    assert answer.startswith("= white\n9x9, komi 0, chinese rules, 1 move")


def test_many_warnings_are_cut_short(engine: Engine, tmp_path: Path) -> None:
    path = tmp_path / "odd.sgf"
    path.write_text("(;SZ[9]KM[0]RU[Chinese]" + ";B[ee]C[a]C[b]" * 9 + ")", encoding="utf-8")
    (answer,) = answers(engine, f"loadsgf {path}")
    assert 3 <= len(answer.split("\n")) <= 8


@pytest.mark.parametrize(
    ("content", "argument", "answer"),
    [
        (None, "{path}", "? cannot open or parse '{path}': No such file or directory."),
        (None, "{path} 3", "? cannot open or parse '{path}': No such file or directory."),
        (None, "", "? missing filename"),
        (GAME, "{folder}", "? cannot open or parse '{folder}': Is a directory."),
        (GAME, "{path} 0", "? move number not a positive integer"),
        (GAME.replace("SZ[9]", "SZ[19]"), "{path}", "? unacceptable size"),
        ("<html>not found</html>", "{path}", "? cannot open or parse '{path}': "),
        ("(;GM[2]SZ[9])", "{path}", "? cannot open or parse '{path}': "),
        ("(;SZ[30])", "{path}", "? cannot open or parse '{path}': "),
        ("", "{path}", "? cannot open or parse '{path}': "),
    ],
)
def test_what_cannot_be_loaded_changes_nothing(tmp_path: Path, content: str | None, argument: str, answer: str) -> None:
    engine = Engine(ScriptedPlayer(sizes=[9, 13]), size=13, rules="aga", komi=2)
    engine.position.play("C3")
    before = engine.position.copy()
    path = tmp_path / "some game.sgf"
    if content is not None:
        path.write_text(content, encoding="utf-8")
    (got,) = answers(engine, f"loadsgf {argument.format(path=path, folder=tmp_path)}")
    assert got.startswith(answer.format(path=path, folder=tmp_path))
    assert "\n" not in got
    assert engine.position == before and engine.position.moves == before.moves


def test_what_is_printed_loads_as_the_same_game(engine: Engine, tmp_path: Path) -> None:
    path = tmp_path / "out of the engine.sgf"
    game = (
        "boardsize 9",
        "kgs-rules japanese",
        "komi 0.5",
        "fixed_handicap 2",
        "play w e5",
        "play b pass",
        "play b a1",
    )
    assert answers(engine, *game, f"printsgf {path}")[-1] == "= "
    before = engine.position.copy()
    (printed,) = answers(engine, "printsgf")
    assert printed.removeprefix("= ").split() == path.read_text(encoding="utf-8").split()
    answers(engine, "boardsize 5", f"loadsgf {path}")
    assert engine.position.moves == before.moves
    assert engine.position == before
    assert engine.position.handicap == 2


@pytest.mark.parametrize("rules", ["japanese", "chinese", "tromp-taylor"])
def test_a_game_that_is_over_is_printed_with_the_score_that_is_told(engine: Engine, tmp_path: Path, rules: str) -> None:
    path = tmp_path / "over.sgf"
    stones = "play b c1,play b c2,play b c3,play b c4,play b c5,play w d1,play w d2,play w d3,play w d4,play w d5"
    answers(engine, "boardsize 5", f"kgs-rules {rules}" if rules != "tromp-taylor" else f"kata-set-rules {rules}")
    answers(engine, "komi 0.5", *stones.split(","), "play w a3", "play b pass")
    assert "RE[" not in answers(engine, "printsgf")[0]
    answers(engine, "play w pass")
    (score,) = answers(engine, "final_score")
    (printed,) = answers(engine, "printsgf")
    assert f"RE[{score.removeprefix('= ')}]" in printed
    assert answers(engine, f"printsgf {path}") == ["= "]
    assert f"RE[{score.removeprefix('= ')}]" in path.read_text(encoding="utf-8")


def test_a_game_without_result_is_printed_as_void(engine: Engine) -> None:
    answers(engine, "rectangular_boardsize 4 1", "kata-set-rules chinese", "set_position b b1")
    answers(engine, *["play w d1", "play b a1", "play w c1", "play b b1"] * 3)
    assert answers(engine, "final_score") == ["= Void"]
    assert "RE[Void]" in answers(engine, "printsgf")[0]


def test_sides_are_told_as_rectangular_boardsize_takes_them(engine: Engine, tmp_path: Path) -> None:
    path = tmp_path / "wide.sgf"
    path.write_text("(;SZ[13:9]KM[0]RU[Chinese];B[ma])", encoding="utf-8")
    (answer,) = answers(engine, f"loadsgf {path}")
    assert answer.split("\n")[1] == "13 columns x 9 rows, komi 0, chinese rules, 1 move"
    answers(engine, "rectangular_boardsize 13 9")
    assert (engine.position.cols, engine.position.rows) == (13, 9)


def test_rules_without_a_name_are_printed_and_loaded(engine: Engine, tmp_path: Path) -> None:
    path = tmp_path / "encore.sgf"
    rules = "japanese,encore=true"
    answers(
        engine, f"kata-set-rules {rules}", "play b c3", f"printsgf {path}", "kata-set-rules chinese", f"loadsgf {path}"
    )
    assert f"RU[{rules}]" in path.read_text(encoding="utf-8")
    assert engine.position.rules == ruleset(rules) and engine.position.rules.encore


def test_what_cannot_be_written_says_so(engine: Engine, tmp_path: Path) -> None:
    assert answers(engine, f"printsgf {tmp_path}") == [f"? cannot write '{tmp_path}': Is a directory"]


def test_pipes_long_names_and_links_in_a_circle(engine: Engine, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    long = "y" * 5000
    loaded = answers(engine, f"loadsgf {tmp_path}/pipe", "loadsgf /dev/zero", f"loadsgf {long} 5")
    assert [answer.rpartition(": ")[2] for answer in loaded] == [
        "It is a pipe or a device, not a file.",
        "It is a pipe or a device, not a file.",
        "File name too long.",
    ]
    printed = answers(engine, f"printsgf {tmp_path}/pipe", f"printsgf {tmp_path}/loop", f"printsgf {long}")
    assert printed[0].endswith("it is a pipe, which may never be read")
    assert printed[1].endswith("Too many levels of symbolic links")
    assert printed[2].endswith("File name too long")
    assert engine.position.move_number == 0


def test_what_a_loaded_record_says_of_its_game_is_printed_again_until_another_game_begins(tmp_path: Path) -> None:
    file = tmp_path / "game.sgf"
    file.write_text("(;SZ[9]KM[6.5]PB[Shusaku]PW[Gennan]DT[1846-09-11]RE[B+2]C[ears];B[ee])", encoding="utf-8")
    engine = Engine(RandomPlayer(), size=9).protocol()
    assert (engine.respond(f"loadsgf {file}") or "").startswith("= white")
    assert (engine.respond("play w c3") or "").startswith("=")
    printed = engine.respond("printsgf") or ""
    assert all(held in printed for held in ("PB[Shusaku]", "PW[Gennan]", "DT[1846-09-11]", "KM[6.5]", ";W[cg]"))
    assert "RE[" not in printed and "ears" not in printed
    engine.respond("clear_board")
    assert "Shusaku" not in (engine.respond("printsgf") or "")
