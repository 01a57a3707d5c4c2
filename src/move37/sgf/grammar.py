"""The grammar of SGF: text to a forest of nodes, and back.

This knows no Go: property values stay the raw text between their brackets, still escaped, so that what is read can be
written again byte for byte (`move37.sgf.properties` gives them a meaning). It follows the FF[4] grammar and mends what
real files do to it, with a warning each. Nothing here recurses, so a line of 100,000 nodes or 3,000 nested variations
are read, copied, pickled, written and freed like any other.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from move37.errors import SgfError
from move37.sgf.encoding import decode
from move37.sgf.properties import escape_text, short_name
from move37.sgf.tree import PLAIN_MOVE, Collection, Node, SgfWarning, add_plain_moves, line_of, uncollected

__all__ = ["Collection", "Node", "SgfWarning", "parse", "serialize"]

_SPACE: Final = r"[\s\x00-\x1f\ufeff]*+"
_NAME: Final = r"[A-Za-z][A-Za-z0-9_]*+"
_VALUE: Final = r"[^\]\\]*+(?:\\.[^\]\\]*+)*+"
_MOVE: Final = PLAIN_MOVE.pattern.replace("(", "(?:")
_TOKEN: Final = re.compile(
    rf"((?:{_MOVE}{_SPACE}){{2,}}+)"
    rf"|(;?+){_SPACE}({_NAME})?+{_SPACE}\[({_VALUE})\\?+(?:\]|\Z){_SPACE}"
    rf"|([;()]){_SPACE}"
    rf"|(?:{_NAME}{_SPACE}(?!\[)|[^A-Za-z;()\[]++)++",
    re.DOTALL,
)
"""Moves and nothing else (group 1), a value with what stands before it (2 to 4), a character of the structure (5), or
text that is none of these.

