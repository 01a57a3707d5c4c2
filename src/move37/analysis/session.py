"""An engine on streams: one thread reads lines, one searches and answers, and neither waits for the other.

When the input ends all queries are finished first, unless told not to. An answer that cannot be written ends the
session.
"""

from __future__ import annotations

import json
import queue
import threading
from collections.abc import Callable, Iterable
from typing import Any

from move37.analysis.engine import Engine

__all__ = ["Session", "as_line"]

LINES_A_ROUND = 256
"""So many lines are taken before the searches go on, for a program may send faster than it is answered."""


def as_line(answer: dict[str, Any]) -> str:
    """An answer as one line of JSON, keys in order, ASCII alone."""
    return json.dumps(answer, sort_keys=True, separators=(",", ":"), allow_nan=False)


class Session:
    """`start` begins to read `lines` and to answer by `write`; `wait` waits, and raises what either of them raised.

    make_engine: gives the engine that answers by the function it is given; it is made on the thread that searches.
    finish: when the input ends, finish what was asked for.
    """

    def __init__(
        self,
        make_engine: Callable[[Callable[[dict[str, Any]], None]], Engine],
        lines: Iterable[str],
        write: Callable[[str], None],
        finish: bool = True,
    ) -> None:
        self._make_engine = make_engine
        self._lines = lines
        self._write = write
        self._finish = finish
        self._inbox: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._stopped = False
        self._failure: BaseException | None = None
        self._reader = threading.Thread(target=self._read, name="analysis input", daemon=True)
        self._worker = threading.Thread(target=self._work_safely, name="analysis", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._reader.start()
        self._worker.start()

    def wait(self, seconds: float | None = None) -> bool:
        """Wait for the end, or so long; whether it has ended. Raises what ended it, if that was an error."""
        self._worker.join(seconds)
        if self._failure is not None:
            raise self._failure
        return not self._worker.is_alive()

    def stop(self) -> None:
        """End after the batch under way, whatever is left."""
        self._stopped = True
        self._inbox.put(None)

    def _read(self) -> None:
        try:
            for line in self._lines:
                self._inbox.put(line)
        except (OSError, ValueError):  # the stream was closed under us
            pass
        self._inbox.put(None)

    def _work_safely(self) -> None:
        try:
            self._work(self._make_engine(lambda answer: self._write(as_line(answer))))
        except BaseException as error:  # also that whoever read the answers is gone
            self._failure = error

    def _work(self, engine: Engine) -> None:
        ended = False
        while not self._stopped:
            ended = self._take(engine, wait=not engine.busy and not ended) or ended
            if ended and not (engine.busy and self._finish):
                return
            if engine.busy:
                engine.step()

    def _take(self, engine: Engine, wait: bool) -> bool:
        """Give the engine the lines that have come, waiting for one if asked; whether the input has ended."""
        for number in range(LINES_A_ROUND):
            try:
                line = self._inbox.get(block=wait and number == 0)
            except queue.Empty:
                break
            if line is None:
                return True
            engine.receive(line)
        return False
