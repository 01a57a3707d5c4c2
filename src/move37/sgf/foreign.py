"""What the readers of other record formats share: fixed handicap stones and a line of moves as an SGF tree.

The readers give the tree that an SGF file with the same game would give, so everything above knows one form, and a move
that names no point meets the same end. Nothing here reads a file or knows a format.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from move37.rules.coordinates import format_sgf
from move37.sgf.grammar import Node
from move37.sgf.properties import escape_text

_CORNERS = ((2, 0), (0, 2), (2, 2), (0, 0))
"""Handicap stones of the Korean servers in their order, as thirds (column, row) of the board; then sides, then top."""
_SIDES = ((0, 1), (2, 1), (1, 0), (1, 2))
_DATE = re.compile(r"(\d{4})\D{0,3}?(\d{1,2})\D{0,3}?(\d{1,2})(?!\d)")


class Move(NamedTuple):
    """A move: its colour (``B`` or ``W``), its value in SGF (nothing for a pass), where its line starts in the text."""

    color: str
    value: str
    offset: int


def unreadable_value(line: str) -> str:
    """The value of a move whose line names no point of the board: the line, for SGF has no such point either."""
    return escape_text(line[:40] if len(line) > 2 else f"{line}?")


def next_color(moves: Sequence[Move], handicap: int) -> str:
    """Whose turn it is after these moves."""
    last = moves[-1].color if moves else "B" if handicap >= 2 else "W"
    return "W" if last == "B" else "B"


def iso_date(text: str) -> str:
    """The first date in a text, year first, as SGF writes it (``2016-03-26``), or nothing if there is none.

    >>> iso_date("2016- 3-26-17-29-25"), iso_date("20110812 [09:31]"), iso_date("2012年11月22日")
    ('2016-03-26', '2011-08-12', '2012-11-22')
    """
    match = _DATE.search(text)
    if match is None:
        return ""
    year, month, day = (int(part) for part in match.groups())
    return f"{year:04}-{month:02}-{day:02}" if 1 <= month <= 12 and 1 <= day <= 31 else ""


def handicap_letters(stones: int, size: int) -> list[str]:
    """SGF letters of the stones that Korean servers place for a handicap of 2 to 9; no stones for other numbers.

    Unlike in GTP the third stone is the lower right corner.
    """
    if not 2 <= stones <= 9:
        return []
    edge = 3 if size >= 13 else 2
    lines = (edge, size // 2, size - 1 - edge)
    centre = [(1, 1)] if stones in (5, 7, 9) else []
    spots = [*(*_CORNERS, *_SIDES)[: stones - len(centre)], *centre]
    return [format_sgf(lines[row] * size + lines[col], size, size) for col, row in spots]


def line_of_play(info: Mapping[str, str | list[str]], moves: Iterable[Move]) -> Node:
    """The root of a tree without variations: `info` in the root (empty texts left out), then one node a move.

    Values of `info` are plain texts or lists of points.
    """
    root = Node({name: _values(value) for name, value in info.items() if value})
    last = root
    for color, value, offset in moves:
        last = Node({color: [value]}, last)
        last.offset = offset
    return root


def _values(value: str | list[str]) -> list[str]:
    return [escape_text(value)] if isinstance(value, str) else value
