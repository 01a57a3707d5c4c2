"""Does a player ever lose on time? Simulated matches under every time system, by a virtual clock.

The clocks, budgets and the stopper are those that players use; search and evaluator are played by chance: batches whose
time varies much and now and then many times over, an evaluator that becomes slower in the middle of a game, moves whose
choice is clear or open, and a controller that adds a lag to every move and tells whole seconds only.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

import numpy as np
from numpy.typing import NDArray

from move37.benchmark.figures import Figure, figure, require
from move37.search.clock import Clock
from move37.search.clock_stopper import ClockStopper, Pace
from move37.search.limits import Progress
from move37.search.match_clock import MatchClock
from move37.search.time_plan import LAG, budget
from move37.search.time_words import time_system

__all__ = ["SYSTEMS", "Outcome", "clock_group", "play_matches"]

GAMES: Final = 500
BATCH: Final = 8

SYSTEMS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "absolute": "5m",
        "fischer": "1m+3s",
        "fischer-capped": "30s+3s max 45s",
        "byo-yomi": "2m+5x10s",
        "byo-yomi-once": "1m+1x10s",
        "canadian": "2m+10/1m",
    }
)
"""The time systems of the matches, as a person writes them."""

_SIZES: Final = ((19, 230.0, 45.0), (9, 55.0, 12.0))
"""Board side, and the length of games on it: mean and spread."""


@dataclass
class Outcome:
    """What so many games came to, both sides' clocks counted.

    used, main: seconds of main time (with increments) that were thought, and that there were. overtime, periods: the
    same of overtime, an even share for each move made in it.
    """

    clocks: int = 0
    lost: int = 0
    used: float = 0.0
    main: float = 0.0
    overtime: float = 0.0
    periods: float = 0.0


@dataclass
class _Mind:
    """A player: an evaluator's speed, what is known of it, and the choice it looks at. It is the `Choice` it shows."""

    rng: np.random.Generator
    batch_seconds: float
    pace: Pace = field(default_factory=Pace)
    time: float = 0.0
    visits: NDArray[np.int32] = field(default_factory=lambda: np.zeros(3, np.int32))
    q: NDArray[np.float32] = field(default_factory=lambda: np.zeros(3, np.float32))
    value: float = 0.0

    def think(self, clock: Clock, points: int, moves: int) -> float:
        """Seconds that a move takes, from hearing of it to telling it."""
        plan = budget(clock, points, moves, LAG, self.pace.least, self.pace.next_step)
        require(plan is not None, "a clock that runs gives a budget")
        assert plan is not None
        self._face_a_new_choice()
        self.time = 0.0
        stopper = ClockStopper(plan, self.pace, 0.0, now=lambda: self.time, look=lambda: self)
        self.time += self._batch_time() / 4  # the root alone
        found = 0
        while (left := stopper.visits_left(self._progress(found))) > 0:
            self.time += self._batch_time()
            found += self._search(min(left, BATCH))
        answering = self.rng.uniform(0, 0.05)
        self.pace.ends.add(answering)
        return self.time + answering

    def _face_a_new_choice(self) -> None:
        kept = self.rng.uniform(0, 0.5)
        self.visits = (self.visits * kept).astype(np.int32)
        self._chances = self.rng.dirichlet([3.0, 1.5, 0.5])
        self.q = self.rng.normal(0, 0.05, 3).astype(np.float32)
        self.value = float(np.clip(self.value + self.rng.normal(0, 0.08), -1, 1))

    def _search(self, visits: int) -> int:
        self.visits += self.rng.multinomial(visits, self._chances).astype(np.int32)
        return visits

    def _progress(self, found: int) -> Progress:
        total = int(self.visits.sum()) + 1
        first, second = np.sort(self.visits)[::-1][:2]
        return Progress(total, found, total, self.time, int(first - second))

    def _batch_time(self) -> float:
        """Log-normal about its usual time, and one in a hundred up to four times as long."""
        stall = self.rng.uniform(2, 4) if self.rng.random() < 0.01 else 1.0
        return self.batch_seconds * stall * float(np.exp(self.rng.normal(0, 0.3)))


def _told(clock: Clock) -> Clock:
    """A clock in whole seconds, rounded up or down as a GTP controller may: here always up."""
    return clock if clock.time_left is None else Clock(clock.system, float(np.ceil(clock.time_left)), clock.stones_left)


def _play(outcome: Outcome, text: str, rng: np.random.Generator) -> None:
    """One side of one game."""
    system = time_system(text)
    referee = MatchClock(system)
    size, mean, spread = _SIZES[int(rng.integers(len(_SIZES)))]
    length = int(min(size * size, max(20.0, float(rng.normal(mean, spread)))))
    mind = _Mind(rng, math.exp(rng.uniform(math.log(0.05), math.log(0.5))))
    slower_at = int(rng.integers(2 * length))
    outcome.clocks += 1
    for moves in range(int(rng.integers(2)), length, 2):
        if moves >= slower_at:
            mind.batch_seconds, slower_at = 2 * mind.batch_seconds, 10**9
        before = referee.clock()
        lag = min(0.9 * LAG, float(rng.exponential(0.15)))
        seconds = mind.think(_told(before), size * size, moves) + lag
        _count(outcome, before, seconds)
        if not referee.spend(seconds):
            outcome.lost += 1
            break
    outcome.main += system.main + system.increment * (length // 2)


def _count(outcome: Outcome, clock: Clock, seconds: float) -> None:
    if clock.stones_left == 0:
        outcome.used += min(seconds, clock.time_left or 0.0)
        return
    outcome.overtime += seconds
    outcome.periods += clock.system.period / clock.system.stones_a_period


def play_matches(text: str, games: int, seed: int) -> Outcome:
    """So many games under a time system; both sides' clocks are watched."""
    outcome = Outcome()
    for number in range(2 * games):
        _play(outcome, text, np.random.default_rng([seed, number]))
    return outcome


def clock_group(games: int = GAMES) -> Iterator[Figure]:
    """For each time system: games lost on time, which should be none, and how much of the time was used."""
    for name, text in SYSTEMS.items():
        found = play_matches(text, games, seed=37)
        require(found.clocks == 2 * games, "a game's clock was not watched")
        note = f"clock-{name}: {games} games of {text}, both sides"
        yield figure(f"clock-lost-{name}", found.lost, "games lost on time", note=note)
        yield figure(f"clock-used-{name}", 100 * found.used / found.main, "% of the main time")
        if found.periods:
            yield figure(f"clock-overtime-{name}", 100 * found.overtime / found.periods, "% of the overtime")
