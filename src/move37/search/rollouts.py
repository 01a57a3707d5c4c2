"""Rollouts of many positions on all cores: the classic judge of a position, and half of AlphaGo's.

It deals games out to threads, whose kernels need no interpreter's lock, and knows neither trees nor players. The games
are those of `rollout_kernels` (uniform), `light_rollout_kernels`, or `pattern_rollout_kernels` (by a trained policy).
"""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from move37.errors import ConfigError
from move37.features.rollout_around_kernels import AROUND
from move37.features.rollout_policy import RolloutPolicy
from move37.rules.board_kernels import CELLS, BoardArray
from move37.search.evaluator import Evaluations
from move37.search.light_rollout_kernels import write_weights_batch
from move37.search.pattern_rollout_kernels import DRAW, HEAVIEST, UNIT, Weights, note_replies, play_pattern_rollouts
from move37.search.rollout_batch_kernels import play_rollouts, write_scores

__all__ = ["Played", "RolloutEvaluations", "Rollouts", "light_policy", "results", "scores"]

MOVES_A_POINT = 3
"""A rollout ends after so many moves for each point of the board, which only endless repetition reaches."""

LEAST_WEIGHT = np.float32(0.001)

LARGEST_LOGIT = 13.0
"""A trained weight beyond it says no more: moves are drawn by whole numbers."""

SHARES_A_THREAD = 4
"""Shares of a batch a thread gets, so that none waits long for another."""


@dataclass(frozen=True)
class Played:
    """Rollouts of B positions, `games` of each, on boards of P points.

    margins: int16[B, games], Black's area margin without komi. owners: int8[B, games, P], who owns each point in the
    end (0, 1 Black, 2 White). moves: int16[B, games, L], each rollout's moves in turn from the player to move, points
    and passes; lengths: int16[B, games], how many they are. All but margins are None where they were not asked for.
    """

    margins: NDArray[np.int16]
    owners: NDArray[np.int8] | None = field(default=None, repr=False)
    moves: NDArray[np.int16] | None = field(default=None, repr=False)
    lengths: NDArray[np.int16] | None = field(default=None, repr=False)

    def part(self, start: int, end: int) -> Played:
        """The rollouts of positions `start` to `end - 1`."""
        some: dict[str, Any] = {name: None if rows is None else rows[start:end] for name, rows in vars(self).items()}
        return Played(**some)


@dataclass(frozen=True)
class RolloutEvaluations(Evaluations):
    """`Evaluations` by rollouts, with the games themselves for those who learn more from them (RAVE)."""

    played: Played | None = field(default=None, repr=False)

    def part(self, start: int, end: int) -> RolloutEvaluations:
        """See `Evaluations`; with the games of these positions."""
        played = None if self.played is None else self.played.part(start, end)
        return RolloutEvaluations(**vars(super().part(start, end)), played=played)


def scores(boards: BoardArray, margins: NDArray[np.int16]) -> NDArray[np.float32]:
    """Final scores float32[B, games] of `margins: int16[B, games]` for the players to move on `boards: BOARD[B]`.

    Komi, White's bonus and her other points count as in `rules.score_kernels`.
    """
    out = np.empty(margins.shape, np.float32)
    write_scores(boards, margins, out)
    return out


def results(boards: BoardArray, margins: NDArray[np.int16]) -> NDArray[np.float32]:
    """Mean results float32[B] in [-1, 1] of `margins: int16[B, games]` for the players to move; a draw is 0."""
    mean: NDArray[np.float32] = np.sign(scores(boards, margins)).mean(axis=1, dtype=np.float32)
    return mean


def light_policy(boards: BoardArray) -> NDArray[np.float32]:
    """Logits float32[B, A] by the weights of light rollouts on `boards: BOARD[B]`, all of one size.

    What a rollout would not play, and a pass, weighs a thousandth of an ordinary move.
    """
    actions = int(boards[0]["rows"]) * int(boards[0]["cols"]) + 1 if len(boards) else 1
    weights = np.empty((len(boards), actions), np.float32)
    write_weights_batch(boards, weights)
    logits: NDArray[np.float32] = np.log(np.maximum(weights, LEAST_WEIGHT))
    return logits


