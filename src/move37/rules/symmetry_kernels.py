"""Board records turned by a symmetry, as if the whole game had been played on the turned board.

Numbering of the symmetries as in `rules.symmetry`. Everything a record holds is turned, hashes included; only the
choice of a chain's root stone and the order of its circle may differ from those of a replayed game.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from move37._jit import kernel
from move37.rules.board_kernels import (
    BLACK,
    CELLS,
    HISTORY,
    WHITE,
    WORDS,
    ZOBRIST,
    ZOBRIST_SIDES,
    Board,
    BoardArray,
    cell_of,
    copy_board,
    set_bit,
)

_ZERO = np.uint64(0)
_ONE = np.uint64(1)


@kernel
def turned_point(symmetry: int, point: int, rows: int, cols: int) -> int:
    """Where a point goes; pass and NO_POINT stay."""
    if point < 0 or point >= rows * cols:
        return point
    row, col = point // cols, point % cols
    if symmetry & 1:
        row = rows - 1 - row
    if symmetry & 2:
        col = cols - 1 - col
    if symmetry & 4:
        row, col = col, row
    return row * cols + col


@kernel
def _turn_bits(
    source: NDArray[np.uint64],
    target: NDArray[np.uint64],
    images: NDArray[np.int16],
    numbers: NDArray[np.uint64],
) -> np.uint64:
    """Turn one bit board (uint64[6]); `images[p]` is where point p goes. Returns the xor of the `numbers` met there."""
    target[:] = _ZERO
    digest = _ZERO
    for word in range(WORDS):
        bits = source[word]
        point = 64 * word
        while bits != _ZERO:
            if bits & _ONE:
                image = int(images[point])
                set_bit(target, image)
                digest ^= numbers[image]
            bits >>= _ONE
            point += 1
    return digest


@kernel
def _turn_history(
    source: Board, target: Board, symmetry: int, images: NDArray[np.int16], numbers: NDArray[np.uint64]
) -> None:
    """Turn the eight configurations with their kos, moves and hashes; `numbers` (uint64[2, points]) are Zobrist's."""
    rows, cols = source["rows"], source["cols"]
    for t in range(HISTORY):
        target["last_moves"][t] = turned_point(symmetry, source["last_moves"][t], rows, cols)
        target["history_ko"][t] = turned_point(symmetry, source["history_ko"][t], rows, cols)
        if t >= source["history_length"]:
            continue
        digest = ZOBRIST_SIDES[0, rows] ^ ZOBRIST_SIDES[1, cols]
        for color in range(2):
            digest ^= _turn_bits(source["history"][t, color], target["history"][t, color], images, numbers[color])
        target["history_hash"][t] = digest


@kernel
def _turn_cells(source: Board, target: Board, images: NDArray[np.int16]) -> None:
    """Turn stones and chains; walls and cells outside the board are already copied."""
    points, cols = source["rows"] * source["cols"], source["cols"]
    cells = np.zeros(CELLS, np.int16)  # where each cell goes; 0, which stands for no stone, stays 0
    for point in range(points):
        cells[cell_of(point, cols)] = cell_of(images[point], cols)
    for point in range(points):
        before = cell_of(point, cols)
        after = cells[before]
        target["stones"][after] = source["stones"][before]
        target["root"][after] = cells[source["root"][before]]
        target["next_stone"][after] = cells[source["next_stone"][before]]
        target["size"][after] = source["size"][before]
        target["liberties"][after] = source["liberties"][before]


@kernel
def turn_board(source: Board, target: Board, symmetry: int) -> None:
    """Write what turning changes of `source` into `target`, which starts as a copy of it."""
    rows, cols = source["rows"], source["cols"]
    points = rows * cols
    images = np.empty(points, np.int16)
    numbers = np.empty((2, points), np.uint64)
    for point in range(points):
        images[point] = turned_point(symmetry, point, rows, cols)
        for color in (BLACK, WHITE):
            numbers[color - 1, point] = ZOBRIST[color, cell_of(point, cols)]
    target["ko_point"] = turned_point(symmetry, source["ko_point"], rows, cols)
    _turn_history(source, target, symmetry, images, numbers)
    target["stones_hash"] = target["history_hash"][0]
    for color in range(2):
        _turn_bits(source["encore_stones"][color], target["encore_stones"][color], images, numbers[color])
    _turn_bits(source["ever_occupied"], target["ever_occupied"], images, numbers[0])
    _turn_bits(source["superko_banned"], target["superko_banned"], images, numbers[0])
    _turn_bits(source["ko_recapture_blocked"], target["ko_recapture_blocked"], images, numbers[0])
    _turn_cells(source, target, images)


@kernel
def turn_boards(sources: BoardArray, symmetries: NDArray[np.int8], targets: BoardArray) -> None:
    """Write each of `sources` (BOARD[B]) turned by its entry of `symmetries` (int8[B]) into `targets` (BOARD[B])."""
    for i in range(sources.shape[0]):
        copy_board(targets, i, sources, i)
        if symmetries[i] != 0:
            turn_board(sources[i], targets[i], symmetries[i])
