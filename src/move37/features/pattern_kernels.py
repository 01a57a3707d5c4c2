"""The 3x3 shapes of the first Monte Carlo programs: which of three families of shape a move makes.

A shape is three rows of three signs around an empty point: ``X`` and ``O`` the two colours, either way round; ``.``
empty; ``x`` anything but X and ``o`` anything but O, off the board too; ``#`` off the board; ``?`` anything. Each is
meant in its eight turned and mirrored forms. Families: *hane* (turning around a stone, or leaning on it), *cut*
(between stones that could connect) and *side* (cuts, blocks and descents on the first line).

Whose move it is does not matter, and nothing is read: a shape says only that a move there is often worth a look.

Source: Gelly, Wang, Munos, Teytaud, Modification of UCT with Patterns in Monte-Carlo Go, INRIA RR-6062 (2006), section
on patterns, in the textual form that later programs share (michi, Pachi).
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from move37._jit import kernel
from move37.rules.board_kernels import STRIDE, Board

FAMILIES: Final = ("hane", "cut", "side")
SHAPES: Final = (
    ("hane", "XOX", "...", "???"),
    ("hane", "XO.", "...", "?.?"),
    ("hane", "XO?", "X..", "x.?"),
    ("hane", ".O.", "X..", "..."),
    ("cut", "XO?", "O.o", "?o?"),
    ("cut", "XO?", "O.X", "???"),
    ("cut", "?X?", "O.O", "ooo"),
    ("cut", "OX?", "o.O", "???"),
    ("side", "X.?", "O.?", "###"),
    ("side", "OX?", "X.O", "###"),
    ("side", "?X?", "x.O", "###"),
    ("side", "?XO", "x.x", "###"),
    ("side", "?OX", "X.O", "###"),
)
"""Family and rows of each shape."""

# A neighbourhood is 32 bits: for each of the eight neighbours, row by row, the bit of what it holds (empty, Black,
# White, wall). A shape has a bit for each thing a neighbour may hold, so it fits if no bit lies outside it.
_HOLDS: Final = {".": 0b0001, "X": 0b0010, "O": 0b0100, "#": 0b1000, "x": 0b1101, "o": 0b1011, "?": 0b1111}
_OTHER_COLOR: Final = str.maketrans("XOxo", "OXox")


def _masks() -> tuple[tuple[int, int], ...]:
    """Family number and 32 bits of each shape in each of its forms."""
    found: set[tuple[int, int]] = set()
    for family, *rows in SHAPES:
        grid = np.array([list(row) for row in rows])
        for turns in range(4):
            for form in (np.rot90(grid, turns), np.rot90(grid.T, turns)):
                signs = "".join(form.ravel().tolist())
                for text in (signs, signs.translate(_OTHER_COLOR)):
                    ring = text[:4] + text[5:]
                    bits = sum(_HOLDS[sign] << (4 * i) for i, sign in enumerate(ring))
                    found.add((FAMILIES.index(family), bits))
    return tuple(sorted(found))


def _table() -> NDArray[np.uint8]:
    """The families of every neighbourhood, by its code of two bits a neighbour."""
    codes = np.arange(4**8, dtype=np.uint32)
    around = np.zeros(4**8, np.uint32)
    for place in range(8):
        around |= np.uint32(1) << (4 * place + (codes >> 2 * place & 3))
    families = np.zeros(4**8, np.uint8)
    for family, mask in _masks():
        families[around & ~np.uint32(mask) == 0] |= 1 << family
    stones = np.uint32(0x66666666)  # a shape has a stone somewhere, even where wildcards would do without
    families[around & stones == 0] = 0
    return families


_FAMILIES_AROUND: Final = _table()


@kernel
def shape_families(board: Board, cell: int) -> int:
    """The families of the shapes around an empty cell: bit ``f`` is set for ``FAMILIES[f]``."""
    stones = board["stones"]
    code = 0
    shift = 0
    for direction in (-STRIDE - 1, -STRIDE, -STRIDE + 1, -1, 1, STRIDE - 1, STRIDE, STRIDE + 1):
        code |= int(stones[cell + direction]) << shift
        shift += 2
    return int(_FAMILIES_AROUND[code])