def move_weights(policy: RolloutPolicy) -> Weights:
    """What the features of a trained policy weigh, as rollouts draw by it."""
    gammas: NDArray[np.float32] = np.exp(np.clip(policy.rollout, -LARGEST_LOGIT, LARGEST_LOGIT))
    return Weights(gammas, np.clip(gammas * UNIT, 1.0, HEAVIEST).astype(np.int64))


class Rollouts:
    """Plays rollouts on `threads` threads (all cores by default), by a trained `policy` if there is one.

    Without it they are light or uniform. `replies`: a trained policy's rollouts remember the winner's replies of
    earlier calls, which the games of the following ones often play; where calls overlap the clock then has a share.

    The same seed and the same calls give the same games, whatever the number of threads: each rollout has a number,
    counted over all calls, and chance of its own. Calls from several threads are safe; the games then depend on their
    order.
    """

    def __init__(
        self,
        threads: int | None = None,
        seed: int = 0,
        *,
        light: bool = True,
        policy: RolloutPolicy | None = None,
        replies: bool = False,
    ) -> None:
        if replies and policy is None:
            raise ConfigError("only rollouts of a trained policy remember replies")
        if threads is not None and threads < 1:
            raise ConfigError(f"rollouts need at least one thread, not {threads}")
        self.threads = threads or os.cpu_count() or 1
        self.light = light
        self.policy = policy
        self._style: _Style = _Untrained(light) if policy is None else _Trained(policy, replies)
        self._first_stream = int(np.random.default_rng(seed).integers(2**62))
        self._played = 0
        self._lock = threading.Lock()
        self._pool: ThreadPoolExecutor | None = None

    def play(
        self, boards: BoardArray, games: int = 1, *, keep_owners: bool = False, keep_moves: bool = False
    ) -> Played:
        """Play `games` rollouts from each of `boards` (BOARD[B], one size, unchanged meanwhile) and wait for them."""
        task = self._task(boards, games, keep_owners, keep_moves)
        shares = task.shares(self.threads * SHARES_A_THREAD) if self.threads > 1 else [(0, task.count)]
        if len(shares) < 2:
            task.run(0, task.count)
        else:
            for future in [self._executor().submit(task.run, *share) for share in shares]:
                future.result()
        return task.played()

    def submit(
        self, boards: BoardArray, games: int = 1, *, keep_owners: bool = False, keep_moves: bool = False
    ) -> Future[Played]:
        """`play` without waiting; the boards are copied."""
        task = self._task(boards.copy(), games, keep_owners, keep_moves)
        shares = task.shares(self.threads * SHARES_A_THREAD)
        return _joined([self._executor().submit(task.run, *share) for share in shares], task)

    def close(self) -> None:
        """Let go of the threads, after what was submitted is done; they come back if there is more to play."""
        with self._lock:
            pool, self._pool = self._pool, None
        if pool is not None:
            pool.shutdown()

    def _task(self, boards: BoardArray, games: int, keep_owners: bool, keep_moves: bool) -> _Task:
        if games < 1:
            raise ValueError(f"at least one rollout is played from a position, not {games}")
        with self._lock:
            stream = self._first_stream + self._played
            self._played += len(boards) * games
        return _Task(boards, games, stream, self._style, keep_owners, keep_moves)

    def _executor(self) -> ThreadPoolExecutor:
        with self._lock:
            if self._pool is None:
                self._pool = ThreadPoolExecutor(self.threads, "rollouts")
            return self._pool


class _Style(Protocol):
    """How the games are played."""

    learns: bool

    def play(self, boards: BoardArray, games: int, first: int, last: int, stream: int, *out: NDArray[Any]) -> None:
        """See `rollout_batch_kernels.play_rollouts`."""
        ...

    def learn(self, boards: BoardArray, games: int, *played: NDArray[Any]) -> None:
        """Take note of margins, moves and lengths of all games of a call; only where `learns`."""
        ...


class _Untrained:
    learns = False

    def __init__(self, light: bool) -> None:
        self._light = light

    def play(self, boards: BoardArray, games: int, first: int, last: int, stream: int, *out: NDArray[Any]) -> None:
        margins, owners, moves, lengths = out
        play_rollouts(boards, games, first, last, stream, self._light, margins, owners, moves, lengths)

    def learn(self, boards: BoardArray, games: int, *played: NDArray[Any]) -> None:
        """Nothing."""


