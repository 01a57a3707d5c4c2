"""What the slow twin of KataGo's search stands on: made-up evaluations, integrals done at length, finished games."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from move37.rules.position import Position
from move37.rules.score_kernels import white_points
from move37.search.evaluator import Evaluations
from tests.support.slow_life import katago_area


class ScoredHashEvaluator:
    """Made-up but fixed answers for every position, scores included: a function of stones, player and passes alone."""

    def __init__(self, spread: float = 2.0, errors: bool = False) -> None:
        self.spread = spread
        self.errors = errors
        self.batches: list[int] = []

    def evaluate(self, boards: NDArray[Any]) -> Evaluations:
        """Logits within ± spread, values within ± 0.9, scores within ± 12."""
        self.batches.append(len(boards))
        rows, cols = int(boards[0]["rows"]), int(boards[0]["cols"])
        draws = [self._draws(board, rows * cols) for board in boards]
        policy = np.array([draw[: rows * cols + 1] for draw in draws], np.float32) * np.float32(self.spread)
        rest = np.array([draw[rows * cols + 1 :] for draw in draws], np.float32)
        extra: dict[str, Any] = {}
        if self.errors:
            extra = {"winloss_error": abs(rest[:, 4]) * 0.5, "score_error": abs(rest[:, 5]) * 4}
        return Evaluations(
            policy=policy,
            value=rest[:, 0] * np.float32(0.9),
            score_mean=rest[:, 1] * np.float32(12),
            score_stdev=abs(rest[:, 2]) * np.float32(10),
            lead=rest[:, 3] * np.float32(12),
            **extra,
        )

    def _draws(self, board: Any, points: int) -> NDArray[np.float64]:
        rng = np.random.default_rng([int(board["stones_hash"]), int(board["to_play"]), int(board["passes"])])
        return rng.uniform(-1, 1, points + 1 + 6)


def worth(mean: float, deviation: float, center: float, scale: float, sqrt_area: float) -> float:
    """Mean of 2/π · atan over a normal distribution, integrated in fine steps."""
    z = np.linspace(-8, 8, 4001)
    weights = np.exp(-0.5 * z * z)
    curve = 2 / math.pi * np.arctan((mean + deviation * z - center) / (scale * sqrt_area))
    return float((curve * weights).sum() / weights.sum())


NODES, WEIGHTS = np.polynomial.legendre.leggauss(60)


def white_margin(position: Position) -> float:
    """White's lead as KataGo counts: stones in the other side's unconditional territory are dead untaken."""
    if position.rules.scoring != "area" or position.rules.tax != "none":
        return -position.score().black_margin
    stones = [int(color) for color in position.stones.ravel()]
    area = katago_area(stones, position.rows, position.cols, suicide=bool(position.board["suicide"]))
    return white_points(position.board) + area.count(2) - area.count(1)


def student(z: float) -> float:
    """Distribution function of Student's t with three degrees of freedom: its density integrated, as an angle."""
    angle = math.atan(z / math.sqrt(3))
    thetas = angle * (NODES + 1) / 2
    return 0.5 + 2 / math.pi * float((np.cos(thetas) ** 2 @ WEIGHTS) * angle / 2)
