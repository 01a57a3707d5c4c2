"""A search from one position: the loop over batches, noise at the root, and the tree kept from move to move.

It knows neither networks nor players. Values are for the player to move: at the root in the result, at each node in the
tree.
"""

from __future__ import annotations

import time
import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from move37.rules.board_kernels import HISTORY, NO_POINT, BoardArray, play
from move37.rules.repetition_kernels import KEYS_A_PLY, record_keys
from move37.search.evaluator import EvaluationError, Evaluator
from move37.search.limits import Progress, Stopper, limit
from move37.search.puct import SearchConfig
from move37.search.result import SearchResult
from move37.search.tree import NotANumberError, Trees

__all__ = ["AnySearch", "GamePosition", "Search", "SearchOptions", "Tally", "dirichlet_noise"]

VISITS_PER_LEAF = 16
"""A batch holds at most one leaf for so many planned visits, so that few visits are not spent blindly."""

RESERVED_AT_MOST = 1_000_000
"""Nodes for which room is made at once; beyond, it grows as it is used."""

_RULE_FIELDS = (
    "rows",
    "cols",
    "ko_rule",
    "suicide",
    "scoring",
    "tax",
    "friendly_pass",
    "encore",
    "move_limit",
    "komi",
    "white_bonus",
)
_STATE_FIELDS = (
    "to_play",
    "passes",
    "ko_point",
    "phase",
    "no_result",
    "button",
    "play_bonus",
    "move_number",
    "stones_hash",
    "history_hash",
    "history_ko",
)


class GamePosition(Protocol):
    """What a search needs of `rules.Position`."""

    @property
    def board(self) -> Any:
        """Its BOARD record."""
        ...

    @property
    def superko_keys(self) -> NDArray[np.uint64]:
        """The game's keys of `rules.repetition_kernels`."""
        ...


def dirichlet_noise(
    priors: NDArray[np.float32], alpha: float | None, fraction: float, rng: np.random.Generator
) -> NDArray[np.float32]:
    """Mix Dirichlet noise into priors (float32[A]; legal moves are above 0); alpha None: 0.03 · 361 / legal moves."""
    legal = np.flatnonzero(priors > 0)
    noise = rng.dirichlet(np.full(len(legal), 0.03 * 361 / len(legal) if alpha is None else alpha))
    mixed = priors.copy()
    mixed[legal] = (1 - fraction) * priors[legal] + fraction * noise
    return mixed


@dataclass
class Tally:
    """What one search counts."""

    reused: int
    evaluations: int = 0
    uniform: int = 0
    full: bool = False


class SearchOptions(Protocol):
    """What the loop needs of a search's options; see `SearchConfig`."""

    @property
    def batch(self) -> int:
        """Most leaves an evaluator call gets."""
        ...

    @property
    def max_nodes(self) -> int:
        """The search stops when its tree holds as many."""
        ...


class AnySearch(ABC):
    """Searches positions of one game after another, keeping what it can of its tree; a subclass knows the rule.

    The tree is kept only if the new position follows from the last one by moves that were searched, under the same
    rules and komi. One search at a time. Same seed, same evaluator, same result.
    """

    def __init__(self, evaluator: Evaluator, options: SearchOptions, clock: Callable[[], float]) -> None:
        self.evaluator = evaluator
        self.trees: Trees | None = None
        self._options = options
        self._clock = clock
        self._warned = False

    @abstractmethod
    def _new_trees(self, rows: int, cols: int) -> Trees:
        """Empty trees for boards of this size."""

    @abstractmethod
    def _collect(self, trees: Trees, visits: int) -> int:
        """Start at most so many simulations; return how many leaves wait."""

    @abstractmethod
    def _prepare_root(self, trees: Trees, tally: Tally) -> None:
        """What is to be done to an evaluated root before the search; it may be kept from an earlier one."""

    @abstractmethod
    def _result(self, trees: Trees, seconds: float, tally: Tally) -> SearchResult:
        """What was found."""

    def run(self, position: GamePosition, limits: Stopper | int) -> SearchResult:
        """Search `position` until `limits` stop it (an int: visits); at least the root is evaluated.

        The position is not changed. Raises EvaluationError if the evaluator answers NaN; the tree is then dropped.
        """
        began = self._clock()
        limits = limit(limits) if isinstance(limits, int) else limits
        try:
            trees = self._tree_for(position)
            tally = Tally(reused=trees.visits())
            if trees.is_fresh():
                self._step(trees, 1, tally)
            self._prepare_root(trees, tally)
            self._loop(trees, limits, began, tally)
        except BaseException:
            self.clear()
            raise
        if tally.uniform and not self._warned:
            self._warned = True
            warnings.warn("the evaluator gave no legal move a finite logit; uniform priors are used", stacklevel=2)
        return self._result(trees, self._clock() - began, tally)

    def advance(self, position: GamePosition) -> bool:
        """Go down the tree to `position`, giving the rest of it back; False, and no tree, if it does not lead there."""
        trees = self.trees
        if trees is None or not trees.has_tree():
            return False
        moves = _moves_between(trees.boards[0], trees.keys[0, : trees.key_counts[0]], position)
        reached = moves is not None and _walk(trees, moves, position)
        if not reached:
            trees.drop(0)
        elif moves:
            trees.compact()
            self._root_changed()
        return trees.has_tree()

    @abstractmethod
    def _root_changed(self) -> None:
        """Forget what belongs to the last root."""

    def clear(self) -> None:
        """Drop the tree and its memory."""
        self.trees = None

    def _tree_for(self, position: GamePosition) -> Trees:
        rows, cols = int(position.board["rows"]), int(position.board["cols"])
        if self.trees is None or self.trees.actions != rows * cols + 1:
            self.trees = self._new_trees(rows, cols)
        if not self.advance(position):
            self.trees.plant(0, position.board, position.superko_keys)
            self._root_changed()
        return self.trees

    def _loop(self, trees: Trees, limits: Stopper, began: float, tally: Tally) -> None:
        while True:
            progress = self._progress(trees, began, tally)
            left = limits.visits_left(progress)
            if left <= 0:
                return
            if left <= RESERVED_AT_MOST:
                trees.reserve(trees.count + left)
            if trees.count >= trees.max_nodes:
                tally.full = True
                return
            planned = (progress.visits + left) // VISITS_PER_LEAF
            self._step(trees, min(left, self._options.batch, max(1, planned)), tally)

    def _step(self, trees: Trees, visits: int, tally: Tally) -> None:
        """One batch of at most `visits` simulations."""
        leaves = self._collect(trees, visits)
        if leaves == 0:
            return
        with self._finite():
            tally.uniform += trees.expand(leaves, self.evaluator.evaluate(trees.leaf_boards[:leaves]))
        tally.evaluations += leaves

    @contextmanager
    def _finite(self) -> Generator[None]:
        """Name the evaluator where an answer of it is not a number (EvaluationError)."""
        try:
            yield
        except NotANumberError as error:
            name = type(self.evaluator).__name__
            raise EvaluationError(
                f"The evaluator {name} answered a policy or value that is not a finite number; check its network."
            ) from error

    def _progress(self, trees: Trees, began: float, tally: Tally) -> Progress:
        visits = trees.visits()
        return Progress(visits, visits - tally.reused, trees.count, self._clock() - began, trees.lead())