class _Trained:
    def __init__(self, policy: RolloutPolicy, replies: bool) -> None:
        self.learns = replies
        self._tables = policy.tables
        self._weights = move_weights(policy)
        self._replies = np.zeros((2, CELLS if replies else 0), np.int16)
        self._lock = threading.Lock()
        self._rooms = threading.local()

    def play(self, boards: BoardArray, games: int, first: int, last: int, stream: int, *out: NDArray[Any]) -> None:
        margins, owners, moves, lengths = out
        around, draw = self._room()
        patterns = around, draw, self._tables, self._weights, self._replies
        play_pattern_rollouts(boards, games, first, last, stream, *patterns, margins, owners, moves, lengths)

    def _room(self) -> tuple[NDArray[Any], NDArray[Any]]:
        """The room of one thread, which remembers the surroundings it met."""
        if not hasattr(self._rooms, "around"):
            self._rooms.around, self._rooms.draw = np.zeros(1, AROUND), np.zeros(1, DRAW)
        return self._rooms.around, self._rooms.draw

    def learn(self, boards: BoardArray, games: int, *played: NDArray[Any]) -> None:
        margins, moves, lengths = played
        with self._lock:
            replies = self._replies.copy()  # games under way go on with the old ones
            note_replies(boards, games, margins, moves, lengths, replies)
            self._replies = replies


class _Task:
    """One call's games, any share of which may be played by any thread."""

    def __init__(
        self, boards: BoardArray, games: int, stream: int, style: _Style, keep_owners: bool, keep_moves: bool
    ) -> None:
        self.count = len(boards) * games
        self._boards = boards
        self._games = games
        self._stream = stream
        self._style = style
        self._keep_moves = keep_moves
        self._points = int(boards[0]["rows"]) * int(boards[0]["cols"]) if len(boards) else 0
        self._owners = np.empty((self.count, self._points), np.int8) if keep_owners else None
        self._moves = (
            np.empty((self.count, MOVES_A_POINT * self._points), np.int16) if keep_moves or style.learns else None
        )
        self._margins = np.empty(self.count, np.int16)
        self._lengths = np.empty(self.count, np.int16)

    def shares(self, most: int) -> Sequence[tuple[int, int]]:
        """The games in at most so many shares, each from one number up to another."""
        ends = np.linspace(0, self.count, min(most, self.count) + 1).astype(int)
        return list(zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True))

    def run(self, first: int, last: int) -> None:
        """Play a share."""
        owners = np.empty((1, self._points), np.int8) if self._owners is None else self._owners
        moves = np.empty((1, MOVES_A_POINT * self._points), np.int16) if self._moves is None else self._moves
        self._style.play(
            self._boards, self._games, first, last, self._stream, self._margins, owners, moves, self._lengths
        )

    def played(self) -> Played:
        """All games, when every share was played; once."""
        if self._style.learns and self._moves is not None:
            self._style.learn(self._boards, self._games, self._margins, self._moves, self._lengths)
        shape = len(self._boards), self._games
        margins = self._margins.reshape(shape)
        owners = None if self._owners is None else self._owners.reshape(*shape, self._points)
        if self._moves is None or not self._keep_moves:
            return Played(margins, owners)
        return Played(margins, owners, self._moves.reshape(*shape, -1), self._lengths.reshape(shape))


def _joined(shares: list[Future[None]], task: _Task) -> Future[Played]:
    """A future of the whole: done with the last share, failed with the first that fails."""
    whole: Future[Played] = Future()
    lock = threading.Lock()
    waiting = len(shares)

    def done(share: Future[None]) -> None:
        nonlocal waiting
        error = share.exception()
        with lock:
            waiting -= 1
            if error is not None and not whole.done():
                whole.set_exception(error)
            elif waiting == 0 and not whole.done():
                whole.set_result(task.played())

    if not shares:
        whole.set_result(task.played())
    for share in shares:
        share.add_done_callback(done)
    return whole
