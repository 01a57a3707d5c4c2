"""The options of a PUCT search, and the record that the kernels read.

The rule itself is in `puct_kernels`. AlphaGo Zero's paper tunes c_puct without printing it, KataGo's (Wu 2019) has 1.1;
the default here is our choice. Reduction 0.2, and 0 at a noised root, are KataGo's; noise of fraction 0.25 is AlphaGo
Zero's (Silver et al. 2017, Methods), used in self-play and off by default.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from move37.search.choice import CHOICES, Choice
from move37.search.option_checks import check_kinds, check_ranges
from move37.search.puct_kernels import PUCT
from move37.search.tree import NO_MOVE_LIMIT

__all__ = ["SearchConfig"]


@dataclass(frozen=True)
class SearchConfig:
    """How to search.

    c_puct: weight of the prior. c_base: 0 for a constant weight; AlphaZero's growth has c_base 19652 and c_puct 1.25.
    fpu_reduction: how much less than its parent an unvisited move is worth, times the root of the prior visited so far.
    fpu_value: a constant for unvisited moves instead, for the player to move.
    batch: most leaves an evaluator call gets; smaller where few visits are asked (`planned visits / 16`).
    virtual_loss: how many visits one under way counts as. virtual_loss_kind: "visits", they leave the value as it is
    (WU-UCT, lc0), or "loss", they count as lost (AlphaGo), which costs more strength (`docs/search.md`).
    choice: the rule by which the move is chosen, see `search.choice`.
    forced_playouts: k of KataGo's forced playouts in self-play (k = 2 there): at the root a visited move gets at least
    √(k · prior · visits); `SearchResult.policy_target` takes them off again. 0: none.
    noise_fraction: share of Dirichlet noise in the root's priors. noise_alpha: its parameter; None: KataGo's
    0.03 · 361 / legal moves (AlphaGo Zero: 0.03).
    move_limit: the game ends, scored, at this move number (AlphaGo Zero: 722 on 19×19); None: two passes only.
    max_nodes: the search stops when its tree holds as many. memory_mb: megabytes (10⁶ bytes) that the tree may take;
    when they are full, rarely visited nodes are given back and the search goes on. None: no such limit.
    """

    c_puct: float = 1.5
    c_base: float = 0.0
    fpu_reduction: float = 0.2
    fpu_value: float | None = None
    batch: int = 8
    virtual_loss: float = 1.0
    virtual_loss_kind: Literal["visits", "loss"] = "visits"
    choice: Choice = "visits"
    forced_playouts: float = 0.0
    noise_fraction: float = 0.0
    noise_alpha: float | None = None
    move_limit: int | None = None
    max_nodes: int = 2_000_000
    memory_mb: float | None = None

    def __post_init__(self) -> None:
        """Refuse values of another kind or out of range (ConfigError)."""
        check_kinds(self)
        ranges = {
            "c_puct": self.c_puct > 0,
            "c_base": self.c_base >= 0,
            "fpu_reduction": self.fpu_reduction >= 0,
            "fpu_value": self.fpu_value is None or -1 <= self.fpu_value <= 1,
            "batch": 1 <= self.batch <= 65536,
            "virtual_loss": self.virtual_loss > 0,
            "virtual_loss_kind": self.virtual_loss_kind in ("visits", "loss"),
            "choice": self.choice in CHOICES,
            "forced_playouts": 0 <= self.forced_playouts < np.inf,
            "noise_fraction": 0 <= self.noise_fraction <= 1,
            "noise_alpha": self.noise_alpha is None or self.noise_alpha > 0,
            "move_limit": self.move_limit is None or self.move_limit > 0,
            "max_nodes": 2 <= self.max_nodes < 2**31,
            "memory_mb": self.memory_mb is None or 0 < self.memory_mb < np.inf,
        }
        check_ranges(self, ranges)

    @property
    def last_move_number(self) -> int:
        """The move limit as kernels take it."""
        return NO_MOVE_LIMIT if self.move_limit is None else self.move_limit

    def record(self) -> Any:
        """The kernels' record of dtype PUCT."""
        params = np.zeros(1, PUCT)
        params["c_puct"] = self.c_puct
        params["c_base"] = self.c_base
        params["fpu_reduction"] = self.fpu_reduction
        params["root_fpu_reduction"] = 0.0 if self.noise_fraction > 0 else self.fpu_reduction
        params["fpu_value"] = np.nan if self.fpu_value is None else self.fpu_value
        params["virtual_loss"] = self.virtual_loss
        params["lost"] = self.virtual_loss_kind == "loss"
        params["forced"] = self.forced_playouts
        return params[0]
