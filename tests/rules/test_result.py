"""Results of game records: SGF's own forms, the words of real records, what contradicts itself."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from move37.errors import RulesError
from move37.games.columns import arrow
from move37.rules.color import Color
from move37.rules.result import Reason, Result
from tests.support.shared import SHARED

B, W = Color.BLACK, Color.WHITE
CANONICAL: list[tuple[str, Color | None, float | None, Reason]] = [
    ("B+3.5", B, 3.5, "points"),
    ("W+12", W, 12.0, "points"),
    ("B+R", B, None, "resignation"),
    ("W+T", W, None, "time"),
    ("B+F", B, None, "forfeit"),
    ("W+", W, None, "unknown"),
    ("0", None, None, "draw"),
    ("Void", None, None, "void"),
    ("?", None, None, "unknown"),
    ("B+0", B, 0.0, "points"),
]


@pytest.mark.parametrize(("text", "winner", "margin", "reason"), CANONICAL)
def test_sgf_forms(text: str, winner: Color | None, margin: float | None, reason: Reason) -> None:
    result = Result.parse(text)
    assert result == Result(winner, margin, reason)
    assert result.text == str(result) == text


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("", "?"),
        ("  b + r ", "B+R"),
        ("W+Resign", "W+R"),
        ("B+Res.", "B+R"),
        ("B+Time", "B+T"),
        ("W+Forfeit", "W+F"),
        ("Draw", "0"),
        ("Jigo", "0"),
        ("0.0", "0"),
        ("tie", "0"),
        ("VOID", "Void"),
        ("No result", "Void"),
        ("Unfinished", "Void"),
        ("W+3,5", "W+3.5"),
        ("B+4.00", "B+4"),
        ("B+3 1/2", "B+3.5"),
        ("W+½", "W+0.5"),
        ("B+3½", "B+3.5"),
        ("W+1半", "W+1.5"),
        ("Ｂ＋３．５", "B+3.5"),
        ("B+R (moves beyond 150 not known)", "B+R"),
        ("black+31", "B+31"),
        ("white 2.5", "W+2.5"),
        ("Black wins by resignation", "B+R"),
        ("White won by 3 points", "W+3"),
        ("White resigns", "B+R"),
        ("Black lost on time", "W+T"),
        ("White forfeits", "B+F"),
        ("Winner: White", "W+"),
        ("Black wins. White resigned.", "B+R"),
        ("Draw by triple ko", "0"),
        ("both lost", "Void"),
    ],
)
def test_english_words_and_loose_spelling(text: str, canonical: str) -> None:
    assert Result.parse(text).text == canonical


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("黒中押し勝ち", "B+R"),
        ("257手完, 黒中押し勝ち", "B+R"),
        ("白番半目勝", "W+0.5"),
        ("白2目半勝ち", "W+2.5"),
        ("黒番二十三目半勝ち", "B+23.5"),
        ("白十目勝", "W+10"),
        ("白投了", "B+R"),
        ("白時間切れ負け", "B+T"),
        ("黒反則勝ち", "B+F"),
        ("持碁", "0"),
        ("ジゴ 持碁", "0"),
        ("無勝負", "Void"),
        ("打ち掛け", "Void"),
        ("白中盘胜", "W+R"),
        ("黑胜", "B+"),
        ("黑超时负", "W+T"),
        ("和棋", "0"),
        ("흑 불계승", "B+R"),
        ("백 3집반승", "W+3.5"),
        ("백 반집승", "W+0.5"),
        ("흑 시간승", "B+T"),
        ("무승부", "0"),
    ],
)
def test_words_of_japanese_chinese_and_korean_records(text: str, canonical: str) -> None:
    assert Result.parse(text).text == canonical


@pytest.mark.parametrize(
    ("text", "margin"),
    [("black+2zi", 4), ("黑胜3/4子", 1.5), ("黑胜2又3/4子", 5.5), ("B+1子半", 3), ("B+1.75", 3.5), ("B+3/4", 1.5)],
)
def test_a_margin_in_stones_is_half_of_that_in_points(text: str, margin: float) -> None:
    """Chinese records count half the difference; quarters exist only there."""
    assert Result.parse(text) == Result(B, margin, "points")


@pytest.mark.parametrize("text", ["WB+R", "john wins", "hello", "+", "3.5", "x" * 100_000, "(" * 300, "B+R " * 200])
def test_what_is_not_understood_is_unknown(text: str) -> None:
    assert Result.parse(text) == Result()


@pytest.mark.parametrize("text", ["B+three", "B+12345678", "Black"])
def test_a_winner_without_a_margin_that_can_be_read(text: str) -> None:
    assert Result.parse(text) == Result(B)


@given(st.text(max_size=60))
def test_any_text_gives_a_result_whose_text_reads_back(text: str) -> None:
    result = Result.parse(text)
    assert Result.parse(result.text).text == result.text


@given(st.integers(-722, 722))
def test_margins_read_back(half_points: int) -> None:
    result = Result.of_margin(half_points / 2)
    assert result.black_margin == half_points / 2
    assert Result.parse(result.text) == result


def test_blacks_margin() -> None:
    assert Result.parse("W+0.5").black_margin == -0.5
    assert Result.parse("0").black_margin == 0
    assert Result.parse("W+0").black_margin == 0
    assert Result.parse("W+R").black_margin is None


@pytest.mark.parametrize(
    ("winner", "margin", "reason"),
    [
        (None, 3.5, "points"),
        (B, None, "points"),
        (B, -1.0, "points"),
        (B, 3.5, "resignation"),
        (None, None, "time"),
        (W, None, "draw"),
        (W, None, "void"),
    ],
)
def test_contradictions(winner: Color | None, margin: float | None, reason: Reason) -> None:
    with pytest.raises(RulesError, match="A result cannot be"):
        Result(winner, margin, reason)


# ------------------------------------------------------------------------------------------- real records


def _results_of_files() -> list[str]:
    """What stands in the property RE of all sample files, as far as it is plain text."""
    found: list[str] = []
    for path in sorted(SHARED.glob("games/sgf-*/**/*.sgf")):
        text = path.read_bytes().decode("utf-8", "replace")
        found += re.findall(r"(?<![A-Z])RE\[([^\]\\]*)\]", text)
    return found


def test_every_result_of_the_sample_files_is_understood() -> None:
    results = _results_of_files()
    if not results:
        pytest.skip("needs the sample games of shared/")
    strange = {text for text in results if Result.parse(text) == Result()}
    assert {text for text in strange if text.isascii()} == {"?", "WB+R", "john wins"}
    assert len([text for text in strange if not text.isascii()]) <= 1  # Shift-JIS read as UTF-8


@pytest.mark.parametrize("name", ["ai19", "ogs9", "pro19", "pro9-13", "tygem9d-2011-2016"])
def test_results_of_the_stores_name_the_winner_of_the_store(name: str) -> None:
    path = SHARED / "games" / f"{name}.parquet"
    if not path.is_file():
        pytest.skip("needs the game stores of shared/")
    table: Any = arrow().parquet.read_table(path, columns=["result", "winner"])
    numbers = {None: 0, B: 1, W: -1}
    pairs = set(zip(table["result"].to_pylist(), table["winner"].to_pylist(), strict=True))
    assert {(text, winner) for text, winner in pairs if numbers[Result.parse(text).winner] != winner} == set()
    assert {text for text, _ in pairs if Result.parse(text).text != text and not re.search(r"\.[27]5", text)} == set()
