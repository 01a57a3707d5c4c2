"""Results of game records: SGF's own forms, the words of real records, what contradicts itself."""

from __future__ import annotations

import math
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


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("White ran out of time", "B+T"),
        ("White resigns", "B+R"),
        ("Black timed out", "W+T"),
        ("白超时", "B+T"),
        ("白時間切れ", "B+T"),
        ("黑超时", "W+T"),
        ("黒時間切れ", "W+T"),
        ("W+Time", "W+T"),
        ("White wins on time", "W+T"),
        ("白胜超时", "W+T"),
        ("白時間切れ勝ち", "W+T"),
        ("黒中押し勝ち", "B+R"),
        ("白超時", "B+T"),
        ("白方超时", "B+T"),
        ("白棋超时判负", "B+T"),
        ("黑超时，白胜", "W+T"),
        ("白胜，黑超时", "W+T"),
        ("黒時間切れにより白勝ち", "W+T"),
        ("白の時間切れ負け", "B+T"),
        ("黒の反則負け", "W+F"),
        ("黒反則勝ち", "B+F"),
        ("白反則", "B+F"),
        ("黑犯规", "W+F"),
        ("黑弃权", "W+F"),
        ("黑棄權", "W+F"),
        ("黒棄権", "W+F"),
        ("黒不戦勝", "B+F"),
        ("黒不戦敗", "W+F"),
        ("黒不戦", "?"),
        ("白投了", "B+R"),
        ("白投子认负", "B+R"),
        ("黑认输", "W+R"),
        ("黑認輸", "W+R"),
        ("黑认输，白中盘胜", "W+R"),
        ("黒投了 白中押し勝ち", "W+R"),
        ("黑中盘负", "W+R"),
        ("黒中押し負け", "W+R"),
        ("黒中押し", "B+R"),
        ("白中盘", "W+R"),
        ("흑 시간패", "W+T"),
        ("백 시간승", "W+T"),
        ("백 시간초과", "B+T"),
        ("백 시간", "?"),
        ("백 기권", "B+F"),
        ("백 기권승", "W+F"),
        ("흑 반칙패", "W+F"),
        ("흑 불계패", "W+R"),
        ("흑불계승", "B+R"),
        ("흑이 백에게 불계승", "B+R"),
        ("黒が白に中押し勝ち", "B+R"),
        ("黑白胜负未分", "?"),
        ("흑백 무승부", "0"),
        ("黑击败白", "B+"),
        ("黑赢白三目", "B+"),
        ("黑输半目", "W+0.5"),
        ("黑贏半目", "B+0.5"),
        ("White resignation", "?"),
        ("White resign", "?"),
        ("White timeout", "?"),
        ("White time", "?"),
        ("White: time out", "?"),
        ("White forfeit", "?"),
        ("White by forfeit", "W+F"),
        ("Black (by resignation)", "B+R"),
        ("White (ran out of time)", "B+T"),
        ("白（超时）", "B+T"),
        ("Black (wins by resignation)", "B+R"),
        ("White's flag fell", "B+T"),
        ("White's time ran out", "B+T"),
        ("White's time expired", "B+T"),
        ("White lost by resignation", "B+R"),
        ("White loses on time", "B+T"),
        ("Time ran out for White", "B+T"),
        ("Resignation by White", "B+R"),
        ("Loser: White", "B+"),
        ("Winner: White", "W+"),
        ("Won by Black", "B+"),
        ("White won by Black's resignation", "W+R"),
        ("White did not resign", "?"),
        ("White disqualified", "B+F"),
        ("White made an illegal move", "B+F"),
        ("White exceeded the time limit", "B+T"),
        ("White gave up", "B+R"),
        ("White was defeated", "B+"),
        ("Black defeats White", "B+"),
        ("White resigned a won game", "B+R"),
        ("Black won when opponent resigned", "B+R"),
        ("White: opponent resigned", "?"),
        ("Black wins, White wins", "?"),
        ("B+R W+R", "?"),
        ("B+White resigns", "B+R"),
        ("W+White resigns", "?"),
        ("Both players ran out of time", "Void"),
        ("黑白双负", "Void"),
        ("双方超时", "Void"),
        ("両者負け", "Void"),
        ("both lost", "Void"),
        ("흑 한집반승", "B+1.5"),
        ("Black", "B+"),
        ("10", "?"),
        ("game 0", "?"),
        ("White has withdrawn", "B+F"),
        ("White vs Black: Black wins on time", "B+T"),
        ("白不敌黑", "B+"),
        ("因白超时获胜", "?"),
        ("黑超时罚2点", "?"),
        ("W R", "?"),
        ("Both passed, B+3.5", "B+3.5"),
        ("B+R (White lost on time)", "B+R"),
        ("W+R?", "W+R"),
        ("흑 승", "B+"),
        ("勝者 黒", "B+"),
        ("负方:白", "B+"),
        ("Void (B+R)", "Void"),
        ("White (timeout)", "?"),
        ("黑对白中盘胜", "?"),
    ],
)
def test_who_won_where_a_side_is_said_to_have_lost_or_won(text: str, canonical: str) -> None:
    """A side that is said to have lost did not win; what could mean either side is unknown."""
    assert Result.parse(text).text == canonical


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("黑胜四分之一子", "B+0.5"),
        ("黑胜一又四分之三子", "B+3.5"),
        ("黑胜四又二分之一子", "B+9"),
        ("黑胜3又1/4子", "B+6.5"),
        ("黑胜半子", "B+1"),
        ("黑胜两目半", "B+2.5"),
        ("黑以半目获胜", "B+0.5"),
        ("黑胜十二目半", "B+12.5"),
        ("黒二十三目半勝", "B+23.5"),
        ("黑胜三点五目", "B+3.5"),
        ("黒参目半勝", "B+"),
        ("黑胜1/3子", "B+0.6666"),
        ("B+-3", "B+"),
        ("B+1e3", "B+"),
        ("B+3 or 4", "B+"),
        ("B+3-4", "B+"),
        ("B+3~4", "B+"),
        ("B+1,000", "B+"),
        ("B+.5", "B+0.5"),
        ("B+3?", "B+"),
        ("B+10/3", "B+3.3333"),
        ("B+7/2", "B+3.5"),
        ("B+3/4/5", "B+"),
        ("B+about 3", "B+"),
        ("B+3+", "B+"),
        ("B+3k", "B+"),
        ("B+5%", "B+"),
        ("B-3", "?"),
        ("B+3.5 points", "B+3.5"),
        ("B+3.5pts", "B+3.5"),
        ("B+3 1/2 points", "B+3.5"),
        ("White wins after 250 moves", "W+"),
        ("黑150手胜", "B+"),
        ("黑185子胜", "B+"),
        ("Black wins by 3 points", "B+3"),
        ("Black won by half a point", "B+"),
        ("white 2.5", "W+2.5"),
        ("white 2.5 (moves beyond 150 not known)", "W+2.5"),
        ("White 19Win", "W+19"),
        ("白5.5目勝ち!", "W+5.5"),
        ("白棋12目", "W+12"),
        ("B+three", "B+"),
        ("Black wins the game by 3.5", "B+3.5"),
        ("黑胜1子", "B+2"),
        ("Black +3.5", "B+3.5"),
        ("黑勝3 3/4子", "B+7.5"),
        ("White loses by 3.5", "B+3.5"),
        ("백 3.5집 승", "W+3.5"),
        ("Black by resignation", "B+R"),
    ],
)
def test_margins_in_words_and_what_is_no_margin(text: str, canonical: str) -> None:
    """Counts of moves, ranges and guesses are no margins, and none is made up of them."""
    assert Result.parse(text).text == canonical


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
        (B, math.nan, "points"),
        (W, math.inf, "points"),
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
