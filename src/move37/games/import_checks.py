"""What an import asks of games before it stores them: legal moves, and the filters that a person names.

Works on columns, many games a call. A game that fails is named with its reason; files are not read here.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from move37.errors import ConfigError
from move37.games.columns import Lists
from move37.games.duplicates import game_key
from move37.games.ranks import rank_text, required_rank
from move37.games.record_rows import Finding, Row
from move37.games.store import UNMARKED, GameFilter, GameStore
from move37.rules.color import Color
from move37.rules.coordinates import format_vertex
from move37.rules.result import Reason
from move37.sgf.lines import counted

if TYPE_CHECKING:
    from numpy.typing import NDArray

_Criterion = Callable[[Sequence[Row]], list[bool]]
_GAMES_A_CALL = 512
"""Board records take some kilobytes each."""


@dataclass(frozen=True)
class Wanted:
    """Which games to store; what is None, empty or False asks nothing. Ranks are texts (`1d`, `5k`, `9p`).

    Of several sizes, komi or results a game has one.
    """

    size: tuple[int, ...] = ()
    min_moves: int = 0
    min_rank: str | None = None
    """Both players are at least this strong."""
    komi: tuple[float, ...] = ()
    even: bool = False
    """No handicap, no setup stones, Black plays first."""
    handicap: bool = False
    """The contrary of `even`."""
    has_winner: bool = False
    results: tuple[Reason, ...] = ()
    """The game ended in one of these ways."""

    def check(self) -> None:
        """Raise `ConfigError` if the rank is none, and where no game can be what is asked."""
        if self.even and self.handicap:
            raise ConfigError("no game is both even and a handicap game; ask for one of them, or for neither")
        if self.min_rank is not None:
            required_rank(self.min_rank)

    def criteria(self) -> Iterator[tuple[str, _Criterion]]:
        """(what a game that fails it is, the criterion) for each that asks something."""
        filters = {
            "too few moves": GameFilter(min_moves=self.min_moves),
            "rank too low or unknown": GameFilter(min_rank=self.min_rank),
            "another komi": GameFilter(komi=self.komi),
            "handicap game": GameFilter(even=self.even),
            "no winner": GameFilter(has_winner=self.has_winner),
        }
        if self.size:
            yield "another board size", partial(_on_board, self.size)
        yield from ((kind, partial(_matching, one)) for kind, one in filters.items() if one != GameFilter())
        if self.handicap:
            yield "even game", _with_handicap
        if self.results:
            yield "another result", partial(_ended_by, self.results)


def _matching(wanted: GameFilter, rows: Sequence[Row]) -> list[bool]:
    kept: list[bool] = to_store(rows).matches(wanted).tolist()
    return kept


def _on_board(sizes: Sequence[int], rows: Sequence[Row]) -> list[bool]:
    return [row.size in sizes for row in rows]


def _with_handicap(rows: Sequence[Row]) -> list[bool]:
    return [not even for even in _matching(GameFilter(even=True), rows)]


def _ended_by(reasons: Sequence[Reason], rows: Sequence[Row]) -> list[bool]:
    return [row.reason in reasons for row in rows]


@dataclass(frozen=True)
class Games:
    """Games as columns, the rows they came from, and a key each that duplicates share."""

    store: GameStore
    rows: list[Row]
    keys: list[bytes]

    def take(self, chosen: Sequence[int]) -> Games:
        """The games at these indices, in that order."""
        store = self.store.select(np.array(chosen, dtype=np.int64))
        return Games(store, [self.rows[i] for i in chosen], [self.keys[i] for i in chosen])

    @staticmethod
    def join(parts: Sequence[Games]) -> Games:
        """The games of all parts (at least one), one after the other."""
        rows, keys = [row for part in parts for row in part.rows], [key for part in parts for key in part.keys]
        return Games(GameStore.join([part.store for part in parts]), rows, keys)


def checked(rows: Sequence[Row], wanted: Wanted, keep_legal_part: bool) -> tuple[list[Games], list[Finding]]:
    """The games among `rows` that are legal and wanted, in parts, and a finding about each of the others.

    With `keep_legal_part` a game is cut before its first illegal move instead of refused.
    """
    parts: list[Games] = []
    findings: list[Finding] = []
    for start in range(0, len(rows), _GAMES_A_CALL):
        some = list(rows[start : start + _GAMES_A_CALL])
        some = _legal(some, keep_legal_part, findings)
        some = _wanted(some, wanted, findings)
        if some:
            store = to_store(some)
            parts.append(Games(store, some, _keys(store)))
    return parts, findings


def to_store(rows: Sequence[Row]) -> GameStore:
    """Rows as columns."""

    def column(name: str, dtype: Any) -> NDArray[Any]:
        return np.array([getattr(row, name) for row in rows], dtype=dtype)

    def lists(name: str) -> Lists:
        values = [getattr(row, name) for row in rows]
        ends = np.cumsum([0] + [len(value) // 2 for value in values]).astype(np.int64)
        return Lists(np.frombuffer(b"".join(values), dtype=np.uint16), ends)

    return GameStore(
        size=column("size", np.int16),
        komi=column("komi", np.float32),
        handicap=column("handicap", np.int16),
        setup_black=lists("setup_black"),
        setup_white=lists("setup_white"),
        result=column("result", np.str_),
        winner=column("winner", np.int8),
        black_rank=column("black_rank", np.int16),
        white_rank=column("white_rank", np.int16),
        year=column("year", np.int16),
        first_player=column("first_player", np.int8),
        moves=lists("moves"),
        marked_ply=np.full(len(rows), UNMARKED, dtype=np.int16),
        black_area=Lists.nothing(len(rows)),
        white_area=Lists.nothing(len(rows)),
    )


def _keys(store: GameStore) -> list[bytes]:
    sizes, first = store.size.tolist(), store.first_player.tolist()
    return [
        game_key(sizes[i], first[i], store.setup_black[i], store.setup_white[i], store.moves[i])
        for i in range(len(store))
    ]


# ------------------------------------------------------------------------------------------------------ filters


def _wanted(rows: list[Row], wanted: Wanted, findings: list[Finding]) -> list[Row]:
    """The rows that fulfil every criterion; the first one failed is named."""
    for kind, fulfils in wanted.criteria():
        if not rows:
            break
        kept = fulfils(rows)
        findings += [
            Finding(row.file, row.game, "filtered", kind, _facts(row, kind))
            for row, keep in zip(rows, kept, strict=True)
            if not keep
        ]
        rows = [row for row, keep in zip(rows, kept, strict=True) if keep]
    return rows


def _facts(row: Row, kind: str) -> str:
    """What the record says of the matter that a criterion asks about."""
    komi = "unknown" if math.isnan(row.komi) else f"{row.komi:g}"
    return {
        "another board size": f"the board is {row.size}x{row.size}",
        "too few moves": f"it has {counted(len(row.moves) // 2, 'move')}",
        "rank too low or unknown": f"Black is {rank_text(row.black_rank)}, White {rank_text(row.white_rank)}",
        "another komi": f"komi is {komi}",
        "handicap game": f"Black has {counted(len(row.setup_black) // 2, 'stone')} at the start",
        "even game": "it has no handicap",
    }.get(kind, f"the result is {row.result}")


# ------------------------------------------------------------------------------------------------------ legality


def _legal(rows: list[Row], keep_legal_part: bool, findings: list[Finding]) -> list[Row]:
    kept: list[Row] = []
    faults = dict(_illegal_moves(to_store(rows)))
    for index, row in enumerate(rows):
        fault = faults.get(index)
        if fault is None:
            kept.append(row)
            continue
        played, vertex, sentence = fault
        cut = keep_legal_part and played > 0
        if cut:
            kept.append(row._replace(moves=row.moves[: 2 * played]))
        status, kind = (
            ("mended", "cut before a move") if cut else ("refused", "illegal move" if vertex else "illegal setup")
        )
        findings.append(Finding(row.file, row.game, status, kind, sentence, played + 1 if vertex else None, vertex))
    return kept


def _illegal_moves(store: GameStore) -> Iterator[tuple[int, tuple[int, str | None, str]]]:
    """(game, (legal moves before, vertex, a sentence)) for each game with an illegal move, or setup (no vertex).

    Simple ko, no suicide: what every ruleset forbids, suicide of several stones aside, and what stores ask.
    """
    from move37.games.replay_kernels import replay
    from move37.rules.board_kernels import BOARD, why_illegal
    from move37.rules.legality import Illegal

    boards = np.zeros(len(store), dtype=BOARD)
    games, plies = np.arange(len(store)), store.moves.lengths
    black, white, moves = store.setup_black, store.setup_white, store.moves
    setup = (black.values, black.offsets, white.values, white.offsets)

    def first_bad(start: int, plies: NDArray[np.int64]) -> int:
        rest = (store.size, store.first_player, games[start : start + len(plies)], plies)
        found = replay(boards[start : start + len(plies)], moves.values, moves.offsets, *setup, *rest)
        return found if found < 0 else start + found

    start = 0
    while start < len(store) and (bad := first_bad(start, plies[start:])) >= 0:
        start = bad + 1
        played = int(boards[bad]["move_number"])
        if played == 0 and first_bad(bad, np.zeros(1, dtype=np.int64)) >= 0:
            yield bad, (0, None, "a chain set up at the start has no liberty")
            continue
        color, point, size = int(boards[bad]["to_play"]), int(moves[bad][played]), int(store.size[bad])
        reason, vertex = Illegal(why_illegal(boards[bad], point, color)), format_vertex(point, size, size)
        player = Color(color).title
        yield bad, (played, vertex, f"move {played + 1}, {player} at {vertex}, is illegal: {reason.sentence}")
