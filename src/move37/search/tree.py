"""Trees in one pool of arrays: one for a player, one a game for self-play.

It allocates, plants, collects, expands and cuts; when to stop and which move to play are not its business. The work is
done by `tree_kernels` and `collect_kernels`. All games of a pool have one board size.
"""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from move37.rules.batch_kernels import play_all
from move37.rules.board_kernels import BOARD, BoardArray
from move37.rules.repetition_kernels import KEYS_A_PLY
from move37.search.collect_kernels import KEY_ROOM, collect, expand_and_back_up
from move37.search.evaluator import Evaluations
from move37.search.prune_kernels import cut_rare, least_kept
from move37.search.rows import Rows
from move37.search.tree_kernels import (
    EXPANDED,
    FRESH,
    NODE,
    NONE,
    add_node,
    find_child,
    find_root_moves,
    keep_trees,
    lead_of_best,
    read_children,
    read_lines,
    read_priors,
    read_scores,
    read_variation,
    replace_priors,
)

__all__ = ["NO_MOVE_LIMIT", "NotANumberError", "Trees"]

NO_MOVE_LIMIT = 2**31 - 1
NODES_SHARE = 0.99
"""Part of a memory limit that is for nodes; the rest is for boards, reports and what the system rounds up."""
LINE = 64
"""Moves at most in a variation."""

_FURTHER = tuple(field.name for field in fields(Evaluations) if field.name not in ("policy", "value"))


def scores_of(evaluations: Evaluations) -> NDArray[np.float32]:
    """Lead and score, float32[2, B]: each stands in for the other where only one is known, NaN where none is."""
    found = np.full((2, len(evaluations.value)), np.nan, np.float32)
    lead, score = evaluations.lead, evaluations.score_mean
    if lead is not None or score is not None:
        found[0] = score if lead is None else lead
        found[1] = lead if score is None else score
    return found


class NotANumberError(ValueError):
    """An evaluator answered NaN or plus infinity; `index` is the row of the batch."""

    def __init__(self, index: int) -> None:
        super().__init__(f"row {index} of the evaluation is not finite")
        self.index = index


