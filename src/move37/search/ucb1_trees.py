"""`Trees` for UCB1: the same nodes and edges, other ways down, and RAVE's statistics beside them where asked."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from move37.search.evaluator import Evaluations
from move37.search.rave_kernels import give_rows, move_rows, note_rollouts
from move37.search.rollouts import RolloutEvaluations, scores
from move37.search.rows import Rows
from move37.search.tree import NO_MOVE_LIMIT, Trees
from move37.search.ucb1 import UctConfig
from move37.search.ucb1_collect_kernels import collect
from move37.search.ucb1_kernels import RaveRows

__all__ = ["UctTrees"]


SHUFFLE = 0.05
"""Logits differ by up to so much at random, which decides among unvisited moves of equal prior."""


class UctTrees(Trees):
    """`Trees` with room for all-moves-as-first statistics if `rave`.

    rows: float32[R, 2, A], see `rave_kernels`; row_of: int32[T], which of them is a node's, 0 where it has none.
    """

    def __init__(self, rows: int, cols: int, config: UctConfig, rng: np.random.Generator) -> None:
        self.rave = config.rave
        self._rng = rng
        self._row_numbers, self._rave_rows = Rows(np.int32), Rows(np.float32, 2, rows * cols + 1)
        self._rave_rows.grow(1, 0)
        self.row_of: NDArray[np.int32] = self._row_numbers.array
        self.rows: RaveRows = self._rave_rows.array
        self.rows[0] = 0
        self._used_rows = 1
        memory = config.memory_mb
        if memory is not None and self.rave:  # in a tree that was pruned nearly every node has a row
            plain = self.node_bytes(rows * cols + 1)
            memory *= plain / (plain + self.rows[0].nbytes + 4)
        super().__init__(rows, cols, batch=config.batch, max_nodes=config.max_nodes, memory_mb=memory)

    def reserve(self, nodes: int) -> None:
        """See `Trees`."""
        super().reserve(nodes)
        before = len(self.row_of)
        if self.rave and before < len(self.nodes):
            self._row_numbers.grow(len(self.nodes), before)
            self.row_of = self._row_numbers.array
            self.row_of[before:] = 0

    def drop(self, game: int) -> None:
        """See `Trees`."""
        super().drop(game)
        if self.count == 0:
            self.row_of[:] = 0
            self._used_rows = 1

    def compact(self) -> NDArray[np.int32]:
        """See `Trees`."""
        moved = super().compact()
        if self.rave:
            self._used_rows = move_rows(self.rows, self.row_of, moved, self._used_rows)
        return moved

    def collect(self, quota: NDArray[np.int64], params: Any, move_limit: int = NO_MOVE_LIMIT) -> int:
        """See `Trees`; params: of dtype UCB1."""
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
            self.rows,
            self.row_of,
            move_limit,
            self.closed,
            self._legal,
            self.leaf_boards,
            self.leaf_nodes,
        )

    def expand(self, count: int, evaluations: Any) -> int:
        """See `Trees`; the first of equal priors is drawn at random, and RAVE notes the rollouts."""
        policy, _ = self.check(count, evaluations)
        if self.rave:
            self._note(count, evaluations)
        shuffled = policy + self._rng.uniform(0, SHUFFLE, policy.shape).astype(np.float32)
        return super().expand(count, replace(evaluations, policy=shuffled))

    def _note(self, count: int, evaluations: Evaluations) -> None:
        """Add rollouts from `count` collected leaves to the statistics of the nodes above them."""
        played = evaluations.played if isinstance(evaluations, RolloutEvaluations) else None
        if played is None or played.moves is None or played.lengths is None:
            raise TypeError("RAVE learns from the moves of rollouts: use RolloutEvaluator(..., keep_moves=True)")
        boards, leaves = self.leaf_boards[:count], self.leaf_nodes[:count]
        results = np.sign(scores(boards, played.margins))
        self._give_rows(leaves)
        note_rollouts(self.nodes, leaves, boards, played.moves, played.lengths, results, self.rows, self.row_of)

    def _give_rows(self, leaves: NDArray[np.int32]) -> None:
        before = self._used_rows
        used = self._used_rows = give_rows(self.nodes, leaves, self.row_of, before)
        if used > len(self.rows):
            self._rave_rows.grow(min(max(used, 2 * len(self.rows)), self.max_nodes + 1), before)
            self.rows = self._rave_rows.array
        self.rows[before:used] = 0
