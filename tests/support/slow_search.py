"""PUCT as one would write it on a blackboard: nodes are objects, a position is copied for each.

The oracle of the compiled search. It takes the rules from `Position`, which has an oracle of its own, and rounds priors
to the tree's 16 bits. It keeps no tree between searches and adds no noise.
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
    pending: int = 0
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


def _path(node: SlowNode) -> list[SlowNode]:
    """The node and all above it."""
    return [node] if node.parent is None else [node, *_path(node.parent)]


def _back_up(node: SlowNode, value: float) -> None:
    for above in _path(node):
        above.visits += 1
        above.value_sum += value
        value = -value


class SlowSearch:
    """The twin of `Search`, fresh at each position."""

    def __init__(self, evaluator: Evaluator, config: SearchConfig) -> None:
        self.evaluator = evaluator
        self.config = config

    def run(self, position: Position, visits: int) -> SlowNode:
        """Search until the root has so many visits; the root."""
        root = SlowNode(position.copy(), 0.0, None)
        self._batch(root, 1)
        while root.visits < visits:
            self._batch(root, min(visits - root.visits, self.config.batch, max(1, visits // 16)))
        return root

    def _batch(self, root: SlowNode, most: int) -> None:
        """At most so many simulations, whose leaves wait for each other; one that meets a waiting leaf is the last."""
        waiting: list[SlowNode] = []
        for _ in range(most):
            node = root
            while node.priors:
                node = self._choose(node)
            if node.pending:
                break
            if node.result is None and node.parent is not None and self._is_over(node.position):
                node.result = result_for_mover(node.position)
            if node.result is None:
                waiting.append(node)
                for above in _path(node):
                    above.pending += 1
            else:
                _back_up(node, node.result)
        for node in waiting:
            value = self._expand(node)
            for above in _path(node):
                above.pending -= 1
            _back_up(node, value)

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
        visits = node.visits - 1 + config.virtual_loss * node.pending
        total = max(1, visits)
        c = config.c_puct + (math.log((visits + 1 + config.c_base) / config.c_base) if config.c_base else 0.0)
        visited = sum(node.priors[action] for action in node.children)
        urgency = max(-1.0, node.value_sum / node.visits - config.fpu_reduction * math.sqrt(visited))
        if config.fpu_value is not None:
            urgency = config.fpu_value

        def score(action: int) -> float:
            child = node.children.get(action)
            if child is None:
                return urgency + c * node.priors[action] * math.sqrt(total)
            under_way = config.virtual_loss * child.pending
            q, count = urgency, child.visits + under_way
            if config.virtual_loss_kind == "loss":
                q = (-child.value_sum - under_way) / count
            elif child.visits:
                q = child.q
            if node.parent is None and count < math.sqrt(config.forced_playouts * node.priors[action] * visits):
                return math.inf
            return q + c * node.priors[action] * math.sqrt(total) / (1 + count)

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
