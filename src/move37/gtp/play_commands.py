"""The commands that play, take back, and have a move chosen, with or without playing it.

A search is cut short, and the best move so far answered, when somebody wants to leave (`stops.UntilLeave`);
`kata-search_cancellable` gives up at any input. After a move of its own the engine may ponder.
"""

from __future__ import annotations

from typing import Final

from move37.errors import GtpError, IllegalMoveError
from move37.gtp.analyze_arguments import AnalyzeRequest
from move37.gtp.arguments import color_of, point_of
from move37.gtp.input import Input
from move37.gtp.protocol import Handler, Stream, StreamHandler
from move37.gtp.stops import UntilInput, UntilLeave
from move37.gtp.table import Table
from move37.players.player import Decision
from move37.rules.color import Color
from move37.rules.position import Position
from move37.search.limits import StopRequest
from move37.search.restriction import Restriction
from move37.search.root import Report

NO_MOVE: Final = "invalid color or coordinate"
CANCELLED: Final = "cancelled"


class PlayCommands:
    """Colours are taken as they come: two moves in a row, or moves after two passes, are played."""

    def __init__(self, table: Table) -> None:
        self._table = table

    def handlers(self) -> dict[str, Handler]:
        """The commands by name."""
        return {"play": self._play, "undo": self._undo}

    def stream_handlers(self) -> dict[str, StreamHandler]:
        """Those that think."""
        handlers: dict[str, StreamHandler] = {
            "genmove": self._genmove,
            "reg_genmove": self._search,
            "kgs-genmove_cleanup": self._genmove_cleanup,
        }
        if self._table.analyst is not None:
            handlers |= {"kata-search": self._search, "kata-search_cancellable": self._search_cancellable}
        return handlers

    def _play(self, words: list[str]) -> str:
        if len(words) < 2:
            raise GtpError(NO_MOVE)
        color = color_of(words[0], NO_MOVE)
        position = self._table.position
        point = point_of(position, words[1], NO_MOVE)
        try:
            position.play(point, color=color)
        except IllegalMoveError:
            raise GtpError("illegal move") from None
        self._table.may_ponder = False
        return ""

    def _undo(self, words: list[str]) -> str:
        if not self._table.position.moves:
            raise GtpError("cannot undo")
        self._table.position.undo()
        self._table.may_ponder = False
        return ""

    def _genmove(self, words: list[str], stream: Stream) -> str:
        color = _color(words)
        return play_choice(self._table, color, choose(self._table, color, stream.input))

    def _search(self, words: list[str], stream: Stream) -> str:
        """Choose and do not play."""
        color = _color(words)
        return vertex_of(self._table.position, choose(self._table, color, stream.input))

    def _search_cancellable(self, words: list[str], stream: Stream) -> str:
        color, stop = _color(words), UntilInput(stream.input)
        decision = choose(self._table, color, stream.input, stop=stop)
        return CANCELLED if stop.stopped else vertex_of(self._table.position, decision)

    def _genmove_cleanup(self, words: list[str], stream: Stream) -> str:
        """As `genmove`, but no pass while dead stones of the other side are on the board."""
        color = _color(words)
        decision = choose(self._table, color, stream.input)
        position = self._table.to_move(color)
        passing = position.rows * position.cols
        if decision.move == passing and _stands_dead(self._table, color) and self._table.analyst is not None:
            request = AnalyzeRequest(color, restrictions=(Restriction(int(color), (passing,)),))
            decision = choose(self._table, color, stream.input, request)
        return play_choice(self._table, color, decision)


def choose(
    table: Table,
    color: Color,
    source: Input,
    request: AnalyzeRequest | None = None,
    report: Report | None = None,
    stop: StopRequest | None = None,
) -> Decision:
    """Ask the player for a move of `color`, and remember its search; the game stays as it is.

    Only a player that searches can be told of a `request` and a `report`, or be stopped.
    """
    position, player, clock = table.to_move(color), table.analyst, table.clocks[color]
    if player is None:
        return table.player.choose(position, clock)
    asked = request or AnalyzeRequest(color)
    decision = player.choose(
        position,
        clock,
        stop=stop or UntilLeave(source, table.most_seconds),
        restrictions=asked.restrictions,
        report=report,
        every=asked.seconds,
        ownership=asked.owns,
    )
    if decision.tree is not None:
        table.think(decision.tree, position)
    return decision


def play_choice(table: Table, color: Color, decision: Decision) -> str:
    """Play what was chosen; its vertex, or `resign`."""
    if decision.resign or decision.move is None:
        return "resign"
    table.position.play(decision.move, color=color)
    table.may_ponder = True
    return table.position.vertex(decision.move)


def vertex_of(position: Position, decision: Decision) -> str:
    """The vertex chosen, or `resign`."""
    return "resign" if decision.resign or decision.move is None else position.vertex(decision.move)


def _color(words: list[str]) -> Color:
    return color_of(words[0] if words else "", "invalid color")


def _stands_dead(table: Table, color: Color) -> bool:
    """Whether stones of the other side are dead, as they are judged where rules let players agree on it."""
    position = table.position
    stones = position.stones.ravel()
    return any(stones[position.point(vertex)] == color.opponent for vertex in table.dead())
