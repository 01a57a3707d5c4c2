"""Where this engine puts the stones of a free handicap: the fixed places first, then far from all stones.

The standard lets an engine choose (section 4.1.2) and place fewer than asked; more than a quarter of the board is
never placed.
"""

from __future__ import annotations

from move37.rules.handicap import fixed_handicap_points, largest_fixed_handicap


def free_handicap_points(stones: int, rows: int, cols: int) -> list[int]:
    """Choose up to `stones` points; fewer where the board is too small for so many."""
    wanted = min(stones, rows * cols // 4)
    fixed = min(wanted, largest_fixed_handicap(rows, cols))
    points = fixed_handicap_points(fixed, rows, cols) if fixed >= 2 else []
    while len(points) < wanted:
        points.append(_farthest(points, rows, cols))
    return points


def _farthest(points: list[int], rows: int, cols: int) -> int:
    """The empty point whose nearest stone or edge is farthest away, the more central the better."""

    def room(point: int) -> tuple[float, float]:
        row, col = divmod(point, cols)
        gaps = [abs(row - r) + abs(col - c) for r, c in (divmod(stone, cols) for stone in points)]
        edge = 2 * min(row + 1, col + 1, rows - row, cols - col)
        return min([*gaps, edge]), -abs(2 * row - rows + 1) - abs(2 * col - cols + 1)

    return max((point for point in range(rows * cols) if point not in points), key=room)
