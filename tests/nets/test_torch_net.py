"""The torch module computes what the description says, learns, and gives the description back."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from torch import nn

from move37.nets import ops
from move37.nets.folding import fold_batch_norm
from move37.nets.graph import GLOBALS, SPATIAL, Graph, Network, NetworkSpec, Node
from move37.nets.torch_net import from_torch, inference_module, to_torch, with_training
from move37.nets.zero import initial_arrays
from tests.support.networks import small_network
from tests.support.slow_network import forward


def planes(rows: int, cols: int, batch: int = 3, channels: int = 17) -> NDArray[np.float32]:
    return np.random.default_rng(1).normal(size=(batch, channels, rows, cols)).astype(np.float32)


def every_op_network() -> Network:
    """A network without a meaning that uses every operation and setting."""
    nodes = (
        Node("wide", ops.Conv2d(3, 4, 5, dilation=2), (SPATIAL,)),
        Node("one", ops.Conv2d(3, 4, 1, bias=True), (SPATIAL,)),
        Node("both", ops.Add(), ("wide", "one")),
        Node("late_norm", ops.BatchNorm(4, epsilon=1e-2), ("both",)),
        Node("late_relu", ops.Relu(), ("late_norm",)),
        Node("shift", ops.Dense(2, 4, bias=False), (GLOBALS,)),
        Node("shifted", ops.Add(), ("late_relu", "shift")),
        Node("joined", ops.Concat(), ("shifted", "one")),
        Node("biased", ops.Conv2d(8, 2, 3, bias=True), ("joined",)),
        Node("biased_norm", ops.BatchNorm(2), ("biased",)),
        Node("flat", ops.Flatten(), ("biased_norm",)),
        Node("pool", ops.GlobalPool(("mean", "mean_sized", "max")), ("joined",)),
        Node("ends", ops.Concat(), ("flat", "pool")),
        Node("squashed", ops.Tanh(), ("ends",)),
        Node("value", ops.Dense(64, 1), ("squashed",)),
        Node("soft", ops.Mish(), ("joined",)),
        Node("gate", ops.Silu(), ("joined",)),
        Node("gated", ops.Multiply(), ("soft", "gate")),
        Node("point_rms", ops.RmsNorm(8, epsilon=1e-2), ("gated",)),
        Node("looked", ops.Attention(8, heads=4, kv_heads=2, key_size=6, value_size=3, rotary=True), ("point_rms",)),
        Node("plain_looked", ops.Attention(8, heads=2, kv_heads=2, key_size=3, value_size=5), ("looked",)),
        Node("board_rms", ops.RmsNorm(8, spatial=True, bias=True), ("plain_looked",)),
        Node("placed", ops.PointBias(4, 5), ("board_rms",)),
        Node("owner", ops.Conv2d(8, 1, 1), ("placed",)),
        Node("sized", ops.GlobalPool(("mean_sized_squared",)), ("board_rms",)),
        Node("biased_mean", ops.GlobalPool(("mean",)), ("biased_norm",)),
        Node("ahead", ops.Dense(2, 1), ("biased_mean",)),
    )
    graph = Graph(nodes, {"value": "value", "ownership": "owner", "misc": "sized", "score": "ahead"})
    rng = np.random.default_rng(2)
    arrays = {
        name: rng.uniform(0.2, 1.0, array.shape).astype(np.float32)
        for name, array in initial_arrays(graph, rng).items()
    }
    return Network(NetworkSpec("odd", "none", planes=3, globals=2, board_sizes=((4, 5),)), graph, arrays)


@pytest.mark.parametrize(("head", "rows", "cols"), [("paper", 5, 5), ("pooled", 5, 5), ("pooled", 4, 9)])
def test_outputs_equal_the_plain_twins(head: str, rows: int, cols: int) -> None:
    network = small_network(head=head)
    x = planes(rows, cols)
    expected = forward(network, x)
    with torch.no_grad():
        found = to_torch(network).eval()(torch.from_numpy(x))
    assert found["policy"].shape == (3, rows * cols + 1)
    assert found["value"].shape == (3,)
    np.testing.assert_allclose(found["policy"].numpy(), expected["policy"], atol=1e-4)
    np.testing.assert_allclose(found["value"].numpy(), expected["value"][:, 0], atol=1e-5)
    with torch.inference_mode():
        folded = inference_module(network)(torch.from_numpy(x))
    np.testing.assert_allclose(folded["policy"].numpy(), expected["policy"], atol=1e-4)
    np.testing.assert_allclose(folded["value"].numpy(), expected["value"][:, 0], atol=1e-5)


def test_every_operation_equals_the_plain_twin_and_folds_rightly() -> None:
    network = every_op_network()
    x, g = planes(4, 5, channels=3), np.random.default_rng(3).normal(size=(3, 2)).astype(np.float32)
    expected = forward(network, x, g)
    with torch.no_grad():
        found = to_torch(network).eval()(torch.from_numpy(x), torch.from_numpy(g))
    np.testing.assert_allclose(found["value"].numpy(), expected["value"][:, 0], rtol=1e-4)
    for output in ("ownership", "misc", "score"):
        np.testing.assert_allclose(found[output].numpy(), expected[output], rtol=1e-4, atol=1e-5)
    folded = fold_batch_norm(network)
    norms = [node.name for node in folded.graph.nodes if isinstance(node.op, ops.BatchNorm)]
    assert norms == ["late_norm"]  # it follows a sum
    for output, values in forward(folded, x, g).items():
        np.testing.assert_allclose(values, expected[output], rtol=1e-5, atol=1e-5)


def test_a_norm_after_a_sum_that_nothing_else_reads_is_folded_into_its_parts() -> None:
    nodes = (
        Node("one", ops.Conv2d(3, 4, 3), (SPATIAL,)),
        Node("two", ops.Conv2d(3, 4, 1, bias=True), (SPATIAL,)),
        Node("both", ops.Add(), ("one", "two")),
        Node("shift", ops.Dense(2, 4), (GLOBALS,)),
        Node("shifted", ops.Add(), ("both", "shift")),
        Node("norm", ops.BatchNorm(4, 1e-2), ("shifted",)),
        Node("again", ops.Add(), ("norm", "norm")),
        Node("last_norm", ops.BatchNorm(4), ("again",)),
        Node("pool", ops.GlobalPool(("mean", "max")), ("last_norm",)),
    )
    graph = Graph(nodes, {"misc": "pool"})
    rng = np.random.default_rng(4)
    arrays = {name: rng.uniform(0.2, 1, shape).astype(np.float32) for name, shape in graph.parameter_shapes().items()}
    network = Network(NetworkSpec("sums", "none", planes=3, globals=2), graph, arrays)
    folded = fold_batch_norm(network)
    assert [node.name for node in folded.graph.nodes if isinstance(node.op, ops.BatchNorm)] == ["last_norm"]
    assert folded.arrays["one.bias"].shape == (4,)
    assert "norm" not in folded.graph.uses()
    x, g = planes(4, 5, channels=3), np.random.default_rng(3).normal(size=(3, 2)).astype(np.float32)
    np.testing.assert_allclose(forward(folded, x, g)["misc"], forward(network, x, g)["misc"], rtol=1e-5)


def test_folding_keeps_a_convolution_that_something_else_reads() -> None:
    nodes = (
        Node("conv", ops.Conv2d(3, 3, 1), (SPATIAL,)),
        Node("norm", ops.BatchNorm(3), ("conv",)),
        Node("sum", ops.Add(), ("norm", "conv")),
    )
    graph = Graph(nodes, {"ownership": "sum"})
    network = Network(NetworkSpec("fork", "none", planes=3), graph, initial_arrays(graph, np.random.default_rng(0)))
    assert fold_batch_norm(network).graph == graph


def test_parameters_are_named_as_in_the_description() -> None:
    network = small_network()
    module = to_torch(network)
    names = {name for name, _ in module.named_parameters()}
    assert names < network.arrays.keys()
    assert network.arrays.keys() - names == {n for n in network.arrays if n.endswith((".mean", ".variance"))}


def test_a_module_gives_its_description_back() -> None:
    network = small_network(head="pooled")
    module = to_torch(network)
    again = from_torch(module)
    assert again.graph == network.graph
    assert again.spec == network.spec
    for name, array in network.arrays.items():
        np.testing.assert_array_equal(again.arrays[name], array)
    with torch.no_grad():
        next(module.parameters()).zero_()
    assert network.arrays["input_conv.weight"].any()  # arrays are copies, both ways
    assert again.arrays["input_conv.weight"].any()


def test_training_changes_weights_and_running_statistics() -> None:
    network = small_network()
    module = to_torch(network)
    optimizer = torch.optim.SGD(module.parameters(), lr=0.05)
    x, target = torch.from_numpy(planes(5, 5, batch=16)), torch.linspace(-0.9, 0.9, 16)
    losses = []
    for _ in range(60):
        outputs = module(x)
        loss = nn.functional.mse_loss(outputs["value"], target) + nn.functional.cross_entropy(
            outputs["policy"], torch.arange(16)
        )
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]  # torch leaves it untyped
        optimizer.step()
        losses.append(loss.item())
    assert losses[-1] < 0.5 * losses[0]
    trained = from_torch(module)
    unchanged = [name for name, array in network.arrays.items() if np.array_equal(trained.arrays[name], array)]
    assert unchanged == []
    expected = forward(trained, x.numpy())
    with torch.no_grad():
        np.testing.assert_allclose(module.eval()(x)["policy"].numpy(), expected["policy"], atol=1e-3)


def test_a_training_summary_goes_into_the_spec() -> None:
    network = small_network()
    told = with_training(network, {"steps": 10})
    assert told.spec.training == {"steps": 10}
    assert not network.spec.training
