"""The options of the classic Monte-Carlo tree search, and the record that its kernels read.

The rule itself is in `ucb1_kernels`, the search in `ucb1_search`. Values are measured by us on 9×9 unless they name a
source.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from move37.search.choice import CHOICES, Choice
from move37.search.option_checks import check_kinds, check_ranges
from move37.search.tree import NO_MOVE_LIMIT
from move37.search.ucb1_kernels import UCB1

__all__ = ["UctConfig"]


@dataclass(frozen=True)
class UctConfig:
    """How to search.

    c: weight of the exploring term, in win rates; UCB1's proof has √2, strong play takes less. None: 0.4, and 0.1 with
    RAVE, which explores by itself.
    first_play: the win rate that an unvisited move counts as; None: it comes before all visited ones, as in UCB1.
    rave: mix in all-moves-as-first statistics; the evaluator must keep the moves of its rollouts. rave_bias: how far
    these are off in win rate.
    batch: most leaves an evaluator call gets; smaller where few visits are asked (`planned visits / 16`).
    virtual_loss: how many lost visits one under way counts as.
    choice: the rule by which the move is chosen, see `search.choice`.
    move_limit: the game ends, scored, at this move number; None: two passes only.
    max_nodes: the search stops when its tree holds as many. memory_mb: megabytes (10⁶ bytes) that the tree may take;
    when they are full, rarely visited nodes are given back and the search goes on.
    """

    c: float | None = None
    first_play: float | None = None
    rave: bool = False
    rave_bias: float = 0.03
    batch: int = 16
    virtual_loss: float = 1.0
    choice: Choice = "visits"
    move_limit: int | None = None
    max_nodes: int = 2_000_000
    memory_mb: float | None = None

    def __post_init__(self) -> None:
        """Refuse values of another kind or out of range (ConfigError)."""
        check_kinds(self)
        ranges = {
            "c": self.c is None or 0 <= self.c < np.inf,
            "first_play": self.first_play is None or 0 <= self.first_play < np.inf,
            "rave_bias": 0 < self.rave_bias < np.inf,
            "batch": 1 <= self.batch <= 65536,
            "virtual_loss": 0 < self.virtual_loss < np.inf,
            "choice": self.choice in CHOICES,
            "move_limit": self.move_limit is None or self.move_limit > 0,
            "memory_mb": self.memory_mb is None or 0 < self.memory_mb < np.inf,
            "max_nodes": 2 <= self.max_nodes < 2**31,
        }
        check_ranges(self, ranges)

    @property
    def exploration(self) -> float:
        """C in use."""
        if self.c is not None:
            return self.c
        return 0.1 if self.rave else 0.4

    @property
    def last_move_number(self) -> int:
        """The move limit as kernels take it."""
        return NO_MOVE_LIMIT if self.move_limit is None else self.move_limit

    def record(self) -> Any:
        """The kernels' record of dtype UCB1."""
        params = np.zeros(1, UCB1)
        params["c"] = self.exploration
        params["first_play"] = np.inf if self.first_play is None else self.first_play
        params["virtual_loss"] = self.virtual_loss
        params["bias"] = self.rave_bias if self.rave else np.nan
        return params[0]
