from __future__ import annotations

import contextlib

import pytest

from move37.errors import SgfError
from move37.sgf import gib
from move37.sgf.files import read_sgf
from move37.sgf.foreign import handicap_letters, iso_date
from move37.sgf.formats import parse_record
from move37.sgf.grammar import Node, serialize
from move37.sgf.lines import main_line
from tests.support.shared import ROOT

RECORDS = ROOT / "tests" / "data" / "records"


def record(header: str = "", moves: str = "STO 0 2 1 15 3\n", opening: str = "INI 0 1 0 &4\n") -> bytes:
    return f"\\HS\n{header}\\HE\n\\GS\n2 1 0\n{opening}{moves}\\GE\n".encode()


def root(data: bytes) -> dict[str, str]:
    return {name: values[0] for name, values in gib.parse(data).games[0].properties.items()}


def moves(tree: Node) -> list[str]:
    held = [node.properties for node in list(main_line(tree))[1:]]
    return [name + values[0] for one in held for name, values in one.items()]


def main_info(fields: str) -> bytes:
    return record(f"\\[GAMEINFOMAIN={fields}\\]\n")


@pytest.mark.parametrize(
    ("name", "encoding", "expected"),
    [
        (
            "global.gib",
            "utf-8",
            "PB[wren]BR[2d]PW[hazel]WR[3d]KM[6.5]RE[W+3.5]DT[2019-04-07]TM[1200]GN[Rank Game]PC[Tygem Baduk]"
            "GC[made by hand\nfor a test]",
        ),
        (
            "korea.gib",
            "cp949",
            "PB[박새]BR[8d]PW[느티나무]WR[9p]KM[6.5]RE[B+R]DT[2015-08-29]TM[600]GN[친선 대국]PC[타이젬 바둑]",
        ),
        (
            "china-handicap.gib",
            "gb18030",
            "PB[山雀]BR[2k]PW[银杏]WR[3d]KM[0]HA[3]RE[B+11]DT[2012-11-22]GN[友谊对局]PC[弈城围棋]AB[pd][dp][pp]",
        ),
    ],
)
def test_a_record_of_each_server(name: str, encoding: str, expected: str) -> None:
    found = gib.parse((RECORDS / name).read_bytes())
    assert (found.encoding, found.warnings) == (encoding, [])
    [tree] = found.games
    tree.children.clear()
    assert serialize([tree]).replace("\n;", ";").strip() == f"(;FF[4]GM[1]SZ[19]{expected})"


def test_the_moves_with_passes() -> None:
    tree = gib.parse((RECORDS / "global.gib").read_bytes()).games[0]
    assert moves(tree) == ["Bpd", "Wdp", "Bpp", "Wdd", "Bcj", "Wqj", "B", "W"]


def test_after_handicap_stones_white_begins() -> None:
    tree = gib.parse((RECORDS / "china-handicap.gib").read_bytes()).games[0]
    assert moves(tree) == ["Wdd", "Bcj", "Wqj", "Bjj"]


def test_the_first_pass_of_a_handicap_game_is_whites() -> None:
    tree = gib.parse(record(opening="INI 0 1 2 &4\n", moves="SKI 0 2\nSKI 0 3\n")).games[0]
    assert moves(tree) == ["W", "B"]


@pytest.mark.parametrize(
    ("stones", "points"),
    [
        (0, []),
        (1, []),
        (2, ["pd", "dp"]),
        (3, ["pd", "dp", "pp"]),
        (4, ["pd", "dp", "pp", "dd"]),
        (5, ["pd", "dp", "pp", "dd", "jj"]),
        (6, ["pd", "dp", "pp", "dd", "dj", "pj"]),
        (7, ["pd", "dp", "pp", "dd", "dj", "pj", "jj"]),
        (8, ["pd", "dp", "pp", "dd", "dj", "pj", "jd", "jp"]),
        (9, ["pd", "dp", "pp", "dd", "dj", "pj", "jd", "jp", "jj"]),
        (10, []),
    ],
)
def test_handicap_stones(stones: int, points: list[str]) -> None:
    assert handicap_letters(stones, 19) == points


