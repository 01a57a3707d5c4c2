"""When a match has been long enough: Wald's sequential probability ratio test of a score.

It weighs two claims: A scores one half (no stronger than B), or A scores `score`. After each game the logarithm of how
much likelier the games are under the second is compared with two bounds; in between, the match goes on. A draw counts
as half a win and half a loss, which makes it a little slower and no less sure.

Source: A. Wald, Sequential Tests of Statistical Hypotheses (1945).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log
from typing import Literal, TypeAlias

from move37.errors import ConfigError

__all__ = ["Sprt", "Verdict"]

Verdict: TypeAlias = Literal["stronger", "not stronger"]
EQUAL = 0.5


@dataclass(frozen=True)
class Sprt:
    """A test of "scores one half" against "scores `score`", each taken for the other in `error` of such matches."""

    score: float = 0.55
    error: float = 0.05

    def __post_init__(self) -> None:
        """Refuse values out of range (`ConfigError`)."""
        if not EQUAL < self.score < 1:
            raise ConfigError(f"a test's score lies between {EQUAL} and 1, not at {self.score}")
        if not 0 < self.error < EQUAL:
            raise ConfigError(f"a test's share of errors lies between 0 and {EQUAL}, not at {self.error}")

    @property
    def bound(self) -> float:
        """The logarithm of likelihoods from which A is stronger; below its negative it is not."""
        return log((1 - self.error) / self.error)

    def ratio(self, wins: float, losses: float) -> float:
        """The logarithm of how much likelier these games are if A scores `score`; a draw is half of each."""
        return wins * log(self.score / EQUAL) + losses * log((1 - self.score) / EQUAL)

    def verdict(self, wins: float, losses: float) -> Verdict | None:
        """What is known after these games; None: not enough of them."""
        ratio = self.ratio(wins, losses)
        if abs(ratio) < self.bound:
            return None
        return "stronger" if ratio > 0 else "not stronger"
