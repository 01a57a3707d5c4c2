"""An encoder that is a kernel and a number of planes, without global inputs, and the first planes of such a one.

Most encoders are the former; the planes of each are said in its own file.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from move37.features.encoded import Encoded, common_size, plane_buffer


@dataclass(frozen=True, slots=True)
class PlaneEncoder:
    """Encoder of `planes` planes that `write` makes: it takes BOARD[B] of one size and fills float32[B, C, H*W]."""

    name: str
    planes: int
    write: Callable[[NDArray[Any], NDArray[np.float32]], None]

    @property
    def globals(self) -> int:
        """G, which is 0."""
        return 0

    def encode(self, boards: NDArray[Any], out: NDArray[np.float32] | None = None) -> Encoded:
        """Planes of `boards` (BOARD[B], one size): spatial float32[B, C, H, W], globals float32[B, 0].

        `out`, if given, is written and returned as `spatial`. ValueError for an empty or mixed batch, or
        for an `out` of the wrong shape.
        """
        rows, cols = common_size(boards)
        spatial = plane_buffer(out, (len(boards), self.planes, rows, cols))
        self.write(np.ascontiguousarray(boards), spatial.reshape(len(boards), self.planes, rows * cols))
        return Encoded(spatial, np.zeros((len(boards), 0), dtype=np.float32))


@dataclass(frozen=True, slots=True)
class FirstPlanes:
    """The first `planes` planes of another encoder, to see what the others are worth; as slow as that one."""

    name: str
    planes: int
    of: PlaneEncoder

    @property
    def globals(self) -> int:
        """G, which is 0."""
        return 0

    def encode(self, boards: NDArray[Any], out: NDArray[np.float32] | None = None) -> Encoded:
        """As `PlaneEncoder.encode`."""
        every = self.of.encode(boards)
        spatial = plane_buffer(out, (len(boards), self.planes, *every.spatial.shape[2:]))
        spatial[:] = every.spatial[:, : self.planes]
        return Encoded(spatial, every.globals)
