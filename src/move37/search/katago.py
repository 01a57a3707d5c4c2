"""The options of KataGo's search, and the record that its kernels read.

The rule itself is in `katago_kernels`; `docs/katago_search.md` states it. Every default is what KataGo 1.17.2 uses in
GTP play and analysis for a network of the kind (its `kata-get-params`, printed in full by its analysis engine and kept
with our reference data); the text behind a name says which publication explains it:

- Wu 2019: D. J. Wu, *Accelerating Self-Play Learning in Go*, arXiv 1902.10565.
- Methods: KataGo's docs/KataGoMethods.md, section by section.
- Graph: KataGo's docs/GraphSearch.md.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from move37.errors import ConfigError
from move37.search.katago_utility_kernels import KATAGO
from move37.search.option_checks import check_kinds
from move37.search.tree import NO_MOVE_LIMIT

__all__ = ["KataGoConfig"]


@dataclass(frozen=True)
class KataGoConfig:
    """How to search. Utilities are for White inside the search, and of the player to move in its results.

    win_loss_factor, static_score_factor, dynamic_score_factor: parts of the utility (Wu 2019, score maximisation).
    static_scale, dynamic_scale: width of the score's worth, in √area. dynamic_center_zero_weight: how far the dynamic
        part's centre is drawn from the expected score to zero.
    cpuct, cpuct_log, cpuct_base: exploration, growing with the weight of the children (Methods: dynamic cPUCT).
    stdev_prior, stdev_prior_weight, stdev_scale: and with the spread of the node's utility (Methods: dynamic variance).
    fpu_reduction, root_fpu_reduction: of unvisited moves, times the root of the prior visited so far (Wu 2019, 3.1).
    fpu_visited_power: the parent's own evaluation counts as 1 - visited prior ** power of what they are worth.
    value_weight_exponent: children of better value weigh more (Methods). noise_prune_scale: bad children visited beyond
        their prior weigh less. bias_factor, bias_weight_exponent, bias_free: subtree value bias (Methods).
    uncertainty_coeff, uncertainty_max_weight: evaluations of a network that knows its error are weighted (Methods).
    lcb_stdevs, min_visit_share_for_lcb: choice of the move by lower confidence bound. use_lcb: whether.
    root_policy_optimism, policy_optimism: share of the optimistic policy, where the network has one (Methods).
    ending_bonus: points that a pointless move at the end costs. symmetry_pruning: of equal root moves search one.
    prune_useless: after four passes of the other side play in nobody's safe area. fill_dame: under territory scoring
        pass only when nothing is left. conservative_pass: a pass at the root never ends the game in the search.
    passing_hacks: where passing would lose, the network is not told that it ends the game; a pass has a prior of at
        most 0.95. more_passing_hacks: where a pass would end the phase, both it and another move are looked at.
    graph: share the statistics of equal positions (Graph). repetition_bound: unless so few points could repeat them.
    virtual_loss: losses that a visit under way counts as. batch, move_limit, max_nodes, memory_mb: as in
        `SearchConfig`.
    root_policy_temperature: of the root's priors. wide_root_noise: the root's priors are drawn together, and each time
        a root move may get up to so much utility by chance; KataGo's analysis has 0.04.
    noise_fraction: share of shaped Dirichlet noise in the root's priors (self-play: 0.25, then root_fpu_reduction 0).
    """

    win_loss_factor: float = 1.0
    static_score_factor: float = 0.1
    dynamic_score_factor: float = 0.3
    static_scale: float = 2.0
    dynamic_scale: float = 0.75
    dynamic_center_zero_weight: float = 0.2
    cpuct: float = 1.0
    cpuct_log: float = 0.45
    cpuct_base: float = 500.0
    stdev_prior: float = 0.4
    stdev_prior_weight: float = 2.0
    stdev_scale: float = 0.85
    fpu_reduction: float = 0.2
    root_fpu_reduction: float = 0.1
    fpu_visited_power: float = 2.0
    value_weight_exponent: float = 0.25
    noise_prune_scale: float = 0.15
    bias_factor: float = 0.45
    bias_weight_exponent: float = 0.85
    bias_free: float = 0.8
    uncertainty_coeff: float = 0.25
    uncertainty_max_weight: float = 8.0
    lcb_stdevs: float = 5.0
    min_visit_share_for_lcb: float = 0.15
    use_lcb: bool = True
    root_policy_optimism: float = 0.2
    policy_optimism: float = 1.0
    ending_bonus: float = 0.5
    symmetry_pruning: bool = True
    prune_useless: bool = True
    fill_dame: bool = True
    conservative_pass: bool = True
    passing_hacks: bool = True
    more_passing_hacks: bool = True
    graph: bool = True
    repetition_bound: int = 11
    root_policy_temperature: float = 1.0
    wide_root_noise: float = 0.0
    noise_fraction: float = 0.0
    virtual_loss: float = 1.0
    batch: int = 8
    move_limit: int | None = None
    max_nodes: int = 2_000_000
    memory_mb: float | None = None

    def __post_init__(self) -> None:
        """Refuse values of another kind or out of range (ConfigError)."""
        check_kinds(self)
        positive = {"static_scale", "dynamic_scale", "cpuct", "cpuct_base", "stdev_prior", "noise_prune_scale"}
        positive |= {"uncertainty_coeff", "uncertainty_max_weight", "lcb_stdevs", "virtual_loss", "move_limit"}
        positive |= {"memory_mb", "root_policy_temperature"}
        limits = {"batch": (1, 65536), "max_nodes": (2, 2**31 - 1), "stdev_prior_weight": (1, np.inf)}
        shares = {"root_policy_optimism", "policy_optimism", "bias_free", "dynamic_center_zero_weight"}
        shares |= {"noise_fraction"}
        for field in fields(self):
            value = getattr(self, field.name)
            low, high = limits.get(field.name, (0, 1 if field.name in shares else np.inf))
            if value is None or (low <= value <= high and (value > 0 or field.name not in positive)):
                continue
            raise ConfigError(f"The search option {field.name} cannot be {value}.")

    @property
    def last_move_number(self) -> int:
        """The move limit as kernels take it."""
        return NO_MOVE_LIMIT if self.move_limit is None else self.move_limit

    def record(self) -> Any:
        """What the kernels need of it, one record of dtype KATAGO; the trees set the fields of their search."""
        params = np.zeros(1, KATAGO)
        for field in fields(self):
            if field.name in (KATAGO.names or ()):
                params[field.name] = getattr(self, field.name)
        return params[0]
