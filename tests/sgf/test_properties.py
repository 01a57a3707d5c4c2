from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from move37.errors import SgfError, VertexError
from move37.rules import coordinates
from move37.sgf import properties
from move37.sgf.grammar import parse, serialize

# ------------------------------------------------------------------------------------------------------ texts


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("plain", "plain"),
        (r"a \] b \[ \\ \: \n", r"a ] b [ \ : n"),
        ("soft\\\nbreak\\\r\nand\\\rmore", "softbreakandmore"),
        ("hard\nbreak\r\nand\rmore", "hard\nbreak\nand\nmore"),
        ("tab\tand\vfeed\f.", "tab and feed ."),
        (r"\\" + "\n", "\\\n"),
        ("ends\\", "ends\\"),
    ],
)
def test_texts_lose_their_escapes(raw: str, text: str) -> None:
    assert properties.unescape_text(raw) == text
    assert properties.unescape_simple_text(raw) == text.replace("\n", " ")


@given(st.text(st.characters(exclude_characters="\r\t\v\f\0", exclude_categories=["Cs"])))
def test_any_text_survives_a_file(text: str) -> None:
    raw = properties.escape_text(text)
    assert properties.unescape_text(raw) == text
    root = parse(serialize(parse("(;C[" + raw + "]B[aa])").games)).games[0]
    assert root.properties == {"C": [raw], "B": ["aa"]}


@given(st.text(), st.text())
def test_composed_values_come_apart_at_their_colon(left: str, right: str) -> None:
    raw = f"{properties.escape_text(left, composed=True)}:{properties.escape_text(right, composed=True)}"
    halves = properties.split_composed(raw)
    assert halves is not None
    assert [properties.unescape_text(half) for half in halves] == [
        properties.unescape_text(properties.escape_text(text)) for text in (left, right)
    ]


def test_values_without_a_colon_are_not_composed() -> None:
    assert properties.split_composed(r"a\:b") is None
    assert properties.split_composed("") is None
    assert properties.split_composed(":") == ("", "")


# ------------------------------------------------------------------------------------------------------ names


@pytest.mark.parametrize(
    ("raw", "name"),
    [
        *(("B", "B"), ("GaMe", "GM"), ("Black", "B"), ("PlayerBlack", "PB"), ("Komi", "KM"), ("SiZe", "SZ")),
        *(("Size", "SZ"), ("KOMI", "KOMI"), ("b", "B"), ("addblack", "AB"), ("xyZ", "Z"), ("a1", "A1"), ("a_B", "A_B")),
    ],
)
def test_old_names_are_shortened_once_and_for_all(raw: str, name: str) -> None:
    assert properties.short_name(raw) == name
    assert properties.short_name(name) == name


def test_which_properties_hold_points() -> None:
    assert all(properties.holds_points(name) for name in ("B", "W", "AB", "AR", "LB", "TR"))
    assert not any(properties.holds_points(name) for name in ("C", "PB", "SZ", "FG", "KM", "CH", "EL", "XX"))
    assert {"AB", "AW", "AE"} <= properties.POINT_LISTS & properties.SETUP
    assert not properties.GAME_INFO & (properties.ROOT | properties.SETUP | properties.MOVES)


# ------------------------------------------------------------------------------------------------------ points


def test_compressed_point_lists() -> None:  # B15
    root = parse("(;GM[1]FF[4]SZ[9]AB[dd:ef]AW[aa:ab][ha])").games[0]
    black = properties.parse_point_list(root.properties["AB"], 9, 9)
    white = properties.parse_point_list(root.properties["AW"], 9, 9)
    assert [coordinates.format_sgf(point, 9, 9) for point in black] == ["dd", "ed", "de", "ee", "df", "ef"]
    assert [coordinates.format_sgf(point, 9, 9) for point in white] == ["aa", "ab", "ha"]


