"""Placeholder priors: what a move is worth trying before the policy network has answered.

AlphaGo 2016 used a trained *tree policy*, its rollout policy with more features (Silver et al. 2016, Methods and
Extended Data Table 4): `PatternTreePolicy`. Whatever has `weights` may take its place: here also those of the light
rollouts, which need no training.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from move37.errors import ConfigError
from move37.features.rollout_around_kernels import AROUND
from move37.features.rollout_move_kernels import write_probabilities
from move37.features.rollout_policy import RolloutPolicy
from move37.rules.board_kernels import BoardArray
from move37.search.light_rollout_kernels import write_weights_batch

__all__ = ["LightTreePolicy", "PatternTreePolicy", "TreePolicy"]


class TreePolicy(Protocol):
    """Anything that weighs the moves of positions."""

    def weights(self, boards: BoardArray) -> NDArray[np.float32]:
        """Weights float32[B, A] >= 0 for `boards` (BOARD[B], one size, B >= 1); legality and sum do not matter."""
        ...


class LightTreePolicy:
    """Weighs moves as the light rollouts do: captures, escapes and shapes beside the last move count most."""

    def weights(self, boards: BoardArray) -> NDArray[np.float32]:
        """See `TreePolicy`."""
        out = np.empty((len(boards), int(boards[0]["rows"]) * int(boards[0]["cols"]) + 1), np.float32)
        write_weights_batch(boards, out)
        return out


class PatternTreePolicy:
    """Weighs moves by a trained tree policy; its weights are probabilities. `ConfigError` if the policy has none."""

    def __init__(self, policy: RolloutPolicy) -> None:
        if not policy.has_tree:
            raise ConfigError(f"the rollout policy {policy.spec.name} was trained without a tree policy")
        self.policy = policy

    def weights(self, boards: BoardArray) -> NDArray[np.float32]:
        """See `TreePolicy`."""
        out = np.empty((len(boards), int(boards[0]["rows"]) * int(boards[0]["cols"]) + 1), np.float32)
        write_probabilities(boards, np.zeros(1, AROUND), self.policy.tables, self.policy.tree, 1, out)
        return out
