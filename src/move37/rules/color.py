"""The two colours of Go, as the numbers the board record stores.

A colour is also a plain int (0 empty, 1 Black, 2 White), so it can index arrays and be compared with stones of a
record.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Final

from move37.errors import RulesError

EMPTY: Final = 0
"""What a record holds at a point without a stone."""


class Color(IntEnum):
    """A player, or the colour of a stone.

    >>> Color.parse("b").opponent
    <Color.WHITE: 2>
    """

    BLACK = 1
    WHITE = 2

    @property
    def opponent(self) -> Color:
        """The other player."""
        return Color.WHITE if self is Color.BLACK else Color.BLACK

    @property
    def letter(self) -> str:
        """``"B"`` or ``"W"``, as in SGF and in results."""
        return "B" if self is Color.BLACK else "W"

    @property
    def word(self) -> str:
        """``"black"`` or ``"white"``, as in GTP."""
        return "black" if self is Color.BLACK else "white"

    @property
    def title(self) -> str:
        """``"Black"`` or ``"White"``, for sentences."""
        return "Black" if self is Color.BLACK else "White"

    @classmethod
    def parse(cls, value: str | int) -> Color:
        """Read a colour: a `Color`, 1 or 2, or ``b``, ``black``, ``w``, ``white`` in any case.

        Raises `RulesError` for anything else.
        """
        if isinstance(value, str):
            found = _BY_WORD.get(value.strip().lower())
            if found is not None:
                return found
        elif value in (1, 2):
            return cls(value)
        raise RulesError(f"{value!r} is no colour: use 'B', 'black', 'W' or 'white'.")


DIAGRAM_SIGNS: Final = ".XO"
"""The signs of diagrams, by what a point holds."""

_BY_WORD: Final = {"b": Color.BLACK, "black": Color.BLACK, "w": Color.WHITE, "white": Color.WHITE}
