"""What the games of a tournament say: scores, sequential tests, Elo with intervals, and the cross-table.

A pairing with a sequential test is read in the order of its games' numbers, however they came to an end: the game that
decides is the last that counts. So the table hangs on the games alone, not on how many were played at a time, nor on
where a run was killed. Void games count for nobody; a game lost on time or by a failing player is a loss.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from move37.arena.game import GameResult
from move37.arena.game_log import games_of, read_lines
from move37.arena.match import MatchResult
from move37.arena.rating import Estimate, Ratings, rate
from move37.arena.sprt import Sprt
from move37.arena.tournament_plan import Pairing, Tournament

__all__ = ["Row", "Standings", "games_in", "result_of", "standings_in", "standings_of"]


@dataclass(frozen=True)
class Row:
    """A player in the table; `elo` is on the tournament's scale."""

    player: str
    spec: str
    elo: Estimate
    wins: int
    draws: int
    losses: int

    @property
    def games(self) -> int:
        """That count."""
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """A win is one, a draw one half."""
        return self.wins + self.draws / 2


@dataclass(frozen=True)
class Standings:
    """All pairings of a tournament and what was played of them; `results` are those of `tournament.pairings`."""

    tournament: Tournament
    results: tuple[MatchResult, ...]

    @property
    def pairs(self) -> list[tuple[Pairing, MatchResult]]:
        """Each pairing with its games."""
        return list(zip(self.tournament.pairings, self.results, strict=True))

    @property
    def counted(self) -> int:
        """Games that count."""
        return sum(result.counted for result in self.results)

    @property
    def is_over(self) -> bool:
        """Whether nothing is left to play."""
        return all(self.is_done(result) for result in self.results)

    def is_done(self, result: MatchResult) -> bool:
        """Whether a pairing is."""
        return result.verdict is not None or len(result.games) >= self.tournament.games

    @cached_property
    def ratings(self) -> Ratings:
        """The players' ratings, in the order of `tournament.players`."""
        names = list(self.tournament.players)
        seen = np.zeros((3, len(names), len(names)))
        for pairing, result in self.pairs:
            for game in result.games:
                black, white = pairing.name(game.black), pairing.name("B" if game.black == "A" else "A")
                if game.reason != "void":
                    how = 1 if game.winner is None else 0 if game.winner == game.black else 2
                    seen[how, names.index(black), names.index(white)] += 1
        return rate(*seen)

    @cached_property
    def rows(self) -> list[Row]:
        """The players, the strongest first."""
        rows = [self._row(number, *item) for number, item in enumerate(self.tournament.players.items())]
        return sorted(rows, key=lambda row: -row.elo.value)

    def _row(self, number: int, name: str, spec: str) -> Row:
        names, base = list(self.tournament.players), self.tournament.anchor_elo
        anchor = self.tournament.anchor
        elo = self.ratings.elo(number, None if anchor is None else names.index(anchor))
        mine = [(result, pairing.a == name) for pairing, result in self.pairs if name in (pairing.a, pairing.b)]
        wins = sum(result.wins if first else result.losses for result, first in mine)
        losses = sum(result.losses if first else result.wins for result, first in mine)
        shifted = Estimate(elo.value + base, elo.low + base, elo.high + base)
        return Row(name, spec, shifted, wins, sum(result.draws for result, _ in mine), losses)

    @property
    def cross_table(self) -> dict[str, dict[str, list[int]]]:
        """Wins, draws and losses of each player (first key) against each other that it is to meet."""
        table: dict[str, dict[str, list[int]]] = {row.player: {} for row in self.rows}
        for pairing, result in self.pairs:
            table[pairing.a][pairing.b] = [result.wins, result.draws, result.losses]
            table[pairing.b][pairing.a] = [result.losses, result.draws, result.wins]
        return table

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; intervals are 95 % ones, Elo on the tournament's scale."""
        plan, names = self.tournament, list(self.tournament.players)
        settings = plan.shared | {"games": plan.games, "gauntlet": list(plan.gauntlet), "clock": plan.clock}
        players = [_plain_row(place, row) for place, row in enumerate(self.rows, 1)]
        covariance = self.ratings.covariance[: len(names), : len(names)]
        return {
            "name": plan.name,
            "settings": settings | {"sprt": plan.sprt, "anchor": plan.anchor, "anchor_elo": plan.anchor_elo},
            "is_over": self.is_over,
            "games": self.counted,
            "players": players,
            "black_advantage": asdict(self.ratings.advantage),
            "draws_between_equals": asdict(self.ratings.draws),
            "covariance": {"players": names, "elo2": covariance.tolist()},
            "pairings": [result.to_dict() for result in self.results],
            "cross_table": self.cross_table,
        }


def _plain_row(place: int, row: Row) -> dict[str, Any]:
    counts = {"games": row.games, "wins": row.wins, "draws": row.draws, "losses": row.losses, "points": row.points}
    elo = {"elo": row.elo.value, "interval_95": [row.elo.low, row.elo.high]}
    return {"place": place, "player": row.player, "spec": row.spec} | elo | counts


def games_in(tournament: Tournament, lines: Sequence[Mapping[str, Any]]) -> dict[Pairing, dict[int, GameResult]]:
    """The tournament's games among a log's lines, by pairing and number."""
    found: dict[Pairing, dict[int, GameResult]] = {}
    for pairing in tournament.pairings:
        games = games_of(lines, "tournament", tournament.key(pairing), tournament.games)
        found[pairing] = {game.number: game for game in games}
    return found


def result_of(tournament: Tournament, pairing: Pairing, games: Mapping[int, GameResult]) -> MatchResult:
    """A pairing's result from its games by number: all of them, or those that its sequential test takes in order."""
    test = tournament.test
    counted = [games[number] for number in sorted(games)] if test is None else _up_to_the_verdict(games, test)
    return MatchResult(pairing.a, pairing.b, counted, test)


def _up_to_the_verdict(games: Mapping[int, GameResult], test: Sprt) -> list[GameResult]:
    """The games in order, up to the first that is missing, or to the one that decides."""
    counted: list[GameResult] = []
    wins = losses = 0.0
    while test.verdict(wins, losses) is None and (game := games.get(len(counted))) is not None:
        counted.append(game)
        if game.reason != "void":
            wins += {"A": 1.0, "B": 0.0, None: 0.5}[game.winner]
            losses += {"A": 0.0, "B": 1.0, None: 0.5}[game.winner]
    return counted


def standings_of(tournament: Tournament, games: Mapping[Pairing, Mapping[int, GameResult]]) -> Standings:
    """The standings after these games of each pairing, by number."""
    return Standings(tournament, tuple(result_of(tournament, one, games[one]) for one in tournament.pairings))


def standings_in(tournament: Tournament, log: Path) -> Standings:
    """The standings after the games in `log`; none is played. `ConfigError` for a file that is no log."""
    return standings_of(tournament, games_in(tournament, read_lines(log, "tournament")))
