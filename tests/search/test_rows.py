"""Arrays that grow keep what was written, and do not hold two copies while they move."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from move37.search.rows import BLOCK, Rows


@pytest.mark.parametrize("width", [(), (7,)])
def test_growing_keeps_the_rows_in_use(width: tuple[int, ...]) -> None:
    rows = Rows(np.dtype([("a", np.int64), ("b", np.int8)], align=True), *width)
    assert rows.array.shape == (0, *width)
    for used, room in ((0, 3), (3, 5), (4, 1000)):
        before = rows.array[:used].copy()
        rows.grow(room, used)
        assert rows.array.shape == (room, *width)
        np.testing.assert_array_equal(rows.array[:used], before)
        rows.array["a"] = np.arange(room).reshape(room, *(1 for _ in width))
        rows.array["b"] = 5
    assert rows.array.flags.c_contiguous
    assert rows.array.flags.writeable


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_memory_is_taken_as_it_is_written_and_not_twice_while_growing() -> None:
    def resident() -> int:
        return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * 4096

    start = resident()
    rows = Rows(np.uint8, BLOCK)
    rows.grow(64, 0)
    assert resident() - start < 8 * BLOCK
    rows.array[:32] = 1
    written = resident()
    assert written - start > 30 * BLOCK
    rows.grow(128, 32)
    assert resident() - written < 8 * BLOCK
    assert (rows.array[:32] == 1).all()


def test_a_copy_made_in_blocks_is_whole_where_they_do_not_fit() -> None:
    rows = Rows(np.uint8, BLOCK // 3)
    rows.grow(8, 0)
    rows.array[:] = np.arange(8, dtype=np.uint8)[:, None]
    rows.grow(9, 7)
    assert (rows.array[:7] == np.arange(7, dtype=np.uint8)[:, None]).all()
