"""Small networks and stub evaluators for tests."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from move37.nets.alphago import policy_network, value_network
from move37.nets.graph import Graph, KataGoSpec, Network, NetworkSpec, Node
from move37.nets.ops import Add, BatchNorm, Concat, Conv2d, Dense, Flatten, GlobalPool, Relu
from move37.nets.zero import zero_network
from move37.search.evaluator import Evaluations


def small_network(seed: int = 0, **options: Any) -> Network:
    """A tower of two narrow blocks whose norms have uneven statistics, as after training."""
    rng = np.random.default_rng(seed)
    settings: dict[str, Any] = {"blocks": 2, "filters": 8, "sizes": [5], "value_hidden": 6, "rng": rng}
    network = zero_network(**(settings | options))
    arrays = {name: np.array(array) for name, array in network.arrays.items()}
    for node in network.graph.nodes:
        for name, shape in node.parameter_shapes().items():
            if isinstance(node.op, BatchNorm):
                low = 0.5 if name.endswith(("weight", "variance")) else -0.5
                arrays[name] = rng.uniform(low, low + 1.0, shape).astype(np.float32)
            elif name.endswith("bias") or node.name == "score_dense":  # which begins with zeros
                arrays[name] = rng.normal(size=shape).astype(np.float32)
    return Network(network.spec, network.graph, arrays)


def small_policy(*sizes: int) -> Network:
    """A policy network of AlphaGo's form, without a value, for boards of the sizes (default: 5)."""
    return policy_network(sizes=sizes or (5,), rng=np.random.default_rng(1), filters=4, convolutions=2)


def small_value(size: int = 5) -> Network:
    """A value network of AlphaGo's form, without a policy."""
    return value_network(size=size, rng=np.random.default_rng(2), filters=4, convolutions=2, hidden=4)


def katago_network(seed: int = 0, version: int = 14, channels: int = 6) -> Network:
    """A network of KataGo's form for every board size: its inputs, all its heads, one layer between; random weights."""
    rng = np.random.default_rng(seed)
    nodes = [
        Node("input", Conv2d(22, channels, 3), ("spatial",)),
        Node("numbers", Dense(19, channels), ("globals",)),
        Node("sum", Add(), ("input", "numbers")),
        Node("trunk", Relu(), ("sum",)),
        Node("pool", GlobalPool(("mean", "mean_sized", "max")), ("trunk",)),
        Node("value", Dense(3 * channels, 3, bias=True), ("pool",)),
        Node("misc", Dense(3 * channels, 6, bias=True), ("pool",)),
        Node("ownership", Conv2d(channels, 1, 1), ("trunk",)),
    ]
    outputs = {"value_logits": "value", "misc": "misc", "ownership": "ownership"}
    for name in ("policy", "optimistic"):
        nodes += [
            Node(f"{name}_conv", Conv2d(channels, 1, 1), ("trunk",)),
            Node(f"{name}_points", Flatten(), (f"{name}_conv",)),
            Node(f"{name}_pass", Dense(3 * channels, 1), ("pool",)),
            Node(f"{name}_logits", Concat(), (f"{name}_points", f"{name}_pass")),
        ]
        outputs[name] = f"{name}_logits"
    graph = Graph(tuple(nodes), outputs)
    spec = NetworkSpec("small-katago", "katago22", 22, 19, katago=KataGoSpec(version))
    shapes = graph.parameter_shapes()
    arrays = {name: rng.normal(0, 0.4, shape).astype(np.float32) for name, shape in shapes.items()}
    return Network(spec, graph, arrays)


class StonesEvaluator:
    """Answers from the stones alone, each point weighing differently; `batches` keeps what it was asked.

    `full` answers every field of `Evaluations`, all different.
    """

    def __init__(self, full: bool = False) -> None:
        self.batches: list[NDArray[Any]] = []
        self._full = full

    def evaluate(self, boards: NDArray[Any]) -> Evaluations:
        self.batches.append(boards.copy())
        rows, cols = int(boards[0]["rows"]), int(boards[0]["cols"])
        cells = boards["stones"][:, :420].reshape(len(boards), 21, 20)[:, 1 : rows + 1, 1 : cols + 1]
        stones = cells.astype(np.float32).reshape(len(boards), rows * cols)
        ramp = np.linspace(0.1, 1.0, rows * cols, dtype=np.float32)
        score = (stones * ramp).sum(axis=1, keepdims=True)
        policy = np.concatenate([stones * 0.3 + ramp * score * 0.01, score * 0.1], axis=1).astype(np.float32)
        value = np.tanh(score[:, 0] * 0.1 + boards["komi"] * 0.001).astype(np.float32)
        if not self._full:
            return Evaluations(policy, value, score_mean=score[:, 0])
        numbers = ("lead", "score_mean", "score_stdev", "no_result", "variance_time", "winloss_error", "score_error")
        more = {name: (score[:, 0] * (1 + i)).astype(np.float32) for i, name in enumerate(numbers)}
        ownership = (stones * ramp * 0.1).reshape(len(boards), rows, cols)
        return Evaluations(policy, value, ownership=ownership, optimistic=policy * np.float32(0.5) + 1, **more)


class OwnershipEvaluator:
    """Says of every stone that it belongs to its own side by `share` in [-1, 1], and of empty points nothing."""

    def __init__(self, share: float) -> None:
        self.batches: list[NDArray[Any]] = []
        self._share = share

    def evaluate(self, boards: NDArray[Any]) -> Evaluations:
        self.batches.append(boards.copy())
        rows, cols = int(boards[0]["rows"]), int(boards[0]["cols"])
        stones = boards["stones"][:, :420].reshape(len(boards), 21, 20)[:, 1 : rows + 1, 1 : cols + 1]
        own = stones == boards["to_play"][:, None, None]
        signs = np.where(stones == 0, 0, np.where(own, 1, -1)).astype(np.float32)
        policy, value = np.zeros((len(boards), rows * cols + 1), np.float32), np.zeros(len(boards), np.float32)
        return Evaluations(policy, value, ownership=signs * np.float32(self._share))
