"""A search tree as plain nodes, and what a rule of selection sees at one of them: for pictures, pages and messages.

It reads `Trees` (also the classic search's and the mixed search's) between the steps of a search and changes nothing.
The scores of a node's moves are those of the selection kernels: the greatest is the one that a simulation follows.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from move37.search.mixed_kernels import mixed_value
from move37.search.mixed_trees import MixedTrees
from move37.search.puct import SearchConfig
from move37.search.puct_kernels import exploration, urgency
from move37.search.tree import Trees
from move37.search.tree_kernels import NONE, decode_prior
from move37.search.ucb1 import UctConfig
from move37.search.ucb1_kernels import upper_bound, win_rate

__all__ = ["MoveScore", "Rule", "ViewedNode", "best_line", "mixed_scores", "puct_scores", "ucb1_scores", "viewed_tree"]

Rule = Literal["ucb1", "puct", "mixed"]


@dataclass(frozen=True)
class ViewedNode:
    """A node: `move` led to it (-1 at the root).

    q: its mean value in [-1, 1] for the player who made the move (at the root: for the player to move), NaN without
    visits. pending: visits under way. prior: of the move. children: those shown, the most visited first; hidden: how
    many visited ones are not.
    """

    index: int
    move: int
    visits: int
    pending: int
    q: float
    prior: float
    children: tuple[ViewedNode, ...]
    hidden: int = 0


@dataclass(frozen=True)
class MoveScore:
    """A move as the rule sees it: `score` = q + bonus. Unvisited moves have 0 visits and the value they count as.

    q: in [-1, 1] (UCB1: a win rate in [0, 1]) for the player to move; pending: visits under way.
    """

    move: int
    visits: int
    pending: int
    prior: float
    q: float
    bonus: float

    @property
    def score(self) -> float:
        """What the rule compares."""
        return self.q + self.bonus


def viewed_tree(trees: Trees, game: int = 0, *, most: int = 200, least_visits: int = 1) -> ViewedNode:
    """The tree of `game` with its `most` most visited nodes of at least `least_visits`; ValueError without a tree."""
    if not trees.has_tree(game):
        raise ValueError("there is no tree to look at")
    root = int(trees.roots[game])
    return _viewed(trees, root, _most_visited(trees, root, most, least_visits), is_root=True)


def _most_visited(trees: Trees, root: int, most: int, least: int) -> set[int]:
    """The nodes to show: always a parent before its children, and those with more visits first."""
    shown: set[int] = set()
    waiting = [(-int(trees.nodes[root]["visits"]), root)]
    while waiting and len(shown) < most:
        _, node = heapq.heappop(waiting)
        shown.add(node)
        for child in _children(trees, node):
            seen = int(trees.nodes[child]["visits"]) + int(trees.nodes[child]["pending"])
            if seen >= least:
                heapq.heappush(waiting, (-seen, child))
    return shown


def _children(trees: Trees, node: int) -> Iterator[int]:
    child = int(trees.nodes[node]["first_child"])
    while child != NONE:
        yield child
        child = int(trees.nodes[child]["next_sibling"])


def _viewed(trees: Trees, index: int, shown: set[int], is_root: bool) -> ViewedNode:
    node = trees.nodes[index]
    below = list(_children(trees, index))
    children = [_viewed(trees, child, shown, is_root=False) for child in below if child in shown]
    children.sort(key=lambda child: (-child.visits, child.index))
    q = _mean(trees, index)
    visits = int(node["visits"])
    move = NONE if is_root else int(node["action"])
    prior = 1.0 if is_root else float(decode_prior(int(node["prior"])))
    return ViewedNode(
        index,
        move,
        visits,
        int(node["pending"]),
        -q if is_root else q,
        prior,
        tuple(children),
        len(below) - len(children),
    )


def _mean(trees: Trees, index: int) -> float:
    """The node's mean value for the player who moved there; NaN where nothing is known."""
    node = trees.nodes[index]
    if isinstance(trees, MixedTrees):
        known = node["visits"] > 0 or trees.mixed[index]["values"] > 0
        return float(mixed_value(node, trees.mixed[index], float(trees.params["mix"]), 0.0)) if known else math.nan
    return -float(node["value_sum"]) / int(node["visits"]) if node["visits"] > 0 else math.nan


