"""What is certain on a board: unconditional life, and the stones that are dead whatever happens.

The friendly side of `life_kernels`, which say what Benson's algorithm is. Nothing is read or guessed here; what is
likely dead is `evaluators.dead_stones`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from move37.rules import life_kernels
from move37.rules.color import Color
from move37.rules.coordinates import format_vertex
from move37.rules.position_view import PositionView


@dataclass(frozen=True, eq=False, repr=False)
class Benson:
    """Unconditional life on a board of H rows and W columns; all masks are ``bool[H, W]``, the top row first.

    ``black_alive``, ``white_alive``: stones that cannot be taken even if their owner always passes.
    ``black_territory``, ``white_territory``: the regions that make them live, with the other side's stones in them.
    The same as vertices: `alive_vertices` and `territory_vertices`.
    """

    black_alive: NDArray[np.bool_]
    black_territory: NDArray[np.bool_]
    white_alive: NDArray[np.bool_]
    white_territory: NDArray[np.bool_]

    def alive(self, color: Color | str) -> NDArray[np.bool_]:
        """``bool[H, W]``: the living stones of one colour."""
        return self.black_alive if Color.parse(color) is Color.BLACK else self.white_alive

    def territory(self, color: Color | str) -> NDArray[np.bool_]:
        """``bool[H, W]``: the territory of one colour."""
        return self.black_territory if Color.parse(color) is Color.BLACK else self.white_territory

    def alive_vertices(self, color: Color | str | None = None) -> list[str]:
        """The living stones, of one colour or of both, as vertices from the top left."""
        return _vertices(self.black_alive | self.white_alive if color is None else self.alive(color))

    def territory_vertices(self, color: Color | str | None = None) -> list[str]:
        """The territory, of one colour or of both, as vertices from the top left."""
        return _vertices(self.black_territory | self.white_territory if color is None else self.territory(color))

    def __repr__(self) -> str:
        shown = (" ".join(self.alive_vertices(color)) or "none" for color in Color)
        return "<Benson alive: Black {}; White {}>".format(*shown)


def benson(position: PositionView, *, suicide: bool | None = None) -> Benson:
    """Benson's unconditional life of both colours; ``suicide`` overrides whether the rules allow it.

    Source: David B. Benson, "Life in the game of Go", Information Sciences 10 (1976).

    >>> from move37.rules.position import Position
    >>> game = Position.from_diagram('''
    ... . X . X .
    ... X X X X .
    ... . . . . .
    ... ''')
    >>> benson(game).alive_vertices("black"), benson(game).territory_vertices("black")
    (['B3', 'D3', 'A2', 'B2', 'C2', 'D2'], ['A3', 'C3'])
    """
    allowed = position.rules.suicide if suicide is None else suicide
    rows, cols = position.rows, position.cols
    masks = np.empty((4, rows * cols), np.bool_)
    life_kernels.benson(position.board, int(Color.BLACK), allowed, masks[0], masks[1])
    life_kernels.benson(position.board, int(Color.WHITE), allowed, masks[2], masks[3])
    return Benson(*masks.reshape(4, rows, cols))


def certain_owner(position: PositionView) -> NDArray[np.int8]:
    """Who owns each point beyond doubt, ``int8[H, W]``: 0 open, 1 Black, 2 White; another's stone there is dead."""
    owner = np.empty(position.rows * position.cols, np.int8)
    life_kernels.certain_owner(position.board, position.rules.suicide, owner)
    return owner.reshape(position.rows, position.cols)


def _vertices(mask: NDArray[np.bool_]) -> list[str]:
    rows, cols = mask.shape
    return [format_vertex(point, rows, cols) for point in np.flatnonzero(mask).tolist()]
