"""AlphaGo's networks of 2016: the paper's layers and parameter counts, the rule for pass, and every way to run them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from move37.errors import ConfigError
from move37.features import get_encoder
from move37.nets import ops
from move37.nets.alphago import policy_network, two_headed_network, value_network
from move37.nets.fast_cpu import FastRunner
from move37.nets.folding import fold
from move37.nets.graph import Network
from move37.nets.torch_net import inference_module
from move37.nets.weights import load, save
from tests.support.slow_network import forward

RNG = np.random.default_rng(0)


def kernels(network: Network) -> list[int]:
    return [node.op.kernel for node in network.graph.nodes if isinstance(node.op, ops.Conv2d)]


def test_the_policy_network_of_48_planes_and_192_filters_has_the_papers_layers_and_parameters() -> None:
    network = policy_network(sizes=[19], rng=RNG)
    assert network.graph.parameter_count == 230_592 + 11 * 331_968 + 193 == 3_882_433
    assert kernels(network) == [5, *[3] * 11, 1]
    assert network.output_shapes(19, 19) == {"policy": (362,)}
    assert network.spec.encoder == "alphago48"
    assert network.spec.planes == get_encoder("alphago48").planes


def test_a_bias_for_each_point_is_the_papers_and_replaces_the_shared_one() -> None:
    network = policy_network(sizes=[19], rng=RNG, point_bias=True)
    assert network.graph.parameter_count == 3_882_433 - 1 + 361
    assert network.arrays["policy_bias.bias"].shape == (19, 19)


def test_the_value_network_has_the_papers_layers_and_parameters() -> None:
    network = value_network(size=19, rng=RNG)
    first, middle, last = 49 * 25 * 192 + 192, 331_968, 193
    assert network.graph.parameter_count == first + 11 * middle + last + (361 + 1) * 256 + 257
    assert kernels(network) == [5, *[3] * 11, 1]
    assert network.output_shapes(19, 19) == {"value": (1,)}
    assert network.spec.planes == get_encoder(network.spec.encoder).planes == 49
    assert [type(node.op).__name__ for node in network.graph.nodes[-6:]] == [
        "Conv2d",
        "Flatten",
        "Dense",
        "Relu",
        "Dense",
        "Tanh",
    ]


def test_norms_and_skips_fold_into_the_papers_shape_and_change_nothing() -> None:
    rng = np.random.default_rng(5)
    network = policy_network(sizes=[7], rng=rng, filters=6, convolutions=3, norm=True, skip=True, learn_pass=True)
    shaken = {
        name: array + rng.uniform(0.1, 0.3, array.shape).astype(np.float32) for name, array in network.arrays.items()
    }
    trained = Network(network.spec, network.graph, shaken)
    plain = fold(trained)
    shape = policy_network(sizes=[7], rng=rng, filters=6, convolutions=3, learn_pass=True)
    assert plain.graph == shape.graph and plain.spec.pass_rule == "trained"
    planes = rng.normal(size=(2, 48, 7, 7)).astype(np.float32)
    before, after = (forward(one, planes, None)["policy"] for one in (trained, plain))
    np.testing.assert_allclose(before, after, rtol=1e-4, atol=1e-4)
    np.testing.assert_allclose(
        FastRunner(trained).run(planes, np.zeros((2, 0), np.float32))["policy"], before, rtol=1e-3, atol=1e-3
    )


def test_one_shared_bias_serves_every_board_size() -> None:
    network = policy_network(sizes=[9, (5, 7)], rng=RNG, filters=4, convolutions=2)
    assert network.spec.board_sizes == ((9, 9), (5, 7))
    assert network.output_shapes(13, 13) == {"policy": (170,)}


@pytest.mark.parametrize("point_bias", [False, True])
def test_the_logit_of_pass_is_the_mean_of_the_points(point_bias: bool) -> None:
    network = policy_network(sizes=[(5, 7)], rng=RNG, filters=6, convolutions=3, planes=3, point_bias=point_bias)
    if point_bias:
        network.arrays["policy_bias.bias"][:] = RNG.normal(size=(5, 7))
    x = RNG.normal(size=(2, 3, 5, 7)).astype(np.float32)
    expected = forward(network, x)["policy"]
    np.testing.assert_allclose(expected[:, -1], expected[:, :-1].mean(axis=1))
    assert network.spec.pass_rule == "mean"
    with torch.inference_mode():
        found = inference_module(network)(torch.from_numpy(x))["policy"]
    np.testing.assert_allclose(found.numpy(), expected, atol=1e-4)
    fast = FastRunner(network).run(x, np.zeros((2, 0), np.float32))["policy"]
    np.testing.assert_allclose(fast, expected, atol=1e-4)


def test_networks_are_stored_with_their_rule_and_biases(tmp_path: Path) -> None:
    path = tmp_path / "policy.safetensors"
    network = policy_network(sizes=[5], rng=RNG, filters=4, convolutions=2, point_bias=True)
    save(network, path)
    again = load(path)
    assert again.spec.pass_rule == "mean"
    assert again.graph == network.graph


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"sizes": [9, 19], "point_bias": True}, "A bias for each point serves one board size"),
        ({"sizes": [20]}, "Board sizes are 1 to 19"),
        ({"sizes": []}, "at least one"),
        ({"convolutions": 0}, "1 to 1000 convolutions, not 0"),
        ({"filters": 0}, "1 to 100000 filters"),
        ({"filters": 10**9}, "1 to 100000 filters"),
    ],
)
def test_contradicting_options_are_refused(options: dict[str, object], reason: str) -> None:
    settings: dict[str, object] = {"sizes": [9], "rng": RNG, "filters": 4}
    with pytest.raises(ConfigError, match=reason):
        policy_network(**(settings | options))  # type: ignore[arg-type]  # options of several types


def test_the_value_network_is_for_one_size() -> None:
    with pytest.raises(ConfigError, match="Board sizes are 1 to 19"):
        value_network(size=20, rng=RNG)
    with pytest.raises(ConfigError, match="hidden units"):
        value_network(size=9, rng=RNG, hidden=0)


def test_both_in_one_begin_with_a_policy_networks_moves_and_no_opinion_of_who_wins() -> None:
    policy = policy_network(
        sizes=[5],
        rng=RNG,
        filters=8,
        convolutions=3,
        learn_pass=True,
        norm=True,
        skip=True,
        encoder="alphago49",
        planes=49,
    )
    both = two_headed_network(
        sizes=[5, 7],
        rng=RNG,
        filters=8,
        convolutions=3,
        value_filters=4,
        hidden=6,
        score=True,
        ownership=True,
        norm=True,
        skip=True,
    )
    assert both.output_shapes(7, 7) == {"policy": (50,), "value": (1,), "score": (1,), "ownership": (1, 7, 7)}
    both = Network(both.spec, both.graph, {**both.arrays, **policy.arrays})
    planes = np.random.default_rng(1).random((3, 49, 5, 5), np.float32)
    numbers = np.empty((3, 0), np.float32)
    found = FastRunner(both).run(planes, numbers)
    np.testing.assert_allclose(found["policy"], FastRunner(policy).run(planes, numbers)["policy"], atol=1e-5)
    assert not found["value"].any() and not found["score"].any() and not found["ownership"].any()


def test_both_in_one_count_the_points_they_foretell() -> None:
    rng = np.random.default_rng(2)
    network = two_headed_network(
        sizes=[5], rng=rng, filters=8, convolutions=2, value_filters=4, hidden=6, ownership=True
    )
    arrays = dict(network.arrays)
    units = arrays["value_hidden.weight"][:, -1]  # each hidden unit's weight of the share of the points that is owned
    assert 1.0 < np.abs(units).max() < 30.0
    arrays["value_hidden.weight"][:, :-1] = 0.0
    arrays["value_dense.weight"][:] = 0.01
    for logit in (0.5, 3.0, -9.0):
        arrays["ownership_conv.bias"][:] = logit
        found = forward(Network(network.spec, network.graph, arrays), np.zeros((1, 49, 5, 5), np.float32), None)
        wanted = np.tanh(0.01 * np.maximum(units * np.tanh(logit), 0.0).sum())
        assert found["value"].ravel()[0] == pytest.approx(wanted, abs=1e-5)


def test_both_in_one_give_the_same_by_every_runner() -> None:
    rng = np.random.default_rng(3)
    network = two_headed_network(
        sizes=[5], rng=rng, filters=8, convolutions=2, value_filters=4, hidden=6, score=True, ownership=True, norm=True
    )
    arrays = {name: rng.normal(0.1, 0.3, array.shape).astype(np.float32) for name, array in network.arrays.items()}
    arrays |= {name: np.abs(array) + np.float32(0.1) for name, array in arrays.items() if name.endswith("variance")}
    network = Network(network.spec, network.graph, arrays)
    planes = rng.random((4, 49, 5, 5), np.float32)
    fast = FastRunner(network).run(planes, np.empty((4, 0), np.float32))
    with torch.inference_mode():
        by_torch = inference_module(network)(torch.from_numpy(planes), torch.empty(4, 0))
    for name, output in fast.items():
        np.testing.assert_allclose(output, by_torch[name].numpy().reshape(output.shape), rtol=1e-4, atol=1e-4)
