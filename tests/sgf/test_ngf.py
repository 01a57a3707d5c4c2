from __future__ import annotations

import contextlib

import pytest

from move37.errors import SgfError
from move37.sgf import ngf
from move37.sgf.files import read_sgf
from move37.sgf.formats import parse_record
from move37.sgf.grammar import Node, serialize
from move37.sgf.lines import main_line
from tests.support.shared import ROOT

RECORDS = ROOT / "tests" / "data" / "records"
HEADER = (
    "Rated game", "19", "hazel      7D*", "wren       2K", "www.cyberoro.com",
    "0", "0", "6", "20170316 [09:37]", "30", "Black wins by 2.5!", "2",
)  # fmt: skip
MOVES = ("PMABBQEEQ", "PMACWEEEE")


def record(*moves: str, **changes: str) -> bytes:
    places = ("title", "size", "white", "black", "site", "handicap", "unknown", "komi", "date", "minutes", "result")
    lines = list[str](HEADER)
    for name, value in changes.items():
        lines[places.index(name)] = value
    return "\r\n".join([*lines, *(moves or MOVES), ""]).encode()


def root(data: bytes) -> dict[str, str]:
    return {name: values[0] for name, values in ngf.parse(data).games[0].properties.items()}


def moves(tree: Node) -> list[str]:
    held = [node.properties for node in list(main_line(tree))[1:]]
    return [name + values[0] for one in held for name, values in one.items()]


@pytest.mark.parametrize(
    ("name", "encoding", "expected"),
    [
        (
            "rated.ngf",
            "utf-8",
            "PB[wren.K]BR[10k]PW[hazel]WR[7d]KM[6.5]RE[W+2.5]DT[2017-03-16]TM[1800]GN[Rated game]PC[www.cyberoro.com]",
        ),
        (
            "japan-handicap.ngf",
            "cp932",
            "PB[四十雀]BR[2d]PW[銀杏]WR[5p]KM[0]HA[2]RE[W+R]DT[2011-08-12]TM[28800]GN[レーティング対局]"
            "PC[www.cyberoro.com]AB[pd][dp]",
        ),
        ("old.ngf", "gb18030", "PB[山雀]BR[1p]PW[银杏]WR[5p]KM[6.5]RE[B+R]DT[2006-09-05]GN[某某战]"),
    ],
)
def test_a_record_of_each_form(name: str, encoding: str, expected: str) -> None:
    found = parse_record((RECORDS / name).read_bytes())
    assert found.encoding == encoding
    [tree] = found.games
    tree.children.clear()
    assert serialize([tree]).replace("\n;", ";").strip() == f"(;FF[4]GM[1]SZ[19]{expected})"


def test_the_moves_with_passes() -> None:
    tree = ngf.parse((RECORDS / "rated.ngf").read_bytes()).games[0]
    assert moves(tree) == ["Bpd", "Wdp", "Bpp", "Wdd", "Bcj", "Wqj", "B", "W"]


@pytest.mark.parametrize(
    ("words", "result"),
    [
        ("Black wins by resignation!", "B+R"),
        ("White wins by resi!", "W+R"),
        ("White Win by Resign!", "W+R"),
        ("Black wins by 16.5 points! >> White(66):Black(89)", "B+16.5"),
        ("Black Win 6.5 >> White(50):Black(63)", "B+6.5"),
        ("White 19Win  >> White(83):Black(64)", "W+19"),
        ("White loses on time", "B+T"),
        ("흑 1.5집 승", "B+1.5"),
        ("白5.5目勝ち!", "W+5.5"),
        ("197手完、黒中押し勝ち", "B+R"),
        ("232手完、黒2目半勝ち", "B+2.5"),
        ("黒5.5目勝！ >> 白(64):黒(76)", "B+5.5"),
        ("白時間切れ勝ち！", "W+T"),
        ("白棋12子 >> 白方(94):黑方(82)", "W+12"),
        ("Progressing!", None),
        ("what a game", "what a game"),
        ("", None),
    ],
)
def test_results(words: str, result: str | None) -> None:
    assert root(record(result=words)).get("RE") == result


