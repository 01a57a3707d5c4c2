"""Activations of a vector of numbers, to float32's precision, for the fast path.

The exponential is 2^n times a polynomial on [-ln 2 / 2, ln 2 / 2]; its coefficients are those of the Cephes library
(Moshier, 1992).
"""

from __future__ import annotations

from typing import Final

from move37._jit import inlined
from move37._vector_kernels import Vector, fma, maximum, power_of_two, rounded, splat

IDENTITY: Final = 0
RELU: Final = 1
MISH: Final = 2
SILU: Final = 3
TANH: Final = 4


_LOG2_E: Final = 1.44269504088896341
_LN2_HIGH: Final = 0.693359375
_LN2_LOW: Final = -2.12194440e-4
_LEAST: Final = -87.0
_MOST: Final = 88.0


@inlined
def _exp(x: Vector) -> Vector:
    """E to the power of x, to float32's precision; beyond [-87, 88] its ends."""
    x = maximum(splat(_LEAST), splat(0.0) - maximum(splat(-_MOST), splat(0.0) - x))
    n = rounded(x * splat(_LOG2_E))
    r = fma(n, splat(-_LN2_LOW), fma(n, splat(-_LN2_HIGH), x))
    p = fma(splat(1.9875691500e-4), r, splat(1.3981999507e-3))
    p = fma(p, r, splat(8.3334519073e-3))
    p = fma(p, r, splat(4.1665795894e-2))
    p = fma(p, r, splat(1.6666665459e-1))
    p = fma(p, r, splat(5.0000001201e-1))
    return fma(p * r, r, r + splat(1.0)) * power_of_two(n)


@inlined
def activate(x: Vector, activation: int) -> Vector:
    """The activation of LANES numbers."""
    one = splat(1.0)
    if activation == RELU:
        return maximum(x, splat(0.0))
    if activation == MISH:  # x tanh(ln(1 + e^x)) without the logarithm
        e = _exp(maximum(splat(-40.0), _least(x, splat(40.0))))
        q = e * (e + splat(2.0))
        return x * (q / (q + splat(2.0)))
    if activation == SILU:
        return x / (one + _exp(splat(0.0) - x))
    if activation == TANH:
        e = _exp(x + x)
        return (e - one) / (e + one)
    return x


@inlined
def _least(a: Vector, b: Vector) -> Vector:
    """The smaller of each pair."""
    zero = splat(0.0)
    return zero - maximum(zero - a, zero - b)
