"""The main line of a record as turns: who moved where, in which node, and the position before.

An illegal move is followed as well as it can be (`sgf.replay`, *keep*), so that a game with a slip of the pen, or by
rules that the record does not name, is reviewed to its end.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from move37.players.player import with_to_play
from move37.rules.color import Color
from move37.rules.position import Position
from move37.rules.ruleset import Ruleset
from move37.sgf import lines
from move37.sgf.game_record import GameRecord
from move37.sgf.node import GameNode

__all__ = ["Line", "Turn", "main_line_of"]


@dataclass(frozen=True)
class Turn:
    """A move as the record has it, and its node."""

    color: Color
    move: int
    node: GameNode


@dataclass(frozen=True)
class Line:
    """The n turns of a main line and the n + 1 positions around them, in each of which its mover is to play."""

    turns: tuple[Turn, ...]
    positions: tuple[Position, ...]

    @property
    def played(self) -> int:
        """Turns before the closing passes, by which players agree that the game is over; they are not judged."""
        passing = self.positions[0].rows * self.positions[0].cols
        count = len(self.turns)
        while count and self.turns[count - 1].move == passing:
            count -= 1
        return count

    def is_plain(self, number: int) -> bool:
        """Whether position `number` (from 1) is the one before it with the turn played, and then the other's turn.

        It is not where the record sets up stones in between, takes a stone out of a move's way, or leaves a turn out.
        """
        before, after, turn = self.positions[number - 1], self.positions[number], self.turns[number - 1]
        grown = len(after.moves) == len(before.moves) + 1 and after.moves[-1] == (turn.color, turn.move)
        return grown and after.to_play is turn.color.opponent

    def node(self, number: int, record: GameRecord) -> GameNode | None:
        """The node whose board is position `number`, None where the record has none for it alone."""
        if number == len(self.turns):
            return record.end
        node = self.turns[number].node
        inside = number > 0 and self.turns[number - 1].node == node
        return None if inside else node.parent


def main_line_of(
    record: GameRecord, rules: str | Ruleset | Mapping[str, Any] | None = None, komi: float | None = None
) -> Line:
    """The main line of a record, by its own rules and komi unless others are named; `SgfError` if it has no board."""
    turns = tuple(
        Turn(color, point, node)
        for node in record.main_line()
        for color, point in lines.moves_of(node.tree, record.rows, record.cols)
        if point != lines.UNREADABLE
    )
    positions = tuple(record.positions(illegal="keep", rules=rules, komi=komi))
    movers = [turn.color for turn in turns] + [positions[-1].to_play]
    return Line(turns, tuple(map(with_to_play, positions, movers)))
