"""The positions of a game record: setup, handicap and moves along one line, played by the rules of the record.

What a record may ask and the rules of Go do not know is settled here. Setup in the middle of a game edits the board:
nothing is captured, and a new history begins. A node with setup and a move has its setup done first, one with two moves
plays both in their order; each is warned of. What is a handicap is told by `opening`.

An illegal move is always named with its number, colour and vertex. *stop* follows the game up to it, with a warning;
*refuse* raises `SgfError`; *keep* plays it although ko, superko or suicide forbids it, after taking off a stone that is
in its way. Setup that leaves a chain without liberty, and a move that cannot be read, are treated likewise; *keep*
leaves them out, for there is nothing to keep.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal, Protocol

from move37.errors import SetupError, SgfError
from move37.rules.color import Color
from move37.sgf import lines
from move37.sgf.grammar import Node
from move37.sgf.lines import UNREADABLE, Setup
from move37.sgf.opening import opening_to

if TYPE_CHECKING:
    from move37.rules.position import Position

IllegalPolicy = Literal["stop", "keep", "refuse"]
"""What is done with an illegal move."""

_MOST_WARNINGS = 100


class Reporter(Protocol):
    """Who hears of faults: the record."""

    def warn(self, message: str, tree: Node) -> None:
        """Note a fault at a node."""
        ...

    def line_of(self, tree: Node) -> int:
        """The line of the file in which a node starts."""
        ...


class Replay:
    """One walk along the line to a node."""

    def __init__(self, goal: Node, start: Position, illegal: IllegalPolicy, reporter: Reporter) -> None:
        """Start from an empty board, which stays as it is; ValueError for a policy that does not exist."""
        if illegal not in ("stop", "keep", "refuse"):
            raise ValueError(f"illegal is 'stop', 'keep' or 'refuse', not {illegal!r}")
        self._reporter = reporter
        self._illegal = illegal
        self._position = start
        self._rows, self._cols = start.rows, start.cols
        self._line = lines.path_to(goal)
        self._opening = opening_to(goal, self._rows, self._cols)
        self._first_stones: dict[int, int] = {}  # set up before the first move
        self._first_player: Color | None = None  # by PL before the first move
        self._begun = False  # whether a move was met
        self._number = 0  # of moves met
        self._warned = 0  # times

    def finish(self, moves: int | None = None) -> Position:
        """Walk to the end, or until so many moves are played, and give the position there."""
        for played, _ in enumerate(self._walk()):
            if played == moves:
                break
        return self._position

    def positions(self) -> Iterator[Position]:
        """A copy of the position before each move that is played, and one of that at the end."""
        for _ in self._walk():
            yield self._position.copy()
        yield self._position.copy()

    def _walk(self) -> Iterator[None]:
        """Walk, stopping before each move that is played."""
        for tree in self._line:
            setup = lines.setup_of(tree, self._rows, self._cols)
            moves = lines.moves_of(tree, self._rows, self._cols)
            self._warn_of(tree, setup, len(moves))
            if not self._set_up(tree, setup):
                return
            for color, point in moves:
                self._begin(tree)
                self._number += 1
                fault = self._fault(tree, color, point)
                if fault is not None and not self._goes_on(tree, fault):
                    return
                if point != UNREADABLE:
                    yield
                    self._play(color, point)
        self._begin(self._line[-1])

    def _goes_on(self, tree: Node, fault: str) -> bool:
        """Report a fault of the game by the policy; whether the walk goes on."""
        if self._illegal == "refuse":
            raise SgfError(f"line {self._reporter.line_of(tree)}: {fault}; correct the record or stop before it.")
        if self._illegal == "keep":
            self._warn(f"{fault}; it is followed all the same where that can be", tree)
            return True
        self._reporter.warn(f"{fault}; the game is followed up to there", tree)
        return False

    def _warn(self, message: str, tree: Node) -> None:
        """Note what does not end the walk; not without end, since a file may have it at every move."""
        self._warned += 1
        if self._warned <= _MOST_WARNINGS:
            self._reporter.warn(message, tree)
        elif self._warned == _MOST_WARNINGS + 1:
            self._reporter.warn("further faults of this line are not listed", tree)

    def _warn_of(self, tree: Node, setup: Setup | None, moves: int) -> None:
        """Warn of what is unusual in a node and has been settled above."""
        if setup is not None:
            for fault in setup.faults:
                self._warn(f"{self._place()}: {fault}", tree)
            if moves:
                self._warn(f"{self._place()}: setup and a move in one node; the setup was done first", tree)
        if moves > 1:
            self._warn(f"{self._place()}: two moves in one node; both were played in their order", tree)
        for name in lines.MOVE_COLORS:
            if len(values := tree.properties.get(name, ())) > 1:
                named = "".join(f"[{value:.20}]" for value in values[:2])
                self._warn(f"{self._place()}: {name}{named} names two moves; the second is not played", tree)

    def _place(self) -> str:
        return f"after move {self._number}" if self._number else "before the first move"

    # ------------------------------------------------------------------------------------------------ setup

    def _set_up(self, tree: Node, setup: Setup | None) -> bool:
        """Do what a node sets up; False if the walk ends here."""
        try:
            if self._begun and setup is not None:
                self._edit(setup)
            elif not self._begun and (setup is not None or tree is self._line[0]):
                self._start(setup or Setup())
        except SetupError as error:
            return self._goes_on(tree, f"Setup {self._place()}: {str(error).partition(':')[0]}")
        return True

    def _start(self, setup: Setup) -> None:
        """Set the board up anew with all that stands before the first move, now with this too."""
        stones = self._first_stones | setup.contents
        player = setup.to_play or self._first_player
        black, white = ([point for point, what in stones.items() if what == color] for color in Color)
        start = self._position.copy()
        start.clear()
        handicap = self._opening.is_handicap(black, white, player)
        if handicap:
            start.place_free_handicap(black)
        start.setup(black, white, player or self._opening.first or (Color.WHITE if handicap else Color.BLACK))
        self._position, self._first_stones, self._first_player = start, stones, player

    def _edit(self, setup: Setup) -> None:
        """Change stones and player in the middle of the game, if that changes anything."""
        grid = self._position.stones.ravel()
        black, white, empty = (
            [point for point in points if grid[point] != what]
            for points, what in ((setup.black, 1), (setup.white, 2), (setup.empty, 0))
        )
        to_play = setup.to_play or self._position.to_play
        if black or white or empty or to_play != self._position.to_play:
            self._position.edit(black, white, to_play, empty=empty)

    def _begin(self, tree: Node) -> None:
        """Before the first move (or at the end of a line without any): settle the handicap."""
        if self._begun:
            return
        self._begun = True
        if self._opening.handicap_moves:
            self._position.handicap = self._opening.handicap_moves
        fault = self._opening.fault(self._position.handicap)
        if fault:
            self._reporter.warn(fault, tree)

    # ------------------------------------------------------------------------------------------------ moves

    def _fault(self, tree: Node, color: Color, point: int) -> str | None:
        """What is wrong with a move, or None."""
        if point == UNREADABLE:
            return lines.unreadable_move(self._number, color, tree)
        reason = self._position.why_illegal(point, color)
        if reason is None:
            return None
        return lines.illegal_move(self._number, color, self._position.vertex(point), reason.sentence)

    def _play(self, color: Color, point: int) -> None:
        """Play a move, legal or not."""
        if point < self._rows * self._cols and self._position.stone_at(point) is not None:
            self._position.edit(empty=[point])
        self._position.play(point, color, force=True)
