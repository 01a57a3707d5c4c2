"""The record of a game: who played, by which rules, all variations, and the positions they lead to.

`files` reads and writes records, `GameRecord.from_position` makes one of a game played here. What was read stays as it
was until it is set: properties that nobody knows, their order, their values. Reading and editing need no compiled code;
positions do.

Komi and rules of positions are those of the record (``KM``, ``RU``) unless the caller names others. Where the record
says nothing that is known they are 0 and `DEFAULT_RULES`, which forbid little that records hold.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final, SupportsIndex

from move37.errors import SgfError
from move37.rules.color import Color
from move37.sgf import lines, write
from move37.sgf.game_info import GameInfo, faults_of, size_of
from move37.sgf.grammar import Collection, Node, SgfWarning, parse
from move37.sgf.main_line import MainLine, Replayed, main_line_of, replay_main_line
from move37.sgf.node import GameNode
from move37.sgf.replay import IllegalPolicy, Replay

if TYPE_CHECKING:
    from move37.rules.position import Position
    from move37.rules.ruleset import Ruleset

    Rules = str | Ruleset | Mapping[str, Any]

__all__ = ["DEFAULT_RULES", "GameRecord"]

DEFAULT_RULES: Final = "chinese"
"""The rules where a record names none that are known: simple ko, no suicide, area scoring."""


_MOST_MOVES_NAMED: Final = 10


class GameRecord(GameInfo):
    """A game with its variations. ``root`` is its first node, ``rows`` and ``cols`` its board (1 to 52 each).

    A new record is empty. ``warnings`` lists what was mended or left out, when it was read and each time it is
    replayed; ``encoding`` names the encoding of the file it came from.

    >>> record = GameRecord(9)
    >>> record.black_name, record.komi = "Shusaku", 6.5
    >>> node = record.append("E5").add_variation("C3")
    >>> record.moves(), record.position().move_number
    ([(<Color.BLACK: 1>, 40), (<Color.WHITE: 2>, 56)], 2)
    """

    def __init__(self, size: int = 19, *, rows: int | None = None, cols: int | None = None) -> None:
        height, width = (size if side is None else side for side in (rows, cols))
        self._adopt(write.new_root(height, width), Collection([], [], "utf-8", ""), 0)

    @classmethod
    def from_text(cls, text: str) -> GameRecord:
        """The first game of a text in SGF; `SgfError` if there is none.

        >>> GameRecord.from_text("(;SZ[9]PB[Shusaku];B[ee])").black_name
        'Shusaku'
        """
        return cls.from_collection(parse(text))[0]

    @classmethod
    def from_collection(cls, collection: Collection) -> list[GameRecord]:
        """The records of all games of a file."""
        records: list[GameRecord] = []
        for number, root in enumerate(collection.games):
            record = object.__new__(cls)
            record._adopt(root, collection, number)
            for fault in faults_of(record):
                record.warn(fault, root)
            record._moves_unchecked = record.is_go
            records.append(record)
        return records

    @classmethod
    def from_position(cls, position: Position, **info: str) -> GameRecord:
        """The record of a game played here: setup, handicap, moves, komi, rules; see `write.record_position`."""
        record = cls(rows=position.rows, cols=position.cols)
        write.record_position(record, position, info)
        return record

    def _adopt(self, root: Node, collection: Collection, number: int) -> None:
        self._collection = collection
        self._number = number
        self.encoding = collection.encoding
        self._warnings = [warning for warning in collection.warnings if warning.game == number]
        self._moves_unchecked = False
        try:
            self.rows, self.cols = size_of(root)
        except SgfError:
            self.rows = self.cols = 19
        self.root = GameNode(root, self.rows, self.cols)

    def __repr__(self) -> str:
        return f"<GameRecord {self.rows}x{self.cols} {self.black_name!r} against {self.white_name!r}>"

    # ------------------------------------------------------------------------------------------------ the tree

    def main_line(self) -> Iterator[GameNode]:
        """All nodes of the main line, the root first."""
        return self.root.main_line()

    @property
    def end(self) -> GameNode:
        """The last node of the main line."""
        *_, last = lines.main_line(self.root.tree)
        return GameNode(last, self.rows, self.cols)

    def append(self, move: str | int, color: Color | str | None = None) -> GameNode:
        """Add a move (vertex or point) at the end of the main line and return its node; legality is not looked at."""
        return self.end.add_variation(move, color)

    def moves(self) -> list[tuple[Color, int]]:
        """The moves of the main line as (colour, point), pass as rows · cols; values that name no point left out."""
        trees = lines.main_line(self.root.tree)
        found = (move for tree in trees for move in lines.moves_of(tree, self.rows, self.cols))
        return [move for move in found if move[1] != lines.UNREADABLE]

    def line(self) -> MainLine:
        """The main line as plain numbers, up to what these cannot say: for stores and fast replays."""
        return main_line_of(self.root.tree, self.rows, self.cols)

    # ------------------------------------------------------------------------------------------------ positions

    def positions(
        self,
        node: GameNode | None = None,
        *,
        illegal: IllegalPolicy = "stop",
        rules: Rules | None = None,
        komi: float | None = None,
    ) -> Iterator[Position]:
        """The positions of the line to a node (by default of the main line), with their history.

        The first is that before the first move, with all that is set up; then one after each move, the one from which
        the next move is played. For ``illegal`` see `replay`; what was met is added to ``warnings``. Raises `SgfError`
        for another game than Go and for a board larger than 19×19.
        """
        return self._replay(node, illegal, rules, komi).positions()

    def position(
        self,
        at: GameNode | SupportsIndex | None = None,
        *,
        illegal: IllegalPolicy = "stop",
        rules: Rules | None = None,
        komi: float | None = None,
    ) -> Position:
        """The position at a node, after so many moves of the main line, or at its end; settings as of `positions`.

        `SgfError` if the main line cannot be followed for so many moves, or the node is of another record.
        """
        number = None if at is None or isinstance(at, GameNode) else operator.index(at)
        replay = self._replay(at if isinstance(at, GameNode) else None, illegal, rules, komi)
        position = replay.finish(number)
        if number is not None and position.move_number != number:
            reached = lines.counted(position.move_number, "move")
            raise SgfError(f"There is no move {number}: the record can be followed for {reached}.")
        return position

    def replay(self, *, rules: Rules | None = None, komi: float | None = None) -> Replayed:
        """The board record at the end of the main line and how many moves were legal: `positions` without history.

        Thousands of games a second. Superko is not looked at.
        """
        chosen, points = self._settings(rules, komi)
        return replay_main_line(self.line(), chosen, points)

    def _replay(self, node: GameNode | None, illegal: IllegalPolicy, rules: Rules | None, komi: float | None) -> Replay:
        from move37.rules.position import Position

        if node is not None and node.path()[0] != self.root:
            raise SgfError("The node is not in this record: it was deleted, or belongs to another one.")
        chosen, points = self._settings(rules, komi)
        start = Position(rows=self.rows, cols=self.cols, rules=chosen, komi=points)
        return Replay((node or self.end).tree, start, illegal, self)

    def _settings(self, rules: Rules | None, komi: float | None) -> tuple[Ruleset, float]:
        """Rules and komi of a replay; `SgfError` if there cannot be one."""
        from move37.rules.ruleset import ruleset

        if not self.is_go:
            raise SgfError(f"This is not a game of Go but GM[{self.get('GM')}]: it can be read, not replayed.")
        if max(self.rows, self.cols) > 19:
            raise SgfError(f"A {self.rows}x{self.cols} board can be read, not replayed: positions go up to 19x19.")
        chosen = (self.rules or ruleset(DEFAULT_RULES)) if rules is None else ruleset(rules)
        return chosen, (self.komi or 0.0) if komi is None else komi

    # ------------------------------------------------------------------------------------------------ warnings

    @property
    def warnings(self) -> list[SgfWarning]:
        """What was mended or left out, in one sentence each; the moves are looked through when first asked."""
        if self._moves_unchecked:  # not at once: most readers of many games never ask
            self._moves_unchecked = False
            self._warn_of_unreadable_moves()
        return self._warnings

    def warn(self, message: str, tree: Node) -> None:
        """Add a warning about a node, once; one that says the same and more takes the place of the earlier one."""
        warning = SgfWarning(self.line_of(tree), message, self._number)
        if warning not in self.warnings:
            less = [one for one in self.warnings if one.line == warning.line and message.startswith(f"{one.message};")]
            for one in less:
                self.warnings.remove(one)
            self.warnings.append(warning)

    def _warn_of_unreadable_moves(self) -> None:
        """Warn of the moves that name no point, in all variations: of the first few, and how many more there are."""
        found = list(lines.unreadable_moves(self.root.tree, self.rows, self.cols))
        for tree, fault in found[:_MOST_MOVES_NAMED]:
            self.warn(fault, tree)
        if later := found[_MOST_MOVES_NAMED:]:
            more = lines.counted(len(later), "more move")
            self.warn(f"{more} without a point of the board, the first one here", later[0][0])

    def line_of(self, tree: Node) -> int:
        """The line of the file in which a node starts, from 1; for a node that was not read that of one before it."""
        while tree.offset < 0 and tree.parent is not None:
            tree = tree.parent
        return self._collection.line(tree.offset)

    # ------------------------------------------------------------------------------------------------ writing

    def to_sgf(self) -> str:
        """The record as SGF text, ``CA`` telling that it will be UTF-8."""
        return write.to_sgf([self.root.tree])
