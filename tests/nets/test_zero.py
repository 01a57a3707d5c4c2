"""AlphaGo Zero's network: the paper's layers, sizes and parameter counts."""

from __future__ import annotations

import numpy as np
import pytest

from move37.errors import ConfigError
from move37.nets import ops
from move37.nets.fast_cpu import FastRunner
from move37.nets.graph import Network
from move37.nets.zero import without_helpers, zero_network
from tests.support.networks import small_network
from tests.support.slow_network import forward


def conv_and_norm(channels: int, filters: int, kernel: int) -> int:
    return channels * filters * kernel**2 + 4 * filters


def dense(inputs: int, outputs: int) -> int:
    return (inputs + 1) * outputs


def test_the_papers_layers_count_their_parameters() -> None:
    network = zero_network(blocks=3, filters=16, sizes=[19], rng=np.random.default_rng(0))
    tower = conv_and_norm(17, 16, 3) + 6 * conv_and_norm(16, 16, 3)
    policy = conv_and_norm(16, 2, 1) + dense(2 * 361, 362)
    value = conv_and_norm(16, 1, 1) + dense(361, 256) + dense(256, 1)
    assert network.graph.parameter_count == tower + policy + value
    assert network.output_shapes(19, 19) == {"policy": (362,), "value": (1,)}


def test_the_papers_depth() -> None:
    network = zero_network(blocks=19, filters=2, sizes=[19], rng=np.random.default_rng(0))
    kernels = [node.op.kernel for node in network.graph.nodes if isinstance(node.op, ops.Conv2d)]
    assert kernels.count(3) == 39
    assert kernels.count(1) == 2


def test_pooled_heads_serve_every_size_with_one_set_of_weights() -> None:
    network = zero_network(blocks=1, filters=8, sizes=[9, (7, 13)], head="pooled", rng=np.random.default_rng(0))
    for rows, cols in ((9, 9), (7, 13), (19, 19), (1, 1)):
        assert network.output_shapes(rows, cols) == {"policy": (rows * cols + 1,), "value": (1,)}
    assert network.spec.board_sizes == ((9, 9), (7, 13))


def test_weights_are_he_normal_and_come_from_the_generator() -> None:
    one, again, other = (zero_network(blocks=1, filters=64, sizes=[9], rng=np.random.default_rng(s)) for s in (1, 1, 2))
    weight = one.arrays["block0a_conv.weight"]
    np.testing.assert_array_equal(weight, again.arrays["block0a_conv.weight"])
    assert not np.array_equal(weight, other.arrays["block0a_conv.weight"])
    assert weight.std() == pytest.approx(np.sqrt(2 / (64 * 9)), rel=0.02)
    assert abs(weight.mean()) < 0.002
    assert (one.arrays["block0a_norm.variance"] == 1.0).all()
    assert (one.arrays["block0a_norm.weight"] == 1.0).all()
    assert not one.arrays["block0a_norm.mean"].any()
    assert not one.arrays["value_hidden.bias"].any()


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"head": "twin"}, "no head 'twin'; choose one of paper, pooled"),
        ({"sizes": [9, 19]}, 'use head="pooled"'),
        ({"sizes": [20]}, "Board sizes are 1 to 19"),
        ({"sizes": []}, "at least one"),
        ({"blocks": -1}, "0 to 1000 blocks"),
        ({"filters": 0}, "1 to 100000 filters"),
        ({"filters": 10**9}, "1 to 100000 filters"),
        ({"value_hidden": -1}, "heads of a network"),
    ],
)
def test_contradicting_options_are_refused(options: dict[str, object], reason: str) -> None:
    settings: dict[str, object] = {"blocks": 1, "filters": 4, "sizes": [9], "rng": np.random.default_rng(0)}
    with pytest.raises(ConfigError, match=reason):
        zero_network(**(settings | options))  # type: ignore[arg-type]  # options of several types


@pytest.mark.parametrize("head", ["paper", "pooled"])
def test_a_score_is_one_more_layer_on_the_values_hidden_one(head: str) -> None:
    plain, scored = (
        zero_network(blocks=1, filters=4, sizes=[5], head=head, score=score, rng=np.random.default_rng(0))
        for score in (False, True)
    )
    assert scored.output_shapes(5, 5) == plain.output_shapes(5, 5) | {"score": (1,)}
    assert scored.graph.parameter_count == plain.graph.parameter_count + dense(256, 1)
    for name, array in plain.arrays.items():
        np.testing.assert_array_equal(scored.arrays[name], array)
    assert not scored.arrays["score_dense.weight"].any()  # an even game to begin with


def helped(seed: int = 0) -> Network:
    options = {"score": True, "ownership": True, "opponent": True, "globals_": 3, "head": "pooled"}
    return small_network(seed, policy_filters=3, value_filters=4, **options)


def test_numbers_beside_the_planes_and_the_heads_of_self_play() -> None:
    network = helped()
    assert network.spec.globals == 3
    shapes = {"policy": (26,), "value": (1,), "score": (1,), "ownership": (1, 5, 5), "opponent": (26,)}
    assert network.output_shapes(5, 5) == shapes
    rng = np.random.default_rng(1)
    planes, numbers = (rng.normal(size=shape).astype(np.float32) for shape in ((2, 17, 5, 5), (2, 3)))
    outputs = forward(network, planes, numbers)
    other = forward(network, planes, numbers + np.float32(1))
    assert all(not np.allclose(outputs[name], other[name]) for name in shapes)


def test_a_network_that_plays_has_no_helpers_and_answers_the_same() -> None:
    network = helped()
    plays = without_helpers(network)
    assert plays.graph.outputs.keys() == {"policy", "value", "score", "ownership"}
    assert not any(name.startswith("opponent") for name in plays.arrays)
    planes, numbers = np.ones((1, 17, 5, 5), np.float32), np.ones((1, 3), np.float32)
    whole, fast = forward(network, planes, numbers), FastRunner(plays, 1).run(planes, numbers)
    for name, found in fast.items():
        np.testing.assert_allclose(found.ravel(), whole[name].ravel(), atol=2e-5)
    assert without_helpers(plays).graph == plays.graph


@pytest.mark.parametrize("option", ["ownership", "opponent"])
def test_the_papers_heads_have_no_ownership_and_no_opponent(option: str) -> None:
    with pytest.raises(ConfigError, match='need head="pooled"'):
        zero_network(blocks=1, filters=4, sizes=[5], rng=np.random.default_rng(0), **{option: True})  # type: ignore[arg-type]
