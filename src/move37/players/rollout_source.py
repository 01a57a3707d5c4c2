"""The source of a player that has no network: rollouts, on boards of every size."""

from __future__ import annotations

from move37.evaluators.rollout import RolloutEvaluator
from move37.players.network_source import NetworkSource
from move37.search.evaluator import Evaluator

__all__ = ["RolloutSource"]


class RolloutSource(NetworkSource):
    """`NetworkSource` of a `RolloutEvaluator`. It judges no dead stones: playouts made for that know better."""

    def __init__(self, evaluator: RolloutEvaluator) -> None:
        super().__init__(evaluator)

    @property
    def name(self) -> str:
        """What stands in for a network's name."""
        return "rollouts"

    def judge(self, rows: int, cols: int) -> Evaluator | None:
        """None."""
        return None
