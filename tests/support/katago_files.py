"""KataGo files made up for tests: records of layers with random numbers, and their spelling on disk.

Written from the description of the format alone, and in its own order of axes (y, x, in, out), so that it shares
nothing with the loader under test. `slow_katago` computes what such a network answers.
"""

from __future__ import annotations

import gzip
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float32]
Part = tuple[str, str | int | float | Array]
"""A label, by which tests find it, and a word or a block of numbers of the file."""

PLANES, GLOBALS = 22, 19


@dataclass
class Conv:
    weight: Array  # [y, x, in, out]
    dilation: int = 1

    def parts(self, version: int) -> Iterator[Part]:
        yield "conv name", "conv"
        yield from (("conv size", size) for size in self.weight.shape)
        yield from (("conv dilation", self.dilation) for _ in range(2))
        yield "conv weights", self.weight


@dataclass
class Norm:
    """A batch norm."""

    epsilon: float
    mean: Array
    variance: Array
    scale: Array | None
    bias: Array | None

    def parts(self, version: int) -> Iterator[Part]:
        yield "norm name", "norm"
        yield "norm size", len(self.mean)
        yield "norm epsilon", self.epsilon
        yield "norm has scale", int(self.scale is not None)
        yield "norm has bias", int(self.bias is not None)
        yield "norm mean", self.mean
        yield "norm variance", self.variance
        if self.scale is not None:
            yield "norm scale", self.scale
        if self.bias is not None:
            yield "norm bias", self.bias


@dataclass
class Activation:
    kind: str  # RELU, MISH, SILU or IDENTITY

    def parts(self, version: int) -> Iterator[Part]:
        yield "activation name", "activation"
        if version >= 11:
            yield "activation kind", f"ACTIVATION_{self.kind}"


@dataclass
class Matrix:
    weight: Array  # [in, out]

    def parts(self, version: int) -> Iterator[Part]:
        yield "matrix name", "matrix"
        yield from (("matrix size", size) for size in self.weight.shape)
        yield "matrix weights", self.weight


@dataclass
class Bias:
    values: Array

    def parts(self, version: int) -> Iterator[Part]:
        yield "bias name", "bias"
        yield "bias size", len(self.values)
        yield "bias values", self.values


@dataclass
class TipRmsNorm:
    epsilon: float
    spatial: bool
    gamma: Array
    beta: Array

    def parts(self, version: int) -> Iterator[Part]:
        yield "tip name", "tip"
        yield "tip size", len(self.gamma)
        yield "tip epsilon", self.epsilon
        yield "tip spatial", int(self.spatial)
        yield "tip groups", 0
        yield "tip gamma", self.gamma
        yield "tip beta", self.beta


@dataclass
class PointRmsNorm:
    epsilon: float
    weight: Array

    def parts(self, version: int) -> Iterator[Part]:
        yield "rms name", "rms"
        yield "rms size", len(self.weight)
        yield "rms epsilon", self.epsilon
        yield "rms weights", self.weight


Record = Conv | Norm | Activation | Matrix | Bias | TipRmsNorm | PointRmsNorm


def _all(records: Sequence[Record], version: int) -> Iterator[Part]:
    for record in records:
        yield from record.parts(version)


@dataclass
class Ordinary:
    norm1: Norm
    act1: Activation
    conv1: Conv
    norm2: Norm
    act2: Activation
    conv2: Conv

    def parts(self, version: int) -> Iterator[Part]:
        yield "block kind", "ordinary_block"
        yield "block name", "block"
        yield from _all([self.norm1, self.act1, self.conv1, self.norm2, self.act2, self.conv2], version)


@dataclass
class GlobalPooling:
    norm1: Norm
    act1: Activation
    regular: Conv
    pool_conv: Conv
    pool_norm: Norm
    pool_act: Activation
    pool_matrix: Matrix
    norm2: Norm
    act2: Activation
    conv2: Conv

    def parts(self, version: int) -> Iterator[Part]:
        yield "block kind", "gpool_block"
        yield "block name", "block"
        yield from _all([self.norm1, self.act1, self.regular, self.pool_conv, self.pool_norm], version)
        yield from _all([self.pool_act, self.pool_matrix, self.norm2, self.act2, self.conv2], version)


@dataclass
class Nested:
    norm1: Norm
    act1: Activation
    conv1: Conv
    inner: list[Block]
    norm2: Norm
    act2: Activation
    conv2: Conv

    def parts(self, version: int) -> Iterator[Part]:
        yield "block kind", "nested_bottleneck_block"
        yield "block name", "block"
        yield "inner blocks", len(self.inner)
        yield from _all([self.norm1, self.act1, self.conv1], version)
        for block in self.inner:
            yield from block.parts(version)
        yield from _all([self.norm2, self.act2, self.conv2], version)


