"""Games of self-play: a store of games, and beside every move what its search found.

The file is a games file like any other (`games.store` reads it) with further columns. What a search is to teach is kept
sparse: the moves that have any weight, and their weights as whole numbers, which become shares when they are read.
Numbers are kept in steps, as they are written, so a chunk that was played is the very one that is read back. Plays
nothing, and makes no planes.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from move37.errors import GamesFileError
from move37.games import columns
from move37.games.columns import Lists
from move37.games.store import AREAS, GameStore, checked_store
from move37.rules import batch_kernels
from move37.rules.records import new_records, write_rules
from move37.rules.repetition_kernels import KEYS_A_PLY
from move37.rules.ruleset import RULESETS, ruleset

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["FULL", "OPENING", "SelfPlayGames"]

FULL, OPENING = 1, 2
"""Bits of `flags`: the move was searched in full; it was drawn from the raw policy, before the game began."""

VALUE_STEPS, WEIGHT_STEPS = 10_000, 1000
"""Parts of 1 to which values and weights are kept."""
_MOST = 2**16 - 1

_KINDS = {
    "number": "integer",
    "rules": "text",
    "played_out": "integer",
    "root_values": "list of integers",
    "best_values": "list of integers",
    "weights": "list of integers",
    "flags": "list of integers",
    "target_counts": "list of integers",
    "target_points": "list of integers",
    "target_weights": "list of integers",
}
_A_MOVE = ("root_values", "best_values", "weights", "flags", "target_counts")


@dataclass(frozen=True)
class SelfPlayGames:
    """G games with M moves in all. All lists have an entry for every move of a game, but the last two.

    `games`: the moves, the results, and who owned what in the end where the game was not resigned. `number` int64[G]:
    each game's number in its run. `rules` str[G]: the name of its rules. `played_out` int8[G]: 1 where resignation was
    switched off, to check it. `root_values`, `best_values`: what the search made of the position and of the move it
    liked best, for the player to move, see `value`. `weights`: how often the position before the move is to be drawn,
    see `weight`. `flags`: FULL and OPENING. `target_counts`: how many entries of `target_points` and `target_weights`
    say what the search is to teach of the move; see `targets`.
    """

    games: GameStore
    number: NDArray[np.int64]
    rules: NDArray[np.str_]
    played_out: NDArray[np.int8]
    root_values: Lists
    best_values: Lists
    weights: Lists
    flags: Lists
    target_counts: Lists
    target_points: Lists
    target_weights: Lists

    @staticmethod
    def open(paths: str | Path | Iterable[str | Path]) -> SelfPlayGames:
        """Read one or more files. `GamesFileError` names the one that is missing, broken or of another kind."""
        chosen = [paths] if isinstance(paths, (str, Path)) else list(paths)
        if not chosen:
            raise GamesFileError("no games file was given; name at least one file of self-play games")
        return SelfPlayGames.join([_read(Path(path)) for path in chosen])

    @staticmethod
    def join(parts: Sequence[SelfPlayGames]) -> SelfPlayGames:
        """The games of all parts, one after the other."""
        joined: dict[str, Any] = {"games": GameStore.join([part.games for part in parts])}
        for name in _KINDS:
            pieces = [getattr(part, name) for part in parts]
            joined[name] = Lists.join(pieces) if isinstance(pieces[0], Lists) else np.concatenate(pieces)
        return SelfPlayGames(**joined)

    def __len__(self) -> int:
        return len(self.games)

    def select(self, chosen: NDArray[np.bool_] | NDArray[np.int64]) -> SelfPlayGames:
        """The games of a mask (bool[G]) or of indices (int[K]), in that order."""
        indices = np.flatnonzero(chosen) if chosen.dtype == np.bool_ else np.asarray(chosen, dtype=np.int64)
        taken: dict[str, Any] = {"games": self.games.select(indices)}
        for name in _KINDS:
            column = getattr(self, name)
            taken[name] = column.take(indices) if isinstance(column, Lists) else column[indices]
        return SelfPlayGames(**taken)

    def write(self, path: str | Path) -> None:
        """Write the games as one Parquet file; `path` is whole or untouched. `GamesFileError` if that fails."""
        areas = {name: getattr(self.games, name) for name in AREAS}
        columns.write_table(path, self.games.columns() | areas | {name: getattr(self, name) for name in _KINDS})

    @property
    def moves(self) -> int:
        """M, the moves of all games."""
        return len(self.games.moves.values)

    def replay(self, games: NDArray[np.int64], plies: NDArray[np.int64]) -> NDArray[Any]:
        """BOARD[B]: the positions that were searched, of game `games[i]` after its first `plies[i]` moves (int64[B]).

        Under the games' own rules and komi, what superko forbids written into each. All of one board size, ValueError
        otherwise; `GamesFileError` if a game is illegal before its ply.
        """
        boards = self._empty_boards(games)
        moves, starts = self.games.moves.values, self.games.moves.offsets[:-1][games]
        keys = np.zeros((len(games), 1 + KEYS_A_PLY * int(plies.max(initial=0))), np.uint64)
        counts = np.zeros(len(games), np.int64)
        batch_kernels.start_keys(boards, np.ones(len(games), np.bool_), keys, counts)
        for ply in range(int(plies.max(initial=0))):
            resting = plies <= ply
            actions = np.full(len(games), -1, np.int64)
            actions[~resting] = moves[starts[~resting] + ply]
            wrong, _ = batch_kernels.first_wrong(boards, actions, resting)
            if wrong >= 0:
                number = self.number[games[wrong]]
                raise GamesFileError(
                    f"self-play game {number} cannot be replayed: illegal after {ply} moves; leave it out"
                )
            batch_kernels.play_all(boards, actions, keys, counts)
        return boards

    def _empty_boards(self, games: NDArray[np.int64]) -> NDArray[Any]:
        """BOARD[B]: where the games begin."""
        sizes, names = np.unique(self.games.size[games]), self.rules[games]
        if len(sizes) != 1:
            raise ValueError("games that are replayed together have one board size")
        boards = new_records(len(games), int(sizes[0]), int(sizes[0]), RULESETS["tromp-taylor"], 0.0)
        boards["komi"] = self.games.komi[games]
        for name in np.unique(names).tolist():
            chosen = boards[names == name]
            write_rules(chosen, ruleset(name))
            boards[names == name] = chosen
        return boards

    @property
    def root_value(self) -> NDArray[np.float32]:
        """float32[M] in [-1, 1]: the search's value of the position, for the player to move."""
        return _values(self.root_values)

    @property
    def best_value(self) -> NDArray[np.float32]:
        """float32[M] in [-1, 1]: the mean value of the move it liked best, for the player to move."""
        return _values(self.best_values)

    @property
    def weight(self) -> NDArray[np.float32]:
        """float32[M]: 1 for a usual position that is learnt from, 0 for one that is not."""
        return (self.weights.values / np.float32(WEIGHT_STEPS)).astype(np.float32)

    @property
    def target_offsets(self) -> NDArray[np.int64]:
        """int64[M + 1]: the entries of move m are those from `target_offsets[m]` to `target_offsets[m + 1]`."""
        return np.concatenate([[0], np.cumsum(self.target_counts.values, dtype=np.int64)])

    def targets(
        self, moves: NDArray[np.int64], actions: int, offsets: NDArray[np.int64] | None = None
    ) -> NDArray[np.float32]:
        """Policy targets float32[K, actions], rows that sum to 1, of moves int64[K] by their numbers (0 to M - 1).

        All zeros where a move has none. `offsets`: `target_offsets`, if they are at hand.
        """
        offsets = self.target_offsets if offsets is None else offsets
        counts = offsets[moves + 1] - offsets[moves]
        rows = np.repeat(np.arange(len(moves)), counts)
        within = np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts)
        entries = np.repeat(offsets[moves], counts) + within
        found = np.zeros((len(moves), actions), np.float32)
        found[rows, self.target_points.values[entries]] = self.target_weights.values[entries]
        found /= np.maximum(found.sum(axis=1, keepdims=True), np.float32(1))
        return found


