"""Where command lines come from: a thread reads ahead, so that whoever thinks can see that something waits.

The reader takes *chunks*, all lines that arrived at once, and remembers when. So a script whose lines are all there
from the start (`quit` behind `genmove`) is told from a controller that sends `quit` while a move is being searched.
"""

from __future__ import annotations

import codecs
import os
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Sequence
from typing import Final, Protocol

from move37.gtp.wire import parse_line

INTERRUPT: Final = "# interrupt"
"""The comment by which GoGui asks for an end of the command under way."""
_CHUNK: Final = 65536


class Input(Protocol):
    """A source of command lines that can be asked whether one waits."""

    def next(self) -> str | None:
        """The next line, waiting for it; None at the end of the input."""
        ...

    def waiting(self) -> bool:
        """Whether `next` would return at once: a line is there, or the input has ended."""
        ...

    def wait(self) -> None:
        """Return as soon as something is waiting."""
        ...

    def asks_to_leave(self, since: float) -> bool:
        """Whether `quit`, GoGui's interrupt or the end of the input arrived later than `since` (`time.monotonic`)."""
        ...


class GivenLines:
    """All lines are there from the start, and after them the end."""

    def __init__(self, lines: Iterable[str] = ()) -> None:
        self._lines = iter(lines)

    def next(self) -> str | None:
        """See `Input`."""
        return next(self._lines, None)

    def waiting(self) -> bool:
        """See `Input`."""
        return True

    def wait(self) -> None:
        """See `Input`."""

    def asks_to_leave(self, since: float) -> bool:
        """See `Input`: nothing arrives later."""
        return False


class LineReader:
    """Lines from a thread that takes `chunks`, each what has arrived at once."""

    def __init__(self, chunks: Iterable[Sequence[str]], clock: Callable[[], float] = time.monotonic) -> None:
        self._chunks = chunks
        self._clock = clock
        self._lines: deque[tuple[float, str]] = deque()
        self._ended: float | None = None
        self._changed = threading.Condition()
        threading.Thread(target=self._read, name="gtp-input", daemon=True).start()

    def next(self) -> str | None:
        """See `Input`."""
        self.wait()
        with self._changed:
            return self._lines.popleft()[1] if self._lines else None

    def waiting(self) -> bool:
        """See `Input`."""
        return bool(self._lines) or self._ended is not None

    def wait(self) -> None:
        """See `Input`."""
        with self._changed:
            self._changed.wait_for(self.waiting)

    def asks_to_leave(self, since: float) -> bool:
        """See `Input`."""
        with self._changed:
            if self._ended is not None and self._ended > since:
                return True
            return any(arrived > since and _leaves(line) for arrived, line in self._lines)

    def _read(self) -> None:
        try:
            for lines in self._chunks:
                self._note(lines)
        finally:
            with self._changed:
                self._ended = self._clock()
                self._changed.notify_all()

    def _note(self, lines: Sequence[str]) -> None:
        with self._changed:
            now = self._clock()
            self._lines.extend((now, line) for line in lines)
            self._changed.notify_all()


def _leaves(line: str) -> bool:
    command = parse_line(line)
    return line.strip() == INTERRUPT if command is None else command.name == "quit"


def chunks_of(descriptor: int) -> Generator[list[str]]:
    """What arrives on a file descriptor, decoded as UTF-8 (wrong bytes are replaced), the lines of each read together.

    It reads the descriptor itself: a thread that waits inside Python's own stdin would hold its lock when the
    interpreter ends.
    """
    decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
    rest = ""
    while data := _read_some(descriptor):
        *lines, rest = (rest + decoder.decode(data)).split("\n")
        if lines:
            yield lines
    rest += decoder.decode(b"", final=True)
    if rest:
        yield [rest]


def _read_some(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, _CHUNK)
    except OSError:  # closed, or a terminal that is gone: nothing more will come
        return b""
