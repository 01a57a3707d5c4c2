"""A Gumbel search's trees: beside the tree, the plan of its root and the numbers drawn for it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from move37.search.gumbel import GumbelConfig, considered_visits
from move37.search.gumbel_collect_kernels import collect
from move37.search.gumbel_kernels import improved_logits, mixed_value
from move37.search.tree import NO_MOVE_LIMIT, Trees

__all__ = ["GumbelTrees"]


class GumbelTrees(Trees):
    """One tree (A actions) whose root follows a plan.

    noise: float64[A], the Gumbel numbers of its moves. before: int32[A], their visits when the plan began. plan:
    int32[n], see `gumbel.considered_visits`.
    """

    def __init__(self, rows: int, cols: int, config: GumbelConfig) -> None:
        super().__init__(rows, cols, batch=config.batch, max_nodes=config.max_nodes, memory_mb=config.memory_mb)
        self._considered = config.considered
        self.noise = np.zeros(self.actions)
        self.before = np.zeros(self.actions, np.int32)
        self.plan, self._starts = considered_visits(1, 0)
        self._logits, self._new = np.zeros(self.actions), np.zeros(self.actions, np.int32)

    @property
    def most_considered(self) -> int:
        """Moves that a plan looks at: no more than are legal."""
        return min(self._considered, int((self.priors() > 0).sum()))

    def begin(self, simulations: int) -> None:
        """Plan so many simulations for an evaluated root; 0 forgets the plan."""
        self.before = self.children()[0]
        self.plan, self._starts = considered_visits(self.most_considered, simulations)

    def new_visits(self) -> NDArray[np.int32]:
        """Visits int32[A] of the root's moves since the plan began."""
        return self.children()[0] - self.before

    def planned(self) -> int:
        """Simulations that the plan has left."""
        return len(self.plan) - int(self.new_visits().sum())

    def pass_left(self) -> int:
        """Simulations until some move is due for the second time: so many can be under way without being blind."""
        rest = self.plan[int(self.new_visits().sum()) :]
        return int(np.argmax(rest != rest[0])) if np.any(rest != rest[0]) else len(rest)

    def collect(self, quota: NDArray[np.int64], params: Any, move_limit: int = NO_MOVE_LIMIT) -> int:
        """See `Trees.collect`; `params` is of dtype GUMBEL."""
        self._make_room(int(quota.sum()))
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
            self.noise[None],
            self.before[None],
            self.plan,
            self._starts,
            self._logits,
            self._new,
            move_limit,
            self.closed,
            self._legal,
            self.leaf_boards,
            self.leaf_nodes,
        )

    def improved(self, params: Any) -> NDArray[np.float64]:
        """Logits float64[A] of the improved policy at the root, minus infinity where illegal."""
        out = np.empty(self.actions)
        improved_logits(self.nodes, self.edges, int(self.roots[0]), params, out)
        return out

    def mixed_value(self) -> float:
        """What an unvisited move of the root is worth."""
        return float(mixed_value(self.nodes, int(self.roots[0])))
