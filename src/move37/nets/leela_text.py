"""Lines of numbers from a file of Leela Zero weights, read one at a time with their lengths known beforehand.

A line is refused as soon as it is longer than it can be, and a file as soon as it unpacks to far more than its size, so
a gzip bomb or a file without line ends costs no more memory than the longest line of the largest network that is read.
What the lines mean is said in `leela`.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import TracebackType

import numpy as np
from numpy.typing import NDArray

from move37.errors import NetworkFileError
from move37.nets.file_kind import DAMAGE, damage, open_network
from move37.nets.katago_tokens import MOST_BYTES, MOST_RATIO, RATIO_SLACK

_BYTES_PER_NUMBER = 32  # programs write 8 to 15 characters


class LeelaLines:
    """The lines of the file `path` in order; a context manager. Failures are NetworkFileErrors with path and line."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.line = 0
        try:
            self._file = open_network(path)
            self._left = min(MOST_BYTES, MOST_RATIO * path.stat().st_size + RATIO_SLACK)
        except OSError as error:
            raise damage(path, error) from error

    def __enter__(self) -> LeelaLines:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    def version(self) -> str:
        """The first line."""
        return self._next(64, "the version").decode("latin-1").strip()

    def numbers(self, what: str, most: int) -> NDArray[np.float32]:
        """The next line as float32[n] with n <= `most`, all finite; `what` names it in errors."""
        words = self._next(_BYTES_PER_NUMBER * most, what).split(None, most)
        if len(words) > most and words[most].strip():
            raise self.error(f"{what} should hold at most {most:,} numbers, but holds more")
        try:
            with np.errstate(over="ignore"):
                found: NDArray[np.float32] = np.array(words[:most], dtype=np.float32)
        except ValueError as error:
            raise self.error(f"{what} should hold numbers ({str(error)[:80]})") from error
        if not np.isfinite(found).all():
            raise self.error(f"{what} should hold finite numbers, but holds NaN or infinity")
        return found

    def exactly(self, what: str, count: int) -> NDArray[np.float32]:
        """The next line as float32[count], all finite."""
        found = self.numbers(what, count)
        if len(found) != count:
            raise self.error(f"{what} should hold {count:,} numbers, but holds {len(found):,}")
        return found

    def lengths(self, most: int, lines: int) -> list[int]:
        """How many numbers each of the remaining lines has, white space at the end left out; the numbers are not read.

        No line may have more than `most` of them, and there are at most `lines` lines.
        """
        found: list[int] = []
        while len(found) <= lines:
            raw = self._take(self._file.readline, _BYTES_PER_NUMBER * most)
            if not raw.strip():
                return found
            self.line += 1
            found.append(raw.rstrip().count(b" ") + 1)
        raise self.error("there are more lines than a network has")

    def end(self) -> None:
        """Check that only white space is left, and not much of it."""
        rest = self._take(self._file.read, _BYTES_PER_NUMBER)
        if rest.strip() or len(rest) == _BYTES_PER_NUMBER:
            self.line += 1
            raise self.error("the file should end here, but goes on")

    def error(self, sentence: str) -> NetworkFileError:
        """`sentence` with the file and the line in front."""
        return NetworkFileError(f"{self.path}: line {self.line}: {sentence}.")

    def _next(self, most: int, what: str) -> bytes:
        raw = self._take(self._file.readline, most + 2)
        self.line += 1
        if not raw:
            raise self.error(f"{what} is missing, the file is cut short")
        if len(raw) > most and not raw.endswith(b"\n"):
            raise self.error(f"{what} is longer than it can be, the file is damaged or no network")
        return raw

    def _take(self, read: Callable[[int], bytes], most: int) -> bytes:
        """What `read`, a method of the file, gives for `most`."""
        try:
            raw = read(most)
        except DAMAGE as error:
            raise damage(self.path, error) from error
        self._left -= len(raw)
        if self._left < 0:
            raise NetworkFileError(f"{self.path}: it unpacks to far more than a network of its size holds.")
        return raw
