"""Counts the legal positions of a small board by setting up every arrangement of stones on the compiled board.

Of arrangements that are one another's mirror images or differ by swapped colours only the one with the smallest number
is set up, and counted for all of them. Nothing is enumerated cleverly: 4x4 is the largest board this is meant for.
The definition (each chain has a liberty) and the counts are John Tromp and Gunnar Farnebäck's, Combinatorics of Go.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from move37._jit import kernel
from move37.rules.board_kernels import NO_POINT, Board
from move37.rules.setup_kernels import finish_setup, set_stone


def row_images(cols: int) -> NDArray[np.int64]:
    """`int64[4, 3**cols]`: for the ternary number of a row that of itself, mirrored, colours swapped, and both."""
    images = np.zeros((4, 3**cols), np.int64)
    for number in range(3**cols):
        digits = [number // 3**place % 3 for place in range(cols)]
        swapped = [-digit % 3 for digit in digits]
        for which, row in enumerate((digits, digits[::-1], swapped, swapped[::-1])):
            images[which, number] = sum(digit * 3**place for place, digit in enumerate(row))
    return images


@kernel
def orbit_if_smallest(number: int, rows: int, images: NDArray[np.int64]) -> int:
    """How many arrangements are equivalent to this one, or 0 if one of them has a smaller number."""
    base = images.shape[1]
    same = 0
    for which in range(4):
        upright = upside_down = 0
        rest, weight, top = number, 1, base ** (rows - 1)
        for _ in range(rows):
            row = images[which, rest % base]
            upright += row * weight
            upside_down += row * top
            rest //= base
            weight *= base
            top //= base
        if upright < number or upside_down < number:
            return 0
        same += (upright == number) + (upside_down == number)
    return 8 // same


@kernel
def count_legal(board: Board, images: NDArray[np.int64]) -> int:
    """The number of arrangements of stones, on an empty board of its size, in which every chain has a liberty."""
    rows, cols = board["rows"], board["cols"]
    total = 0
    for number in range(images.shape[1] ** rows):
        orbit = orbit_if_smallest(number, rows, images)
        if orbit == 0:
            continue
        rest = number
        for point in range(rows * cols):
            set_stone(board, point, rest % 3)
            rest //= 3
        if finish_setup(board) == NO_POINT:
            total += orbit
    return total
