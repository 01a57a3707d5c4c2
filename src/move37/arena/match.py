"""A match: two players, many games, balanced colours, and a result with its 95 % interval.

Games come in pairs: both games of a pair start from the same random opening (drawn from the seed and the pair's
number), with colours swapped. A finished game is written to the log at once, so a killed match loses only the games
going on. Parallel games run in threads, each with players of its own; the players' time is spent in compiled code, in
networks or in other programs, which run beside each other.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field
from functools import partial
from math import sqrt
from pathlib import Path
from typing import Any

from move37.arena.conditions import opening
from move37.arena.game import GameResult, play_game
from move37.arena.game_log import add_game, add_line
from move37.arena.sprt import Sprt, Verdict
from move37.arena.tables import PlayerFactory, Table, side_by_side
from move37.errors import ConfigError, PlayerError
from move37.gtp.any_player import player
from move37.players.player import Player
from move37.rules.ruleset import Ruleset
from move37.search.clock import TimeSystem

NORMAL_95 = 1.959963984540054
"""97.5th percentile of the standard normal distribution."""
_SIDES = ("A", "B")


def wilson_interval(score: float, games: int) -> tuple[float, float]:
    """95 % interval of a winning rate `score` in [0, 1] seen in `games` games (E. B. Wilson, 1927).

    A draw counts as half a win, for which the interval is a little too wide.
    """
    if games == 0:
        return 0.0, 1.0
    z2 = NORMAL_95**2
    centre = (score + z2 / (2 * games)) / (1 + z2 / games)
    half = NORMAL_95 * sqrt(score * (1 - score) / games + z2 / (4 * games**2)) / (1 + z2 / games)
    return max(0.0, centre - half), min(1.0, centre + half)


@dataclass(frozen=True)
class MatchResult:
    """What a match gave, from player A's view. Scores and rates are in [0, 1]; a draw is half a win.

    Void games, in which a program refused a legal move or a long cycle left no result, are kept in `games` but count
    for nobody.
    """

    name_a: str
    name_b: str
    games: list[GameResult] = field(default_factory=list[GameResult])
    sprt: Sprt | None = None

    @property
    def verdict(self) -> Verdict | None:
        """What the sequential test says, if there is one and it has seen enough."""
        return (
            None if self.sprt is None else self.sprt.verdict(self.wins + self.draws / 2, self.losses + self.draws / 2)
        )

    @property
    def wins(self) -> int:
        """Games won by A."""
        return sum(game.winner == "A" for game in self.games)

    @property
    def losses(self) -> int:
        """Games won by B."""
        return sum(game.winner == "B" for game in self.games)

    @property
    def draws(self) -> int:
        """Games that nobody won."""
        return self.counted - self.wins - self.losses

    @property
    def void(self) -> list[GameResult]:
        """Games that do not count: the players' rules differ, or there is no result."""
        return [game for game in self.games if game.reason == "void"]

    @property
    def counted(self) -> int:
        """Games that count."""
        return len(self.games) - len(self.void)

    @property
    def score(self) -> float:
        """A's wins and half its draws, over the games that count; 0.5 before the first one."""
        return (self.wins + self.draws / 2) / self.counted if self.counted else 0.5

    @property
    def interval(self) -> tuple[float, float]:
        """The score's 95 % interval."""
        return wilson_interval(self.score, self.counted)

    @property
    def forfeits(self) -> list[GameResult]:
        """Games that ended because a player failed."""
        return [game for game in self.games if game.reason == "forfeit"]

    def lost_on_time(self, side: str) -> int:
        """Games that "A" or "B" lost on time."""
        return sum(game.reason == "time" and game.winner != side for game in self.games)

    def __str__(self) -> str:
        low, high = self.interval
        late = {name: self.lost_on_time(side) for side, name in (("A", self.name_a), ("B", self.name_b))}
        on_time = "".join(f"; {name} lost {count} on time" for name, count in late.items() if count)
        void = f" and {len(self.void)} void" if self.void else ""
        return (
            f"{self.name_a} against {self.name_b}: {self.wins} wins, {self.losses} losses, {self.draws} draws"
            f" in {self.counted} games{void}; score {self.score:.1%} (95 % interval {low:.1%} to {high:.1%}){on_time}"
            f"{self._tested()}"
        )

    def _tested(self) -> str:
        if self.sprt is None:
            return ""
        found = {None: "not decided yet", "stronger": "A is stronger", "not stronger": "A is not that much stronger"}
        claim = f"50 % or {self.sprt.score:.0%}, {1 - self.sprt.error:.0%} sure"
        return f"; sequential test ({claim}): {found[self.verdict]}"

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON, without the games' moves (the log has them)."""
        return {
            "player_a": self.name_a,
            "player_b": self.name_b,
            "games": self.counted,
            "wins": self.wins,
            "losses": self.losses,
            "draws": self.draws,
            "score": self.score,
            "interval_95": list(self.interval),
            "as_black": sum(game.winner == "A" for game in self.games if game.black == "A"),
            "as_white": sum(game.winner == "A" for game in self.games if game.black == "B"),
            "lost_on_time": {side: self.lost_on_time(side) for side in "AB"},
            "forfeits": [game.error for game in self.forfeits],
            "void": [game.error for game in self.void],
            "sprt": None if self.sprt is None else {**asdict(self.sprt), "verdict": self.verdict},
        }


