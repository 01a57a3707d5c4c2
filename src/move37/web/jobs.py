"""Work that takes its time, in a few threads, fair between those who want it.

A *place* is one kind of work for one board. It has at most one job under way and one waiting; a later one takes the
place of that which waits. Places are served in the order in which they asked, so a board that asks often waits no less
than one that asks once. Nothing is known here of games.
"""

from __future__ import annotations

import sys
import threading
import traceback
from collections import OrderedDict
from collections.abc import Callable, Hashable

__all__ = ["Jobs"]


class Jobs:
    """`threads` threads named `name`. A job must tell its own errors; what it raises is a defect and goes to stderr."""

    def __init__(self, threads: int, name: str) -> None:
        self._changed = threading.Condition()
        self._waiting: OrderedDict[Hashable, Callable[[], None]] = OrderedDict()
        self._running: set[Hashable] = set()
        self._closed = False
        self._threads = [
            threading.Thread(target=self._work, name=f"{name} {number + 1}", daemon=True) for number in range(threads)
        ]
        for thread in self._threads:
            thread.start()

    def submit(self, place: Hashable, job: Callable[[], None]) -> None:
        """Do `job` once a thread is free and the last job of its place is done."""
        with self._changed:
            self._waiting[place] = job
            self._changed.notify()

    def drop(self, place: Hashable) -> None:
        """Forget the job that waits; one under way goes on."""
        with self._changed:
            self._waiting.pop(place, None)

    def close(self, seconds: float) -> None:
        """Begin nothing more, and wait so long for what is under way."""
        with self._changed:
            self._closed = True
            self._waiting.clear()
            self._changed.notify_all()
        for thread in self._threads:
            thread.join(seconds)

    def _work(self) -> None:
        while (found := self._next()) is not None:
            place, job = found
            try:
                job()
            except Exception as error:
                traceback.print_exception(error, file=sys.stderr)
            with self._changed:
                self._running.discard(place)
                self._changed.notify_all()

    def _next(self) -> tuple[Hashable, Callable[[], None]] | None:
        """The next job, its place taken; None at the end."""
        with self._changed:
            while not self._closed:
                place = next((one for one in self._waiting if one not in self._running), None)
                if place is not None:
                    self._running.add(place)
                    return place, self._waiting.pop(place)
                self._changed.wait()
        return None
