"""The 17 planes of AlphaGo Zero, in two plane orders.

Each of the last eight stone configurations gives one plane of each colour; a last plane says who is to move. Planes
from before the game's first position are zero. Ko, komi and captures are not shown to the network; a pass adds a
configuration equal to the one before.

| name        | planes 0..15                                                                  | plane 16             |
|-------------|-------------------------------------------------------------------------------|----------------------|
| `zero17`    | own now, opponent's now, own one move ago, opponent's one move ago, and so on | 1 if Black is to move |
| `article17` | Black now, Black one move ago, ... (8), then White now, ... (8)               | 1 if Black is to move |

"Own" are the stones of the player to move now, in all of the eight. Source: Silver et al., Mastering the game of Go
without human knowledge, Nature 550 (2017), Methods, "Neural network architecture"; `article17` is the course's order.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from move37.features.encoded import Encoded, common_size, plane_buffer
from move37.features.plane_kernels import write_zero17_batch

PLANES = 17


@dataclass(frozen=True, slots=True)
class ZeroEncoder:
    """Encoder of the 17 planes; `by_color` chooses the order Black/White instead of own/opponent."""

    name: str
    by_color: bool

    @property
    def planes(self) -> int:
        """C, which is 17."""
        return PLANES

    @property
    def globals(self) -> int:
        """G, which is 0."""
        return 0

    def encode(self, boards: NDArray[Any], out: NDArray[np.float32] | None = None) -> Encoded:
        """Planes of `boards` (BOARD[B], one size): spatial float32[B, 17, H, W], globals float32[B, 0].

        `out`, if given, is written and returned as `spatial`. ValueError for an empty or mixed batch, or
        for an `out` of the wrong shape.
        """
        rows, cols = common_size(boards)
        spatial = plane_buffer(out, (len(boards), PLANES, rows, cols))
        planes = spatial.reshape(len(boards), PLANES, rows * cols)
        write_zero17_batch(np.ascontiguousarray(boards), self.by_color, planes)
        return Encoded(spatial, np.zeros((len(boards), 0), dtype=np.float32))


ZERO17 = ZeroEncoder("zero17", by_color=False)
ARTICLE17 = ZeroEncoder("article17", by_color=True)
