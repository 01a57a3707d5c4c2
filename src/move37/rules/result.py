"""The result of a game as a record states it: who won, by how much, and why.

`Result.parse` reads what real records hold: SGF's own forms; words of English, Chinese, Japanese and Korean records;
fractions; margins in stones, as Chinese records give them (`result_words`). What cannot be understood, or could mean
either side, is an unknown result, never an error. Nothing here looks at a board; `territory` counts one and `scoring`
words the count.

Source of the canonical texts: the property RE of SGF, file format 4. The words are those of real game collections.
"""

from __future__ import annotations

import math
import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

from move37.errors import RulesError
from move37.rules import result_words
from move37.rules.color import Color

Reason = Literal["points", "resignation", "time", "forfeit", "draw", "void", "unknown"]

_ENDINGS: Final = {"resignation": "R", "time": "T", "forfeit": "F", "unknown": ""}
_LONGEST: Final = 200  # characters that are read; a longer text is a comment, not a result

_DRAW: Final = re.compile(r"^[+-]?0(?:\.0+)?$|\b(?:drawn?|jigo|tied?)\b|持碁|持棋|芇|和棋|和局|平局|무승부|비김|빅$")
_DRAW_FIRST: Final = re.compile(
    r"[+-]?0(?:\.0+)?$|(?:a )?(?:drawn?|jigo|tied?)\b|持碁|持棋|芇|和棋|和局|平局|무승부|빅$"
)
_VOID: Final = re.compile(
    r"void\b|no[ -]?result|unfinished|suspended|adjourned|annulled|cancell?ed|both lost"
    r"|無勝負|无胜负|無効|打ち?掛|打卦|未完|무효"
)
_REASONS: Final[tuple[tuple[Reason, re.Pattern[str]], ...]] = (
    (
        "resignation",
        re.compile(
            r"\+ ?r(?:es)?\b|\bresig|\bconcede|\bsurrender|\bquits?\b|\b(?:gave|gives) up\b|中押|中[盘盤]|不[計计]"
            r"|投了|投子|投降|[认認][输輸负負]|불계|돌을? ?던|항복"
        ),
    ),
    (
        "time",
        re.compile(r"\+ ?t\b|\btime|\bflag|\bclock|[时時][间間]|[超逾][时時]|[时時]超|タイムアウト|시간|타임 ?아웃"),
    ),
    (
        "forfeit",
        re.compile(
            r"\+ ?f(?:orf)?\b|\bforfeit|\bdefault|\billegal|\bdisqualif|\bwithdr"
            r"|不[戦战戰]|反[則则]|[犯违違][规規]|[弃棄][权権權]|失格|기권|반칙|실격"
        ),
    ),
)

_FRACTIONS: Final = str.maketrans({"½": " 1/2", "¼": " 1/4", "¾": " 3/4"})
_REMARK: Final = re.compile(r"\([^()]*\)|\{[^{}]*\}")
_BRACKETS: Final = str.maketrans("(){}", "    ")


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
        if (self.reason == "points") != (self.margin is not None) or not 0 <= (self.margin or 0) < math.inf:
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
        >>> [str(Result.parse(text)) for text in ("White ran out of time", "白超时胜", "White resignation", "B+3 or 4")]
        ['B+T', 'W+T', '?', 'B+']
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
    if len(text) > _LONGEST:
        return Result()
    narrow = unicodedata.normalize("NFKC", text.translate(_FRACTIONS)).casefold()
    plain, whole = _plain(_REMARK.sub(" ", narrow)), _plain(narrow.translate(_BRACKETS))
    if _DRAW_FIRST.match(plain):
        return Result(reason="draw")
    if result_words.both_lost(plain):
        return Result(reason="void")
    found, told = _verdict(plain, whole)
    if found is None:
        return Result(reason="void" if _VOID.search(plain) else "draw" if _DRAW.search(plain) else "unknown")
    for reason, words in _REASONS:
        if words.search(told):
            return Result(found.winner, None, reason)
    return Result(found.winner) if found.margin is None else Result(found.winner, found.margin, "points")


def _verdict(plain: str, whole: str) -> tuple[result_words.Verdict | None, str]:
    """(who won, the words that say so): those outside brackets, all together, or a side and little more.

    A remark in brackets is read only where the rest names a side and nothing that happened to it.
    """
    found = result_words.verdict(plain)
    if found is not None or result_words.tells_how(plain) or not result_words.names_a_side(plain):
        return found, plain
    if result_words.tells_how(whole):
        return result_words.verdict(whole), whole
    told = whole if any(words.search(whole) for _, words in _REASONS) else plain
    return result_words.bare_verdict(told), told


def _plain(narrow: str) -> str:
    """The text without needless blanks and without marks at its ends."""
    return " ".join(narrow.split()).strip(" .!。")
