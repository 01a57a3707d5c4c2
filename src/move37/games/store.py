"""A store of games: Parquet files, one row a game, read once into flat column arrays.

Filters, selects, splits and writes games. Does not replay them (`move37.games.replay_kernels`) and makes no planes.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from move37.errors import GamesFileError
from move37.games import columns
from move37.games.columns import Lists
from move37.games.ranks import UNKNOWN_RANK, counted_margin, required_rank

if TYPE_CHECKING:
    from numpy.typing import NDArray

UNKNOWN_YEAR = 0
UNMARKED = -1
AREAS = ("black_area", "white_area")


@dataclass(frozen=True)
class GameFilter:
    """Which games to keep. Ranks are texts (`1d`, `5k`, `9p`); None asks nothing."""

    size: int | None = None
    min_moves: int = 0
    min_rank: str | None = None
    """Both players are at least this strong."""
    min_winner_rank: str | None = None
    """The winner is at least this strong (games without a winner fail)."""
    min_best_rank: str | None = None
    """The stronger player is at least this strong."""
    max_rank_gap: int | None = None
    """The ranks are both known and differ by at most this many steps."""
    komi: tuple[float, ...] = ()
    """Komi is one of these; empty allows any, unknown included."""
    even: bool = False
    """No handicap, no setup stones, Black plays first."""
    has_winner: bool = False
    """Black or White won: no draws, no unknown results."""
    ends_in_passes: bool = False
    """The last two moves are passes."""
    from_year: int | None = None
    """Played in this year or later; games of unknown year fail."""
    before_year: int | None = None
    """Played before this year; games of unknown year pass, as most of them are old."""


@dataclass(frozen=True)
class GameStore:
    """Games as columns: `G` games, `M` moves in all.

    `moves`, `setup_black`, `setup_white`: `Lists` of points (row-major from the top left, pass = size * size).
    `size` int16[G]; `komi` float32[G] (NaN unknown); `handicap` int16[G]; `winner` int8[G] (1 Black, -1 White, 0 none);
    `result` str[G]; `black_rank`, `white_rank` int16[G] (see `move37.games.ranks`); `first_player` int8[G] (1 Black,
    -1 White); `year` int16[G] (0 unknown). Colours alternate from `first_player`. `marked_ply` int16[G]: the position
    after so many moves is the one of its game that counts (see `training.value_positions`); -1 where none is marked.
    `black_area`, `white_area`: `Lists` of the points that each owned in the end, dead stones taken off; empty where
    that is unknown.
    """

    size: NDArray[np.int16]
    komi: NDArray[np.float32]
    handicap: NDArray[np.int16]
    setup_black: Lists
    setup_white: Lists
    result: NDArray[np.str_]
    winner: NDArray[np.int8]
    black_rank: NDArray[np.int16]
    white_rank: NDArray[np.int16]
    year: NDArray[np.int16]
    first_player: NDArray[np.int8]
    moves: Lists
    marked_ply: NDArray[np.int16]
    black_area: Lists
    white_area: Lists

    @staticmethod
    def open(paths: str | Path | Iterable[str | Path]) -> GameStore:
        """Read one or more Parquet files. `GamesFileError` names the file that is missing, broken or does not fit."""
        chosen = [paths] if isinstance(paths, (str, Path)) else list(paths)
        if not chosen:
            raise GamesFileError("no games file was given; name at least one Parquet file of games")
        return GameStore.join([_read(Path(path)) for path in chosen])

    @staticmethod
    def join(parts: Sequence[GameStore]) -> GameStore:
        """The games of all parts, one after the other."""
        joined: dict[str, Any] = {}
        for field in fields(GameStore):
            pieces = [getattr(part, field.name) for part in parts]
            joined[field.name] = Lists.join(pieces) if isinstance(pieces[0], Lists) else np.concatenate(pieces)
        return GameStore(**joined)

    def __len__(self) -> int:
        return len(self.size)

    def select(self, chosen: NDArray[np.bool_] | NDArray[np.int64]) -> GameStore:
        """The games of a mask (bool[G]) or of indices (int[K]), in that order."""
        indices = np.flatnonzero(chosen) if chosen.dtype == np.bool_ else np.asarray(chosen, dtype=np.int64)
        taken: dict[str, Any] = {}
        for field in fields(self):
            column = getattr(self, field.name)
            taken[field.name] = column.take(indices) if isinstance(column, Lists) else column[indices]
        return GameStore(**taken)

    def filter(self, wanted: GameFilter) -> GameStore:
        """The games that satisfy every condition of `wanted`."""
        return self.select(self.matches(wanted))

    def matches(self, wanted: GameFilter) -> NDArray[np.bool_]:
        """bool[G]: which games satisfy every condition of `wanted`."""
        keep = self.moves.lengths >= wanted.min_moves
        if wanted.size is not None:
            keep &= self.size == wanted.size
        if wanted.komi:
            keep &= np.isin(self.komi, np.array(wanted.komi, dtype=np.float32))
        if wanted.even:
            keep &= (self.handicap == 0) & (self.first_player == 1)
            keep &= (self.setup_black.lengths == 0) & (self.setup_white.lengths == 0)
        if wanted.has_winner:
            keep &= self.winner != 0
        if wanted.ends_in_passes:
            keep &= self.ends_in_passes
        if wanted.from_year is not None:
            keep &= self.year >= wanted.from_year
        if wanted.before_year is not None:
            keep &= self.year < wanted.before_year
        return keep & self._ranks_match(wanted)

    def _ranks_match(self, wanted: GameFilter) -> NDArray[np.bool_]:
        keep = np.ones(len(self), dtype=np.bool_)
        winner = np.where(self.winner == 1, self.black_rank, self.white_rank)
        winner = np.where(self.winner == 0, UNKNOWN_RANK, winner)
        weaker = np.minimum(self.black_rank, self.white_rank)
        stronger = np.maximum(self.black_rank, self.white_rank)
        limits = ((wanted.min_rank, weaker), (wanted.min_winner_rank, winner), (wanted.min_best_rank, stronger))
        for limit, rank in limits:
            if limit is not None:
                keep &= rank >= required_rank(limit)
        if wanted.max_rank_gap is not None:
            keep &= (weaker != UNKNOWN_RANK) & (stronger - weaker <= wanted.max_rank_gap)
        return keep

    @property
    def ends_in_passes(self) -> NDArray[np.bool_]:
        """bool[G]: whether the last two moves are passes."""
        both = self.moves.lengths >= 2
        last = np.maximum(self.moves.offsets[1:], 2)
        passes = self.size.astype(np.int64) ** 2
        values = np.concatenate([self.moves.values, np.zeros(2, dtype=np.uint16)])  # so that an empty store indexes
        ended: NDArray[np.bool_] = both & (values[last - 1] == passes) & (values[last - 2] == passes)
        return ended

    def with_final_passes(self) -> GameStore:
        """The same games, two passes added to those that were counted and do not end in two passes already."""
        added = np.where(~np.isnan(self.margin) & ~self.ends_in_passes, 2, 0)
        passes = np.repeat((self.size.astype(np.int64) ** 2).astype(np.uint16), added)
        return replace(self, moves=self.moves.appended(passes, added))

    @property
    def margin(self) -> NDArray[np.float64]:
        """float64[G]: Black's counted margin after komi, NaN where the game was not counted."""
        return np.array([counted_margin(text) for text in self.result.tolist()], dtype=np.float64)

    def replay(self, games: NDArray[np.int64], plies: NDArray[np.int64], komi: float = 7.5) -> NDArray[Any]:
        """BOARD[B]: the position of game `games[i]` (int64[B]) after its first `plies[i]` (int64[B]) moves.

        Simple ko, no suicide, and `komi` for all. ValueError if a game or ply does not exist, `GamesFileError` if a
        game is illegal before its ply.
        """
        if len(games) and (games.min() < 0 or games.max() >= len(self)):
            raise ValueError(f"games are 0 to {len(self) - 1}")
        if len(games) and (plies.min() < 0 or np.any(plies > self.moves.lengths[games])):
            raise ValueError("a ply lies beyond the end of its game")
        boards, bad = self.replayed(games, plies, komi)
        if bad >= 0:
            raise GamesFileError(
                f"game {games[bad]} of the store cannot be replayed: illegal after {boards[bad]['move_number']} moves; "
                "leave it out"
            )
        return boards

    def replayed(
        self, games: NDArray[np.int64], plies: NDArray[np.int64], komi: float = 7.5
    ) -> tuple[NDArray[Any], int]:
        """As `replay` for games and plies that exist, and -1, or the first i whose game is illegal before its ply.

        The record of that one has as many moves as could be replayed; those after it are unset.
        """
        from move37.games.replay_kernels import replay
        from move37.rules.board_kernels import BOARD

        boards = np.zeros(len(games), dtype=BOARD)
        boards["komi"] = komi
        black, white, moves = self.setup_black, self.setup_white, self.moves
        setup = (black.values, black.offsets, white.values, white.offsets)
        bad = replay(boards, moves.values, moves.offsets, *setup, self.size, self.first_player, games, plies)
        return boards, bad

    def split(self, held_out: float, seed: int) -> tuple[GameStore, GameStore]:
        """(train, held out) by game. A game's side depends on its moves and `seed` alone, so filters never move it."""
        limit = int(held_out * 2**32)
        start = zlib.crc32(str(seed).encode("ascii"))
        digests = [zlib.crc32(self.moves[index].tobytes(), start) for index in range(len(self))]
        held = np.array(digests, dtype=np.int64) < limit
        return self.select(~held), self.select(held)

    def describe(self) -> dict[str, Any]:
        """What the store holds, ready to print: games, moves, sizes, komi, results, ranks, years.

        ``handicap_games`` have a handicap, ``other_setup_games`` stones on the board at the start and none.
        """
        known = self.year[self.year != UNKNOWN_YEAR]
        komi = np.round(self.komi.astype(np.float64), 2)
        set_up = (self.setup_black.lengths > 0) | (self.setup_white.lengths > 0)
        return {
            "games": len(self),
            "moves": int(self.moves.offsets[-1]),
            "sizes": _counts(self.size),
            "komi": _counts(komi[~np.isnan(komi)]) | {"unknown": int(np.isnan(komi).sum())},
            "handicap_games": int((self.handicap > 0).sum()),
            "other_setup_games": int(((self.handicap <= 0) & set_up).sum()),
            "black_wins": int((self.winner == 1).sum()),
            "white_wins": int((self.winner == -1).sum()),
            "no_winner": int((self.winner == 0).sum()),
            "counted": int((~np.isnan(self.margin)).sum()),
            "end_in_two_passes": int(self.ends_in_passes.sum()),
            "both_dan": int((np.minimum(self.black_rank, self.white_rank) >= 1).sum()),
            "rank_unknown": int((np.minimum(self.black_rank, self.white_rank) == UNKNOWN_RANK).sum()),
            "years": [int(known.min()), int(known.max())] if len(known) else [],
        }

    def write(self, path: str | Path) -> None:
        """Write the games as one Parquet file; `path` is whole or untouched. `GamesFileError` if that fails."""
        columns.write_table(path, self.columns())

    def columns(self) -> dict[str, NDArray[Any] | Lists]:
        """What a file holds of these games, by column."""
        wanted = [field.name for field in fields(self)]
        if not (self.marked_ply > UNMARKED).any():
            wanted.remove("marked_ply")
        if not len(self.black_area.values) and not len(self.white_area.values):
            wanted = [name for name in wanted if name not in AREAS]
        return {name: getattr(self, name) for name in wanted}