A line of moves is one match. Every repetition is possessive and every character belongs to some match, so the time is
linear in the text, whatever it is.
"""
_START: Final = re.compile(rf"\({_SPACE}(?:;|[A-Z]{{1,2}}\[)")
_PROPER_START: Final = re.compile(rf"\({_SPACE};")
_START_IN_MARKUP: Final = re.compile(rf"\({_SPACE};{_SPACE}[A-Z]{{1,2}}{_SPACE}\[")
_START_WITHOUT_BRACKET: Final = re.compile(rf";{_SPACE}[A-Z]{{1,2}}{_SPACE}\[")
_START_OF_OLD_GAME: Final = re.compile(rf"\({_SPACE}{_NAME}{_SPACE}\[")

_MOST_EMPTY_NODES: Final = 150_000
"""More nodes without a property are no game, only a way to fill memory."""
_MOST_WARNINGS: Final = 100
_LONGEST_MENDED: Final = 2000
_LINE_WIDTH: Final = 78


def parse(data: bytes | str, encoding: str | None = None) -> Collection:
    """Read all games of a file; `SgfError` if there is none.

    `encoding` overrules what the file says of itself; a text needs none. What was mended is in the result's `warnings`.
    """
    if isinstance(data, str):
        text, name, said = data.removeprefix("\ufeff"), "utf-8", list[str]()
    else:
        decoded = decode(data, encoding)
        text, name, said = decoded.text, decoded.encoding, decoded.warnings
    reader = _Reader(text.replace("\0", ""))
    if len(reader.text) < len(text):
        said = [*said, "zero bytes were taken out"]
    with uncollected(len(text)):
        reader.read_all()
    line = line_of(reader.text, reader.text.find("\ufffd"))
    warnings = [SgfWarning(line, message, 0) for message in said]
    return Collection(reader.games, warnings + reader.warnings(), name, reader.text)


class _Reader:
    """The games and the faults of one text, as they are found."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.games: list[Node] = []
        self._game = 0
        self._names: dict[str, str] = {}
        self._faults: dict[tuple[int, str], list[int]] = {}
        self._empty_nodes = 0

    # -------------------------------------------------------------------------------------------------- faults

    def _fault(self, message: str, offset: int) -> None:
        """Note what was mended where: each kind once a game, with its number."""
        key = (self._game, message)
        if key in self._faults or len(self._faults) < _MOST_WARNINGS:
            self._faults.setdefault(key, [offset, 0])[1] += 1

    def warnings(self) -> list[SgfWarning]:
        """What was mended, in the order of the text."""
        found: list[SgfWarning] = []
        for (game, message), (offset, times) in sorted(self._faults.items(), key=lambda fault: fault[1][0]):
            more = f" ({times} times, first here)" if times > 1 else ""
            found.append(SgfWarning(line_of(self.text, offset), message + more, game))
        if len(found) == _MOST_WARNINGS:
            found.append(SgfWarning(found[-1].line, "further faults are not listed", found[-1].game))
        return found

    # -------------------------------------------------------------------------------------------------- games

    def read_all(self) -> None:
        """Read one game after another."""
        start: int | None = self._first_start()
        end = 0
        pattern = _START
        while start is not None:
            if start > end:
                self._check_skipped(end, start)
            self._game = len(self.games)
            end = self._read_game(start)
            match = pattern.search(self.text, end)
            if match is not None and self._is_no_game():
                pattern = _PROPER_START
                match = pattern.search(self.text, end)
                if match is not None:
                    del self.games[-1]
                    self._fault("text outside the games was skipped", start)
            start = match.start() if match else None
        self._check_skipped(end, len(self.text))

    def _is_no_game(self) -> bool:
        """Whether what was read is but a few properties in round brackets: ``(CA[UTF-8])(;FF[4]...``."""
        last = self.games[-1]
        return len(self.games) == self._game + 1 and self.text[last.offset] != ";" and not last.children

    def _first_start(self) -> int:
        if _looks_like_markup(self.text):
            patterns: tuple[re.Pattern[str], ...] = (_START_IN_MARKUP,)
        else:
            patterns = (_START, _START_WITHOUT_BRACKET, _START_OF_OLD_GAME)
        for pattern in patterns:
            match = pattern.search(self.text)
            if match is not None and not _is_binary(self.text[: match.start()]):
                return match.start()
        raise SgfError(f"No game tree was found: {_what_it_is(self.text)}.")

    def _check_skipped(self, start: int, end: int) -> None:
        between = self.text[start:end]
        if skipped := between.strip("\ufeff\x1a \t\r\n"):
            self._fault("text outside the games was skipped", start + between.index(skipped[0]))

    def _read_game(self, start: int) -> int:
        """Read the game that starts there, and give where it ends. One long loop, since every step counts here."""
        text, names, games = self.text, self._names, self.games
        node: Node | None = None
        stack: list[Node | None] = []
        values: list[str] | None = None  # of the last property; empty before the first, None where no node is open
        match: re.Match[str] | None = None
        if text[start] != "(":
            self._fault("the game has no '(' before it", start)
            stack.append(None)
        for match in _TOKEN.finditer(text, start):
            moves, semicolon, raw, value, sign = match.groups()
            if moves:
                node = self._add_moves(node, match)
                values = next(iter(node.properties.values()), list[str]())
            elif raw:
                name = names.get(raw)
                if name is None:
                    if values and not semicolon and self._continues(match, values):
                        continue
                    name = self._name(raw, match.start(3))
                if semicolon or node is None or values is None:
                    if not semicolon:
                        self._fault("a ';' is missing before a node", match.start())
                    parent = node
                    node = Node({name: (values := [value])}, parent)
                    node.offset = match.start()
                    if parent is None:
                        games.append(node)
                elif name in node.properties:
                    self._fault(f"{name} stands twice in a node; its values were joined", match.start())
                    values = node.properties[name]
                    values.append(value)
                else:
                    node.properties[name] = values = [value]
            elif value is not None:
                if semicolon:
                    node, values = self._empty_node(node, match.start()), []
                if values:
                    values.append(value)
                else:
                    self._fault("a value without a property was skipped", match.start())
            elif sign == ";":
                node, values = self._empty_node(node, match.start()), []
            elif sign == "(":
                stack.append(node)
                values = None
            elif sign == ")":
                node, values = stack.pop(), None
                if not stack:
                    return match.end()
            else:
                self._junk(match, values)
        self._check_end(match)
        return len(text)

    def _add_moves(self, node: Node | None, match: re.Match[str]) -> Node:
        """Append plain moves; where nothing follows, as in most games, their nodes are left for later."""
        start, end = match.span(1)
        if node is None:
            color, point = match[1][1], match[1][3 : match[1].index("]")]
            node = Node({color: [point]})
            node.offset = start
            self.games.append(node)
            start = match.start(1) + len(point) + 4
        if self.text.startswith(")", end) and not node.children:
            node.leave_unread(self.text, start, end)
            return node
        return add_plain_moves(node, self.text, start, end)

    def _name(self, raw: str, offset: int) -> str:
        """The name of today for one that was not met yet in this file."""
        self._names[raw] = name = short_name(raw)
        if name != raw:
            self._fault("old or small-letter property names were shortened", offset)
        return name

    def _empty_node(self, parent: Node | None, offset: int) -> Node:
        node = Node(None, parent)
        node.offset = offset
        if parent is None:
            self.games.append(node)
        self._empty_nodes += 1
        if self._empty_nodes > _MOST_EMPTY_NODES:
            raise SgfError(
                f"The file has over {_MOST_EMPTY_NODES:,} nodes without a property, so it is no game record."
            )
        return node

    def _continues(self, match: re.Match[str], values: list[str]) -> bool:
        """Whether a new name is rather text of the value before, whose brackets were not escaped: ``[[x] Bob [5]]``."""
        if match[3].isupper() or not self._is_open(values[-1]):
            return False
        values[-1] += self._since_last_value(match.start()) + self.text[match.start() : match.end(4)]
        return True

    def _junk(self, match: re.Match[str], values: list[str] | None) -> None:
        """Text that is no property: the rest of a value with unescaped brackets, or skipped."""
        junk = match[0].rstrip()
        if values and junk.endswith("]") and self._is_open(values[-1]):
            self._fault("brackets in a value were not escaped; the value was read to its last ']'", match.start())
            values[-1] += self._since_last_value(match.start()) + escape_text(junk[:-1])
        else:
            self._fault("text that is no property was skipped", match.start())

    @staticmethod
    def _is_open(value: str) -> bool:
        """Whether a value may go on after its end; not a long one, since adding to it again and again takes long."""
        return len(value) < _LONGEST_MENDED and "[" in value

    def _since_last_value(self, end: int) -> str:
        """The bracket that closed the last value, escaped, and the blanks after it."""
        return "\\" + self.text[self.text.rindex("]", 0, end) : end]

    def _check_end(self, last: re.Match[str] | None) -> None:
        """Warn of what is not closed at the end of the text."""
        if last is not None and last[4] is not None and not self.text.startswith("]", last.end(4)):
            self._fault("the last value is not closed by ']': the file may be cut short", last.start(4))
        self._fault("the last game is not closed by ')': the file may be cut short", len(self.text))


