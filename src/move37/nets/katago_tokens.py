"""A KataGo file as words and blocks of numbers, read from front to back in bounded memory.

Such a file is gzip or plain; unpacked it is words between white space, and blocks of float32 numbers, either binary
(`@BIN@`, then little-endian bytes) or as decimal words. Both choices are seen from the content, not from the suffix. No
block is asked for that the file cannot hold, and a file that unpacks to far more than its size is refused. What the
words mean is `katago_layers`' and `katago`'s business. Source: `cpp/neuralnet/desc.cpp` of KataGo 1.17 (layout only).
"""

from __future__ import annotations

import gzip
import io
import re
import stat
import sys
import zlib
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from move37.errors import NetworkFileError

__all__ = ["GZIP_MAGIC", "TokenReader", "token_reader"]

GZIP_MAGIC = b"\x1f\x8b"
MOST_BYTES = 4 * 2**30
"""No network is larger when unpacked; the largest published ones have 0.3 GB."""
MOST_RATIO, RATIO_SLACK = 64, 64 * 2**20
"""Weights hardly compress (by a tenth; decimal ones to a third), zeros a thousandfold. Small files are let off."""

_CHUNK = 1 << 16
_MARK = b"@BIN@"
_WORD = re.compile(rb"\s*(\S+)\s")
_MOST_WORD = 1000
_WHOLE = re.compile(rb"[+-]?\d{1,12}\Z")
_DECIMAL = re.compile(rb"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\Z")
_DECIMAL_BYTES = b"0123456789+-.eE"


class TokenReader:
    """The words and numbers of one open file, in order. Every failing is a NetworkFileError with the file's path."""

    def __init__(self, path: Path, stream: io.BufferedIOBase, budget: int) -> None:
        self.path = path
        self._stream = stream
        self._left = budget
        self._buffer = b""
        self._at = 0
        self._binary: bool | None = None

    def fail(self, reason: str) -> NetworkFileError:
        """The error that says `reason` of this file."""
        return NetworkFileError(f"{self.path}: {reason}.")

    def word(self, what: str) -> str:
        """The next word; `what` it should be is for the message if there is none."""
        return self._word(what).decode("ascii", "backslashreplace")

    def whole(self, what: str, least: int, most: int) -> int:
        """The next word as a whole number from `least` to `most`."""
        word = self._word(what)
        if not _WHOLE.match(word) or not least <= int(word) <= most:
            wanted = f"a whole number from {least} to {most}" if least < most else f"{least}"
            raise self.fail(f"{what} should be {wanted}, but is {_shown(word)}")
        return int(word)

    def flag(self, what: str) -> bool:
        """The next word, which is 0 or 1."""
        return self.whole(what, 0, 1) == 1

    def zeros(self, where: str, count: int) -> None:
        """The next `count` words, which are 0 in all files that are known and reserved for later ones."""
        for _ in range(count):
            self.whole(f"a reserved number of {where}", 0, 0)

    def positive(self, what: str) -> float:
        """The next word as a finite number greater than 0."""
        word = self._word(what)
        value = float(word) if _DECIMAL.match(word) else np.nan
        if not 0 < value < np.inf:
            raise self.fail(f"{what} should be a number greater than 0, but is {_shown(word)}")
        return value

    def numbers(self, what: str, count: int) -> NDArray[np.float32]:
        """The next block, float32[count], all finite."""
        if self._binary is None:
            self._binary = self._next_byte(what) == _MARK[:1]
        if count * (4 if self._binary else 2) > self._left + len(self._buffer) - self._at:
            raise self.fail(f"{what} should be {count:,} numbers, which is more than the file holds")
        values = np.empty(count, np.float32)
        if self._binary:
            self._fill_binary(what, values)
        else:
            self._fill_decimal(what, values)
        if not np.isfinite(values).all():
            raise self.fail(f"{what} should be finite numbers, but some are NaN or infinite")
        return values

    def end(self) -> None:
        """Make sure that nothing but white space follows; this also compares the checksum of a gzip file."""
        more = True
        while more and not self._buffer[self._at :].strip():
            more = self._refill()
        if self._buffer[self._at :].strip():
            raise self.fail("something follows the last layer; the file is damaged or of a newer kind")

    def _word(self, what: str) -> bytes:
        while not (match := _WORD.match(self._buffer, self._at)):
            unfinished = self._buffer[self._at :].lstrip()
            if len(unfinished) > _MOST_WORD:
                break
            if not self._refill():
                raise self._cut_short(what)
        if match is None or len(match[1]) > _MOST_WORD:
            raise self.fail(f"{what} should be a word, but is over {_MOST_WORD:,} characters long")
        self._at = match.end()
        return match[1]

    def _next_byte(self, what: str) -> bytes:
        """The next byte that is not white space, which stays the next to be read."""
        while not (rest := self._buffer[self._at :].lstrip()):
            if not self._refill():
                raise self._cut_short(what)
        self._at = len(self._buffer) - len(rest)
        return rest[:1]

    def _fill_binary(self, what: str, values: NDArray[np.float32]) -> None:
        self._next_byte(what)
        while len(self._buffer) - self._at < len(_MARK) and self._refill():
            pass
        if not self._buffer.startswith(_MARK, self._at):
            found = _shown(self._buffer[self._at : self._at + 12])
            raise self.fail(f"{what} should begin with {_MARK.decode()}, but begins with {found}")
        self._at += len(_MARK)
        target = memoryview(cast(Any, values)).cast("B")
        done = 0
        while done < len(target):
            part = self._buffer[self._at : self._at + len(target) - done]
            if not part and not self._refill(binary=True):
                raise self._cut_short(what)
            target[done : done + len(part)] = part
            done, self._at = done + len(part), self._at + len(part)
        if sys.byteorder == "big":
            values.byteswap(inplace=True)

    def _fill_decimal(self, what: str, values: NDArray[np.float32]) -> None:
        done = 0
        while done < len(values):
            words = self._buffer[self._at :].split(None, len(values) - done)
            rest = words.pop() if len(words) > len(values) - done else b""
            if words and not rest and not self._buffer[-1:].isspace():
                rest = words.pop()  # it may go on in the next chunk
            self._buffer, self._at = rest, 0
            with np.errstate(over="ignore"):  # told as infinite
                values[done : done + len(words)] = self._decimals(what, words)
            done += len(words)
            if done < len(values) and len(rest) > _MOST_WORD:
                raise self.fail(f"{what} should be numbers, but one is {_shown(rest)}")
            if done < len(values) and not self._refill():
                if not rest:
                    raise self._cut_short(what)
                self._buffer += b"\n"  # the last word of the file

    def _decimals(self, what: str, words: list[bytes]) -> list[float]:
        try:
            if not b"".join(words).translate(None, _DECIMAL_BYTES):
                return [float(word) for word in words]
        except ValueError:
            pass
        wrong = next(word for word in words if not _DECIMAL.match(word))
        raise self.fail(f"{what} should be numbers, but one is {_shown(wrong)}")

    def _refill(self, binary: bool = False) -> bool:
        """Append a chunk to what is left of the buffer, less white space before words; False at the end of the file."""
        chunk = self._stream.read(_CHUNK)
        self._left -= len(chunk)
        if self._left < 0:
            raise self.fail("it unpacks to far more than a network of its size holds")
        rest = self._buffer[self._at :]
        self._buffer, self._at = (rest if binary else rest.lstrip()) + chunk, 0
        return bool(chunk)

    def _cut_short(self, what: str) -> NetworkFileError:
        return self.fail(f"the file is cut short where {what} should be")


