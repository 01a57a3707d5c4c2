"""How many of the newest games a generation learns from: a window that grows, but more slowly than the games do.

The first games are by a network that knows nothing, so they should soon be forgotten; later ones stay useful for
longer. Counts samples (positions that are learnt from); draws none.

Source: Wu 2019 (arXiv:1902.10565), Appendix C: N_window = c (1 + β ((N_total / c)^α - 1) / α), the power α of the
samples so far, scaled so that it is c with slope β at c (c = 250,000, α = 0.75, β = 0.4). AlphaGo Zero's is fixed, its
newest 500,000 games (Silver et al., Nature 550, 2017, Methods).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from move37.errors import ConfigError

__all__ = ["Window"]


@dataclass(frozen=True)
class Window:
    """samples, exponent, growth: the source's c, α and β. games: so many newest games instead; None: not."""

    samples: int = 250_000
    exponent: float = 0.75
    growth: float = 0.4
    games: int | None = None

    def __post_init__(self) -> None:
        if self.samples < 1 or (self.games is not None and self.games < 1):
            raise ConfigError("a window has samples of 1 or more, and games of 1 or more where they are given")
        if not (0.0 < self.exponent <= 1.0 and 0.0 <= self.growth <= 1.0):
            raise ConfigError("a window's exponent is above 0 to 1, and its growth 0 to 1")

    def size(self, total: int) -> int:
        """The newest samples to learn from when there have been `total`; all of them up to `samples`.

        >>> [Window().size(total) for total in (1000, 250_000, 1_000_000, 241_000_000)]
        [1000, 250000, 493790, 23183953]
        """
        c = self.samples
        if total <= c:
            return total
        return int(c * (1.0 + self.growth * ((total / c) ** self.exponent - 1.0) / self.exponent))

    def first(self, games: Sequence[int], samples: Sequence[int]) -> int:
        """The oldest generation that reaches into the window, where each played so many games and gave so many samples.

        Whole generations are learnt from. It never goes back: what was left out once is never needed again.
        """
        counts = games if self.games is not None else samples
        wanted = self.games if self.games is not None else self.size(sum(samples))
        found = 0
        for number in reversed(range(len(counts))):
            found += counts[number]
            if found >= wanted:
                return number
        return 0
