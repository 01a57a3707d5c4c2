"""The result of a game as a record states it: who won, by how much, and why.

`Result.parse` reads what real records hold: SGF's own forms; words of English, Chinese, Japanese and Korean records;
fractions; margins in stones, as Chinese records give them. What cannot be understood is an unknown result, never an
error. Nothing here looks at a board; `territory` counts one and `scoring` words the count.

Source of the canonical texts: the property RE of SGF, file format 4. The words are those of real game collections.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from itertools import zip_longest
from typing import Final, Literal

from move37.errors import RulesError
from move37.rules.color import Color

Reason = Literal["points", "resignation", "time", "forfeit", "draw", "void", "unknown"]

_ENDINGS: Final = {"resignation": "R", "time": "T", "forfeit": "F", "unknown": ""}
_LONGEST: Final = 200  # characters that are read; a longer text is a comment, not a result

_SIDE: Final = re.compile(
    r"(?P<black>\bblack\b|(?<![a-z])b(?![a-z])|[黒黑][番方]?|흑)|(?P<white>\bwhite\b|(?<![a-z])w(?![a-z])|白[番方]?|백)"
)
_WINS: Final = re.compile(r"\+|\bw[io]ns?\b|\bbeats?\b|[胜勝승]")
_LOSES: Final = re.compile(r"\bresigns\b|\bresigned\b|\blos[te]s?\b|\bforfeit(?:s|ed)\b|[负負敗败패]|投了|认输|認輸")
_WINNER_AFTER: Final = re.compile(r"\bwinner|\bwin for|\bwon by (?=black|white)|胜者|勝者")

_DRAW: Final = re.compile(r"[+-]?0(?:\.0+)?$|(?:a )?(?:drawn?|jigo|tied?)\b|持碁|持棋|芇|和棋|和局|平局|무승부|빅$")
_VOID: Final = re.compile(
    r"void\b|no[ -]?result|unfinished|suspended|adjourned|annulled|cancell?ed|both lost"
    r"|無勝負|无胜负|無効|打ち?掛|打卦|未完|무효"
)
_REASONS: Final[tuple[tuple[Reason, re.Pattern[str]], ...]] = (
    ("resignation", re.compile(r"\+ ?r(?:es)?\b|\bresig|中押|中[盘盤]|不[計计]|投了|认输|認輸|불계")),
    ("time", re.compile(r"\+ ?t\b|\btime|時間|时间|超[时時]|시간")),
    (
        "forfeit",
        re.compile(r"\+ ?f(?:orf)?\b|\bforfeit|\bdefault|\billegal|不[戦战戰]|反[則则]|犯规|弃权|棄権|기권|반칙"),
    ),
)

_FRACTIONS: Final = str.maketrans({"½": " 1/2", "¼": " 1/4", "¾": " 3/4"})
_NUMERALS: Final = str.maketrans("〇一二三四五六七八九", "0123456789")
_TENS: Final = re.compile(r"([1-9])?十([1-9])?")
_REMARK: Final = re.compile(r"\([^()]*\)|\{[^{}]*\}")
_IN_STONES: Final = ("zi", "子")
_MARGIN: Final = re.compile(
    r"(?P<whole>\d{1,4}(?:[.,]\d{1,4})?(?! ?/))? ?(?P<unit>zi|[子目집])? ?又? ?"
    r"(?:(?P<over>\d)/(?P<under>[1-9]))? ?(?P<half>[半반])? ?(?P<late_unit>zi|子)?(?!\d)"
)


@dataclass(frozen=True)
class Result:
    """Who won (None for a draw and where nobody did), by how many points (None if it was not counted), and why.

    ``reason`` is *points*, *resignation*, *time*, *forfeit*, *draw*, *void* (no result, suspended) or *unknown*; an
    unknown result may still have a winner. A margin of 0 with a winner is what records call ``B+0``: a draw that went
    to Black, or a win that nobody counted. Raises `RulesError` for what contradicts itself.

    >>> Result.parse("W+3.5"), Result.parse("白番半目勝").text
    (Result(winner=<Color.WHITE: 2>, margin=3.5, reason='points'), 'W+0.5')
    """

    winner: Color | None = None
    margin: float | None = None
    reason: Reason = "unknown"

    def __post_init__(self) -> None:
        needs_winner = self.reason in ("points", "resignation", "time", "forfeit")
        forbids_winner = self.reason in ("draw", "void")
        if (needs_winner and self.winner is None) or (forbids_winner and self.winner is not None):
            raise RulesError(f"A result cannot be {self.reason!r} with winner {self.winner!r}.")
        if (self.reason == "points") != (self.margin is not None) or (self.margin is not None and self.margin < 0):
            raise RulesError(f"A result cannot be {self.reason!r} with margin {self.margin!r}.")

    @classmethod
    def of_margin(cls, black_margin: float) -> Result:
        """The result of a counted game from Black's lead.

        >>> Result.of_margin(-0.5).text, Result.of_margin(0).text
        ('W+0.5', '0')
        """
        if black_margin == 0:
            return cls(reason="draw")
        return cls(Color.BLACK if black_margin > 0 else Color.WHITE, abs(float(black_margin)), "points")

    @classmethod
    def parse(cls, text: str) -> Result:
        """Read the result of a game record, in its own or in many other words; what is not understood is unknown.

        >>> [str(Result.parse(text)) for text in ("B+Resign", "黒中押し勝ち", "white wins by 3 1/2", "黑胜2又3/4子")]
        ['B+R', 'B+R', 'W+3.5', 'B+5.5']
        """
        return _parse(text[: _LONGEST + 1])

    @property
    def black_margin(self) -> float | None:
        """Points Black won by, negative if White did, 0 for a draw; None where the game was not counted."""
        if self.reason == "draw":
            return 0.0
        return -self.margin if self.margin and self.winner is Color.WHITE else self.margin

    @property
    def text(self) -> str:
        """The result as SGF writes it: ``B+3.5``, ``W+R``, ``B+T``, ``W+F``, ``B+``, ``0``, ``Void`` or ``?``."""
        if self.winner is None:
            return {"draw": "0", "void": "Void"}.get(self.reason, "?")
        ending = f"{self.margin:g}" if self.margin is not None else _ENDINGS[self.reason]
        return f"{self.winner.letter}+{ending}"

    def __str__(self) -> str:
        return self.text


@lru_cache(maxsize=4096)
def _parse(text: str) -> Result:
    plain = _plain(text)
    if len(text) > _LONGEST:
        return Result()
    if _DRAW.match(plain):
        return Result(reason="draw")
    found = _winner(plain)
    if found is None:
        return Result(reason="void" if _VOID.search(plain) else "draw" if _DRAW.search(plain) else "unknown")
    winner, rest = found
    for reason, words in _REASONS:
        if words.search(plain):
            return Result(winner, None, reason)
    margin = _margin(rest)
    if margin is None:
        return Result(winner)
    return Result(winner, margin, "points")


def _plain(text: str) -> str:
    """The text in small letters and plain digits, without remarks in brackets and needless blanks."""
    narrow = unicodedata.normalize("NFKC", text.translate(_FRACTIONS)).casefold()
    return " ".join(_REMARK.sub(" ", narrow).split()).strip(" .!。")


def _winner(plain: str) -> tuple[Color, str] | None:
    """The side that won and what is said after it, or None.

    A side has won if the words up to the next side say so, lost if they say that; a side at the very beginning that is
    followed by neither (``black 3.5``) has won too.
    """
    sides = list(_SIDE.finditer(plain))
    for side, following in zip_longest(sides, sides[1:]):
        color = Color.BLACK if side["black"] else Color.WHITE
        words = plain[side.end() : following.start() if following else None]
        if _WINS.search(words) or _WINNER_AFTER.search(plain[: side.start()]):
            return color, words
        if _LOSES.search(words):
            return color.opponent, words
    if len(sides) == 1 and sides[0].start() == 0:
        return (Color.BLACK if sides[0]["black"] else Color.WHITE), plain[sides[0].end() :]
    return None


def _margin(words: str) -> float | None:
    """The first number of points in some words, or None; one in stones or quarters (Chinese records) counts double."""
    arabic = _TENS.sub(lambda tens: f"{tens[1] or '1'}{tens[2] or '0'}", words.translate(_NUMERALS))
    start = re.search(r"[\d半반]", arabic)
    match = _MARGIN.match(arabic, start.start()) if start else None
    if match is None:
        return None
    points = float((match["whole"] or "0").replace(",", "."))
    if match["over"]:
        points += int(match["over"]) / int(match["under"])
    points += 0.5 if match["half"] else 0.0
    in_stones = match["unit"] in _IN_STONES or match["late_unit"] in _IN_STONES or points % 0.5 == 0.25
    return 2 * points if in_stones else points
