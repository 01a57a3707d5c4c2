"""A message of the page, read and checked field by field; one sentence for what it cannot be.

The messages are those of `web/src/protocol.ts`. Nothing is done here, and no field ever names a file or a program.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Any, Final, cast

from move37.errors import Move37Error
from move37.rules.color import Color

__all__ = ["Message", "RequestError", "read_message"]

_BOARD: Final = re.compile(r"[A-Za-z0-9_-]{1,40}")
_MOST_ID: Final = 2**53
_SHOWN: Final = 40


class RequestError(Move37Error):
    """A message that asks for what cannot be."""


def read_message(text: str) -> Message:
    """The message that a text holds; `RequestError` where it is none."""
    try:
        found: object = json.loads(text, parse_constant=_no_number)
    except (ValueError, RecursionError):
        raise RequestError("this message is no JSON that can be read") from None
    if not isinstance(found, dict):
        raise RequestError("a message is a JSON object with a type and a board")
    return Message(cast("dict[str, Any]", found))


def _no_number(word: str) -> float:
    raise ValueError(f"{word} is no number of JSON")


class Message:
    """The fields of a JSON object, the message itself or a part of it. A field that is null counts as left out."""

    def __init__(self, fields: Mapping[str, Any]) -> None:
        self._fields = fields

    def has(self, name: str) -> bool:
        """Whether a field is there."""
        return self._fields.get(name) is not None

    def only(self, *names: str) -> None:
        """Refuse fields with other names than these."""
        unknown = sorted(self._fields.keys() - set(names))
        if unknown:
            raise RequestError(f"there is no {unknown[0][:_SHOWN]!r} here; there are {', '.join(names)}")

    # ------------------------------------------------------------------------------------------------ the envelope

    @property
    def type(self) -> str:
        """What is asked for."""
        return self.text("type", 40)

    @property
    def board(self) -> str:
        """The board's name."""
        name = self.text("board", 40)
        if not _BOARD.fullmatch(name):
            raise RequestError("a board's name has 1 to 40 letters, digits, hyphens and underscores")
        return name

    def envelope(self) -> dict[str, Any]:
        """The board and the number of the request for an answer or an error, as far as they can be told."""
        board, number = self._fields.get("board"), self._fields.get("id")
        named = isinstance(board, str) and _BOARD.fullmatch(board) is not None
        numbered = _is_whole(number) and abs(cast(int, number)) <= _MOST_ID
        return {"board": board if named else None} | ({"id": number} if numbered else {})

    # ------------------------------------------------------------------------------------------------ fields

    def text(self, name: str, most: int, default: str | None = None) -> str:
        """A text of at most so many characters."""
        value = self._value(name, default)
        if not isinstance(value, str):
            raise RequestError(f"{name} is a text")
        if len(value) > most:
            raise RequestError(f"{name} has at most {most:,} characters")
        return value

    def one_of(self, name: str, known: Sequence[str], default: str | None = None) -> str:
        """One of these words."""
        value = self.text(name, 200, default)
        if value not in known:
            raise RequestError(f"there is no {name} {value[:_SHOWN]!r}; there are {', '.join(known) or 'none'}")
        return value

    def whole(self, name: str, low: int, high: int, default: int | None = None) -> int:
        """A whole number from low to high."""
        value = self._value(name, default)
        if not _is_whole(value) or not low <= value <= high:
            raise RequestError(f"{name} is a whole number from {low:,} to {high:,}")
        return int(value)

    def number(self, name: str, low: float, high: float, default: float | None = None) -> float:
        """A number from low to high."""
        value = self._value(name, default)
        if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
            raise RequestError(f"{name} is a number from {low:g} to {high:g}")
        return float(value)

    def flag(self, name: str, default: bool = False) -> bool:
        """True or false."""
        value = self._value(name, default)
        if not isinstance(value, bool):
            raise RequestError(f"{name} is true or false")
        return value

    def color(self, name: str, default: Color | None = None) -> Color:
        """A colour, "B" or "W"."""
        return Color.parse(self.one_of(name, ("B", "W"), None if default is None else default.letter))

    def wholes(self, name: str, low: int, high: int, most: int) -> list[int]:
        """At most so many whole numbers; none where the field is left out."""
        return [Message({name: one}).whole(name, low, high) for one in self._many(name, most)]

    def numbers(self, name: str, low: float, high: float, most: int) -> list[float]:
        """At most so many numbers; none where the field is left out."""
        return [Message({name: one}).number(name, low, high) for one in self._many(name, most)]

    def part(self, name: str) -> Message:
        """An object in a field."""
        value = self._value(name, None)
        if not isinstance(value, dict):
            raise RequestError(f"{name} is an object")
        return Message(cast("dict[str, Any]", value))

    def parts(self, name: str, most: int) -> list[Message]:
        """At most so many objects in a field."""
        return [Message({name: one}).part(name) for one in self._many(name, most)]

    def _many(self, name: str, most: int) -> list[object]:
        value = self._value(name, [])
        if not isinstance(value, list) or len(cast("list[object]", value)) > most:
            raise RequestError(f"{name} is a list of at most {most}")
        return cast("list[object]", value)

    def _value(self, name: str, default: object) -> Any:
        value = self._fields.get(name)
        if value is None:
            value = default
        if value is None:
            raise RequestError(f"the message has no {name}")
        if isinstance(value, float) and not isfinite(value):
            raise RequestError(f"{name} is too great a number")
        return value


def _is_whole(value: object) -> bool:
    """Whether a value is a whole number; JSON has 1 and 1.0 for the same."""
    return not isinstance(value, bool) and (isinstance(value, int) or (isinstance(value, float) and value.is_integer()))
