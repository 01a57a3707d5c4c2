"""The operations a network description may use, each a frozen dataclass.

Each says the shapes of its parameters and of its output, without the batch axis; none computes. Softmax is not among
them: networks give logits. Nor are masks: a batch has one board size and its planes no padding, so every point counts.
Adding an operation means adding it here, in `torch_net`, in `onnx_nodes`, in the fast path's `plan` if it can be run
there, and in the tests' plain twin.
"""

from __future__ import annotations

from dataclasses import dataclass

Shape = tuple[int, ...]

SPATIAL = "spatial"
GLOBALS = "globals"

MOST_NUMBERS = 2**27
"""What one operation may need for one position: more than the widest network, less than the memory of a machine."""

POOLINGS = ("mean", "mean_sized", "max", "mean_sized_squared")


def _one(shapes: tuple[Shape, ...], rank: int) -> Shape:
    if len(shapes) != 1 or len(shapes[0]) != rank:
        raise ValueError(f"expects one input of rank {rank} without the batch axis, not {list(shapes)}")
    return shapes[0]


class _NoParameters:
    __slots__ = ()

    def parameter_shapes(self) -> dict[str, Shape]:
        """Return no shapes: there is nothing to learn."""
        return {}


class _Elementwise(_NoParameters):
    __slots__ = ()

    def output_shape(self, *shapes: Shape) -> Shape:
        """Any shape stays."""
        (shape,) = shapes
        return shape


@dataclass(frozen=True, slots=True)
class Conv2d:
    """Cross-correlation over the board with zero padding that keeps its size. Odd kernel; `dilation` spreads it.

    weight float32[filters, channels, kernel, kernel], bias float32[filters] if `bias`.
    """

    channels: int
    filters: int
    kernel: int
    bias: bool = False
    dilation: int = 1

    def parameter_shapes(self) -> dict[str, Shape]:
        """Shapes by parameter name."""
        shapes: dict[str, Shape] = {"weight": (self.filters, self.channels, self.kernel, self.kernel)}
        return shapes | ({"bias": (self.filters,)} if self.bias else {})

    def output_shape(self, *shapes: Shape) -> Shape:
        """[channels, H, W] to [filters, H, W]; ValueError if the inputs do not fit."""
        channels, rows, cols = _one(shapes, 3)
        if channels != self.channels or self.kernel % 2 == 0:
            raise ValueError(f"expects {self.channels} channels and an odd kernel, not {channels} and {self.kernel}")
        return (self.filters, rows, cols)


@dataclass(frozen=True, slots=True)
class BatchNorm:
    """(x - mean) / sqrt(variance + epsilon) * weight + bias, by channel; in training, statistics are the batch's.

    weight, bias, mean, variance: float32[channels].
    """

    channels: int
    epsilon: float = 1e-5

    def parameter_shapes(self) -> dict[str, Shape]:
        """Shapes by parameter name."""
        return dict.fromkeys(("weight", "bias", "mean", "variance"), (self.channels,))

    def output_shape(self, *shapes: Shape) -> Shape:
        """[channels, H, W] stays; ValueError if the inputs do not fit."""
        shape = _one(shapes, 3)
        if shape[0] != self.channels:
            raise ValueError(f"expects {self.channels} channels, not {shape[0]}")
        return shape


@dataclass(frozen=True, slots=True)
class PointBias:
    """Adds a number of its own to each point, the same in every channel; for one board size.

    bias float32[rows, cols].
    """

    rows: int
    cols: int

    def parameter_shapes(self) -> dict[str, Shape]:
        """Shapes by parameter name."""
        return {"bias": (self.rows, self.cols)}

    def output_shape(self, *shapes: Shape) -> Shape:
        """[C, rows, cols] stays; ValueError if the inputs do not fit."""
        shape = _one(shapes, 3)
        if shape[1:] != (self.rows, self.cols):
            raise ValueError(f"is for a board of {self.rows}x{self.cols}, not {shape[1]}x{shape[2]}")
        return shape


@dataclass(frozen=True, slots=True)
class Dense:
    """x @ weight.T + bias. weight float32[outputs, inputs], bias float32[outputs] if `bias`."""

    inputs: int
    outputs: int
    bias: bool = True

    def parameter_shapes(self) -> dict[str, Shape]:
        """Shapes by parameter name."""
        shapes: dict[str, Shape] = {"weight": (self.outputs, self.inputs)}
        return shapes | ({"bias": (self.outputs,)} if self.bias else {})

    def output_shape(self, *shapes: Shape) -> Shape:
        """[inputs] to [outputs]; ValueError if the inputs do not fit."""
        (inputs,) = _one(shapes, 1)
        if inputs != self.inputs:
            raise ValueError(f"expects {self.inputs} inputs, not {inputs}")
        return (self.outputs,)


@dataclass(frozen=True, slots=True)
class Relu(_Elementwise):
    """max(x, 0)."""


@dataclass(frozen=True, slots=True)
class Tanh(_Elementwise):
    """tanh(x)."""


@dataclass(frozen=True, slots=True)
class Mish(_Elementwise):
    """x * tanh(log(1 + exp(x))) (Misra, Mish: A Self Regularized Non-Monotonic Activation Function, 2019)."""


@dataclass(frozen=True, slots=True)
class Silu(_Elementwise):
    """x / (1 + exp(-x))."""


