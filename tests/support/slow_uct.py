"""UCB1 and RAVE as one would write them on a blackboard: nodes are objects, each keeps its position and its rollouts.

The oracle of `search.ucb1` with batches of one leaf. Rules come from `Position`; priors, which only order unvisited
moves, are rounded to the tree's 16 bits. It keeps no tree between searches.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from move37.rules.position import Position
from move37.search.evaluator import Evaluator
from move37.search.rollouts import scores
from move37.search.ucb1 import UctConfig
from tests.support.oracle_board import OracleBoard
from tests.support.slow_eye import slow_is_own_eye
from tests.support.slow_search import result_for_mover, rounded


@dataclass
class UctNode:
    """A node with its position; results are for the player to move there, in [-1, 1]."""

    position: Position
    parent: UctNode | None
    priors: dict[int, float] = field(default_factory=dict[int, float])
    children: dict[int, UctNode] = field(default_factory=dict[int, "UctNode"])
    visits: int = 0
    results: float = 0.0
    ending: float | None = None
    as_first: dict[int, list[float]] = field(default_factory=dict[int, list[float]])

    @property
    def win_rate(self) -> float:
        """The win rate of the player who moved here."""
        return 0.5 - 0.5 * self.results / self.visits


class SlowUct:
    """The twin of `UctSearch` with `batch=1`, fresh at each position; `rng` and evaluator as there."""

    def __init__(self, evaluator: Evaluator, config: UctConfig, rng: np.random.Generator) -> None:
        self.evaluator = evaluator
        self.config = config
        self.rng = rng

    def run(self, position: Position, visits: int) -> UctNode:
        """Search until the root has so many visits; the root."""
        root = UctNode(position.copy(), None)
        for _ in range(visits):
            self._simulate(root)
        return root

    def _simulate(self, root: UctNode) -> None:
        path = [root]
        while path[-1].priors:
            path.append(self._choose(path[-1]))
        leaf = path[-1]
        if leaf.ending is None and leaf.parent is not None and self._is_over(leaf.position):
            leaf.ending = result_for_mover(leaf.position)
        result = self._expand(path) if leaf.ending is None else leaf.ending
        for node in reversed(path):
            node.visits += 1
            node.results += result
            result = -result

    def _is_over(self, position: Position) -> bool:
        limit = self.config.move_limit
        return position.is_over or (limit is not None and position.move_number >= limit)

    def _expand(self, path: list[UctNode]) -> float:
        leaf = path[-1]
        answer: Any = self.evaluator.evaluate(leaf.position.board_array)
        policy: NDArray[np.float32] = answer.policy
        logits = (policy + self.rng.uniform(0, 0.05, policy.shape).astype(np.float32))[0]
        moves = _worth_a_look(leaf.position)
        weights = np.exp(logits[moves].astype(np.float64) - logits[moves].max())
        for move, weight in zip(moves, weights / weights.sum(), strict=True):
            leaf.priors[move] = rounded(float(weight))
        if self.config.rave:
            _note(path, answer.played)
        return float(answer.value[0])

    def _choose(self, node: UctNode) -> UctNode:
        unvisited = [move for move in node.priors if move not in node.children]
        # Equal bounds go to the oldest child, then to the unvisited move of the greatest prior.
        unvisited.sort(key=lambda move: -node.priors[move])
        move = max([*node.children, *unvisited], key=lambda move: self._bound(node, move))
        if move not in node.children:
            position = node.position.copy()
            position.play(move)
            node.children[move] = UctNode(position, node)
        return node.children[move]

    def _bound(self, node: UctNode, move: int) -> float:
        config, child = self.config, node.children.get(move)
        first_play = math.inf if config.first_play is None else config.first_play
        log_total = math.log(max(1, node.visits - 1))
        visits = 0 if child is None else child.visits
        if not config.rave:
            return first_play if child is None else child.win_rate + config.exploration * math.sqrt(log_total / visits)
        rate = min(1.0, first_play) if child is None else child.win_rate
        others = node.as_first.get(move, [])
        if others:
            m, n, b = len(others), visits, config.rave_bias
            beta = m / (n + m + 4 * b * b * n * m)
            rate = (1 - beta) * rate + beta * (0.5 + 0.5 * sum(others) / m)
        return rate + config.exploration * math.sqrt(log_total / max(1, visits))


def _worth_a_look(position: Position) -> list[int]:
    """Legal moves, without those that fill an own eye unless there are no others."""
    stones = [int(stone) for stone in position.stones.ravel()]
    board = OracleBoard(position.rows, position.cols, stones=stones)
    legal = [int(move) for move in np.flatnonzero(position.legal_mask())]
    color, pass_move = int(position.to_play), position.rows * position.cols
    kept = [move for move in legal if move == pass_move or not slow_is_own_eye(board, move, color)]
    return kept or legal


def _note(path: list[UctNode], played: Any) -> None:
    """Every node above the leaf learns the result of the moves its player was first to make."""
    leaf = path[-1]
    pass_move = leaf.position.rows * leaf.position.cols
    tree = [int(node.position.moves[-1][1]) for node in path[1:]]
    color = int(path[0].position.to_play)
    for game in range(played.margins.shape[1]):
        after = played.moves[0, game, : played.lengths[0, game]].tolist()
        score = float(scores(leaf.position.board_array, played.margins)[0, game])
        result = float(np.sign(score)) * (1 if len(tree) % 2 == 0 else -1)  # for the root's player
        for depth, node in enumerate(path[:-1]):
            seen = {pass_move}
            player = int(node.position.to_play)
            for turn, move in enumerate([*tree[depth:], *after]):
                if move not in seen:
                    seen.add(move)
                    if turn % 2 == 0:
                        node.as_first.setdefault(move, []).append(result if player == color else -result)


def all_nodes(root: UctNode) -> list[UctNode]:
    """The root and everything below it."""
    found: list[UctNode] = []
    waiting = [root]
    while waiting:
        node = waiting.pop()
        found.append(node)
        waiting.extend(node.children.values())
    return found
