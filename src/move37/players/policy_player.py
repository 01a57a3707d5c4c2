"""A network's policy without search: the move it likes best, or a draw from its probabilities."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from move37.errors import ConfigError
from move37.nets.graph import NetworkSpec
from move37.players.network_source import NetworkSource
from move37.players.pass_guard import guarded
from move37.players.player import Clock, Decision
from move37.players.ranks import Strength
from move37.rules.position import Position
from move37.search.evaluator import ROOT_OPTIMISM, Evaluator, masked_softmax, optimistic_policy


class PolicyPlayer:
    """Plays by the policy of `source`'s network: the best legal move, or with `temperature` t > 0 a draw from p^(1/t).

    A `rank` draws as it says instead. Raises `ConfigError` for a temperature that is negative or not finite, or beside
    a rank.
    """

    def __init__(
        self,
        source: NetworkSource,
        temperature: float = 0.0,
        rng: np.random.Generator | None = None,
        name: str = "policy",
        rank: Strength | None = None,
    ) -> None:
        if not 0 <= temperature < np.inf:
            raise ConfigError(f"a temperature is a finite number of at least 0, not {temperature}")
        if rank is not None and temperature > 0:
            raise ConfigError("a rank has its own temperature: give either the rank or a temperature")
        self.name = name
        self._source = source
        self._temperature = temperature
        self._rank = rank
        self._rng = rng or np.random.default_rng()

    def supports(self, rows: int, cols: int) -> bool:
        """Whether there is a network for this size."""
        return self._source.supports(rows, cols)

    def judge(self, rows: int, cols: int) -> Evaluator | None:
        """See `player.Judge`."""
        return self._source.judge(rows, cols)

    @property
    def specs(self) -> list[NetworkSpec]:
        """See `player.Seer`."""
        return self._source.specs

    def network(self, rows: int, cols: int) -> Evaluator:
        """See `player.Seer`."""
        return self._source.plain(rows, cols)

    def choose(self, position: Position, clock: Clock | None = None) -> Decision:
        """Evaluate the position once and choose; the decision's `visits` are the policy's probabilities."""
        found = self._source.evaluator(position.rows, position.cols).evaluate(position.board_array)
        logits = optimistic_policy(found, ROOT_OPTIMISM)
        policy = masked_softmax(logits, position.legal_mask()[None])[0].astype(np.float64)
        rank = self._rank
        move = pick(policy, self._temperature, self._rng) if rank is None else rank.draw(policy, self._rng)
        return guarded(position, Decision(move, value=float(found.value[0]), visits=policy), policy)

    def close(self) -> None:
        """Nothing to let go of."""


def pick(weights: NDArray[np.float64], temperature: float, rng: np.random.Generator) -> int:
    """Choose by weights >= 0, float64[A], not all 0: the greatest at temperature 0, else by weight^(1/t)."""
    if temperature == 0:
        return int(np.argmax(weights))
    with np.errstate(divide="ignore"):
        powers = np.log(weights) / temperature
    odds = np.exp(powers - powers.max())
    return int(rng.choice(len(odds), p=odds / odds.sum()))
