"""Arrays that grow: memory is taken as rows are written, and growing does not hold two copies of them.

An array has address space for all its rows at once, which the system backs with memory page by page. When more rows are
wanted, they move block by block, each given back as soon as it has moved. Where the system cannot do so (Windows), an
array that grows is copied whole.
"""

from __future__ import annotations

import mmap
import sys
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

__all__ = ["Rows"]

BLOCK = 4 << 20
"""Bytes moved at a time; a multiple of every page size."""


class Rows:
    """An array whose first axis grows: `array`, dtype[n, *shape], its rows not initialised."""

    def __init__(self, dtype: DTypeLike, *shape: int) -> None:
        self._dtype, self._shape = np.dtype(dtype), shape
        self._bytes = self._dtype.itemsize * int(np.prod(shape, dtype=np.int64))
        self._map: mmap.mmap | None = None
        self.array: NDArray[Any] = np.empty((0, *shape), self._dtype)

    def grow(self, rows: int, used: int) -> None:
        """Make room for `rows` rows, keeping the first `used`; older views of the array lose what they show."""
        old, old_map = self.array, self._map
        self._map, self.array = self._room(rows)
        if old_map is None:
            self.array[:used] = old[:used]
            return
        source, target = memoryview(old_map), memoryview(self._map or b"")
        for start in range(0, used * self._bytes, BLOCK):
            stop = min(start + BLOCK, used * self._bytes)
            target[start:stop] = source[start:stop]
            if sys.platform != "win32":
                old_map.madvise(mmap.MADV_DONTNEED, start, min(BLOCK, len(old_map) - start))

    def _room(self, rows: int) -> tuple[mmap.mmap | None, NDArray[Any]]:
        if sys.platform == "win32" or rows == 0:
            return None, np.empty((rows, *self._shape), self._dtype)
        pages = mmap.mmap(-1, rows * self._bytes, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        count = rows * self._bytes // self._dtype.itemsize
        return pages, np.frombuffer(pages, self._dtype, count).reshape(rows, *self._shape)
