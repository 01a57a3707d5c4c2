"""A shelf for what may be wanted again: so many things, each for so long, the one put there first goes first."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

__all__ = ["Shelf"]

_T = TypeVar("_T")


class Shelf(Generic[_T]):
    """Holds at most `most` things for at most `seconds`. Safe for several threads at once; `now` measures."""

    def __init__(self, most: int, seconds: float, now: Callable[[], float] = time.monotonic) -> None:
        self._most, self._seconds, self._now = most, seconds, now
        self._lock = threading.Lock()
        self._things: OrderedDict[Hashable, tuple[float, _T]] = OrderedDict()

    def put(self, name: Hashable, thing: _T) -> None:
        """Put a thing there, in place of one of the same name."""
        with self._lock:
            self._things.pop(name, None)
            self._things[name] = self._now(), thing
            self._clear()

    def take(self, name: Hashable) -> _T | None:
        """Take a thing away; None if it is not there any more."""
        with self._lock:
            self._clear()
            found = self._things.pop(name, None)
            return None if found is None else found[1]

    def _clear(self) -> None:
        """Drop what is too much or too old."""
        oldest = self._now() - self._seconds
        while self._things and (len(self._things) > self._most or next(iter(self._things.values()))[0] < oldest):
            self._things.popitem(last=False)
