"""A node of a game record as a person sees it: its move, its texts, its place in the tree, and how to edit it.

`GameNode` is a light view of a node of the tree (`grammar.Node`), made when asked for: two views of one node are equal,
and nothing is kept in them. Values that nobody touches stay as they were read, byte for byte. Legality is not looked at
(`replay` does that). The manner is python-chess's: one class for the root and all others.
"""

from __future__ import annotations

from collections.abc import Iterator

from move37.errors import SgfError, VertexError
from move37.rules.color import Color
from move37.sgf import lines, properties
from move37.sgf.grammar import Node
from move37.sgf.lines import Setup
from move37.sgf.point_values import point_value

__all__ = ["GameNode", "Setup"]


class GameNode:
    """One node of a record. Points are ints, row-major from the top left; a pass is rows · cols."""

    __slots__ = ("_cols", "_rows", "tree")

    def __init__(self, tree: Node, rows: int, cols: int) -> None:
        self.tree = tree
        self._rows = rows
        self._cols = cols

    def __eq__(self, other: object) -> bool:
        return self.tree is other.tree if isinstance(other, GameNode) else NotImplemented

    def __hash__(self) -> int:
        return id(self.tree)

    def __repr__(self) -> str:
        variations = lines.counted(len(self.tree.children), "variation")
        return f"<GameNode {' '.join(self.properties) or 'empty'}, {variations}>"

    # ------------------------------------------------------------------------------------------------ the tree

    @property
    def parent(self) -> GameNode | None:
        """The node before, None at the root."""
        return None if self.tree.parent is None else self._view(self.tree.parent)

    @property
    def variations(self) -> list[GameNode]:
        """The nodes that follow, the main line's first."""
        return [self._view(child) for child in self.tree.children]

    @property
    def next(self) -> GameNode | None:
        """The node that follows on the main line, or None at the end."""
        return self._view(self.tree.children[0]) if self.tree.children else None

    def main_line(self) -> Iterator[GameNode]:
        """The node and all that follow it, always by the first variation."""
        return (self._view(tree) for tree in lines.main_line(self.tree))

    def path(self) -> list[GameNode]:
        """All nodes from the root to this one."""
        return [self._view(tree) for tree in lines.path_to(self.tree)]

    def walk(self) -> Iterator[GameNode]:
        """The node and everything below, in the order of the file."""
        return (self._view(tree) for tree in self.tree.walk())

    # ------------------------------------------------------------------------------------------------ what it holds

    @property
    def properties(self) -> dict[str, list[str]]:
        """All properties in the order of the file, values raw (still escaped): a view, not a copy."""
        return self.tree.properties

    def get(self, name: str) -> str | None:
        """The first value of a property as text, without escapes; None if it is not there."""
        values = self.tree.properties.get(name)
        return properties.unescape_text(values[0]) if values else None

    def values(self, name: str) -> list[str]:
        """All values of a property as texts, without escapes; empty if it is not there."""
        return [properties.unescape_text(value) for value in self.tree.properties.get(name, ())]

    def points(self, name: str) -> list[int]:
        """The points of a property such as ``AB`` or ``TR``, rectangles written out; `SgfError` for a wrong value."""
        try:
            return properties.parse_point_list(self.tree.properties.get(name, []), self._cols, self._rows)
        except VertexError as error:
            raise SgfError(f"{name}: {error}") from error

    @property
    def move(self) -> tuple[Color, int] | None:
        """The move as (colour, point), or None if the node has none that can be read."""
        moves = lines.moves_of(self.tree, self._rows, self._cols)
        return moves[0] if moves and moves[0][1] != lines.UNREADABLE else None

    @property
    def setup(self) -> Setup | None:
        """What is set up here, or None. Where a point is named twice its last mention counts."""
        return lines.setup_of(self.tree, self._rows, self._cols)

    @property
    def comment(self) -> str:
        """The comment (``C``), empty if there is none; may be set."""
        return self.get("C") or ""

    @comment.setter
    def comment(self, text: str) -> None:
        self.set("C", text) if text else self.remove("C")

    @property
    def move_number(self) -> int:
        """How many moves were made up to this node, its own included."""
        return sum(len(lines.moves_of(tree, self._rows, self._cols)) for tree in lines.path_to(self.tree))

    @property
    def to_play(self) -> Color:
        """Whose turn it is after this node, as far as the record tells: by the last move or ``PL``, or a handicap."""
        tree = self.tree
        while True:
            moves = lines.moves_of(tree, self._rows, self._cols)
            told = moves[-1][0].opponent if moves else lines.to_play_of(tree)
            if told is not None:
                return told
            if tree.parent is None:
                return Color.WHITE if (lines.handicap_of(tree) or 0) >= 2 else Color.BLACK
            tree = tree.parent

    # ------------------------------------------------------------------------------------------------ editing

    def set(self, name: str, *values: str | int) -> None:
        """Give a property these values, texts and numbers; where it holds points, those that `point_value` reads.

        Without a value, a property that takes none (``KO``, ``DO``) is set, and one that holds points is taken off,
        since it may not be empty (but for ``DD``, ``VW``, ``TB``, ``TW``, where that means none). Raises `SgfError` for
        a name that is none, `VertexError` for what is no point of the board.
        """
        if not (name.isascii() and name.isalpha() and name.isupper()):
            raise SgfError(f"{name!r} is no name of a property: use capital letters A to Z, such as 'C'.")
        if name == "SZ" and [str(value) for value in values] != self.tree.properties.get(name):
            raise SgfError("The size of a board cannot be changed, its points would be others: begin another record.")
        if not values and properties.holds_points(name) and name not in properties.MAY_BE_EMPTY:
            self.remove(name)
        else:
            self.tree.properties[name] = [self._raw(name, value) for value in values] or [""]

    def remove(self, name: str) -> None:
        """Take a property off, if it is there."""
        self.tree.properties.pop(name, None)

    def add_variation(self, move: str | int | None = None, color: Color | str | None = None) -> GameNode:
        """Add a node behind all other variations of this one and return it: with a move, or without for a setup.

        ``move`` is a point, a vertex or an SGF point, ``color`` by default who is to play. The first node added
        continues the line.
        """
        held: dict[str, list[str]] = {}
        if move is not None:
            player = self.to_play if color is None else Color.parse(color)
            held[player.letter] = [self._raw(player.letter, move)]
        return self._view(Node(held, self.tree))

    def delete(self) -> None:
        """Take this node and all below it off the record; `SgfError` at the root."""
        if self.tree.parent is None:
            raise SgfError("The root of a record cannot be deleted: delete its variations.")
        siblings = self.tree.parent.children
        del siblings[lines.place_of(self.tree)]
        self.tree.parent = None

    def promote(self) -> None:
        """Make the line that leads to this node the main line; the order of the others stays."""
        for tree in lines.path_to(self.tree)[1:]:
            assert tree.parent is not None
            siblings = tree.parent.children
            siblings.insert(0, siblings.pop(lines.place_of(tree)))

    # ------------------------------------------------------------------------------------------------ helpers

    def _view(self, tree: Node) -> GameNode:
        return GameNode(tree, self._rows, self._cols)

    def _raw(self, name: str, value: str | int) -> str:
        if properties.holds_points(name):
            return point_value(name, value, self._rows, self._cols)
        return properties.escape_text(str(value))
