"""The transforms of Winograd's convolution: 3x3 filters on tiles of 4x4 or 3x3 outputs.

A tile of m x m outputs depends on (m + 2) x (m + 2) inputs. Written as polynomials, convolving is multiplying, and a
product of polynomials is known by its values at enough points: transform tile and filter to values at m + 2 points
(rows, then columns), multiply value by value, transform back. Summed over channels, "value by value" is one matrix
product for each of the (m + 2)^2 values: for m = 4 these are 36 products a tile instead of 144, for m = 3 25 instead
of 81. The points are 0, 1, -1, 2, (-2) and infinity; `winograd` makes the filters' transform and states all matrices.

Source: Lavin and Gray, Fast algorithms for convolutional neural networks (2015). Every function works on LANES
channels at a time.
"""

from __future__ import annotations

from move37._jit import inlined, kernel
from move37._vector_kernels import LANES, Floats, Vector, fma, load, splat, store


@inlined
def _values_4(a: Vector, b: Vector, c: Vector, d: Vector, e: Vector, f: Vector) -> tuple[Vector, ...]:
    """Six inputs in a line to their six values, for 4 outputs."""
    two, four, five = splat(2.0), splat(4.0), splat(5.0)
    even, odd = fma(c, splat(-4.0), e), fma(b, splat(-4.0), d)
    far_even, far_odd = e - c, two * (d - b)
    return (
        fma(four, a, fma(splat(-5.0), c, e)),
        even + odd,
        even - odd,
        far_even + far_odd,
        far_even - far_odd,
        fma(four, b, f) - five * d,
    )


@inlined
def _values_3(a: Vector, b: Vector, c: Vector, d: Vector, e: Vector) -> tuple[Vector, ...]:
    """Five inputs in a line to their five values, for 3 outputs."""
    two = splat(2.0)
    middle = two * (b - d)
    return (
        fma(two, a - c, d - b),
        d - c - two * b,
        fma(splat(-3.0), c, fma(two, b, d)),
        d - b,
        middle + e - c,
    )


@inlined
def _outputs_4(a: Vector, b: Vector, c: Vector, d: Vector, e: Vector, f: Vector) -> tuple[Vector, ...]:
    """Six values in a line back to four outputs."""
    two, four, eight = splat(2.0), splat(4.0), splat(8.0)
    near, near_odd, far, far_odd = b + c, b - c, d + e, d - e
    return a + near + far, fma(two, far_odd, near_odd), fma(four, far, near), fma(eight, far_odd, near_odd) + f


@inlined
def _outputs_3(a: Vector, b: Vector, c: Vector, d: Vector, e: Vector) -> tuple[Vector, ...]:
    """Five values in a line back to three outputs."""
    near = b + c
    return a + near + d, fma(splat(2.0), d, b - c), fma(splat(4.0), d, near) + e


@inlined
def _input(memory: Floats, start: int, y: int, x: int, rows: int, cols: int, channels: int) -> Vector:
    """LANES channels of a point of the board, or zeros beside it."""
    if 0 <= y < rows and 0 <= x < cols:
        return load(memory, start + (y * cols + x) * channels)
    return splat(0.0)


@inlined
def _step(count: int, memory: Floats, source: int, stride: int, target: int, target_stride: int) -> None:
    """Transform one line of ``count`` inputs, ``stride`` apart, to values, ``target_stride`` apart."""
    a, b, c = load(memory, source), load(memory, source + stride), load(memory, source + 2 * stride)
    d, e = load(memory, source + 3 * stride), load(memory, source + 4 * stride)
    if count == 6:
        v0, v1, v2, v3, v4, v5 = _values_4(a, b, c, d, e, load(memory, source + 5 * stride))
        store(memory, target + 5 * target_stride, v5)
    else:
        v0, v1, v2, v3, v4 = _values_3(a, b, c, d, e)
    store(memory, target, v0)
    store(memory, target + target_stride, v1)
    store(memory, target + 2 * target_stride, v2)
    store(memory, target + 3 * target_stride, v3)
    store(memory, target + 4 * target_stride, v4)


@kernel
def tile_to_values(
    memory: Floats,
    source: int,
    y: int,
    x: int,
    rows: int,
    cols: int,
    channels: int,
    tile: int,
    scratch: int,
    target: int,
    stride: int,
) -> None:
    """Transform the inputs of the tile whose outputs begin at (y, x), LANES channels of them.

    The board's point (0, 0) is at ``memory[source]``, ``channels`` numbers a point. Value i goes to ``memory[target + i
    * stride]``. ``memory[scratch:]`` has room for 72 vectors.
    """
    count = tile + 2
    inputs, half_done = scratch, scratch + 36 * LANES
    for j in range(count):
        for i in range(count):
            store(memory, inputs + i * LANES, _input(memory, source, y - 1 + i, x - 1 + j, rows, cols, channels))
        _step(count, memory, inputs, LANES, half_done + j * LANES, count * LANES)
    for i in range(count):
        _step(count, memory, half_done + i * count * LANES, LANES, target + i * count * stride, stride)


@kernel
def values_to_tile(memory: Floats, source: int, stride: int, tile: int, scratch: int) -> int:
    """Transform the products of a tile back to its outputs, LANES channels of them.

    Value i is at ``memory[source + i * stride]``. Returns where in ``memory`` the outputs are, tile x tile vectors in a
    row. ``memory[scratch:]`` has room for 72 vectors.
    """
    count = tile + 2
    outputs = scratch + 36 * LANES
    for j in range(count):
        _back(tile, memory, source + j * stride, count * stride, scratch + j * LANES, count * LANES)
    for i in range(tile):
        _back(tile, memory, scratch + i * count * LANES, LANES, outputs + i * tile * LANES, LANES)
    return outputs


@inlined
def _back(tile: int, memory: Floats, source: int, stride: int, target: int, target_stride: int) -> None:
    """Transform one line of values, ``stride`` apart, to outputs, ``target_stride`` apart."""
    a, b, c = load(memory, source), load(memory, source + stride), load(memory, source + 2 * stride)
    d, e = load(memory, source + 3 * stride), load(memory, source + 4 * stride)
    if tile == 4:
        v0, v1, v2, v3 = _outputs_4(a, b, c, d, e, load(memory, source + 5 * stride))
        store(memory, target + 3 * target_stride, v3)
    else:
        v0, v1, v2 = _outputs_3(a, b, c, d, e)
    store(memory, target, v0)
    store(memory, target + target_stride, v1)
    store(memory, target + 2 * target_stride, v2)