def match(
    player_a: Player | PlayerFactory | str,
    player_b: Player | PlayerFactory | str,
    games: int = 20,
    *,
    size: int = 9,
    rules: str | Ruleset = "chinese",
    komi: float = 7.0,
    seed: int = 0,
    opening_moves: int = 2,
    max_moves: int | None = None,
    parallel: int = 1,
    time_system: TimeSystem | None = None,
    log: Path | str | None = None,
    on_game: Callable[[MatchResult], None] | None = None,
    sprt: Sprt | None = None,
    played: Sequence[GameResult] = (),
) -> MatchResult:
    """Play `games` games and return the result.

    A player is a `Player`, a callable that makes one, or a text for `go.player`; with `parallel` > 1 none may be a
    `Player`, which plays one game at a time. Players made here are closed here. A player that fails loses that game
    (see `arena.game`) and, if it was made here, is made anew for the next. `log` is a JSON Lines file to which each
    finished game is added. `on_game` is called after each game, by one thread at a time. `max_moves` defaults to four
    times the number of points. The default rules are those that other programs follow as they come: simple ko, no
    suicide. With a `time_system` each side has a clock; players of this package get ready before the first one runs.
    With `sprt` the match ends as soon as that test is decided. `played`: games of the same match that were played
    before; they count, and are not played again.
    Raises `ConfigError` for numbers out of range.
    """
    _check(games=games, parallel=parallel, opening_moves=opening_moves + 1)
    player_a, player_b = (partial(player, one) if isinstance(one, str) else one for one in (player_a, player_b))
    if parallel > 1 and not (callable(player_a) and callable(player_b)):
        raise PlayerError("parallel games need players of their own: give callables that make players, not players")

    begin = partial(opening, size=size, rules=rules, komi=komi, opening_moves=opening_moves, seed=seed)
    begin(0)
    with ExitStack() as stack:
        tables = [Table({"A": player_a, "B": player_b}) for _ in range(min(parallel, games))]
        for table in tables:
            stack.callback(table.close)
            for side in _SIDES:
                table.ready(side, size, prepare=time_system is not None)
        file = None if log is None else Path(log)
        if file is not None:
            add_line(file, "")
        name_a, name_b = (tables[0].seated(side).name for side in _SIDES)
        schedule = _Schedule(games, MatchResult(name_a, name_b, list(played), sprt), file, on_game)

        def play(table: Table, number: int) -> None:
            def game(players: Mapping[str, Player]) -> GameResult:
                black, stopped = _SIDES[number % 2], schedule.stopped.is_set
                return play_game(players, black, begin(number), number, max_moves, stopped, time_system)

            schedule.finish(table.play(_SIDES, game))

        side_by_side(tables, schedule.next, play, schedule.stopped)
    return schedule.result


def _check(**numbers: int) -> None:
    for name, number in numbers.items():
        if number < 1:
            raise ConfigError(
                f"a match needs {name.replace('_', ' ')} of at least {0 if name == 'opening_moves' else 1}"
            )


class _Schedule:
    """What the threads share: the next game's number, the results, the log."""

    def __init__(
        self, games: int, result: MatchResult, log: Path | None, on_game: Callable[[MatchResult], None] | None
    ) -> None:
        self.result = result
        self.stopped = threading.Event()
        done = {game.number for game in result.games}
        self._numbers = (number for number in range(games) if number not in done)
        self._log = log
        self._on_game = on_game
        self._lock = threading.Lock()

    def next(self) -> int | None:
        with self._lock:
            over = self.stopped.is_set() or self.result.verdict is not None
            return None if over else next(self._numbers, None)

    def finish(self, game: GameResult) -> None:
        with self._lock:
            self.result.games.append(game)
            if self._log is not None:
                add_game(self._log, (self.result.name_a, self.result.name_b), game)
            if self._on_game is not None:
                self._on_game(self.result)
            if self.result.verdict is not None:
                self.stopped.set()
