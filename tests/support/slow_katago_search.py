"""KataGo's search as one would write it on a blackboard: nodes are objects, everything is recomputed, no batches.

The oracle of the compiled rule with batches of one leaf: the same formulas, written once more from their description,
over dictionaries. It takes rules from `Position` and the worth of a score from the table, which is tested on its own;
it knows no tree kept between searches and nothing of what the root does alone.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from move37.rules.board_kernels import BUTTON_FREE
from move37.rules.color import Color
from move37.rules.position import Position
from move37.search.evaluator import Evaluator
from move37.search.katago import KataGoConfig
from move37.search.score_value import score_value_table
from move37.search.score_value_kernels import score_value
from tests.support.slow_katago_values import student, white_margin
from tests.support.slow_search import rounded


@dataclass
class Stats:
    """Weighted means for White."""

    utility: float = 0.0
    utility_sq: float = 0.0
    win_loss: float = 0.0
    no_result: float = 0.0
    score: float = 0.0
    score_sq: float = 0.0
    lead: float = 0.0
    weight: float = 0.0
    weight_sq: float = 0.0


MEANS = ("utility", "utility_sq", "win_loss", "no_result", "score", "score_sq", "lead")


@dataclass
class Entry:
    """What subtree value bias has learnt of one shape."""

    delta: float = 0.0
    weight: float = 0.0


@dataclass(eq=False)
class SlowKataGoNode:
    """A position, shared by all ways to it."""

    white: bool
    goes_on: bool = False
    entry: Entry | None = None
    priors: dict[int, float] = field(default_factory=dict[int, float])
    edges: dict[int, SlowEdge] = field(default_factory=dict[int, "SlowEdge"])
    own: Stats = field(default_factory=Stats)
    stats: Stats = field(default_factory=Stats)
    given: Entry = field(default_factory=Entry)
    visits: int = 0
    terminal: bool = False
    state: Any = None

    @property
    def sign(self) -> float:
        """1 if White is to move, else -1."""
        return 1.0 if self.white else -1.0


@dataclass(eq=False)
class SlowEdge:
    """A move that was visited."""

    node: SlowKataGoNode
    prior: float
    visits: int = 0

    @property
    def weight(self) -> float:
        """The part of the node's weight that came this way."""
        return self.node.stats.weight * self.visits / max(1, self.node.visits)


