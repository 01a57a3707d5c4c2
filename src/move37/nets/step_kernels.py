"""What the steps of a plan do: convolutions, pooling, dense layers, each for a share of the channels.

Planes lie point by point, ``float32[points, channels]``, channels filled up with zeros to a multiple of LANES; what has
no board is a line of numbers. Thread ``lane`` of ``lanes`` does the share of the channels that is its own. Which steps
there are is decided in `plan`; `plan_kernels` runs them one after the other.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from move37._jit import inlined, kernel
from move37._vector_kernels import LANES, Floats, Vector, fma, load, maximum, splat, splat_at, store
from move37.nets.activation_kernels import activate
from move37.nets.matmul_kernels import ROWS, multiply, width_of
from move37.nets.winograd_kernels import tile_to_values, values_to_tile

# Poolings.
MEAN: Final = 0
MEAN_SIZED: Final = 1
MAX: Final = 2
MEAN_SIZED_SQUARED: Final = 3

NOWHERE: Final = -1

STEP: Final = np.dtype(
    [
        (name, np.int64)
        for name in (
            "kind",
            "source",  # place in memory that is read; for SPREAD unused, for CONVOLVE the values
            "inputs",  # channels (filled up) or numbers there
            "target",  # where the result after `scale` and the activation goes, or NOWHERE
            "outputs",  # channels (filled up) or numbers of the result
            "raw",  # where the result before `scale` and activation goes, or NOWHERE
            "residual",  # planes to add, or NOWHERE
            "added",  # a line to add to every point, or NOWHERE
            "factor",  # FINISH: what the source is multiplied with first, or NOWHERE
            "constant",  # FINISH: place in the weights of planes to add, or NOWHERE
            "weights",  # place in the weights
            "bias",  # place in the weights, or NOWHERE
            "scale",  # place in the weights, or NOWHERE; `shift` with it
            "shift",
            "activation",
            "size",  # SPREAD: side of the filters; TO_VALUES, CONVOLVE: tile; POOL: pooling; FLATTEN: channels
            "room",  # CONVOLVE: rows of the values
        )
    ]
)
"""One step. Places count float32 numbers; those in memory are from the start of a position's stretch."""

Step = Any
"""One record of dtype ``STEP``."""

TRANSFORM_ROOM: Final = 72 * LANES
"""Numbers that the transforms need beside the products."""


