"""Records: what they say of their games, their trees, how they are edited."""

from __future__ import annotations

import dataclasses
import io
import itertools
import os
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import move37 as go
from move37.errors import Move37Error, RulesError, SgfError, VertexError
from move37.rules.color import Color
from move37.rules.ruleset import RULESETS, ruleset
from move37.sgf import files
from move37.sgf.files import read_collection, read_sgf, write_sgf
from move37.sgf.game_record import GameRecord
from move37.sgf.node import Setup
from move37.sgf.rule_names import rules_named, rules_text

GAME = """(;FF[4]GM[1]SZ[9]PB[Shusaku]BR[4d]PW[Gennan]KM[6.5]RU[Japanese]RE[B+2]DT[1846-09-11]
;B[ee]C[the centre];W[gc](;B[cg];W[gg])(;B[cc]C[rather here]))
"""


def record(text: str = GAME) -> GameRecord:
    return GameRecord.from_text(text)


# ------------------------------------------------------------------------------------------------ information


def test_a_record_tells_of_its_game() -> None:
    game = record()
    assert (game.rows, game.cols, game.komi, game.black_name, game.white_name) == (9, 9, 6.5, "Shusaku", "Gennan")
    assert (game.black_rank, game.white_rank, game.date, game.year) == ("4d", "", "1846-09-11", 1846)
    assert game.rules == RULESETS["japanese"] and game.rules_text == "Japanese"
    assert game.handicap is None and game.is_go and game.get("XX") is None
    assert game.result.winner is Color.BLACK and game.result.margin == 2
    assert game.warnings == []


def test_what_a_record_tells_may_be_set_and_taken_off() -> None:
    game = record()
    game.black_name = "a] \\ 井山"
    game.white_rank, game.komi, game.rules, game.handicap = "9p", 7, "chinese", 3
    game.result = "W+R"
    game.date = ""
    again = record(game.to_sgf())
    assert (again.black_name, again.white_rank, again.komi) == ("a] \\ 井山", "9p", 7.0)
    assert (again.rules_text, again.handicap, again.get("DT"), again.result.text) == ("Chinese", 3, None, "W+R")
    game.komi, game.handicap = None, None
    assert game.komi is None and game.handicap is None
    with pytest.raises(RulesError, match=r"Komi cannot be 6\.3"):
        game.komi = 6.3


def test_information_in_a_later_node_before_the_first_move_is_found_and_changed_there() -> None:
    game = record("(;SZ[9];KM[0.5]HA[2]AB[aa][bb];W[ee];B[cc]PB[too late])")
    assert (game.komi, game.handicap, game.black_name) == (0.5, 2, "")
    game.komi = 1.5
    assert "KM[1.5]HA[2]" in game.to_sgf()


def test_a_result_may_be_set_from_a_result() -> None:
    game = record()
    game.result = record("(;RE[W+3.5])").result
    assert game.get("RE") == "W+3.5"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(;GM[2]SZ[8])", "GM[2] is not Go (1): the record can be read, not replayed"),
        ("(;SZ[200])", "SZ[200] is no board size: 19x19 is taken"),
        ("(;KM[unknown])", "KM[unknown] is no komi: it is taken as unknown"),
        ("(;KM[800])", "KM[800] is no komi: it is taken as unknown"),
        ("(;KM[1e9])", "KM[1e9] is no komi: it is taken as unknown"),
        ("(;KM[-400.5])", "KM[-400.5] is no komi: it is taken as unknown"),
        ("(;KM[65])", "KM[65] lacks its decimal point: 6.5 is taken"),
        ("(;SZ[])", "SZ[] is no board size: 19x19 is taken"),
        ("(;SZ[0])", "SZ[0] is no board size: 19x19 is taken"),
        ("(;CA[foo])", "the declared encoding 'foo' is unknown"),
        ("(;KM[6.2])", "KM[6.2] is no whole or half number: 6.5 is taken, which decides every game alike"),
        ("(;KM[7.25])", "KM[7.25] is no whole or half number: 7.5 is taken, which decides every game alike"),
        ("(;SZ[19]HA[abc];B[pd])", "HA[abc] is no number: it is taken as no handicap"),
        ("(;RU[Pair go])", "RU[Pair go] names no rules that are known here: they are taken as unknown"),
    ],
)
def test_information_that_cannot_be_used_is_warned_of(text: str, message: str) -> None:
    assert [(warning.line, warning.message) for warning in read_sgf(text.encode()).warnings] == [(1, message)]


