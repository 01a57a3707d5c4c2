"""Ladders read the obvious way: whole boards, flood fills, no shortcut. An oracle for the compiled reader.

Stones are a tuple of 0, 1, 2, row by row from the top left. The rules of the reading are KataGo's (section 4 of the
notes on its inputs): ataris only, kos never help the attacker but for one kind of double ko, a line that is too long
counts as captured. There is no limit of nodes, so boards must be small or quiet.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tests.support.slow_life import beside_any, connected, neighbours

EMPTY, BLACK, WHITE = 0, 1, 2
NO_POINT = -1
Stones = tuple[int, ...]


@dataclass(frozen=True)
class SlowLadders:
    """A reader for boards of one size."""

    rows: int
    cols: int

    # --------------------------------------------------------------------------------------------- the board

    def chain(self, stones: Stones, point: int) -> frozenset[int]:
        """The stones connected to a stone."""
        return connected(point, self.rows, self.cols, lambda at: stones[at] == stones[point])

    def liberties(self, stones: Stones, point: int) -> set[int]:
        """The liberties of the chain at a stone."""
        around = beside_any(self.chain(stones, point), self.rows, self.cols)
        return {at for at in around if stones[at] == EMPTY}

    def put(self, stones: Stones, point: int, color: int) -> tuple[Stones, int] | None:
        """The board after a move and the point a ko forbids then (NO_POINT for none); None if it is suicide."""
        board = list(stones)
        board[point] = color
        taken: set[int] = set()
        for beside in neighbours(point, self.rows, self.cols):
            if board[beside] == 3 - color and not self.liberties(tuple(board), beside):
                taken |= self.chain(tuple(board), beside)
        for at in taken:
            board[at] = EMPTY
        after = tuple(board)
        left = self.liberties(after, point)
        if not left:
            return None
        is_ko = len(taken) == 1 and left == taken and len(self.chain(after, point)) == 1
        return after, min(taken) if is_ko else NO_POINT

    def takes_a_ko(self, stones: Stones, point: int, color: int) -> bool:
        """Whether a move captures one stone, between enemy stones and walls alone: the shape of a ko."""
        beside = neighbours(point, self.rows, self.cols)
        in_atari = {at for at in beside if stones[at] == 3 - color and self.liberties(stones, at) == {point}}
        sizes = [len(self.chain(stones, at)) for at in in_atari]
        return all(stones[at] == 3 - color for at in beside) and sizes == [1]

    # --------------------------------------------------------------------------------------------- the reading

    def captures_beside(self, stones: Stones, target: int) -> set[int]:
        """The moves that take a chain in atari beside the target's."""
        color = stones[target]
        around = beside_any(self.chain(stones, target), self.rows, self.cols)
        enemies = [self.liberties(stones, at) for at in around if stones[at] == 3 - color]
        return {min(liberties) for liberties in enemies if len(liberties) == 1}

    def is_double_ko(self, stones: Stones, target: int) -> bool:
        """Whether both liberties are kos for the attacker which the defender cannot fill with profit."""
        color, liberties = stones[target], self.liberties(stones, target)
        for point in liberties:
            filled = self.put(stones, point, color)
            gains = filled is not None and len(self.liberties(filled[0], point)) > 2
            if gains or not self.takes_a_ko(stones, point, 3 - color):
                return False
        return not self.captures_beside(stones, target)

    def falls(self, stones: Stones, ko: int, target: int, defends: bool, depth: int = 0) -> bool:
        """Whether the chain at the target is captured, the defender or the attacker being to move."""
        if depth >= 3 * self.rows * self.cols // 2:
            return True
        liberties = self.liberties(stones, target)
        if defends and (len(liberties) > 1 or ko != NO_POINT):
            return False
        if not defends and len(liberties) != 2:
            return len(liberties) < 2
        if not defends and self.is_double_ko(stones, target):
            return True
        color = stones[target] if defends else 3 - stones[target]
        moves = liberties | self.captures_beside(stones, target) if defends else liberties
        results = (self._falls_after(stones, ko, target, move, color, depth) for move in sorted(moves))
        return all(results) if defends else any(results)

    def _falls_after(self, stones: Stones, ko: int, target: int, move: int, color: int, depth: int) -> bool:
        """As `falls`, after a move; one that is illegal has failed for the side that tries it."""
        defends = color == stones[target]
        after = None if move == ko else self.put(stones, move, color)
        if after is None:
            return defends
        return self.falls(*after, target, not defends, depth + 1)

    # --------------------------------------------------------------------------------------------- whole boards

    def attacks(self, stones: Stones, ko: int, target: int) -> set[int]:
        """The moves by which the attacker captures a chain of two liberties."""
        after = {at: self.put(stones, at, 3 - stones[target]) for at in self.liberties(stones, target) if at != ko}
        return {at for at, made in after.items() if made is not None and self.falls(made[0], NO_POINT, target, True)}

    def rescues(self, stones: Stones, ko: int, target: int) -> set[int]:
        """The moves of the chain's side, on its liberties or capturing beside it, that get it away."""
        found: set[int] = set()
        for move in (self.liberties(stones, target) | self.captures_beside(stones, target)) - {ko}:
            after = self.put(stones, move, stones[target])
            if after is not None and not self.falls(*after, target, False):
                found.add(move)
        return found

    def is_laddered(self, stones: Stones, ko: int, target: int) -> bool:
        """Whether the chain at a stone is caught."""
        count = len(self.liberties(stones, target))
        if count == 1:
            return self.falls(stones, NO_POINT, target, True)
        return count == 2 and bool(self.attacks(stones, ko, target))

    def breakers(self, stones: Stones, target: int) -> set[int]:
        """The empty points, but for the ladder's own moves, where one more stone of its side breaks the ladder."""
        own = self.liberties(stones, target) | self.captures_beside(stones, target)
        found: set[int] = set()
        for point in (at for at, stone in enumerate(stones) if stone == EMPTY and at not in own):
            after = self.put(stones, point, stones[target])
            if after is not None and not self.is_laddered(after[0], NO_POINT, target):
                found.add(point)
        return found

    def chains(self, stones: Stones) -> list[frozenset[int]]:
        """All chains."""
        return list({self.chain(stones, point) for point, stone in enumerate(stones) if stone != EMPTY})

    def laddered(self, stones: Stones, ko: int = NO_POINT) -> tuple[set[int], dict[int, set[int]]]:
        """The stones that are caught, and for each colour its moves that catch a chain of two liberties."""
        caught: set[int] = set()
        captures: dict[int, set[int]] = {BLACK: set(), WHITE: set()}
        for chain in self.chains(stones):
            target = min(chain)
            if self.is_laddered(stones, ko, target):
                caught |= chain
            if len(self.liberties(stones, target)) == 2:
                captures[3 - stones[target]] |= self.attacks(stones, ko, target)
        return caught, captures

    def escapes(self, stones: Stones, ko: int, color: int) -> set[int]:
        """The moves of a colour that get a chain of its own in atari away; `ko` as it binds that colour."""
        chains: Iterable[frozenset[int]] = self.chains(stones)
        in_atari = [min(c) for c in chains if stones[min(c)] == color and len(self.liberties(stones, min(c))) == 1]
        return {move for target in in_atari for move in self.rescues(stones, ko, target)}