@dataclass
class Attention:
    heads: int
    kv_heads: int
    key_size: int
    value_size: int
    rope: Array | float | None  # learned frequencies [kv_heads, pairs, (x, y)], the base of fixed ones, or none
    norm: PointRmsNorm
    query: Matrix
    key: Matrix
    value: Matrix
    out: Matrix

    def parts(self, version: int) -> Iterator[Part]:
        learned = isinstance(self.rope, np.ndarray)
        yield "block kind", "transformer_attention_block"
        yield "block name", "block"
        for size in (self.heads, self.kv_heads, self.key_size, self.value_size):
            yield "attention size", size
        yield "attention rope", int(self.rope is not None)
        yield "attention learned", int(learned)
        yield from _all([self.norm, self.query, self.key, self.value, self.out], version)
        if isinstance(self.rope, np.ndarray):
            yield "rope name", "rope"
            yield from (("rope size", size) for size in self.rope.shape)
            yield "rope frequencies", self.rope
        elif self.rope is not None:
            yield "rope name", "rope"
            yield "rope base", self.rope


@dataclass
class FeedForward:
    norm: PointRmsNorm
    linear1: Matrix
    gate: Matrix
    linear2: Matrix

    def parts(self, version: int) -> Iterator[Part]:
        yield "block kind", "transformer_ffn_block"
        yield "block name", "block"
        yield from (("ffn size", size) for size in self.linear1.weight.shape)
        yield "ffn gated", 1
        yield from _all([self.norm, self.linear1, self.gate, self.linear2], version)


Block = Ordinary | GlobalPooling | Nested | Attention | FeedForward


@dataclass
class PolicyHead:
    conv1: Conv
    pool_conv: Conv
    pool_norm: Norm
    pool_act: Activation
    pool_matrix: Matrix
    norm1: Norm
    act1: Activation
    conv2: Conv
    pass1: Matrix
    pass_bias: Bias | None
    pass_act: Activation | None
    pass2: Matrix | None

    def parts(self, version: int) -> Iterator[Part]:
        yield "policy name", "policyhead"
        if version >= 17:
            yield "policy channels", self.conv2.weight.shape[3]
            yield from (("reserved", 0) for _ in range(3))
        yield from _all([self.conv1, self.pool_conv, self.pool_norm, self.pool_act, self.pool_matrix], version)
        yield from _all([self.norm1, self.act1, self.conv2, self.pass1], version)
        if self.pass_bias and self.pass_act and self.pass2:
            yield from _all([self.pass_bias, self.pass_act, self.pass2], version)


@dataclass
class ValueHead:
    conv1: Conv
    norm1: Norm
    act1: Activation
    hidden: Matrix
    hidden_bias: Bias
    act2: Activation
    value: Matrix
    value_bias: Bias
    misc: Matrix
    misc_bias: Bias
    ownership: Conv

    def parts(self, version: int) -> Iterator[Part]:
        yield "value name", "valuehead"
        if version >= 17:
            yield from (("reserved", 0) for _ in range(3))
        yield from _all([self.conv1, self.norm1, self.act1, self.hidden, self.hidden_bias, self.act2], version)
        yield from _all([self.value, self.value_bias, self.misc, self.misc_bias, self.ownership], version)


@dataclass
class KataGoFile:
    """A whole network: `parts` is what its file says, in order."""

    version: int
    conv: Conv
    matrix: Matrix
    blocks: list[Block]
    tip: Norm | TipRmsNorm
    tip_act: Activation
    policy: PolicyHead
    value: ValueHead
    multipliers: tuple[float, ...] = (20.0, 21.0, 22.0, 23.0, 44.0, 0.5, 130.0)
    suicide_area: bool = False
    name: str = "made-up_net"
    meta_encoder: int = field(default=0)

    def parts(self) -> list[Part]:
        return [*self._header(), *self._trunk(), *self.policy.parts(self.version), *self.value.parts(self.version)]

    def _header(self) -> Iterator[Part]:
        yield from (("name", self.name), ("version", self.version), ("planes", PLANES), ("globals", GLOBALS))
        if self.version >= 13:
            yield from (("multiplier", multiplier) for multiplier in self.multipliers)
        if self.version >= 15:
            yield "meta encoder", self.meta_encoder
            yield "suicide area", int(self.suicide_area)
            yield from (("reserved", 0) for _ in range(6))

    def _trunk(self) -> Iterator[Part]:
        yield from (("trunk name", "trunk"), ("blocks", len(self.blocks)), ("channels", self.conv.weight.shape[3]))
        yield from (("other channels", 3) for _ in range(4))
        if self.version >= 15:
            yield "tip kind", int(isinstance(self.tip, TipRmsNorm))
            yield from (("reserved", 0) for _ in range(5))
        yield from _all([self.conv, self.matrix], self.version)
        for block in self.blocks:
            yield from block.parts(self.version)
        yield from _all([self.tip, self.tip_act], self.version)


def spelled(parts: Sequence[Part], binary: bool = True) -> bytes:
    """The bytes of a file of these parts, not packed."""
    pieces: list[bytes] = []
    for _, value in parts:
        if not isinstance(value, np.ndarray):
            pieces.append(f"{value}\n".encode())
        elif binary:
            pieces.append(b"@BIN@" + value.astype("<f4").tobytes() + b"\n")
        else:
            pieces.append(" ".join(f"{number:.9g}" for number in value.reshape(-1)).encode() + b" \n")
    return b"".join(pieces)


def write(path: Path, parts: Sequence[Part]) -> Path:
    """Write a file in the form that the suffixes of `path` say."""
    data = spelled(parts, ".txt" not in path.suffixes)
    path.write_bytes(gzip.compress(data, 1) if path.suffix == ".gz" else data)
    return path