NO_VALUES: dict[str, list[Any]] = {
    "komi": ["x", "6.5", True, float("nan"), float("inf"), 400.5, 6.3, 10**400, [], 1j],
    "handicap": ["two", "2", 2.0, 2.5, -1, True, 10**9, []],
    "result": ["foo", "x+1", 5, None, 3.5, [], Color.BLACK],
    "date": [5, None, b"2016", 2016.5],
    "black_name": [5],
    "comment": [None],
    "rules": [5, "house", None],
}


@pytest.mark.parametrize(("name", "value"), [(name, value) for name, values in NO_VALUES.items() for value in values])
def test_what_no_record_can_say_is_refused_in_a_sentence(name: str, value: Any) -> None:
    game = record()
    before = game.to_sgf()
    with pytest.raises(Move37Error) as caught:
        setattr(game, name, value)
    assert "\n" not in str(caught.value) and len(str(caught.value)) < 250
    assert game.to_sgf() == before


def test_the_sentence_says_what_to_use() -> None:
    game = record()
    with pytest.raises(RulesError, match=r"^A result cannot be 'foo': use a Result or its text, such as 'B\+3\.5'"):
        game.result = "foo"
    with pytest.raises(
        RulesError, match=r"^A handicap cannot be -1: use a whole number of stones, or None for none\.$"
    ):
        game.handicap = -1
    with pytest.raises(SgfError, match=r"^event cannot be 5: it is a text; '' takes it off\.$"):
        game.event = 5  # type: ignore[assignment]  # pyright: ignore[reportAttributeAccessIssue]
    for text in ("B+R", "?", "", "Void", "黒中押し勝ち", "0"):
        game.result = text
        assert (game.get("RE") or "") == text
    game.handicap = np.int64(3)  # type: ignore[assignment]  # pyright: ignore[reportAttributeAccessIssue]
    game.komi = np.float32(6.5)  # type: ignore[assignment]  # pyright: ignore[reportAttributeAccessIssue]
    assert (game.get("HA"), game.get("KM")) == ("3", "6.5")


def test_a_handicap_in_words_is_no_handicap_and_the_game_goes_on() -> None:
    game = record("(;SZ[19]HA[abc];B[pd])")
    assert game.handicap is None
    assert game.position().handicap == 0 and game.position().move_number == 1


# ------------------------------------------------------------------------------------------------ rules


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Japanese", "japanese"),
        ("JPN", "japanese"),
        ("Chinese rules", "chinese"),
        ("korean", "korean"),
        ("NZ", "new-zealand"),
        ("New Zealand", "new-zealand"),
        ("AGA", "aga"),
        ("Tromp-Taylor", "tromp-taylor"),
        ("tromp taylor", "tromp-taylor"),
        ("GOE", "goe"),
        ("Ing Goe", "goe"),
        ("日本ルール", "japanese"),
        ("中国规则", "chinese"),
    ],
)
def test_rules_are_known_under_the_names_that_records_use(text: str, name: str) -> None:
    rules = rules_named(text)
    assert rules is not None and rules.name == name


def test_rules_are_written_so_that_they_are_read_again() -> None:
    for rules in RULESETS.values():
        assert rules_named(rules_text(rules)) == rules
    goe = rules_named("GOE")
    assert goe is not None and rules_text(goe) == "GOE"
    assert rules_named("") is None and rules_named("Uchikomi") is None


@pytest.mark.parametrize(
    ("rules", "text"),
    [
        ({"base": "japanese", "encore": True}, "japanese,encore=true"),
        ({"base": "chinese", "moveLimit": 722}, "chinese,moveLimit=722"),
        ({"base": "aga", "suicide": True, "encore": False}, "aga,suicide=true"),
        (
            {"ko": "simple", "tax": "all", "whiteHandicapBonus": "N-1", "friendlyPassOk": True},
            "stone-scoring,suicide=true,whiteHandicapBonus=N-1",
        ),
    ],
)
def test_rules_without_a_name_are_written_as_a_name_and_what_differs(rules: dict[str, Any], text: str) -> None:
    made = ruleset(rules)
    assert rules_text(made) == text
    assert rules_named(text) == ruleset(text) == made
    game = GameRecord(9)
    game.rules = made
    assert record(game.to_sgf()).rules == made and record(game.to_sgf()).warnings == []


def test_every_set_of_switches_comes_back() -> None:
    switches = {
        "ko": ("simple", "positional", "situational"),
        "scoring": ("area", "territory"),
        "tax": ("none", "seki", "all"),
        "suicide": (True, False),
        "whiteHandicapBonus": ("0", "N-1", "N"),
        "friendlyPassOk": (True, False),
        "moveLimit": (None, 5),
    }
    for values in itertools.product(*switches.values()):
        rules = ruleset(dict(zip(switches, values, strict=True)))
        assert rules_named(rules_text(rules)) == rules


