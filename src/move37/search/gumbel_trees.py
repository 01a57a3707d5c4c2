"""A Gumbel search's trees: beside each tree, the plan of its root and the numbers drawn for it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from move37.search.gumbel import GumbelConfig, considered_visits
from move37.search.gumbel_collect_kernels import collect
from move37.search.gumbel_kernels import improved_logits, mixed_value
from move37.search.tree import NO_MOVE_LIMIT, Trees

__all__ = ["GumbelTrees"]

Plan = tuple[NDArray[np.int32], NDArray[np.bool_]]
"""Visits int32[n] and starts bool[n]: see `gumbel.considered_visits`."""

_NO_PLAN: tuple[int, int] = (1, 0)


class GumbelTrees(Trees):
    """G trees (A actions) whose roots follow plans.

    noise: float64[G, A], the Gumbel numbers of their moves. before: int32[G, A], the visits when the plan began.
    """

    def __init__(self, rows: int, cols: int, config: GumbelConfig, *, games: int = 1, batch: int | None = None) -> None:
        leaves = config.batch if batch is None else batch
        super().__init__(rows, cols, games=games, batch=leaves, max_nodes=config.max_nodes, memory_mb=config.memory_mb)
        self._considered = config.considered
        self.noise: NDArray[np.float64] = np.zeros((games, self.actions))
        self.before = np.zeros((games, self.actions), np.int32)
        self._plan_of = [_NO_PLAN] * games
        self._plans: dict[tuple[int, int], Plan] = {_NO_PLAN: considered_visits(*_NO_PLAN)}
        self._followers: dict[tuple[int, int], NDArray[np.bool_]] = {}
        self._logits, self._new = np.zeros(self.actions), np.zeros(self.actions, np.int32)

    def most_considered(self, game: int = 0) -> int:
        """Moves that a plan looks at: no more than are legal."""
        return min(self._considered, int((self.priors(game) > 0).sum()))

    def begin(self, simulations: int, game: int = 0) -> None:
        """Plan so many simulations for an evaluated root; 0 forgets the plan."""
        self.before[game] = self.children(game)[0]
        self._followers = {}
        wanted = self._plan_of[game] = (self.most_considered(game), simulations)
        if wanted not in self._plans:
            used = set(self._plan_of) - {wanted}
            self._plans = {key: self._plans[key] for key in used} | {wanted: considered_visits(*wanted)}

    def plan(self, game: int = 0) -> NDArray[np.int32]:
        """int32[n]: how many visits the move had that the i-th simulation of the plan is for."""
        return self._plans[self._plan_of[game]][0]

    def new_visits(self, game: int = 0) -> NDArray[np.int32]:
        """Visits int32[A] of the root's moves since the plan began."""
        visits, _ = self.children(game)
        visits -= self.before[game]
        return visits

    def planned(self, game: int = 0) -> int:
        """Simulations that the plan has left."""
        return self._plan_of[game][1] - int(self.new_visits(game).sum())

    def pass_left(self, game: int = 0) -> int:
        """Simulations until some move is due for the second time: so many can be under way without being blind."""
        rest = self.plan(game)[int(self.new_visits(game).sum()) :]
        return int(np.argmax(rest != rest[0])) if np.any(rest != rest[0]) else len(rest)

    def collect(self, quota: NDArray[np.int64], params: Any, move_limit: int = NO_MOVE_LIMIT) -> int:
        """See `Trees.collect`; `params` is of dtype GUMBEL. The games of each plan are collected together."""
        self._make_room(int(quota.sum()))
        waiting = 0
        for plan, games in self._groups().items():
            part = np.where(games, quota, 0)
            if part.any():
                waiting += self._collect(waiting, part, params, move_limit, self._plans[plan])
                np.copyto(quota, part, where=games)
        return waiting

    def _groups(self) -> dict[tuple[int, int], NDArray[np.bool_]]:
        """bool[G], the games that follow each plan: looked up once a plan, not once a simulation."""
        if not self._followers:
            for game, plan in enumerate(self._plan_of):
                self._followers.setdefault(plan, np.zeros(len(self._plan_of), np.bool_))[game] = True
        return self._followers

    def _collect(self, waiting: int, quota: NDArray[np.int64], params: Any, move_limit: int, plan: Plan) -> int:
        return collect(
            self.nodes,
            self.edges,
            self.counters,
            self.roots,
            self.boards,
            self.keys,
            self.key_counts,
            quota,
            params,
            self.noise,
            self.before,
            *plan,
            self._logits,
            self._new,
            move_limit,
            self.closed,
            self._legal,
            self.leaf_boards[waiting:],
            self.leaf_nodes[waiting:],
        )

    def improved(self, params: Any, game: int = 0) -> NDArray[np.float64]:
        """Logits float64[A] of the improved policy at the root, minus infinity where illegal."""
        out = np.empty(self.actions)
        improved_logits(self.nodes, self.edges, int(self.roots[game]), params, out)
        return out

    def improved_policy(self, params: Any, game: int = 0) -> tuple[NDArray[np.float64], float]:
        """π' float64[A], 0 where illegal, and its value Σ π' · completed Q in [-1, 1]."""
        policy = _softmax(self.improved(params, game))
        q = self.children(game)[1].astype(np.float64)
        value = float(policy @ np.where(np.isnan(q), self.mixed_value(game), q))
        return policy, min(1.0, max(-1.0, value))  # rounding may lead just outside

    def choice_values(self, params: Any, game: int = 0) -> NDArray[np.float64]:
        """float64[A], the greatest is the move that the plan chose; 0 where unvisited."""
        shares = _softmax(self.improved(params, game) + self.noise[game])
        return np.where(self.children(game)[0] > 0, self.new_visits(game) + shares, 0.0)

    def mixed_value(self, game: int = 0) -> float:
        """What an unvisited move of the root is worth."""
        return float(mixed_value(self.nodes, int(self.roots[game])))


def _softmax(logits: NDArray[np.float64]) -> NDArray[np.float64]:
    weights: NDArray[np.float64] = np.exp(logits - logits.max())
    return weights / float(weights.sum())
