"""Single fields of a query, read and checked: numbers, flags, colours, points.

Each reader raises `QueryError` with the query's id, the field's name and KataGo's words for it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from move37.analysis.problems import QueryError
from move37.errors import VertexError
from move37.rules.coordinates import parse_vertex

__all__ = ["BLACK", "WHITE", "Fields", "Play"]

BLACK, WHITE = 1, 2
"""Colours, as in `rules.color`, which is not imported here."""

Play = tuple[int, int]
"""A colour and a point (row-major from the top left; rows * cols is a pass)."""

_COLORS = {"b": BLACK, "black": BLACK, "w": WHITE, "white": WHITE}
_PAIR = re.compile(r"\(\s*(\d{1,2})\s*,\s*(\d{1,2})\s*\)")
_PLAYS = 'Must be an array of pairs of the form: ["b" or "w", GTP board vertex]'
_POINTS = "Must be an array of GTP board vertices"


@dataclass(frozen=True)
class Fields:
    """The fields of one object of a query (the query itself, or an entry of a list in it) whose id is `id`."""

    values: Mapping[str, Any]
    id: str

    def __contains__(self, name: object) -> bool:
        return name in self.values

    def fail(self, name: str, text: str) -> QueryError:
        """The error to raise about the field `name`."""
        return QueryError(text, self.id, name)

    def get(self, name: str) -> Any:
        """The value as JSON has it; None where the field is not there."""
        return self.values.get(name)

    def integer(self, name: str, low: int, high: int, text: str) -> int:
        """A whole number from low to high; true, false and 3.0 are none."""
        value = self.get(name)
        if not _is_int(value) or not low <= value <= high:
            raise self.fail(name, text)
        return int(value)

    def number(self, name: str, low: float, high: float, text: str) -> float:
        """A finite number from low to high."""
        value = self.get(name)
        if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
            raise self.fail(name, text)
        return float(value)

    def flag(self, name: str) -> bool:
        """True or false; false where the field is not there."""
        if name in self and not isinstance(self.get(name), bool):
            raise self.fail(name, "Must be a boolean")
        return bool(self.get(name))

    def integers(self, name: str, text: str) -> list[int]:
        """A list of whole numbers."""
        values = self.get(name)
        if not isinstance(values, list) or not all(_is_int(value) for value in cast("list[object]", values)):
            raise self.fail(name, text)
        return cast("list[int]", values)

    def color(self, name: str) -> int:
        """BLACK or WHITE."""
        value = self.get(name)
        color = _COLORS.get(value.lower()) if isinstance(value, str) else None
        if color is None:
            raise self.fail(name, 'Must be "b" or "w"')
        return color

    def points(self, name: str, rows: int, cols: int) -> tuple[int, ...]:
        """A list of points and passes."""
        values = self.get(name)
        if not isinstance(values, list):
            raise self.fail(name, _POINTS)
        return tuple(self._point(name, value, rows, cols, _POINTS) for value in cast("list[object]", values))

    def plays(self, name: str, rows: int, cols: int, passes: bool) -> tuple[Play, ...]:
        """A list of pairs of a colour and a point; `passes`: or a pass."""
        values = self.get(name)
        if not isinstance(values, list):
            raise self.fail(name, _PLAYS)
        return tuple(self._play(name, value, rows, cols, passes) for value in cast("list[object]", values))

    def _play(self, name: str, value: object, rows: int, cols: int, passes: bool) -> Play:
        pair = cast("list[object]", value) if isinstance(value, list) else []
        if len(pair) != 2 or not isinstance(pair[0], str) or not isinstance(pair[1], str):
            raise self.fail(name, _PLAYS)
        color = _COLORS.get(pair[0].lower())
        if color is None:
            raise self.fail(name, f"Could not parse player: {pair[0]}")
        point = self._point(name, pair[1], rows, cols, _PLAYS)
        if point == rows * cols and not passes:
            raise self.fail(name, f"Could not parse board location: {pair[1]}")
        return color, point

    def _point(self, name: str, value: object, rows: int, cols: int, text: str) -> int:
        if not isinstance(value, str):
            raise self.fail(name, text)
        pair = _PAIR.fullmatch(value.strip())
        if pair is not None and int(pair[1]) < cols and int(pair[2]) < rows:
            return int(pair[2]) * cols + int(pair[1])
        try:
            return parse_vertex(value, rows, cols)
        except VertexError:
            raise self.fail(name, f"Could not parse board location: {value}") from None


def _is_int(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
