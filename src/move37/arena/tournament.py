"""Playing a tournament: the games that its log does not hold yet, several at a time, unattended.

Each finished game is a line of the log at once, so the same call goes on after a kill, and the table is the same in the
end. For that a player of this package is made anew for each game, with a seed drawn from the tournament's, the pairing
and the game's number, unless its text has a seed; so its games depend on nothing else (as far as it is limited by
visits, not by time). Other programs stay for all games of a thread: starting one may take long, and their chance is
their own.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from zlib import crc32

import numpy as np

from move37.arena.game import GameResult, play_game
from move37.arena.game_log import add_game, add_line, read_lines
from move37.arena.game_records import write_missing_records, write_record
from move37.arena.standings import Standings, games_in, result_of, standings_in, standings_of
from move37.arena.tables import Table, side_by_side
from move37.arena.tournament_plan import Pairing, Tournament, load_tournament
from move37.gtp.any_player import player
from move37.gtp.player_words import player_words
from move37.players.player import Player

__all__ = ["Listener", "Tournament", "load_tournament", "play_tournament", "standings_in"]

Listener = Callable[[Standings, Pairing, GameResult], None]
"""Hears of each finished game, and the standings after it, from one thread at a time."""


def play_tournament(
    tournament: Tournament,
    log: Path | str,
    *,
    sgf: Path | None = None,
    on_game: Listener | None = None,
    makers: Mapping[str, Callable[[], Player]] | None = None,
) -> Standings:
    """Play what is not in `log` yet and return the standings of all.

    `sgf`: a folder for the records of all games, also of those in the log. `makers` make players by their names in
    the tournament, instead of by their texts, which must then change where the players do: the log knows only texts.
    A player that fails loses that game. Raises `ConfigError` for a log that cannot be read or written, `PlayerError`,
    `NetworkFileError` and `GtpError` before the first game for a player that cannot be made or cannot play on the
    board, and `SgfError` for records that cannot be written.
    """
    path, cast = Path(log), _Cast(tournament, makers or {})
    games = games_in(tournament, read_lines(path, "tournament", mend=True))
    add_line(path, "")
    if sgf is not None:
        write_missing_records(sgf, tournament, games)
    missing = sum(tournament.games - len(found) for found in games.values())
    if missing and not standings_of(tournament, games).is_over:
        with ExitStack() as stack:
            tables = [cast.table() for _ in range(min(tournament.parallel, missing))]
            for table in tables:
                stack.callback(table.close)
            cast.appear(tables[0])
            hall = _Hall(tournament, cast, games, _Books(tournament, path, sgf, on_game))
            side_by_side(tables, hall.next, hall.play, hall.stopped)
    return standings_of(tournament, games)


@dataclass(frozen=True)
class _Books:
    """Where finished games go: the log, the records, the listener."""

    tournament: Tournament
    log: Path
    sgf: Path | None
    on_game: Listener | None

    def enter(self, games: Mapping[Pairing, Mapping[int, GameResult]], pairing: Pairing, number: int) -> None:
        """Write down the game of a number, which is the newest of `games`."""
        game = games[pairing][number]
        add_game(self.log, (pairing.a, pairing.b), game, {"tournament": self.tournament.key(pairing)})
        if self.sgf is not None:
            write_record(self.sgf, self.tournament, pairing, game)
        if self.on_game is not None:
            self.on_game(standings_of(self.tournament, games), pairing, game)


class _Cast:
    """Who plays: how each player is made, and whether it stays at its table."""

    def __init__(self, tournament: Tournament, makers: Mapping[str, Callable[[], Player]]) -> None:
        self._tournament = tournament
        self._makers = makers

    def table(self) -> Table:
        """A table at which everybody may sit; nobody does yet."""
        return Table({name: partial(self._make, name) for name in self._tournament.players})

    def appear(self, table: Table) -> None:
        """Have everybody at the table for a moment: who cannot play is told before the first game."""
        for name in dict.fromkeys(name for pairing in self._tournament.pairings for name in (pairing.a, pairing.b)):
            table.ready(name, self._tournament.size, prepare=False)
            self.leave(table, name)

    def sit(self, table: Table, name: str, seed: int) -> None:
        """Have a player at the table for a game; one of this package begins from `seed`."""
        table.ready(name, self._tournament.size, prepare=self._tournament.clock is not None, seed=seed)

    def leave(self, table: Table, name: str) -> None:
        """After a game: programs, and players that somebody else makes, stay."""
        if name not in self._makers and not player_words(self._tournament.players[name]).is_program:
            table.vacate(name)

    def _make(self, name: str, seed: int | None = None) -> Player:
        if name in self._makers:
            return self._makers[name]()
        text = self._tournament.players[name]
        return player(text, seed=seed) if "seed" in player_words(text).known else player(text)


def _seed(tournament: Tournament, pairing: Pairing, number: int, side: str) -> int:
    """The seed of a player of this package in one game; the names of the pairing stand in for its place in a list."""
    words = [tournament.seed, crc32(pairing.title.encode()), number, "AB".index(side)]
    return int(np.random.SeedSequence(words).generate_state(1)[0])


class _Hall:
    """What the threads share: which game is next, and what was played."""

    def __init__(
        self,
        tournament: Tournament,
        cast: _Cast,
        games: dict[Pairing, dict[int, GameResult]],
        books: _Books,
    ) -> None:
        self.stopped = threading.Event()
        self._tournament = tournament
        self._cast = cast
        self._games = games
        self._books = books
        self._order = tournament.order
        self._lock = threading.Lock()

    def next(self) -> tuple[Pairing, int] | None:
        """The next game that is neither played nor needless; None at the end, or when all is to stop."""
        with self._lock:
            wanted = (one for one in self._order if one[1] not in self._games[one[0]] and not self._decided(one[0]))
            return None if self.stopped.is_set() else next(wanted, None)

    def play(self, table: Table, which: tuple[Pairing, int]) -> None:
        """Play one game at a table and write it down."""
        pairing, number = which
        names = (pairing.a, pairing.b)
        for side, name in zip("AB", names, strict=True):
            self._cast.sit(table, name, _seed(self._tournament, pairing, number, side))
        game = table.play(names, partial(self._game, number))
        for name in names:
            self._cast.leave(table, name)
        with self._lock:
            self._games[pairing][number] = game
            self._books.enter(self._games, pairing, number)

    def _game(self, number: int, players: Mapping[str, Player]) -> GameResult:
        plan, black = self._tournament, "AB"[number % 2]
        stopped = self.stopped.is_set
        return play_game(players, black, plan.start(number), number, plan.max_moves, stopped, plan.time_system)

    def _decided(self, pairing: Pairing) -> bool:
        return result_of(self._tournament, pairing, self._games[pairing]).verdict is not None
