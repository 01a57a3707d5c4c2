"""Descriptions: contradictions are named, shapes follow, JSON keeps everything."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest

from move37.nets import ops
from move37.nets.graph import GLOBALS, SPATIAL, Graph, GraphError, KataGoSpec, Network, NetworkSpec, Node, output_shapes
from move37.nets.graph_json import graph_from_json, graph_to_json, spec_from_json, spec_to_json
from tests.support.networks import small_network

SPEC = NetworkSpec("tiny", "zero17", planes=17)


def graph(*nodes: Node, **outputs: str) -> Graph:
    return Graph(nodes, outputs)


@pytest.mark.parametrize(
    ("nodes", "reason"),
    [
        ([Node("a", ops.Relu(), ("b",)), Node("b", ops.Relu(), (SPATIAL,))], "come before"),
        ([Node("a", ops.Relu(), (SPATIAL,)), Node("a", ops.Relu(), (SPATIAL,))], "two nodes are named 'a'"),
        ([Node("a.b", ops.Relu(), (SPATIAL,))], "lower-case"),
        ([Node("a", ops.Relu(), ())], "reads nothing"),
    ],
)
def test_contradicting_nodes_are_named(nodes: list[Node], reason: str) -> None:
    with pytest.raises(GraphError, match=reason):
        graph(*nodes)


def test_outputs_are_known_names_of_known_nodes() -> None:
    node = Node("a", ops.Relu(), (SPATIAL,))
    for outputs in ({"policy": "b"}, {"polite": "a"}):
        with pytest.raises(GraphError, match="outputs are policy, optimistic, value, value_logits"):
            graph(node, **outputs)


@pytest.mark.parametrize(
    ("node", "reason"),
    [
        (Node("a", ops.Conv2d(16, 4, 3), (SPATIAL,)), "expects 16 channels"),
        (Node("a", ops.Conv2d(17, 4, 2), (SPATIAL,)), "odd kernel"),
        (Node("a", ops.Dense(17, 4), (SPATIAL,)), "rank 1"),
        (Node("a", ops.Dense(4, 4), (GLOBALS,)), "expects 4 inputs, not 3"),
        (Node("a", ops.BatchNorm(5), (SPATIAL,)), "expects 5 channels"),
        (Node("a", ops.Add(), (SPATIAL, GLOBALS)), "cannot add"),
        (Node("a", ops.Concat(), (SPATIAL, GLOBALS)), "cannot join"),
        (Node("a", ops.GlobalPool(("median",)), (SPATIAL,)), "poolings are"),
        (Node("a", ops.Flatten(), (GLOBALS,)), "rank 3"),
        (Node("a", ops.RmsNorm(5), (SPATIAL,)), "expects 5 channels"),
        (Node("a", ops.Multiply(), (SPATIAL, GLOBALS)), "cannot multiply"),
        (Node("a", ops.Attention(5, 2, 2, 4, 4), (SPATIAL,)), "expects 5 channels"),
        (Node("a", ops.Attention(17, 3, 2, 4, 4), (SPATIAL,)), "3 heads cannot share 2"),
        (Node("a", ops.Attention(17, 2, 2, 3, 4, rotary=True), (SPATIAL,)), "3 channels are odd"),
    ],
)
def test_the_first_node_that_does_not_fit_is_named(node: Node, reason: str) -> None:
    with pytest.raises(GraphError, match=rf"node 'a': .*{reason}"):
        graph(node).node_shapes((17, 5, 5), (3,))


def test_shapes_of_every_operation() -> None:
    nodes = (
        Node("conv", ops.Conv2d(17, 4, 3, dilation=2), (SPATIAL,)),
        Node("bias", ops.Dense(3, 4), (GLOBALS,)),
        Node("sum", ops.Add(), ("conv", "bias")),
        Node("both", ops.Concat(), ("sum", "conv")),
        Node("pool", ops.GlobalPool(("mean", "max")), ("both",)),
        Node("flat", ops.Flatten(), ("both",)),
    )
    shapes = graph(*nodes).node_shapes((17, 5, 6), (3,))
    assert shapes["sum"] == (4, 5, 6)
    assert shapes["both"] == (8, 5, 6)
    assert shapes["pool"] == (16,)
    assert shapes["flat"] == (240,)


def test_arrays_must_be_those_of_the_graph() -> None:
    node = Node("a", ops.Dense(2, 1), (GLOBALS,))
    good = {"a.weight": np.zeros((1, 2), np.float32), "a.bias": np.zeros(1, np.float32)}
    assert Network(SPEC, graph(node), good).graph.parameter_count == 3
    with pytest.raises(GraphError, match=r"a\.bias"):
        Network(SPEC, graph(node), {"a.weight": good["a.weight"]})
    with pytest.raises(GraphError, match=r"'a\.weight' is float64\(1, 2\), expected float32\(1, 2\)"):
        Network(SPEC, graph(node), good | {"a.weight": np.zeros((1, 2))})  # type: ignore[arg-type]  # the fault tested
    with pytest.raises(GraphError, match=r"'a\.bias'"):
        Network(SPEC, graph(node), good | {"a.bias": np.zeros(2, np.float32)})


def test_a_spec_says_what_it_supports() -> None:
    assert NetworkSpec("any", "zero17", 17).supports(13, 7)
    spec = NetworkSpec("some", "zero17", 17, board_sizes=((9, 9), (7, 13)))
    assert spec.supports(7, 13)
    assert not spec.supports(13, 7)
    assert spec.sizes_text() == "9x9, 7x13"


@pytest.mark.parametrize("head", ["paper", "pooled"])
def test_json_keeps_everything(head: str) -> None:
    network = small_network(head=head, komi_band=(5.5, 7.5), name="klein ü")
    assert graph_from_json(json.loads(json.dumps(graph_to_json(network.graph)))) == network.graph
    assert spec_from_json(json.loads(json.dumps(spec_to_json(network.spec)))) == network.spec


def test_json_keeps_what_a_katago_network_says_of_itself() -> None:
    spec = NetworkSpec("kata", "katago22", 22, 19, katago=KataGoSpec(14, score_error=150.0, suicide_area=True))
    values = json.loads(json.dumps(spec_to_json(spec)))
    assert spec_from_json(values) == spec
    values["katago"]["lead"] = -1
    with pytest.raises(ValueError, match="lead of a KataGo network cannot be -1"):
        spec_from_json(values)
    del values["katago"]  # as in files written before there was such a key
    assert spec_from_json(values).katago is None


@pytest.mark.parametrize(
    ("output", "node", "found"),
    [
        ("policy", Node("a", ops.Conv2d(17, 1, 1), (SPATIAL,)), "(1, 5, 5)"),
        ("optimistic", Node("a", ops.Flatten(), (SPATIAL,)), "(425,)"),
        ("value_logits", Node("a", ops.Dense(3, 2), (GLOBALS,)), "(2,)"),
        ("ownership", Node("a", ops.Conv2d(17, 2, 1), (SPATIAL,)), "(2, 5, 5)"),
    ],
)
def test_outputs_have_their_shapes(output: str, node: Node, found: str) -> None:
    with pytest.raises(GraphError, match=rf"{output} has shape {re.escape(found)} on 5x5"):
        output_shapes(NetworkSpec("tiny", "none", 17, 3), graph(node, **{output: "a"}), 5, 5)


def test_foreign_json_is_refused() -> None:
    values = graph_to_json(small_network().graph)
    values["nodes"][0]["op"] = "Conv3d"
    with pytest.raises(ValueError, match="unknown operation 'Conv3d'"):
        graph_from_json(values)
    with pytest.raises(ValueError, match="keys among"):
        spec_from_json(spec_to_json(SPEC) | {"colour": "red"})
    with pytest.raises(ValueError, match="planes should be int"):
        spec_from_json(spec_to_json(SPEC) | {"planes": "17"})
