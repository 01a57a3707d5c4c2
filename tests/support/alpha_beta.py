"""What perfect play is worth on very small boards: alpha-beta on bit boards, with its own rules of Go.

The rules are Tromp and Taylor's with positional superko and without suicide: area counts, two passes end the game. Only
lines of at most `depth` plies are followed; at their ends the worst is assumed for the side that wants to prove
something, so what is proved holds. There is no table of positions: superko makes a position's worth depend on its past.

Run as `python -m tests.support.alpha_beta 4 4 10` to report what is proved within a depth. Published: 3x3 Black +9,
4x4 Black +2 (positional superko, John Tromp).
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field

BLACK, WHITE = 0, 1
PASS = -1


@dataclass
class SmallBoard:
    """A game on rows x cols points; stones are one int a colour, bit `row * cols + col` set where one stands."""

    rows: int
    cols: int
    neighbours: list[int] = field(init=False)
    order: list[int] = field(init=False)
    visited: int = field(init=False, default=0)

    def __post_init__(self) -> None:
        points = range(self.rows * self.cols)
        self.neighbours = [sum(1 << q for q in points if self._beside(p, q)) for p in points]
        middle = ((self.rows - 1) / 2, (self.cols - 1) / 2)
        self.order = sorted(points, key=lambda p: abs(p // self.cols - middle[0]) + abs(p % self.cols - middle[1]))

    def _beside(self, p: int, q: int) -> bool:
        return abs(p // self.cols - q // self.cols) + abs(p % self.cols - q % self.cols) == 1

    def region(self, start: int, within: int) -> int:
        """All points of the mask `within` connected to the mask `start`."""
        found, edge = start, start
        while edge:
            bit = edge & -edge
            edge ^= bit
            fresh = self.neighbours[bit.bit_length() - 1] & within & ~found
            found |= fresh
            edge |= fresh
        return found

    def border(self, region: int) -> int:
        """All points beside a region or in it."""
        found = region
        while region:
            bit = region & -region
            region ^= bit
            found |= self.neighbours[bit.bit_length() - 1]
        return found

    def play(self, own: int, other: int, point: int) -> tuple[int, int] | None:
        """Both colours' stones after a move, None for suicide or an occupied point."""
        stone = 1 << point
        if (own | other) & stone:
            return None
        own |= stone
        near = self.neighbours[point] & other
        while near:
            chain = self.region(near & -near, other)
            near &= ~chain
            if not self.border(chain) & ~(own | other):
                other &= ~chain
        if not self.border(self.region(stone, own)) & ~(own | other):
            return None
        return own, other

    def area(self, own: int, other: int) -> int:
        """Own area less the other's."""
        total = own.bit_count() - other.bit_count()
        empty = ~(own | other) & ((1 << self.rows * self.cols) - 1)
        while empty:
            region = self.region(empty & -empty, empty)
            empty &= ~region
            around = self.border(region)
            total += region.bit_count() * (bool(around & own) - bool(around & other))
        return total

    def moves(self, own: int, other: int, seen: set[tuple[int, int]], black: bool) -> list[tuple[int, int, int]]:
        """Legal moves as (point, own, other), captures first, then from the middle outwards."""
        found: list[tuple[int, int, int]] = []
        for point in self.order:
            after = self.play(own, other, point)
            if after is not None and (after if black else after[::-1]) not in seen:
                found.append((point, *after))
        return sorted(found, key=lambda move: move[2].bit_count())


def can_reach(board: SmallBoard, target: int, depth: int, prover: int = BLACK) -> bool:
    """Whether the prover gets an area margin of at least `target` from the empty board, within `depth` plies."""
    return _worth(board, (0, 0), BLACK, 0, target, depth, prover, {(0, 0)}) >= target


def _worth(
    board: SmallBoard,
    stones: tuple[int, int],
    player: int,
    passes: int,
    target: int,
    depth: int,
    prover: int,
    seen: set[tuple[int, int]],
) -> int:
    """The prover's margin, cut to what decides `>= target` (alpha = target - 1, beta = target)."""
    board.visited += 1
    own, other = stones[player], stones[1 - player]
    if passes == 2:
        return board.area(stones[prover], stones[1 - prover])
    if depth == 0:
        return -board.rows * board.cols
    best = -1000 if player == prover else 1000

    def better(worth: int) -> int:
        return max(best, worth) if player == prover else min(best, worth)

    def decided() -> bool:
        return best >= target if player == prover else best < target

    # A pass is tried first where it ends the game, else last.
    if passes == 1:
        best = better(_worth(board, stones, 1 - player, 2, target, depth - 1, prover, seen))
    for _, after_own, after_other in [] if decided() else board.moves(own, other, seen, player == BLACK):
        after = (after_own, after_other) if player == BLACK else (after_other, after_own)
        seen.add(after)
        best = better(_worth(board, after, 1 - player, 0, target, depth - 1, prover, seen))
        seen.remove(after)
        if decided():
            return best
    if passes == 0 and not decided():
        best = better(_worth(board, stones, 1 - player, 1, target, depth - 1, prover, seen))
    return best


def report(rows: int, cols: int, deepest: int) -> None:
    """Print, depth by depth, the margins that Black is sure of and that White concedes at most."""
    points = rows * cols
    lower, upper = -points, points
    for depth in range(2, deepest + 1):
        while lower < points and can_reach(SmallBoard(rows, cols), lower + 1, depth):
            lower += 1
        while upper > lower and can_reach(SmallBoard(rows, cols), 1 - upper, depth, WHITE):
            upper -= 1
        print(f"{rows}x{cols}, {depth} plies: Black's margin is between {lower:+d} and {upper:+d}", flush=True)


if __name__ == "__main__":
    report(*(int(argument) for argument in sys.argv[1:4]))
