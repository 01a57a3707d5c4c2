from __future__ import annotations

from encodings.aliases import aliases

import pytest

from move37.errors import SgfError
from move37.sgf.encoding import decode, text_encoding
from move37.sgf.grammar import parse
from move37.sgf.guess import guess_encoding
from tests.sgf.fuzz import DATA
from tests.support.shared import SHARED

ODD = SHARED / "games" / "sgf-odd"
GAME = "(;GM[1]SZ[9]PB[{}];B[dd])"
GUESSED = "line 1: the text was read as {}, a guess: name the encoding if it is wrong"


def read(data: bytes, encoding: str | None = None) -> tuple[str, str, list[str]]:
    """The black player's name, the encoding, and the warnings of a file; its move must be there."""
    collection = parse(data, encoding)
    root = collection.games[0]
    assert root.children[0].properties == {"B": ["dd"]}
    return root.properties["PB"][0], collection.encoding, [str(warning) for warning in collection.warnings]


# ------------------------------------------------------------------------------------------------------ the order


@pytest.mark.parametrize(("codec", "found"), [("shift_jis", "cp932"), ("gbk", "gb18030")])
def test_two_characters_are_enough_to_tell_the_encoding(codec: str, found: str) -> None:  # B19
    data = GAME.format("井山").encode(codec)
    assert read(data) == ("井山", found, [GUESSED.format(found)])
    wrong = data.replace(b"GM[1]", b"GM[1]CA[UTF-8]")
    assert read(wrong) == (
        "井山",
        found,
        ["line 1: the declared encoding 'UTF-8' does not fit the text", GUESSED.format(found)],
    )


@pytest.mark.parametrize(("codec", "name", "found"), [("big5", "周俊勳", "big5hkscs"), ("euc_kr", "이창호", "cp949")])
def test_names_in_big5_and_euc_kr(codec: str, name: str, found: str) -> None:  # B19
    assert read(GAME.format(name).encode(codec)) == (name, found, [GUESSED.format(found)])
    declared = GAME.format(name).replace("GM[1]", f"CA [ {codec.upper()} ]").encode(codec)
    assert read(declared) == (name, found, [])


@pytest.mark.parametrize("codec", ["utf-8-sig", "utf-16", "utf-32", "utf-8"])
def test_a_byte_order_mark_and_utf_8_come_before_a_guess(codec: str) -> None:  # B19
    name, _, warnings = read(GAME.format("井山").encode(codec))
    assert (name, warnings) == ("井山", [])


@pytest.mark.parametrize("codec", ["shift_jis", "gbk"])
def test_a_mark_of_utf_8_before_something_else_is_not_believed(codec: str) -> None:  # B19
    assert read(b"\xef\xbb\xbf" + GAME.format("井山").encode(codec))[0] == "井山"


def test_a_byte_order_mark_comes_before_the_declaration() -> None:
    data = GAME.format("井山").replace("GM[1]", "CA[GBK]").encode("utf-8-sig")
    assert read(data) == ("井山", "utf-8", [])


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
def test_utf_16_needs_no_mark(codec: str) -> None:
    assert read(GAME.format("井山").encode(codec)) == ("井山", codec, [])


def test_what_the_caller_names_overrules_everything() -> None:
    data = "\ufeff" + GAME.format("井山")
    assert read(data.encode(), "utf-8") == ("井山", "utf-8", [])
    assert read(GAME.format("井山").encode("euc_jp"), "EUC-JP") == ("井山", "euc_jp", [])
    name, encoding, warnings = read(GAME.format("é").encode("latin-1"), "utf-8")
    assert (name, encoding) == ("\ufffd", "utf-8")
    assert warnings == ["line 1: what is no utf-8 was replaced by '\ufffd' in 1 places"]


@pytest.mark.parametrize("name", ["no-such", "rot13", "base64", "ebcdic\0"])
def test_an_unknown_name_from_the_caller_is_an_error(name: str) -> None:
    with pytest.raises(SgfError, match="no text encoding"):
        decode(b"(;)", name)


# ------------------------------------------------------------------------------------------------------ declarations


