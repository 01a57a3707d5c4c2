"""When a search stops: small stoppers that combine.

A stopper looks at the search's progress and says how many visits may still be started; 0 stops. It does not know trees.
The search keeps the clock, so tests inject one. The idea of combining stoppers is lc0's.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from move37.errors import ConfigError

__all__ = [
    "UNLIMITED",
    "All",
    "NodeLimit",
    "Progress",
    "Settled",
    "StopRequest",
    "Stopper",
    "TimeLimit",
    "VisitLimit",
    "limit",
]

UNLIMITED = 2**40


@dataclass(frozen=True)
class Progress:
    """What a stopper may look at.

    visits: of the root, its own evaluation and those kept from an earlier search included. new_visits: of this search.
    nodes: in the tree. seconds: since the search began. lead: visits by which the first move is ahead of the second.
    """

    visits: int
    new_visits: int
    nodes: int
    seconds: float
    lead: int


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
    """Stop when the second move cannot catch up within a limit of `visits`: the choice stays, the visits are fewer."""

    visits: int

    def visits_left(self, progress: Progress) -> int:
        """See `Stopper`."""
        return 0 if progress.lead > max(0, self.visits - progress.visits) else UNLIMITED


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
    """The usual combination; `early` stops when the choice cannot change any more. ConfigError without any limit."""
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
    if nodes is not None:
        stoppers.append(NodeLimit(nodes))
    if not stoppers:
        raise ConfigError("a search needs a limit: visits, seconds, nodes, or a stop request.")
    return All(tuple(stoppers))