def even_games(
    size: NDArray[np.int16],
    komi: NDArray[np.float32],
    moves: Lists,
    results: Sequence[str],
    winner: NDArray[np.int8],
    marked_ply: NDArray[np.int16] | None = None,
    areas: tuple[Lists, Lists] | None = None,
) -> GameStore:
    """Games from the empty board, Black first, by players of whom nothing is known; columns as in `GameStore`.

    `areas`: those of Black and of White.
    """
    count = len(size)
    nothing = Lists.nothing(count)
    black_area, white_area = areas or (nothing, nothing)
    unranked = np.full(count, UNKNOWN_RANK, np.int16)
    return GameStore(
        size=size,
        komi=komi,
        handicap=np.zeros(count, np.int16),
        setup_black=nothing,
        setup_white=nothing,
        result=np.array(results, np.str_),
        winner=winner,
        black_rank=unranked,
        white_rank=unranked,
        year=np.full(count, UNKNOWN_YEAR, np.int16),
        first_player=np.ones(count, np.int8),
        moves=moves,
        marked_ply=np.full(count, UNMARKED, np.int16) if marked_ply is None else marked_ply,
        black_area=black_area,
        white_area=white_area,
    )


def _counts(values: NDArray[Any]) -> dict[str, int]:
    found: NDArray[Any]
    found, counts = np.unique(values, return_counts=True)
    order = np.argsort(-counts, kind="stable")[:8]
    return {f"{found[index]:g}": int(counts[index]) for index in order}


