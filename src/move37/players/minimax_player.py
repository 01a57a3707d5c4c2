"""A player by minimax, with a network to name the moves and to judge the ends: the course's comparison, at the board.

The search is `search.minimax`; this turns its answer into a move. It keeps nothing between moves but evaluations.
"""

from __future__ import annotations

import numpy as np

from move37.players.network_source import Net, NetworkSource
from move37.players.pass_guard import guarded
from move37.players.player import Clock, Decision
from move37.players.wrappers import wrapper
from move37.rules.position import Position
from move37.search.evaluator import Evaluator
from move37.search.minimax import Minimax, MinimaxConfig

__all__ = ["MinimaxPlayer", "minimax"]


class MinimaxPlayer:
    """Alpha-beta to a fixed depth; the clock is not looked at."""

    def __init__(self, source: NetworkSource, config: MinimaxConfig, name: str = "minimax") -> None:
        self.name = name
        self._source = source
        self._config = config

    def supports(self, rows: int, cols: int) -> bool:
        """Whether there is a network for this size."""
        return self._source.supports(rows, cols)

    def judge(self, rows: int, cols: int) -> Evaluator | None:
        """See `player.Judge`."""
        return self._source.judge(rows, cols)

    def choose(self, position: Position, clock: Clock | None = None) -> Decision:
        """Search and choose; the decision's `visits` are 1 for the move and for all others 0."""
        result = Minimax(self._source.evaluator(position.rows, position.cols), self._config).run(position)
        liked = np.zeros(position.rows * position.cols + 1)
        liked[result.move] = 1
        return guarded(position, Decision(result.move, value=result.value, visits=liked), liked)

    def close(self) -> None:
        """Nothing to let go of."""


def minimax(
    net: Net = None,
    depth: int = 3,
    width: int = 6,
    cache: int = 50_000,
    threads: int | None = None,
    device: str | None = None,
    backend: str | None = None,
    symmetry: str = "none",
    seed: int | None = None,
) -> MinimaxPlayer:
    """Minimax with alpha-beta over a network's best `width` moves, `depth` plies deep; both are ours."""
    source = NetworkSource(net, wrapper(symmetry, np.random.default_rng(seed), cache), threads, device, backend)
    return MinimaxPlayer(source, MinimaxConfig(depth, width))
