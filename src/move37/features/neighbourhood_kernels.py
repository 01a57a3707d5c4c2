"""What lies around a point, as one number: colours and liberties of its neighbours, and the least of its eight forms.

A *nibble* is what one point shows: two bits of what is there (EMPTY, BLACK, WHITE, WALL) and above them two bits of its
chain's liberties (0 where there is no stone, else 1, 2, or 3 for more). A *code* has one nibble for each point around a
centre, in rings of four that go clockwise from the north:

    places 0-3 beside (N, E, S, W) · 4-7 at the corners (NE, SE, SW, NW) · 8-11 two away (N, E, S, W)

The twelve are the diamond of AlphaGo's patterns (Silver et al. 2016, Extended Data Table 4, after Stern, Herbrich,
Graepel 2006), the first eight its 3x3 patterns: a 3x3 code is the low half of a diamond's. A quarter turn moves every
nibble one on in its ring, so a symmetry costs a few instructions. A thirteenth nibble may say something of the centre.

Codes are below 2^52 and are kept as int64. Tables of codes are hashed with open addressing. Knows no features.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from move37._jit import kernel
from move37.rules.board_kernels import BLACK, EMPTY, STRIDE, WALL, WHITE, Board

PLACES: Final = 12
SYMMETRIES: Final = 8
DIRECTIONS: Final = np.array(
    [-STRIDE, 1, STRIDE, -1, -STRIDE + 1, STRIDE + 1, STRIDE - 1, -STRIDE - 1, -2 * STRIDE, 2, 2 * STRIDE, -2], np.int64
)
"""From the centre to each place."""

STONES_ONLY: Final = 0x333333333333
"""The part of a code that says colours and no liberties."""
SMALL: Final = 0xFFFFFFFF
"""The 3x3 part of a code."""
NO_KEY: Final = -1


def _turned_places() -> NDArray[np.int64]:
    """int64[8, 12]: where each place comes to lie under each symmetry of `turned`."""
    places = np.arange(PLACES)
    rings, order = places // 4, places % 4
    found: list[NDArray[np.int64]] = []
    for mirrored in (False, True):
        flipped = np.where(rings == 1, 3 - order, (4 - order) % 4) if mirrored else order
        found += [4 * rings + (flipped + turns) % 4 for turns in range(4)]
    return np.array(found, np.int64)


TURNED_PLACES: Final = _turned_places()


@kernel
def quarter_turned(code: int) -> int:
    """A code turned clockwise by a quarter."""
    rings = code & 0xFFFFFFFFFFFF
    return (code ^ rings) | (rings & 0x0FFF0FFF0FFF) << 4 | rings >> 12 & 0x000F000F000F


@kernel
def mirrored(code: int) -> int:
    """A code with east and west exchanged."""
    ends = (code & 0xF0000000F0) << 8 | code >> 8 & 0xF0000000F0
    corners = (code & 0xF0000) << 12 | (code & 0xF00000) << 4 | code >> 4 & 0xF00000 | code >> 12 & 0xF0000
    return code & 0xF0F0F00000F0F | ends | corners


@kernel
def other_side(code: int) -> int:
    """A code with the colours exchanged."""
    return code & 0xCCCCCCCCCCCCC | (code & 0x1111111111111) << 1 | code >> 1 & 0x1111111111111


@kernel
def least(code: int) -> int:
    """The least of a code's eight forms: one for all that differ by a symmetry."""
    best = code
    other = mirrored(code)
    for _ in range(4):
        best = min(best, code, other)
        code = quarter_turned(code)
        other = quarter_turned(other)
    return best


@kernel
def least_with_symmetry(code: int) -> tuple[int, int]:
    """`least`, and the first symmetry that gives it: a row of TURNED_PLACES."""
    best, found = code, 0
    for symmetry in range(SYMMETRIES):
        if symmetry == 4:
            code = mirrored(code)  # after four turns it is what it was
        if code < best:
            best, found = code, symmetry
        code = quarter_turned(code)
    return best, found


@kernel
def forms(code: int, out: NDArray[np.int64]) -> None:
    """Write the eight forms of a code: ``out: int64[8]``, in the order of TURNED_PLACES."""
    for symmetry in range(SYMMETRIES):
        if symmetry == 4:
            code = mirrored(code)
        out[symmetry] = code
        code = quarter_turned(code)


@kernel
def nibble_of(board: Board, cell: int) -> int:
    """What a cell shows."""
    occupant = int(board["stones"][cell])
    if occupant in (EMPTY, WALL):
        return occupant
    return occupant | min(int(board["liberties"][board["root"][cell]]), 3) << 2


@kernel
def diamond_code(shown: NDArray[np.int8], cell: int) -> int:
    """The code of the twelve points around a cell on the board, from what each cell shows (int8[CELLS])."""
    code = 0
    for place in range(4):
        near = int(shown[cell + DIRECTIONS[place]])
        far = int(shown[cell + DIRECTIONS[8 + place]]) if near != WALL else WALL  # rows share one column of walls
        corner = int(shown[cell + DIRECTIONS[4 + place]])
        code |= near << 4 * place | corner << 4 * place + 16 | far << 4 * place + 32
    return code


@kernel
def may_play(code: int, color: int) -> bool:
    """Whether ``color`` may play in the midst of a 3x3 code, ko apart: it is no suicide and fills no own eye."""
    safe, eye = False, True
    bad = 0
    for place in range(4):
        nibble = code >> 4 * place & 15
        occupant, liberties = nibble & 3, nibble >> 2
        if occupant == EMPTY:
            return True
        if occupant == WALL:
            bad = 1
        elif occupant == color:
            safe = safe or liberties > 1
        else:
            eye = False
            safe = safe or liberties == 1
    if not eye:
        return safe
    for place in range(4, 8):
        if code >> 4 * place & 3 == BLACK + WHITE - color:
            bad += 1
    return safe and bad >= 2


@kernel
def first_slot(slots: int, key: int) -> int:
    """Where a search for a key begins in a table of ``slots`` (a power of two) slots."""
    return ((key & 0xFFFFFFF) * 0x9E3779B1 + (key >> 28) * 0x85EBCA6B) >> 18 & slots - 1


@kernel
def find_slot(keys: NDArray[np.int64], key: int) -> int:
    """The slot of a key, or of the free slot where it would stand. ``keys: int64[2^n]``, NO_KEY where free."""
    slot = first_slot(keys.shape[0], key)
    while keys[slot] != key and keys[slot] != NO_KEY:
        slot = slot + 1 & keys.shape[0] - 1
    return slot


@kernel
def fill_slots(keys: NDArray[np.int64], entries: NDArray[np.int64], slots: NDArray[np.int64]) -> None:
    """Put ``entries: int64[n]`` into an empty table that is larger than n; ``slots: int64[n]`` gets where."""
    for i in range(entries.shape[0]):
        slots[i] = find_slot(keys, entries[i])
        keys[slots[i]] = entries[i]


@kernel
def write_least(codes: NDArray[np.int64], out: NDArray[np.int64]) -> None:
    """`least` of each: ``codes: int64[n]``, ``out: int64[n]``."""
    for i in range(codes.shape[0]):
        out[i] = least(codes[i])
