"""More visits where a search is undecided.

AlphaGo 2016 "extends the search if the action maximizing visit count and the action maximizing action value disagree"
(Silver et al. 2016, Methods). How far, the paper does not say.
"""

from __future__ import annotations

from dataclasses import replace

from move37.errors import ConfigError
from move37.search.limits import Progress, Stopper

__all__ = ["Extended"]


class Extended:
    """`limits`, with up to `times` as many new visits while the search is undecided. For one search.

    Visits alone are extended: `limits` on time and nodes and requests to stop still bind. ConfigError for less than 1.
    """

    def __init__(self, limits: Stopper, times: float) -> None:
        if not 1 <= times < float("inf"):
            raise ConfigError(f"a search is extended to 1 or more times its visits, not {times}.")
        self._limits = limits
        self._times = times
        self._most: int | None = None

    def visits_left(self, progress: Progress) -> int:
        """See `Stopper`."""
        left = self._limits.visits_left(progress)
        if left > 0 or not progress.undecided:
            return left
        if self._limits.visits_left(replace(progress, visits=0, new_visits=0, lead=0)) <= 0:
            return 0
        if self._most is None:
            self._most = int(self._times * progress.new_visits)
        return max(0, self._most - progress.new_visits)
