"""The records of single layers in a KataGo file, each read into one node of the neutral description.

A record's own name is free text and is not kept: nodes are named after their place in the network. Sizes that
contradict what comes before are a NetworkFileError. Which layers follow each other is said in `katago_blocks` and
`katago_heads`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from move37.nets.graph import Node
from move37.nets.katago_tokens import TokenReader
from move37.nets.ops import BatchNorm, Conv2d, Mish, Op, Relu, RmsNorm, Silu

Array = NDArray[np.float32]

MOST_CHANNELS = 65_536
MOST_KERNEL = 37
"""A kernel of this width sees the whole of a 19x19 board from each of its points."""

_ACTIVATIONS: dict[str, tuple[str, Op] | None] = {
    "ACTIVATION_IDENTITY": None,
    "ACTIVATION_RELU": ("relu", Relu()),
    "ACTIVATION_MISH": ("mish", Mish()),
    "ACTIVATION_SILU": ("silu", Silu()),
}
_NAMED_ACTIVATIONS = 11
"""The first format version that names its activations; before it all are ReLU."""


class LayerReader:
    """Reads layers and collects their nodes and arrays. Methods that add a node return its name."""

    def __init__(self, tokens: TokenReader, version: int) -> None:
        self.tokens = tokens
        self.version = version
        self.nodes: list[Node] = []
        self.arrays: dict[str, Array] = {}

    def add(self, name: str, op: Op, *inputs: str, **arrays: Array) -> str:
        """Add a node and its arrays by parameter name."""
        self.nodes.append(Node(name, op, inputs))
        self.arrays |= {f"{name}.{key}": np.ascontiguousarray(array) for key, array in arrays.items()}
        return name

    def size(self, what: str, expected: int | None = None) -> int:
        """A number of channels; `expected` is what it has to be."""
        found = self.tokens.whole(what, 1, MOST_CHANNELS)
        if expected is not None and found != expected:
            raise self.tokens.fail(f"{what} should be {expected} as in the layers before, but is {found}")
        return found

    def kernel(self, name: str, channels: int) -> tuple[Array, int]:
        """A convolution's weights float32[filters, channels, k, k], and its dilation."""
        tokens = self.tokens
        tokens.word(f"the name of {name}")
        sides = [tokens.whole(f"the kernel of {name}", 1, MOST_KERNEL) for _ in range(2)]
        self.size(f"the input of {name}", channels)
        filters = self.size(f"the output of {name}")
        dilations = [tokens.whole(f"the dilation of {name}", 1, MOST_KERNEL) for _ in range(2)]
        if sides[0] != sides[1] or sides[0] % 2 == 0 or dilations[0] != dilations[1]:
            raise tokens.fail(f"{name} should have a square kernel of odd size, but has {sides[0]}x{sides[1]}")
        block = tokens.numbers(f"the weights of {name}", sides[0] * sides[1] * channels * filters)
        return block.reshape(sides[0], sides[1], channels, filters).transpose(3, 2, 0, 1), dilations[0]

    def conv(self, name: str, source: str, channels: int) -> tuple[str, int]:
        """A convolution of `source`; returns its name and its number of filters."""
        weight, dilation = self.kernel(name, channels)
        filters = len(weight)
        op = Conv2d(channels, filters, weight.shape[2], dilation=dilation)
        return self.add(name, op, source, weight=weight), filters

    def batch_norm(self, name: str, source: str, channels: int) -> str:
        """A batch norm of `source`; scale and bias are 1 and 0 where the file has none."""
        tokens = self.tokens
        tokens.word(f"the name of {name}")
        self.size(f"the channels of {name}", channels)
        epsilon = tokens.positive(f"the epsilon of {name}")
        has_scale = tokens.flag(f"whether {name} has a scale")
        has_bias = tokens.flag(f"whether {name} has a bias")
        mean = tokens.numbers(f"the mean of {name}", channels)
        variance = tokens.numbers(f"the variance of {name}", channels)
        if not (variance + epsilon > 0).all():
            raise tokens.fail(f"the variance of {name} should be greater than 0")
        scale = tokens.numbers(f"the scale of {name}", channels) if has_scale else np.ones(channels, np.float32)
        bias = tokens.numbers(f"the bias of {name}", channels) if has_bias else np.zeros(channels, np.float32)
        op = BatchNorm(channels, epsilon)
        return self.add(name, op, source, weight=scale, bias=bias, mean=mean, variance=variance)

    def rms_norm(self, name: str, source: str, channels: int) -> str:
        """The RMS norm before attention and feed-forward layers: by point, weights alone."""
        self.tokens.word(f"the name of {name}")
        self.size(f"the channels of {name}", channels)
        epsilon = self.tokens.positive(f"the epsilon of {name}")
        weight = self.tokens.numbers(f"the weights of {name}", channels)
        return self.add(name, RmsNorm(channels, epsilon), source, weight=weight)

    def tip_rms_norm(self, name: str, source: str, channels: int) -> str:
        """The RMS norm at the end of a trunk, by point or over the whole board, with biases."""
        self.tokens.word(f"the name of {name}")
        self.size(f"the channels of {name}", channels)
        epsilon = self.tokens.positive(f"the epsilon of {name}")
        spatial = self.tokens.flag(f"whether {name} is spatial")
        self.tokens.whole(f"the group size of {name}", 0, 0)
        weight = self.tokens.numbers(f"the weights of {name}", channels)
        bias = self.tokens.numbers(f"the bias of {name}", channels)
        return self.add(name, RmsNorm(channels, epsilon, spatial, bias=True), source, weight=weight, bias=bias)

    def activation(self, name: str, source: str) -> str:
        """An activation of `source`, its kind appended to `name`; `source` itself where it is the identity."""
        self.tokens.word(f"the name of an activation of {name}")
        kind = "ACTIVATION_RELU"
        if self.version >= _NAMED_ACTIVATIONS:
            kind = self.tokens.word(f"the activation of {name}")
        if kind not in _ACTIVATIONS:
            known = ", ".join(_ACTIVATIONS)
            raise self.tokens.fail(f"the activation of {name} should be one of {known}, but is {kind[:40]!r}")
        found = _ACTIVATIONS[kind]
        return source if found is None else self.add(f"{name}_{found[0]}", found[1], source)

    def norm_activation(self, name: str, source: str, channels: int) -> str:
        """A batch norm `name` and the activation after it."""
        return self.activation(name, self.batch_norm(name, source, channels))

    def matrix(self, name: str, inputs: int, outputs: int | None = None) -> Array:
        """A matrix float32[outputs, inputs] of a linear layer."""
        self.tokens.word(f"the name of {name}")
        self.size(f"the input of {name}", inputs)
        outputs = self.size(f"the output of {name}", outputs)
        return self.tokens.numbers(f"the weights of {name}", inputs * outputs).reshape(inputs, outputs).T

    def bias(self, name: str, outputs: int) -> Array:
        """The biases float32[outputs] of a linear layer."""
        self.tokens.word(f"the name of the bias of {name}")
        self.size(f"the size of the bias of {name}", outputs)
        return self.tokens.numbers(f"the bias of {name}", outputs)