class SlowKataGoSearch:
    """The twin of `KataGoSearch` with `batch=1`, fresh at each position, on its own graph."""

    def __init__(self, evaluator: Evaluator, config: KataGoConfig) -> None:
        self.evaluator = evaluator
        self.config = config
        self.center = 0.0
        self.sqrt_area = 1.0
        self.terminal_weight = 1.0
        self.nodes: dict[Any, SlowKataGoNode] = {}
        self.entries: dict[Any, Entry] = {}
        self.evaluated: dict[Any, SlowKataGoNode] = {}
        self.caught_up = 0
        self.shared = 0
        self.asides = 0

    def run(self, position: Position, visits: int) -> SlowKataGoNode:
        """Search until the root has so many visits; the root."""
        self.sqrt_area = math.sqrt(position.rows * position.cols)
        self.position = position.copy()
        root = SlowKataGoNode(position.to_play is Color.WHITE)
        self._evaluate(root, self.position, is_root=True)
        while root.visits < visits:
            self._simulate(root)
        return root

    # ------------------------------------------------------------------------------------------------- the way down

    def _simulate(self, root: SlowKataGoNode) -> None:
        path: list[tuple[SlowKataGoNode, SlowEdge]] = []
        met, node, position = {id(root)}, root, self.position.copy()
        while node.priors and not node.terminal:
            action = self._choose(node, node is root)
            forced = self._forced(node, position, action)
            if forced is not None:
                action, path, self.asides = forced, [], self.asides + 1
            before = position.copy()
            legal = position.is_legal(action)
            if legal:
                position.play(action)
            if action not in node.edges:
                found = SlowKataGoNode(not node.white)
                if legal:
                    found = self._reach(node, before, position, action, node is root)
                node.edges[action] = SlowEdge(found, node.priors[action])
            edge = node.edges[action]
            if forced is None:
                path.append((node, edge))
            if (edge.visits < edge.node.visits and forced is None) or not legal or id(edge.node) in met:
                self.caught_up += edge.visits < edge.node.visits
                break
            node = edge.node
            met.add(id(node))
            if not node.priors:
                self._visit_leaf(node, position)
                break
        for parent, edge in reversed(path):
            edge.visits += 1
            self._recompute(parent)

    def _forced(self, node: SlowKataGoNode, position: Position, action: int) -> int | None:
        """The first pass, or the first other move, where a pass would end the phase and it was not looked at."""
        board, passing = position.board, position.rows * position.cols
        ends = (board["button"] != BUTTON_FREE and position.passes >= 1) or board["pass_repeats"]
        visits = sum(edge.visits for edge in node.edges.values())
        if not self.config.more_passing_hacks or not ends or visits < 2:
            return None
        if passing not in node.edges and action != passing:
            return passing
        unvisited = [move for move in node.priors if move not in node.edges]
        if set(node.edges) == {passing} and action == passing and unvisited:
            return max(unvisited, key=lambda move: node.priors[move])
        return None

    def _visit_leaf(self, node: SlowKataGoNode, position: Position) -> None:
        if not node.terminal and position.is_over and not node.goes_on:
            node.terminal = True
            self._settle(node, position)
        if node.terminal:
            node.stats.weight += self.terminal_weight
            node.stats.weight_sq += self.terminal_weight**2
            node.visits += 1
        elif node.visits == 0:
            self._evaluate(node, position)

    def _choose(self, node: SlowKataGoNode, is_root: bool) -> int:
        """The move to follow."""
        config = self.config
        total = sum(edge.weight for edge in node.edges.values())
        visited = sum(edge.prior for edge in node.edges.values())
        growth: float = math.log((total + config.cpuct_base) / config.cpuct_base)
        scale = (config.cpuct + config.cpuct_log * growth) * math.sqrt(total + 0.01) * self._spread(node)
        share = min(1.0, float(visited**config.fpu_visited_power))
        urgency = share * node.stats.utility + (1 - share) * node.own.utility
        reduction = config.root_fpu_reduction if is_root else config.fpu_reduction
        urgency = node.sign * urgency - reduction * math.sqrt(visited)

        def value(action: int) -> float:
            edge = node.edges.get(action)
            if edge is None:
                return urgency + scale * node.priors[action]
            utility = urgency if edge.weight == 0 else node.sign * edge.node.stats.utility
            return utility + scale * edge.prior / (1 + edge.weight)

        unvisited = [action for action in node.priors if action not in node.edges]
        fresh = [max(unvisited, key=lambda action: node.priors[action])] if unvisited else []
        return int(max([*node.edges, *fresh], key=value))

    def _spread(self, node: SlowKataGoNode) -> float:
        config, stats = self.config, node.stats
        deviation = config.stdev_prior
        if stats.weight > 1:
            square = stats.utility**2
            total = (square + config.stdev_prior**2) * config.stdev_prior_weight
            total += max(stats.utility_sq, square) * stats.weight
            deviation = math.sqrt(max(0.0, total / (config.stdev_prior_weight + stats.weight - 1) - square))
        return 1 + config.stdev_scale * (deviation / config.stdev_prior - 1)

    def _reach(
        self, node: SlowKataGoNode, before: Position, position: Position, action: int, is_root: bool
    ) -> SlowKataGoNode:
        """The node after a move: one that is known, if the position is."""
        friendly = before.rules.friendly_pass_ok and before.rules.scoring == "area" and before.passes == 1
        friendly = friendly and not before.board["pass_repeats"]
        passed = action == before.rows * before.cols
        goes_on = passed and position.is_over and not position.is_no_result
        goes_on = goes_on and (friendly or (is_root and self.config.conservative_pass))
        found = SlowKataGoNode(position.to_play is Color.WHITE, goes_on)
        if self.config.graph:
            found.state = (*self.state_of(position), goes_on)
            repeats = self._region(position, action) <= self.config.repetition_bound
            known = self.nodes.setdefault((found.state, id(node) if repeats else None), found)
            if known is not found:
                return known
        if self.config.bias_factor and before.board["last_moves"][0] >= 0:
            found.entry = self.entries.setdefault(self._shape(before, action), Entry())
        return found

    def state_of(self, position: Position) -> tuple[Any, ...]:
        """What tells positions apart, but for the way there."""
        board = position.board
        return (
            position.stones.tobytes(),
            position.to_play,
            position.ko_point,
            position.phase,
            position.passes,
            board["superko_banned"].tobytes(),
            board["ko_recapture_blocked"].tobytes(),
            board["encore_stones"].tobytes(),
            float(board["play_bonus"]),
            int(board["button"]),
            int(board["pass_repeats"]),
            position.is_no_result,
        )

    def _region(self, position: Position, action: int) -> int:
        """Points of the last move's chain and of the empty regions that touch it; 0 for a pass."""
        if action == position.rows * position.cols:
            return 0
        stones = position.stones
        first = divmod(action, position.cols)
        color = stones[first]
        met, waiting = {first}, [first]
        while waiting:
            row, col = waiting.pop()
            for at in ((row + 1, col), (row - 1, col), (row, col + 1), (row, col - 1)):
                inside = 0 <= at[0] < position.rows and 0 <= at[1] < position.cols
                if not inside or at in met:
                    continue
                if stones[at] == 0 or (stones[at] == color and stones[row, col] == color):
                    met.add(at)
                    waiting.append(at)
        return len(met)

    def _shape(self, before: Position, action: int) -> Any:
        board = before.board
        around: list[Any] = []
        if action < before.rows * before.cols:
            row, col = divmod(action, before.cols)
            for y in range(row - 2, row + 3):
                for x in range(col - 2, col + 3):
                    if not (0 <= y < before.rows and 0 <= x < before.cols):
                        around.append(None)
                        continue
                    color = int(before.stones[y, x])
                    atari = color > 0 and len(before.chain(y * before.cols + x).liberties) == 1
                    around.append((color, atari))
        return tuple(around), action, int(board["last_moves"][0]), before.ko_point, before.to_play

    # ------------------------------------------------------------------------------------------------- what it is worth

    def utility(self, win_loss: float, score: float, score_sq: float) -> float:
        """Utility for White."""
        config, table = self.config, score_value_table()
        deviation = math.sqrt(max(0.0, score_sq - score * score))
        static = score_value(table, score, deviation, 0.0, config.static_scale, self.sqrt_area)
        dynamic = score_value(table, score, deviation, self.center, config.dynamic_scale, self.sqrt_area)
        return (
            config.win_loss_factor * win_loss
            + config.static_score_factor * static
            + config.dynamic_score_factor * dynamic
        )

    def _evaluate(self, node: SlowKataGoNode, position: Position, is_root: bool = False) -> None:
        donor = self.evaluated.get(node.state) if node.state is not None else None
        if donor is not None:
            self.shared += 1
            node.priors, node.own = dict(donor.priors), Stats(**vars(donor.own))
            self._recompute(node)
            return
        if node.state is not None:
            self.evaluated[node.state] = node
        answer = self.evaluator.evaluate(position.board_array)
        legal = np.flatnonzero(position.legal_mask())
        weights = np.exp(answer.policy[0][legal].astype(np.float64))
        if self.config.passing_hacks:
            weights[-1] = min(weights[-1], 19 * weights[:-1].sum() or 1)
        for action, weight in zip(legal, weights / weights.sum(), strict=True):
            node.priors[int(action)] = rounded(float(weight))
        assert answer.score_mean is not None and answer.score_stdev is not None and answer.lead is not None
        score = node.sign * float(answer.score_mean[0])
        if is_root:
            reach = self.config.dynamic_scale * self.sqrt_area
            drawn = score * (1 - self.config.dynamic_center_zero_weight)
            self.center = min(max(drawn, score - reach), score + reach)
        weight, errors = 1.0, answer.winloss_error
        if errors is not None:
            self.terminal_weight = self.config.uncertainty_max_weight
            assert answer.score_error is not None
            weight = self._weight(score, float(errors[0]), float(answer.score_error[0]))
        own = node.own
        own.win_loss, own.score, own.lead = node.sign * float(answer.value[0]), score, node.sign * float(answer.lead[0])
        own.score_sq = score**2 + float(answer.score_stdev[0]) ** 2
        own.utility = self.utility(own.win_loss, own.score, own.score_sq)
        own.weight, own.weight_sq = weight, weight**2
        self._recompute(node)

    def _weight(self, score: float, win_loss_error: float, score_error: float) -> float:
        config = self.config

        def slope(center: float, scale: float) -> float:
            width = scale * self.sqrt_area
            return 2 / math.pi * width / (width**2 + (score - center) ** 2)

        by_score = config.static_score_factor * slope(0.0, config.static_scale)
        by_score += config.dynamic_score_factor * slope(self.center, config.dynamic_scale)
        error = config.win_loss_factor * win_loss_error + by_score * score_error
        return config.uncertainty_coeff / (error + config.uncertainty_coeff / config.uncertainty_max_weight)

    def _settle(self, node: SlowKataGoNode, position: Position) -> None:
        stats = node.stats
        if position.is_no_result:
            stats.no_result = 1.0
        else:
            margin = white_margin(position)
            stats.win_loss, stats.score, stats.lead = float(np.sign(margin)), margin, margin
            stats.score_sq = margin**2 + (0.25 if margin == int(margin) else 0.0)
        stats.utility = self.utility(stats.win_loss, stats.score, stats.score_sq)
        stats.utility_sq = stats.utility**2

    # ------------------------------------------------------------------------------------------------- the way up

    def _recompute(self, node: SlowKataGoNode) -> None:
        edges = [edge for edge in node.edges.values() if edge.visits > 0 and edge.node.stats.weight > 0]
        worths = [node.sign * edge.node.stats.utility for edge in edges]
        unpruned = [edge.weight for edge in edges]
        weights = self._pruned(edges, unpruned, worths)
        if len(edges) > 1 and self.config.value_weight_exponent > 0:
            weights = self._favoured(weights, worths)
        total = sum(weights)
        if node.entry is not None and edges:
            utilities = sum(weight * edge.node.stats.utility for weight, edge in zip(weights, edges, strict=True))
            bias_weight = sum(unpruned) ** self.config.bias_weight_exponent
            delta = (utilities / total - node.own.utility) * bias_weight
            node.entry.delta += delta - node.given.delta
            node.entry.weight += bias_weight - node.given.weight
            node.given = Entry(delta, bias_weight)
        own = Stats(**vars(node.own))
        if node.entry is not None and node.entry.weight > 0.001:
            own.utility += self.config.bias_factor * node.entry.delta / node.entry.weight
        own.utility_sq = own.utility**2
        parts = [(own.weight, own), *((w, edge.node.stats) for w, edge in zip(weights, edges, strict=True))]
        stats = node.stats
        stats.weight = sum(weight for weight, _ in parts)
        for name in MEANS:
            setattr(stats, name, sum(weight * getattr(part, name) for weight, part in parts) / stats.weight)
        stats.weight_sq = sum((weight / part.weight) ** 2 * part.weight_sq for weight, part in parts)
        node.visits = max(node.visits, 1 + sum(edge.visits for edge in edges))

    def _pruned(self, edges: list[SlowEdge], weights: list[float], worths: list[float]) -> list[float]:
        kept: list[float] = []
        for i, (edge, weight, worth_here) in enumerate(zip(edges, weights, worths, strict=True)):
            if i > 0:
                mean = sum(w * v for w, v in zip(kept, worths, strict=False)) / sum(kept)
                fair = sum(kept) * edge.prior / sum(other.prior for other in edges[:i])
                excess = weight - 2 * fair
                if mean > worth_here and excess > 0:
                    weight -= excess * (1 - math.exp(-(mean - worth_here) / self.config.noise_prune_scale))
            kept.append(weight)
        return kept

    def _favoured(self, weights: list[float], worths: list[float]) -> list[float]:
        total = sum(weights)
        mean = sum(w * v for w, v in zip(weights, worths, strict=True)) / total
        new: list[float] = []
        for weight, value in zip(weights, worths, strict=True):
            z = (value - mean) / math.sqrt(1e-8 + 1 / (1.5 * math.sqrt(weight)))
            new.append(weight * (student(z) + 0.0001) ** self.config.value_weight_exponent)
        return [weight * total / sum(new) for weight in new]
