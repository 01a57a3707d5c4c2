"""AlphaGo's mixed search as one would write it on a blackboard: nodes are objects, each keeps its position.

The oracle of the compiled search driven in turn, waves and queues included. It takes the rules from `Position` and
rounds priors to the tree's 16 bits. It keeps no tree between searches and knows no limits but visits.
"""

from __future__ import annotations

import math
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from move37.rules.color import Color
from move37.rules.position import Position
from move37.search.evaluator import Evaluator
from move37.search.mixed import MixedConfig
from move37.search.rollouts import Played
from tests.support.slow_search import result_for_mover, rounded


class HashRollouts:
    """Made-up rollouts: each result is drawn from the position's hash and the rollout's number."""

    def __init__(self, bound: int = 12) -> None:
        self.bound = bound
        self.played = 0

    def margin(self, stones_hash: int) -> int:
        """Black's area margin of the next rollout."""
        rng = np.random.default_rng([stones_hash, self.played])
        self.played += 1
        return int(rng.integers(-self.bound, self.bound + 1))

    def submit(self, boards: NDArray[Any], games: int = 1, *, keep_owners: bool = False) -> Future[Played]:
        """As `search.rollouts.Rollouts.submit`."""
        margins = np.array([[self.margin(int(board["stones_hash"])) for _ in range(games)] for board in boards])
        done: Future[Played] = Future()
        done.set_result(Played(margins.reshape(len(boards), games).astype(np.int16)))
        return done


class HashWeights:
    """A made-up tree policy: weights drawn from the position's hash; a fifth of the moves weigh nothing."""

    def __init__(self) -> None:
        self.asked = 0

    def weights(self, boards: NDArray[Any]) -> NDArray[np.float32]:
        """Weights float32[B, A]."""
        self.asked += len(boards)
        actions = int(boards[0]["rows"]) * int(boards[0]["cols"]) + 1
        rows = [np.random.default_rng([int(board["stones_hash"]), 5]).uniform(-0.2, 0.8, actions) for board in boards]
        return np.maximum(0.0, np.array(rows)).astype(np.float32)


@dataclass(eq=False)
class SlowMixedNode:
    """A position of the tree or at its edge; sums are for the player to move there."""

    position: Position
    parent: SlowMixedNode | None
    priors: dict[int, float] = field(default_factory=dict[int, float])
    children: dict[int, SlowMixedNode] = field(default_factory=dict[int, "SlowMixedNode"])
    rollouts: int = 0
    rollout_sum: float = 0.0
    under_way: int = 0
    values: int = 0
    value_sum: float = 0.0
    asked: set[str] = field(default_factory=set[str])
    is_leaf: bool = True
    grows: bool = False
    has_policy: bool = False
    result: float | None = None

    def path(self) -> list[SlowMixedNode]:
        """From here up to the root."""
        return [self, *([] if self.parent is None else self.parent.path())]

    def legal(self) -> list[int]:
        """Legal actions."""
        return [int(action) for action in np.flatnonzero(self.position.legal_mask())]


