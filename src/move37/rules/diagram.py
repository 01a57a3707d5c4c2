"""Boards as plain text, out and in.

A diagram shows ``X`` for Black, ``O`` for White, ``.`` for empty, ``+`` for an empty star point, the last stone in
parentheses, GTP's letters above and below and its numbers at both sides::

       A B C D E
     5 . . . . . 5
     4 . . . . . 4
     3 . .(X). . 3
     2 . . . . . 2
     1 . . . . . 1
       A B C D E

Reading is generous: blanks, parentheses, labels and the frame may be missing, ``#`` and ``@`` are Black too. Lines of
other text are passed over, but for "Black to play" or "White to play".
"""

from __future__ import annotations

import re
from typing import Final

import numpy as np
from numpy.typing import NDArray

from move37.errors import SetupError
from move37.rules.color import DIAGRAM_SIGNS, Color
from move37.rules.coordinates import MAX_SIDE, column_letters
from move37.rules.handicap import star_points

_STONES: Final = {".": 0, "+": 0, ",": 0, "X": 1, "x": 1, "#": 1, "@": 1, "O": 2, "o": 2}
_ROW: Final = re.compile(r"^\s*(?:\d{1,2}\s*)?([.+,XxOo#@()\s]+?)(?:\s*\d{1,2}\b.*)?$")
_TO_PLAY: Final = re.compile(r"\b(black|white)\b[^\n]*\bto play\b", re.IGNORECASE)


def format_diagram(grid: NDArray[np.int8], last: int | None = None) -> str:
    """Draw stones ``int8[H, W]``; ``last`` is the point to mark."""
    rows, cols = grid.shape
    stars = set(star_points(rows, cols))
    letters = "   " + " ".join(column_letters(cols))
    lines = [letters]
    for row in range(rows):
        text = ""
        for col in range(cols):
            point = row * cols + col
            stone = int(grid[row, col])
            text += "(" if point == last else ")" if col > 0 and point - 1 == last else " "
            text += DIAGRAM_SIGNS[stone] if stone else "+" if point in stars else "."
        text += ")" if last == row * cols + cols - 1 else " "
        lines.append(f"{rows - row:2d}{text}{rows - row}")
    lines.append(letters)
    return "\n".join(lines)


def parse_diagram(text: str) -> tuple[NDArray[np.int8], Color | None]:
    """Read stones ``int8[H, W]`` and, where the text says it, who is to play; `SetupError` if it has no board."""
    rows: list[list[int]] = []
    for number, line in enumerate(text.splitlines(), start=1):
        stones = _row(line)
        if stones is None:
            continue
        if rows and len(stones) != len(rows[0]):
            raise SetupError(
                f"Line {number} of the diagram has {len(stones)} points "
                f"but the rows above have {len(rows[0])}: make them equal."
            )
        rows.append(stones)
    if not rows or max(len(rows), len(rows[0])) > MAX_SIDE:
        raise SetupError(
            f"The diagram has no board of 1 to {MAX_SIDE} rows and columns: draw rows of '.', 'X' and 'O'."
        )
    told = _TO_PLAY.search(text)
    return np.array(rows, dtype=np.int8), Color.parse(told.group(1)) if told else None


def _row(line: str) -> list[int] | None:
    """The stones of one line, or None if it is no row of a board."""
    found = _ROW.match(line)
    if found is None:
        return None
    stones = [_STONES[sign] for sign in found.group(1) if sign in _STONES]
    return stones or None