@pytest.mark.parametrize("raw", ["dd:ef", "ef:dd", "ed:df", "df:ed", " dd : ef "])
def test_the_corners_of_a_rectangle_may_stand_in_any_order(raw: str) -> None:
    assert properties.parse_point_list([raw], 9, 9) == [30, 31, 39, 40, 48, 49]


def test_lists_skip_what_is_empty_and_what_is_named_twice() -> None:  # B23
    assert properties.parse_point_list(["", "aa", "aa:", "aa:ba"], 9, 9) == [0, 1]


@pytest.mark.parametrize("raw", ["tt", "zz", "aa:zz", "aa:tt", "aa:bb:cc"])
def test_lists_refuse_what_names_no_point(raw: str) -> None:
    with pytest.raises(VertexError):
        properties.parse_point_list(["aa", raw], 9, 9)


# ------------------------------------------------------------------------------------------------------ numbers


@pytest.mark.parametrize(
    ("raw", "size"),
    [
        *(("19", (19, 19)), ("13:9", (13, 9)), ("9x13", (9, 13)), (" 19 ", (19, 19)), ("１９", (19, 19))),
        *(
            ("52", (52, 52)),
            ("1:2", (1, 2)),
            ("19路", (19, 19)),
            ("19:19", (19, 19)),
            ("9 x 9", (9, 9)),
            ("19:", (19, 19)),
        ),
    ],
)
def test_board_sizes(raw: str, size: tuple[int, int]) -> None:
    assert properties.parse_size(raw) == size


@pytest.mark.parametrize("raw", ["", "x", "0", "53", "19:53", "-10", "200", "9.5", "1" * 5000])
def test_what_is_no_board_size(raw: str) -> None:
    with pytest.raises(SgfError, match=r"^SZ\[.{0,20}\] is no board size: .*\.$"):
        properties.parse_size(raw)


@pytest.mark.parametrize(
    ("raw", "komi"),
    [
        *(
            ("6.5", 6.5),
            ("0", 0.0),
            ("-5.5", -5.5),
            (".5", 0.5),
            ("7", 7.0),
            ("6,5", 6.5),
            ("+0.5", 0.5),
            ("5.50", 5.5),
        ),
        *(("375", 7.5), ("325", 6.5), ("275", 5.5), ("750", 7.5), ("650", 6.5), ("550", 5.5), ("3.75", 7.5)),
        *(
            ("5 1/2", 5.5),
            ("5½", 5.5),
            ("½", 0.5),
            ("6目半", 6.5),
            ("六目半", 6.5),
            ("3又3/4子", 7.5),
            ("３．７５", 7.5),
        ),
        *(
            ("5.5 points", 5.5),
            ("komi: 7", 7.0),
            ("2 3/4", 5.5),
            ("100", 100.0),
            ("400", 400.0),
            ("-400", -400.0),
        ),
        *(("2.75", 5.5), ("3.25", 6.5), ("1.75", 3.5), ("-3.75", -7.5), ("0.25", 0.5), ("3.5zi", 7.0), ("3.5 ZI", 7.0)),
        *(("2.5子", 5.0), ("3 3/4 zi", 7.5), ("3.5", 3.5), ("2.5", 2.5), ("6.5 zigzag", 6.5)),
        *(("5.25", 5.5), ("6.75", 6.5), ("7.25", 7.5), ("4.75", 4.5), ("625", 6.5), ("6.2", 6.5), ("6.3", 6.5)),
        *(("0.99", 0.5), ("-0.99", -0.5), ("-6.2", -6.5), ("7.01", 7.5), ("6.99", 6.5)),
        *(("", None), ("none", None), ("Chinese", None), ("ありません", None)),
    ],
)
def test_komi(raw: str, komi: float | None) -> None:
    assert properties.parse_komi(raw) == komi


