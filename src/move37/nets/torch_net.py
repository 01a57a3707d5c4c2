"""Descriptions as torch modules, to train and to run, and back.

One module interprets any graph, so an architecture is written once, in its description. Parameters keep their names
from the description (`node.weight`), except that batch norm's `mean` and `variance` are torch's `running_mean` and
`running_var`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from move37.nets import ops
from move37.nets.folding import fold
from move37.nets.graph import GLOBALS, SPATIAL, Graph, Network, NetworkSpec, Node
from move37.nets.torch_layers import AttentionLayer, PointBiasLayer, RmsNormLayer

_TORCH_NAMES = {"mean": "running_mean", "variance": "running_var"}


class GraphModule(nn.Module):
    """A described network as a torch module: float32[B, C, H, W] (and float32[B, G]) in, named outputs out.

    Trainable as it is; in training mode batch norms use and update batch statistics.
    """

    def __init__(self, spec: NetworkSpec, graph: Graph) -> None:
        super().__init__()
        self.spec = spec
        self.graph = graph
        for node in graph.nodes:
            layer = _layer(node.op)
            if layer is not None:
                self.add_module(node.name, layer)
        self._plan = _plan(graph)

    def forward(self, spatial: Tensor, globals_: Tensor | None = None) -> dict[str, Tensor]:
        """Outputs by name; "policy" [B, A] logits with pass last, "value" [B] in [-1, 1] for the player to move."""
        values: dict[str, Tensor] = {SPATIAL: spatial}
        if globals_ is not None:
            values[GLOBALS] = globals_
        for node, finished in self._plan:
            values[node.name] = self._run_node(node, [values[name] for name in node.inputs])
            for name in finished:
                del values[name]
        outputs = {output: values[name] for output, name in self.graph.outputs.items()}
        if "value" in outputs:
            outputs["value"] = outputs["value"].squeeze(1)
        return outputs

    def _run_node(self, node: Node, inputs: list[Tensor]) -> Tensor:
        layer = self._modules.get(node.name)
        if layer is not None:
            return cast(Tensor, layer(inputs[0]))
        return _compute(node.op, inputs)


def to_torch(network: Network) -> GraphModule:
    """`network` as a module with copies of its arrays, in training mode on the CPU."""
    module = GraphModule(network.spec, network.graph)
    with torch.no_grad():
        for name, tensor in _tensors(module).items():
            tensor.copy_(torch.from_numpy(np.ascontiguousarray(network.arrays[name])))
    return module


def from_torch(module: GraphModule, spec: NetworkSpec | None = None) -> Network:
    """The description of what `module` computes now, arrays copied to the CPU; `spec` replaces its own if given."""
    arrays: dict[str, NDArray[np.float32]] = {
        name: np.array(tensor.detach().cpu().numpy(), dtype=np.float32) for name, tensor in _tensors(module).items()
    }
    return Network(spec or module.spec, module.graph, arrays)


def with_training(network: Network, training: Mapping[str, Any]) -> Network:
    """`network` with `training` as the training summary in its spec."""
    return Network(replace(network.spec, training=dict(training)), network.graph, network.arrays)


def inference_module(
    network: Network, device: str | torch.device = "cpu", layout: torch.memory_format = torch.channels_last
) -> GraphModule:
    """`network` for inference on `device`: norms folded, filters in `layout`, no gradients.

    Call it under `torch.inference_mode()`.
    """
    module = to_torch(fold(network)).eval().requires_grad_(False)
    module.to(device=device)
    for parameter in module.parameters():
        if parameter.dim() == 4:
            parameter.data = parameter.data.contiguous(memory_format=layout)
    return module


def _layer(op: ops.Op) -> nn.Module | None:
    match op:
        case ops.Conv2d():
            padding = (op.kernel // 2) * op.dilation
            return nn.Conv2d(op.channels, op.filters, op.kernel, padding=padding, dilation=op.dilation, bias=op.bias)
        case ops.BatchNorm():
            return nn.BatchNorm2d(op.channels, eps=op.epsilon)
        case ops.Dense():
            return nn.Linear(op.inputs, op.outputs, bias=op.bias)
        case ops.RmsNorm():
            return RmsNormLayer(op)
        case ops.PointBias():
            return PointBiasLayer(op)
        case ops.Attention():
            return AttentionLayer(op)
        case _:
            return None


def _compute(op: ops.Op, inputs: list[Tensor]) -> Tensor:
    """The operations without parameters."""
    match op:
        case ops.Relu():
            return functional.relu(inputs[0])
        case ops.Tanh():
            return torch.tanh(inputs[0])
        case ops.Mish():
            return functional.mish(inputs[0])
        case ops.Silu():
            return functional.silu(inputs[0])
        case ops.Multiply():
            return inputs[0] * inputs[1]
        case ops.Add():
            first, second = inputs
            return first + (second if second.dim() == first.dim() else second[:, :, None, None])
        case ops.GlobalPool():
            return torch.cat([_pool(kind, inputs[0]) for kind in op.kinds], dim=1)
        case ops.Flatten():
            return inputs[0].flatten(1)
        case ops.Concat():
            return torch.cat(inputs, dim=1)
        case _:
            raise TypeError(f"{op} has parameters and is a layer")


def _pool(kind: str, x: Tensor) -> Tensor:
    if kind == "max":
        return x.amax(dim=(2, 3))
    mean = x.mean(dim=(2, 3))
    if kind == "mean":
        return mean
    size = (math.sqrt(x.shape[2] * x.shape[3]) - 14.0) / 10.0
    return mean * (size if kind == "mean_sized" else size * size - 0.1)


def _plan(graph: Graph) -> list[tuple[Node, tuple[str, ...]]]:
    """Each node with the values nobody reads after it, so that they are freed as soon as possible."""
    kept = set(graph.outputs.values())
    plan: list[tuple[Node, tuple[str, ...]]] = []
    for node in reversed(graph.nodes):
        finished = tuple(name for name in dict.fromkeys(node.inputs) if name not in kept)
        kept.update(finished)
        plan.append((node, finished))
    return plan[::-1]


def _tensors(module: GraphModule) -> dict[str, Tensor]:
    """The module's tensors by their names in the description."""
    state = dict(module.named_parameters()) | dict(module.named_buffers())
    return {name: state[_torch_name(name)] for name in module.graph.parameter_shapes()}


def _torch_name(name: str) -> str:
    node, _, parameter = name.partition(".")
    return f"{node}.{_TORCH_NAMES.get(parameter, parameter)}"
