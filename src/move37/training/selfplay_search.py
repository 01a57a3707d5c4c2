"""The searches of many games in one pool of trees: how a root is prepared, and what is made of it in the end.

The trees and their rules are those of `search`; here stand the roots of self-play alone. One object holds the trees of
one board size and knows no games but their seats in the pool, numbers from 0. What a search is to teach is worked out
here too. Moves are drawn from the generator of their game.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from move37.search.forced_playouts import pruned_visits
from move37.search.gumbel import GumbelConfig
from move37.search.gumbel_trees import GumbelTrees
from move37.search.puct import SearchConfig
from move37.search.puct_kernels import exploration
from move37.search.result import GREEDY_BELOW
from move37.search.root_priors import dirichlet_noise, shaped_alphas, tempered
from move37.search.tree import Trees
from move37.training.selfplay_config import SelfPlayConfig

__all__ = ["Found", "GumbelSearches", "PuctSearches", "Searches", "divergence", "searches_for"]

TARGET_STEPS = 4096
"""Improved policies are kept in so many parts; a move that has less than half of one is left out."""
MOST_NODES = 2**31 - 1
KEPT_NODES = 4096
"""Trees are not compacted before the pool holds so many nodes."""


@dataclass(frozen=True)
class Found:
    """What became of a search: the move, and what it teaches (see `games.self_play`).

    points uint16[n], weights uint16[n]: the policy target, sparse. value: of the position, for its player; best: the
    mean value of the move liked best. surprise: Kullback-Leibler divergence of the target from the policy; 0 where it
    was not asked for.
    """

    move: int
    points: NDArray[np.uint16]
    weights: NDArray[np.uint16]
    value: float
    best: float
    surprise: float = 0.0


class Searches(ABC):
    """One search in each of `seats` seats; `trees` are theirs, `leaves` each may have under way."""

    def __init__(self, trees: Trees, config: SelfPlayConfig) -> None:
        self.trees = trees
        self.config = config
        self._kept = 0
        self._own: list[NDArray[np.float32]] = [np.empty(0, np.float32)] * len(trees.roots)

    def prepare(self, seat: int, rng: np.random.Generator, full: bool, temperature: float, simulations: int) -> None:
        """Make an evaluated root ready for a search of so many simulations, after which a move is drawn."""
        self._own[seat] = self.trees.priors(seat)
        self._prepare(seat, rng, full, temperature, simulations)

    @abstractmethod
    def _prepare(self, seat: int, rng: np.random.Generator, full: bool, temperature: float, simulations: int) -> None:
        """Add noise, or plan."""

    @abstractmethod
    def collect(self, quota: NDArray[np.int64], full: NDArray[np.bool_]) -> int:
        """`Trees.collect` for all seats; `full` bool[G] says which are searched in full."""

    @abstractmethod
    def found(self, seat: int, rng: np.random.Generator, full: bool, temperature: float) -> Found:
        """What a search that has had all its simulations found."""

    def from_policy(self, seat: int, rng: np.random.Generator) -> Found:
        """A move drawn from the policy at an evaluated root, which teaches nothing."""
        priors = self.trees.priors(seat)
        value = float(self.trees.nodes[self.trees.roots[seat]]["value"])
        nothing = np.empty(0, np.uint16)
        return Found(_draw(priors.astype(np.float64), rng), nothing, nothing, value, value)

    def visits(self, seat: int) -> int:
        """Visits that the moves of an evaluated root have had."""
        return int(self.trees.children(seat)[0].sum())

    def value(self, seat: int) -> float:
        """Mean of all visits of a root."""
        root = self.trees.nodes[self.trees.roots[seat]]
        return float(root["value_sum"] / root["visits"])

    def compact(self) -> None:
        """Give back what no game needs any more, once that is about half of all; no leaf may be under way."""
        if self.trees.count > max(KEPT_NODES, 2 * self._kept):
            self.trees.compact()
            self._kept = self.trees.count

    def _surprise(self, seat: int, full: bool, points: NDArray[np.int64], weights: NDArray[Any]) -> float:
        """How far the target is from the network's own policy, where that is asked for."""
        if not full or self.config.surprise == 0.0:
            return 0.0
        return divergence(weights, self._own[seat][points])