def _read(path: Path) -> GameStore:
    return checked_store(path, columns.read_table(path))


def checked_store(path: Path, table: columns.Table) -> GameStore:
    """The games of a table that was read from `path`; `GamesFileError` for values that no games have."""
    try:
        store = _from_table(table)
    except GamesFileError as error:
        raise GamesFileError(f"games file {path}: {error}") from error
    _check_values(path, store)
    return store


def _from_table(table: columns.Table) -> GameStore:
    return GameStore(
        size=columns.numbers(table, "size", np.int16, 0),
        komi=columns.numbers(table, "komi", np.float32, np.nan),
        handicap=columns.numbers(table, "handicap", np.int16, 0),
        setup_black=columns.lists(table, "setup_black"),
        setup_white=columns.lists(table, "setup_white"),
        result=columns.texts(table, "result"),
        winner=columns.numbers(table, "winner", np.int8, 0),
        black_rank=columns.ranks(table, "black_rank"),
        white_rank=columns.ranks(table, "white_rank"),
        year=columns.numbers(table, "year", np.int16, UNKNOWN_YEAR),
        first_player=columns.numbers(table, "first_player", np.int8, 1),
        moves=columns.lists(table, "moves"),
        marked_ply=columns.numbers(table, "marked_ply", np.int16, UNMARKED),
        black_area=columns.lists(table, "black_area"),
        white_area=columns.lists(table, "white_area"),
    )


