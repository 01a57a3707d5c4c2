"""The seam between tree and network: an evaluator answers a batch of positions with arrays.

It does not know trees, games or networks. Wrappers of this interface (cache, symmetry, mixture) live in
`move37.evaluators`.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass, fields
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from move37.errors import Move37Error

__all__ = [
    "ROOT_OPTIMISM",
    "ConstantEvaluator",
    "EvaluationError",
    "Evaluations",
    "Evaluator",
    "masked_softmax",
    "optimistic_policy",
]

ROOT_OPTIMISM = 0.2
"""How much of a second, optimistic policy KataGo shows at a root and in answers about positions."""


@dataclass(frozen=True)
class Evaluations:
    """What an evaluator says of B positions of one board size (H rows, W columns, A = H * W + 1 actions).

    Every value and score is for the player to move; scores are in points.

    policy: float32[B, A], logits over the points (row-major from the top left), then pass; they need not be masked.
    value: float32[B] in [-1, 1], expected result (win 1, loss -1).
    lead, score_mean, score_stdev, no_result: float32[B], None where the evaluator has no such output. With the
    probability `no_result` of a game without result, P(win) = (1 - no_result + value) / 2.
    ownership: float32[B, H, W] in [-1, 1], 1 where the player to move owns the point; or None.
    optimistic: float32[B, A], logits of a second policy that looks for moves which turn out better than expected
    (KataGo's from version 12 on); a search mixes the logits: policy + (optimistic - policy) * optimism. Or None.
    variance_time: float32[B], for how many moves the result stays open. winloss_error, score_error: float32[B], how far
    the value and the lead are expected to be off in the short term. All None where there is no such output.
    """

    policy: NDArray[np.float32]
    value: NDArray[np.float32]
    lead: NDArray[np.float32] | None = None
    score_mean: NDArray[np.float32] | None = None
    score_stdev: NDArray[np.float32] | None = None
    no_result: NDArray[np.float32] | None = None
    ownership: NDArray[np.float32] | None = None
    optimistic: NDArray[np.float32] | None = None
    variance_time: NDArray[np.float32] | None = None
    winloss_error: NDArray[np.float32] | None = None
    score_error: NDArray[np.float32] | None = None

    def row(self, index: int) -> Evaluations:
        """A copy of one position's answers (B = 1)."""
        given: dict[str, Any] = {field.name: getattr(self, field.name) for field in fields(Evaluations)}
        one: dict[str, Any] = {
            name: None if values is None else values[index : index + 1].copy() for name, values in given.items()
        }
        return Evaluations(**one)

    def part(self, start: int, end: int) -> Evaluations:
        """The answers of positions `start` to `end - 1`; they share these arrays' memory."""
        given: dict[str, Any] = {field.name: getattr(self, field.name) for field in fields(Evaluations)}
        some: dict[str, Any] = {name: None if values is None else values[start:end] for name, values in given.items()}
        return Evaluations(**some)


class EvaluationError(Move37Error):
    """An evaluator that answers with something that is not a number."""


class Evaluator(Protocol):
    """Anything that evaluates a batch of positions; it may be called from two threads at once."""

    def evaluate(self, boards: NDArray[Any]) -> Evaluations:
        """Evaluate `boards` (BOARD[B], all of one size, superko bans already written into each)."""
        ...


class ConstantEvaluator:
    """Uniform logits and one value for every position: a search that knows the rules alone."""

    def __init__(self, value: float = 0.0) -> None:
        self.value = value

    def evaluate(self, boards: NDArray[Any]) -> Evaluations:
        """Return zeros float32[B, A] and `value` float32[B]."""
        count = len(boards)
        actions = int(boards[0]["rows"]) * int(boards[0]["cols"]) + 1 if count else 1
        return Evaluations(np.zeros((count, actions), np.float32), np.full(count, self.value, np.float32))


def masked_softmax(logits: NDArray[np.float32], legal: NDArray[np.bool_]) -> NDArray[np.float32]:
    """Probabilities float32[B, A] of `logits` over `legal` (bool[B, A], at least one a row).

    A row whose legal logits are all -infinity becomes uniform over its legal moves, with a warning; EvaluationError if
    the logit of a legal move is NaN or +infinity.
    """
    masked = np.where(legal, logits, -np.inf)
    highest = masked.max(axis=1, keepdims=True)
    if not np.all(highest < np.inf):
        raise EvaluationError("The policy of a position is not a number; its network is damaged or unfit, use another.")
    lost: NDArray[np.bool_] = highest[:, 0] == -np.inf
    if lost.any():
        warnings.warn("The network gives every legal move probability zero; they count as equal.", stacklevel=2)
        masked = np.where(legal & lost[:, None], 0.0, masked)
        highest = np.where(lost[:, None], 0.0, highest)
    weight = np.exp(masked - highest)
    shares: NDArray[np.float32] = (weight / weight.sum(axis=1, keepdims=True)).astype(np.float32)
    return shares


def optimistic_policy(found: Evaluations, optimism: float) -> NDArray[np.float32]:
    """Logits float32[B, A] of the policy with a share `optimism` in [0, 1] of the second one, where there is one."""
    if found.optimistic is None or optimism == 0:
        return found.policy
    with np.errstate(invalid="ignore"):  # both may be -infinity
        mixed = found.policy + (found.optimistic - found.policy) * np.float32(optimism)
    return np.where(np.isneginf(found.policy), found.policy, mixed)
