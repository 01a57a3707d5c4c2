"""What is written: records of games played here, and records that were read, with nothing lost."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import move37 as go
from move37.errors import SgfError
from move37.rules.color import Color
from move37.rules.position import Position
from move37.rules.ruleset import ruleset
from move37.sgf.files import read_collection, read_sgf, write_sgf
from move37.sgf.game_record import GameRecord


def same_game(position: Position) -> Position:
    """The position after its record is written and read again."""
    game = GameRecord.from_text(GameRecord.from_position(position).to_sgf())
    again = game.position()
    assert game.warnings == []
    assert again == position and again.moves == position.moves
    assert (again.handicap, again.white_bonus) == (position.handicap, position.white_bonus)
    return again


def long_cycle() -> Position:
    """A game that ended because a position came back too often."""
    position = Position(rows=1, cols=4, rules="chinese")
    position.setup(black=["B1"], to_play="white")
    position.play_many(["D1", "A1", "C1", "B1"] * 2)
    return position


# ------------------------------------------------------------------------------------------------ positions


def test_the_record_of_a_game() -> None:
    position = Position(9, rules="chinese", komi=7)
    position.play_many(["E5", "C3", "pass"])
    game = GameRecord.from_position(position, black_name="a", result="B+R", comment="[x]")
    head = f"(;FF[4]GM[1]CA[UTF-8]AP[move37:{go.__version__}]SZ[9]RU[Chinese]KM[7]PB[a]RE[B+R]C[[x\\]]"
    assert game.to_sgf().replace("\n", "") == head + ";B[ee];W[cg];B[])"
    same_game(position)


@pytest.mark.parametrize(("rules", "result"), [("chinese", "B+23"), ("japanese", "B+22"), ("tromp-taylor", "B+23")])
def test_a_game_that_is_over_is_recorded_with_its_result(rules: str, result: str, tmp_path: Path) -> None:
    position = Position(5, rules=rules, komi=2)
    position.play("C3")
    assert "RE[" not in GameRecord.from_position(position).to_sgf(), "it goes on"
    position.play_many(["pass", "pass"])
    game = GameRecord.from_position(position, black_name="a")
    assert game.result == position.result() and game.result.text == result
    assert game.rules == position.rules
    assert GameRecord.from_position(position, result="W+R").result.text == "W+R"
    assert "RE" not in GameRecord.from_position(position, result="").root.properties
    go.write_sgf(position, tmp_path / "game.sgf")
    assert go.read_sgf(tmp_path / "game.sgf").result.text == result
    same_game(position)


def test_a_draw_and_a_long_cycle_are_recorded() -> None:
    draw = Position(5, komi=0)
    draw.play_many(["pass", "pass"])
    assert GameRecord.from_position(draw).get("RE") == "0"
    cycle = long_cycle()
    assert cycle.is_no_result and GameRecord.from_position(cycle).get("RE") == "Void"


def test_setup_handicap_and_other_boards_are_recorded() -> None:
    handicap = Position(9, rules="chinese", komi=0.5)
    handicap.place_handicap(3)
    same_game(handicap)
    assert GameRecord.from_position(handicap).root.setup is not None
    handicap.play("E5")
    assert same_game(handicap).handicap == 3
    problem = Position(rows=5, cols=7, rules={"ko": "simple", "suicide": True}, komi=-2.5)
    problem.setup(["A1", "B2"], ["C3"], "W")
    same_game(problem)
    problem.play("D4", "B")
    same_game(problem)
    white_first = Position(5)
    white_first.setup(to_play="W")
    same_game(white_first)


def test_a_handicap_of_moves_is_recorded() -> None:
    position = Position(9, rules="chinese")
    position.play("C3", "B")
    position.play("G7", "B")
    position.handicap = 2
    position.play("E5")
    assert "HA[2]" in GameRecord.from_position(position).to_sgf()
    same_game(position)


def test_a_game_edited_in_the_middle_is_recorded_from_there() -> None:
    position = Position(9)
    position.play_many(["E5", "C3"])
    position.edit(black=["A1"], empty=["E5"], to_play="W")
    position.play("G7")
    game = GameRecord.from_position(position)
    assert game.root.get("MN") == "2" and game.moves() == [(Color.WHITE, position.point("G7"))]
    again = GameRecord.from_text(game.to_sgf()).position()
    assert (again.stones == position.stones).all() and again.to_play == position.to_play


@pytest.mark.parametrize("seed", range(12))
def test_random_games_come_back_as_they_were(seed: int) -> None:
    random = np.random.default_rng(seed)
    rows, cols = (int(side) for side in random.integers(3, 10, 2))
    names = ("tromp-taylor", "chinese", "aga", "new-zealand")
    position = Position(rows=rows, cols=cols, rules=names[seed % 4], komi=float(random.integers(-20, 20)) / 2)
    if seed % 3 == 0:
        position.place_free_handicap(random.permutation(rows * cols)[:3].tolist())
    for _ in range(int(random.integers(0, 3 * rows * cols))):
        color = Color.parse(int(random.integers(1, 3))) if random.random() < 0.1 else position.to_play
        position.play(int(random.choice(np.flatnonzero(position.legal_mask(color)))), color)
    same_game(position)


def test_an_information_that_does_not_exist_is_a_mistake_of_the_program() -> None:
    with pytest.raises(TypeError, match="a record has no 'name': use black_name, "):
        GameRecord.from_position(Position(5), name="x")


def test_a_board_that_sgf_cannot_have_is_refused() -> None:
    assert "SZ[52]" in GameRecord(52).to_sgf() and "SZ[7:5]" in GameRecord(rows=5, cols=7).to_sgf()
    with pytest.raises(SgfError, match="each side must be 1 to 52"):
        GameRecord(53)


# ------------------------------------------------------------------------------------------------ what was read

ODD = r"""(;FF[3]GM[1]SZ[9]XYZ[kept \] as \\ it is][two]PB[井山 裕太]
KM[6,5];B[ee]C[soft \
break: colon\: kept]ZZ[](;W[aa]LB[bb:1])(;AE[ee];W[tt]))"""


def test_a_rewrite_loses_nothing() -> None:
    game = GameRecord.from_text(ODD)
    again = GameRecord.from_text(game.to_sgf())
    assert [node.properties for node in again.root.walk()] == [
        {"CA": ["UTF-8"]} | node.properties for node in [game.root]
    ] + [node.properties for node in list(game.root.walk())[1:]]
    assert list(again.root.properties) == ["FF", "GM", "CA", "SZ", "XYZ", "PB", "KM"]
    assert [len(node.variations) for node in again.root.walk()] == [1, 2, 0, 1, 0]
    assert GameRecord.from_text(again.to_sgf()).to_sgf() == again.to_sgf()
    assert "CA" not in game.root.properties, "writing changes nothing in the record"


def test_empty_values_where_a_point_must_stand_are_not_written() -> None:  # B23
    text = "(;GM[1]FF[4]SZ[9]AB[]AW[aa][ ][bb]HA[0]LB[]AR[]C[]XX[];B[ee]SQ[]TB[]VW[];W[];B[]DD[]TR[\n])"
    game = GameRecord.from_text(text)
    written = game.to_sgf()
    assert written == "(;GM[1]FF[4]SZ[9]AW[aa][bb]HA[0]C[]XX[];B[ee]TB[]VW[];W[];B[]DD[])\n"
    assert GameRecord.from_text(written).to_sgf() == written
    assert game.root.properties["AB"] == [""], "writing changes nothing in the record"
    assert game.root.properties["AW"] == ["aa", " ", "bb"]


def test_empty_values_are_left_out_of_every_variation_and_file(tmp_path: Path) -> None:
    game = GameRecord.from_text("(;PB[é](;B[aa]TR[])(;B[bb]MA[]TR[cc];AE[]))")
    write_sgf([game, GameRecord(9)], tmp_path / "a.sgf")
    text = (tmp_path / "a.sgf").read_text(encoding="utf-8")
    assert text.startswith("(;CA[UTF-8]PB[é]\n(;B[aa])\n(;B[bb]TR[cc];))\n(;FF[4]")


@pytest.mark.parametrize("fault", ["folder", "below a file"])
def test_what_cannot_be_written_is_one_sentence(tmp_path: Path, fault: str) -> None:
    (tmp_path / "file").write_text("x", encoding="utf-8")
    path = tmp_path if fault == "folder" else tmp_path / "file" / "game.sgf"
    with pytest.raises(SgfError) as caught:
        write_sgf(GameRecord(9), path)
    assert str(caught.value).startswith(f"{path} cannot be written: ") and str(caught.value).count(": ") == 1


def test_a_text_that_utf_8_cannot_hold_is_one_sentence(tmp_path: Path) -> None:
    game = GameRecord(9)
    game.black_name = "\ud800"
    with pytest.raises(SgfError, match=r"game\.sgf cannot be written: it has characters that UTF-8 cannot hold\.$"):
        write_sgf(game, tmp_path / "game.sgf")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "rules", ["japanese, encore=true", "aga, moveLimit=5", '{"ko": "simple", "scoring": "territory"}']
)
def test_rules_without_a_name_come_back(rules: str) -> None:
    position = Position(5, rules=ruleset(rules), komi=0.5)
    position.play("C3")
    same_game(position)


@pytest.mark.parametrize(
    ("text", "head"),
    [
        ("(;FF[4]CA[GB2312]PB[a])", "(;FF[4]CA[UTF-8]PB[a])"),
        ("(;FF[4]PB[a])", "(;FF[4]PB[a])"),
        ("(;GM[1]FF[4]PB[井山])", "(;GM[1]FF[4]CA[UTF-8]PB[井山])"),
        ("(;PB[井山]GM[1])", "(;CA[UTF-8]PB[井山]GM[1])"),
    ],
)
def test_ca_is_true_of_what_is_written(text: str, head: str) -> None:
    assert GameRecord.from_text(text).to_sgf().strip() == head


@pytest.mark.parametrize("encoding", ["shift_jis", "gbk", "utf-8-sig"])
def test_old_encodings_are_saved_as_utf_8(tmp_path: Path, encoding: str) -> None:
    game = read_sgf("(;GM[1]SZ[9]PB[井山裕太]PW[一力遼]C[序盤は白の打ち方に問題];B[dd])".encode(encoding))
    assert game.moves() == [(Color.BLACK, 30)]
    path = tmp_path / "out.sgf"
    write_sgf(game, path)
    again = read_sgf(path)
    assert (again.black_name, again.get("CA"), again.encoding) == (game.black_name, "UTF-8", "utf-8")


def test_files_are_written_of_records_positions_and_collections(tmp_path: Path) -> None:
    path = tmp_path / "new folder" / "game.sgf"
    position = Position.from_moves(["E5"], 9)
    go.write_sgf(position, path)
    assert go.read_sgf(path).position().moves == position.moves
    games = [GameRecord(9), GameRecord(13)]
    go.write_sgf(games, path)
    assert [game.rows for game in read_collection(path)] == [9, 13]
    go.write_sgf(games[1], path)
    assert [game.rows for game in read_collection(path)] == [13]
    assert [entry.name for entry in path.parent.iterdir()] == ["game.sgf"]


def test_a_failed_write_leaves_the_file_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "game.sgf"
    path.write_text("before", encoding="utf-8")

    def fail(*_: Any, **__: Any) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_text", fail)
    with pytest.raises(SgfError, match=r"^\S*game\.sgf cannot be written: No space left on device\.$"):
        go.write_sgf(GameRecord(9), path)
    assert path.read_bytes() == b"before"


def test_long_and_deep_records_are_edited_and_written_without_recursion() -> None:
    game = GameRecord(9)
    node = game.root
    for number in range(20_000):
        node = node.add_variation(number % 82)
    node.promote()
    assert len(game.moves()) == 20_000 and node.move_number == 20_000
    assert len(GameRecord.from_text(game.to_sgf()).moves()) == 20_000
    nested = "(;SZ[9]" + "(;B[aa]" * 3000 + ")" * 3001
    assert len(GameRecord.from_text(GameRecord.from_text(nested).to_sgf()).moves()) == 3000


def test_positions_and_records_are_written_together_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "two.sgf"
    write_sgf([Position(9), GameRecord(13)], path)
    assert [record.rows for record in read_collection(path)] == [9, 13]
    for wrong in (None, 5, "text"):
        with pytest.raises(TypeError, match="a GameRecord or a Position can be written"):
            write_sgf(wrong, path)  # type: ignore[arg-type]  # what callers without types give