class Trees:
    """G search trees over boards of rows × cols (A = rows * cols + 1 actions), at most `max_nodes` nodes together.

    memory_mb: megabytes (10⁶ bytes) that they may take; if that is less, `prunes` says that a full pool is pruned.
    There is always room for twice the moves of a root.

    nodes: NODE[T] and edges: uint16[T, A], see `tree_kernels`; count: nodes in use. roots: int32[G], -1 if no tree.
    boards: BOARD[G], the positions at the roots. closed: int32[2, A], the depth from which moves are open to Black and
    White (`restriction.closed_until`). Memory is taken as nodes are used.
    """

    def __init__(
        self,
        rows: int,
        cols: int,
        *,
        games: int = 1,
        batch: int = 8,
        max_nodes: int = 10_000_000,
        memory_mb: float | None = None,
    ) -> None:
        self.actions = rows * cols + 1
        self.max_nodes, self.prunes = self._limit(max_nodes, memory_mb, games)
        self._node_rows, self._edge_rows = Rows(NODE), Rows(np.uint16, self.actions)
        self.nodes: NDArray[Any] = self._node_rows.array
        self.edges: NDArray[np.uint16] = self._edge_rows.array
        self.counters = np.zeros(1, np.int64)
        self.roots = np.full(games, NONE, np.int32)
        self.boards: BoardArray = np.zeros(games, BOARD)
        self.keys = np.zeros((games, KEY_ROOM), np.uint64)
        self.key_counts = np.zeros(games, np.int64)
        self.leaf_boards: BoardArray = np.zeros(batch, BOARD)
        self.leaf_nodes = np.zeros(batch, np.int32)
        self.closed = np.zeros((2, self.actions), np.int32)
        self._legal = np.zeros(self.actions, np.bool_)
        self.reserve(min(1024, max_nodes))

    @property
    def count(self) -> int:
        """Nodes in use, those of dropped trees included until `compact`."""
        return int(self.counters[0])

    def reserve(self, nodes: int) -> None:
        """Make room for `nodes` nodes (at most max_nodes)."""
        capacity = min(nodes, self.max_nodes)
        if capacity <= len(self.nodes):
            return
        self._node_rows.grow(capacity, self.count)
        self._edge_rows.grow(capacity, self.count)
        self.nodes, self.edges = self._node_rows.array, self._edge_rows.array

    def plant(self, game: int, board: Any, keys: NDArray[np.uint64]) -> None:
        """Start a tree for `game` at `board`, a BOARD record; `keys: uint64[n]` are those of its game so far."""
        self.boards[game] = board
        self._write_keys(game, keys)
        self.replant(game)

    def replant(self, game: int) -> None:
        """Start a new tree for `game` where it stands."""
        self._make_room(1)
        self.roots[game] = self.count
        add_node(self.nodes, self.count, NONE, NONE, 0)
        self.counters[0] += 1

    def _write_keys(self, game: int, keys: NDArray[np.uint64]) -> None:
        self._widen_keys(len(keys))
        self.keys[game, : len(keys)] = keys
        self.key_counts[game] = len(keys)

    def _widen_keys(self, count: int) -> None:
        """Make room for games of `count` keys, and what a simulation adds to them."""
        needed = count + KEY_ROOM
        if needed > self.keys.shape[1]:
            wider = np.zeros((len(self.keys), needed + KEY_ROOM), np.uint64)
            wider[:, : self.keys.shape[1]] = self.keys
            self.keys = wider

    def _make_room(self, nodes: int) -> None:
        if self.count + nodes > len(self.nodes):
            self.reserve(max(2 * len(self.nodes), self.count + nodes))

    def drop(self, game: int) -> None:
        """Forget the tree of `game`; its nodes are given back by the next `compact`."""
        self.roots[game] = NONE
        if np.all(self.roots == NONE):
            self.counters[0] = 0

    def advance(self, game: int, move: int, board: Any, keys: NDArray[np.uint64]) -> bool:
        """Make the child after `move` (position `board`) the root of `game`; False: no such child, tree dropped."""
        if not self._go_down(game, move):
            return False
        self.boards[game] = board
        self._write_keys(game, keys)
        return True

    def play(self, actions: NDArray[np.int64]) -> None:
        """Play a legal move in each game, int64[G] (-1: none), and go down its tree; an unvisited move ends it.

        So the positions at the roots may be those of the games themselves, kept nowhere else.
        """
        self._widen_keys(int(self.key_counts.max()) + KEYS_A_PLY)
        play_all(self.boards, actions, self.keys, self.key_counts)
        for game in np.flatnonzero(actions >= 0).tolist():
            self._go_down(game, int(actions[game]))

    def _go_down(self, game: int, move: int) -> bool:
        """Make the child after `move` the root; False: there is no such child, and no tree any more."""
        root = int(self.roots[game])
        child = NONE if root == NONE else find_child(self.nodes, root, move)
        if child == NONE or self.nodes[child]["state"] != EXPANDED:
            self.drop(game)
            return False
        self.nodes[child]["parent"] = self.nodes[child]["next_sibling"] = NONE
        self.roots[game] = child
        return True

    def compact(self) -> NDArray[np.int32]:
        """Give back the nodes that no tree holds; not between `collect` and `expand`.

        Returns int32[count before], where each node is now, -1 if it is gone.
        """
        moved = np.empty(self.count, np.int32)
        self.counters[0] = keep_trees(self.nodes, self.edges, self.count, self.roots, moved)
        return moved

    def _limit(self, max_nodes: int, memory_mb: float | None, games: int) -> tuple[int, bool]:
        if memory_mb is None:
            return max_nodes, False
        fitting = int(NODES_SHARE * memory_mb * 1e6) // self.node_bytes(self.actions)
        fitting = max(fitting, 2 * games * (self.actions + 1))
        return min(max_nodes, fitting), fitting < max_nodes

    @classmethod
    def node_bytes(cls, actions: int) -> int:
        """Memory that a node takes, working space of `prune` included."""
        return NODE.itemsize + 2 * actions + 4

    def prune(self) -> int:
        """Give back rarely visited nodes until at most half of max_nodes is in use; how many were given back.

        Their edges are unvisited again, with their priors; what they taught their ancestors stays. A root's own moves
        stay. Not between `collect` and `expand`.
        """
        before = self.count
        cut_rare(self.nodes, self.edges, before, least_kept(self.nodes, before, self.max_nodes // 2))
        self.compact()
        return before - self.count

    def collect(self, quota: NDArray[np.int64], params: Any, move_limit: int = NO_MOVE_LIMIT) -> int:
        """Start at most `quota: int64[G]` simulations a tree (reduced by those started); return how many leaves wait.

        They are `leaf_boards[:n]`. 0 with quota left: only finished games were met, or the pool is full.
        """
        return self.collect_more(0, quota, params, move_limit)

    def collect_more(self, waiting: int, quota: NDArray[np.int64], params: Any, move_limit: int = NO_MOVE_LIMIT) -> int:
        """`collect` behind the `waiting` leaves of a call with other params; return how many wait in all."""
        self._make_room(int(quota.sum()))
        return waiting + collect(
            self.nodes,
            self.edges,
            self.counters,
            self.roots,
            self.boards,
            self.keys,
            self.key_counts,
            quota,
            params,
            move_limit,
            self.closed,
            self._legal,
            self.leaf_boards[waiting:],
            self.leaf_nodes[waiting:],
        )

    def expand(self, count: int, evaluations: Any) -> int:
        """Expand `count` collected leaves by their `Evaluations`, back up, return how many had no finite logit.

        Raises NotANumberError, after which the trees are to be dropped; ValueError where shapes are wrong, TypeError
        for anything but Evaluations (a network's friendly answer has probabilities, not logits).
        """
        policy, value = self.check(count, evaluations)
        scores = scores_of(evaluations)
        status = expand_and_back_up(self.nodes, self.edges, self.leaf_nodes, count, policy, value, scores)
        if status < 0:
            raise NotANumberError(-1 - status)
        return status

    def root_moves(self, count: int) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """For `count` collected leaves: the move of their root that they are below, -1 for a root, and their depth."""
        moves, depths = np.empty(count, np.int32), np.empty(count, np.int32)
        find_root_moves(self.nodes, self.leaf_nodes[:count], moves, depths)
        return moves, depths

    def root_board(self) -> BoardArray:
        """The BOARD[1] of the first game's root, for an evaluator."""
        return self.boards[:1].copy()

    def check(self, count: int, evaluations: Any) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Policy float32[count, A] and value float32[count] of `evaluations`; errors as `expand`."""
        if not isinstance(evaluations, Evaluations):
            found = type(evaluations).__name__
            raise TypeError(f"an evaluator answers with Evaluations, not {found}: give a search network.evaluator")
        policy = np.ascontiguousarray(evaluations.policy, np.float32)
        value = np.ascontiguousarray(evaluations.value, np.float32)
        if policy.shape != (count, self.actions) or value.shape != (count,):
            expected = f"{(count, self.actions)} and {(count,)}"
            raise ValueError(f"evaluations have shapes {policy.shape} and {value.shape}, expected {expected}")
        self._check_further(count, evaluations)
        return policy, value

    def _check_further(self, count: int, evaluations: Evaluations) -> None:
        """Refuse a further output of another shape (ValueError)."""
        board = self.boards[0]
        shapes = {"ownership": (count, int(board["rows"]), int(board["cols"])), "optimistic": (count, self.actions)}
        for name in _FURTHER:
            values, expected = getattr(evaluations, name), shapes.get(name, (count,))
            if values is not None and np.shape(values) != expected:
                raise ValueError(f"{name} of evaluations has shape {np.shape(values)}, expected {expected}")

    def has_tree(self, game: int = 0) -> bool:
        """Whether `game` has a tree."""
        return bool(self.roots[game] != NONE)

    def visits(self, game: int = 0) -> int:
        """Visits of the root, its own evaluation included; 0 without a tree."""
        root = self.roots[game]
        return 0 if root == NONE else int(self.nodes[root]["visits"])

    def is_fresh(self, game: int = 0) -> bool:
        """Whether the root still waits for its evaluation."""
        return bool(self.nodes[self.roots[game]]["state"] == FRESH)

    def priors(self, game: int = 0) -> NDArray[np.float32]:
        """Priors in use at the root, float32[A]; 0 where illegal."""
        out = np.zeros(self.actions, np.float32)
        read_priors(self.nodes, self.edges, int(self.roots[game]), out)
        return out

    def set_priors(self, priors: NDArray[np.float32], game: int = 0) -> None:
        """Replace the root's priors, float32[A]."""
        replace_priors(self.nodes, self.edges, int(self.roots[game]), priors)

    def children(self, game: int = 0) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
        """Visits int32[A] and mean values float32[A] (for the player to move; NaN if unvisited) of the root's moves."""
        visits, q = np.zeros(self.actions, np.int32), np.zeros(self.actions, np.float32)
        read_children(self.nodes, int(self.roots[game]), visits, q)
        return visits, q

    def lead(self, game: int = 0) -> int:
        """Visits by which the root's most visited move is ahead of the second."""
        return lead_of_best(self.nodes, int(self.roots[game]))

    def scores(self, game: int = 0) -> NDArray[np.float64]:
        """float64[3, A] of the root's moves, for its player: mean squared value, lead, score; NaN if unvisited."""
        found = np.empty((3, self.actions))
        read_scores(self.nodes, int(self.roots[game]), found)
        return found

    def variation(self, game: int = 0, length: int = LINE) -> tuple[int, ...]:
        """The most visited line from the root, at most `length` moves."""
        out, visits = np.empty(length, np.int32), np.empty(length, np.int32)
        used = read_variation(self.nodes, int(self.roots[game]), out, visits)
        return tuple(out[:used].tolist())

    def lines(self, game: int = 0) -> tuple[dict[int, tuple[int, ...]], dict[int, tuple[int, ...]]]:
        """The most visited line of each visited move of the root, itself included, and the visits along it."""
        out, visits = np.empty((2, self.actions, LINE), np.int32)
        lengths = np.empty(self.actions, np.int32)
        read_lines(self.nodes, int(self.roots[game]), out, visits, lengths)
        moves = [(move, int(lengths[move])) for move in np.flatnonzero(lengths).tolist()]
        variations = {move: tuple(out[move, :used].tolist()) for move, used in moves}
        return variations, {move: tuple(visits[move, :used].tolist()) for move, used in moves}
