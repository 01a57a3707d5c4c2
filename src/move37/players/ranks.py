"""Weaker play that still looks like Go: a rank becomes few visits and moves drawn from what the network likes.

A rank asks the network for its opinion, searches little or not at all, and draws among the moves worth considering with
a temperature; no blunders are made up. The table is a first guess, evenly spaced and stronger from rank to rank: it has
not been calibrated against people yet, and what a rank is worth depends on the network.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

import numpy as np
from numpy.typing import NDArray

from move37.errors import PlayerError

__all__ = ["RANKS", "Strength", "strength"]

WORTH_A_THOUGHT: Final = 0.02
"""Moves liked less than this share of the best one are never drawn."""


@dataclass(frozen=True)
class Strength:
    """visits: of a search, 1 for the network alone. temperature: of the draw, by weight ** (1 / temperature)."""

    visits: int
    temperature: float

    def draw(self, weights: NDArray[np.float64], rng: np.random.Generator) -> int:
        """Draw a move by `weights` >= 0, float64[A], not all 0: how much the player likes each move."""
        odds = weights / weights.max()
        odds = np.where(odds >= WORTH_A_THOUGHT, odds ** (1 / self.temperature), 0.0)
        return int(rng.choice(len(odds), p=odds / odds.sum()))


RANKS: Final[Mapping[str, Strength]] = MappingProxyType(
    {
        "10k": Strength(1, 2.00),
        "9k": Strength(1, 1.75),
        "8k": Strength(1, 1.50),
        "7k": Strength(1, 1.30),
        "6k": Strength(1, 1.15),
        "5k": Strength(1, 1.00),
        "4k": Strength(1, 0.85),
        "3k": Strength(1, 0.70),
        "2k": Strength(1, 0.50),
        "1k": Strength(1, 0.25),
        "1d": Strength(4, 0.25),
        "2d": Strength(8, 0.25),
        "3d": Strength(16, 0.25),
        "4d": Strength(32, 0.25),
        "5d": Strength(64, 0.25),
    }
)
"""Weakest first."""


def strength(rank: str) -> Strength:
    """How a rank such as ``5k`` or ``2d`` plays, in any case; `PlayerError` in one sentence for another."""
    word = rank.strip().lower()
    if word not in RANKS:
        raise PlayerError(f"there is no rank {rank!r}: choose one from 10k (weakest) to 1k and 1d to 5d")
    return RANKS[word]
