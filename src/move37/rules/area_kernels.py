"""Area counting: who owns each point, by Tromp and Taylor's rule alone.

A point belongs to a colour that has a stone on it, or whose stones alone are reached from it over empty points.
Nothing is removed as dead and nothing is judged alive: that belongs to scoring, above this file.

Source: John Tromp and Bill Taylor, the Tromp-Taylor rules of Go, rule 9.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from move37._jit import kernel
from move37.rules.board_kernels import BLACK, CELLS, EMPTY, STRIDE, WALL, Board, cell_of, point_of


@kernel
def _flood_region(
    stones: NDArray[np.int8], seen: NDArray[np.bool_], region: NDArray[np.int16], start: int
) -> tuple[int, int]:
    """Collect the empty region around ``start`` into ``region``; return its size and the OR of colours it touches."""
    seen[start] = True
    region[0] = start
    count = 1
    done = 0
    touched = 0
    while done < count:
        cell = region[done]
        done += 1
        for direction in (-STRIDE, -1, 1, STRIDE):
            beside = cell + direction
            occupant = stones[beside]
            if occupant == WALL:
                continue
            if occupant != EMPTY:
                touched |= int(occupant)
            elif not seen[beside]:
                seen[beside] = True
                region[count] = beside
                count += 1
    return count, touched


@kernel
def area_owner(board: Board, out: NDArray[np.int8]) -> int:
    """Write ``out: int8[rows * cols]``: BLACK, WHITE or EMPTY (nobody's). Returns Black's points minus White's."""
    rows, cols = board["rows"], board["cols"]
    stones = board["stones"]
    seen = np.zeros(CELLS, np.bool_)
    region = np.empty(CELLS, np.int16)
    difference = 0
    for point in range(rows * cols):
        cell = cell_of(point, cols)
        occupant = stones[cell]
        if occupant != EMPTY:
            out[point] = occupant
            difference += 1 if occupant == BLACK else -1
        elif not seen[cell]:
            count, touched = _flood_region(stones, seen, region, cell)
            owner = EMPTY if touched == WALL else touched  # WALL = BLACK | WHITE: both colours reach it
            for i in range(count):
                out[point_of(region[i], cols)] = owner
            if owner != EMPTY:
                difference += count if owner == BLACK else -count
    return difference


@kernel
def area_score(board: Board) -> int:
    """Black's area minus White's on the board, without komi or bonus."""
    owner = np.empty(board["rows"] * board["cols"], np.int8)
    return area_owner(board, owner)
