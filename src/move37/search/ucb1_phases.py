"""The four phases of a simulation, one simulation at a time, for those who want to watch: pages, pictures, teaching.

It drives a `UctSearch` as its own `run` does and looks at the tree between steps; it changes nothing. Simulations that
end in a finished game need no evaluation and are not seen. Concept picture C5 of the course steps through them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from move37.search.evaluator import Evaluations
from move37.search.limits import limit
from move37.search.rollouts import RolloutEvaluations
from move37.search.root import GamePosition
from move37.search.tree import Trees
from move37.search.tree_kernels import NONE, read_children
from move37.search.ucb1_search import UctSearch

__all__ = ["Selection", "Simulation", "simulations"]


@dataclass(frozen=True)
class Selection:
    """What UCB1 saw at a node: `move` was followed.

    visits, win_rates, bounds: of the moves visited before, by move; win rates are for the player to move here. A `move`
    that is not among them had no visit: it was the expansion.
    """

    move: int
    visits: dict[int, int] = field(repr=False)
    win_rates: dict[int, float] = field(repr=False)
    bounds: dict[int, float] = field(repr=False)


@dataclass(frozen=True)
class Simulation:
    """One simulation.

    selection: the choices from the root down; the last one's move is the *expansion*, empty in the first simulation,
    which evaluates the root. rollout: the moves of the first game played from the new node, if the evaluator kept them.
    result: in [-1, 1] for the player to move there. backup: visits and win rate of each node after it, from the new
    node up to the root, for the player to move at the node.
    """

    selection: tuple[Selection, ...]
    rollout: tuple[int, ...]
    result: float
    backup: tuple[tuple[int, float], ...]

    @property
    def line(self) -> tuple[int, ...]:
        """The moves from the root to the new node."""
        return tuple(choice.move for choice in self.selection)


def simulations(search: UctSearch, position: GamePosition, visits: int) -> Iterator[Simulation]:
    """Search `position` until its root has so many `visits`, giving every simulation with a rollout.

    The search's options must have `batch=1` and no RAVE (ValueError).
    """
    if search.config.batch != 1 or search.config.rave:
        raise ValueError("phases are shown one simulation at a time and without RAVE: UctConfig(batch=1, rave=False)")
    steps = search.steps(position, limit(visits))
    boards = next(steps, None)
    while boards is not None:
        trees = search.trees
        assert trees is not None
        path = _path(trees)
        selection = tuple(_selection(trees, node, child, search.config.exploration) for node, child in pairwise(path))
        answers = search.evaluator.evaluate(boards)
        try:
            boards = steps.send(answers)
        except StopIteration:
            boards = None
        yield Simulation(selection, _rollout(answers), float(answers.value[0]), _backed_up(trees, path))


def _path(trees: Trees) -> list[int]:
    """The nodes from the root to the leaf that waits."""
    path = [int(trees.leaf_nodes[0])]
    while trees.nodes[path[-1]]["parent"] != NONE:
        path.append(int(trees.nodes[path[-1]]["parent"]))
    return path[::-1]


def _selection(trees: Trees, node: int, child: int, c: float) -> Selection:
    visits, q = np.zeros(trees.actions, np.int32), np.zeros(trees.actions, np.float32)
    read_children(trees.nodes, node, visits, q)
    counts = {int(move): int(visits[move]) for move in np.flatnonzero(visits)}
    rates = {move: 0.5 + 0.5 * float(q[move]) for move in counts}
    log_total = math.log(max(1, sum(counts.values())))
    bounds = {move: rates[move] + c * math.sqrt(log_total / count) for move, count in counts.items()}
    return Selection(int(trees.nodes[child]["action"]), counts, rates, bounds)


def _rollout(answers: Evaluations) -> tuple[int, ...]:
    played = answers.played if isinstance(answers, RolloutEvaluations) else None
    if played is None or played.moves is None or played.lengths is None:
        return ()
    return tuple(played.moves[0, 0, : played.lengths[0, 0]].tolist())


def _backed_up(trees: Trees, path: list[int]) -> tuple[tuple[int, float], ...]:
    nodes = [trees.nodes[node] for node in reversed(path)]
    return tuple((int(node["visits"]), 0.5 + 0.5 * float(node["value_sum"]) / int(node["visits"])) for node in nodes)
