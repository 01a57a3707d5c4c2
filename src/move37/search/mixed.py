"""The options of AlphaGo's mixed search of 2016, with the paper's constants, and the record that the kernels read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from move37.search.choice import CHOICES, Choice
from move37.search.mixed_kernels import MIXED, POLICIES, VALUES
from move37.search.option_checks import check_kinds, check_ranges
from move37.search.tree import NO_MOVE_LIMIT
from move37.search.tree_kernels import NONE

__all__ = ["MixedConfig"]


@dataclass(frozen=True)
class MixedConfig:
    """How to search. "Paper": Silver et al. 2016, Methods and Extended Data Table 5.

    mix: the paper's λ, the share of rollouts in a move's value. 0: no rollouts are played; 1: no values are asked for.
    c_puct: weight of the prior. virtual_loss: lost rollouts that a simulation under way counts as. All three: paper.
    beta: softmax temperature of the network's priors, ``softmax(logits / beta)``: below 1 they are sharper (paper; that
    its "temperature" divides the logits is how we and others read it).
    policy: whether the network's priors replace those of the tree policy; else the latter stay (the paper's ablation).
    threshold: visits after which a leaf is expanded (paper; 0 expands at once; without rollouts it is always 0).
    dynamic: adapt it during the search so that as many policies are asked for as are answered (paper; how is ours).
    wave: simulations under way at once (the paper had 40 threads). batch: most positions a network gets (paper: 1).
    asynchronous: do not wait for a network while there are rollouts to play. What is found then depends on the clock.
    choice: how a move is chosen, see `choice` (paper: by visits).
    threads: that play rollouts; None: one for each core. The result does not depend on it.
    move_limit: the game ends, scored, at this move number; None: two passes only.
    max_nodes: the search stops when its tree holds as many. memory_mb: megabytes (10⁶ bytes) that the tree may take;
    when they are full, rarely visited nodes are given back and the search goes on. None: no such limit.
    """

    mix: float = 0.5
    c_puct: float = 5.0
    virtual_loss: float = 3.0
    beta: float = 0.67
    policy: bool = True
    threshold: int = 40
    dynamic: bool = True
    wave: int = 16
    batch: int = 16
    asynchronous: bool = False
    threads: int | None = None
    choice: Choice = "visits"
    move_limit: int | None = None
    max_nodes: int = 2_000_000
    memory_mb: float | None = None

    def __post_init__(self) -> None:
        """Refuse values of another kind or out of range (ConfigError)."""
        check_kinds(self)
        ranges = {
            "mix": 0 <= self.mix <= 1,
            "c_puct": self.c_puct > 0,
            "virtual_loss": self.virtual_loss > 0,
            "beta": self.beta > 0,
            "threshold": 0 <= self.threshold < 2**31,
            "wave": 1 <= self.wave <= 65536,
            "batch": 1 <= self.batch <= 65536,
            "threads": self.threads is None or self.threads >= 1,
            "choice": self.choice in CHOICES,
            "move_limit": self.move_limit is None or self.move_limit > 0,
            "max_nodes": 2 <= self.max_nodes < 2**31,
            "memory_mb": self.memory_mb is None or 0 < self.memory_mb < np.inf,
        }
        check_ranges(self, ranges)

    @property
    def rollouts(self) -> bool:
        """Whether any are played."""
        return self.mix > 0

    @property
    def values(self) -> bool:
        """Whether the network is asked for any."""
        return self.mix < 1

    @property
    def last_move_number(self) -> int:
        """The move limit as kernels take it."""
        return NO_MOVE_LIMIT if self.move_limit is None else self.move_limit

    def record(self, two_networks: bool) -> Any:
        """The kernels' record of dtype MIXED; `two_networks`: priors and values have to be asked for apart."""
        params = np.zeros(1, MIXED)
        params["c_puct"] = self.c_puct
        params["mix"] = self.mix
        params["virtual_loss"] = self.virtual_loss
        params["threshold"] = self.threshold if self.rollouts else 0
        params["sharpness"] = 1.0 / self.beta
        with_value = self.values and not two_networks
        params["policy_kind"] = (VALUES if with_value else POLICIES) if self.policy else NONE
        return params[0]
