"""Very small boards solved: what both sides are sure of, proved by alpha-beta within a number of plies.

Where a line is longer, the worst is assumed for the side that wants to prove something, so what is proved holds. Known
under area scoring and positional superko: 2×2 Black 1, 3×3 Black 9, 4×4 Black 2 (John Tromp). This reaches 3×3.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from move37.search.following import GamePosition
from move37.search.minimax import Minimax, MinimaxConfig
from move37.search.place import Place

__all__ = ["Proved", "solve"]


@dataclass(frozen=True)
class Proved:
    """Margins in points, komi counted, for the player to move: sure of `least`, held to `most`. nodes: met in all."""

    least: float
    most: float
    nodes: int

    @property
    def exact(self) -> bool:
        """Whether the game is solved."""
        return self.least == self.most


class _Prover(Minimax):
    """Alpha-beta to whose `prover` (1 Black, 2 White) an unfinished line is worth less than any result."""

    def __init__(self, prover: int, depth: int) -> None:
        super().__init__(config=MinimaxConfig(depth=depth))
        self._prover = prover

    def _worth(self, place: Place) -> float:
        if place.is_over:
            return super()._worth(place)
        return -np.inf if place.to_play == self._prover else np.inf


def solve(position: GamePosition, depth: int, between: tuple[float, float] | None = None) -> Proved:
    """What is proved of `position`, which is not over and counts areas, by lines of at most `depth` plies.

    between: margins between which the result is known to lie; a narrower question is answered sooner.
    """
    start = Place.of(position)
    area = start.shape[0] * start.shape[1]
    low, high = between or (start.uneven - area, start.uneven + area)
    mine = _Prover(start.to_play, depth).within(position, low, high)
    other = _Prover(3 - start.to_play, depth).within(position, max(low, mine.value), high)
    return Proved(max(low, mine.value), min(high, other.value), mine.nodes + other.nodes)
