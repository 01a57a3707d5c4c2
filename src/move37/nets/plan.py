"""A description compiled into the steps of `plan_kernels`, for one board size.

Batch norms are folded into convolutions or into what follows a sum (`groups`), 3x3 convolutions become Winograd's,
weights are laid out as the kernels read them, and every value gets a place in memory, which is used again when nobody
reads it any more. What it does not know (attention, dilation, 5x5 filters inside the tower) raises `UnsupportedError`:
such networks run in torch.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from move37._vector_kernels import LANES
from move37.nets import activation_kernels, ops, plan_kernels, step_kernels, winograd
from move37.nets.graph import GLOBALS, SPATIAL, Network, Node
from move37.nets.groups import Group, grouped
from move37.nets.matmul_kernels import MAX_WIDTH
from move37.nets.packing import Packed, filled
from move37.nets.step_kernels import NOWHERE, STEP

_ACTIVATIONS: dict[type[ops.Op], int] = {
    ops.Relu: activation_kernels.RELU,
    ops.Mish: activation_kernels.MISH,
    ops.Silu: activation_kernels.SILU,
    ops.Tanh: activation_kernels.TANH,
}
_FINISHED = (ops.Add, ops.Multiply, ops.PointBias, ops.BatchNorm, *_ACTIVATIONS)
_OPTIONAL = ("target", "raw", "residual", "added", "factor", "constant", "bias", "scale", "shift")
_POOLINGS = {
    "mean": step_kernels.MEAN,
    "mean_sized": step_kernels.MEAN_SIZED,
    "max": step_kernels.MAX,
    "mean_sized_squared": step_kernels.MEAN_SIZED_SQUARED,
}


class UnsupportedError(Exception):
    """A network, or a part of one, that the fast plan does not know; the message says which."""


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """Steps for one board size.

    steps: STEP[n]. stretch: numbers of memory a position needs. scratch: where a thread's own room begins in it.
    globals_at: where the global inputs go. answers: place and shape of each output in a row of `answer_size` numbers.
    """

    steps: NDArray[Any]
    stretch: int
    scratch: int
    globals_at: int
    answers: dict[str, tuple[int, tuple[int, ...]]]
    answer_size: int


@dataclass(slots=True)
class _Value:
    """Something computed: its place in memory, and how it lies there.

    Planes have `channels` (filled up) and no pieces. A line is the numbers of its `pieces` (start, length) in a stretch
    of `channels` numbers; between them is nothing of meaning.
    """

    place: int
    channels: int
    pieces: tuple[tuple[int, int], ...] = ()

    @property
    def indices(self) -> NDArray[np.int64]:
        """Where the line's numbers are, counted from its place."""
        return np.concatenate([np.arange(start, start + length) for start, length in self.pieces])


def compile_plan(network: Network, rows: int, cols: int, packed: Packed) -> Plan:
    """Steps for `network`, norms folded, on a board of `rows` x `cols`; its weights are added to `packed`."""
    compiler = _Compiler(network, rows, cols, packed)
    for group in grouped(network.graph):
        compiler.emit(group)
    return compiler.finish()


class _Memory:
    """Places for values: a place is given again after the next wait, when no thread can still be reading it."""

    def __init__(self) -> None:
        self.size = 0
        self._free: dict[int, list[int]] = {}
        self._resting: list[tuple[int, int]] = []

    def take(self, size: int) -> int:
        if self._free.get(size):
            return self._free[size].pop()
        self.size += size
        return self.size - size

    def give_back(self, place: int, size: int) -> None:
        self._resting.append((place, size))

    def wake(self) -> None:
        for place, size in self._resting:
            self._free.setdefault(size, []).append(place)
        self._resting.clear()