def value_code(value: float) -> int:
    """A value in [-1, 1] as it is kept; ValueError for what is no number."""
    if not math.isfinite(value):
        raise ValueError(f"a value of self-play is {value}")
    return round((min(1.0, max(-1.0, value)) + 1.0) * VALUE_STEPS)


def weight_code(weight: float) -> int:
    """A weight of 0 or more as it is kept."""
    return min(_MOST, round(weight * WEIGHT_STEPS))


def _values(codes: Lists) -> NDArray[np.float32]:
    return (codes.values / np.float32(VALUE_STEPS) - np.float32(1)).astype(np.float32)


def _read(path: Path) -> SelfPlayGames:
    table = columns.read_table(path, _KINDS | dict.fromkeys(AREAS, "list of integers"))
    games = checked_store(path, table)
    try:
        found: dict[str, Any] = {
            "number": columns.numbers(table, "number", np.int64, -1),
            "rules": columns.texts(table, "rules"),
            "played_out": columns.numbers(table, "played_out", np.int8, 0),
        }
    except GamesFileError as error:
        raise GamesFileError(f"games file {path}: {error}") from error
    found |= {name: columns.lists(table, name) for name, kind in _KINDS.items() if kind == "list of integers"}
    store = SelfPlayGames(games=games, **found)
    _check(path, store)
    return store


def _check(path: Path, store: SelfPlayGames) -> None:
    """Refuse columns that do not fit each other, which whoever reads targets and replays games relies on."""
    lengths = store.games.moves.lengths
    wrong = {name: getattr(store, name).lengths != lengths for name in _A_MOVE}
    wrong["rules"] = ~np.isin(store.rules, list(RULESETS))
    if not wrong["target_counts"].any():
        entries = np.diff(store.target_offsets[store.games.moves.offsets])
        wrong["target_points"] = store.target_points.lengths != entries
        wrong["target_weights"] = store.target_weights.lengths != entries
    for name, games in wrong.items():
        if games.any():
            game = int(np.flatnonzero(games)[0])
            raise GamesFileError(f"games file {path}: game {game} has {name} that do not fit its moves")
    points = store.games.size.astype(np.int64) ** 2
    if (store.target_points.values >= np.repeat(points + 1, store.target_points.lengths)).any():
        raise GamesFileError(f"games file {path}: its target_points name a point off a board")
