"""The seam between a network and whatever computes it: raw outputs for a batch of inputs, and nothing else.

A runner knows a graph and its arrays; encoding, what the outputs mean, legality and caching are others' work. The fast
path for CPUs (`fast_cpu`) and torch (`torch_runner`) are runners.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from move37.nets.graph import NetworkSpec

__all__ = ["Runner", "require_inputs"]


def require_inputs(spec: NetworkSpec, spatial: NDArray[np.float32], globals_: NDArray[np.float32]) -> None:
    """Refuse, with a ValueError, arrays that are no inputs of a network of `spec`: kernels would read beyond them."""
    count, *sides = len(spatial), *spatial.shape[2:]
    fits = spatial.ndim == 4 and spatial.shape[1] == spec.planes and count >= 1 and min(sides) >= 1
    if not fits or globals_.shape != (count, spec.globals):
        raise ValueError(
            f"{spec.name} reads planes [B, {spec.planes}, H, W] and numbers [B, {spec.globals}] of a position or more, "
            f"not {spatial.shape} and {globals_.shape}."
        )


class Runner(Protocol):
    """Computes one network."""

    @property
    def name(self) -> str:
        """Which way of computing it is, for people: "fast", "torch cpu", ..."""
        ...

    def run(self, spatial: NDArray[np.float32], globals_: NDArray[np.float32]) -> dict[str, NDArray[np.float32]]:
        """The graph's outputs by name, each float32[B, ...] and the caller's own.

        `spatial`: float32[B, C, H, W], `globals_`: float32[B, G] (G may be 0); one board size, B >= 1. May be called
        from several threads at once.
        """
        ...
