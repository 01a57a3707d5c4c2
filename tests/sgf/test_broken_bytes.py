"""Bytes that are no text: what they may not take with them."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from move37.sgf.broken_bytes import close_values, is_mostly_utf8
from move37.sgf.encoding import decode
from move37.sgf.files import read_sgf
from move37.sgf.game_record import GameRecord
from move37.sgf.guess import plausibility
from tests.support.shared import SHARED

SAMPLES = sorted((SHARED / "games").glob("sgf-*/**/*.sgf"))
MOVES = b";B[ee];W[ff]" * 49
JAPANESE = "(;{}SZ[9]PB[井山裕太]PW[小林光一];B[dd]C[序盤は白の打ち方に問題".encode("cp932")
CHINESE = "(;{}SZ[9]PB[聂卫平]PW[马晓春];B[dd]C[围棋是中国的国技".encode("gbk")


def messages(game: GameRecord) -> list[str]:
    return [warning.message for warning in game.warnings]


# ------------------------------------------------------------------------------------------------ UTF-8


@pytest.mark.parametrize("declared", [b"CA[UTF-8]", b"", b"CA[GB2312]", b"CA[foo]"])
@pytest.mark.parametrize("broken", [b"\xff\xfe", b"\x89", b"\xe4\xba"])
@pytest.mark.parametrize("name", ["井山裕太", "聂卫平", "이창호", "Иван Динерштейн"])
def test_a_bad_stretch_leaves_utf_8_what_it_is(declared: bytes, broken: bytes, name: str) -> None:
    head, tail = f"SZ[9]PB[{name}]PW[{name}];B[dd]C[abc".encode(), b"];W[ee])"
    game = read_sgf(b"(;" + declared + head + broken + tail)
    assert (game.black_name, game.encoding, len(game.moves())) == (name, "utf-8", 2)
    assert any("what is no utf-8 was replaced" in message for message in messages(game))


def test_a_mark_of_utf_8_and_a_bad_stretch() -> None:
    game = read_sgf(b"\xef\xbb\xbf" + "(;PB[井山裕太];B[dd]C[".encode() + b"\xff]PW[x])")
    assert (game.black_name, game.encoding) == ("井山裕太", "utf-8")


@pytest.mark.parametrize("codec", ["gb18030", "cp932", "big5hkscs", "cp949", "euc_jp", "cp1251", "cp1252"])
def test_other_encodings_are_not_taken_for_damaged_utf_8(codec: str) -> None:
    names = "聂卫平 马晓春 井山裕太 趙治勲 周俊勳 이창호 이세돌 Чемпионат России Müller Größe café"
    fitting = "".join(sign for sign in names if sign.encode(codec, "ignore")).split()
    for name in fitting:
        if not name.isascii():
            assert not is_mostly_utf8(name.encode(codec), declared=False), name


# ------------------------------------------------------------------------------------------------ cut characters


@pytest.mark.parametrize(
    ("head", "declared"), [(JAPANESE, b""), (JAPANESE, b"CA[Shift_JIS]"), (CHINESE, b""), (CHINESE, b"CA[GBK]")]
)
@pytest.mark.parametrize("lead", [b"\x89", b"\x93", b"\xe3"])
@pytest.mark.parametrize("tail", [MOVES, b"\r\n" + MOVES, b"TR[aa]" + MOVES, b"(" + MOVES + b")(;B[aa])"])
def test_a_cut_comment_takes_no_moves(head: bytes, declared: bytes, lead: bytes, tail: bytes) -> None:
    game = read_sgf(head.replace(b"{}", declared) + lead + b"]" + tail + b")")
    assert game.black_name in ("井山裕太", "聂卫平") and len(game.moves()) == 99
    assert game.root.next is not None and game.root.next.comment.endswith("\ufffd")
    assert any("cut character" in message for message in messages(game))
    assert game.warnings[0].line == 1


@pytest.mark.parametrize("encoding", [None, "cp932"])
def test_a_cut_name_and_a_cut_comment_at_the_end(encoding: str | None) -> None:
    data = "(;PB[井山裕太".encode("cp932") + b"\x89]PW[" + "小林".encode("cp932") + b"\x89];B[aa]C[a\x89]\n)\n"
    game = read_sgf(data, encoding=encoding)
    assert (game.black_name, game.white_name) == ("井山裕太\ufffd", "小林\ufffd")
    assert game.end.comment == "a\ufffd"


@pytest.mark.parametrize("codec", ["cp932", "gb18030", "big5hkscs"])
def test_whole_characters_that_end_in_a_bracket_or_a_backslash_stay(codec: str) -> None:
    pairs = [bytes((lead, trail)) for trail in b"]\\[" for lead in range(0x81, 0xFF)]
    signs = "".join(text for pair in pairs if len(text := pair.decode(codec, "ignore")) == 1)
    assert len(signs) > 100
    rng = random.Random(1)
    for sign in signs:
        words = "".join(rng.choices(signs, k=5))
        for value in (sign, f"({sign})", f"{sign};", f"{sign} A", f"1. {sign}; {sign} B", words, f"{sign}\n{words}"):
            text = f"(;GM[1]PB[{sign}]C[{value}];B[aa]C[{value}];W[bb]N[{sign}])"
            assert close_values(text, codec) == (text, 0)


def test_what_a_comment_quotes_is_no_structure() -> None:
    text = r"(;C[‐;B[aa\];W[bb\] と‐C[x\]];B[cc])"
    assert close_values(text, "cp932") == (text, 0)


@pytest.mark.parametrize("codec", ["utf-8", "cp1252", "cp949", "euc_jp", "iso2022_jp_2"])
def test_encodings_without_such_characters_are_left_alone(codec: str) -> None:
    assert close_values("(;C[\u2010;W[cc])", codec) == ("(;C[\u2010;W[cc])", 0)


@pytest.mark.skipif(not SAMPLES, reason="no shared folder of game records")
def test_no_real_record_is_changed_in_any_encoding() -> None:
    seen = 0
    for path in SAMPLES:
        text = decode(Path(path).read_bytes()).text
        for codec in () if text.isascii() else ("cp932", "gb18030", "big5hkscs"):
            kept = text.encode(codec, "ignore").decode(codec)
            assert close_values(kept, codec) == (kept, 0), path
            seen += plausibility(kept, codec) != 0
    assert seen > 20
