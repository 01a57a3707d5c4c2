"""PUCT as one would write it on a blackboard: nodes are objects, a position is copied for each, nothing is batched.

The oracle of the compiled search with batches of one leaf. It takes the rules from `Position`, which has an oracle of
its own, and rounds priors to the tree's 16 bits. It keeps no tree between searches and adds no noise.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from move37.rules.color import Color
from move37.rules.position import Position
from move37.search.evaluator import Evaluations, Evaluator
from move37.search.puct import SearchConfig


class HashEvaluator:
    """Made-up but fixed answers for every position: a function of stones, player and passes alone."""

    def __init__(self, spread: float = 2.0) -> None:
        self.spread = spread
        self.batches: list[int] = []

    def evaluate(self, boards: NDArray[np.void]) -> Evaluations:
        """Logits within ± spread and values within ± 0.9, drawn from the hash of each position."""
        self.batches.append(len(boards))
        actions = int(boards[0]["rows"]) * int(boards[0]["cols"]) + 1
        policy = np.zeros((len(boards), actions), np.float32)
        value = np.zeros(len(boards), np.float32)
        for i, board in enumerate(boards):
            rng = np.random.default_rng([int(board["stones_hash"]), int(board["to_play"]), int(board["passes"])])
            policy[i] = rng.uniform(-self.spread, self.spread, actions)
            value[i] = rng.uniform(-0.9, 0.9)
        return Evaluations(policy, value)


@dataclass
class SlowNode:
    """A node with its position; `value_sum` is for the player to move there."""

    position: Position
    prior: float
    parent: SlowNode | None
    priors: dict[int, float] = field(default_factory=dict[int, float])
    children: dict[int, SlowNode] = field(default_factory=dict[int, "SlowNode"])
    visits: int = 0
    value_sum: float = 0.0
    result: float | None = None

    @property
    def q(self) -> float:
        """Mean value for the player who moved here."""
        return -self.value_sum / self.visits


def rounded(prior: float) -> float:
    """A prior as the tree keeps it."""
    return (max(1, int(math.sqrt(prior) * 65535 + 0.5)) / 65535) ** 2


def result_for_mover(position: Position) -> float:
    """1, -1 or 0 for the player to move in a finished game; 0 also after a long cycle."""
    if position.is_no_result:
        return 0.0
    margin = position.score().black_margin
    return float(np.sign(margin if position.to_play == Color.BLACK else -margin))


class SlowSearch:
    """The twin of `Search` with `batch=1`, fresh at each position."""

    def __init__(self, evaluator: Evaluator, config: SearchConfig) -> None:
        self.evaluator = evaluator
        self.config = config

    def run(self, position: Position, visits: int) -> SlowNode:
        """Search until the root has so many visits; the root."""
        root = SlowNode(position.copy(), 0.0, None)
        for _ in range(visits):
            self._simulate(root)
        return root

    def _simulate(self, root: SlowNode) -> None:
        node = root
        while node.priors:
            node = self._choose(node)
        if node.result is None and node.parent is not None and self._is_over(node.position):
            node.result = result_for_mover(node.position)
        value = self._expand(node) if node.result is None else node.result
        up: SlowNode | None = node
        while up is not None:
            up.visits += 1
            up.value_sum += value
            value, up = -value, up.parent

    def _is_over(self, position: Position) -> bool:
        limit = self.config.move_limit
        return position.is_over or (limit is not None and position.move_number >= limit)

    def _expand(self, node: SlowNode) -> float:
        answer = self.evaluator.evaluate(node.position.board_array)
        legal = np.flatnonzero(node.position.legal_mask())
        logits = answer.policy[0][legal].astype(np.float64)
        weights = np.exp(logits - logits.max())
        for action, weight in zip(legal, weights / weights.sum(), strict=True):
            node.priors[int(action)] = rounded(float(weight))
        return float(answer.value[0])

    def _choose(self, node: SlowNode) -> SlowNode:
        config = self.config
        total = max(1, node.visits - 1)
        c = config.c_puct + (math.log((node.visits + config.c_base) / config.c_base) if config.c_base else 0.0)
        visited = sum(node.priors[action] for action in node.children)
        urgency = max(-1.0, node.value_sum / node.visits - config.fpu_reduction * math.sqrt(visited))
        if config.fpu_value is not None:
            urgency = config.fpu_value

        def score(action: int) -> float:
            child = node.children.get(action)
            q, visits = (urgency, 0) if child is None else (child.q, child.visits)
            return q + c * node.priors[action] * math.sqrt(total) / (1 + visits)

        unvisited = [action for action in node.priors if action not in node.children]
        # Equal scores go to the oldest child, then to the first unvisited action.
        action = max([*node.children, *unvisited], key=score)
        if action not in node.children:
            position = node.position.copy()
            position.play(action)
            node.children[action] = SlowNode(position, node.priors[action], node)
        return node.children[action]


def all_nodes(root: SlowNode) -> list[SlowNode]:
    """The root and everything below it."""
    found: list[SlowNode] = []
    waiting = [root]
    while waiting:
        node = waiting.pop()
        found.append(node)
        waiting.extend(node.children.values())
    return found