def best_line(root: ViewedNode) -> list[ViewedNode]:
    """From the root down the most visited child each time; among equals the one that was tried first."""
    line = [root]
    while line[-1].children:
        line.append(line[-1].children[0])
    return line


# ------------------------------------------------------------------------------------------- what a rule sees


def puct_scores(trees: Trees, config: SearchConfig, node: int | None = None) -> list[MoveScore]:
    """What PUCT sees at a node (default: the first root): its visited moves, and its best unvisited one at the end.

    Visits under way count as `config` says.
    """
    index, params = int(trees.roots[0]) if node is None else node, config.record()
    here, amount = trees.nodes[index], float(params["virtual_loss"])
    visits = int(here["visits"]) - 1 + amount * int(here["pending"])
    scale = float(exploration(float(visits), params)) * math.sqrt(max(1.0, visits))
    unvisited = float(urgency(here, params))
    found: list[MoveScore] = []
    for child in _children(trees, index):
        one = trees.nodes[child]
        under_way = amount * int(one["pending"])
        count = int(one["visits"]) + under_way * float(params["lost"])
        q = -(float(one["value_sum"]) + under_way * float(params["lost"])) / count if count else unvisited
        prior = float(decode_prior(int(one["prior"])))
        bonus = scale * prior / (1 + int(one["visits"]) + under_way)
        found.append(MoveScore(int(one["action"]), int(one["visits"]), int(one["pending"]), prior, q, bonus))
    if here["best_edge"] != NONE:
        prior = float(decode_prior(int(here["best_prior"])))
        found.append(MoveScore(int(here["best_edge"]), 0, 0, prior, unvisited, scale * prior))
    return found


def ucb1_scores(trees: Trees, config: UctConfig, node: int | None = None) -> list[MoveScore]:
    """What UCB1 sees at a node (default: the first root), without RAVE: win rates, and the bonus of the bound.

    An unvisited move comes first (an infinite bonus) unless `config` gives it a value.
    """
    index, params = int(trees.roots[0]) if node is None else node, config.record()
    here, loss = trees.nodes[index], float(params["virtual_loss"])
    log_total = math.log(max(1.0, int(here["visits"]) - 1 + loss * int(here["pending"])))
    found: list[MoveScore] = []
    for child in _children(trees, index):
        one = trees.nodes[child]
        rate, count = float(win_rate(one, loss)), int(one["visits"]) + loss * int(one["pending"])
        bound = float(upper_bound(rate, count, log_total, float(params["c"])))
        prior = float(decode_prior(int(one["prior"])))
        found.append(MoveScore(int(one["action"]), int(one["visits"]), int(one["pending"]), prior, rate, bound - rate))
    if here["best_edge"] != NONE:
        first = float(params["first_play"])
        q, bonus = (0.0, math.inf) if math.isinf(first) else (first, 0.0)
        prior = float(decode_prior(int(here["best_prior"])))
        found.append(MoveScore(int(here["best_edge"]), 0, 0, prior, q, bonus))
    return found


def mixed_scores(trees: MixedTrees, node: int | None = None) -> list[MoveScore]:
    """What AlphaGo's search of 2016 sees at a node: Q = (1 − λ) values + λ rollouts, and c · P · √ΣN / (1 + N)."""
    index, params = int(trees.roots[0]) if node is None else node, trees.params
    here, loss = trees.nodes[index], float(params["virtual_loss"])
    below = list(_children(trees, index))
    total = sum(int(trees.nodes[one]["visits"]) + loss * int(trees.nodes[one]["pending"]) for one in below)
    scale = float(params["c_puct"]) * math.sqrt(total)
    found: list[MoveScore] = []
    for child in below:
        one = trees.nodes[child]
        lost = loss * int(one["pending"])
        q = float(mixed_value(one, trees.mixed[child], float(params["mix"]), lost))
        prior = float(decode_prior(int(one["prior"])))
        bonus = scale * prior / (1.0 + int(one["visits"]) + lost)
        found.append(MoveScore(int(one["action"]), int(one["visits"]), int(one["pending"]), prior, q, bonus))
    if here["best_edge"] != NONE:
        prior = float(decode_prior(int(here["best_prior"])))
        found.append(MoveScore(int(here["best_edge"]), 0, 0, prior, 0.0, scale * prior))
    return found