@pytest.mark.parametrize(
    ("declared", "codec"),
    [
        *(("GB2312", "gb18030"), ("gbk", "gb18030"), ("GB18030", "gb18030"), ("EUC-CN", "gb18030")),
        *(("Shift_JIS", "cp932"), ("Shift-JIS", "cp932"), ("x-sjis", "cp932"), ("SJIS", "cp932"), ("cp932", "cp932")),
        *(("EUC-KR", "cp949"), ("ks_c_5601-1987", "cp949"), ("Big5", "big5hkscs"), ("cp950", "cp950")),
        *(("UTF-8", "utf-8"), ("utf8", "utf-8"), ("US-ASCII", "utf-8"), ("ISO-8859-1", "cp1252"), ("latin1", "cp1252")),
        *(("windows-1251", "cp1251"), ("cp-1252", "cp1252"), ("macintosh", "mac-roman"), ("ISO 8859-2", "iso8859-2")),
        *(("foo", None), ("UTF16LE", None), ("utf-16", None), ("rot13", None), ("zlib", None), ("cp037", None)),
        *(("punycode", None), ("unicode_escape", None), ("utf_7", None), ("", None), ("undefined", None)),
    ],
)
def test_declared_names_are_read_generously(declared: str, codec: str | None) -> None:
    assert text_encoding(declared) == codec


@pytest.mark.parametrize(
    "text", [b"(;CA[%s]PB[\xf7];B[dd])", b"(;CA[%s]PB[a];B[dd])", "(;CA[%s]PB[井];B[dd])".encode()]
)
def test_no_name_of_a_codec_stops_the_reading(text: bytes) -> None:
    names = {*aliases, *aliases.values(), "idna", "undefined", "unicode_escape", "raw_unicode_escape", "oem", "mbcs"}
    for name in sorted(names):
        data = text.replace(b"%s", name.encode())
        collection = parse(data)
        assert collection.games[0].children[0].properties == {"B": ["dd"]}, name
        if name.partition("_")[0] in ("idna", "punycode", "rot", "base64", "hex", "undefined", "mbcs", "zlib", "oem"):
            assert "is unknown" in str(collection.warnings[0]), name


@pytest.mark.parametrize("name", ["idna", "punycode", "undefined", "unicode_escape", "hex"])
def test_what_is_no_encoding_of_files_is_refused_from_the_caller(name: str) -> None:
    with pytest.raises(SgfError, match="no text encoding"):
        decode(b"(;C[\\d])", name)


def test_an_unknown_name_is_warned_of_in_ascii_too() -> None:
    unknown = "line 1: the declared encoding 'foo' is unknown"
    assert [str(warning) for warning in parse(b"(;CA[foo]PB[a])").warnings] == [unknown]
    assert [str(warning) for warning in parse("(;CA[foo]PB[é])".encode()).warnings] == [unknown]
    for data in (b"(;CA[GBK]PB[a])", b"(;PB[a]XCA[foo])", b"(;CA[]PB[a])", b"(;CA[us-ascii])"):
        assert parse(data).warnings == []
    assert "does not fit" in str(parse(b"(;CA[UTF-16])").warnings[0])


def test_utf_8_that_declares_a_western_encoding_is_utf_8() -> None:
    data = GAME.format("井山").replace("GM[1]", "CA[ISO-8859-1]").encode()
    name, encoding, warnings = read(data)
    assert (name, encoding) == ("井山", "utf-8")
    assert warnings == ["line 1: the declared encoding 'ISO-8859-1' does not fit the text"]


def test_utf_8_that_declares_gbk_is_utf_8() -> None:
    data = GAME.format("聂卫平 围棋").replace("GM[1]", "CA[GBK]").encode()
    assert read(data)[:2] == ("聂卫平 围棋", "utf-8")


def test_a_broken_byte_does_not_change_the_encoding() -> None:
    comment = "围棋是中国的国技 " * 3
    for declared in ("", "CA[GB2312]"):
        data = GAME.format(comment).replace("GM[1]", declared).encode("gb18030").replace(b" \xce", b" \xff\xce", 1)
        name, encoding, warnings = read(data)
        assert encoding == "gb18030"
        assert name.replace("\ufffd", "")[-9:] == comment[-9:]
        assert any("was replaced" in warning for warning in warnings)
        assert any("guess" in warning for warning in warnings) == (not declared)


