"""The test for an own eye, the obvious way: an oracle for `rules.eye_kernels`."""

from __future__ import annotations

from tests.support.oracle_board import OracleBoard


def slow_is_own_eye(oracle: OracleBoard, point: int, color: int) -> bool:
    """All neighbours are `color`; at most one corner is the enemy's, and none at the edge of the board."""
    if any(oracle.stones[neighbour] != color for neighbour in oracle.neighbours(point)):
        return False
    row, col = divmod(point, oracle.cols)
    corners = [(row + dy, col + dx) for dy in (-1, 1) for dx in (-1, 1)]
    inside = [(y, x) for y, x in corners if 0 <= y < oracle.rows and 0 <= x < oracle.cols]
    enemies = sum(oracle.stones[y * oracle.cols + x] == 3 - color for y, x in inside)
    return enemies <= (1 if len(inside) == 4 else 0)
