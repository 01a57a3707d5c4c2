"""Rollouts as an evaluator: what classic Monte-Carlo search has in place of a network.

A position is worth the mean result of a few games played from it. The policy is uniform, or the weights of light
rollouts; neither reads anything, so a search should not trust it far.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from move37.rules.board_kernels import BLACK, BoardArray
from move37.search.rollouts import RolloutEvaluations, Rollouts, light_policy, scores

__all__ = ["RolloutEvaluator"]

_BALANCE = np.array([0.0, 1.0, -1.0], np.float32)  # of a point that is nobody's, Black's, White's


class RolloutEvaluator:
    """Plays `games` rollouts from each position; `light_priors`: its policy are the weights of light rollouts.

    By default the policy is light where the rollouts are, else uniform. `keep_moves` leaves the games' moves in the
    answer, which RAVE needs. Score and lead are the mean score, the deviation is that of single games. The same seed of
    `rollouts` and the same calls give the same answers.
    """

    def __init__(
        self, rollouts: Rollouts, games: int = 1, *, light_priors: bool | None = None, keep_moves: bool = False
    ) -> None:
        if games < 1:
            raise ValueError(f"at least one rollout is played from a position, not {games}")
        self.rollouts = rollouts
        self.games = games
        self.light_priors = rollouts.light if light_priors is None else light_priors
        self.keep_moves = keep_moves

    def evaluate(self, boards: BoardArray) -> RolloutEvaluations:
        """What `games` rollouts from each of `boards` (BOARD[B], all of one size) say."""
        played = self.rollouts.play(boards, self.games, keep_owners=True, keep_moves=self.keep_moves)
        points = scores(boards, played.margins)
        lead = points.mean(axis=1)
        assert played.owners is not None
        return RolloutEvaluations(
            policy=light_policy(boards) if self.light_priors else _uniform(boards),
            value=np.sign(points).mean(axis=1),
            lead=lead,
            score_mean=lead,
            score_stdev=points.std(axis=1),
            ownership=_ownership(boards, played.owners),
            played=played,
        )


def _uniform(boards: BoardArray) -> NDArray[np.float32]:
    """Equal logits, float32[B, A]."""
    rows, cols = _size(boards)
    return np.zeros((len(boards), rows * cols + 1), np.float32)


def _size(boards: BoardArray) -> tuple[int, int]:
    """Rows and columns; 0 and 0 where there is no board."""
    return (int(boards[0]["rows"]), int(boards[0]["cols"])) if len(boards) else (0, 0)


def _ownership(boards: BoardArray, owners: NDArray[np.int8]) -> NDArray[np.float32]:
    """float32[B, H, W] for the players to move, of `owners: int8[B, games, P]`."""
    mean: NDArray[np.float32] = _BALANCE[owners].mean(axis=1)
    mean[boards["to_play"] != BLACK] *= -1
    return mean.reshape(len(boards), *_size(boards))
