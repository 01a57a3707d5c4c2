"""The mixed search's one tree, its waves and its questions to the networks.

When to do what is the search's business.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from move37.rules.board_kernels import BOARD, EMPTY, BoardArray
from move37.search.mixed import MixedConfig
from move37.search.mixed_collect_kernels import collect_wave
from move37.search.mixed_kernels import (
    MIXED_NODE,
    MixedNodes,
    back_up_rollouts,
    clear_mixed,
    grow,
    mixed_value,
    read_mixed,
    take_answers,
)
from move37.search.rollouts import scores
from move37.search.rows import Rows
from move37.search.tree import NotANumberError, Trees, scores_of
from move37.search.tree_kernels import NONE, find_root_moves

__all__ = ["MixedTrees"]

KINDS = 2
QUEUE_OF_BATCHES = 4
"""A queue has room for so many batches, or waves if they are larger; values fill half of it at most."""

LEAST_THRESHOLD, MOST_TIMES_THRESHOLD = 1, 10
"""Between which bounds an adapted threshold stays: visits, and times the one it began with. Ours."""


class MixedTrees(Trees):
    """A tree with value statistics beside its nodes, and a queue of questions of each kind.

    mixed: MIXED_NODE[T]. `take` begins a batch, `answer` ends it; in between it is in flight. Questions stay in their
    queue from one search to the next.
    """

    def __init__(self, rows: int, cols: int, config: MixedConfig, two_networks: bool) -> None:
        self._mixed_rows = Rows(MIXED_NODE)
        self.mixed: MixedNodes = self._mixed_rows.array
        super().__init__(rows, cols, batch=config.wave, max_nodes=config.max_nodes, memory_mb=config.memory_mb)
        room = QUEUE_OF_BATCHES * max(config.batch, config.wave)
        self.params = config.record(two_networks)
        self._config = config
        self._grows = np.zeros(config.wave, np.bool_)
        self._queue_boards: BoardArray = np.zeros((KINDS, room), BOARD)
        self._queue_nodes = np.zeros((KINDS, room), np.int32)
        self._queue_counts = np.zeros(KINDS, np.int64)
        self._flight_boards: BoardArray = np.zeros((KINDS, config.batch), BOARD)
        self._flight_nodes = np.zeros((KINDS, config.batch), np.int32)
        self._flight_counts = np.zeros(KINDS, np.int64)

    def reserve(self, nodes: int) -> None:
        """See `Trees.reserve`."""
        super().reserve(nodes)
        if len(self.mixed) < len(self.nodes):
            self._mixed_rows.grow(len(self.nodes), self.count)
            self.mixed = self._mixed_rows.array

    @classmethod
    def node_bytes(cls, actions: int) -> int:
        """See `Trees.node_bytes`."""
        return super().node_bytes(actions) + MIXED_NODE.itemsize

    def plant(self, game: int, board: Any, keys: NDArray[np.uint64]) -> None:
        """See `Trees.plant`; open questions are forgotten."""
        super().plant(game, board, keys)
        clear_mixed(self.mixed, int(self.roots[game]))
        self._queue_counts[:] = 0
        self._flight_counts[:] = 0

    def compact(self) -> NDArray[np.int32]:
        """See `Trees.compact`; nothing may be in flight. Questions about what is given back are forgotten."""
        moved = super().compact()
        kept = np.flatnonzero(moved != NONE)
        self.mixed[: len(kept)] = self.mixed[kept]
        for kind in range(KINDS):
            nodes = moved[self._queue_nodes[kind, : self._queue_counts[kind]]]
            still = np.flatnonzero(nodes != NONE)
            self._keep_questions(kind, still, nodes[still])
        return moved

    def visits(self, game: int = 0) -> int:
        """Visits of the root's moves, and one for its own; so they add up also where it was a leaf for long."""
        if not self.has_tree(game) or self.nodes[self.roots[game]]["visits"] == 0:
            return 0
        return 1 + int(self.children(game)[0].sum())

    def children(self, game: int = 0) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
        """Rollouts N_r int32[A] and mixed values Q float32[A] (for the player to move; NaN if unvisited)."""
        visits, q = np.zeros(self.actions, np.int32), np.zeros(self.actions, np.float32)
        read_mixed(self.nodes, self.mixed, int(self.roots[game]), float(self._config.mix), visits, q)
        return visits, q

    def value(self, game: int = 0) -> float:
        """The mixed value of all simulations, for the player to move at the root."""
        root = self.roots[game]
        return -float(mixed_value(self.nodes[root], self.mixed[root], float(self._config.mix), 0.0))

    # ------------------------------------------------------------------------------------------------- waves

    def descend(self, visits: int) -> int:
        """Start at most `visits` simulations, a wave at most; return how many leaves wait, `leaf_boards[:n]`."""
        self._make_room(visits)
        return collect_wave(
            self.nodes,
            self.edges,
            self.mixed,
            self.counters,
            int(self.roots[0]),
            self.boards,
            self.keys[0],
            int(self.key_counts[0]),
            visits,
            self.params,
            self._config.last_move_number,
            self.closed,
            self._legal,
            self.leaf_boards,
            self.leaf_nodes,
            self._grows,
            self._queue_boards,
            self._queue_nodes,
            self._queue_counts,
        )

    def growing(self, leaves: int) -> NDArray[np.int64]:
        """Which of the leaves are to be expanded by `grow`, int64[n]."""
        return np.flatnonzero(self._grows[:leaves]).astype(np.int64)

    def grow(self, chosen: NDArray[np.int64], weights: NDArray[np.float32]) -> None:
        """Expand leaves with placeholder priors in proportion to `weights: float32[n, A]`, at least 0.

        ValueError for another shape, NotANumberError for a weight that is negative or no number.
        """
        weights = np.ascontiguousarray(weights, np.float32)
        if weights.shape != (len(chosen), self.actions):
            raise ValueError(f"weights have shape {weights.shape}, expected {(len(chosen), self.actions)}")
        good = np.isfinite(weights).all(axis=1) & (weights >= 0).all(axis=1)
        if not good.all():
            raise NotANumberError(int(np.flatnonzero(~good)[0]))
        grow(self.nodes, self.edges, self.mixed, self.leaf_nodes, chosen, weights)

    def finish(self, leaves: int, margins: NDArray[np.int16]) -> None:
        """Back up a wave's rollouts: margins int16[leaves, 1], Black's area margin without komi; else ValueError."""
        if margins.shape != (leaves, 1):
            raise ValueError(f"rollouts have shape {margins.shape}, expected {(leaves, 1)}")
        points = scores(self.leaf_boards[:leaves], margins)[:, 0]
        back_up_rollouts(self.nodes, self.leaf_nodes, np.sign(points), points)

    def owned(self, owners: NDArray[np.int8]) -> NDArray[np.float32]:
        """Ownership float32[n, H, W] for the players to move at a wave's n leaves, of `owners: int8[n, 1, P]`."""
        boards = self.leaf_boards[: len(owners)]
        mine = owners[:, 0] == boards["to_play"][:, None]
        found = np.where(owners[:, 0] == EMPTY, 0, np.where(mine, 1, -1)).astype(np.float32)
        return found.reshape(len(boards), int(boards[0]["rows"]), int(boards[0]["cols"]))

    # --------------------------------------------------------------------------------------------- questions

    def waiting(self, kind: int) -> tuple[BoardArray, NDArray[np.int32]]:
        """The questions in a queue, the oldest first: positions BOARD[n] and their nodes int32[n]."""
        count = self._queue_counts[kind]
        return self._queue_boards[kind, :count], self._queue_nodes[kind, :count]

    def in_flight(self, kind: int) -> BoardArray:
        """The positions of the batch that waits for its answer, BOARD[n]; they stay as they are until then."""
        return self._flight_boards[kind, : self._flight_counts[kind]]

    def take(self, kind: int) -> None:
        """Let the oldest questions of a kind, a batch at most, take off, and adapt the threshold to what is left."""
        waiting = int(self._queue_counts[kind])
        count = min(waiting, self._config.batch)
        self._flight_boards[kind, :count] = self._queue_boards[kind, :count]
        self._flight_nodes[kind, :count] = self._queue_nodes[kind, :count]
        self._flight_counts[kind] = count
        left = np.arange(count, waiting)
        self._keep_questions(kind, left, self._queue_nodes[kind, left])
        if kind == self.params["policy_kind"]:
            self._adapt(waiting)

    def answer(self, kind: int, evaluations: Any) -> int:
        """Take the answer to what is in flight; return how many had no finite logit. Errors as `Trees.expand`."""
        count = int(self._flight_counts[kind])
        policy, value = self.check(count, evaluations)
        nodes = self._flight_nodes[kind, :count]
        scores = scores_of(evaluations)
        status = take_answers(self.nodes, self.edges, self.mixed, nodes, kind, self.params, policy, value, scores)
        if status < 0:
            raise NotANumberError(-1 - status)
        self._flight_counts[kind] = 0
        return status

    def places(self, kind: int) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Of what is in flight: the root's move it is below, -1 for the root itself, and its depth; int32[n] each."""
        nodes = self._flight_nodes[kind, : self._flight_counts[kind]]
        moves, depths = np.empty((2, len(nodes)), np.int32)
        find_root_moves(self.nodes, nodes, moves, depths)
        return moves, depths

    def _keep_questions(self, kind: int, which: NDArray[np.intp], nodes: NDArray[np.int32]) -> None:
        """Leave only the questions at the places `which` in a queue, about `nodes`."""
        self._queue_boards[kind, : len(which)] = self._queue_boards[kind, which]
        self._queue_nodes[kind, : len(which)] = nodes
        self._queue_counts[kind] = len(which)

    def _adapt(self, waiting: int) -> None:
        """Raise the threshold where more positions wait than a batch, lower it where the network had room for more."""
        config = self._config
        if not config.dynamic or self.params["threshold"] == 0:
            return
        step = (waiting > config.batch) - (waiting < config.batch)
        most = MOST_TIMES_THRESHOLD * config.threshold
        self.params["threshold"] = min(most, max(LEAST_THRESHOLD, int(self.params["threshold"]) + step))
