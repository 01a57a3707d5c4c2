"""The 17 planes made the obvious way: take moves back one by one and look at the stones. An oracle for the kernels."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from move37.rules.color import Color
from move37.rules.position import Position


def grids(position: Position) -> list[NDArray[np.int8]]:
    """Stones int8[H, W] now, one move ago, and so on: at most eight, back to the start of the game."""
    game = position.copy()
    found = [np.array(game.stones)]
    while len(found) < 8 and game.moves:
        game.undo()
        found.append(np.array(game.stones))
    return found


def zero17(position: Position) -> NDArray[np.float32]:
    """float32[17, H, W] in the order own, opponent, own one move ago, ..., colour."""
    own, other = position.to_play, position.to_play.opponent
    planes = np.zeros((17, position.rows, position.cols), np.float32)
    for t, grid in enumerate(grids(position)):
        planes[2 * t] = grid == own
        planes[2 * t + 1] = grid == other
    planes[16] = position.to_play is Color.BLACK
    return planes


def article17(position: Position) -> NDArray[np.float32]:
    """float32[17, H, W] in the order eight of Black, eight of White, colour."""
    planes = np.zeros((17, position.rows, position.cols), np.float32)
    for t, grid in enumerate(grids(position)):
        planes[t] = grid == Color.BLACK
        planes[8 + t] = grid == Color.WHITE
    planes[16] = position.to_play is Color.BLACK
    return planes


SLOW = {"zero17": zero17, "article17": article17}
"""The slow twin of every encoder by name."""