class _Compiler:
    def __init__(self, network: Network, rows: int, cols: int, packed: Packed) -> None:
        self.network = network
        self.rows, self.cols = rows, cols
        self.points = rows * cols
        self.packed = packed
        self.tile = winograd.best_tile(rows, cols)
        down, across = winograd.tiles_on(rows, cols, self.tile)
        self.room = winograd.padded(down * across)
        self.shapes = network.graph.node_shapes((network.spec.planes, rows, cols), (network.spec.globals,))
        self.left = Counter(network.graph.uses())
        self.memory = _Memory()
        self.steps: list[dict[str, int]] = []
        self.values: dict[str, _Value] = {}
        self.fresh: set[int] = set()  # places written since the last wait
        self.transformed: list[tuple[str, int]] = []  # which planes' values lie where, the latest last
        convs = [
            node.op for node in network.graph.nodes if isinstance(node.op, ops.Conv2d) and SPATIAL not in node.inputs
        ]
        channels = max((op.channels for op in convs if op.kernel == 3), default=1)
        size = (self.tile + 2) ** 2 * self.room * filled(channels)
        self.value_places = [self.memory.take(size), self.memory.take(size)]
        self.values[GLOBALS] = self._new_line(network.spec.globals)

    # ------------------------------------------------------------------------------------------------- bookkeeping

    def _step(self, kind: int, **fields: int) -> None:
        self.steps.append({"kind": kind, **dict.fromkeys(_OPTIONAL, NOWHERE), **fields})

    def _wait_for(self, *places: int) -> None:
        """See to it that all shares of what was written to `places` are there."""
        if not self.fresh.isdisjoint(places):
            self._step(plan_kernels.WAIT)
            self.fresh.clear()
            self.memory.wake()

    def _new_planes(self, channels: int) -> _Value:
        size = filled(channels)
        return _Value(self.memory.take(winograd.padded(self.points) * size), size)

    def _new_line(self, numbers: int) -> _Value:
        size = filled(numbers)
        return _Value(self.memory.take(size), size, ((0, numbers),))

    def _new_like(self, name: str) -> _Value:
        shape = self.shapes[name]
        return self._new_planes(shape[0]) if len(shape) == 3 else self._new_line(shape[0])

    def _read(self, name: str) -> None:
        """Note that one reader of `name` is done; its place may be used again after the last."""
        self.left[name] -= 1
        if self.left[name] == 0 and name in self.values and name != GLOBALS:
            value = self.values.pop(name)
            points = 1 if value.pieces else winograd.padded(self.points)
            self.memory.give_back(value.place, points * value.channels)

    # ------------------------------------------------------------------------------------------------------ groups

    def emit(self, group: Group) -> None:
        """Add the steps of a group."""
        if SPATIAL in group.others or (SPATIAL in group.main.inputs and not isinstance(group.main.op, ops.Conv2d)):
            raise UnsupportedError(f"{type(group.main.op).__name__} of the planes in node {group.main.name!r}")
        match group.main.op:
            case ops.Conv2d():
                self._emit_conv(group, group.main.op)
            case ops.Dense():
                self._emit_dense(group)
            case ops.GlobalPool():
                self._emit_pool(group, group.main.op)
            case ops.Flatten():
                self._emit_flatten(group)
            case ops.Concat():
                self._emit_concat(group)
            case op if isinstance(op, _FINISHED):
                self._emit_finish(group)
            case other:
                raise UnsupportedError(f"{type(other).__name__} of node {group.main.name!r}")
        added_later = group.others[1:] if isinstance(group.main.op, ops.Add) else group.others
        for name in (*group.main.inputs, *added_later):
            self._read(name)

    def _ends(self, group: Group) -> dict[str, int]:
        """The fields of a step that say what follows its sum, and the values it writes."""
        fields: dict[str, int] = {}
        for name in group.others:
            other = self.values[name]
            key = "added" if other.pieces else "residual"
            if key in fields or (key == "added" and other.pieces != ((0, self.shapes[name][0]),)):
                raise UnsupportedError(f"the sums after node {group.main.name!r}")
            fields[key] = other.place
            if other.pieces:
                self._wait_for(other.place)
        if group.norm is not None:
            fields["scale"], fields["shift"] = self.packed.norm(group.norm)
        if group.activation is not None:
            fields["activation"] = _ACTIVATIONS[type(group.activation.op)]
        for key, written in (("raw", group.raw), ("target", group.result)):
            if written is not None:
                self.values[written] = self._new_like(written)
                fields[key] = self.values[written].place
                self.fresh.add(fields[key])
        return fields

    def _emit_conv(self, group: Group, op: ops.Conv2d) -> None:
        node = group.main
        bias = self.packed.bias(node) if op.bias else NOWHERE
        shape = {"inputs": filled(op.channels), "outputs": filled(op.filters), "bias": bias}
        if group.source == SPATIAL:
            if op.dilation != 1:
                raise UnsupportedError(f"the dilation of node {node.name!r}")
            shape |= {"inputs": op.channels, "size": op.kernel, "weights": self.packed.spread(node)}
            self._step(plan_kernels.SPREAD, **shape, **self._ends(group))
            return
        source = self.values[group.source]
        if op.kernel == 1:
            self._wait_for(source.place)
            ends = self._ends(group)
            self._step(
                plan_kernels.POINTWISE, source=source.place, weights=self.packed.pointwise(node), **shape, **ends
            )
        elif op.kernel == 3 and op.dilation == 1:
            place = self._transform(group.source, source)
            self._wait_for(place)
            shape |= {"size": self.tile, "room": self.room, "weights": self.packed.winograd(node, self.tile)}
            self._step(plan_kernels.CONVOLVE, source=place, **shape, **self._ends(group))
        else:
            raise UnsupportedError(f"the {op.kernel}x{op.kernel} filters of node {node.name!r}")

    def _transform(self, name: str, source: _Value) -> int:
        """Where the transformed values of planes are; they are made if they are not there."""
        for known, place in self.transformed:
            if known == name:
                return place
        latest = self.transformed[-1][1] if self.transformed else self.value_places[1]
        place = self.value_places[1 - self.value_places.index(latest)]
        self.transformed = [entry for entry in self.transformed if entry[1] != place] + [(name, place)]
        fields = {"inputs": source.channels, "size": self.tile, "room": self.room}
        self._step(plan_kernels.TO_VALUES, source=source.place, **(fields | {"target": place}))
        self.fresh.add(place)
        return place

    def _emit_dense(self, group: Group) -> None:
        node = group.main
        assert isinstance(node.op, ops.Dense)
        source = self.values[group.source]
        self._wait_for(source.place)
        weights = self.packed.dense(node, source.indices, source.channels)
        bias = self.packed.bias(node) if node.op.bias else NOWHERE
        shape = {"inputs": source.channels, "outputs": filled(node.op.outputs), "weights": weights, "bias": bias}
        self._step(plan_kernels.DENSE, source=source.place, **shape, **self._ends(group))

    def _emit_pool(self, group: Group, op: ops.GlobalPool) -> None:
        source = self.values[group.source]
        channels, count = source.channels, self.shapes[group.source][0]
        size = channels * len(op.kinds)
        pieces = tuple((i * channels, count) for i in range(len(op.kinds)))
        result = self.values[group.main.name] = _Value(self.memory.take(size), size, pieces)
        for i, kind in enumerate(op.kinds):
            target = result.place + i * channels
            fields = {"inputs": channels, "target": target, "size": _POOLINGS[kind]}
            self._step(plan_kernels.POOL, source=source.place, **fields)
        self.fresh.add(result.place)

    def _emit_flatten(self, group: Group) -> None:
        source = self.values[group.source]
        self._wait_for(source.place)
        result = self.values[group.main.name] = self._new_line(self.shapes[group.main.name][0])
        fields = {"inputs": source.channels, "target": result.place, "size": self.shapes[group.source][0]}
        self._step(plan_kernels.FLATTEN, source=source.place, **fields)
        self.fresh.add(result.place)

    def _emit_concat(self, group: Group) -> None:
        if len(self.shapes[group.main.name]) != 1:
            raise UnsupportedError(f"the joining of planes by node {group.main.name!r}")
        result = self.values[group.main.name] = self._new_line(self.shapes[group.main.name][0])
        target = result.place
        for name in group.main.inputs:
            target = self._copy(plan_kernels.COPY, name, target)
        self.fresh.add(result.place)

    def _copy(self, kind: int, name: str, target: int) -> int:
        """Copy a line piece by piece; return where the next one begins."""
        source = self.values[name]
        self._wait_for(source.place)
        for start, length in source.pieces:
            self._step(kind, source=source.place + start, outputs=length, target=target)
            target += length
        return target

    def _emit_finish(self, group: Group) -> None:
        source = self.values[group.source]
        points = 1 if source.pieces else self.points
        factors = group.main.inputs[1:] if isinstance(group.main.op, ops.Multiply) else ()
        for value in (source, *(self.values[name] for name in factors)):
            if len(value.pieces) > 1:
                raise UnsupportedError(f"node {group.main.name!r} after a pooling")
            if value.pieces:
                self._wait_for(value.place)
        shape = {"inputs": source.channels, "outputs": source.channels, "size": points}
        if factors:
            shape["factor"] = self.values[factors[0]].place
        if isinstance(group.main.op, ops.PointBias):
            shape["constant"] = self.packed.point_bias(group.main, self.shapes[group.source][0])
        self._step(plan_kernels.FINISH, source=source.place, **shape, **self._ends(group))

    # ----------------------------------------------------------------------------------------------------- the end

    def finish(self) -> Plan:
        """Add the steps that give the outputs, and settle the memory."""
        answers: dict[str, tuple[int, tuple[int, ...]]] = {}
        place = 0
        for output, name in self.network.graph.outputs.items():
            answers[output] = (place, self.shapes[name])
            if not self.values[name].pieces:
                flat = f"{name} flat"
                self.shapes[flat] = (int(np.prod(self.shapes[name])),)
                self._emit_flatten(Group(Node(flat, ops.Flatten(), (name,)), name))
                name = flat
            place = self._copy(plan_kernels.ANSWER, name, place)
        steps = np.zeros(len(self.steps), STEP)
        for i, fields in enumerate(self.steps):
            for key, number in fields.items():
                steps[i][key] = number
        products = (self.tile + 2) ** 2 * self.room * MAX_WIDTH * LANES
        scratch = self.memory.size
        stretch = scratch + step_kernels.TRANSFORM_ROOM + products
        return Plan(steps, stretch, scratch, self.values[GLOBALS].place, answers, place)