def _looks_like_markup(text: str) -> bool:
    return text[:1000].lstrip("\ufeff \t\r\n").startswith("<")


def _is_binary(text: str) -> bool:
    """Whether a text begins like something else: an image, an archive."""
    head = text[:2000]
    return len(re.findall(r"[\x01-\x08\x0e-\x19\x1c-\x1f\x7f\ufffd]", head)) * 20 > len(head)


def _what_it_is(text: str) -> str:
    """Half a sentence on what a text without a game is instead."""
    if not text.strip():
        return "the file is empty"
    if _looks_like_markup(text):
        return "this is a web page, not SGF; save the game itself"
    if _is_binary(text):
        return "this is no text, so it is no SGF"
    if text.lstrip().startswith(("{", "[")):
        return "this looks like JSON, not SGF"
    return "SGF begins with '(;'"


# ------------------------------------------------------------------------------------------------------ writing


def serialize(roots: Iterable[Node]) -> str:
    """The games as SGF text, one after another; lines are broken between nodes and variations only.

    Raw values are written as they are; an unescaped ``]`` in one, which would end it, is escaped. A property without
    any value is left out.
    """
    pieces: list[str] = []
    for root in roots:
        _write_game(root, pieces)
    return "".join(pieces)


def _write_game(root: Node, pieces: list[str]) -> None:
    todo: list[Node | str] = [")\n", root, "("]
    width = 0
    while todo:
        item = todo.pop()
        piece = item if isinstance(item, str) else _written(item)
        if isinstance(item, Node) and width > 1 and width + len(piece) > _LINE_WIDTH:
            pieces.append("\n")
            width = 0
        pieces.append(piece)
        width += len(piece)
        if isinstance(item, Node):
            if len(item.children) == 1:
                todo.append(item.children[0])
            else:
                todo.extend(part for child in reversed(item.children) for part in (")", child, "\n("))
        elif piece == "\n(":
            width = 1


def _written(node: Node) -> str:
    return ";" + "".join(
        f"{name}[{']['.join([_closed(value) for value in values])}]"
        for name, values in node.properties.items()
        if values
    )


_CLOSED: Final = re.compile(_VALUE, re.DOTALL)


def _closed(raw: str) -> str:
    """The raw value, escaped where it would not end at its end."""
    if ("]" in raw or "\\" in raw) and not _CLOSED.fullmatch(raw):
        return escape_text(raw)
    return raw