@inlined
def _share(channels: int, lane: int, lanes: int) -> tuple[int, int]:
    """The channels of thread ``lane``: whole vectors, from the first to before the second."""
    vectors = channels // LANES
    return LANES * (vectors * lane // lanes), LANES * (vectors * (lane + 1) // lanes)


@inlined
def _finish(step: Step, weights: Floats, memory: Floats, base: int, channel: int, place: int, v: Vector) -> None:
    """Add what a convolution's result is added to, and write it. ``place``: of the vector in planes of its shape."""
    if step["residual"] != NOWHERE:
        v = v + load(memory, base + step["residual"] + place)
    if step["raw"] != NOWHERE:
        store(memory, base + step["raw"] + place, v)
    if step["target"] != NOWHERE:
        if step["scale"] != NOWHERE:
            v = fma(v, load(weights, step["scale"] + channel), load(weights, step["shift"] + channel))
        store(memory, base + step["target"] + place, activate(v, step["activation"]))


@inlined
def _start(step: Step, weights: Floats, memory: Floats, base: int, channel: int) -> Vector:
    """What every point's result begins with: the bias and the added line."""
    v = splat(0.0)
    if step["bias"] != NOWHERE:
        v = load(weights, step["bias"] + channel)
    if step["added"] != NOWHERE:
        v = v + load(memory, base + step["added"] + channel)
    return v


@kernel
def spread(
    step: Step, weights: Floats, memory: Floats, base: int, planes: Floats, rows: int, cols: int, lane: int, lanes: int
) -> None:
    """Convolve the planes by adding, for every number that is not 0, its filter's rows to the points around."""
    points, channels, size = rows * cols, step["outputs"], step["size"]
    first, last = _share(channels, lane, lanes)
    sums = base + (step["target"] if step["target"] != NOWHERE else step["raw"])
    for channel in range(first, last, LANES):
        begin = _start(step, weights, memory, base, channel)
        for point in range(points):
            store(memory, sums + point * channels + channel, begin)
    reach = size // 2
    place = 0
    for plane in range(step["inputs"]):
        for y in range(rows):
            for x in range(cols):
                if planes[place] != np.float32(0.0):
                    _spread_one(step, weights, memory, sums, planes, place, plane, y, x, rows, cols, reach, first, last)
                place += 1
    for point in range(points):
        for channel in range(first, last, LANES):
            at = point * channels + channel
            _finish(step, weights, memory, base, channel, at, load(memory, sums + at))


@kernel
def _spread_one(
    step: Step,
    weights: Floats,
    memory: Floats,
    sums: int,
    planes: Floats,
    place: int,
    plane: int,
    y: int,
    x: int,
    rows: int,
    cols: int,
    reach: int,
    first: int,
    last: int,
) -> None:
    """Add one input's share to the points it reaches."""
    channels, size = step["outputs"], step["size"]
    number = splat_at(planes, place)
    for i in range(max(0, y - reach), min(rows, y + reach + 1)):
        for j in range(max(0, x - reach), min(cols, x + reach + 1)):
            tap = (y - i + reach) * size + x - j + reach
            row = step["weights"] + (plane * size * size + tap) * channels
            at = sums + (i * cols + j) * channels
            for channel in range(first, last, LANES):
                store(memory, at + channel, fma(number, load(weights, row + channel), load(memory, at + channel)))


@kernel
def to_values(step: Step, memory: Floats, base: int, scratch: int, rows: int, cols: int, lane: int, lanes: int) -> None:
    """Transform this thread's channels of all tiles: ``float32[values, room, channels]`` at the target."""
    channels, tile = step["inputs"], step["size"]
    first, last = _share(channels, lane, lanes)
    stride = step["room"] * channels
    index = 0
    for y in range(0, rows, tile):
        for x in range(0, cols, tile):
            for channel in range(first, last, LANES):
                source = base + step["source"] + channel
                target = base + step["target"] + index * channels + channel
                tile_to_values(memory, source, y, x, rows, cols, channels, tile, scratch, target, stride)
            index += 1


@kernel
def convolve(
    step: Step,
    weights: Floats,
    memory: Floats,
    base: int,
    scratch: int,
    rows: int,
    cols: int,
    lane: int,
    lanes: int,
) -> None:
    """Multiply the values of all tiles with this thread's share of the filters, and transform back."""
    depth, room, tile = step["inputs"], step["room"], step["size"]
    vectors = step["outputs"] // LANES
    first, end = _share(step["outputs"], lane, lanes)
    vector, last = first // LANES, end // LANES
    products = scratch + TRANSFORM_ROOM
    while vector < last:
        width = width_of(last - vector)
        for value in range((tile + 2) * (tile + 2)):
            a = base + step["source"] + value * room * depth
            b = step["weights"] + (value * vectors + vector) * depth * LANES
            ahead = b + vectors * depth * LANES
            target = products + value * room * width * LANES
            multiply(memory, a, depth, room, depth, weights, b, width, ahead, memory, target)
        _back_to_planes(step, weights, memory, base, scratch, rows, cols, vector, width)
        vector += width


@kernel
def _back_to_planes(
    step: Step,
    weights: Floats,
    memory: Floats,
    base: int,
    scratch: int,
    rows: int,
    cols: int,
    vector: int,
    width: int,
) -> None:
    """Transform the products of ``width`` vectors of channels back to planes and finish them."""
    channels, tile = step["outputs"], step["size"]
    products = scratch + TRANSFORM_ROOM
    for w in range(width):
        channel = (vector + w) * LANES
        begin = _start(step, weights, memory, base, channel)
        index = 0
        for y in range(0, rows, tile):
            for x in range(0, cols, tile):
                source = products + (index * width + w) * LANES
                outputs = values_to_tile(memory, source, step["room"] * width * LANES, tile, scratch)
                for i in range(min(tile, rows - y)):
                    for j in range(min(tile, cols - x)):
                        v = load(memory, outputs + (i * tile + j) * LANES) + begin
                        at = ((y + i) * cols + x + j) * channels + channel
                        _finish(step, weights, memory, base, channel, at, v)
                index += 1


@kernel
def pointwise(
    step: Step, weights: Floats, memory: Floats, base: int, scratch: int, points: int, lane: int, lanes: int
) -> None:
    """Multiply every point's channels with this thread's share of the filters."""
    depth, channels = step["inputs"], step["outputs"]
    first, end = _share(channels, lane, lanes)
    vector, last = first // LANES, end // LANES
    while vector < last:
        width = width_of(last - vector)
        b = step["weights"] + vector * depth * LANES
        for point in range(0, points, ROWS):
            a = base + step["source"] + point * depth
            multiply(memory, a, depth, ROWS, depth, weights, b, width, b, memory, scratch)
            for row in range(min(ROWS, points - point)):
                for w in range(width):
                    channel = (vector + w) * LANES
                    v = load(memory, scratch + (row * width + w) * LANES)
                    v = v + _start(step, weights, memory, base, channel)
                    _finish(step, weights, memory, base, channel, (point + row) * channels + channel, v)
        vector += width


@kernel
def finish_all(step: Step, weights: Floats, memory: Floats, base: int, points: int, lane: int, lanes: int) -> None:
    """Planes (or a line, with one point) to planes: products, sums, scale and activation only."""
    channels = step["outputs"]
    first, last = _share(channels, lane, lanes)
    for point in range(points):
        for channel in range(first, last, LANES):
            at = point * channels + channel
            v = load(memory, base + step["source"] + at)
            if step["factor"] != NOWHERE:
                v = v * load(memory, base + step["factor"] + at)
            if step["constant"] != NOWHERE:
                v = v + load(weights, step["constant"] + at)
            v = v + _start(step, weights, memory, base, channel)
            _finish(step, weights, memory, base, channel, at, v)


@kernel
def pool(step: Step, memory: Floats, base: int, points: int, lane: int, lanes: int) -> None:
    """One number a channel."""
    channels, kind = step["inputs"], step["size"]
    off = (np.sqrt(points) - 14.0) / 10.0
    factor = 1.0
    if kind == MEAN_SIZED:
        factor = off
    elif kind == MEAN_SIZED_SQUARED:
        factor = off * off - 0.1
    first, last = _share(channels, lane, lanes)
    for channel in range(first, last, LANES):
        source = base + step["source"] + channel
        total = load(memory, source)
        for point in range(1, points):
            v = load(memory, source + point * channels)
            total = maximum(total, v) if kind == MAX else total + v
        if kind != MAX:
            total = total * splat(factor / points)
        store(memory, base + step["target"] + channel, total)


@kernel
def dense(step: Step, weights: Floats, memory: Floats, base: int, lane: int, lanes: int) -> None:
    """A line of numbers times a matrix; four sums at a time, or the processor would wait for each."""
    depth, outputs = step["inputs"], step["outputs"]
    source = base + step["source"]
    zero = splat(0.0)
    first, last = _share(outputs, lane, lanes)
    for channel in range(first, last, LANES):
        row = step["weights"] + channel * depth
        a = _start(step, weights, memory, base, channel)
        b = c = d = zero
        for k in range(0, depth, 4):  # the depth is filled up to a multiple of LANES
            a = fma(splat_at(memory, source + k), load(weights, row), a)
            b = fma(splat_at(memory, source + k + 1), load(weights, row + LANES), b)
            c = fma(splat_at(memory, source + k + 2), load(weights, row + 2 * LANES), c)
            d = fma(splat_at(memory, source + k + 3), load(weights, row + 3 * LANES), d)
            row += 4 * LANES
        _finish(step, weights, memory, base, channel, channel, (a + b) + (c + d))


@kernel
def flatten(step: Step, memory: Floats, base: int, points: int) -> None:
    """Planes to a line: all points of the first channel, then of the second."""
    source, target = base + step["source"], base + step["target"]
    for channel in range(step["size"]):
        for point in range(points):
            memory[target] = memory[source + point * step["inputs"] + channel]
            target += 1