@contextmanager
def token_reader(path: Path) -> Generator[TokenReader]:
    """Open `path`, gzip or plain, for reading word by word.

    NetworkFileError in one sentence where it is no file, cannot be read or unpacked, or needs too much memory.
    """
    try:
        size = _size(path)
        with path.open("rb") as file:
            packed = file.read(len(GZIP_MAGIC)) == GZIP_MAGIC
            file.seek(0)
            stream = gzip.GzipFile(fileobj=file) if packed else file
            yield TokenReader(path, stream, min(MOST_BYTES, MOST_RATIO * size + RATIO_SLACK) if packed else size)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise NetworkFileError(f"{path}: the file cannot be unpacked ({error}); it is cut short or damaged.") from error
    except OSError as error:
        reason = error.strerror or str(error)
        raise NetworkFileError(f"{path}: expected a network file, but it cannot be read ({reason}).") from error
    except MemoryError as error:
        raise NetworkFileError(f"{path}: the network needs more memory than there is.") from error


def _size(path: Path) -> int:
    try:
        status = path.stat()
    except ValueError as error:  # a NUL in the name
        raise NetworkFileError(f"{path!r}: expected the path of a network file, but there is no such name.") from error
    if not stat.S_ISREG(status.st_mode):
        raise NetworkFileError(f"{path}: expected a network file, but it is a folder, a pipe or a device.")
    return status.st_size


def _shown(word: bytes) -> str:
    """A word for a message: printable, and cut where it is long."""
    return repr(word[:40].decode("ascii", "backslashreplace")) + ("…" if len(word) > 40 else "")
