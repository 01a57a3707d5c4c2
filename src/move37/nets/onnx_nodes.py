"""Each operation of a description as operations of ONNX (opset 18), for a fixed or an open board size.

One function an operation; what it computes is said in `ops`. Tensors are named after nodes. Building a model of them is
`onnx_export`'s work; nothing here runs a network.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from onnx import helper, numpy_helper

from move37.nets import ops
from move37.nets.graph import SPATIAL, Node
from move37.nets.ops import Shape

OPSET = 18
FLOAT = 1
"""`onnx.TensorProto.FLOAT`."""


class OnnxBuilder:
    """Collects nodes and constants of one model.

    `arrays`: of the network by name. `shapes`: of its nodes' outputs without the batch axis, on any board (only their
    lengths are read). `size`: (rows, cols), or None if the model shall take any board.
    """

    def __init__(
        self, arrays: Mapping[str, NDArray[np.float32]], shapes: Mapping[str, Shape], size: tuple[int, int] | None
    ) -> None:
        self.arrays = arrays
        self.shapes = shapes
        self.size = size
        self.nodes: list[Any] = []
        self.constants: dict[str, Any] = {}

    def op(self, kind: str, *inputs: str, out: str | None = None, **attributes: Any) -> str:
        """Add an ONNX operation; the name of its output, `out` or a new one."""
        output = out or f"{kind.lower()}_{len(self.nodes)}.temporary"
        self.nodes.append(helper.make_node(kind, list(inputs), [output], **attributes))
        return output

    def parameter(self, name: str) -> str:
        """The array `name` of the network as a constant."""
        return self.constant(self.arrays[name], name)

    def constant(self, values: Any, name: str | None = None) -> str:
        """A constant: an array as it is, whole numbers as int64, others as float32."""
        array = np.asarray(values)
        if array.dtype == np.float64:
            array = array.astype(np.float32)
        key = name or f"constant_{array.dtype}_{array.shape}_{array.tolist()}"
        if key not in self.constants:
            self.constants[key] = numpy_helper.from_array(np.ascontiguousarray(array).reshape(array.shape), key)
        return key

    def once(self, name: str) -> bool:
        """Whether a tensor of this name is still to be made."""
        return not any(name in node.output for node in self.nodes)


def value_name(node: str) -> str:
    """The name of the tensor that holds the output of a node, or of an input of the network."""
    return node if node in (SPATIAL, ops.GLOBALS) else f"{node}.result"


def add_node(builder: OnnxBuilder, node: Node) -> None:
    """Add what computes `node`; its inputs are there already."""
    inputs = [value_name(name) for name in node.inputs]
    out = value_name(node.name)
    op = node.op
    match op:
        case ops.Conv2d():
            _conv(builder, node, op, inputs[0], out)
        case ops.BatchNorm():
            parameters = [builder.parameter(f"{node.name}.{key}") for key in ("weight", "bias", "mean", "variance")]
            builder.op("BatchNormalization", inputs[0], *parameters, out=out, epsilon=op.epsilon)
        case ops.RmsNorm():
            _rms_norm(builder, node, op, inputs[0], out)
        case ops.Dense():
            parameters = [builder.parameter(name) for name in node.parameter_shapes()]
            builder.op("Gemm", inputs[0], *parameters, out=out, transB=1)
        case ops.PointBias():
            builder.op("Add", inputs[0], builder.parameter(f"{node.name}.bias"), out=out)
        case ops.Attention():
            _Attention(builder, node.name, op).add(inputs[0], out)
        case ops.Relu():
            builder.op("Relu", inputs[0], out=out)
        case ops.Tanh():
            builder.op("Tanh", inputs[0], out=out)
        case ops.Mish():
            builder.op("Mul", inputs[0], builder.op("Tanh", builder.op("Softplus", inputs[0])), out=out)
        case ops.Silu():
            builder.op("Mul", inputs[0], builder.op("Sigmoid", inputs[0]), out=out)
        case ops.Add():
            ranks = [len(builder.shapes[name]) for name in node.inputs]
            if ranks[0] != ranks[1]:
                inputs[1] = builder.op("Unsqueeze", inputs[1], builder.constant([2, 3]))
            builder.op("Add", *inputs, out=out)
        case ops.Multiply():
            builder.op("Mul", *inputs, out=out)
        case ops.GlobalPool():
            builder.op("Concat", *(_pool(builder, kind, inputs[0]) for kind in op.kinds), out=out, axis=1)
        case ops.Flatten():
            builder.op("Flatten", inputs[0], out=out, axis=1)
        case ops.Concat():
            builder.op("Concat", *inputs, out=out, axis=1)


def _conv(builder: OnnxBuilder, node: Node, op: ops.Conv2d, source: str, out: str) -> None:
    reach = op.kernel // 2 * op.dilation
    parameters = [builder.parameter(name) for name in node.parameter_shapes()]
    builder.op("Conv", source, *parameters, out=out, pads=[reach] * 4, dilations=[op.dilation] * 2)


def _rms_norm(builder: OnnxBuilder, node: Node, op: ops.RmsNorm, source: str, out: str) -> None:
    axes = builder.constant([1, 2, 3] if op.spatial else [1])
    squares = builder.op("ReduceMean", builder.op("Mul", source, source), axes, keepdims=1)
    root = builder.op("Sqrt", builder.op("Add", squares, builder.constant(op.epsilon)))
    scaled = builder.op("Div", source, root)
    weight, *bias = (_by_channel(builder, name) for name in node.parameter_shapes())
    if bias:
        builder.op("Add", builder.op("Mul", scaled, weight), bias[0], out=out)
    else:
        builder.op("Mul", scaled, weight, out=out)


def _by_channel(builder: OnnxBuilder, name: str) -> str:
    return builder.constant(builder.arrays[name].reshape(-1, 1, 1), name)


def _pool(builder: OnnxBuilder, kind: str, source: str) -> str:
    pooled = builder.op("GlobalMaxPool" if kind == "max" else "GlobalAveragePool", source)
    flat = builder.op("Flatten", pooled, axis=1)
    return flat if kind in ("mean", "max") else builder.op("Mul", flat, _size_factor(builder, kind))


def _size_factor(builder: OnnxBuilder, kind: str) -> str:
    """(sqrt(H·W) − 14) / 10, or its square less 0.1: a constant, or computed once from the input's shape."""
    if builder.size is not None:
        size = (math.sqrt(math.prod(builder.size)) - 14.0) / 10.0
        return builder.constant(size if kind == "mean_sized" else size * size - 0.1)
    if builder.once("board.size"):
        points = builder.op("Cast", builder.op("ReduceProd", _sides(builder), keepdims=0), to=FLOAT)
        shifted = builder.op("Sub", builder.op("Sqrt", points), builder.constant(14.0))
        builder.op("Div", shifted, builder.constant(10.0), out="board.size")
        square = builder.op("Mul", "board.size", "board.size")
        builder.op("Sub", square, builder.constant(0.1), out="board.size_squared")
    return "board.size" if kind == "mean_sized" else "board.size_squared"


