"""Planes as text, so that a test shows the board and beside it what each plane group says of its points."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from move37.features import encode
from move37.rules.position import Position


def planes_of(name: str, position: Position) -> NDArray[np.float32]:
    """float32[C, H, W] of one position."""
    found: NDArray[np.float32] = encode(name, position).spatial[0]
    return found


def rows_of(text: str) -> list[str]:
    """The rows of a drawing, blanks left out."""
    return [line.replace(" ", "") for line in text.splitlines() if line.strip()]


def numbers(group: NDArray[np.float32]) -> list[str]:
    """A one-hot group float32[n <= 9, H, W] as rows of digits: which plane, from 1, is one; `.` where none is."""
    assert set(np.unique(group)) <= {0.0, 1.0}
    assert group.sum(axis=0).max() <= 1.0, "two planes of a group are one at a point"
    which = (group * np.arange(1, len(group) + 1)[:, None, None]).sum(axis=0).astype(int)
    return ["".join(".123456789"[number] for number in row) for row in which]


def marks(plane: NDArray[np.float32]) -> list[str]:
    """A plane of zeros and ones float32[H, W] as rows of `.` and `1`."""
    return numbers(plane[None])


def drawn_position(text: str, to_play: str = "B", rules: str = "tromp-taylor") -> Position:
    """A position without history from a drawing of `X`, `O` and `.`, the top row first."""
    rows = rows_of(text)
    position = Position(rows=len(rows), cols=len(rows[0]), rules=rules)
    points = {sign: [i for i, found in enumerate("".join(rows)) if found == sign] for sign in "XO"}
    position.setup(black=points["X"], white=points["O"], to_play=to_play)
    return position
