"""The tree that the grammar reads and writes: nodes, and a file's games with what was mended in them.

It knows no syntax and no Go. Nothing here recurses, so that a line of 100,000 nodes is walked, copied, pickled and
freed like any other.
"""

from __future__ import annotations

import gc
import re
import threading
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

__all__ = ["PLAIN_MOVE", "Collection", "Node", "SgfWarning", "add_plain_moves", "line_of", "uncollected"]

PLAIN_MOVE: Final = re.compile(r";([BW])\[([A-Za-z]{0,2})\]")
"""A node that is a move and nothing else, as nearly all are: its colour and its value."""

_LARGE: Final = 100_000
"""Characters of a text from which on the garbage collector is kept off."""

_MAKING_NODES: Final = threading.Lock()
"""Held while unread moves get their nodes, so that threads that read one tree together make them once."""


class Node:
    """A node of a game tree: its properties in the order of the file, its parent and its children.

    `properties` maps an identifier in capitals to its raw values: the texts between ``[`` and ``]``, still escaped.
    `offset` is where the node begins in `Collection.text`, or -1 for one that was not read. All may be changed; a node
    made with a `parent` is appended to that parent's children.
    """

    __slots__ = ("_children", "_unread", "offset", "parent", "properties")

    properties: dict[str, list[str]]
    parent: Node | None
    offset: int

    def __init__(self, properties: dict[str, list[str]] | None = None, parent: Node | None = None) -> None:
        self.properties = {} if properties is None else properties
        self.parent = parent
        self._children: list[Node] = []
        self._unread: tuple[str, int, int] | None = None
        self.offset = -1
        if parent is not None:
            parent.children.append(self)

    @property
    def children(self) -> list[Node]:
        """The nodes that follow, the main line's first; the list may be changed."""
        if self._unread is not None:
            with _MAKING_NODES:
                self._make_nodes()
        return self._children

    @property
    def unread(self) -> str:
        """The text of what follows, while nobody has asked for its nodes: `PLAIN_MOVE` after `PLAIN_MOVE` to the end.

        Most games are one such line, and most of the time of reading a game is making its nodes. Who wants only the
        moves of many games takes them from here.
        """
        return "" if self._unread is None else self._unread[0][self._unread[1] : self._unread[2]]

    def leave_unread(self, text: str, start: int, end: int) -> None:
        """Let the plain moves ``text[start:end]`` follow, a node each once asked for; there must be no children yet."""
        self._unread = text, start, end

    def _make_nodes(self) -> None:
        """Give the unread moves their nodes; others see none of them before all are there."""
        if self._unread is None:  # made by another thread meanwhile
            return
        stem = Node()
        text, start, end = self._unread
        with uncollected(end - start):
            add_plain_moves(stem, text, start, end)
        first = stem.children[0]
        first.parent = self
        self._children.append(first)
        self._unread = None

    def walk(self) -> Iterator[Node]:
        """The node and all below it, each before its children, in the order of the file."""
        todo: list[Node] = [self]
        while todo:
            node = todo.pop()
            yield node
            todo.extend(reversed(node.children))

    def copy(self) -> Node:
        """The node and all below it as a tree of its own, without a parent."""
        return _built(_flattened(self))

    def __copy__(self) -> Node:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, object]) -> Node:
        return self.copy()

    def __reduce__(self) -> tuple[object, ...]:
        return _built, (_flattened(self),)

    def __repr__(self) -> str:
        inside = "".join(f"{name}[{']['.join(values)}]" for name, values in self.properties.items())
        return f"Node(;{inside if len(inside) <= 60 else inside[:57] + '...'})"


@contextmanager
def uncollected(size: int) -> Generator[None]:
    """Keep the garbage collector off while a large text is read: it finds nothing then, and takes half the time."""
    if size < _LARGE or not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def add_plain_moves(node: Node, text: str, start: int, end: int) -> Node:
    """Append a node for each plain move of a text, one after the other, and return the last."""
    for match in PLAIN_MOVE.finditer(text, start, end):
        name, value = match.groups()
        node = Node({name: [value]}, node)
        node.offset = match.start()
    return node


def _flattened(top: Node) -> list[tuple[int, dict[str, list[str]], int]]:
    """Each node's parent as a place in this list (-1 for the first), its properties and its offset."""
    flat: list[tuple[int, dict[str, list[str]], int]] = []
    todo = [(-1, top)]
    with uncollected(_LARGE):
        while todo:
            place, node = todo.pop()
            todo.extend((len(flat), child) for child in reversed(node.children))
            flat.append((place, {name: list(values) for name, values in node.properties.items()}, node.offset))
    return flat


def _built(flat: list[tuple[int, dict[str, list[str]], int]]) -> Node:
    nodes: list[Node] = []
    with uncollected(_LARGE):
        for place, properties, offset in flat:
            node = Node(properties, nodes[place] if nodes else None)
            node.offset = offset
            nodes.append(node)
    return nodes[0]


@dataclass(frozen=True, slots=True)
class SgfWarning:
    """A fault that was mended: the line of the file (from 1), what was done, and in which game (from 0)."""

    line: int
    message: str
    game: int

    def __str__(self) -> str:
        return f"{f'game {self.game + 1}, ' if self.game else ''}line {self.line}: {self.message}"


@dataclass(slots=True)
class Collection:
    """What a file holds: the root of each game, what was mended, the Python name of its encoding, and its text."""

    games: list[Node]
    warnings: list[SgfWarning]
    encoding: str
    text: str

    def line(self, offset: int) -> int:
        """The line of the file, from 1, in which a place of the text lies."""
        return line_of(self.text, offset)


def line_of(text: str, offset: int) -> int:
    r"""The line, from 1, of a place in a text whose lines end in ``\n``, ``\r\n`` or ``\r``."""
    newline = "\n" if "\n" in text else "\r"
    return text.count(newline, 0, max(offset, 0)) + 1