def _sides(builder: OnnxBuilder) -> str:
    """Rows and columns, int64[2], of the input."""
    if builder.once("board.sides"):
        builder.op("Shape", SPATIAL, out="board.sides", start=2, end=4)
    return "board.sides"


def _coordinates(builder: OnnxBuilder) -> tuple[str, str]:
    """Row and column of every point, float32[P] each."""
    if builder.size is not None:
        rows, cols = np.divmod(np.arange(math.prod(builder.size)), builder.size[1])
        return builder.constant(rows.astype(np.float32)), builder.constant(cols.astype(np.float32))
    if builder.once("board.rows"):
        sides = _sides(builder)
        points = builder.op("ReduceProd", sides, keepdims=0)
        numbers = builder.op("Range", builder.constant(0), points, builder.constant(1))
        width = builder.op("Gather", sides, builder.constant(1))
        builder.op("Cast", builder.op("Div", numbers, width), out="board.rows", to=FLOAT)
        builder.op("Cast", builder.op("Mod", numbers, width), out="board.cols", to=FLOAT)
    return "board.rows", "board.cols"


class _Attention:
    """Attention of all points to all points; tensors have the axes [B, key/value heads, heads sharing one, ..., P]."""

    def __init__(self, builder: OnnxBuilder, name: str, op: ops.Attention) -> None:
        self.builder = builder
        self.name = name
        self.op = op
        self.shared = op.heads // op.kv_heads

    def add(self, source: str, out: str) -> None:
        """Add the operations from the tensor `source` [B, C, H, W] to the tensor `out` of the same shape."""
        builder, op = self.builder, self.op
        points = builder.op("Reshape", source, builder.constant([0, op.channels, -1]))
        query = self._project(points, "query", self.shared, op.key_size)
        key = self._project(points, "key", 1, op.key_size)
        value = self._project(points, "value", 1, op.value_size)
        if op.rotary:
            cos, sin = self._rotation()
            query, key = (self._turn(x, shared, cos, sin) for x, shared in ((query, self.shared), (key, 1)))
        key = builder.op("Transpose", key, perm=[0, 1, 2, 4, 3])
        scores = builder.op("Mul", builder.op("MatMul", key, query), builder.constant(1.0 / math.sqrt(op.key_size)))
        seen = builder.op("MatMul", value, builder.op("Softmax", scores, axis=3))
        joined = builder.op("Reshape", seen, builder.constant([0, op.heads * op.value_size, -1]))
        found = builder.op("MatMul", builder.parameter(f"{self.name}.out"), joined)
        builder.op("Reshape", found, builder.op("Shape", source), out=out)

    def _project(self, points: str, what: str, shared: int, size: int) -> str:
        """[B, C, P] to [B, key/value heads, shared, size, P]."""
        builder = self.builder
        projected = builder.op("MatMul", builder.parameter(f"{self.name}.{what}"), points)
        return builder.op("Reshape", projected, builder.constant([0, self.op.kv_heads, shared, size, -1]))

    def _rotation(self) -> tuple[str, str]:
        """Cosine and sine of the angles, [key/value heads, 1, pairs, 1, P]."""
        builder = self.builder
        rows, cols = _coordinates(builder)
        frequencies = builder.arrays[f"{self.name}.frequencies"][:, None, :, None, :]
        by_col = builder.op("Mul", builder.constant(frequencies[..., :1], f"{self.name}.frequencies_col"), cols)
        by_row = builder.op("Mul", builder.constant(frequencies[..., 1:], f"{self.name}.frequencies_row"), rows)
        angles = builder.op("Add", by_col, by_row)
        return builder.op("Cos", angles), builder.op("Sin", angles)

    def _turn(self, x: str, shared: int, cos: str, sin: str) -> str:
        """`x` with each pair of channels turned by its angle."""
        builder, op = self.builder, self.op
        pairs = builder.op("Reshape", x, builder.constant([0, op.kv_heads, shared, op.key_size // 2, 2, -1]))
        first, second = (builder.op("Gather", pairs, builder.constant([i]), axis=4) for i in (0, 1))
        turned = [
            builder.op("Sub", builder.op("Mul", first, cos), builder.op("Mul", second, sin)),
            builder.op("Add", builder.op("Mul", first, sin), builder.op("Mul", second, cos)),
        ]
        both = builder.op("Concat", *turned, axis=4)
        return builder.op("Reshape", both, builder.constant([0, op.kv_heads, shared, op.key_size, -1]))