def test_rules_that_are_named_but_changed_are_not_written_as_the_name() -> None:
    changed = dataclasses.replace(RULESETS["japanese"], encore=True)
    assert rules_text(changed) == "japanese,encore=true"


def test_the_switches_of_katago_are_read_too() -> None:
    assert rules_named("koSIMPLEscoreAREAtaxALLsui1button0whbN-1fpok1") == ruleset(
        {"ko": "simple", "tax": "all", "whiteHandicapBonus": "N-1", "friendlyPassOk": True}
    )


@pytest.mark.parametrize(
    "text", ["house,ko=simple", "japanese,ko=house", "a=b", "=", "ko=simple,ko=simple", "{", '{"ko": 1}', "x" * 10**6]
)
def test_rules_that_are_broken_are_unknown(text: str) -> None:
    assert rules_named(text) is None


def test_rules_never_open_a_file(tmp_path: Path) -> None:
    path = tmp_path / "ko=.toml"
    path.write_text('ko = "simple"', encoding="utf-8")
    assert ruleset(str(path)).ko == "simple"
    assert rules_named(str(path)) is None and record(f"(;RU[{path}])").rules is None


# ------------------------------------------------------------------------------------------------ the tree


def test_nodes_give_their_moves_texts_and_places() -> None:
    game = record()
    first = game.root.next
    assert first is not None and first.move == (Color.BLACK, 40) and first.comment == "the centre"
    assert first.parent == game.root and game.root.parent is None and game.root.move is None
    assert [node.move_number for node in game.main_line()] == [0, 1, 2, 3, 4]
    second = first.variations[0]
    assert [node.get("C") for node in second.variations] == [None, "rather here"]
    assert second.variations[1].path()[-2] == second and second.variations[1].next is None
    assert len(list(game.root.walk())) == 6
    assert {first, game.root.variations[0]} == {first} and first != game.root
    assert repr(first) == "<GameNode B C, 1 variation>"
    assert repr(game) == "<GameRecord 9x9 'Shusaku' against 'Gennan'>"
    assert game.moves() == [(Color.BLACK, 40), (Color.WHITE, 24), (Color.BLACK, 56), (Color.WHITE, 60)]


def test_values_are_given_raw_and_as_texts_and_points() -> None:
    game = record(r"(;SZ[9]LB[aa:1\]][bb:2]TR[aa:ba][ii]C[two\: \\ lines]TB[zz])")
    assert game.root.properties["LB"] == [r"aa:1\]", "bb:2"]
    assert game.root.values("LB") == ["aa:1]", "bb:2"] and game.root.values("MA") == []
    assert game.root.points("TR") == [0, 1, 80] and game.root.points("MA") == []
    assert game.comment == "two: \\ lines"
    with pytest.raises(SgfError, match=r"TB: .*'zz' is not on a 9x9 board"):
        game.root.points("TB")


def test_setup_is_given_as_points_the_last_mention_counting() -> None:
    setup = record("(;SZ[9]AB[aa:ba][]AW[ca][ba]AE[ii][zz]PL[W])").root.setup
    assert setup is not None
    assert (setup.black, setup.white, setup.empty, setup.to_play) == ((0,), (1, 2), (80,), Color.WHITE)
    assert setup.contents == {0: 1, 1: 2, 2: 2, 80: 0}
    assert setup.faults == (
        "'ba' is set up twice with different contents; AW counts",
        "AE[zz] names no point of the board and is left out",
    )
    assert record("(;SZ[9]C[no setup])").root.setup is None
    assert record("(;SZ[9]AB[])").root.setup == Setup()


def test_the_player_to_move_follows_from_the_last_move_or_pl_or_a_handicap() -> None:
    assert record("(;SZ[9];B[aa])").end.to_play is Color.WHITE
    assert record("(;SZ[9];B[aa];PL[B];C[here])").end.to_play is Color.BLACK
    assert record("(;SZ[9]HA[2]AB[aa][bb])").end.to_play is Color.WHITE
    assert record("(;SZ[9]AB[aa][bb])").end.to_play is Color.BLACK