class SlowMixed:
    """The twin of `MixedSearch`, fresh at each position."""

    def __init__(
        self,
        policy: Evaluator,
        value: Evaluator | None,
        config: MixedConfig,
        rollouts: HashRollouts,
        tree_policy: HashWeights,
    ) -> None:
        """`value`: the second of two networks; None where `policy` has both heads."""
        self.networks = {"both": policy, "policy": policy, "value": value or policy}
        self.config = config
        self.rollouts, self.tree_policy = rollouts, tree_policy
        self.threshold = config.threshold if config.mix > 0 else 0
        first = "both" if value is None and config.policy and config.mix < 1 else "value"
        self.value_question = first if config.mix < 1 else None
        self.policy_question = None if not config.policy else first if first == "both" else "policy"
        self.queues: dict[str, list[SlowMixedNode]] = {"policy": [], first: []}
        self.room = 4 * max(config.batch, config.wave)
        self.root = SlowMixedNode(Position(1), None)

    def run(self, position: Position, visits: int) -> SlowMixedNode:
        """Search until the root has so many visits; the root."""
        root = self.root = SlowMixedNode(position.copy(), None)
        self.wave(1)
        while (done := 1 + sum(child.rollouts for child in root.children.values())) < visits:
            most = self.config.wave if self.config.mix > 0 else min(self.config.wave, self.config.batch)
            self.wave(min(visits - done, most, max(1, visits // 16)))
        return root

    def wave(self, simulations: int) -> None:
        """Simulations at once, then the networks' answers, then the rollouts' results."""
        leaves: list[SlowMixedNode] = []
        for _ in range(simulations):
            leaf = self.descend()
            if leaf is None:
                break
            if leaf.result is not None:
                self.back_up_rollout(leaf, leaf.result, 0)
                self.back_up_value(leaf, leaf.result)
            else:
                leaves.append(leaf)
        margins = [self.rollouts.margin(int(leaf.position.board["stones_hash"])) for leaf in leaves if self.config.mix]
        for leaf in leaves:
            if leaf.grows:
                self.grow(leaf)
        for question in list(self.queues):
            self.answer(question)
        for leaf, margin in zip(leaves if self.config.mix else [], margins, strict=True):
            ahead = margin - leaf.position.komi - leaf.position.white_bonus
            mine = ahead if leaf.position.to_play == Color.BLACK else -ahead
            self.back_up_rollout(leaf, float(np.sign(mine)), 1)

    def descend(self) -> SlowMixedNode | None:
        """One way down; None where it ends at a leaf that a search without rollouts waits for."""
        node = self.root
        while not node.is_leaf:
            node = self.choose(node)
        position, limit = node.position, self.config.move_limit
        ends = position.is_over or (limit is not None and position.move_number >= limit)
        if node.parent is not None and ends:
            node.result = result_for_mover(position)
            return node
        if self.config.mix == 0 and node.under_way:
            return None
        for above in node.path():
            above.under_way += 1
        if self.value_question:
            self.ask(node, self.value_question, self.room // 2)
        if node.parent is None or node.rollouts + node.under_way > self.threshold:
            if node.has_policy:
                node.is_leaf = False
            elif self.policy_question is None or self.ask(node, self.policy_question, self.room):
                node.grows = True
        return node

    def ask(self, node: SlowMixedNode, question: str, room: int) -> bool:
        """Queue a question unless it was asked; False if no more than `room` may wait."""
        if question not in node.asked:
            if len(self.queues[question]) >= room:
                return False
            node.asked.add(question)
            self.queues[question].append(node)
        return True

    def choose(self, node: SlowMixedNode) -> SlowMixedNode:
        """The paper's rule; equal scores go to the oldest child, then to the first unvisited action."""
        config = self.config
        lost = config.virtual_loss
        total = sum(child.rollouts + lost * child.under_way for child in node.children.values())
        scale = config.c_puct * math.sqrt(total)

        def score(action: int) -> float:
            child = node.children.get(action)
            if child is None:
                return scale * node.priors[action]
            u = scale * node.priors[action] / (1 + child.rollouts + lost * child.under_way)
            return self.q(child, lost * child.under_way) + u

        unvisited = sorted((a for a in node.priors if a not in node.children), key=lambda a: (-node.priors[a], a))
        action = max([*node.children, *unvisited], key=score)
        if action not in node.children:
            position = node.position.copy()
            position.play(action)
            node.children[action] = SlowMixedNode(position, node)
        return node.children[action]

    def q(self, child: SlowMixedNode, lost: float = 0.0) -> float:
        """Q for the player who moved to `child`."""
        played = child.rollouts + lost
        by_values = -child.value_sum / child.values if child.values else None
        by_rollouts = -(child.rollout_sum + lost) / played if played else None
        if by_values is None or by_rollouts is None:
            return by_values or by_rollouts or 0.0
        mix = self.config.mix
        return by_values if mix == 0 else (1 - mix) * by_values + mix * by_rollouts

    def grow(self, node: SlowMixedNode) -> None:
        """Placeholder priors."""
        weights = self.tree_policy.weights(node.position.board_array)[0]
        total = sum(float(weights[action]) for action in node.legal())
        for action in node.legal():
            share = float(weights[action]) / total if total else 1 / len(node.legal())
            node.priors[action] = rounded(float(np.float32(share)))
        node.is_leaf = node.grows = False

    def answer(self, question: str) -> None:
        """Answer the oldest questions of a kind, a batch at most."""
        queue = self.queues[question]
        if question == self.policy_question and self.config.dynamic and self.threshold:
            step = (len(queue) > self.config.batch) - (len(queue) < self.config.batch)
            self.threshold = min(10 * self.config.threshold, max(1, self.threshold + step))
        batch, self.queues[question] = queue[: self.config.batch], queue[self.config.batch :]
        for node in batch:
            answer = self.networks[question].evaluate(node.position.board_array)
            if question != "value":
                self.set_policy(node, answer.policy[0])
            if question != "policy":
                value = float(answer.value[0])
                self.back_up_value(node, value)
                if self.config.mix == 0:
                    self.back_up_rollout(node, value, 1)

    def set_policy(self, node: SlowMixedNode, logits: NDArray[np.float32]) -> None:
        """The network's priors, softmax(logits / beta)."""
        legal = node.legal()
        scaled = logits[legal].astype(np.float64) / self.config.beta
        weights = np.exp(scaled - scaled.max())
        for action, weight in zip(legal, weights, strict=True):
            share = np.float32(float(np.float32(weight)) / float(weights.sum()))
            node.priors[action] = rounded(float(share))
        node.has_policy = True

    def back_up_rollout(self, leaf: SlowMixedNode, result: float, under_way: int) -> None:
        """Count a rollout, for the player to move at the leaf, up to the root."""
        for node in leaf.path():
            node.rollouts += 1
            node.rollout_sum += result
            node.under_way -= under_way
            result = -result

    def back_up_value(self, leaf: SlowMixedNode, value: float) -> None:
        """Count an evaluation, for the player to move at the leaf, up to the root."""
        for node in leaf.path():
            node.values += 1
            node.value_sum += value
            value = -value


def all_mixed_nodes(root: SlowMixedNode) -> list[SlowMixedNode]:
    """The root and everything below it."""
    return [root, *(below for child in root.children.values() for below in all_mixed_nodes(child))]