class Search(AnySearch):
    """PUCT over one tree, with noise at the root where asked: drawn anew in each search, also for a kept tree."""

    def __init__(
        self,
        evaluator: Evaluator,
        config: SearchConfig | None = None,
        rng: np.random.Generator | None = None,
        *,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self.config = SearchConfig() if config is None else config
        super().__init__(evaluator, self.config, clock)
        self._rng = np.random.default_rng() if rng is None else rng
        self._params = self.config.record()
        self._clean_priors: NDArray[np.float32] | None = None

    def _new_trees(self, rows: int, cols: int) -> Trees:
        return Trees(rows, cols, batch=self.config.batch, max_nodes=self.config.max_nodes)

    def _collect(self, trees: Trees, visits: int) -> int:
        return trees.collect(np.array([visits], np.int64), self._params, self.config.last_move_number)

    def _root_changed(self) -> None:
        self._clean_priors = None

    def _prepare_root(self, trees: Trees, tally: Tally) -> None:
        """Mix fresh noise into the root's own priors, which a kept root still has unmixed."""
        config = self.config
        if config.noise_fraction == 0:
            return
        if self._clean_priors is None:
            self._clean_priors = trees.priors()
        noised = dirichlet_noise(self._clean_priors, config.noise_alpha, config.noise_fraction, self._rng)
        trees.set_priors(noised)

    def _result(self, trees: Trees, seconds: float, tally: Tally) -> SearchResult:
        visits, q = trees.children()
        root = trees.nodes[trees.roots[0]]
        return SearchResult(
            visits=visits,
            q=q,
            priors=trees.priors(),
            value=float(root["value_sum"] / root["visits"]),
            network_value=float(root["value"]),
            root_visits=int(root["visits"]),
            reused_visits=tally.reused,
            variation=trees.variation(),
            evaluations=tally.evaluations,
            nodes=trees.count,
            seconds=seconds,
            uniform_fallbacks=tally.uniform,
            full=tally.full,
        )


def _moves_between(root: Any, keys: NDArray[np.uint64], position: GamePosition) -> list[int] | None:
    """The moves from a root's record to a later position of the same game; None if it is not one."""
    board = position.board
    count = int(board["move_number"]) - int(root["move_number"])
    if not 0 <= count <= HISTORY or any(root[name] != board[name] for name in _RULE_FIELDS):
        return None
    if not np.array_equal(position.superko_keys[: len(keys)], keys):
        return None
    moves = [int(move) for move in board["last_moves"][:count][::-1]]
    return None if NO_POINT in moves else moves  # the board was edited in between


def _walk(trees: Trees, moves: list[int], position: GamePosition) -> bool:
    """Follow `moves` from the root; whether the tree holds them and they end at `position`."""
    board: BoardArray = trees.boards.copy()
    keys = trees.keys[0, : trees.key_counts[0]]
    for move in moves:
        play(board[0], move, board[0]["to_play"])
        room = np.concatenate([keys, np.zeros(KEYS_A_PLY, np.uint64)])
        keys = room[: record_keys(board[0], room, len(keys))]
        if not trees.advance(0, move, board[0], keys):
            return False
    return all(np.array_equal(board[0][name], position.board[name]) for name in _STATE_FIELDS)
