"""Words of a command as colours, numbers and points, or a `GtpError` in the words that GNU Go has for it."""

from __future__ import annotations

import re
from math import isfinite

from move37.errors import GtpError, RulesError, VertexError
from move37.rules.color import Color
from move37.rules.position import Position

_WHOLE_NUMBER = re.compile(r"-?[0-9]{1,9}")


def color_of(word: str, complaint: str) -> Color:
    """Read a colour."""
    try:
        return Color.parse(word)
    except RulesError:
        raise GtpError(complaint) from None


def point_of(position: Position, word: str, complaint: str) -> int:
    """Read a vertex of this board, or pass."""
    try:
        return position.point(word)
    except VertexError:
        raise GtpError(complaint) from None


def number_of(words: list[str], complaint: str) -> float:
    """Read the first word as a number."""
    try:
        number = float(words[0])
    except (IndexError, ValueError):
        raise GtpError(complaint) from None
    if not isfinite(number):
        raise GtpError(complaint)
    return number


def numbers(words: list[str], count: int, complaint: str) -> list[float]:
    """Read exactly `count` words as numbers of at least 0."""
    found = [number_of([word], complaint) for word in words]
    if len(found) != count or min(found, default=0.0) < 0:
        raise GtpError(complaint)
    return found


def whole_numbers(words: list[str], count: int, complaint: str) -> list[int]:
    """Read the first `count` words as whole numbers."""
    numbers = [int(word) for word in words[:count] if _WHOLE_NUMBER.fullmatch(word)]
    if len(numbers) < count:
        raise GtpError(complaint)
    return numbers