def _check_values(path: Path, store: GameStore) -> None:
    """Kernels trust points and players, so they are checked once, here."""
    wrong = (store.size < 1) | (store.size > 19)
    if wrong.any():
        game = int(np.flatnonzero(wrong)[0])
        raise GamesFileError(f"games file {path}: game {game} has size {store.size[game]}; sizes are 1 to 19")
    _check_points(path, store.moves, "move", store.size.astype(np.int64) ** 2 + 1)
    points = store.size.astype(np.int64) ** 2
    for stones in (store.setup_black, store.setup_white):
        _check_points(path, stones, "stone", points)
    for area in AREAS:
        _check_points(path, getattr(store, area), f"point of its {area}", points)
    beyond = (store.marked_ply < UNMARKED) | (store.marked_ply >= store.moves.lengths)
    if beyond.any():
        game = int(np.flatnonzero(beyond)[0])
        raise GamesFileError(
            f"games file {path}: game {game} marks the position after {store.marked_ply[game]} moves; "
            f"it has one before each of its {store.moves.lengths[game]} moves"
        )
    players = ~np.isin(store.first_player, (1, -1)) | ~np.isin(store.winner, (1, 0, -1))
    if players.any():
        game = int(np.flatnonzero(players)[0])
        raise GamesFileError(f"games file {path}: game {game} has a first_player or winner other than 1 and -1 (or 0)")


def _check_points(path: Path, points: Lists, what: str, limits: NDArray[np.int64]) -> None:
    """Every point of game g is below `limits[g]` (int64[G])."""
    outside = np.flatnonzero(points.values >= np.repeat(limits, points.lengths))
    if len(outside):
        first = int(outside[0])
        game = int((points.offsets <= first).sum()) - 1
        point = points.values[first]
        raise GamesFileError(f"games file {path}: game {game} has a {what} at point {point}, off its board")