def test_a_komi_that_is_no_half_point_decides_every_game_as_the_one_taken_for_it() -> None:
    for hundredths in range(-1000, 1001):
        told = properties.written_komi(f"{hundredths / 100}")
        taken = properties.parse_komi(f"{hundredths / 100}")
        assert told is not None and taken is not None and taken * 2 == int(taken * 2)
        for margin in range(-21, 22):
            assert (margin > told, margin < told) == (margin > taken, margin < taken)


@pytest.mark.parametrize(
    ("raw", "stones"),
    [
        *(("0", 0), ("2", 2), (" 9 ", 9), ("3 stones", 3), ("二子", 2), ("4.0", 4)),
        *(("abc", None), ("-1", None), ("", None)),
    ],
)
def test_handicap(raw: str, stones: int | None) -> None:  # B21
    assert properties.parse_handicap(raw) == stones


@pytest.mark.parametrize(
    ("raw", "year"),
    [
        *(("2016-03-09", 2016), ("1996-12-27,28,1997-01-03", 1996), ("1846", 1846), ("Published 1846", 1846)),
        *(("12th and 13th march 94", 1994), ("20160309", 2016), ("2016年3月9日", 2016), ("昭和50年10月16日", 1975)),
        *(("令和元年", 2019), ("94-03-12", 1994), ("05/03/12", 2005), ("Sept '98", 1998), ("１９７５年", 1975)),
        *(("", None), ("unknown", None), ("a sunny afternoon last summer", None), ("12345", None), ("3000", None)),
    ],
)
def test_years(raw: str, year: int | None) -> None:
    assert properties.parse_year(raw) == year


@pytest.mark.parametrize(
    ("raw", "color"),
    [("B", "B"), (" w", "W"), ("black", "B"), ("White", "W"), ("1", "B"), ("2", "W"), ("", None), ("x", None)],
)
def test_colors(raw: str, color: str | None) -> None:
    assert properties.parse_color(raw) == color


def test_numbers_too_large_for_komi_are_not_cut_to_one() -> None:
    assert [properties.parse_komi(raw) for raw in ("1e9", "65e-1", "6.5e0", "1e99", "1e999999999", "6e")] == [
        *(1e9, 6.5, 6.5, None, None, 6.0)
    ]
    assert [properties.parse_handicap(raw) for raw in ("1e99", "1e9", "2e0", "2 east")] == [None, None, 2, 2]


def test_komi_that_lost_its_decimal_point() -> None:
    lost = ("45", "55", "65", "75", " 85", "６５")
    assert [properties.parse_komi(raw) for raw in lost] == [4.5, 5.5, 6.5, 7.5, 8.5, 6.5]
    assert all(map(properties.lacks_point, lost))
    kept = {"35": 35, "95": 95, "-65": -65, "65.0": 65, "65.5": 65.5, "650": 6.5, "64": 64, "5": 5}
    for raw, points in kept.items():
        assert properties.parse_komi(raw) == points and not properties.lacks_point(raw)


@given(st.text(max_size=300))
def test_no_value_surprises_a_reader(raw: str) -> None:
    for value in (properties.parse_komi(raw), properties.parse_real(raw)):
        assert value is None or abs(value) <= 4e15
    for number in (properties.parse_handicap(raw), properties.parse_year(raw)):
        assert number is None or 0 <= number < 3000


@pytest.mark.parametrize("unit", [" ", "1", "9/", "-", "又", "½", "\\", ":", "a", "1 ", "昭"])
def test_a_megabyte_in_one_value_is_read_like_any_other(unit: str) -> None:
    raw = unit * 1_000_000
    properties.parse_komi(raw)
    properties.parse_year(raw)
    properties.parse_handicap(raw)
    properties.unescape_text(raw)
    properties.split_composed(raw)
    for value in (raw, raw + ":aa", "aa:" + raw):
        try:
            properties.parse_point_list([value], 19, 19)
        except VertexError as error:
            message = str(error)
            assert len(message) < 200
