"""Ranks and results of game records as numbers.

Servers write `12k`, `3d`, `9p`; one integer scale orders them: 1k is 0, 2k is -1, 1d is 1, 9d is 9, 1p is 10, 9p is 18.
Results are SGF's: `B+R`, `W+3.5`, `B+T`, `0`. Nothing here knows a file format.
"""

from __future__ import annotations

import math
import re

from move37.errors import ConfigError
from move37.rules.result import Result
from move37.sgf.rank_words import short_rank

UNKNOWN_RANK = -128
"""Rank number of a player whose rank is not recorded: below every real rank."""

_RANK = re.compile(r"(\d{1,2})([kdp])", re.IGNORECASE)


def rank_number(text: str | None) -> int:
    """The rank as a number (1k 0, 1d 1, 1p 10), or `UNKNOWN_RANK` for None or text that is no rank."""
    match = _RANK.fullmatch(text.strip()) if text else None
    if match is None:
        return UNKNOWN_RANK
    number = int(match[1])
    return {"k": 1 - number, "d": number, "p": 9 + number}[match[2].lower()]


def read_rank(text: str) -> int:
    """The rank in the words of a game record (`9 dan pro`, `五段`, `7D*`) as a number, or `UNKNOWN_RANK`.

    >>> read_rank("7 dan"), rank_text(read_rank("五段"))
    (7, '5p')
    """
    return rank_number(short_rank(text))


def required_rank(text: str) -> int:
    """The rank as a number; `ConfigError` for text that is no rank."""
    number = rank_number(text)
    if number == UNKNOWN_RANK:
        raise ConfigError(f"{text!r} is no rank; write 12k, 3d or 9p")
    return number


def rank_text(number: int) -> str:
    """The inverse of `rank_number`: `3d`, `12k`, `9p`, or `?` for an unknown rank."""
    if number == UNKNOWN_RANK:
        return "?"
    if number <= 0:
        return f"{1 - number}k"
    return f"{number}d" if number <= 9 else f"{number - 9}p"


def counted_margin(result: str) -> float:
    """Black's winning margin after komi in points (negative if White won), NaN if the game was not counted.

    A draw (`0`) counts as 0; `B+R`, `W+T`, `?` and the like are not counted.
    """
    margin = Result.parse(result).black_margin
    return math.nan if margin is None else margin
