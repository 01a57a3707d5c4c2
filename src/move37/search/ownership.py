"""Who owns which point, averaged over the positions that a search of one root evaluates.

There is no map a node: one sum for each move of the root. So it belongs to one root; when the root changes it starts
anew. It is an average over evaluated positions: a finished game, and a position whose evaluation another one lent, add
nothing, and a visit more of the same position neither.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["OwnershipSum"]


class OwnershipSum:
    """Sums over a board of rows × cols (H × W), for the root's player to move.

    count: positions summed up.
    """

    def __init__(self, rows: int, cols: int) -> None:
        actions = rows * cols + 1
        self._sums = np.zeros((actions + 1, rows, cols), np.float32)  # the last: of the root itself
        self._counts = np.zeros(actions + 1, np.int64)
        self._squares = np.zeros((rows, cols))

    @property
    def count(self) -> int:
        """Positions summed up."""
        return int(self._counts.sum())

    def add(self, moves: NDArray[np.int32], depths: NDArray[np.int32], ownership: NDArray[np.float32] | None) -> None:
        """Add positions: moves int32[B], of the root, that they are below, -1 for the root itself; depths int32[B].

        ownership: float32[B, H, W] for the player to move in each, or None (nothing is added).
        """
        if ownership is None:
            return
        signs = np.where(depths % 2 == 0, np.float32(1), np.float32(-1))
        np.add.at(self._sums, moves, signs[:, None, None] * ownership)
        np.add.at(self._counts, moves, 1)
        self._squares += np.square(ownership, dtype=np.float64).sum(axis=0)

    def mean(self) -> NDArray[np.float32]:
        """float32[H, W] in [-1, 1], 1 where the root's player owns the point."""
        mean: NDArray[np.float32] = (self._sums.sum(axis=0, dtype=np.float64) / self.count).astype(np.float32)
        return mean

    def stdev(self) -> NDArray[np.float32]:
        """float32[H, W]: the standard deviation among the positions."""
        variance = self._squares / self.count - np.square(self.mean(), dtype=np.float64)
        return np.sqrt(np.maximum(variance, 0.0)).astype(np.float32)

    def by_move(self) -> dict[int, NDArray[np.float32]]:
        """float32[H, W] for each move of the root below which a position was summed up, as `mean`."""
        found: dict[int, NDArray[np.float32]] = {}
        for move in np.flatnonzero(self._counts[:-1]):
            found[int(move)] = self._sums[move] / np.float32(self._counts[move])
        return found