def test_points_of_large_and_oblong_boards() -> None:
    large = record("(;SZ[52];B[ZZ];W[tt])")
    assert (large.rows, large.moves()) == (52, [(Color.BLACK, 52 * 52 - 1), (Color.WHITE, 19 * 52 + 19)])
    oblong = record("(;SZ[13:9];B[mi];W[tt])")
    assert (oblong.rows, oblong.cols, oblong.moves()) == (9, 13, [(Color.BLACK, 116), (Color.WHITE, 117)])
    assert large.append(0).properties == {"B": ["aa"]}
    with pytest.raises(SgfError, match="give the point as a number"):
        large.append("A1")


# ------------------------------------------------------------------------------------------------ editing


def test_moves_and_variations_are_added() -> None:
    game = GameRecord(9)
    first = game.append("E5")
    game.append("pass")
    first.add_variation("C3")
    first.add_variation(0, "B").comment = "out of turn"
    assert game.to_sgf().partition("SZ[9]")[2].replace("\n", "") == ";B[ee](;W[])(;W[cg])(;B[aa]C[out of turn]))"
    with pytest.raises(VertexError):
        game.append("J5x")
    with pytest.raises(VertexError):
        game.append(82)


def test_a_node_is_deleted_with_all_below() -> None:
    game = record()
    [*_, here, _last] = game.main_line()
    here.delete()
    assert game.moves() == [(Color.BLACK, 40), (Color.WHITE, 24), (Color.BLACK, 20)]
    assert here.parent is None
    with pytest.raises(SgfError, match="root of a record cannot be deleted"):
        game.root.delete()


def test_a_line_is_promoted() -> None:
    game = record("(;SZ[9](;B[aa])(;B[bb](;W[cc])(;W[dd])(;W[ee]))(;B[ff]))")
    deep = game.root.variations[1].variations[2]
    deep.promote()
    assert [node.move for node in game.main_line()][1:] == [(Color.BLACK, 10), (Color.WHITE, 40)]
    assert [node.properties["B"] for node in game.root.variations] == [["bb"], ["aa"], ["ff"]]
    assert [node.properties["W"] for node in game.root.variations[0].variations] == [["ee"], ["cc"], ["dd"]]
    assert game.end == deep


def test_properties_are_set_and_removed() -> None:
    node = GameRecord(9).root
    node.set("TR", 0, 80)
    node.set("LB", "aa:]")
    node.set("MN", 5)
    node.set("DO")
    node.comment = "x"
    node.comment = ""
    assert {name: node.properties[name] for name in ("TR", "LB", "MN", "DO")} == {
        "TR": ["aa", "ii"],
        "LB": [r"aa:\]"],
        "MN": ["5"],
        "DO": [""],
    }
    assert "C" not in node.properties
    node.set("TR")
    node.remove("TR")
    assert "TR" not in node.properties
    node.set("VW")
    assert node.properties["VW"] == [""]
    with pytest.raises(SgfError, match="'tr' is no name of a property"):
        node.set("tr", 0)


# ------------------------------------------------------------------------------------------------ files


def test_records_are_read_from_paths_bytes_and_open_files(tmp_path: Path) -> None:
    path = tmp_path / "围棋 game.sgf"
    path.write_text(GAME, encoding="utf-8")
    for source in (path, str(path), GAME.encode(), io.BytesIO(GAME.encode())):
        assert read_sgf(source).black_name == "Shusaku"
    assert go.read_sgf(path).encoding == "utf-8"


def test_a_game_of_several_is_chosen_by_number() -> None:
    data = b"(;PB[one])(;PB[two]HA[x])"
    assert read_sgf(data, game=1).black_name == "two"
    assert [len(game.warnings) for game in read_collection(data)] == [0, 1]
    with pytest.raises(SgfError, match="there is no game 2: the games are 0 to 1"):
        read_sgf(data, game=2)


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(SgfError, match=r"missing\.sgf cannot be opened: No such file or directory\.$"):
        read_sgf(tmp_path / "missing.sgf")
    page = tmp_path / "page.sgf"
    page.write_text("<html></html>", encoding="utf-8")
    with pytest.raises(SgfError, match=r"page\.sgf: .*web page"):
        read_sgf(page)


@pytest.mark.parametrize("path", ["a\0b.sgf", "\ud800.sgf", "x" * 5000, Path("a\0b")])
def test_a_path_that_no_file_can_have_is_one_sentence(path: str | Path) -> None:
    with pytest.raises(SgfError, match=r"^[ -~]{1,99} cannot be opened: [^:]+\.$"):
        read_sgf(path)
    with pytest.raises(SgfError, match=r"^[ -~]{1,99} cannot be written: [^:]+\.$"):
        write_sgf(GameRecord(9), path)