@dataclass(frozen=True, slots=True)
class RmsNorm:
    """x / sqrt(mean(x²) + epsilon) * weight (+ bias), weight and bias by channel.

    The mean of the squares is over the channels of each point, or with `spatial` over all channels and points at once
    (Zhang and Sennrich, Root Mean Square Layer Normalization, 2019). weight float32[channels], bias float32[channels]
    if `bias`.
    """

    channels: int
    epsilon: float = 1e-6
    spatial: bool = False
    bias: bool = False

    def parameter_shapes(self) -> dict[str, Shape]:
        """Shapes by parameter name."""
        return dict.fromkeys(("weight", "bias") if self.bias else ("weight",), (self.channels,))

    def output_shape(self, *shapes: Shape) -> Shape:
        """[channels, H, W] stays; ValueError if the inputs do not fit."""
        shape = _one(shapes, 3)
        if shape[0] != self.channels:
            raise ValueError(f"expects {self.channels} channels, not {shape[0]}")
        return shape


@dataclass(frozen=True, slots=True)
class Attention:
    """Every point looks at every point: softmax(q · k / sqrt(key_size)) times v in each head, heads joined by `out`.

    Query head h uses key/value head h // (heads // kv_heads). With `rotary`, the pairs (2p, 2p + 1) of the channels of
    q and k are turned by column * frequencies[head, p, 0] + row * frequencies[head, p, 1], head being the key/value
    head (Su et al., RoFormer, 2021, on two axes). No biases.

    query [heads * key_size, channels], key [kv_heads * key_size, channels], value [kv_heads * value_size, channels],
    out [channels, heads * value_size], frequencies [kv_heads, key_size / 2, 2] if `rotary`; all float32.
    """

    channels: int
    heads: int
    kv_heads: int
    key_size: int
    value_size: int
    rotary: bool = False

    def parameter_shapes(self) -> dict[str, Shape]:
        """Shapes by parameter name."""
        shapes: dict[str, Shape] = {
            "query": (self.heads * self.key_size, self.channels),
            "key": (self.kv_heads * self.key_size, self.channels),
            "value": (self.kv_heads * self.value_size, self.channels),
            "out": (self.channels, self.heads * self.value_size),
        }
        return shapes | ({"frequencies": (self.kv_heads, self.key_size // 2, 2)} if self.rotary else {})

    def output_shape(self, *shapes: Shape) -> Shape:
        """[channels, H, W] stays; ValueError if the inputs or the numbers of heads do not fit."""
        shape = _one(shapes, 3)
        if shape[0] != self.channels:
            raise ValueError(f"expects {self.channels} channels, not {shape[0]}")
        if self.heads % self.kv_heads or (self.rotary and self.key_size % 2):
            raise ValueError(
                f"{self.heads} heads cannot share {self.kv_heads} key/value heads, or {self.key_size} channels are odd"
            )
        if self.heads * (shape[1] * shape[2]) ** 2 > MOST_NUMBERS:
            raise ValueError(f"{self.heads} heads are more than memory allows")
        return shape


@dataclass(frozen=True, slots=True)
class Multiply(_NoParameters):
    """Product of two inputs of one shape, number by number."""

    def output_shape(self, *shapes: Shape) -> Shape:
        """The shape of both; ValueError if they differ."""
        first, second = shapes
        if first != second:
            raise ValueError(f"cannot multiply {first} by {second}")
        return first


@dataclass(frozen=True, slots=True)
class Add(_NoParameters):
    """Sum of two inputs; a second one of shape [C] is added to every point of a first one of shape [C, H, W]."""

    def output_shape(self, *shapes: Shape) -> Shape:
        """The first shape; ValueError if the inputs do not fit."""
        first, second = shapes
        if first != second and not (len(first) == 3 and second == first[:1]):
            raise ValueError(f"cannot add {second} to {first}")
        return first


@dataclass(frozen=True, slots=True)
class GlobalPool(_NoParameters):
    """[C, H, W] to [C * len(kinds)]: one number a channel for each kind, kinds in order.

    "mean": over the board; "max": over the board; "mean_sized": the mean times (sqrt(H * W) - 14) / 10, which lets a
    network tell board sizes apart (Wu, Accelerating Self-Play Learning in Go, 2019, appendix on the architecture);
    "mean_sized_squared": the mean times ((sqrt(H * W) - 14)² / 100 - 0.1), of the same source.
    """

    kinds: tuple[str, ...]

    def output_shape(self, *shapes: Shape) -> Shape:
        """[C, H, W] to [C * len(kinds)]; ValueError if the inputs do not fit."""
        unknown = [kind for kind in self.kinds if kind not in POOLINGS]
        if unknown or not self.kinds:
            raise ValueError(f"poolings are {', '.join(POOLINGS)}, not {unknown}")
        return (_one(shapes, 3)[0] * len(self.kinds),)


@dataclass(frozen=True, slots=True)
class Flatten(_NoParameters):
    """[C, H, W] to [C * H * W], channels outermost, then rows."""

    def output_shape(self, *shapes: Shape) -> Shape:
        """[C, H, W] to [C * H * W]; ValueError if the inputs do not fit."""
        channels, rows, cols = _one(shapes, 3)
        return (channels * rows * cols,)


@dataclass(frozen=True, slots=True)
class Concat(_NoParameters):
    """Inputs one after another along channels (or along the only axis); other axes are equal."""

    def output_shape(self, *shapes: Shape) -> Shape:
        """The first shape with its leading axis summed; ValueError if the inputs do not fit."""
        if len({shape[1:] for shape in shapes}) != 1:
            raise ValueError(f"cannot join {list(shapes)}")
        return (sum(shape[0] for shape in shapes), *shapes[0][1:])


Activation = Relu | Mish | Silu | Tanh
Layer = Conv2d | BatchNorm | RmsNorm | PointBias | Dense | Attention
Op = Layer | Activation | Add | Multiply | GlobalPool | Flatten | Concat
