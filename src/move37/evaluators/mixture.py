"""The mixture of a value network and rollouts in its simple form: one number for each position, ``(1 - λ) v + λ z``.

It is how the course's article writes AlphaGo's evaluation, and serves any search. AlphaGo's own search keeps the two
kinds apart and plays many rollouts from one evaluated position: `search.mixed_search`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from move37.errors import ConfigError
from move37.search.evaluator import Evaluations, Evaluator
from move37.search.rollouts import Rollouts, results

__all__ = ["MixtureEvaluator"]

MIX = 0.5
"""λ of AlphaGo (Silver et al. 2016, Extended Data Table 5) and of the article."""


class MixtureEvaluator:
    """What `network` says, with the value mixed: `mix` (λ) of it are the mean result of `games` rollouts.

    The rollouts are played while the network computes. ConfigError for a `mix` beyond [0, 1] or `games` below 1.
    """

    def __init__(self, network: Evaluator, rollouts: Rollouts, mix: float = MIX, games: int = 1) -> None:
        if not 0 <= mix <= 1:
            raise ConfigError(f"A mixture has a share of rollouts from 0 to 1, not {mix}.")
        if games < 1:
            raise ConfigError(f"A mixture needs at least one rollout a position, not {games}.")
        self._network = network
        self._rollouts = rollouts
        self._mix = mix
        self._games = games

    def evaluate(self, boards: NDArray[Any]) -> Evaluations:
        """Evaluate `boards` (BOARD[B], one size, B >= 1); errors are those of the network."""
        if self._mix == 0:
            return self._network.evaluate(boards)
        playing = self._rollouts.submit(boards, self._games)
        found = self._network.evaluate(boards)
        z = results(boards, playing.result().margins)
        value = (1 - self._mix) * found.value + self._mix * z
        return replace(found, value=value.astype(np.float32))
