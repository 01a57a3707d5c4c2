"""Batch norms with fixed statistics, and skips, folded into convolutions: the same function in fewer steps.

A norm after a convolution scales and shifts its filters. After a sum of convolutions and dense layers that nothing else
reads (as in KataGo's blocks with global pooling) it scales every part and shifts one. After a residual sum, which the
next block reads too, and before an activation there is nothing to fold it into. Works on the neutral description, so
every way of running a network profits. For inference only: a folded network no longer learns its statistics.
A sum of a convolution and its own input becomes the convolution alone, a one added in the middle of its filters.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from move37.nets.graph import Graph, Network, Node
from move37.nets.ops import Add, BatchNorm, Conv2d, Dense

Arrays = Mapping[str, NDArray[np.float32]]


def fold(network: Network) -> Network:
    """An equal network for inference, in fewer steps: batch norms and skips over one convolution folded away."""
    return fold_skips(fold_batch_norm(network))


def fold_batch_norm(network: Network) -> Network:
    """An equal network without the batch norms that follow only what nothing else reads: convolutions, or their sums.

    Other batch norms stay. Outputs differ by rounding only.
    """
    uses = network.graph.uses()
    by_name = {node.name: node for node in network.graph.nodes}
    arrays = dict(network.arrays)
    renamed: dict[str, str] = {}
    for norm in network.graph.nodes:
        parts = _parts(norm.inputs[0], by_name, uses) if isinstance(norm.op, BatchNorm) else ()
        if parts:
            renamed[norm.name] = norm.inputs[0]
            _fold(norm, [by_name[name] for name in parts], by_name, arrays)
    nodes = tuple(
        replace(by_name[node.name], inputs=tuple(renamed.get(name, name) for name in node.inputs))
        for node in network.graph.nodes
        if node.name not in renamed
    )
    outputs = {output: renamed.get(name, name) for output, name in network.graph.outputs.items()}
    graph = Graph(nodes, outputs)
    return Network(network.spec, graph, {name: arrays[name] for name in graph.parameter_shapes()})


def fold_skips(network: Network) -> Network:
    """An equal network without the sums of a convolution (as many filters as channels) and that convolution's input."""
    uses = network.graph.uses()
    by_name = {node.name: node for node in network.graph.nodes}
    arrays = dict(network.arrays)
    renamed: dict[str, str] = {}
    for node in network.graph.nodes:
        conv = _skipped(node, by_name) if isinstance(node.op, Add) else None
        if conv is not None and uses[conv.name] == 1:
            renamed[node.name] = conv.name
            arrays[f"{conv.name}.weight"] = _with_identity(arrays[f"{conv.name}.weight"])
    nodes = tuple(
        replace(node, inputs=tuple(renamed.get(name, name) for name in node.inputs))
        for node in network.graph.nodes
        if node.name not in renamed
    )
    outputs = {output: renamed.get(name, name) for output, name in network.graph.outputs.items()}
    return Network(network.spec, Graph(nodes, outputs), arrays)


def _skipped(node: Node, by_name: Mapping[str, Node]) -> Node | None:
    """The convolution whose own input is the other summand of `node`, if there is one."""
    for name, other in (node.inputs, node.inputs[::-1]):
        conv = by_name.get(name)
        if conv is not None and isinstance(conv.op, Conv2d) and conv.inputs[0] == other:
            return conv if conv.op.channels == conv.op.filters else None
    return None


def _with_identity(weight: NDArray[np.float32]) -> NDArray[np.float32]:
    middle = weight.shape[2] // 2
    changed = weight.copy()
    changed[:, :, middle, middle] += np.eye(len(weight), dtype=np.float32)
    return changed


def _parts(name: str, by_name: Mapping[str, Node], uses: Mapping[str, int]) -> tuple[str, ...]:
    """Names of the layers whose sum is `name`, a convolution first; none if a norm cannot be folded into them."""
    node = by_name.get(name)
    if node is None or uses[name] != 1:
        return ()
    if isinstance(node.op, Conv2d | Dense):
        return (name,)
    if not isinstance(node.op, Add):
        return ()
    first, second = (_parts(source, by_name, uses) for source in node.inputs)
    return first + second if first and second else ()


@np.errstate(all="ignore")  # damaged weights are told by what they answer, in one sentence
def _fold(norm: Node, parts: list[Node], by_name: dict[str, Node], arrays: dict[str, NDArray[np.float32]]) -> None:
    """Make the sum of `parts` do what `norm` did after it: change their arrays, and give the first one a bias."""
    assert isinstance(norm.op, BatchNorm)
    weight, bias, mean, variance = (
        arrays[f"{norm.name}.{key}"].astype(np.float64) for key in ("weight", "bias", "mean", "variance")
    )
    scale = weight / np.sqrt(variance + norm.op.epsilon)
    for part in parts:
        key = f"{part.name}.weight"
        arrays[key] = (arrays[key] * scale.reshape(-1, *[1] * (arrays[key].ndim - 1))).astype(np.float32)
        before = arrays.get(f"{part.name}.bias")
        shift = bias - mean * scale if part is parts[0] else None
        if before is not None or shift is not None:
            moved = (0.0 if before is None else before * scale) + (0.0 if shift is None else shift)
            arrays[f"{part.name}.bias"] = np.asarray(moved, np.float32)
    first = parts[0]
    assert isinstance(first.op, Conv2d)
    by_name[first.name] = replace(first, op=replace(first.op, bias=True))