def test_handicap_stones_of_a_small_board_are_on_the_third_line() -> None:
    assert handicap_letters(5, 9) == ["gc", "cg", "gg", "cc", "ee"]


@pytest.mark.parametrize(
    ("fields", "result"),
    [
        ("GRLT:0,ZIPSU:35", "B+3.5"),
        ("GRLT:1,ZIPSU:110", "W+11"),
        ("GRLT:0,ZIPSU:0", "B+"),
        ("GRLT:3,ZIPSU:0", "B+R"),
        ("GRLT:4,ZIPSU:0", "W+R"),
        ("GRLT:7,ZIPSU:0", "B+T"),
        ("GRLT:8,ZIPSU:0", "W+T"),
        ("GRLT:255,ZIPSU:0", None),
        ("GRLT:x,ZIPSU:y", None),
        ("GRLT:0,ZIPSU:y", "B+"),
    ],
)
def test_results(fields: str, result: str | None) -> None:
    assert root(main_info(fields)).get("RE") == result


@pytest.mark.parametrize(
    ("fields", "opening", "komi"),
    [
        ("GONGJE:65,DUM:0", "INI 0 1 0 &4\n", "6.5"),
        ("GONGJE:0,DUM:0", "INI 0 1 0 &4\n", "0"),
        ("GONGJE:0,DUM:5", "INI 0 1 3 &4\n", "-5"),
        ("GONGJE:oops", "INI 0 1 0 &4\n", None),
        ("TCNT:3", "INI\n", None),
    ],
)
def test_komi(fields: str, opening: str, komi: str | None) -> None:
    assert root(record(f"\\[GAMEINFOMAIN={fields}\\]\n", opening=opening)).get("KM") == komi


@pytest.mark.parametrize(
    ("level", "rank"), [("0", "18k"), ("17", "1k"), ("18", "1d"), ("26", "9d"), ("27", "1p"), ("35", "9p"), ("x", None)]
)
def test_ranks_by_level(level: str, rank: str | None) -> None:
    assert root(record(f"\\[BUSERINFO=BID:wren,BLV:{level},BNICK:w\\]\n")).get("BR") == rank


def test_without_a_header_of_fields_the_tag_tells() -> None:
    tag = "\\[GAMETAG=S0,R0,D0,G65,W7,Z0,T30-3-1200,\t\tC2015:08:29:22:56,\t\tI:hazel,L:17,M:wren,N:20\\]\n"
    found = root(record(tag + "\\[GAMEBLACKNAME=wren\\]\n"))
    assert (found["KM"], found["RE"], found["DT"]) == ("6.5", "B+T", "2015-08-29")
    assert (found["BR"], found["WR"], found["PB"]) == ("3d", "1k", "wren")


def test_text_is_escaped() -> None:
    assert gib.parse(record("\\[GAMEBLACKNAME=a]b\\c (3D)\\]\n")).games[0].properties["PB"] == ["a\\]b\\\\c"]


def test_variations_of_a_review_are_no_moves() -> None:
    data = record(
        moves="STO 0 2 1 15 3\n\\GE\n\\RS\n\\[REFSUSUN=1\\]\n\\[REFGIBO=\nSTO 0 2 1 15 3\nSTO 0 3 2 3 3\n\\]\n\\RE\n"
    )
    assert moves(gib.parse(data).games[0]) == ["Bpd"]


def test_a_move_taken_back_is_left_out() -> None:
    found = gib.parse(record(moves="STO 0 2 1 15 3\nSTO 0 3 2 3 3\nWIT 0 4 2\nSTO 0 5 2 3 4\n"))
    assert moves(found.games[0]) == ["Bpd", "Wde"]
    assert [str(one) for one in found.warnings] == ["line 8: move 2 was taken back (WIT) and is left out"]


