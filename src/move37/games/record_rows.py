"""From the bytes of game records to rows of a store: main line, setup, result, ranks, year, names.

This half of an import runs in processes of its own, so it needs neither NumPy nor compiled code. What it does not know
is whether moves are legal; otherwise a row is all that a store holds of a game. What a store has no room for (other
games than Go, other boards, stones set up between moves, colours that do not alternate) is refused with its reason.
"""

from __future__ import annotations

import gc
import math
from array import array
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from move37.errors import GamesFileError, SgfError
from move37.games.input_files import InputFile
from move37.games.ranks import read_rank
from move37.rules.color import Color
from move37.rules.result import Reason, Result
from move37.sgf import properties
from move37.sgf.formats import parse_record
from move37.sgf.grammar import Collection, Node
from move37.sgf.lines import MOVE_COLORS, edits_game, main_line
from move37.sgf.main_line import MainLine, main_line_of

_LARGEST_BOARD = 19
_MOST_KOMI = 45.0
"""Numbers beyond are slips of the pen (`KM[650]` is read as 6.5 before this); they count as unknown."""
_OFF_BOARD = "move off the board"


class Row(NamedTuple):
    """One game as a store holds it. Points are row-major from the top left, a pass is size · size."""

    file: str
    game: int
    """The number of the game in its file, from 0."""
    source: str
    size: int
    komi: float
    """White's points, NaN if unknown."""
    handicap: int
    setup_black: bytes
    setup_white: bytes
    """Points as uint16."""
    result: str
    winner: int
    """1 Black, -1 White, 0 nobody or unknown."""
    reason: Reason
    black_rank: int
    white_rank: int
    """On the scale of `move37.games.ranks`."""
    year: int
    """0 if unknown."""
    first_player: int
    """1 Black, -1 White; colours alternate from there."""
    moves: bytes
    """Points as uint16."""
    black_name: str
    white_name: str


@dataclass(frozen=True, slots=True)
class Finding:
    """What an import did with a file or game other than to store it as it stood."""

    file: str
    game: int
    """The number of the game in its file, from 0."""
    status: str
    """``refused``, ``filtered``, ``duplicate``, or ``mended`` (it was stored all the same)."""
    kind: str
    """A few words that many findings share, to count them by."""
    detail: str
    """A sentence."""
    move: int | None = None
    """The number of the move that is meant, from 1, and its vertex."""
    vertex: str | None = None


class RefusedError(Exception):
    """A game that a store has no room for: its kind and a sentence, and where it is one move, that."""

    def __init__(self, kind: str, detail: str, move: int | None = None, vertex: str | None = None) -> None:
        super().__init__(detail)
        self.kind = kind
        self.move = move
        self.vertex = vertex

    def finding(self, file: str, game: int) -> Finding:
        """The finding about a game for which this was raised."""
        return Finding(file, game, "refused", self.kind, str(self), self.move, self.vertex)


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """How records are read: whether players' names are kept, and whether a game is cut where it cannot go on."""

    names: bool = True
    keep_legal_part: bool = False


@dataclass(slots=True)
class Batch:
    """The games of some files in their order, and what was found about those that give none."""

    files: list[str] = field(default_factory=list[str])
    rows: list[Row] = field(default_factory=list[Row])
    findings: list[Finding] = field(default_factory=list[Finding])
    games: int = 0
    """Games found, those that gave no row included."""


def read_batch(files: Iterable[InputFile], options: ReadOptions) -> Batch:
    """Read the games of `files`; whatever is wrong with one of them becomes a finding."""
    batch = Batch()
    for file in files:
        batch.files.append(file.name)
        with _collector_paused():
            _read_file(batch, file, options)
    return batch


