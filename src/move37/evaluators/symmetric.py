"""Evaluation through the symmetries of the board: one at random per position, or the mean over all of them.

Wraps any evaluator: records are turned before it sees them, its answers are turned back. Eight symmetries on square
boards, four on others. AlphaGo Zero draws one per evaluation during search (Silver et al. 2017, Methods, "Expand and
evaluate"); AlphaGo's article averages all eight.
"""

from __future__ import annotations

from dataclasses import replace
from threading import Lock
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from move37.errors import ConfigError
from move37.rules import symmetry
from move37.rules.symmetry_kernels import turn_boards
from move37.search.evaluator import Evaluations, Evaluator

Mode = Literal["random", "mean"]

_PER_POSITION = ("value", "lead", "score_mean", "score_stdev", "no_result")


class SymmetricEvaluator:
    """Evaluates turned positions with `inner` and turns the answers back.

    `mode="random"`: one symmetry per position, drawn from `rng`, which is then needed. `mode="mean"`: all symmetries of
    the board; policies are averaged as probabilities and given back as their logarithms, everything else as it is.
    """

    def __init__(self, inner: Evaluator, mode: Mode = "random", rng: np.random.Generator | None = None) -> None:
        if mode not in ("random", "mean"):
            raise ConfigError(f"There is no symmetry mode {mode!r}; choose random or mean.")
        if mode == "random" and rng is None:
            raise ConfigError("Random symmetries need a random generator: pass rng=numpy.random.default_rng(seed).")
        self._inner = inner
        self._mode = mode
        self._rng = rng
        self._lock = Lock()

    def evaluate(self, boards: NDArray[Any]) -> Evaluations:
        """Evaluate `boards` (BOARD[B], one board size, B >= 1); errors are those of the wrapped evaluator."""
        rows, cols = int(boards[0]["rows"]), int(boards[0]["cols"])
        choices = symmetry.allowed(rows, cols)
        if self._rng is not None and self._mode == "random":
            with self._lock:  # a generator is not safe to share between threads
                drawn = self._rng.integers(len(choices), size=len(boards)).astype(np.int8)
            return self._turned(boards, drawn)
        count = len(boards)
        every = np.repeat(np.array(choices, np.int8), count)
        found = self._turned(np.tile(boards, len(choices)), every)
        return _mean(found, len(choices), count)

    def _turned(self, boards: NDArray[Any], symmetries: NDArray[np.int8]) -> Evaluations:
        """Evaluate each position turned by its own symmetry; answers in the view of the positions as given."""
        turned = np.empty(len(boards), boards.dtype)
        turn_boards(np.ascontiguousarray(boards), symmetries, turned)
        found = self._inner.evaluate(turned)
        rows, cols = int(boards[0]["rows"]), int(boards[0]["cols"])
        back = np.stack([symmetry.permutation(symmetry.inverse(int(s)), rows, cols) for s in symmetries])
        policy = np.take_along_axis(found.policy, back, axis=1)
        ownership = found.ownership
        if ownership is not None:
            flat = ownership.reshape(len(boards), rows * cols)
            ownership = np.take_along_axis(flat, back[:, :-1], axis=1).reshape(ownership.shape)
        return replace(found, policy=policy, ownership=ownership)


def _mean(found: Evaluations, symmetries: int, count: int) -> Evaluations:
    """Mean over the leading axis of [symmetries, count, ...]; the policy's mean is one of probabilities."""
    shifted = found.policy.astype(np.float64)
    shifted -= shifted.max(axis=1, keepdims=True)
    shares = np.exp(shifted)
    shares /= shares.sum(axis=1, keepdims=True)
    with np.errstate(divide="ignore"):  # a probability of zero has the logit -infinity
        policy = np.log(shares.reshape(symmetries, count, -1).mean(axis=0)).astype(np.float32)
    means: dict[str, Any] = {}
    for name in (*_PER_POSITION, "ownership"):
        values: NDArray[np.float32] | None = getattr(found, name)
        means[name] = None if values is None else values.reshape(symmetries, count, *values.shape[1:]).mean(axis=0)
    return Evaluations(policy, **means)