def test_another_board_size() -> None:
    assert root(record("\\[GAMEINFOMAIN=LINE:13,GRLT:3\\]\n", moves="STO 0 2 1 12 3\n"))["SZ"] == "13"


@pytest.mark.parametrize(
    "line", ["STO 0 3 2", "STO 0 3 3 4 5", "STO 0 3 2 x y", "STO 0 3 2 -1 3", "STO 0 3 2 19 3", "STO 0 3 2 19 19"]
)
def test_a_move_that_names_no_point_ends_the_game_as_in_sgf(line: str) -> None:
    data = record(moves=f"STO 0 2 1 15 3\n{line}\nSTO 0 4 1 3 3\n")
    found = gib.parse(data)
    assert moves(found.games[0]) == ["Bpd", f"W{line}", "Bdd"]
    game = read_sgf(data)
    assert [str(one) for one in game.warnings] == [f"line 7: Move 2, White W[{line[:20]}], names no point of the board"]
    assert [game.position(illegal=policy).move_number for policy in ("stop", "keep")] == [1, 2]
    assert game.replay().played == 1
    assert str(game.warnings[0]).startswith(f"line 7: Move 2, White W[{line[:20]}], names no point of the board")
    with pytest.raises(SgfError, match=r"^line 7: Move 2, White .* names no point of the board; correct the record"):
        game.position(illegal="refuse")
    again = read_sgf(game.to_sgf().encode())
    assert again.position().move_number == 1


def test_an_illegal_move_is_told_with_its_line() -> None:
    game = read_sgf(record(moves="STO 0 2 1 15 3\nSTO 0 3 2 15 3\n"))
    assert game.warnings == [] and game.position().move_number == 1
    assert str(game.warnings[0]).startswith("line 7: Move 2, White Q16, is illegal")


def test_moves_without_a_header_are_read() -> None:
    assert moves(parse_record(b"STO 0 2 1 15 3\r\nSTO 0 3 2 3 3\r\n").games[0]) == ["Bpd", "Wdd"]


@pytest.mark.parametrize("cut", range(0, 1000, 37))
def test_a_file_cut_anywhere_is_read_or_one_error(cut: int) -> None:
    data = (RECORDS / "global.gib").read_bytes()[:cut]
    with contextlib.suppress(SgfError):
        assert len(parse_record(data).games) == 1


def test_what_is_no_gib_is_refused() -> None:
    with pytest.raises(SgfError, match="no game was found"):
        gib.parse(b"STO is not a move")


def test_utf_16_with_a_mark() -> None:
    data = (RECORDS / "global.gib").read_bytes().decode("utf-8").encode("utf-16")
    assert len(moves(parse_record(data).games[0])) == 8


def test_an_sgf_that_speaks_of_gib_stays_sgf() -> None:
    assert parse_record(b"(;C[\\\\HS\nSTO 0 2 1 15 3\n];B[aa])").games[0].children[0].properties == {"B": ["aa"]}


def test_the_encoding_may_be_named() -> None:
    data = (RECORDS / "korea.gib").read_bytes()
    assert gib.parse(data, "cp949").games[0].properties["PB"] == ["박새"]


@pytest.mark.parametrize(
    ("text", "date"),
    [("2016- 3-26-17-29-25", "2016-03-26"), ("20110812", "2011-08-12"), ("2016-13-40", ""), ("soon", ""), ("", "")],
)
def test_dates(text: str, date: str) -> None:
    assert iso_date(text) == date


def test_hostile_headers_take_no_time() -> None:
    for piece in ("\\[A=", "\\[A=\n", "STO 0 1 1 3 3\n", "\\HS", "("):
        data = b"\\HS\n" + (piece * (500_000 // len(piece))).encode()
        assert gib.parse(data).games
