"""KataGo's inputs of one position as tests ask for them: planes as vertices, numbers as floats."""

from __future__ import annotations

from typing import Any

import numpy as np

from move37.features.encoded import Encoded
from move37.features.katago import KataGoEncoder
from move37.rules.position import Position

ENCORE: dict[str, Any] = {"base": "japanese", "encore": True}
"""Rules with territory scoring and both encores."""


class Shown:
    """What one position's inputs show: planes as vertices from the top left, numbers as floats."""

    def __init__(self, position: Position, **options: Any) -> None:
        self.encoded: Encoded = KataGoEncoder(**options).encode(position.board_array)
        self.position = position

    def plane(self, plane: int) -> str:
        points = np.flatnonzero(self.encoded.spatial[0, plane].ravel())
        return " ".join(self.position.vertex(int(point)) for point in points)

    def planes(self, *wanted: int) -> list[str]:
        return [self.plane(plane) for plane in wanted]

    def number(self, number: int) -> float:
        return float(self.encoded.globals[0, number])

    def numbers(self, *wanted: int) -> list[float]:
        return [self.number(number) for number in wanted]


def after(*moves: str, size: int = 5, **settings: Any) -> Position:
    """The position after these moves on a small board."""
    return Position.from_moves(moves, size=size, **settings)
