"""Learning rates over a run, as a function of how much of it is done. Knows no optimiser."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from move37.errors import ConfigError


@dataclass(frozen=True)
class Schedule:
    """Linear warm-up over `warmup_steps` steps, then constant, cosine or stepwise decay.

    `cosine` falls from 1 to `final` times the peak; `steps` multiplies by `factor` at each fraction of `at` of the run
    (AlphaGo Zero: factor 0.1) and after every `every` steps (AlphaGo's policy: factor 0.5 every 80 million; 0 never).
    """

    peak: float = 0.05
    kind: Literal["constant", "cosine", "steps"] = "cosine"
    warmup_steps: int = 0
    final: float = 0.0
    at: tuple[float, ...] = ()
    every: int = 0
    factor: float = 0.1

    def __post_init__(self) -> None:
        if not 0.0 < self.peak < math.inf or min(self.warmup_steps, self.every) < 0:
            raise ConfigError("a schedule needs a peak above 0, and warmup_steps and every of 0 or more")
        if not (0.0 < self.factor <= 1.0 and 0.0 <= self.final <= 1.0):
            raise ConfigError("a schedule needs a factor above 0 to 1 and a final rate of 0 to 1 times the peak")

    def rate(self, step: int, done: float) -> float:
        """The learning rate of step number `step` (from 0) when the fraction `done` (0 to 1) of the run is over."""
        warm = min(1.0, (step + 1) / (self.warmup_steps + 1))
        return self.peak * warm * self._decay(step, min(max(done, 0.0), 1.0))

    def _decay(self, step: int, done: float) -> float:
        if self.kind == "cosine":
            return self.final + (1.0 - self.final) * 0.5 * (1.0 + math.cos(math.pi * done))
        if self.kind == "steps":
            passed = sum(done >= fraction for fraction in self.at) + (step // self.every if self.every else 0)
            return float(self.factor**passed)
        return 1.0
