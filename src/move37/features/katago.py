"""KataGo's network inputs of version 7, 22 planes and 19 numbers, which its networks of versions 8 to 17 read.

"Own" is the player to move. All values of the planes are 0 or 1; what a plane does not name is 0.

| plane | 1 at |
|---|---|
| 0 | every point |
| 1, 2 | own stones, the opponent's |
| 3, 4, 5 | stones of chains with one, two, three liberties |
| 6 | points forbidden by ko: simple ko, superko, in an encore kos taken already |
| 7 | in an encore: stones blocked against being retaken in a ko |
| 8 | nothing |
| 9 to 13 | the last move, the one before it, and so on |
| 14, 15, 16 | stones caught in a ladder now, a move ago, two moves ago |
| 17 | own moves that catch a chain of two liberties in a ladder |
| 18, 19 | own area, the opponent's |
| 20, 21 | in the second encore: own stones at its start, the opponent's |

| number | meaning |
|---|---|
| 0 to 4 | 1 if the last move, the one before it, and so on was a pass |
| 5 | own komi / 20: for the player to move, with all bonuses, clipped to ±(points + 20) |
| 6, 7 | superko; 0.5 positional, −0.5 situational |
| 8, 9 | suicide is legal; territory scoring |
| 10, 11 | there is a tax; it is *all* |
| 12, 13 | an encore; the second one |
| 14 | a pass now ends the phase |
| 15, 16 | there is a playout doubling advantage; half of it |
| 17 | a button is free |
| 18 | where own komi lies between those that can give a draw, a triangle wave from −0.5 to 0.5 |

The edge cases of each are in `docs/features.md`. Source: KataGo (`nninputs.cpp`, its inputs of version 7), whose own
arrays these equal value by value.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from move37.errors import ConfigError
from move37.features.encoded import Encoded, common_size, plane_buffer
from move37.features.katago_kernels import HISTORY_PLIES, NUMBERS, OPTIONS, PLANES, write_katago_batch

_LARGEST_ADVANTAGE = 3.0


@dataclass(frozen=True, slots=True)
class KataGoEncoder:
    """Encoder of the 22 planes and 19 numbers; the defaults are those of KataGo for a position outside a search.

    ``draw_value``: wins for White that a draw counts as. ``doubling_advantage``: KataGo's playout doubling advantage of
    the player to move. ``history``: at most so many of the last moves are shown. ``conservative_pass``: at the root of
    a search a pass that would end the game is shown as if it did not. ``passing_hacks``: so is, anywhere, one that
    would not win. ``suicide_for_life``: whether suicide counts as legal in deciding what is alive (None: as in the
    rules). Raises `ConfigError` for a value out of range.
    """

    name: str = "katago22"
    draw_value: float = 0.5
    doubling_advantage: float = 0.0
    history: int = HISTORY_PLIES
    conservative_pass: bool = False
    passing_hacks: bool = False
    suicide_for_life: bool | None = None

    def __post_init__(self) -> None:
        if not 0.0 <= self.draw_value <= 1.0:
            raise ConfigError(f"draw_value is {self.draw_value:g}, but a draw counts as 0 to 1 wins for White.")
        if not abs(self.doubling_advantage) <= _LARGEST_ADVANTAGE:
            raise ConfigError(
                f"doubling_advantage is {self.doubling_advantage:g}, but networks know ±{_LARGEST_ADVANTAGE:g} at most."
            )
        if not 0 <= self.history <= HISTORY_PLIES:
            raise ConfigError(f"history is {self.history}, but these inputs show 0 to {HISTORY_PLIES} moves.")

    @property
    def planes(self) -> int:
        """C, which is 22."""
        return PLANES

    @property
    def globals(self) -> int:
        """G, which is 19."""
        return NUMBERS

    def encode(self, boards: NDArray[Any], out: NDArray[np.float32] | None = None) -> Encoded:
        """Inputs of `boards` (BOARD[B], one size): spatial float32[B, 22, H, W], globals float32[B, 19].

        `out`, if given, is written and returned as `spatial`. ValueError for an empty or mixed batch, or
        for an `out` of the wrong shape.
        """
        rows, cols = common_size(boards)
        spatial = plane_buffer(out, (len(boards), PLANES, rows, cols))
        numbers = np.empty((len(boards), NUMBERS), dtype=np.float32)
        planes = spatial.reshape(len(boards), PLANES, rows * cols)
        write_katago_batch(np.ascontiguousarray(boards), self._options(), planes, numbers)
        return Encoded(spatial, numbers)

    def _options(self) -> Any:
        """The options as kernels read them."""
        suicide = -1 if self.suicide_for_life is None else int(self.suicide_for_life)
        values = (
            self.draw_value,
            self.doubling_advantage,
            self.history,
            self.conservative_pass,
            self.passing_hacks,
            suicide,
        )
        return np.array([values], dtype=OPTIONS)[0]


KATAGO22 = KataGoEncoder()