@pytest.mark.parametrize(
    "text", [GAME, "(;SZ[9];B[ee])", "  (;B[ee])", "Hello\n;B[ee]", "(;C[a\0])", "(;" + "é" * 9999]
)
def test_a_text_where_a_path_belongs_gets_a_hint(text: str) -> None:
    with pytest.raises(
        SgfError, match=r"^There is no file .*: a text in SGF is read by GameRecord\.from_text\.$"
    ) as caught:
        read_sgf(text)
    assert len(str(caught.value)) < 200 and "\n" not in str(caught.value)


def test_a_file_may_be_named_like_a_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_sgf(GameRecord(9), "(copy) game.sgf")
    assert read_sgf("(copy) game.sgf").rows == 9


def test_what_has_no_end_or_never_answers_is_one_sentence(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.sgf")
    wrong = {
        tmp_path / "pipe.sgf": "It is a pipe or a device, not a file",
        Path("/dev/zero"): "It is a pipe or a device, not a file",
        tmp_path: "Is a directory",
    }
    for path, reason in wrong.items():
        for source in (path, str(path)):
            with pytest.raises(SgfError, match=rf"^{re.escape(str(path))} cannot be opened: {reason}\.$"):
                read_sgf(source)


def test_a_file_has_an_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "LARGEST_FILE", len(GAME))
    path = tmp_path / "game.sgf"
    path.write_text(GAME, encoding="utf-8")
    assert read_sgf(path).rows == read_sgf(GAME.encode()).rows == read_sgf(io.BytesIO(GAME.encode())).rows == 9
    path.write_text(GAME + " ", encoding="utf-8")
    with pytest.raises(SgfError, match=rf"game\.sgf cannot be opened: It has {len(GAME) + 1} bytes, and no more than"):
        read_sgf(path)
    for source in (path.read_bytes(), io.BytesIO(path.read_bytes())):
        with pytest.raises(SgfError, match=rf"^The file cannot be read: it has more than {len(GAME)} bytes"):
            read_sgf(source)
    with pytest.raises(SgfError, match="cannot be opened: "), Path("/dev/zero").open("rb") as endless:
        read_sgf(endless.name)
    with pytest.raises(SgfError, match="it has more than"), Path("/dev/zero").open("rb") as endless:
        read_sgf(endless)


def test_a_file_open_for_text_is_one_sentence() -> None:
    with pytest.raises(SgfError, match=r"^The file cannot be read: it gives no bytes; open it with mode 'rb'\.$"):
        read_sgf(io.StringIO(GAME))  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


def test_a_closed_file_is_one_sentence(tmp_path: Path) -> None:
    write_sgf(GameRecord(9), tmp_path / "game.sgf")
    with (tmp_path / "game.sgf").open("rb") as file:
        pass
    with pytest.raises(SgfError, match=r"^The file cannot be opened: .*closed file\.$"):
        read_sgf(file)


def test_a_warning_names_the_line_of_its_node() -> None:
    game = record("(;SZ[9]\n;B[aa]\n;W[aa])")
    game.position()
    assert [str(warning) for warning in game.warnings] == [
        "line 3: Move 2, White A9, is illegal: a stone is there already; the game is followed up to there"
    ]
    new = game.end.add_variation(0)
    assert game.line_of(new.tree) == 3


def test_the_size_of_a_record_stays() -> None:
    record = GameRecord(9)
    record.append("A1")
    with pytest.raises(SgfError, match="size of a board cannot be changed"):
        record.set("SZ", "19")
    with pytest.raises(SgfError, match="size of a board cannot be changed"):
        record.root.set("SZ", 19)
    record.root.set("SZ", 9)
    assert "SZ[9]" in record.to_sgf()


def test_a_place_in_a_record_is_a_node_of_it_or_a_number() -> None:
    record, other = GameRecord(9), GameRecord(13)
    gone = record.append("A1")
    assert record.position(np.int64(1)).move_number == 1
    for wrong in ("E5", "2", 1.0):
        with pytest.raises(TypeError, match="integer"):
            record.position(wrong)  # type: ignore[arg-type]  # what callers without types give
    with pytest.raises(SgfError, match="not in this record"):
        record.position(other.append("C3"))
    gone.delete()
    with pytest.raises(SgfError, match="not in this record"):
        record.position(gone)


def test_a_zero_byte_in_a_text_is_left_out() -> None:
    record = GameRecord(9)
    record.black_name = "a\0b"
    assert GameRecord.from_text(record.to_sgf()).black_name == record.black_name == "ab"
