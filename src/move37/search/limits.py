"""When a search stops: small stoppers that combine.

A stopper looks at the search's progress and says how many visits may still be started; 0 stops. It does not know trees.
The search keeps the clock, so tests inject one. The idea of combining stoppers is lc0's.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from move37.errors import ConfigError

__all__ = [
    "UNLIMITED",
    "All",
    "NodeLimit",
    "Progress",
    "Settled",
    "SettledInTime",
    "StopRequest",
    "Stopper",
    "TimeLimit",
    "VisitLimit",
    "limit",
]

UNLIMITED = 2**40

WARM_UP, SPARE = 0.1, 1.25
"""Speed is not judged in this first part of the time, and later batches are taken to be faster by this factor. Ours."""


@dataclass(frozen=True)
class Progress:
    """What a stopper may look at.

    visits: of the root, its own evaluation and those kept from an earlier search included. new_visits: of this search.
    nodes: in the tree. seconds: since the search began. lead: as long as fewer visits than this are left, the choice
    stays, if `holds` says so as well: it is asked only then, as it may take a while to find out.
    undecided: whether another move has a better value than the most visited one; False where a search does not say.
    """

    visits: int
    new_visits: int
    nodes: int
    seconds: float
    lead: int
    undecided: bool = False
    holds: Callable[[], bool] = lambda: True

    def settled(self, left: float) -> bool:
        """Whether the choice is the same whatever `left` further visits find."""
        return self.lead > left and self.holds()


class Stopper(Protocol):
    """Says how many visits may still be started."""

    def visits_left(self, progress: Progress) -> int:
        """Visits that may still be started, 0 to stop, UNLIMITED where this stopper does not mind."""
        ...


@dataclass(frozen=True)
class VisitLimit:
    """Stop when the root has `visits`: its own evaluation and visits kept from an earlier search count."""

    visits: int

    def visits_left(self, progress: Progress) -> int:
        """See `Stopper`."""
        return max(0, self.visits - progress.visits)


@dataclass(frozen=True)
class NodeLimit:
    """Stop when the tree holds `nodes`."""

    nodes: int

    def visits_left(self, progress: Progress) -> int:
        """See `Stopper`."""
        return max(0, self.nodes - progress.nodes)


@dataclass(frozen=True)
class TimeLimit:
    """Stop after `seconds` of this search."""

    seconds: float

    def visits_left(self, progress: Progress) -> int:
        """See `Stopper`."""
        return UNLIMITED if progress.seconds < self.seconds else 0


@dataclass(frozen=True)
class Settled:
    """Stop when no other move can be chosen within a limit of `visits`: the choice stays, the visits are fewer."""

    visits: int

    def visits_left(self, progress: Progress) -> int:
        """See `Stopper`."""
        return 0 if progress.settled(max(0, self.visits - progress.visits)) else UNLIMITED


@dataclass(frozen=True)
class SettledInTime:
    """Stop when no other move can be chosen within a limit of `seconds`, as far as the speed so far tells."""

    seconds: float

    def visits_left(self, progress: Progress) -> int:
        """See `Stopper`."""
        if progress.seconds < WARM_UP * self.seconds or progress.seconds == 0:
            return UNLIMITED
        left = max(0.0, self.seconds - progress.seconds)
        expected = SPARE * left * progress.new_visits / progress.seconds
        return 0 if progress.settled(expected) else UNLIMITED


@dataclass
class StopRequest:
    """Stop when another thread has called `stop`."""

    stopped: bool = False

    def stop(self) -> None:
        """Ask the search to end after the batch under way."""
        self.stopped = True

    def visits_left(self, progress: Progress) -> int:
        """See `Stopper`."""
        return 0 if self.stopped else UNLIMITED


@dataclass(frozen=True)
class All:
    """Stop as soon as one of `stoppers` does."""

    stoppers: tuple[Stopper, ...]

    def visits_left(self, progress: Progress) -> int:
        """See `Stopper`."""
        return min((stopper.visits_left(progress) for stopper in self.stoppers), default=UNLIMITED)


def limit(
    visits: int | None = None,
    *,
    seconds: float | None = None,
    nodes: int | None = None,
    stop: StopRequest | None = None,
    early: bool = False,
) -> Stopper:
    """The usual combination. ConfigError without any limit.

    `early` stops when the choice cannot change any more within the visits, or, as far as the speed so far tells, within
    the seconds.
    """
    stoppers: list[Stopper] = [] if stop is None else [stop]
    for name, number in (("visits", visits), ("seconds", seconds), ("nodes", nodes)):
        if number is not None and not number > 0:
            raise ConfigError(f"a search needs a positive limit, not {name} = {number}.")
        if number is not None and name != "seconds" and number != number // 1:
            raise ConfigError(f"a search counts whole {name}, not {number}.")
    if visits is not None:
        stoppers.append(VisitLimit(visits))
        if early:
            stoppers.append(Settled(visits))
    if seconds is not None:
        stoppers.append(TimeLimit(seconds))
        if early:
            stoppers.append(SettledInTime(seconds))
    if nodes is not None:
        stoppers.append(NodeLimit(nodes))
    if not stoppers:
        raise ConfigError("a search needs a limit: visits, seconds, nodes, or a stop request.")
    return All(tuple(stoppers))
