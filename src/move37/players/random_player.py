"""The weakest opponent that still finishes its games: a uniform choice among the moves that fill no own eye."""

from __future__ import annotations

import numpy as np

from move37.players.move_kernels import eye_filling_mask
from move37.players.pass_guard import guarded
from move37.players.player import Clock, Decision
from move37.rules.position import Position


class RandomPlayer:
    """Plays a random legal move that fills no eye of its own; passes when there is none."""

    def __init__(self, rng: np.random.Generator | None = None, name: str = "random") -> None:
        self.name = name
        self._rng = rng or np.random.default_rng()

    def supports(self, rows: int, cols: int) -> bool:
        """Every size."""
        return True

    def choose(self, position: Position, clock: Clock | None = None) -> Decision:
        """Choose at random; the decision carries no value."""
        mask = position.legal_mask()
        eyes = np.empty(len(mask), np.bool_)
        eye_filling_mask(position.board_array, int(position.to_play), eyes)
        mask = mask & ~eyes
        mask[-1] = False
        candidates = np.flatnonzero(mask)
        move = int(self._rng.choice(candidates)) if len(candidates) else len(mask) - 1
        return guarded(position, Decision(move), mask / max(1, len(candidates)))

    def close(self) -> None:
        """Nothing to let go of."""
