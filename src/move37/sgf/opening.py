"""How a game begins according to its record: who plays first, and which stones are a handicap.

White's bonus (by the ruleset) follows from the handicap stones. They are

- the black stones set up before the first move, two at least and without white ones, if ``HA`` says 2 or more (the
  stones count, not the number, where the two differ), or if ``HA`` is missing and White moves first;
- else, with nothing set up, the black moves that open the game if ``HA`` names just as many: they stay moves.

``HA`` with neither puts no stones on the board (SGF says that it does not) and gives no bonus. Two black moves in a row
without ``HA`` are moves and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, islice

from move37.rules.color import Color
from move37.sgf import lines
from move37.sgf.grammar import Node


@dataclass(frozen=True)
class Opening:
    """The beginning of one line: ``told`` is the number of ``HA`` or None, ``black_moves`` those before White's first.

    ``first`` is who moves first (None without moves); ``stones`` says whether any stone is set up before that.
    """

    told: int | None
    first: Color | None
    black_moves: int
    stones: bool

    @property
    def handicap_moves(self) -> int:
        """How many opening black moves are a handicap, 0 if none is."""
        return self.black_moves if self.told == self.black_moves >= 2 and not self.stones else 0

    def is_handicap(self, black: Sequence[int], white: Sequence[int], to_play: Color | None) -> bool:
        """Whether these stones, set up before the first move, are a handicap; ``to_play`` is what ``PL`` says."""
        if white or len(black) < 2:
            return False
        return (to_play or self.first) is Color.WHITE if self.told is None else self.told >= 2

    def fault(self, stones: int) -> str | None:
        """What is wrong with ``HA``, where so many handicap stones are on the board at the first move."""
        if self.told is None or self.told < 2 or self.told in (stones, self.handicap_moves):
            return None
        if stones:
            return f"HA[{self.told}] differs from the {stones} handicap stones set up; the stones count"
        what = "those set up are no handicap" if self.stones else "the record sets none up and none are placed"
        return f"HA[{self.told}] names handicap stones; {what}"


def opening_of(before: Sequence[Node], colors: Iterable[int]) -> Opening:
    """The beginning of a line from its nodes up to that of the first move, and the colours of all its moves."""
    told = next((number for number in map(lines.handicap_of, before) if number is not None), None)
    stones = any(lines.SETUP_CONTENTS.keys() & tree.properties.keys() for tree in before)
    first: Color | None = None
    blacks = 0
    for color in colors:
        first = first or Color(color)
        if color != Color.BLACK:
            break
        blacks += 1
    return Opening(told, first, blacks, stones)


def opening_to(goal: Node, rows: int, cols: int) -> Opening:
    """The beginning of the line to a node and on from there."""
    line = chain(lines.path_to(goal), islice(lines.main_line(goal), 1, None))
    before: list[Node] = []
    moves: list[tuple[Color, int]] = []
    while not moves and (tree := next(line, None)) is not None:
        before.append(tree)
        moves = lines.moves_of(tree, rows, cols)
    later = (move for tree in line for move in lines.moves_of(tree, rows, cols))
    return opening_of(before, (int(color) for color, _ in chain(moves, later)))