class PuctSearches(Searches):
    """PUCT: noise at the root of a full search, visits as target, the move drawn by visits."""

    def __init__(self, rows: int, cols: int, seats: int, config: SelfPlayConfig) -> None:
        leaves = seats * config.leaves
        super().__init__(Trees(rows, cols, games=seats, batch=leaves, max_nodes=MOST_NODES), config)
        plain: SearchConfig = replace(config.puct, noise_fraction=0.0, forced_playouts=0.0)
        self._full, self._fast = config.puct.record(), plain.record()

    def _prepare(self, seat: int, rng: np.random.Generator, full: bool, temperature: float, simulations: int) -> None:
        config, own = self.config, self._own[seat]
        if not full or (config.puct.noise_fraction == 0 and config.root_temperature == 1):
            return
        priors = own if config.root_temperature == 1 else tempered(own, config.root_temperature)
        if config.puct.noise_fraction > 0:
            alpha = shaped_alphas(priors) if config.shaped_noise else config.puct.noise_alpha
            priors = dirichlet_noise(priors, alpha, config.puct.noise_fraction, rng)
        self.trees.set_priors(priors, seat)

    def collect(self, quota: NDArray[np.int64], full: NDArray[np.bool_]) -> int:
        """See `Searches.collect`."""
        waiting = 0
        for chosen, params in ((full, self._full), (~full, self._fast)):
            if (quota[chosen] > 0).any():
                part = np.where(chosen, quota, 0)
                waiting = self.trees.collect_more(waiting, part, params)
                quota[chosen] = part[chosen]
        return waiting

    def found(self, seat: int, rng: np.random.Generator, full: bool, temperature: float) -> Found:
        """See `Searches.found`."""
        visits, q = self.trees.children(seat)
        best = self._most_visited(seat, visits, q)
        target = self._pruned(seat, visits, q) if full and self.config.puct.forced_playouts > 0 else visits
        points = np.flatnonzero(target)
        weights = target[points]
        move = best
        if temperature >= GREEDY_BELOW:
            move = int(points[_draw((weights / weights.max()) ** (1.0 / temperature), rng)])
        surprise = self._surprise(seat, full, points, weights)
        sparse = points.astype(np.uint16), _in_16_bits(weights)
        return Found(move, *sparse, self.value(seat), float(q[best]), surprise)

    def _most_visited(self, seat: int, visits: NDArray[np.int32], q: NDArray[np.float32]) -> int:
        """The most visited move; among equals by value, prior, then the first: as in `SearchResult.ranking`."""
        most = np.flatnonzero(visits == visits.max())
        if len(most) > 1:
            most = most[np.lexsort((-self.trees.priors(seat)[most], -q[most]))]
        return int(most[0])

    def _pruned(self, seat: int, visits: NDArray[np.int32], q: NDArray[np.float32]) -> NDArray[np.int32]:
        """The visits without those that were only forced, as `root.Search` has them."""
        total = float(visits.sum())
        scale = exploration(total, self._full) * math.sqrt(max(1.0, total))
        return pruned_visits(visits, q, self.trees.priors(seat), scale, self.config.puct.forced_playouts)


class GumbelSearches(Searches):
    """Gumbel's search: the improved policy as target, the move that the plan chose."""

    def __init__(self, rows: int, cols: int, seats: int, config: SelfPlayConfig, gumbel: GumbelConfig) -> None:
        self._gumbel = replace(gumbel, max_nodes=MOST_NODES)
        self.pool = GumbelTrees(rows, cols, self._gumbel, games=seats, batch=seats * config.leaves)
        super().__init__(self.pool, config)
        self._params = gumbel.record()

    def _prepare(self, seat: int, rng: np.random.Generator, full: bool, temperature: float, simulations: int) -> None:
        self.pool.noise[seat] = 0.0
        if self._gumbel.noise > 0 and temperature > 0:
            self.pool.noise[seat] = rng.gumbel(size=self.pool.actions) * (self._gumbel.noise * temperature)
        self.pool.begin(simulations, seat)

    def collect(self, quota: NDArray[np.int64], full: NDArray[np.bool_]) -> int:
        """See `Searches.collect`."""
        return self.pool.collect(quota, self._params)

    def found(self, seat: int, rng: np.random.Generator, full: bool, temperature: float) -> Found:
        """See `Searches.found`."""
        policy, value = self.pool.improved_policy(self._params, seat)
        move = int(np.argmax(self.pool.choice_values(self._params, seat)))
        weights = np.floor(policy * TARGET_STEPS + 0.5)
        points = np.flatnonzero(weights)
        surprise = self._surprise(seat, full, points, weights[points])
        sparse = points.astype(np.uint16), weights[points].astype(np.uint16)
        return Found(move, *sparse, value, float(self.pool.children(seat)[1][move]), surprise)


def searches_for(size: int, seats: int, config: SelfPlayConfig) -> Searches:
    """Searches of the kind that `config` names, on boards of this size."""
    if config.gumbel is None:
        return PuctSearches(size, size, seats, config)
    return GumbelSearches(size, size, seats, config, config.gumbel)


def divergence(weights: NDArray[Any], policy: NDArray[np.float32]) -> float:
    """Kullback-Leibler divergence of a target, positive weights [n], from the policy of the same moves, float32[n]."""
    shares = weights / float(weights.sum())
    return max(0.0, float(shares @ np.log(shares / policy)))


def _draw(weights: NDArray[np.float64], rng: np.random.Generator) -> int:
    """An index, each as likely as its weight (0 or more, float64[n])."""
    upper = weights.cumsum()
    return int(np.searchsorted(upper, rng.random() * float(upper[-1]), side="right"))


def _in_16_bits(visits: NDArray[np.int32]) -> NDArray[np.uint16]:
    """Visits uint16[n], made smaller in proportion where they are too many; none becomes 0."""
    shrunk = min(1.0, (2**16 - 1) / int(visits.max()))
    return np.maximum(1, (visits * shrunk + 0.5).astype(np.int64)).astype(np.uint16)