def test_utf_8_that_was_cut_short_is_still_utf_8() -> None:
    data = "(;PB[聂卫平]PW[马晓春];B[dd];C[围棋".encode()[:-1]
    collection = parse(data)
    assert collection.encoding == "utf-8"
    assert collection.games[0].properties == {"PB": ["聂卫平"], "PW": ["马晓春"]}


def test_each_game_by_its_own_declaration() -> None:
    collection = parse((DATA / "two_encodings.sgf").read_bytes())
    assert [root.properties["PB"] for root in collection.games] == [["이창호"], ["周俊勳"], ["Müller"]]
    assert collection.warnings == []


def test_second_bytes_that_look_like_brackets_are_no_brackets() -> None:
    names = "表ソ能十貼予暴構饅ー"  # each ends in 0x5C, 0x5B or 0x5D in Shift-JIS
    assert read(GAME.format(names).replace("GM[1]", "CA[Shift_JIS]").encode("cp932"))[0] == names
    assert read(GAME.format(names).encode("cp932"))[0] == names


def test_escape_sequences_of_iso_2022() -> None:
    data = GAME.format("井山").replace("GM[1]", "CA[ISO-2022-JP]").encode("iso2022_jp")
    assert data.isascii()
    assert read(data)[0] == "井山"
    assert read(GAME.format("井山").encode("iso2022_jp"))[0] == "井山"


# ------------------------------------------------------------------------------------------------------ the guess


@pytest.mark.parametrize(
    ("codec", "names"),
    [
        ("gb18030", "聂卫平|马晓春|古力|柯洁|常昊|黑中盘胜|白胜半目|第一届中国围棋名人战|陈耀烨|芮乃伟"),
        ("big5hkscs", "周俊勳|林海峰|王立誠|吳清源|應昌期|中環杯|黑中盤勝|黑嘉嘉|許皓鋐|賴均輔"),
        ("cp932", "井山裕太|趙治勲|坂田栄男|本因坊秀策|第３０期棋聖戦|黒番中押し勝ち|コミ6目半|一力遼|高川格|謝依旻"),
        ("cp949", "이창호|이세돌|조훈현|박정환|신진서|최정|한국기원|백불계승|농심배|목진석"),
        ("cp1251", "Чемпионат|России|Иванов|Динерштейн"),
        ("koi8_r", "Чемпионат России"),
        ("cp1252", "Müller|Größe|café|Björn|São|Çelik|François"),
    ],
)
def test_single_names_are_read_right(codec: str, names: str) -> None:
    for name in names.split("|"):
        text = GAME.format(name)
        assert text.encode(codec).decode(guess_encoding(text.encode(codec))) == text


def test_any_bytes_have_a_guess() -> None:
    for data in (b"\xff", b"\x80\x81\x82", bytes(range(256)), b"(;C[\xff\xfe\xfd" + bytes(range(128, 256)) * 50):
        data.decode(guess_encoding(data), "replace")


# ------------------------------------------------------------------------------------------------------ shared files


@pytest.mark.skipif(not ODD.is_dir(), reason="no shared folder of odd files")
def test_odd_files_are_in_the_encoding_that_their_index_says() -> None:
    wider = {"gb2312": "gb18030", "gbk": "gb18030", "big5": "big5hkscs", "euc-kr": "cp949", "windows-1251": "cp1251"}
    same = {"none": "utf-8", "iso-2022-jp": "iso2022_jp_2", "mac_roman": "mac-roman"}
    for row in (ODD / "index.tsv").read_text(encoding="utf-8").splitlines()[1:]:
        columns = row.split("\t")
        if columns[7] == "-":
            continue
        expected = columns[7].split()[0].replace("utf-16be", "utf-16-be").replace("utf-16le", "utf-16-le")
        collection = parse((ODD / columns[0]).read_bytes())
        assert collection.encoding == (wider | same).get(expected, expected), columns[0]
        assert "\ufffd" not in collection.text
        assert any("guess" in str(w) for w in collection.warnings) == (columns[0] == "sabaki_sgf__nihon-kiin.sgf")
