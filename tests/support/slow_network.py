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
    return np.asarray(mean if kind == "mean" else mean * (np.sqrt(x.shape[2] * x.shape[3]) - 14.0) / 10.0)
