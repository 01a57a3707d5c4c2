"""ONNX models give what the slow twin gives, for every operation, batch and board; needs onnx and onnxruntime."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from move37.errors import ConfigError, NetworkFileError
from move37.nets import leela, ops, weights
from move37.nets.alphago import policy_network
from move37.nets.finding import found_networks
from move37.nets.graph import GLOBALS, SPATIAL, Graph, Network, NetworkSpec, Node
from move37.nets.graph_json import spec_from_json
from tests.support import slow_network
from tests.support.katago_files import write as write_katago
from tests.support.katago_random import random_katago_file
from tests.support.leela_files import leela_lines, write_leela
from tests.support.networks import small_network
from tests.support.shared import SHARED

onnx: Any = pytest.importorskip("onnx", reason="the extra [onnx] is not installed")
onnxruntime: Any = pytest.importorskip("onnxruntime", reason="the extra [onnx] is not installed")
onnx_export: Any = pytest.importorskip("move37.nets.onnx_export")

NETS = SHARED / "katago" / "nets"
ACTIVATIONS = {"relu": ops.Relu(), "tanh": ops.Tanh(), "mish": ops.Mish(), "silu": ops.Silu()}


def session(model: Any) -> Any:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    return onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])


def compare(network: Network, model: Any, rows: int, cols: int, batch: int) -> None:
    rng = np.random.default_rng(batch)
    spec = network.spec
    inputs = {SPATIAL: rng.normal(size=(batch, spec.planes, rows, cols)).astype(np.float32)}
    if spec.globals:
        inputs[GLOBALS] = rng.normal(size=(batch, spec.globals)).astype(np.float32)
    wanted = slow_network.forward(network, inputs[SPATIAL], inputs.get(GLOBALS))
    running = session(model)
    names = [output.name for output in running.get_outputs()]
    found = dict(zip(names, running.run(None, inputs), strict=True))
    assert found.keys() == wanted.keys()
    for name, array in wanted.items():
        assert found[name].shape == array.shape
        np.testing.assert_allclose(found[name], array, atol=2e-5 * max(1.0, float(np.abs(array).max())))


def one_op(op: ops.Op, planes: int = 4) -> Network:
    """A network of one operation on the planes, its output named "ownership" or "misc" by its rank."""
    shape = op.output_shape((planes, 3, 3)) if not isinstance(op, ops.Dense) else (op.outputs,)
    nodes = [Node("it", op, (SPATIAL,))]
    if len(shape) == 3 and shape[0] != 1:
        nodes.append(Node("narrow", ops.Conv2d(shape[0], 1, 1), ("it",)))
    output = {"ownership": nodes[-1].name} if len(shape) == 3 else {"misc": "it"}
    return filled(NetworkSpec("one", "zero17", planes), Graph(tuple(nodes), output))


def filled(spec: NetworkSpec, graph: Graph, seed: int = 0) -> Network:
    rng = np.random.default_rng(seed)
    arrays: dict[str, NDArray[np.float32]] = {}
    for name, shape in graph.parameter_shapes().items():
        positive = name.endswith("variance")
        values = rng.uniform(0.5, 1.5, shape) if positive else rng.normal(size=shape) / np.sqrt(np.prod(shape[1:]) or 1)
        arrays[name] = values.astype(np.float32)
    return Network(spec, graph, arrays)


OPS = [
    ops.Conv2d(4, 5, 1),
    ops.Conv2d(4, 1, 3, bias=True),
    ops.Conv2d(4, 2, 3, dilation=2),
    ops.Conv2d(4, 2, 5, bias=True),
    ops.BatchNorm(4, 1e-3),
    ops.RmsNorm(4),
    ops.RmsNorm(4, 1e-2, bias=True),
    ops.RmsNorm(4, 1e-2, spatial=True),
    ops.RmsNorm(4, 1e-5, spatial=True, bias=True),
    ops.Attention(4, 2, 2, 3, 5),
    ops.Attention(4, 4, 2, 4, 3, rotary=True),
    ops.Attention(4, 3, 1, 6, 2, rotary=True),
    *ACTIVATIONS.values(),
    *(ops.GlobalPool((kind,)) for kind in ops.POOLINGS),
    ops.GlobalPool(ops.POOLINGS),
]


@pytest.mark.parametrize("op", OPS, ids=lambda op: f"{op}")
def test_each_operation_is_the_same_on_open_and_fixed_boards(op: ops.Op) -> None:
    network = one_op(op)
    model = onnx_export.to_onnx(network)
    for rows, cols, batch in ((3, 3, 1), (2, 5, 3), (19, 19, 2)):
        compare(network, model, rows, cols, batch)
    compare(network, onnx_export.to_onnx(network, (3, 4)), 3, 4, 2)


def test_a_bias_for_each_point_is_exported_for_its_board() -> None:
    network = policy_network(sizes=[(3, 5)], rng=np.random.default_rng(0), filters=4, convolutions=2, point_bias=True)
    network.arrays["policy_bias.bias"][:] = np.arange(15).reshape(3, 5)
    compare(network, onnx_export.to_onnx(network), 3, 5, 2)


def everything() -> Network:
    """Every way of joining: sums of boards, of numbers and of both, products, concatenations; several outputs."""
    nodes = (
        Node("stem", ops.Conv2d(4, 6, 3), (SPATIAL,)),
        Node("shift", ops.Dense(3, 6, bias=False), (GLOBALS,)),
        Node("sum", ops.Add(), ("stem", "shift")),
        Node("norm", ops.BatchNorm(6), ("sum",)),
        Node("gate", ops.Multiply(), ("norm", "stem")),
        Node("both", ops.Add(), ("gate", "sum")),
        Node("wide", ops.Concat(), ("both", "stem")),
        Node("ownership", ops.Conv2d(12, 1, 1, bias=True), ("wide",)),
        Node("pool", ops.GlobalPool(("mean", "max")), ("both",)),
        Node("passing", ops.Dense(12, 1), ("pool",)),
        Node("points", ops.Flatten(), ("ownership",)),
        Node("logits", ops.Concat(), ("points", "passing")),
        Node("double", ops.Add(), ("pool", "pool")),
        Node("square", ops.Multiply(), ("double", "pool")),
        Node("policy", ops.Dense(12, 1), ("square",)),
        Node("value", ops.Tanh(), ("policy",)),
    )
    outputs = {"policy": "logits", "optimistic": "logits", "value": "value", "ownership": "ownership", "misc": "square"}
    return filled(NetworkSpec("everything", "katago22", 4, 3), Graph(nodes, outputs))


def test_joins_globals_and_several_outputs() -> None:
    network = everything()
    model = onnx_export.to_onnx(network)
    for rows, cols, batch in ((5, 5, 2), (3, 7, 1)):
        compare(network, model, rows, cols, batch)


@pytest.mark.parametrize(("head", "sizes"), [("paper", [5]), ("pooled", [5, 9, 13])])
def test_our_own_networks(head: str, sizes: list[int]) -> None:
    network = small_network(head=head, sizes=sizes)
    model = onnx_export.to_onnx(network)
    for size in sizes:
        compare(network, model, size, size, 3)
    sides = [dim.dim_param or dim.dim_value for dim in model.graph.input[0].type.tensor_type.shape.dim]
    assert sides == (["batch", 17, 5, 5] if head == "paper" else ["batch", 17, "rows", "cols"])


@pytest.mark.parametrize("version", [1, 2])
def test_networks_of_leela_zero(tmp_path: Path, version: int) -> None:
    network = leela.load(write_leela(tmp_path / "net.gz", leela_lines(), version))
    model = onnx_export.to_onnx(network)
    compare(network, model, 5, 5, 4)


def test_the_bundled_networks() -> None:
    for path in weights.bundled().values():
        network = weights.load(path)
        rows, cols = network.spec.board_sizes[0]
        compare(network, onnx_export.to_onnx(network), rows, cols, 2)


@pytest.mark.parametrize("tip", ["batch", "point", "board"])
def test_made_up_networks_of_katago(tmp_path: Path, tip: str) -> None:
    blocks = ("ordinary", "dilated", "gpool", "nested", "nested-attention", "attention", "attention-fixed", "ffn")
    network = weights.load(write_katago(tmp_path / "net", random_katago_file(17, blocks, "MISH", tip).parts()))
    model = onnx_export.to_onnx(network)
    for rows, cols, batch in ((4, 3, 2), (9, 9, 1)):
        compare(network, model, rows, cols, batch)
    compare(network, onnx_export.to_onnx(network, (5, 4)), 5, 4, 1)


@pytest.mark.skipif(not NETS.is_dir(), reason="no shared networks")
@pytest.mark.parametrize(
    "file", ["g170-b6c96-s175395328-d26788732", "b7c96h3tfrs-test5-cnorm", "b7c96h6kv3qk32v16tflrs-fson-bnh"]
)
def test_networks_of_katago(file: str) -> None:
    network = weights.load(NETS / f"{file}.bin.gz")
    model = onnx_export.to_onnx(network)
    for rows, cols, batch in ((9, 9, 2), (5, 7, 1)):
        compare(network, model, rows, cols, batch)
    compare(network, onnx_export.to_onnx(network, (9, 9)), 9, 9, 1)


@pytest.mark.skipif(importlib.util.find_spec("katrain") is None, reason="the package katrain is not installed")
def test_the_network_inside_an_installed_katrain() -> None:
    for one in found_networks():
        if one.source == "katrain package":
            network = weights.load(one.path)
            compare(network, onnx_export.to_onnx(network), 7, 7, 1)


def test_a_file_holds_the_model_and_its_spec(tmp_path: Path) -> None:
    network = small_network(komi_band=(6.5, 7.5))
    onnx_export.export(network, tmp_path / "neu ü" / "net.onnx")
    model = onnx.load(tmp_path / "neu ü" / "net.onnx")
    onnx.checker.check_model(model, full_check=True)
    compare(network, model, 5, 5, 1)
    properties = {entry.key: entry.value for entry in model.metadata_props}
    assert spec_from_json(json.loads(properties["move37_spec"])) == network.spec


def test_sizes_that_are_not_the_networks_are_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"is made for 5x5, not for 9x9\."):
        onnx_export.to_onnx(small_network(), (9, 9))
    with pytest.raises(NetworkFileError, match="could not be saved"):
        onnx_export.export(small_network(), tmp_path)


def test_a_network_too_large_for_the_format_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(onnx_export, "MAX_BYTES", 1000)
    with pytest.raises(NetworkFileError, match="too large"):
        onnx_export.to_onnx(small_network())
