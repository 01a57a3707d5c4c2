"""A cache of evaluations in front of any evaluator: what was evaluated before is not evaluated again.

Transpositions share evaluations this way, as far as they agree in all a network sees (see `cache_kernels`); the search
keeps legality to itself. Room is given by the least recently used entry among the few that may take the same place.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from move37.errors import ConfigError
from move37.evaluators.cache_kernels import WAYS, claim_slots, find_slots, write_keys
from move37.search.evaluator import Evaluations, Evaluator

DEFAULT_CAPACITY = 100_000  # the course's chapter on search: an LRU cache of 100,000 evaluations

_FIELDS = tuple(field.name for field in fields(Evaluations))


@dataclass(frozen=True, slots=True)
class CacheStatistics:
    """Positions asked for, and how many of them were answered without the wrapped evaluator."""

    asked: int
    hits: int

    @property
    def hit_rate(self) -> float:
        """Share of hits, 0 before the first question."""
        return self.hits / self.asked if self.asked else 0.0


class _Table:
    """Evaluations of one board size: keys in sets of slots, and one array [slots, ...] per field of `Evaluations`."""

    def __init__(self, capacity: int) -> None:
        ways = min(WAYS, capacity)
        sets = capacity // ways
        self.keys = np.zeros((sets, ways, 2), dtype=np.uint64)
        self.used = np.zeros((sets, ways), dtype=np.int64)
        self.values: dict[str, NDArray[np.float32]] = {}
        self.now = 0

    def find(self, keys: NDArray[np.uint64]) -> NDArray[np.int64]:
        """Slots int64[B] of `keys`, -1 where absent."""
        slots = np.empty(len(keys), dtype=np.int64)
        self.now += 1
        find_slots(keys, self.keys, self.used, self.now, slots)
        return slots

    def store(self, keys: NDArray[np.uint64], found: Evaluations) -> None:
        """Keep `found` under `keys` (uint64[B, 2], all different)."""
        slots = np.empty(len(keys), dtype=np.int64)
        self.now += 1
        claim_slots(keys, self.keys, self.used, self.now, slots)
        for name, values in _arrays(found).items():
            if name not in self.values:  # memory the system gives only when a slot is written
                self.values[name] = np.empty((self.used.size, *values.shape[1:]), dtype=np.float32)
            self.values[name][slots] = values

    def read(self, slots: NDArray[np.int64]) -> dict[str, NDArray[np.float32]]:
        """Copies of the values in `slots`, by field."""
        return {name: values[slots] for name, values in self.values.items()}


class CachedEvaluator:
    """Answers from memory where it can and asks `inner` for the rest, each different position once.

    `capacity`: how many evaluations are kept per board size (rounded down to whole sets of slots); a 19x19 policy takes
    1.5 KB. May be called from several threads at once; while `inner` works the cache is not locked. Given-back arrays
    are the caller's own. Put a random-symmetry wrapper inside, not outside, if answers are to stay fixed.
    """

    def __init__(self, inner: Evaluator, capacity: int = DEFAULT_CAPACITY) -> None:
        if capacity < 1:
            raise ConfigError(f"A cache holds at least one evaluation, not {capacity}.")
        self._inner = inner
        self._capacity = capacity
        self._tables: dict[tuple[int, int], _Table] = {}
        self._lock = Lock()
        self._asked = 0
        self._hits = 0

    @property
    def statistics(self) -> CacheStatistics:
        """Counts since the start or the last `clear`; duplicates inside one batch count as hits after the first."""
        with self._lock:
            return CacheStatistics(self._asked, self._hits)

    def clear(self) -> None:
        """Forget all evaluations and counts."""
        with self._lock:
            self._tables.clear()
            self._asked = self._hits = 0

    def evaluate(self, boards: NDArray[Any]) -> Evaluations:
        """Evaluate `boards` (BOARD[B], one board size, B >= 1); errors are those of the wrapped evaluator."""
        keys = np.empty((len(boards), 2), dtype=np.uint64)
        write_keys(np.ascontiguousarray(boards), keys)
        size = (int(boards[0]["rows"]), int(boards[0]["cols"]))
        with self._lock:
            if size not in self._tables:
                self._tables[size] = _Table(self._capacity)
            table = self._tables[size]
            slots = table.find(keys)
            known = table.read(slots[slots >= 0])
        missing = np.flatnonzero(slots < 0)
        first, which = _distinct(keys[missing])
        if len(missing) == 0:
            self._count(len(boards), len(boards))
            return Evaluations(**known)
        found = self._inner.evaluate(boards[missing[first]])
        with self._lock:
            table.store(keys[missing[first]], found)
        self._count(len(boards), len(boards) - len(first))
        return _merged(len(boards), slots >= 0, known, _arrays(found), which)

    def _count(self, asked: int, hits: int) -> None:
        with self._lock:
            self._asked += asked
            self._hits += hits


def _arrays(found: Evaluations) -> dict[str, NDArray[np.float32]]:
    return {name: values for name in _FIELDS if (values := getattr(found, name)) is not None}


def _distinct(keys: NDArray[np.uint64]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Indices of the first of each different key, and for every key the place of its like among those."""
    places: dict[bytes, int] = {}
    first: list[int] = []
    which = np.empty(len(keys), dtype=np.intp)
    for i in range(len(keys)):
        text = keys[i].tobytes()
        place = places.setdefault(text, len(first))
        if place == len(first):
            first.append(i)
        which[i] = place
    return np.array(first, dtype=np.intp), which


def _merged(
    count: int,
    hit: NDArray[np.bool_],
    known: dict[str, NDArray[np.float32]],
    fresh: dict[str, NDArray[np.float32]],
    which: NDArray[np.intp],
) -> Evaluations:
    """Known rows where `hit`, fresh ones elsewhere."""
    merged: dict[str, NDArray[np.float32]] = {}
    for name, values in fresh.items():
        merged[name] = np.empty((count, *values.shape[1:]), dtype=np.float32)
        merged[name][~hit] = values[which]
        if name in known:
            merged[name][hit] = known[name]
    return Evaluations(**merged)
