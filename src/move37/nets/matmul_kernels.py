"""Products of small matrices, the work of every layer: five rows by one, two or three vectors of columns at a time.

Fifteen sums stay in registers while the inner loop runs over the depth: each number of the left matrix is spread over a
vector and meets three vectors of the right one, so there are more multiplications than loads. The right matrix lies in
*panels*, one for every LANES columns: ``float32[depth, LANES]`` in a row, so it is read straight through. Fast on the
sizes of Go networks (tens of rows, hundreds of columns), where a general library spends its time on arranging things.
The idea of such blocks is from Goto and van de Geijn, Anatomy of high-performance matrix multiplication (2008).
"""

from __future__ import annotations

from typing import Final

from move37._jit import inlined, kernel
from move37._vector_kernels import LANES, Floats, Vector, fetch, fma, load, splat, splat_at, store

ROWS: Final = 5
"""Rows at a time; every left matrix has a multiple of it. A 19x19 board has 25 tiles of 4x4, a 9x9 board 9 of 3x3."""
MAX_WIDTH: Final = 3 if LANES == 16 else 2
"""Vectors of columns at a time, so that all sums find a register."""


@inlined
def _multiply_1(a: Floats, p: int, stride: int, depth: int, b: Floats, q: int, ahead: int, c: Floats, r: int) -> None:
    """Five rows by one vector. The arguments are those of `multiply`."""
    p1, p2, p3, p4 = p + stride, p + 2 * stride, p + 3 * stride, p + 4 * stride
    x0 = x1 = x2 = x3 = x4 = splat(0.0)
    for k in range(depth):
        fetch(b, ahead + k * LANES)
        b0 = load(b, q)
        q += LANES
        x0 = fma(splat_at(a, p + k), b0, x0)
        x1 = fma(splat_at(a, p1 + k), b0, x1)
        x2 = fma(splat_at(a, p2 + k), b0, x2)
        x3 = fma(splat_at(a, p3 + k), b0, x3)
        x4 = fma(splat_at(a, p4 + k), b0, x4)
    store(c, r, x0)
    store(c, r + LANES, x1)
    store(c, r + 2 * LANES, x2)
    store(c, r + 3 * LANES, x3)
    store(c, r + 4 * LANES, x4)


@inlined
def _multiply_2(
    a: Floats, p: int, stride: int, depth: int, b: Floats, q: int, panel: int, ahead: int, c: Floats, r: int
) -> None:
    """Five rows by two vectors."""
    p1, p2, p3, p4 = p + stride, p + 2 * stride, p + 3 * stride, p + 4 * stride
    x0 = x1 = x2 = x3 = x4 = splat(0.0)
    y0 = y1 = y2 = y3 = y4 = splat(0.0)
    for k in range(depth):
        fetch(b, ahead + k * LANES)
        b0, b1 = load(b, q), load(b, q + panel)
        q += LANES
        number = splat_at(a, p + k)
        x0, y0 = fma(number, b0, x0), fma(number, b1, y0)
        number = splat_at(a, p1 + k)
        x1, y1 = fma(number, b0, x1), fma(number, b1, y1)
        number = splat_at(a, p2 + k)
        x2, y2 = fma(number, b0, x2), fma(number, b1, y2)
        number = splat_at(a, p3 + k)
        x3, y3 = fma(number, b0, x3), fma(number, b1, y3)
        number = splat_at(a, p4 + k)
        x4, y4 = fma(number, b0, x4), fma(number, b1, y4)
    _store_2(c, r, x0, y0)
    _store_2(c, r + 2 * LANES, x1, y1)
    _store_2(c, r + 4 * LANES, x2, y2)
    _store_2(c, r + 6 * LANES, x3, y3)
    _store_2(c, r + 8 * LANES, x4, y4)


@inlined
def _store_2(c: Floats, r: int, x: Vector, y: Vector) -> None:
    """Two vectors, one after the other."""
    store(c, r, x)
    store(c, r + LANES, y)


@inlined
def _multiply_3(
    a: Floats, p: int, stride: int, depth: int, b: Floats, q: int, panel: int, ahead: int, c: Floats, r: int
) -> None:
    """Five rows by three vectors."""
    p1, p2, p3, p4 = p + stride, p + 2 * stride, p + 3 * stride, p + 4 * stride
    x0 = x1 = x2 = x3 = x4 = splat(0.0)
    y0 = y1 = y2 = y3 = y4 = splat(0.0)
    z0 = z1 = z2 = z3 = z4 = splat(0.0)
    for k in range(depth):
        fetch(b, ahead + k * LANES)
        b0, b1, b2 = load(b, q), load(b, q + panel), load(b, q + 2 * panel)
        q += LANES
        number = splat_at(a, p + k)
        x0, y0, z0 = fma(number, b0, x0), fma(number, b1, y0), fma(number, b2, z0)
        number = splat_at(a, p1 + k)
        x1, y1, z1 = fma(number, b0, x1), fma(number, b1, y1), fma(number, b2, z1)
        number = splat_at(a, p2 + k)
        x2, y2, z2 = fma(number, b0, x2), fma(number, b1, y2), fma(number, b2, z2)
        number = splat_at(a, p3 + k)
        x3, y3, z3 = fma(number, b0, x3), fma(number, b1, y3), fma(number, b2, z3)
        number = splat_at(a, p4 + k)
        x4, y4, z4 = fma(number, b0, x4), fma(number, b1, y4), fma(number, b2, z4)
    _store_3(c, r, x0, y0, z0)
    _store_3(c, r + 3 * LANES, x1, y1, z1)
    _store_3(c, r + 6 * LANES, x2, y2, z2)
    _store_3(c, r + 9 * LANES, x3, y3, z3)
    _store_3(c, r + 12 * LANES, x4, y4, z4)


@inlined
def _store_3(c: Floats, r: int, x: Vector, y: Vector, z: Vector) -> None:
    """Three vectors, one after the other."""
    store(c, r, x)
    store(c, r + LANES, y)
    store(c, r + 2 * LANES, z)


@kernel
def multiply(
    a: Floats,
    p: int,
    stride: int,
    rows: int,
    depth: int,
    b: Floats,
    q: int,
    width: int,
    ahead: int,
    c: Floats,
    r: int,
) -> None:
    """Write a ``rows x depth`` matrix times ``width`` panels to ``c[r:]``, ``float32[rows, width * LANES]``.

    The left matrix begins at ``a[p]`` with ``stride`` numbers a row; the panels begin at ``b[q]``. ``rows`` is a
    multiple of ROWS, ``width`` 1 to MAX_WIDTH. ``b[ahead]`` is where the next product's panels begin: they are fetched
    meanwhile, because weights are read once a position and come from far.
    """
    panel = depth * LANES
    for block in range(rows // ROWS):
        soon = ahead + block * panel if block < width else q
        if width == 3:
            _multiply_3(a, p, stride, depth, b, q, panel, soon, c, r)
        elif width == 2:
            _multiply_2(a, p, stride, depth, b, q, panel, soon, c, r)
        else:
            _multiply_1(a, p, stride, depth, b, q, soon, c, r)
        p += ROWS * stride
        r += ROWS * width * LANES


@inlined
def width_of(vectors: int) -> int:
    """How many vectors to take at once when ``vectors`` are left: as many as fit, but rather 2 and 2 than 3 and 1."""
    if vectors == MAX_WIDTH + 1:
        return MAX_WIDTH - 1 if MAX_WIDTH > 2 else MAX_WIDTH
    return min(vectors, MAX_WIDTH)
