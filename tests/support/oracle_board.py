"""A slow and obvious Go board: the oracle against which the compiled board is compared.

It keeps the stones as one flat list and finds every chain by flood fill, each time anew; superko compares whole
configurations, never hashes. It does not know komi, handicap or any scoring but the area count of the Tromp-Taylor
rules (https://tromp.github.io/go.html), from which its notion of a move (place, take the opponent's chains without
liberties, then one's own) comes too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

EMPTY, BLACK, WHITE = 0, 1, 2
SIMPLE, POSITIONAL, SITUATIONAL = 0, 1, 2
LEGAL, OCCUPIED, KO, SUPERKO, SUICIDE, OFF_BOARD = 0, 1, 2, 3, 4, 5
HISTORY_LENGTH = 8
NO_POINT = -1


def opponent(color: int) -> int:
    """The other colour (1 or 2)."""
    return 3 - color


@dataclass(frozen=True)
class Outcome:
    """What a stone does: the stones afterwards, the opponent's stones it takes, its own stones that vanish with it."""

    stones: tuple[int, ...]
    taken: frozenset[int]
    suicided: frozenset[int]


@dataclass(frozen=True)
class Snapshot:
    """One position of the game: its stones, who is to move, and the point a simple ko forbids (-1 for none)."""

    stones: tuple[int, ...]
    to_play: int
    ko_point: int


