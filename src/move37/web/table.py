"""A board with its engines: what a request of the page does, and what is told in answer.

A table is used from one place at a time (`page`). Engines work in other threads (`workshop`); what they find comes back
through `Link.post`, as a call in that same place, and is dropped where it is no longer wanted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Final

from move37.players.player import Clock, Decision
from move37.rules.color import Color
from move37.web.board import Board
from move37.web.counting import Counting
from move37.web.engines import Choice
from move37.web.growing import Growing
from move37.web.link import Link
from move37.web.looking import Looking, Wish
from move37.web.nodes import Known
from move37.web.opening import loaded, new_game
from move37.web.requests import Message, RequestError
from move37.web.reviewing import Reviewing
from move37.web.showing import Showing
from move37.web.thinking import Thinking
from move37.web.told import position_told, tree_told

__all__ = ["REQUESTS", "Table"]

_LATE: Final = 0.05
"""Seconds after which a time is over that nobody stopped."""
_ENVELOPE: Final = ("type", "board", "id")
REQUESTS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "new": ("settings",),
        "load": ("text", "base64", "at"),
        "play": ("point",),
        "resign": ("color",),
        "undo": (),
        "go": ("node",),
        "delete": ("node",),
        "promote": ("node",),
        "setup": ("black", "white", "empty", "to_play"),
        "comment": ("text",),
        "move": ("engine",),
        "hint": ("engine",),
        "score": (),
        "dead": ("point",),
        "agree": (),
        "sgf": (),
        "analyse": ("engines", "ownership", "policy"),
        "review": ("engine",),
        "stop": (),
        "picture": ("name", "options"),
        "search": ("visits", "rule", "net", "seed", "most"),
        "show": (),
    }
)
"""What a page may ask for, each done by the method of its name, and the fields of each."""


class Table:
    """A board of the page; it has none before the first `new` or `load`."""

    def __init__(self, link: Link) -> None:
        self._link = link
        self._board: Board | None = None
        self._turn = 0
        self._thinking = Thinking(link)
        self._looking = Looking(link)
        self._counting = Counting(link)
        self._reviewing = Reviewing(link)
        self._showing = Showing(link)
        self._growing = Growing(link)

    def handle(self, message: Message, id: int | None) -> None:
        """Do what a message asks for; a `Move37Error` where it cannot be, and then nothing is changed."""
        kind = message.type
        if kind not in REQUESTS:
            raise RequestError(f"there is no request {kind!r}; there are {', '.join(REQUESTS)} and close")
        message.only(*_ENVELOPE, *REQUESTS[kind])
        request: Callable[[Message, int | None], None] = getattr(self, kind)
        request(message, id)

    def close(self, *, keep: bool = False) -> None:
        """Stop all work, give the players back, and keep the board a while, in case the page comes again."""
        self._turn += 1
        thinking = None if self._board is None else self._board.thinking
        self._halt()
        self._looking.stop()
        self._thinking.leave()
        if keep and self._board is not None:
            self._board.thinking = thinking
            self._link.workshop.boards.put(self._link.name, self._board)

    @property
    def board(self) -> Board:
        """The board; `RequestError` before there is one."""
        if self._board is None:
            raise RequestError("this board is empty: begin with new or load")
        return self._board

    # ------------------------------------------------------------------------------------------------ beginning

    def new(self, message: Message, id: int | None) -> None:
        """Begin a game."""
        limits, engines = self._link.workshop.limits, self._link.workshop.engines
        self._begin(new_game(message.part("settings"), limits, engines), id)

    def load(self, message: Message, id: int | None) -> None:
        """Put a record on the board."""
        self._begin(loaded(message, self._link.workshop.limits), id)

    def show(self, message: Message, id: int | None) -> None:
        """Tell all of the board, taking it up again where another page left it."""
        board = self._board or self._link.workshop.boards.take(self._link.name)
        if board is None:
            raise RequestError("there is no such board any more: begin with new or load")
        taken, self._board = self._board is None, board
        self._link.tell(tree_told(board, board.nodes.all(), whole=True), id)
        if taken and board.thinking is not None:
            board.thinking = None
            self._shown(id)
        else:
            self._watch_clock()
            self._tell_position(id)

    def _begin(self, board: Board, id: int | None) -> None:
        self._halt()
        self._thinking.leave()
        self._board = board
        self._looking.stale.clear()
        self._link.tell(tree_told(board, board.nodes.all(), whole=True), id)
        self._shown(id)

    # ------------------------------------------------------------------------------------------------ moving

    def play(self, message: Message, id: int | None) -> None:
        """A person's move."""
        board = self.board
        point = message.whole("point", 0, board.record.rows * board.record.cols)
        if board.thinking is not None:
            raise RequestError(f"{board.thinking.title} is thinking: wait, or send stop")
        self._played(point, id)

    def _played(self, point: int, id: int | None = None) -> None:
        """A move, by a person or an engine."""
        board, color = self.board, self.board.position.to_play
        changed = board.play(point)
        if board.clocks is not None and not board.clocks.end(color) and not board.is_over:
            board.end(color, "time")
        self._tell_tree(changed)
        self._shown(id)
        if board.position.is_over and board.ended is None:
            self._counting.propose(board)

    def resign(self, message: Message, id: int | None) -> None:
        """Somebody gives up."""
        board = self.board
        board.end(message.color("color", board.position.to_play), "resignation")
        self._halt()
        self._shown(id)

    def undo(self, message: Message, id: int | None) -> None:
        """Take the last move back, or the last two."""
        self._halt()
        cut = self.board.undo()
        self._browsed(cut, id)

    def go(self, message: Message, id: int | None) -> None:
        """Show another node."""
        known = self._node(message)
        self._halt()
        self.board.go(known)
        self._browsed(False, id)

    def delete(self, message: Message, id: int | None) -> None:
        """Take a node off."""
        known = self._node(message)
        self._halt()
        self.board.delete(known)
        self._browsed(True, id)

    def promote(self, message: Message, id: int | None) -> None:
        """Make a line the main line."""
        self.board.promote(self._node(message))
        self._browsed(True, id)

    def setup(self, message: Message, id: int | None) -> None:
        """Change stones."""
        board = self.board
        points = board.record.rows * board.record.cols
        lists = {name: message.wholes(name, 0, points - 1, points) for name in ("black", "white", "empty")}
        to_play = message.color("to_play") if message.has("to_play") else None
        stones = {"AB": lists["black"], "AW": lists["white"], "AE": lists["empty"]}
        self._halt()
        self._tell_tree(board.set_up(stones, to_play))
        self._browsed(False, id)

    def comment(self, message: Message, id: int | None) -> None:
        """Write the comment of the node."""
        board = self.board
        board.view.comment = message.text("text", self._link.workshop.limits.comment)
        self._tell_tree([board.nodes[board.node]])
        self._tell_position(id)

    def _node(self, message: Message) -> Known:
        return self.board.nodes.find(message.whole("node", 0, 2**53))

    # ------------------------------------------------------------------------------------------------ engines

    def move(self, message: Message, id: int | None) -> None:
        """Let an engine move, or end its thinking."""
        board = self.board
        if board.thinking is not None:
            self._thinking.hurry()
            return
        if board.is_over:
            raise RequestError("the game is over")
        self._think(self._named(message, board.seats[board.position.to_play]), id)
        self._tell_position(id)

    def hint(self, message: Message, id: int | None) -> None:
        """Tell what an engine would play."""
        board = self.board
        if board.thinking is not None:
            raise RequestError(f"{board.thinking.title} is thinking: wait, or send stop")
        choice = self._named(message, board.seats[board.position.to_play.opponent])
        node, color = board.id, board.position.to_play

        def decided(decision: Decision) -> None:
            rate = decision.win_rate
            black = rate if rate is None or color is Color.BLACK else 1 - rate
            point = None if decision.resign else decision.move
            told = {"type": "hint", "node": node, "engine": choice.told(), "point": point, "black_winrate": black}
            self._link.tell(told, id)

        self._thinking.begin(choice, board.position, None, decided, id=id)

    def _named(self, message: Message, usual: Choice | None) -> Choice:
        """The engine that a message names, else `usual`, else that of the server."""
        engines, board = self._link.workshop.engines, self.board
        if message.has("engine"):
            return engines.read(message.part("engine"))
        return usual or engines.usual_for(board.record.rows, board.record.cols)

    def _think(self, choice: Choice, id: int | None = None) -> None:
        """Let an engine move for who is to play."""
        board, color = self.board, self.board.position.to_play
        clock: Clock | None = None if board.clocks is None else board.clocks.clock(color)

        def began() -> None:
            if board.clocks is not None:
                board.clocks.begin()
                self._watch_clock()
                self._tell_position()

        def decided(decision: Decision) -> None:
            board.thinking = None
            if decision.resign or decision.move is None:
                board.end(color, "resignation")
                self._shown()
            else:
                self._played(decision.move)

        def failed() -> None:
            board.thinking = None
            self._tell_position()

        board.thinking = color
        self._thinking.begin(choice, board.position, clock, decided, began, failed, id)

    def _watch_clock(self) -> None:
        """End the game when the time of who is to move is over, whether or not it moves."""
        board = self.board
        if board.clocks is None or board.is_over:
            return
        self._turn += 1
        turn, color = self._turn, board.position.to_play

        def over() -> None:
            if self._turn == turn and self._board is board and not board.is_over:
                board.end(color, "time")
                self._halt()
                self._shown()

        self._link.later(_left(board.clocks.clock(color)) + _LATE, over)

    def analyse(self, message: Message, id: int | None) -> None:
        """Look at what is shown from here on."""
        board, engines = self.board, self._link.workshop.engines
        choices = [engines.read(one) for one in message.parts("engines", 2)]
        self._looking.wish = Wish(choices, message.flag("ownership"), message.flag("policy"))
        self._looking.look(board)
        self._tell_tree([])

    def review(self, message: Message, id: int | None) -> None:
        """Review the main line."""
        self._reviewing.begin(self.board, self._named(message, None), id)

    def stop(self, message: Message, id: int | None) -> None:
        """End what is being thought, counted, drawn or reviewed."""
        self._halt()
        self._tell_position(id)

    def picture(self, message: Message, id: int | None) -> None:
        """Draw an idea."""
        self._showing.draw(self.board, message, id)

    def search(self, message: Message, id: int | None) -> None:
        """Show the tree of a search."""
        self._growing.grow(self.board, message, id)

    # ------------------------------------------------------------------------------------------------ the end

    def score(self, message: Message, id: int | None) -> None:
        """Count, with dead stones proposed."""
        self._counting.propose(self.board, id)

    def dead(self, message: Message, id: int | None) -> None:
        """Call a chain dead, or alive."""
        board = self.board
        board.toggle_dead(message.whole("point", 0, board.record.rows * board.record.cols - 1))
        self._counting.stop()
        self._counting.tell(board, id)

    def agree(self, message: Message, id: int | None) -> None:
        """Take the count as the result."""
        self.board.agree()
        self._tell_position(id)

    def sgf(self, message: Message, id: int | None) -> None:
        """Tell the record."""
        self._link.tell({"type": "sgf", "name": "game.sgf", "text": self.board.record.to_sgf()}, id)

    # ------------------------------------------------------------------------------------------------ telling

    def _shown(self, id: int | None = None) -> None:
        """Another position is on the board, and the game goes on from it."""
        board = self.board
        if (choice := board.awaited) is not None:
            self._think(choice)
        self._watch_clock()
        self._tell_position(id)
        self._looking.look(board)

    def _browsed(self, whole: bool, id: int | None) -> None:
        """Another position is on the board, at which nobody is asked to move."""
        board = self.board
        if board.clocks is not None:
            board.clocks.begin()
        self._turn += 1
        self._tell_tree(board.nodes.all() if whole else [], whole)
        self._tell_position(id)
        self._looking.look(board)

    def _tell_position(self, id: int | None = None) -> None:
        self._link.tell(position_told(self.board), id)

    def _tell_tree(self, changed: Iterable[Known], whole: bool = False) -> None:
        """Tell nodes that changed, and those of which engines said something since."""
        board = self.board
        stale = [board.nodes.get(id) for id in sorted(self._looking.stale)]
        self._looking.stale.clear()
        nodes = list(changed) if whole else board.nodes.still([*changed, *(one for one in stale if one is not None)])
        if nodes:
            self._link.tell(tree_told(board, nodes, whole))

    def _halt(self) -> None:
        """End the thinking, counting, drawing and reviewing of this board."""
        self._thinking.cancel()
        self._counting.stop()
        self._showing.stop()
        self._growing.stop()
        self._reviewing.stop()
        if self._board is not None:
            self._board.thinking = None


def _left(clock: Clock) -> float:
    """All seconds that a clock has for a move."""
    system, left = clock.system, clock.time_left or 0.0
    if system.kind == "byo-yomi":
        periods = clock.stones_left or system.periods
        return left + system.period * (periods - (1 if clock.stones_left else 0))
    return left + (system.period if system.kind == "canadian" and not clock.stones_left else 0.0)
