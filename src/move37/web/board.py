"""One board of the page: a record with its variations, the node that is shown, who plays, and how it ends.

It knows no browser, no engine at work and no threads; whoever owns it calls it from one place at a time. Rules, records
and counting are those of the package; an operation that cannot be raises a `Move37Error` and changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal

from move37.errors import RulesError
from move37.players.game_clocks import GameClocks
from move37.rules.color import Color
from move37.rules.position import Position
from move37.rules.result import Result
from move37.rules.ruleset import RULESETS
from move37.search.clock import TimeSystem
from move37.sgf import lines
from move37.sgf.game_record import GameRecord
from move37.sgf.node import GameNode
from move37.sgf.tree import Node
from move37.web.engines import Choice
from move37.web.limits import Limits
from move37.web.nodes import Known, Nodes
from move37.web.requests import RequestError

__all__ = ["Board", "Setting"]


_UNTIMED: Final = TimeSystem()


@dataclass(frozen=True)
class Setting:
    """How a game begins. seats: the engine of each colour; None: a person."""

    rows: int = 19
    cols: int = 19
    rules: str = "chinese"
    komi: float = 7.0
    handicap: int = 0
    black: Choice | None = None
    white: Choice | None = None
    clock: TimeSystem = _UNTIMED

    def record(self) -> GameRecord:
        """The record before the first move; `RulesError` or `SetupError` for what cannot be."""
        position = Position(rows=self.rows, cols=self.cols, rules=RULESETS[self.rules], komi=self.komi)
        if self.handicap:
            position.place_handicap(self.handicap)
        names = {"black": self.black, "white": self.white}
        return GameRecord.from_position(
            position, **{f"{color}_name": choice.player for color, choice in names.items() if choice is not None}
        )


class Board:
    """A record on the board, at its root to begin with. `SgfError` for one that cannot be replayed."""

    def __init__(self, record: GameRecord, limits: Limits, setting: Setting | None = None) -> None:
        self.record = record
        self.nodes = Nodes(record.root.tree, record.rows, record.cols, limits)
        setting = setting or Setting()
        self.seats = {Color.BLACK: setting.black, Color.WHITE: setting.white}
        self.system = setting.clock
        self.clocks = None if self.system.kind == "none" else GameClocks(self.system)
        self.thinking: Color | None = None
        self.dead: frozenset[int] | None = None
        self._ending: tuple[Node, Result] | None = None
        self.node, self.position = record.root.tree, self._replayed(record.root.tree)

    # ------------------------------------------------------------------------------------------------ what is

    @property
    def id(self) -> int:
        """The number of the node that is shown."""
        return self.nodes[self.node].id

    @property
    def view(self) -> GameNode:
        """The node that is shown, for reading and editing."""
        return GameNode(self.node, self.record.rows, self.record.cols)

    @property
    def is_game(self) -> bool:
        """Whether an engine has a seat."""
        return any(seat is not None for seat in self.seats.values())

    @property
    def ended(self) -> Result | None:
        """The result by which the game ended at this node, by resignation, time or agreement."""
        return self._ending[1] if self._ending is not None and self._ending[0] is self.node else None

    @property
    def is_over(self) -> bool:
        """Whether nobody is to move here."""
        return self.ended is not None or self.position.is_over

    @property
    def awaited(self) -> Choice | None:
        """The engine whose turn it is."""
        return None if self.is_over else self.seats[self.position.to_play]

    @property
    def may_change_dead(self) -> bool:
        """Whether the players may say which stones are dead."""
        return self.position.rules.agrees_on_dead and self.position.phase == 0 and not self.position.is_no_result

    # ------------------------------------------------------------------------------------------------ moving

    def play(self, point: int) -> list[Known]:
        """Play for who is to move; the nodes that are new or changed. IllegalMoveError, RequestError."""
        if self.ended is not None:
            raise RequestError("the game is over: take back a move, or begin another")
        color = self.position.to_play
        position = self.position.copy()
        position.play(point)
        following = self._following(color, point)
        changed: list[Known] = []
        if following is None:
            self.nodes.require_room(self.node)
            following = self.view.add_variation(point, color).tree
            changed = [self.nodes[self.node], *self.nodes.add(following)]
        elif lines.setup_of(following, self.record.rows, self.record.cols) is not None:
            position = self._replayed(following)
        self._show(following, position)
        return changed

    def _following(self, color: Color, point: int) -> Node | None:
        """The variation that begins with a move."""
        rows, cols = self.record.rows, self.record.cols
        found = (child for child in self.node.children if lines.moves_of(child, rows, cols) == [(color, point)])
        return next(found, None)

    def go(self, known: Known) -> None:
        """Show another node."""
        self._show(known.node, self._replayed(known.node))

    def undo(self) -> bool:
        """Take the last move back, in a game against an engine up to the person's turn; whether nodes are gone."""
        if self.node.parent is None:
            raise RequestError("there is no move to take back")
        cut = self._step_back()
        if self.seats[self.position.to_play] is not None and None in self.seats.values():
            cut = self._step_back() or cut
        return cut

    def _step_back(self) -> bool:
        """Show the node before, if there is one; whether the last one is gone, as nothing followed it."""
        left, before = self.node, self.node.parent
        if before is None:
            return False
        self.go(self.nodes[before])
        if left.children:
            return False
        self._cut(left)
        return True

    def delete(self, known: Known) -> None:
        """Take a node off with all below it; `SgfError` at the root."""
        if known.node in lines.path_to(self.node) and known.node.parent is not None:
            self.go(self.nodes[known.node.parent])
        self._cut(known.node)

    def _cut(self, node: Node) -> None:
        GameNode(node, self.record.rows, self.record.cols).delete()
        self.nodes.forget(node)
        if self._ending is not None and not self._holds(self._ending[0]):
            self._open()

    def _holds(self, node: Node) -> bool:
        return lines.path_to(node)[0] is self.record.root.tree

    def promote(self, known: Known) -> None:
        """Make the line to a node the main line."""
        GameNode(known.node, self.record.rows, self.record.cols).promote()

    def _show(self, node: Node, position: Position) -> None:
        self.node, self.position, self.dead = node, position, None

    def _replayed(self, node: Node) -> Position:
        """The position at a node. Real records hold moves that a rule forbids; they are followed."""
        return self.record.position(GameNode(node, self.record.rows, self.record.cols), illegal="keep")

    # ------------------------------------------------------------------------------------------------ editing

    def set_up(self, stones: dict[str, list[int]], to_play: Color | None) -> list[Known]:
        """Change stones (by AB, AW, AE) and who is to play; nodes new or changed. `SetupError` for what cannot be."""
        trial = self.position.copy()
        trial.edit(stones["AB"], stones["AW"], to_play, empty=stones["AE"])
        changed: list[Known] = []
        rows, cols = self.record.rows, self.record.cols
        node = self.node
        if node.children or (node.parent is not None and lines.setup_of(node, rows, cols) is None):
            self.nodes.require_room(node)
            node = self.view.add_variation().tree
            changed = [self.nodes[self.node], *self.nodes.add(node)]
        _merge(GameNode(node, rows, cols), stones, to_play)
        self._show(node, self._replayed(node))
        return changed or [self.nodes[node]]

    # ------------------------------------------------------------------------------------------------ the end

    def end(self, loser: Color, how: Literal["resignation", "time"]) -> None:
        """Somebody gave up or ran out of time; `RequestError` where the game is over."""
        if self.is_over:
            raise RequestError("the game is over")
        self._close(Result(loser.opponent, None, how))

    def agree(self) -> None:
        """Take the count with the stones that were last called dead as the result."""
        if not self.position.is_over:
            raise RequestError("the game is not over: pass twice, then count")
        self._close(self.position.result([self.position.vertex(point) for point in self.dead or ()]))

    def _close(self, result: Result) -> None:
        self._ending = self.node, result
        self.record.result = result

    def _open(self) -> None:
        """The end was taken back."""
        self._ending = None
        self.record.result = ""

    def toggle_dead(self, point: int) -> None:
        """Call the chain at a point dead, or alive; `RulesError` where the rules know no such agreement."""
        if not self.may_change_dead:
            raise RulesError("under these rules every stone on the board counts: capture what is dead")
        chain = frozenset(self.position.chain(point).points)
        dead = self.dead or frozenset()
        self.dead = dead - chain if chain <= dead else dead | chain


def _merge(node: GameNode, stones: dict[str, list[int]], to_play: Color | None) -> None:
    """Write setup into a node that may have some: a point is named in one list, the last mention counts."""
    named = {point for points in stones.values() for point in points}
    for name, points in stones.items():
        node.set(name, *_without(node.points(name), named), *points)
    if to_play is not None:
        node.set("PL", to_play.letter)


def _without(points: Iterable[int], named: set[int]) -> list[int]:
    return [point for point in points if point not in named]
