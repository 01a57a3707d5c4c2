"""Evaluation through the symmetries of the board: one at random per position, or the mean over all of them.

Wraps any evaluator: records are turned before it sees them, its answers are turned back. Eight symmetries on square
boards, four on others. AlphaGo Zero draws one per evaluation during search (Silver et al. 2017, Methods, "Expand and
evaluate"); AlphaGo's article averages all eight.
"""

from __future__ import annotations

from dataclasses import fields, replace
from threading import Lock
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from move37.errors import ConfigError
from move37.rules import symmetry
from move37.rules.symmetry_kernels import turn_boards
from move37.search.evaluator import Evaluations, Evaluator

Mode = Literal["random", "mean", "position"]

_POLICIES = ("policy", "optimistic")


class SymmetricEvaluator:
    """Evaluates turned positions with `inner` and turns the answers back.

    `mode="random"`: one symmetry per position, drawn from `rng`, which is then needed. `mode="position"`: one that the
    position and a number drawn from `rng` choose, so the same position has the same answer whatever is beside it.
    `mode="mean"`: all symmetries of the board; policies are averaged as probabilities and given back as their
    logarithms, everything else as it is.
    """

    def __init__(self, inner: Evaluator, mode: Mode = "random", rng: np.random.Generator | None = None) -> None:
        if mode not in ("random", "mean", "position"):
            raise ConfigError(f"There is no symmetry mode {mode!r}; choose random, position or mean.")
        if mode != "mean" and rng is None:
            raise ConfigError("Random symmetries need a random generator: pass rng=numpy.random.default_rng(seed).")
        self._inner = inner
        self._mode = mode
        self._rng = rng
        self._salt = rng.integers(2**64, dtype=np.uint64) if rng is not None and mode == "position" else np.uint64(0)
        self._lock = Lock()

    def evaluate(self, boards: NDArray[Any]) -> Evaluations:
        """Evaluate `boards` (BOARD[B], one board size, B >= 1); errors are those of the wrapped evaluator."""
        rows, cols = int(boards[0]["rows"]), int(boards[0]["cols"])
        choices = symmetry.allowed(rows, cols)
        if self._rng is not None and self._mode == "random":
            with self._lock:  # a generator is not safe to share between threads
                drawn = self._rng.integers(len(choices), size=len(boards)).astype(np.int8)
            return self.turned(boards, drawn)
        if self._mode == "position":
            return self.turned(boards, _by_position(boards, self._salt, len(choices)))
        count = len(boards)
        every = np.repeat(np.array(choices, np.int8), count)
        found = self.turned(np.tile(boards, len(choices)), every)
        return _mean(found, len(choices), count)

    def turned(self, boards: NDArray[Any], symmetries: NDArray[np.int8]) -> Evaluations:
        """Evaluate each position turned by its own symmetry; answers in the view of the positions as given."""
        turned = np.empty(len(boards), boards.dtype)
        turn_boards(np.ascontiguousarray(boards), symmetries, turned)
        found = self._inner.evaluate(turned)
        rows, cols = int(boards[0]["rows"]), int(boards[0]["cols"])
        choices = symmetry.allowed(rows, cols)
        back = np.stack([symmetry.permutation(symmetry.inverse(s), rows, cols) for s in choices])[symmetries]
        moved: dict[str, NDArray[np.float32]] = {
            name: np.take_along_axis(logits, back, axis=1)
            for name in _POLICIES
            if (logits := getattr(found, name)) is not None
        }
        if found.ownership is not None:
            flat = found.ownership.reshape(len(boards), rows * cols)
            moved["ownership"] = np.take_along_axis(flat, back[:, :-1], axis=1).reshape(len(boards), rows, cols)
        return replace(found, **moved)


def _by_position(boards: NDArray[Any], salt: np.uint64, count: int) -> NDArray[np.int8]:
    """A symmetry int8[B] below `count` for each of `boards`, by its stones, its move number and `salt`."""
    mixed = (boards["stones_hash"] ^ salt) + boards["move_number"].astype(np.uint64)
    mixed = (mixed ^ (mixed >> np.uint64(31))) * np.uint64(0x9E3779B97F4A7C15)  # Fibonacci hashing, by the golden ratio
    return ((mixed >> np.uint64(40)) % np.uint64(count)).astype(np.int8)


def _mean(found: Evaluations, symmetries: int, count: int) -> Evaluations:
    """Mean over the leading axis of [symmetries, count, ...]; that of a policy is one of probabilities."""
    means: dict[str, Any] = {}
    for field in fields(found):
        values: NDArray[np.float32] | None = getattr(found, field.name)
        if values is not None:
            every = values.reshape(symmetries, count, *values.shape[1:])
            means[field.name] = _mean_policy(every) if field.name in _POLICIES else every.mean(axis=0)
    return Evaluations(**means)


def _mean_policy(logits: NDArray[np.float32]) -> NDArray[np.float32]:
    """Logarithms float32[B, A] of the mean probabilities of `logits` (float32[symmetries, B, A])."""
    shifted = logits.astype(np.float64)
    shifted -= shifted.max(axis=2, keepdims=True)
    shares = np.exp(shifted)
    shares /= shares.sum(axis=2, keepdims=True)
    with np.errstate(divide="ignore"):  # a probability of zero has the logit -infinity
        return np.asarray(np.log(shares.mean(axis=0)), np.float32)