@contextmanager
def _collector_paused() -> Generator[None]:
    """Without the cyclic garbage collector, which would take a third of the time.

    The links of a tree back to its parents are cut after use, so that little is left for it.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _read_file(batch: Batch, file: InputFile, options: ReadOptions) -> None:
    if file.refusal:
        batch.findings.append(Finding(file.name, 0, "refused", file.kind, file.refusal))
        return
    try:
        collection = parse_record(file.read())
    except SgfError as error:
        batch.findings.append(Finding(file.name, 0, "refused", "no game record", str(error)))
    except (GamesFileError, OSError) as error:
        reason = (error.strerror or str(error)) if isinstance(error, OSError) else str(error)
        batch.findings.append(Finding(file.name, 0, "refused", "unreadable file", reason))
    else:
        _add_games(batch, file, collection, options)


def _add_games(batch: Batch, file: InputFile, collection: Collection, options: ReadOptions) -> None:
    mended = {warning.game: warning for warning in reversed(collection.warnings)}
    batch.games += len(collection.games)
    for game, tree in enumerate(collection.games):
        try:
            row, cut = _row(tree, file, game, options)
        except RefusedError as error:
            batch.findings.append(error.finding(file.name, game))
            continue
        finally:
            _cut_links(tree)
        batch.rows.append(row)
        if cut is not None:
            batch.findings.append(
                Finding(file.name, game, "mended", "cut before a move", str(cut), cut.move, cut.vertex)
            )
        if game in mended:
            batch.findings.append(Finding(file.name, game, "mended", "faulty record", str(mended[game])))


def _cut_links(tree: Node) -> None:
    """Take the links back off a main line, as far as it has nodes: then it needs no collector to be freed."""
    while True:
        tree.parent = None
        if tree.unread or not tree.children:
            return
        tree = tree.children[0]


def _row(tree: Node, file: InputFile, game: int, options: ReadOptions) -> tuple[Row, RefusedError | None]:
    """The row of a game, and where it was cut; `RefusedError` if it cannot have one."""
    held = tree.properties
    size = _size(held)
    line = main_line_of(tree, size, size)
    cut = _end_of_line(tree, line)
    if cut is not None and not (options.keep_legal_part and cut.kind == _OFF_BOARD and line.points):
        raise cut
    if not line.points:
        raise RefusedError("no moves", "the main line has no moves")
    black, points, first = _opening(line, properties.parse_handicap(_first(held, "HA")))
    result, winner, reason = _result(_first(held, "RE"))
    row = Row(
        file=file.name,
        game=game,
        source=_clean(file.source),
        size=size,
        komi=_komi(_first(held, "KM")),
        handicap=line.handicap,
        setup_black=array("H", black).tobytes(),
        setup_white=array("H", line.white).tobytes(),
        result=result,
        winner=winner,
        reason=reason,
        black_rank=read_rank(_first(held, "BR")),
        white_rank=read_rank(_first(held, "WR")),
        year=_year(_first(held, "DT")),
        first_player=first,
        moves=array("H", points).tobytes(),
        black_name=_clean(properties.unescape_simple_text(_first(held, "PB"))) if options.names else "",
        white_name=_clean(properties.unescape_simple_text(_first(held, "PW"))) if options.names else "",
    )
    return row, cut


def _end_of_line(tree: Node, line: MainLine) -> RefusedError | None:
    """What is wrong where the main line ends before the record does; None if nothing of the game is lost."""
    if line.fault is None:
        return None
    number, late_setup = 0, False
    last: Color | None = None
    for node in main_line(tree):
        held = node.properties
        late_setup = late_setup or (last is not None and edits_game(node, line.rows, line.cols, last.opponent))
        for name in filter(MOVE_COLORS.__contains__, held):
            last = MOVE_COLORS[name]
            number += 1
            if late_setup:
                return RefusedError("setup between moves", f"the board is edited before move {number}", number)
            if number > len(line.points):
                raw = held[name][0][:20]
                board = f"{line.cols}x{line.rows} board"
                return RefusedError(
                    _OFF_BOARD, f"move {number}, {name}[{raw}], names no point of the {board}", number, raw
                )
    return None


def _opening(line: MainLine, told: int | None) -> tuple[list[int], list[int], int]:
    """(black stones set up, moves, 1 if Black makes the first of them), checked: colours alternate from there.

    Black moves that open the game as a handicap become setup, for a store's colours alternate.
    """
    black, points, colors = line.black, line.points, line.colors
    if line.handicap and not black:
        black, points, colors = points[: line.handicap], points[line.handicap :], colors[line.handicap :]
        if len(set(black)) < line.handicap or line.rows * line.cols in black or not points:
            raise RefusedError("colours do not alternate", "move 2 is Black's, out of turn", 2)
    first = colors[0]
    if colors[::2].count(first) + colors[1::2].count(3 - first) != len(colors):
        place = next(place for place, color in enumerate(colors) if color != (first if place % 2 == 0 else 3 - first))
        number = place + 1 + len(line.points) - len(points)
        player = Color(colors[place]).title
        raise RefusedError("colours do not alternate", f"move {number} is {player}'s, out of turn", number)
    if told is not None and told >= 2 and not black and first == Color.WHITE:
        raise RefusedError("handicap stones missing", f"HA[{told}] asks for stones that the record does not have")
    return black, points, 1 if first == Color.BLACK else -1


def _size(held: dict[str, list[str]]) -> int:
    """The side of the board; a game of another kind or on a board that no store holds is refused."""
    kind = _first(held, "GM").strip()
    if kind.isdecimal() and kind != "1":
        raise RefusedError("not a game of Go", f"the record says GM[{kind[:9]}]; Go is GM[1]")
    told = _first(held, "SZ")
    try:
        cols, rows = properties.parse_size(told) if told.strip() else (_LARGEST_BOARD, _LARGEST_BOARD)
    except SgfError as error:
        raise RefusedError("board size", str(error)) from error
    if cols != rows:
        raise RefusedError("board size", f"the board has {cols} columns and {rows} rows; stores hold square boards")
    if cols > _LARGEST_BOARD:
        raise RefusedError("board size", f"the board is {cols}x{cols}; stores hold boards up to 19x19")
    return cols


@lru_cache(maxsize=4096)
def _result(raw: str) -> tuple[str, int, Reason]:
    """(as a store writes it, 1 if Black won and -1 if White, how the game ended)."""
    result = Result.parse(properties.unescape_simple_text(raw))
    winner = 0 if result.winner is None else 1 if result.winner is Color.BLACK else -1
    return result.text, winner, result.reason


@lru_cache(maxsize=4096)
def _komi(raw: str) -> float:
    komi = properties.parse_komi(raw)
    return komi if komi is not None and abs(komi) <= _MOST_KOMI else math.nan


@lru_cache(maxsize=4096)
def _year(raw: str) -> int:
    return properties.parse_year(raw) or 0


def _first(held: dict[str, list[str]], name: str) -> str:
    values = held.get(name)
    return values[0] if values else ""


def _clean(text: str) -> str:
    """A text that UTF-8 can hold (a file name of a foreign system may not be one), without NULs around it."""
    return text.strip(" \0\t\r\n").encode("utf-8", "replace").decode("utf-8")
