"""Batch norms with fixed statistics folded into the convolutions before them: the same function in fewer steps.

Works on the neutral description, so every way of running a network profits. For inference only: a folded network no
longer learns its statistics.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from move37.nets.graph import Graph, Network, Node
from move37.nets.ops import BatchNorm, Conv2d

Arrays = Mapping[str, NDArray[np.float32]]


def fold_batch_norm(network: Network) -> Network:
    """An equal network without the batch norms that directly follow a convolution read by nothing else.

    Other batch norms (as after a sum) stay. Outputs differ by rounding only.
    """
    graph, uses = network.graph, network.graph.uses()
    by_name = {node.name: node for node in graph.nodes}
    folded = {
        node.inputs[0]: node
        for node in graph.nodes
        if isinstance(node.op, BatchNorm) and uses[node.inputs[0]] == 1 and _is_conv(by_name.get(node.inputs[0]))
    }
    renamed = {norm.name: conv for conv, norm in folded.items()}
    nodes: list[Node] = []
    arrays: dict[str, NDArray[np.float32]] = {}
    for node in graph.nodes:
        if node.name in renamed:
            continue
        node_arrays = {name: network.arrays[name] for name in node.parameter_shapes()}
        if node.name in folded:
            node, node_arrays = _fold(node, folded[node.name], network.arrays)
        nodes.append(replace(node, inputs=tuple(renamed.get(name, name) for name in node.inputs)))
        arrays |= node_arrays
    outputs = {output: renamed.get(name, name) for output, name in graph.outputs.items()}
    return Network(network.spec, Graph(tuple(nodes), outputs), arrays)


def _is_conv(node: Node | None) -> bool:
    return node is not None and isinstance(node.op, Conv2d)


@np.errstate(all="ignore")  # damaged weights are told by what they answer, in one sentence
def _fold(conv: Node, norm: Node, arrays: Arrays) -> tuple[Node, dict[str, NDArray[np.float32]]]:
    """`conv` with a bias, and its arrays, doing what `conv` and then `norm` did."""
    assert isinstance(conv.op, Conv2d)
    assert isinstance(norm.op, BatchNorm)
    weight, bias, mean, variance = (
        arrays[f"{norm.name}.{key}"].astype(np.float64) for key in ("weight", "bias", "mean", "variance")
    )
    scale = weight / np.sqrt(variance + norm.op.epsilon)
    before = arrays[f"{conv.name}.bias"] if conv.op.bias else 0.0
    folded = {
        f"{conv.name}.weight": (arrays[f"{conv.name}.weight"] * scale[:, None, None, None]).astype(np.float32),
        f"{conv.name}.bias": (bias + (before - mean) * scale).astype(np.float32),
    }
    return replace(conv, op=replace(conv.op, bias=True)), folded