class OracleBoard:
    """A game of Go on a board of `rows` x `cols` points; points are numbered row by row from the top left."""

    def __init__(
        self,
        rows: int,
        cols: int,
        *,
        ko: int = SIMPLE,
        suicide: bool = False,
        stones: Sequence[int] | None = None,
        to_play: int = BLACK,
    ) -> None:
        """Start from `stones` (0, 1, 2 for each point; empty if absent), each chain of which must have a liberty."""
        self.rows, self.cols, self.ko, self.suicide = rows, cols, ko, suicide
        self.points = rows * cols
        self.pass_move = self.points
        self._neighbours = [tuple(self._find_neighbours(point)) for point in range(self.points)]
        self.stones = tuple(stones) if stones is not None else (EMPTY,) * self.points
        self.to_play = to_play
        self.ko_point = NO_POINT
        self.ko_color = EMPTY
        self.passes = 0
        self.prisoners = [0, 0, 0]
        self.moves: list[tuple[int, int]] = []
        self.snapshots = [Snapshot(self.stones, to_play, NO_POINT)]
        self._configurations = {self.stones}
        self._situations = {(self.stones, to_play)}
        self.ever_occupied = {point for point in range(self.points) if self.stones[point] != EMPTY}

    def _find_neighbours(self, point: int) -> Iterator[int]:
        row, col = divmod(point, self.cols)
        if row > 0:
            yield point - self.cols
        if row < self.rows - 1:
            yield point + self.cols
        if col > 0:
            yield point - 1
        if col < self.cols - 1:
            yield point + 1

    def neighbours(self, point: int) -> tuple[int, ...]:
        """The two to four points beside `point` (fewer on boards of one row or column)."""
        return self._neighbours[point]

    def connected(self, point: int, stones: Sequence[int]) -> frozenset[int]:
        """All points connected to `point` through points that hold the same (a colour, or nothing)."""
        found, waiting = {point}, [point]
        while waiting:
            for neighbour in self._neighbours[waiting.pop()]:
                if stones[neighbour] == stones[point] and neighbour not in found:
                    found.add(neighbour)
                    waiting.append(neighbour)
        return frozenset(found)

    def border(self, region: Iterable[int], stones: Sequence[int], content: int) -> frozenset[int]:
        """The points beside `region` that hold `content`; with EMPTY, the liberties of a chain."""
        return frozenset(n for point in region for n in self._neighbours[point] if stones[n] == content)

    def chain(self, point: int) -> frozenset[int]:
        """The stones of the chain at `point`."""
        return self.connected(point, self.stones)

    def liberties(self, point: int) -> frozenset[int]:
        """The liberties of the chain at `point`."""
        return self.border(self.chain(point), self.stones, EMPTY)

    def chains(self) -> list[frozenset[int]]:
        """All chains of both colours."""
        occupied = (point for point in range(self.points) if self.stones[point] != EMPTY)
        return list({self.chain(point) for point in occupied})

    def all_have_liberties(self) -> bool:
        """Whether the stones could stand: no chain without a liberty."""
        return all(self.border(chain, self.stones, EMPTY) for chain in self.chains())

    def outcome(self, point: int, color: int) -> Outcome:
        """What a stone of `color` on the empty `point` does, whether it is legal or not."""
        stones = list(self.stones)
        stones[point] = color
        taken: set[int] = set()
        for neighbour in self._neighbours[point]:
            if stones[neighbour] == opponent(color):
                chain = self.connected(neighbour, stones)
                if not self.border(chain, stones, EMPTY):
                    taken |= chain
        for captured in taken:
            stones[captured] = EMPTY
        own = self.connected(point, stones)
        suicided: frozenset[int] = frozenset() if self.border(own, stones, EMPTY) else own
        for lost in suicided:
            stones[lost] = EMPTY
        return Outcome(tuple(stones), frozenset(taken), suicided)

    def why_illegal(self, point: int, color: int) -> int:
        """0 if `color` may play `point`, else the first reason of: off board, occupied, ko, suicide, superko."""
        if not 0 <= point < self.points:
            return OFF_BOARD
        if self.stones[point] != EMPTY:
            return OCCUPIED
        if point == self.ko_point and color == self.ko_color:
            return KO
        outcome = self.outcome(point, color)
        if outcome.suicided and (len(outcome.suicided) == 1 or not self.suicide):
            return SUICIDE
        return SUPERKO if self.repeats(outcome.stones, opponent(color)) else LEGAL

    def superko_points(self, color: int) -> set[int]:
        """The empty points on which `color` would repeat a position by a stone that is no forbidden suicide."""
        found: set[int] = set()
        for point in range(self.points):
            if self.stones[point] == EMPTY:
                outcome = self.outcome(point, color)
                suicide_is_fine = not outcome.suicided or (self.suicide and len(outcome.suicided) > 1)
                if suicide_is_fine and self.repeats(outcome.stones, opponent(color)):
                    found.add(point)
        return found

    def repeats(self, stones: tuple[int, ...], to_play: int) -> bool:
        """Whether the superko rule of this game forbids to make `stones` with `to_play` to move."""
        if self.ko == POSITIONAL:
            return stones in self._configurations
        return self.ko == SITUATIONAL and (stones, to_play) in self._situations

    def is_legal(self, move: int, color: int) -> bool:
        """Whether `color` may play `move`, a point or pass."""
        return move == self.pass_move or self.why_illegal(move, color) == LEGAL

    def legal_points(self, color: int) -> list[int]:
        """All points `color` may play on."""
        return [point for point in range(self.points) if self.why_illegal(point, color) == LEGAL]

    def play(self, move: int, color: int) -> int:
        """Play a legal `move` (a point or pass); returns the stones taken, negative if lost by suicide."""
        self.ko_point, self.ko_color, taken = NO_POINT, EMPTY, 0
        if move == self.pass_move:
            self.passes += 1
        else:
            taken = self._place(move, color)
        self.to_play = opponent(color)
        self.moves.append((color, move))
        self.snapshots.append(Snapshot(self.stones, self.to_play, self.ko_point))
        self._configurations.add(self.stones)
        self._situations.add((self.stones, self.to_play))
        return taken

    def _place(self, point: int, color: int) -> int:
        outcome = self.outcome(point, color)
        self.passes = 0
        self.stones = outcome.stones
        self.prisoners[color] += len(outcome.taken)
        self.prisoners[opponent(color)] += len(outcome.suicided)
        self.ever_occupied.add(point)
        if len(outcome.taken) == 1 and len(self.chain(point)) == 1 and self.liberties(point) == outcome.taken:
            (self.ko_point,) = outcome.taken
            self.ko_color = opponent(color)
        return len(outcome.taken) - len(outcome.suicided)

    def recent(self) -> list[Snapshot]:
        """The last positions, at most eight, the current one first."""
        return self.snapshots[: -HISTORY_LENGTH - 1 : -1]

    def owners(self) -> list[int]:
        """Who owns each point by area: its stone's colour, or the only colour its empty region touches, else 0."""
        owners = list(self.stones)
        for point in range(self.points):
            if self.stones[point] == EMPTY:
                region = self.connected(point, self.stones)
                touching = [c for c in (BLACK, WHITE) if self.border(region, self.stones, c)]
                owners[point] = touching[0] if len(touching) == 1 else EMPTY
        return owners

    def area_score(self) -> int:
        """Black's area less White's, without komi."""
        owners = self.owners()
        return owners.count(BLACK) - owners.count(WHITE)
