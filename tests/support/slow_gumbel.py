"""Gumbel AlphaZero as one would write it on a blackboard, over any game: the oracle of `GumbelSearch` with batch 1.

A `Model` is a game with made-up or real evaluations. Nodes are objects, a plan is a list, nothing is kept between
searches. It follows the paper (Danihelka et al. 2022), and where that leaves order open, the authors' library mctx:
`tests/data/mctx_gumbel.json` holds what mctx answers for `HashModel`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from move37.rules.position import Position
from move37.search.evaluator import Evaluator
from move37.search.gumbel import GumbelConfig
from tests.support.slow_search import result_for_mover, rounded


class Model(Protocol):
    """A game: states, their legal moves' priors, and values for the player to move."""

    def look(self, state: Any, root: bool) -> tuple[dict[int, float], float]:
        """The priors of the legal moves, none where the game is over, and the value."""
        ...

    def play(self, state: Any, action: int) -> Any:
        """The state after a move."""
        ...


@dataclass
class GumbelNode:
    """A node; `total` is the sum of its values for the player to move there."""

    state: Any
    priors: dict[int, float]
    own: float
    children: dict[int, GumbelNode] = field(default_factory=dict[int, "GumbelNode"])
    visits: int = 0
    total: float = 0.0

    def count(self, action: int) -> int:
        """Visits of a move."""
        return self.children[action].visits if action in self.children else 0

    def completed(self, action: int) -> float:
        """Q of a move, for the player to move; the mixed value if unvisited."""
        child = self.children.get(action)
        return self.mixed() if child is None else -child.total / child.visits

    def mixed(self) -> float:
        """Appendix D of the paper."""
        visits = sum(child.visits for child in self.children.values())
        if visits == 0:
            return self.own
        mass = sum(self.priors[action] for action in self.children)
        mean = sum(self.priors[action] * self.completed(action) for action in self.children) / mass
        return (self.own + visits * mean) / (1 + visits)

    def logits(self, config: GumbelConfig) -> dict[int, float]:
        """Improved logits of the legal moves."""
        most = max((child.visits for child in self.children.values()), default=0)
        scale = (config.c_visit + most) * config.c_scale
        return {action: math.log(prior) + scale * self.completed(action) for action, prior in self.priors.items()}

    def improved(self, config: GumbelConfig) -> dict[int, float]:
        """The improved policy."""
        logits = self.logits(config)
        weights = {action: math.exp(logit - max(logits.values())) for action, logit in logits.items()}
        return {action: weight / sum(weights.values()) for action, weight in weights.items()}


def plan(considered: int, simulations: int) -> list[int]:
    """Sequential halving, a pass at a time: the visits that the next move to be visited has had."""
    if considered == 1:
        return list(range(simulations))
    found: list[int] = []
    visits, left = 0, considered
    while len(found) < simulations:
        for _ in range(max(1, int(simulations / (math.ceil(math.log2(considered)) * left)))):
            found += [visits] * left
            visits += 1
        left = max(2, left // 2)
    return found[:simulations]


class SlowGumbel:
    """The twin of `GumbelSearch` with `batch=1`, fresh at each state."""

    def __init__(self, model: Model, config: GumbelConfig) -> None:
        self.model = model
        self.config = config

    def run(self, state: Any, simulations: int, noise: dict[int, float]) -> tuple[GumbelNode, int]:
        """Search; the root and the move chosen. noise: Gumbel numbers of the moves."""
        root = GumbelNode(state, *self.model.look(state, True))
        root.visits, root.total = 1, root.own
        for due in plan(min(self.config.considered, len(root.priors)), simulations):
            action = self._best(root, due, noise)
            self._simulate(root, action)
        return root, self._best(root, max(root.count(action) for action in root.priors), noise)

    def _best(self, root: GumbelNode, visits: int, noise: dict[int, float]) -> int:
        logits = root.logits(self.config)
        candidates = [action for action in sorted(root.priors) if root.count(action) == visits]
        return max(candidates, key=lambda action: logits[action] + noise[action])

    def _simulate(self, root: GumbelNode, action: int) -> None:
        path = [root]
        while True:
            node = path[-1]
            if action not in node.children:
                state = self.model.play(node.state, action)
                node.children[action] = GumbelNode(state, *self.model.look(state, False))
                path.append(node.children[action])
                break
            path.append(node.children[action])
            if not path[-1].priors:
                break
            action = self._furthest_behind(path[-1])
        value = path[-1].own
        for node in reversed(path):
            node.visits += 1
            node.total += value
            value = -value

    def _furthest_behind(self, node: GumbelNode) -> int:
        improved = node.improved(self.config)
        visits = sum(child.visits for child in node.children.values())
        # Equal scores go to the oldest child, then to the first unvisited action.
        order = [*node.children, *(action for action in sorted(node.priors) if action not in node.children)]
        return max(order, key=lambda action: improved[action] - node.count(action) / (1 + visits))


class GoModel:
    """Go under an evaluator, with priors rounded as the tree keeps them."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator

    def look(self, state: Position, root: bool) -> tuple[dict[int, float], float]:
        """See `Model`."""
        if state.is_over and not root:
            return {}, result_for_mover(state)
        answer = self.evaluator.evaluate(state.board_array)
        legal = np.flatnonzero(state.legal_mask())
        logits = answer.policy[0][legal].astype(np.float64)
        weights = np.exp(logits - logits.max())
        priors = {
            int(action): rounded(float(weight)) for action, weight in zip(legal, weights / weights.sum(), strict=True)
        }
        return priors, float(answer.value[0])

    def play(self, state: Position, action: int) -> Position:
        """See `Model`."""
        after = state.copy()
        after.play(action)
        return after


class HashModel:
    """A game without rules or end: priors and values are hashes of the moves played (32-bit arithmetic, as in mctx)."""

    def __init__(self, actions: int) -> None:
        self.actions = actions

    def look(self, state: int, root: bool) -> tuple[dict[int, float], float]:
        """See `Model`."""
        logits = [4.0 * part(mixed(state + 7919 * action + 1)) for action in range(self.actions)]
        total = sum(math.exp(logit) for logit in logits)
        return {action: math.exp(logit) / total for action, logit in enumerate(logits)}, 0.9 * part(mixed(state + 77))

    def play(self, state: int, action: int) -> int:
        """See `Model`."""
        return mixed(31 * state + action + 1)


def mixed(number: int) -> int:
    """A 32-bit hash."""
    number &= 0xFFFFFFFF
    for factor in (0x7FEB352D, 0x846CA68B):
        number = ((number ^ (number >> 16)) * factor) & 0xFFFFFFFF
    return number ^ (number >> 15)


def part(number: int) -> float:
    """A hash as a number in [-1, 1)."""
    return (number >> 8) / 2**23 - 1.0
