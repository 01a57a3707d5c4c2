"""sgfmill's board as a second oracle, written by others: stones, simple ko point and area score of square boards.

The only place of the tests that knows sgfmill's conventions: row 0 at the bottom, colours `"b"`, `"w"` and None.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sgfmill import boards

from tests.support.oracle_board import BLACK, EMPTY, NO_POINT, WHITE

_LETTERS = {BLACK: "b", WHITE: "w"}
_COLORS = {None: EMPTY, "b": BLACK, "w": WHITE}


class SgfmillBoard:
    """A square board of at least 2x2, in this package's points and colours."""

    def __init__(self, size: int, stones: Sequence[int] = ()) -> None:
        """Start from `stones`, row by row from the top left; they must be able to stand."""
        self.size = size
        self._board: Any = boards.Board(size)
        black, white = (self._spots(stones, color) for color in (BLACK, WHITE))
        assert self._board.apply_setup(black, white, [])

    def _spot(self, point: int) -> tuple[int, int]:
        return self.size - 1 - point // self.size, point % self.size

    def _spots(self, stones: Sequence[int], color: int) -> list[tuple[int, int]]:
        return [self._spot(point) for point, stone in enumerate(stones) if stone == color]

    def play(self, point: int, color: int) -> int:
        """Play a stone; returns the point forbidden by simple ko, or -1."""
        ko: tuple[int, int] | None = self._board.play(*self._spot(point), _LETTERS[color])
        return NO_POINT if ko is None else (self.size - 1 - ko[0]) * self.size + ko[1]

    @property
    def stones(self) -> tuple[int, ...]:
        """All stones, row by row from the top left."""
        return tuple(_COLORS[self._board.get(*self._spot(point))] for point in range(self.size * self.size))

    def area_score(self) -> int:
        """Black's area less White's."""
        return int(self._board.area_score())
