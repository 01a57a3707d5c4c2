"""Lines through a tree of nodes, and what their nodes do to the board: moves and setup as points.

The plain functions below `GameNode` and the replays. They know the properties that change a board, not the rules.
Points are ints, row-major from the top left; a pass is rows · cols.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from move37.errors import VertexError
from move37.rules import coordinates
from move37.rules.color import EMPTY, Color
from move37.sgf import properties
from move37.sgf.grammar import Node

MOVE_COLORS: Final = {"B": Color.BLACK, "W": Color.WHITE}
"""The properties that are moves."""
SETUP_CONTENTS: Final = {"AB": int(Color.BLACK), "AW": int(Color.WHITE), "AE": EMPTY}
"""The properties that put stones on the board or take them off, by what is there afterwards."""
_VALUE: Final = re.compile(r"\[([^\]]*)")
UNREADABLE: Final = -1
"""The point of a move whose value names no point of the board."""


@dataclass(frozen=True)
class Setup:
    """What a node does to the board besides a move: points that become black, white or empty, and who is to play.

    Where the node names a point twice its last mention counts; ``faults`` says what could not be read or contradicts.
    """

    black: tuple[int, ...] = ()
    white: tuple[int, ...] = ()
    empty: tuple[int, ...] = ()
    to_play: Color | None = None
    faults: tuple[str, ...] = ()

    @property
    def contents(self) -> dict[int, int]:
        """What each point named holds afterwards: 0 empty, 1 Black, 2 White."""
        named = ((self.black, 1), (self.white, 2), (self.empty, 0))
        return {point: content for points, content in named for point in points}


# ---------------------------------------------------------------------------------------------------- the tree


def main_line(tree: Node) -> Iterator[Node]:
    """The node and all that follow it by the first child."""
    while True:
        yield tree
        if not tree.children:
            return
        tree = tree.children[0]


def path_to(tree: Node) -> list[Node]:
    """All nodes from the root to this one."""
    path = [tree]
    while tree.parent is not None:
        tree = tree.parent
        path.append(tree)
    path.reverse()
    return path


def place_of(tree: Node) -> int:
    """Which child of its parent a node is; it must have one."""
    assert tree.parent is not None
    return next(place for place, child in enumerate(tree.parent.children) if child is tree)


# ---------------------------------------------------------------------------------------------------- moves


def moves_of(tree: Node, rows: int, cols: int) -> list[tuple[Color, int]]:
    """The moves of a node as (colour, point) in the order of the file: one, rarely two; `UNREADABLE` for bad values."""
    held = tree.properties
    return [(MOVE_COLORS[name], move_point(held[name][0], rows, cols)) for name in held if name in MOVE_COLORS]


def move_point(raw: str, rows: int, cols: int) -> int:
    """The point of a move's value, `UNREADABLE` if it names none."""
    try:
        return coordinates.parse_sgf(raw, rows, cols)
    except VertexError:
        return UNREADABLE


def unreadable_moves(root: Node, rows: int, cols: int) -> Iterator[tuple[Node, str]]:
    """The nodes of all variations with a move that names no point, each with the words for it, in the file's order.

    Lines without nodes get them only where such a move is among them.
    """
    table = coordinates.sgf_points(rows, cols)
    todo: list[tuple[Node | None, int]] = [(root, 0)]
    while todo:
        tree, number = todo.pop()
        while tree is not None:
            for name, values in tree.properties.items():
                if name in MOVE_COLORS:
                    number += 1
                    if values[0] not in table and move_point(values[0], rows, cols) == UNREADABLE:
                        yield tree, unreadable_move(number, MOVE_COLORS[name], tree)
            if (unread := tree.unread) and _are_moves(unread, table, rows, cols):
                break
            children = tree.children
            if len(children) > 1:
                todo += [(child, number) for child in children[:0:-1]]
            tree = children[0] if children else None


def _are_moves(unread: str, table: Mapping[str, int], rows: int, cols: int) -> bool:
    """Whether all plain moves of a line name points."""
    unusual = set(_VALUE.findall(unread)).difference(table)
    return all(move_point(raw, rows, cols) != UNREADABLE for raw in unusual)


def illegal_move(number: int, color: Color, vertex: str, reason: str) -> str:
    """The words for an illegal move."""
    return f"Move {number}, {color.title} {vertex}, is illegal: {reason}"


def unreadable_move(number: int, color: Color, tree: Node) -> str:
    """The words for a move of a node that names no point."""
    raw = tree.properties[color.letter][0]
    return f"Move {number}, {color.title} {color.letter}[{raw:.20}], names no point of the board"


def counted(number: int, what: str) -> str:
    """A number of things in words.

    >>> counted(1, "move"), counted(1200, "move")
    ('1 move', '1,200 moves')
    """
    return f"{number:,} {what}{'' if number == 1 else 's'}"


# ---------------------------------------------------------------------------------------------------- setup


def to_play_of(tree: Node) -> Color | None:
    """Who is to play by the node's ``PL``, or None; beside a move, which has its colour, ``PL`` says nothing."""
    if not MOVE_COLORS.keys().isdisjoint(tree.properties):
        return None
    letter = properties.parse_color(tree.properties.get("PL", [""])[0])
    return None if letter is None else MOVE_COLORS[letter]


def handicap_of(tree: Node) -> int | None:
    """The number that the node's ``HA`` holds, or None."""
    values = tree.properties.get("HA")
    return properties.parse_handicap(values[0]) if values else None


def setup_of(tree: Node, rows: int, cols: int) -> Setup | None:
    """What a node sets up, or None."""
    held = tree.properties
    names = [name for name in held if name in SETUP_CONTENTS]
    to_play = to_play_of(tree)
    if not names and to_play is None:
        return None
    contents: dict[int, int] = {}
    faults: list[str] = []
    for name in names:
        for point in _stones(name, held[name], rows, cols, faults):
            if contents.setdefault(point, SETUP_CONTENTS[name]) != SETUP_CONTENTS[name]:
                spelled = coordinates.format_sgf(point, rows, cols)
                faults.append(f"{spelled!r} is set up twice with different contents; {name} counts")
                contents[point] = SETUP_CONTENTS[name]
    black, white, empty = (tuple(p for p, held in contents.items() if held == what) for what in (1, 2, EMPTY))
    return Setup(black, white, empty, to_play, tuple(faults))


def edits_game(tree: Node, rows: int, cols: int, to_play: Color) -> bool:
    """Whether a node between moves sets up stones or gives the turn to another than who is to play.

    A ``PL`` that says what holds anyway changes nothing, nor does a list without points.
    """
    setup = setup_of(tree, rows, cols)
    return setup is not None and bool(setup.contents or setup.to_play not in (None, to_play))


def _stones(name: str, values: list[str], rows: int, cols: int, faults: list[str]) -> list[int]:
    """The points of AB, AW or AE, those left out that name none (an empty value is no fault)."""
    points: list[int] = []
    for value in values:
        try:
            points += properties.parse_point_list([value], cols, rows)
        except VertexError:
            if value.strip():
                faults.append(f"{name}[{value:.20}] names no point of the board and is left out")
    return points
