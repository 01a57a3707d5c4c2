"""Networks as ONNX models, for other programs and runtimes; needs the extra `[onnx]`.

The model computes the graph of the description and nothing more: planes in, raw outputs out (`graph.Graph` says what
they mean), any batch. It takes any board where the network does, else the one size it is made for. Encoding positions
and reading KataGo's raw outputs stay with the caller; the spec is in the model's metadata, as JSON under "move37_spec".
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from onnx import checker, helper

from move37.errors import ConfigError, NetworkFileError
from move37.files import replacing
from move37.nets.folding import fold
from move37.nets.graph import GLOBALS, SPATIAL, Network
from move37.nets.graph_json import spec_to_json
from move37.nets.onnx_nodes import FLOAT, OPSET, OnnxBuilder, add_node, value_name

IR_VERSION = 8
"""The oldest that fits the opset, so that older runtimes read the file."""

MAX_BYTES = 2_000_000_000
"""A model is one message of Protocol Buffers, which end at 2 GiB."""


def to_onnx(network: Network, size: tuple[int, int] | None = None) -> Any:
    """`network` as an `onnx.ModelProto`: inputs "spatial" float32[B, C, H, W] and, if it has any, "globals" [B, G].

    `size`: (rows, cols) that the model shall be fixed to; by default it takes every board if the network is made for
    any size, or for several and none of its layers depends on it. ConfigError in one sentence for a size that is not
    the network's and for one that must be chosen; NetworkFileError for a network that is too large for the format.
    """
    spec = network.spec
    fixed = fixed_size(network, size)
    if 4 * network.graph.parameter_count > MAX_BYTES:
        raise NetworkFileError(f"The network {spec.name} is too large: an ONNX file holds at most 2 GB.")
    folded = fold(network)
    shapes = folded.graph.node_shapes((spec.planes, *(fixed or (19, 19))), (spec.globals,))
    builder = OnnxBuilder(folded.arrays, shapes, fixed)
    for node in folded.graph.nodes:
        add_node(builder, node)
    for output, node_name in folded.graph.outputs.items():
        builder.op("Identity", value_name(node_name), out=output)
    outputs = [_tensor(name, shapes[node], fixed) for name, node in folded.graph.outputs.items()]
    graph = helper.make_graph(
        builder.nodes, spec.name or "network", _inputs(network, fixed), outputs, list(builder.constants.values())
    )
    model = helper.make_model(
        graph, producer_name="move37", opset_imports=[helper.make_opsetid("", OPSET)], ir_version=IR_VERSION
    )
    helper.set_model_props(model, {"move37_spec": json.dumps(spec_to_json(spec), ensure_ascii=False)})
    checker.check_model(model)
    return model


def export(network: Network, path: Path | str, size: tuple[int, int] | None = None) -> None:
    """Write `network` as ONNX to `path`, whole or not at all; errors of `to_onnx`, and NetworkFileError."""
    data: bytes = to_onnx(network, size).SerializeToString()
    try:
        with replacing(path) as temporary:
            temporary.write_bytes(data)
    except OSError as error:
        raise NetworkFileError(
            f"{path}: the model could not be saved ({error.strerror or error}); free space or choose another path."
        ) from error


def fixed_size(network: Network, size: tuple[int, int] | None = None) -> tuple[int, int] | None:
    """The size that `to_onnx` fixes a model to, None if it takes any board; ConfigError as there."""
    spec = network.spec
    if size is not None:
        if not spec.supports(*size):
            raise ConfigError(f"The network {spec.name} is made for {spec.sizes_text()}, not for {size[0]}x{size[1]}.")
        return size
    return spec.board_sizes[0] if len(spec.board_sizes) == 1 else None


def _inputs(network: Network, size: tuple[int, int] | None) -> list[Any]:
    spec = network.spec
    inputs = [_tensor(SPATIAL, (spec.planes, 0, 0), size)]
    return inputs + ([_tensor(GLOBALS, (spec.globals,), size)] if spec.globals else [])


def _tensor(name: str, shape: tuple[int, ...], size: tuple[int, int] | None) -> Any:
    """The type of an input or output; boards that are open have names for their sides."""
    if len(shape) == 3:
        return helper.make_tensor_value_info(name, FLOAT, ["batch", shape[0], *(size or ("rows", "cols"))])
    by_action = name in ("policy", "optimistic") and size is None
    return helper.make_tensor_value_info(name, FLOAT, ["batch", "actions" if by_action else int(np.prod(shape))])
