"""The options of a Gumbel search, and the plan of its root: sequential halving.

The rules themselves are in `gumbel_kernels`, the loop in `gumbel_search`. Source: Danihelka, Guez, Schrittwieser and
Silver 2022, *Policy improvement by planning with Gumbel* (ICLR), with the constants of its experiments on Go.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from move37.search.gumbel_kernels import GUMBEL
from move37.search.option_checks import check_kinds, check_ranges
from move37.search.tree import NO_MOVE_LIMIT

__all__ = ["GumbelConfig", "considered_visits"]


@dataclass(frozen=True)
class GumbelConfig:
    """How to search.

    considered: moves that the root looks at, the paper's m (16).
    c_visit, c_scale: σ(q) = (c_visit + most visits) · c_scale · q for q in [-1, 1] (50 and 1 in the paper's Go).
    noise: what the Gumbel numbers at the root are multiplied by: 1 draws moves as learning by self-play needs them, 0
    (for play and analysis) considers the moves with the greatest priors.
    batch: most leaves an evaluator call gets; a phase of halving waits for the results of the one before.
    move_limit: the game ends, scored, at this move number; None: two passes only.
    max_nodes: the search stops when its tree holds as many. memory_mb: as in `SearchConfig`.
    """

    considered: int = 16
    c_visit: float = 50.0
    c_scale: float = 1.0
    noise: float = 0.0
    batch: int = 16
    move_limit: int | None = None
    max_nodes: int = 2_000_000
    memory_mb: float | None = None

    def __post_init__(self) -> None:
        """Refuse values of another kind or out of range (ConfigError)."""
        check_kinds(self)
        ranges = {
            "considered": 1 <= self.considered <= 65536,
            "c_visit": 0 <= self.c_visit < np.inf,
            "c_scale": 0 < self.c_scale < np.inf,
            "noise": 0 <= self.noise < np.inf,
            "batch": 1 <= self.batch <= 65536,
            "move_limit": self.move_limit is None or self.move_limit > 0,
            "max_nodes": 2 <= self.max_nodes < 2**31,
            "memory_mb": self.memory_mb is None or self.memory_mb > 0,
        }
        check_ranges(self, ranges)

    @property
    def last_move_number(self) -> int:
        """The move limit as kernels take it."""
        return NO_MOVE_LIMIT if self.move_limit is None else self.move_limit

    def record(self) -> Any:
        """The kernels' record of dtype GUMBEL."""
        params = np.zeros(1, GUMBEL)
        params["c_visit"] = self.c_visit
        params["c_scale"] = self.c_scale
        return params[0]


def considered_visits(considered: int, simulations: int) -> tuple[NDArray[np.int32], NDArray[np.bool_]]:
    """The plan of sequential halving: visits int32[n] that the i-th simulation's move has had, and starts bool[n].

    Each phase visits all moves still considered, equally often; the better half goes on, two at least. The phases share
    the `simulations` (n) evenly. ``starts`` marks where a half is chosen.

    >>> considered_visits(4, 8)[0].tolist()
    [0, 0, 0, 0, 1, 1, 2, 2]
    """
    phases = max(1, math.ceil(math.log2(considered)))
    visits, starts = [np.zeros(0, np.int32)], np.zeros(simulations, np.bool_)
    place = done = 0
    while place < simulations:
        rounds = max(1, simulations // (phases * considered))
        starts[place] = True
        visits.append(np.repeat(np.arange(done, done + rounds, dtype=np.int32), considered))
        place, done = place + rounds * considered, done + rounds
        considered = max(min(2, considered), considered // 2)
    return np.concatenate(visits)[:simulations], starts
