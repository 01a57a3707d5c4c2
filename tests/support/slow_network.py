"""A described network run with plain NumPy in float64: an oracle for the torch module and other fast forms."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from move37.nets import ops
from move37.nets.graph import GLOBALS, SPATIAL, Network, Node

Array = NDArray[np.float64]


def forward(
    network: Network, spatial: NDArray[np.float32], globals_: NDArray[np.float32] | None = None
) -> dict[str, Array]:
    """Outputs by name for float32[B, C, H, W] and float32[B, G]; batch norms use their stored statistics."""
    values: dict[str, Array] = {SPATIAL: spatial.astype(np.float64)}
    if globals_ is not None:
        values[GLOBALS] = globals_.astype(np.float64)
    for node in network.graph.nodes:
        arrays = {name.split(".")[1]: network.arrays[name].astype(np.float64) for name in node.parameter_shapes()}
        values[node.name] = _run(node, [values[name] for name in node.inputs], arrays)
    return {output: values[name] for output, name in network.graph.outputs.items()}


def _run(node: Node, inputs: list[Array], arrays: Mapping[str, Array]) -> Array:
    x, op = inputs[0], node.op
    match op:
        case ops.Conv2d():
            return _conv(x, arrays["weight"], op.dilation) + arrays.get("bias", np.zeros(op.filters))[:, None, None]
        case ops.BatchNorm():
            mean, variance, weight, bias = (arrays[k][:, None, None] for k in ("mean", "variance", "weight", "bias"))
            return (x - mean) / np.sqrt(variance + op.epsilon) * weight + bias
        case ops.Dense():
            return x @ arrays["weight"].T + arrays.get("bias", np.zeros(op.outputs))
        case ops.Relu():
            return np.maximum(x, 0.0)
        case ops.Tanh():
            return np.tanh(x)
        case ops.Mish():
            return x * np.tanh(np.logaddexp(0.0, x))
        case ops.Silu():
            return x * np.exp(-np.logaddexp(0.0, -x))
        case ops.RmsNorm():
            square: Array = (x * x).mean(axis=(1, 2, 3) if op.spatial else 1, keepdims=True)
            normed: Array = x / np.sqrt(square + op.epsilon)
            return normed * arrays["weight"][:, None, None] + arrays.get("bias", np.zeros(op.channels))[:, None, None]
        case ops.PointBias():
            return x + arrays["bias"]
        case ops.Attention():
            return np.stack([_attention(op, position, arrays) for position in x])
        case ops.Multiply():
            return x * inputs[1]
        case ops.Add():
            return x + (inputs[1] if inputs[1].ndim == x.ndim else inputs[1][:, :, None, None])
        case ops.GlobalPool():
            return np.concatenate([_pool(kind, x) for kind in op.kinds], axis=1)
        case ops.Flatten():
            return x.reshape(len(x), -1)
        case ops.Concat():
            return np.concatenate(inputs, axis=1)


def _conv(x: Array, weight: Array, dilation: int) -> Array:
    batch, _, rows, cols = x.shape
    filters, _, kernel, _ = weight.shape
    reach = kernel // 2 * dilation
    padded = np.pad(x, ((0, 0), (0, 0), (reach, reach), (reach, reach)))
    out = np.zeros((batch, filters, rows, cols))
    for i in range(kernel):
        for j in range(kernel):
            part = padded[:, :, i * dilation : i * dilation + rows, j * dilation : j * dilation + cols]
            out += np.einsum("bchw,fc->bfhw", part, weight[:, :, i, j])
    return out


def _pool(kind: str, x: Array) -> Array:
    if kind == "max":
        return np.asarray(x.max(axis=(2, 3)))
    mean = x.mean(axis=(2, 3))
    away = np.sqrt(x.shape[2] * x.shape[3]) - 14.0
    factor = {"mean": 1.0, "mean_sized": 0.1 * away, "mean_sized_squared": 0.01 * away**2 - 0.1}[kind]
    return np.asarray(mean * factor)


def _attention(op: ops.Attention, x: Array, arrays: Mapping[str, Array]) -> Array:
    """One position, head by head and query by query."""
    channels, rows, cols = x.shape
    tokens = [x[:, row, col] for row in range(rows) for col in range(cols)]
    gathered = np.zeros((len(tokens), op.heads * op.value_size))
    for head in range(op.heads):
        shared = head * op.kv_heads // op.heads
        query, key, value = (
            arrays[name].reshape(-1, size, channels)[index]
            for name, size, index in (
                ("query", op.key_size, head),
                ("key", op.key_size, shared),
                ("value", op.value_size, shared),
            )
        )
        turns = arrays["frequencies"][shared] if op.rotary else np.zeros((op.key_size // 2, 2))
        keys = [_turned(key @ token, turns, *divmod(point, cols)) for point, token in enumerate(tokens)]
        for point, token in enumerate(tokens):
            asked = _turned(query @ token, turns, *divmod(point, cols))
            scores = np.array([asked @ other for other in keys]) / np.sqrt(op.key_size)
            weights = np.exp(scores - scores.max())
            found = sum(w * (value @ other) for w, other in zip(weights / weights.sum(), tokens, strict=True))
            gathered[point, head * op.value_size : (head + 1) * op.value_size] = found
    return (gathered @ arrays["out"].T).T.reshape(channels, rows, cols)


def _turned(vector: Array, turns: Array, row: int, col: int) -> Array:
    """`vector` with each pair of neighbours turned, as complex numbers are by multiplication."""
    if len(vector) % 2:  # only where there are no turns
        return vector
    pairs = vector[0::2] + 1j * vector[1::2]
    pairs *= np.exp(1j * (col * turns[:, 0] + row * turns[:, 1]))
    return np.stack([pairs.real, pairs.imag], axis=1).reshape(-1)
