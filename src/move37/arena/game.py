"""One game between two players, decided by our rules alone.

A player that raises, answers nonsense or plays an illegal move forfeits the game, whoever it is; the reason is kept.
With a time system each side has a clock, from the question to the answer, and loses when it is over.
Only a program that refuses a move which is legal here does not: it plays by other rules, and the game is void. What
the players think of the result is not asked: after two passes, or at the move limit, the board is counted as it stands;
only under territory scoring without an encore dead stones are taken off, those that playouts say are dead. A long cycle
makes a game void too.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal

import numpy as np

from move37.errors import Move37Error
from move37.evaluators.dead_stones import left_dead
from move37.gtp.client import RefusedMoveError
from move37.players.player import Player
from move37.rules.color import Color
from move37.rules.position import Position
from move37.search.clock import TimeSystem
from move37.search.match_clock import MatchClock

Reason = Literal["score", "resign", "time", "forfeit", "move limit", "void"]


class Stopped(Exception):
    """The match was stopped while this game was going on; the game has no result."""


@dataclass(frozen=True)
class GameResult:
    """One finished game. `black` and `winner` are "A" or "B"; `winner` is None for a draw and for a void game.

    moves: GTP vertices from Black's first move, the opening's `opening_moves` included. result: as in SGF ("B+2.5",
    "W+R", "W+T" on time, "W+F" for a forfeit, "0" for a draw, "Void"). error: what a player did that ended the game,
    else empty. seconds: wall time.
    """

    number: int
    black: str
    winner: str | None
    result: str
    reason: Reason
    opening_moves: int
    moves: list[str] = field(default_factory=list[str])
    error: str = ""
    seconds: float = 0.0

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return asdict(self)


def random_opening(position: Position, moves: int, rng: np.random.Generator) -> None:
    """Play `moves` random legal moves on `position`, on the third line or higher where the board has room for that."""
    rows, cols = position.rows, position.cols
    margin = 2 if min(rows, cols) >= 7 else 0
    inner = np.zeros((rows, cols), np.bool_)
    inner[margin : rows - margin, margin : cols - margin] = True
    for _ in range(moves):
        candidates = np.flatnonzero(position.legal_mask()[:-1] & inner.ravel())
        if len(candidates) == 0:
            return
        position.play(int(rng.choice(candidates)))


def play_game(
    players: Mapping[str, Player],
    black: str,
    position: Position,
    number: int = 0,
    max_moves: int | None = None,
    stopped: Callable[[], bool] = lambda: False,
    time_system: TimeSystem | None = None,
    now: Callable[[], float] = time.monotonic,
) -> GameResult:
    """Play on from `position` (which is changed) until two passes, a resignation, a forfeit or the move limit.

    `players` has the keys "A" and "B"; `black` says which of them is Black. Raises `Stopped` when `stopped()` says so.
    `now` measures the time of moves.
    """
    clocks = {color: MatchClock(time_system or TimeSystem()) for color in Color}
    sides = {Color.BLACK: black, Color.WHITE: "B" if black == "A" else "A"}
    limit = max_moves if max_moves is not None else 4 * position.rows * position.cols
    opening = len(position.moves)
    began = time.monotonic()

    def result(winner: Color | None, text: str, reason: Reason, error: str = "") -> GameResult:
        moves = [position.vertex(move) for _, move in position.moves]
        side = None if winner is None else sides[winner]
        return GameResult(number, black, side, text, reason, opening, moves, error, time.monotonic() - began)

    while not position.is_over and len(position.moves) < limit:
        if stopped():
            raise Stopped
        color = position.to_play
        try:
            asked = now()
            decision = players[sides[color]].choose(position, clocks[color].clock())
            if not clocks[color].spend(now() - asked):
                return result(color.opponent, f"{color.opponent.letter}+T", "time")
            if decision.resign or decision.move is None:
                return result(color.opponent, f"{color.opponent.letter}+R", "resign")
            position.play(decision.move)
        except RefusedMoveError as error:
            return result(None, "Void", "void", str(error))
        except Exception as error:
            what = f"{players[sides[color]].name}: {error if isinstance(error, Move37Error) else repr(error)}"
            return result(color.opponent, f"{color.opponent.letter}+F", "forfeit", what)
    return replace(counted_game(position, number, black, opening), seconds=time.monotonic() - began)


def counted_game(position: Position, number: int, black: str, opening_moves: int) -> GameResult:
    """The game that ends here, by two passes or a limit of moves, counted as the board stands (`left_dead` apart)."""
    moves = [position.vertex(move) for _, move in position.moves]
    if position.is_no_result:
        return GameResult(number, black, None, "Void", "void", opening_moves, moves, "a long cycle: no result")
    score = position.score(left_dead(position))
    sides = {None: None, Color.BLACK: black, Color.WHITE: "B" if black == "A" else "A"}
    reason: Reason = "score" if position.passes >= 2 else "move limit"
    return GameResult(number, black, sides[score.winner], score.text, reason, opening_moves, moves)
