"""The one test for an own eye that needs no reading: the surroundings of an empty point.

Playouts, players and feature planes use it. It knows nothing of life and death: an eye of this kind may be lost, and
larger eyes are none. Source: the usual playout rule of Monte Carlo Go.
"""

from __future__ import annotations

from move37._jit import kernel
from move37.rules.board_kernels import STRIDE, WALL, Board


@kernel
def is_own_eye(board: Board, cell: int, color: int) -> bool:
    """Whether an empty cell is surrounded by ``color`` and too few of its corners are the enemy's to make it false.

    One enemy stone at a corner makes a false eye at the board's edge; elsewhere it takes two.
    """
    stones = board["stones"]
    walls = 0
    for direction in (-STRIDE, -1, 1, STRIDE):
        occupant = stones[cell + direction]
        if occupant == WALL:
            walls = 1
        elif occupant != color:
            return False
    enemy = 3 - color
    bad = walls
    for direction in (-STRIDE - 1, -STRIDE + 1, STRIDE - 1, STRIDE + 1):
        if stones[cell + direction] == enemy:
            bad += 1
    return bad < 2
