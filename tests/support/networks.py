"""Small networks and stub evaluators for tests."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from move37.nets.graph import Network
from move37.nets.ops import BatchNorm
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
            elif name.endswith("bias"):
                arrays[name] = rng.normal(size=shape).astype(np.float32)
    return Network(network.spec, network.graph, arrays)


class StonesEvaluator:
    """Answers from the stones alone, each point weighing differently; `batches` keeps what it was asked."""

    def __init__(self, ownership: bool = False) -> None:
        self.batches: list[NDArray[Any]] = []
        self._ownership = ownership

    def evaluate(self, boards: NDArray[Any]) -> Evaluations:
        self.batches.append(boards.copy())
        rows, cols = int(boards[0]["rows"]), int(boards[0]["cols"])
        cells = boards["stones"][:, :420].reshape(len(boards), 21, 20)[:, 1 : rows + 1, 1 : cols + 1]
        stones = cells.astype(np.float32).reshape(len(boards), rows * cols)
        ramp = np.linspace(0.1, 1.0, rows * cols, dtype=np.float32)
        score = (stones * ramp).sum(axis=1, keepdims=True)
        policy = np.concatenate([stones * 0.3 + ramp * score * 0.01, score * 0.1], axis=1).astype(np.float32)
        value = np.tanh(score[:, 0] * 0.1 + boards["komi"] * 0.001).astype(np.float32)
        ownership = (stones * ramp * 0.1).reshape(len(boards), rows, cols) if self._ownership else None
        return Evaluations(policy, value, score_mean=score[:, 0], ownership=ownership)
