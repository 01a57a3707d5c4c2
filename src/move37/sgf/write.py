"""Writing records: SGF 4 in UTF-8, and the record of a game that was played here.

Only what SGF needs is changed in a record that was read: ``CA`` becomes UTF-8 where it names another encoding, or is
missing and the text is not plain ASCII; empty values where a point must stand, which other readers refuse, are left
out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib import import_module
from itertools import takewhile
from typing import TYPE_CHECKING, Final

from move37.errors import SgfError
from move37.rules.color import Color
from move37.sgf.game_info import INFO_NAMES, GameInfo
from move37.sgf.grammar import Node, serialize
from move37.sgf.properties import MAY_BE_EMPTY, MOVES, POINTS

if TYPE_CHECKING:
    from move37.rules.position import Position

_NEED_POINTS: Final = POINTS - MAY_BE_EMPTY - MOVES - {"EX"}
"""The properties in which an empty value says nothing; in a move it is a pass."""


def to_sgf(roots: Iterable[Node]) -> str:
    """Games as one SGF text that is true when saved as UTF-8."""
    return serialize(_as_utf8(_without_empty_points(root)) for root in roots)


def new_root(rows: int, cols: int) -> Node:
    """The root of an empty record; `SgfError` for a board that SGF cannot have."""
    if not (1 <= rows <= 52 and 1 <= cols <= 52):
        raise SgfError(f"A board of {rows} rows and {cols} columns cannot be recorded: each side must be 1 to 52.")
    version = import_module("move37").__version__  # by name: what the package exports lies above this layer
    size = str(cols) if rows == cols else f"{cols}:{rows}"
    held = {"FF": "4", "GM": "1", "CA": "UTF-8", "AP": f"move37:{version}", "SZ": size}
    return Node({name: [value] for name, value in held.items()})


def record_position(record: GameInfo, position: Position, info: Mapping[str, str]) -> None:
    """Write a game into an empty record: rules, komi, setup, handicap and all moves.

    ``info`` are texts by the names of `INFO_NAMES`, and ``result``; TypeError for other names. Without ``result`` a
    game that is over has that of `Position.result`: counted as it stands, no stone taken as dead, *void* after a long
    cycle. After `Position.edit` the record begins with the position edited last: what was before is not in a position's
    history.
    """
    unknown = sorted(info.keys() - INFO_NAMES.keys() - {"result"})
    if unknown:
        raise TypeError(f"a record has no {unknown[0]!r}: use {', '.join(INFO_NAMES)} or result")
    record.rules = position.rules
    record.komi = position.komi
    for name, text in info.items():
        setattr(record, name, text)
    if "result" not in info and position.is_over:
        record.result = position.result()
    _set_up(record, position)
    node = record.root
    for color, point in position.moves:
        node = node.add_variation(point, color)


def _set_up(record: GameInfo, position: Position) -> None:
    """The stones before the first move, and who is to play where that is not clear."""
    start = position.root()
    grid = start.stones.ravel()
    for name, color in (("AB", Color.BLACK), ("AW", Color.WHITE)):
        points = [point for point, stone in enumerate(grid.tolist()) if stone == color]
        if points:
            record.root.set(name, *points)
    if position.handicap:
        record.handicap = position.handicap
    usual = Color.WHITE if position.handicap and grid.any() else Color.BLACK
    if start.to_play != usual or (grid.any() and not position.handicap):
        record.root.set("PL", start.to_play.letter)
    if start.move_number:
        record.root.set("MN", start.move_number)


def _as_utf8(root: Node) -> Node:
    """The root with a ``CA`` that is true of what is written: itself, or a twin with the same children."""
    held = root.properties
    if held.get("CA") == ["UTF-8"] or ("CA" not in held and _is_ascii(root)):
        return root
    head = [] if "CA" in held else list(takewhile(lambda name: name in ("FF", "GM"), held))
    twin = Node({name: held[name] for name in head} | ({} if "CA" in held else {"CA": []}) | held | {"CA": ["UTF-8"]})
    twin.children.extend(root.children)
    return twin


def _without_empty_points(root: Node) -> Node:
    """The tree without empty values where a point must stand: itself, or a copy."""
    if not any(map(_empty_points, root.walk())):
        return root
    twin = root.copy()
    for node in twin.walk():
        for name in _empty_points(node):
            node.properties[name] = [value for value in node.properties[name] if value.strip()]
    return twin


def _empty_points(node: Node) -> list[str]:
    """The properties of a node with an empty value where a point must stand."""
    held = node.properties
    return [name for name in held if name in _NEED_POINTS and not all(value.strip() for value in held[name])]


def _is_ascii(root: Node) -> bool:
    return all(value.isascii() for node in root.walk() for values in node.properties.values() for value in values)
