"""The main line of a record as plain numbers, for stores of games and for replaying thousands.

The fast twin of `replay`, for what most records are: stones set up before the first move, then moves. It ends, and says
why, where a record holds more (setup in the middle, values that name no point); superko is not looked at.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from move37.rules.color import Color
from move37.rules.coordinates import sgf_points
from move37.sgf import lines
from move37.sgf.lines import UNREADABLE, Setup
from move37.sgf.opening import opening_of
from move37.sgf.tree import PLAIN_MOVE, Node

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from move37.rules.ruleset import Ruleset

_COLORS: Final = {"B": 1, "W": 2}
_SETUP_NAMES: Final = frozenset({"AB", "AW", "AE", "PL"})


@dataclass(frozen=True, slots=True)
class MainLine:
    """Stones set up before the first move and the moves after it. Points are row-major, a pass is rows · cols.

    ``first_player`` plays first as far as the record tells, ``handicap`` counts handicap stones, ``colors`` and
    ``points`` are the moves (colours 1 and 2). ``fault`` says why the moves end before the record does, or is None.
    """

    rows: int
    cols: int
    black: list[int]
    white: list[int]
    first_player: Color
    handicap: int
    colors: list[int]
    points: list[int]
    fault: str | None


@dataclass(frozen=True, slots=True, repr=False)
class Replayed:
    """A main line played: the last record ``BOARD[1]``, how many moves were played, and what stopped them or None."""

    boards: NDArray[Any]
    played: int
    fault: str | None

    def __repr__(self) -> str:
        board = self.boards[0]
        told = f"<Replayed {board['rows']}x{board['cols']}, {lines.counted(self.played, 'move')}"
        return f"{told}>" if self.fault is None else f"{told}, then: {self.fault}>"


def main_line_of(root: Node, rows: int, cols: int) -> MainLine:
    """Read the main line of a game."""
    before, colors, points, fault = _read(root, sgf_points(rows, cols), rows, cols)
    setups = [lines.setup_of(tree, rows, cols) or Setup() for tree in before]
    stones = {point: what for setup in setups for point, what in setup.contents.items()}
    black, white = ([point for point, what in stones.items() if what == color] for color in Color)
    told = next((setup.to_play for setup in reversed(setups) if setup.to_play), None)
    opening = opening_of(before, colors)
    stood = opening.is_handicap(black, white, told)
    first = told or opening.first or (Color.WHITE if stood else Color.BLACK)
    handicap = len(black) if stood else opening.handicap_moves
    return MainLine(rows, cols, black, white, first, handicap, colors, points, fault)


def _read(
    tree: Node, table: Mapping[str, int], rows: int, cols: int
) -> tuple[list[Node], list[int], list[int], str | None]:
    """The nodes up to that of the first move, colours and points of all moves, and why they end early or None.

    This is where the time of many games goes: a line that is nothing but moves is read from its text.
    """
    before: list[Node] = []
    colors: list[int] = []
    points: list[int] = []
    while True:
        if not points:
            before.append(tree)
        elif not _SETUP_NAMES.isdisjoint(tree.properties) and _edits(tree, rows, cols, colors[-1]):
            return before, colors, points, f"There is setup in the middle of the game, after move {len(points)}"
        for name, values in tree.properties.items():
            color = _COLORS.get(name)
            if color is not None:
                point = table.get(values[0], UNREADABLE)
                if point == UNREADABLE and (point := lines.move_point(values[0], rows, cols)) == UNREADABLE:
                    return before, colors, points, lines.unreadable_move(len(points) + 1, Color(color), tree)
                colors.append(color)
                points.append(point)
        if (tree.unread and _add_plain_moves(tree.unread, table, colors, points)) or not tree.children:
            return before, colors, points, None
        tree = tree.children[0]


def _edits(tree: Node, rows: int, cols: int, last: int) -> bool:
    """Whether a node changes the game after a move of this colour."""
    return lines.edits_game(tree, rows, cols, Color(last).opponent)


def _add_plain_moves(text: str, table: Mapping[str, int], colors: list[int], points: list[int]) -> bool:
    """Add the moves of a line without nodes; False, and none, if there is no such line or a point is unusual."""
    pairs = PLAIN_MOVE.findall(text)
    more = [table.get(value, UNREADABLE) for _, value in pairs]
    if not more or UNREADABLE in more:
        return False
    colors += [_COLORS[name] for name, _ in pairs]
    points += more
    return True


def replay_main_line(line: MainLine, rules: Ruleset, komi: float) -> Replayed:
    """Play a main line on a new record of a board up to 19×19, up to the first move that is illegal."""
    import numpy as np

    from move37.rules import records
    from move37.rules.board_kernels import why_illegal
    from move37.rules.coordinates import format_vertex
    from move37.rules.legality import Illegal
    from move37.sgf.replay_kernels import play_moves

    boards = records.new_records(1, line.rows, line.cols, rules, komi)
    board = boards[0]
    if line.black or line.white:
        stones = dict.fromkeys(line.black, 1) | dict.fromkeys(line.white, 2)
        if records.set_up(boards, stones, int(line.first_player)) >= 0:
            return Replayed(boards, 0, "The stones set up leave a chain without liberty")
    board["to_play"] = line.first_player
    board["white_bonus"] = rules.handicap_bonus(line.handicap)
    points = np.array(line.points, dtype=np.int16)
    colors = np.array(line.colors, dtype=np.int8)
    played = play_moves(board, points, colors)
    if played == len(points):
        return Replayed(boards, played, line.fault)
    color, point = Color(line.colors[played]), line.points[played]
    reason = Illegal(why_illegal(board, point, int(color))).sentence
    vertex = format_vertex(point, line.rows, line.cols)
    return Replayed(boards, played, lines.illegal_move(played + 1, color, vertex, reason))
