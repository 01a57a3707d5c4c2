"""AlphaGo's pair of 2016 as one evaluator: a policy network and a value network apart.

To every search it is an evaluator that asks both; the mixed search asks each for what it needs.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from numpy.typing import NDArray

from move37.search.evaluator import Evaluations, Evaluator

__all__ = ["TwoNetworks"]


class TwoNetworks:
    """Policies from `policy`, all else from `value`; each may be wrapped by itself (cache, symmetries)."""

    def __init__(self, policy: Evaluator, value: Evaluator) -> None:
        self.policy = policy
        self.value = value

    def evaluate(self, boards: NDArray[Any]) -> Evaluations:
        """Evaluate `boards` (BOARD[B], one size) with both; errors are those of the two."""
        policy = self.policy.evaluate(boards)
        return replace(self.value.evaluate(boards), policy=policy.policy, optimistic=policy.optimistic)
