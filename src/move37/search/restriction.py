"""What a search may not look at: moves avoided, or the only ones allowed, for one side and some plies.

It is KataGo's ``avoidMoves`` and ``allowMoves``, and Leela Zero's ``avoid`` and ``allow``. To kernels all restrictions
are one table: from which depth each move is open to each colour.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Integral

import numpy as np
from numpy.typing import NDArray

from move37.errors import ConfigError

__all__ = ["Restriction", "closed_until"]


@dataclass(frozen=True)
class Restriction:
    """`color` may not play `moves` (with `only`: may play nothing else) in the first `until_depth` plies of the search.

    color: 1 Black, 2 White. moves: points, or rows * cols for a pass. until_depth: 1 restricts the root alone.
    """

    color: int
    moves: tuple[int, ...]
    until_depth: int = 1
    only: bool = False


def closed_until(restrictions: Sequence[Restriction], actions: int) -> NDArray[np.int32]:
    """int32[2, A]: the depth from which Black and White may look at a move; 0 without restriction, the root has 0.

    Several restrictions all count. ConfigError for a colour, move or depth that there is not.
    """
    closed = np.zeros((2, actions), np.int32)
    for one in restrictions:
        if one.color not in (1, 2):
            raise ConfigError(f"A restriction is for color 1 (Black) or 2 (White), not {one.color}.")
        if not all(_is_whole(move) and 0 <= move < actions for move in one.moves):
            raise ConfigError(f"A restriction names a move beyond the board; moves are 0 to {actions - 1}, a pass.")
        if not (_is_whole(one.until_depth) and 0 < one.until_depth < 2**31):
            raise ConfigError(f"A restriction holds for a positive number of plies, not {one.until_depth}.")
        named = np.zeros(actions, np.bool_)
        named[list(one.moves)] = True
        row = closed[one.color - 1]
        np.maximum(row, np.where(named != one.only, one.until_depth, 0), out=row)
    return closed


def _is_whole(value: object) -> bool:
    return isinstance(value, Integral)
