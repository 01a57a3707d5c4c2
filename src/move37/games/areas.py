"""Who owned what when games ended: as lists of points, as a store keeps them, and as arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from move37.games.columns import Lists

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from move37.games.store import GameStore

__all__ = ["areas_of", "black_ownership"]

_BLACK, _WHITE = 1, 2


def areas_of(owners: Sequence[NDArray[np.int8]]) -> tuple[Lists, Lists]:
    """The points of Black and those of White; `owners` int8[P] of each game: 0 nobody's, 1 Black's, 2 White's."""
    return _points(owners, _BLACK), _points(owners, _WHITE)


def black_ownership(store: GameStore, games: NDArray[np.int64]) -> NDArray[np.float32]:
    """float32[K, H, W] of `games` (int64[K], all of one size): 1 where a point was Black's, -1 where it was White's.

    All zeros where that is unknown.
    """
    side = int(store.size[games[0]]) if len(games) else 1
    owned = np.zeros((len(games), side * side), np.float32)
    for area, sign in ((store.black_area, 1.0), (store.white_area, -1.0)):
        chosen = area.take(games)
        owned[np.repeat(np.arange(len(games)), chosen.lengths), chosen.values] = sign
    return owned.reshape(len(games), side, side)


def _points(owners: Sequence[NDArray[np.int8]], color: int) -> Lists:
    points = [np.flatnonzero(owner == color).astype(np.uint16) for owner in owners]
    offsets = np.concatenate([[0], np.cumsum([len(one) for one in points])]).astype(np.int64)
    return Lists(np.concatenate([np.empty(0, np.uint16), *points]), offsets)