@pytest.mark.parametrize(
    ("komi", "handicap", "expected"),
    [
        ("6", "0", "6.5"),
        ("0", "0", "0.5"),
        ("0", "2", "0"),
        ("6.5", "0", "6.5"),
        ("x", "0", None),
        ("12345", "0", None),
    ],
)
def test_half_a_point_is_meant_on_top(komi: str, handicap: str, expected: str | None) -> None:
    assert root(record(komi=komi, handicap=handicap)).get("KM") == expected


@pytest.mark.parametrize(
    ("line", "name", "rank"),
    [
        ("hazel      7D*", "hazel", "7d"),
        ("Kobayashi.  9DP", "Kobayashi.", "9p"),
        ("wren 10K", "wren", "10k"),
        ("Lee S.D. 9P", "Lee S.D.", "9p"),
        ("アギラール  7段*", "アギラール", "7d"),
        ("江維傑      5段P", "江維傑", "5p"),
        ("박새 3급", "박새", "3k"),
        ("银杏 初段", "银杏", "1p"),
        ("dan 9 lives", "dan 9 lives", None),
        ("7D", "7D", None),
        ("", None, None),
    ],
)
def test_players(line: str, name: str | None, rank: str | None) -> None:
    found = root(record(white=line))
    assert (found.get("PW"), found.get("WR")) == (name, rank)


def test_another_board_size() -> None:
    found = ngf.parse(record("PMABBJJJJ", "PMACWAAAA", size="9"))
    assert found.games[0].properties["SZ"] == ["9"] and moves(found.games[0]) == ["Bii", "W"]


@pytest.mark.parametrize("line", ["PMACWKBBK", "PMACWBKKB", "PMACWABBA", "PMACWB", "PMAC?EEEE", "PMAC"])
def test_a_move_that_names_no_point_ends_the_game_as_in_sgf(line: str) -> None:
    data = record("PMABBFFFF", line, "PMADBEEEE", size="9")
    found = ngf.parse(data)
    assert moves(found.games[0]) == ["Bee", f"W{line}", "Bdd"]
    game = read_sgf(data)
    assert [str(one) for one in game.warnings] == [f"line 14: Move 2, White W[{line}], names no point of the board"]
    assert [game.position(illegal=policy).move_number for policy in ("stop", "keep")] == [1, 2]
    assert str(game.warnings[0]).startswith(f"line 14: Move 2, White W[{line}], names no point of the board")
    with pytest.raises(SgfError, match=r"^line 14: Move 2, White .* names no point of the board; correct the record"):
        game.position(illegal="refuse")


def test_the_beginning_of_a_move_is_no_point() -> None:
    found = ngf.parse(record("PMABBQEEQ", "PM"))
    assert moves(found.games[0]) == ["Bpd", "WPM?"]


def test_a_title_that_begins_like_a_move_is_a_title() -> None:
    found = ngf.parse(record(title="PM cup"))
    assert moves(found.games[0]) == ["Bpd", "Wdd"] and found.warnings == []


def test_a_game_without_moves_is_a_record() -> None:
    assert moves(parse_record("\n".join((*HEADER, "")).encode()).games[0]) == []


@pytest.mark.parametrize("first", range(13))
def test_a_header_that_is_cut_short_still_gives_the_moves(first: int) -> None:
    lines = [*HEADER[:first], *MOVES]
    assert moves(parse_record("\n".join(lines).encode()).games[0]) == ["Bpd", "Wdd"]


@pytest.mark.parametrize("cut", range(0, 230, 11))
def test_a_file_cut_anywhere_is_read_or_one_error(cut: int) -> None:
    for name in ("rated.ngf", "old.ngf", "japan-handicap.ngf"):
        with contextlib.suppress(SgfError):
            assert len(parse_record((RECORDS / name).read_bytes()[:cut]).games) == 1


def test_what_is_no_ngf_is_refused() -> None:
    with pytest.raises(SgfError, match="no game was found"):
        ngf.parse(b"nothing\nof the kind")


def test_an_sgf_that_holds_such_lines_stays_sgf() -> None:
    assert parse_record(b"\xef\xbb\xbf (;C[\nPMABBQEEQ\n];B[aa])").games[0].children[0].properties == {"B": ["aa"]}


def test_long_files_take_no_time() -> None:
    for piece in ("PMABBQEEQ\n", "PM\n", "GI\n", "0\n"):
        data = "\n".join([*HEADER, ""]).encode() + piece.encode() * (500_000 // len(piece))
        assert ngf.parse(data).games
