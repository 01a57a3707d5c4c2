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
other text above and below the rows are passed over, but for "Black to play" or "White to play"; a line between rows, or
one that is a row but for some signs, is an error that names the sign.
"""

from __future__ import annotations

import re
from itertools import takewhile
from typing import Final

import numpy as np
from numpy.typing import NDArray

from move37.errors import SetupError
from move37.rules.color import DIAGRAM_SIGNS, Color
from move37.rules.coordinates import MAX_SIDE, column_letters
from move37.rules.handicap import star_points

_STONES: Final = {".": 0, "+": 0, ",": 0, "X": 1, "x": 1, "#": 1, "@": 1, "O": 2, "o": 2}
_NUMBERED: Final = re.compile(r"^\s*(?P<number>[1-9]\d?)(?P<row>\s*\S.*?)(?:(?P=number)(?:\s.*)?)?$")
_PLAIN: Final = re.compile(r"^(?P<row>.*?)(?:(?<=[\s)])[1-9]\d?)?\s*$")
_ALPHABETS: Final = (column_letters(MAX_SIDE), "ABCDEFGHIJKLMNOPQRS")
_NUMBERS: Final = frozenset(map(str, range(MAX_SIDE + 1)))
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
    """Read stones ``int8[H, W]`` and, where the text says it, who is to play.

    `SetupError` if it has no board, rows of different lengths, or a row with a sign that is none.
    """
    lines = list(enumerate(map(_words, text.splitlines()), start=1))
    rows = [(number, [_STONES[sign] for sign in "".join(words)]) for number, words in lines if _is_row(words)]
    if not rows or max(len(rows), len(rows[0][1])) > MAX_SIDE:
        _refuse_wrong_signs(lines, 0, 0, 0)
        raise SetupError(
            f"The diagram has no board of 1 to {MAX_SIDE} rows and columns: draw rows of '.', 'X' and 'O'."
        )
    width = len(rows[0][1])
    _refuse_wrong_signs(lines, width, rows[0][0], rows[-1][0])
    for number, stones in rows:
        if len(stones) != width:
            raise SetupError(
                f"Line {number} of the diagram has {len(stones)} points "
                f"but the rows above have {width}: make them equal."
            )
    told = _TO_PLAY.search(text)
    return np.array([stones for _, stones in rows], dtype=np.int8), Color.parse(told.group(1)) if told else None


def _words(line: str) -> list[str]:
    """What a line holds between its row numbers, without parentheses and split at blanks; nothing of column letters."""
    if _names_columns(line.split()):
        return []
    found = _NUMBERED.match(line) or _PLAIN.match(line)
    held = line if found is None else found["row"]
    return held.replace("(", " ").replace(")", " ").split()


def _names_columns(words: list[str]) -> bool:
    """Whether a line is the columns' letters, with or without blanks and a remark behind, or their numbers."""
    if not words:
        return True
    letters = words[0] if len(words[0]) > 1 else "".join(takewhile(lambda word: len(word) == 1, words))
    numbers = [str(int(words[0]) + place) for place in range(len(words))] if words[0] in _NUMBERS else []
    return any(alphabet.startswith(letters.upper()) for alphabet in _ALPHABETS) or (words == numbers and len(words) > 1)


def _is_row(words: list[str]) -> bool:
    return bool(words) and all(sign in _STONES for word in words for sign in word)


def _refuse_wrong_signs(lines: list[tuple[int, list[str]]], width: int, first: int, last: int) -> None:
    """`SetupError` for a line that should be a row but has a sign that is none; the rows run from `first` to `last`."""
    for number, words in lines:
        wrong = next((sign for word in words for sign in word if sign not in _STONES), None)
        if wrong is not None and (first < number < last or _is_meant_as_row(words, width)):
            raise SetupError(f"Line {number}: {wrong!r} is no stone: use X, O and '.' for empty.")


def _is_meant_as_row(words: list[str], width: int) -> bool:
    """Whether a line is rather a row with wrong signs than other text, which is words."""
    signs = "".join(words)
    right = sum(sign in _STONES for sign in signs)
    single = len(words) == len(signs) and (right > 0 or len(words) == width)
    dotted = len(signs) == width and any(sign in ".+,#@" for sign in signs)
    return 2 * right >= len(signs) or single or dotted
