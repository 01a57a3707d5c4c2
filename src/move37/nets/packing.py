"""Weights as the kernels of `plan_kernels` read them: filled up with zeros, in panels of LANES columns, in one array.

What was packed once (for a tile size, where that matters) is found again when another board size asks.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from move37._vector_kernels import LANES
from move37.nets import winograd
from move37.nets.graph import Network, Node
from move37.nets.ops import BatchNorm, Conv2d, Dense

Floats = NDArray[np.float32]

ALIGNMENT = 64
"""Bytes of a cache line: a vector that crosses two costs twice."""


def filled(count: int) -> int:
    """`count` numbers filled up to whole vectors, at least one."""
    return max(1, -(-count // LANES)) * LANES


def aligned(size: int) -> Floats:
    """float32[size] of zeros that begins at a cache line."""
    raw = np.zeros(size + ALIGNMENT // 4, np.float32)
    start = (-raw.ctypes.data % ALIGNMENT) // 4
    return raw[start : start + size]


def _fill(array: Floats, *shape: int) -> Floats:
    """`array` with zeros appended along each axis up to `shape`."""
    return np.pad(array, [(0, wanted - size) for wanted, size in zip(shape, array.shape, strict=True)])


def _panels(matrix: Floats) -> Floats:
    """[..., depth, columns] to [..., columns / LANES, depth, LANES]."""
    *outer, depth, columns = matrix.shape
    return np.moveaxis(matrix.reshape(*outer, depth, columns // LANES, LANES), -2, -3)


class Packed:
    """The packed weights of one network; methods return the place of what they packed.

    `dry` packs nothing and answers 0: to see whether a network can be planned at all.
    """

    def __init__(self, network: Network, dry: bool = False) -> None:
        self._network = network
        self._dry = dry
        self._places: dict[tuple[str, str], int] = {}
        self._parts: list[Floats] = []
        self._size = 0

    def array(self) -> Floats:
        """All that was packed so far, float32[n]."""
        if len(self._parts) != 1:
            whole = aligned(self._size)
            start = 0
            while self._parts:  # one by one, so that no more than one copy of all is held
                part = self._parts.pop(0)
                whole[start : start + part.size] = part
                start += part.size
            self._parts = [whole]
        return self._parts[0]

    def _place(self, node: Node, form: str, make: Callable[[], Floats]) -> int:
        if self._dry:
            return 0
        key = (node.name, form)
        if key not in self._places:
            part = np.ascontiguousarray(make(), np.float32).ravel()
            part = _fill(part, filled(part.size))
            self._places[key] = self._size
            self._parts.append(part)
            self._size += part.size
        return self._places[key]

    def _of(self, node: Node, key: str) -> Floats:
        return self._network.arrays[f"{node.name}.{key}"]

    def bias(self, node: Node) -> int:
        """A bias, filled up."""
        return self._place(node, "bias", lambda: self._of(node, "bias"))

    def norm(self, node: Node) -> tuple[int, int]:
        """A batch norm as scale and shift, each filled up."""
        assert isinstance(node.op, BatchNorm)
        weight, bias, mean, variance = (
            self._of(node, key).astype(np.float64) for key in ("weight", "bias", "mean", "variance")
        )
        with np.errstate(all="ignore"):  # damaged weights are told by what they answer
            scale = weight / np.sqrt(variance + node.op.epsilon)
            shift = bias - mean * scale
        return (
            self._place(node, "scale", lambda: scale.astype(np.float32)),
            self._place(node, "shift", lambda: shift.astype(np.float32)),
        )

    def spread(self, node: Node) -> int:
        """A convolution of the input planes: [channels, side * side, filters]."""
        assert isinstance(node.op, Conv2d)
        op = node.op

        def make() -> Floats:
            weight = self._of(node, "weight").reshape(op.filters, op.channels, -1).transpose(1, 2, 0)
            return _fill(weight, op.channels, op.kernel**2, filled(op.filters))

        return self._place(node, "spread", make)

    def pointwise(self, node: Node) -> int:
        """A 1x1 convolution as panels of [channels, filters]."""
        assert isinstance(node.op, Conv2d)
        op = node.op

        def make() -> Floats:
            return _panels(_fill(self._of(node, "weight")[:, :, 0, 0].T, filled(op.channels), filled(op.filters)))

        return self._place(node, "pointwise", make)

    def winograd(self, node: Node, tile: int) -> int:
        """A 3x3 convolution as panels for each of its transformed values."""
        assert isinstance(node.op, Conv2d)
        op = node.op

        def make() -> Floats:
            values = winograd.transformed(self._of(node, "weight"), tile)
            return _panels(_fill(values, len(values), filled(op.channels), filled(op.filters)))

        return self._place(node, f"winograd {tile}", make)

    def point_bias(self, node: Node, channels: int) -> int:
        """A number for each point as planes: [points, channels]."""

        def make() -> Floats:
            numbers = np.repeat(self._of(node, "bias").reshape(-1, 1), channels, axis=1)
            return _fill(numbers, len(numbers), filled(channels))

        return self._place(node, "points", make)

    def dense(self, node: Node, indices: NDArray[np.int64], depth: int) -> int:
        """A dense layer as panels; its inputs are the numbers at `indices` of a line of `depth`."""
        assert isinstance(node.op, Dense)
        op = node.op

        def make() -> Floats:
            matrix = np.zeros((depth, filled(op.outputs)), np.float32)
            matrix[indices, : op.outputs] = self._of(node, "weight").T
            return _panels(matrix)

        return self._place(node, "dense", make)
