"""A query's game, replayed to the positions it asks about.

KataGo's ways (cpp/command/analysis.cpp, BoardHistory::makeBoardMoveTolerant): a move that repeats a position or kills
its own stones is taken as played; two moves in a row by one side begin the history anew; a game that is over is
analysed as if it went on; under territory scoring passes in the moves never begin an encore, while the search plays
encores out. Black's stones at the start, set up or played in a row, are a handicap.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from move37.analysis.fields import BLACK, WHITE
from move37.analysis.problems import QueryError
from move37.analysis.schema import Query
from move37.errors import IllegalMoveError, SetupError
from move37.rules.color import Color
from move37.rules.legality import Illegal
from move37.rules.position import Position
from move37.rules.records import neighbors

__all__ = ["Turn", "replay"]


@dataclass(frozen=True)
class Turn:
    """A position asked about, as `search.GamePosition`: a BOARD record of its own, and the game's keys.

    number: of moves before it. passes: in a row just before it, at most 2.
    """

    number: int
    board: Any
    superko_keys: NDArray[np.uint64]
    passes: int

    @property
    def color(self) -> int:
        """The player to move, 1 Black, 2 White."""
        return int(self.board["to_play"])


def replay(query: Query, ignore_history: bool) -> list[Turn]:
    """The positions of `query.turns`, in order; `QueryError` where the game cannot be played.

    ignore_history: a network of KataGo's is not shown the moves before each position.
    """
    position = _start(query)
    handicap, wanted = _Handicap(position), set(query.turns)
    turns = [_turn(position, 0, query, ignore_history)] if 0 in wanted else []
    for number, (color, point) in enumerate(query.moves):
        if color != int(position.to_play):
            position.edit(to_play=Color(color))
            handicap = _Handicap(position)
        _play(query, position, number, color, point)
        handicap.add(color, point == query.rows * query.cols)
        position.handicap = handicap.stones
        if number + 1 in wanted:
            turns.append(_turn(position, number + 1, query, ignore_history))
    return turns


def _start(query: Query) -> Position:
    rules = replace(query.rules, move_limit=None, encore=False)
    position = Position(rows=query.rows, cols=query.cols, rules=rules, komi=query.komi)
    stones = {point: color for color, point in query.stones}
    black, white = ([point for point, own in stones.items() if own == color] for color in (BLACK, WHITE))
    try:
        position.setup(black, white, Color(_first_player(query, len(black), len(white))))
    except SetupError as error:
        raise QueryError(f"Illegal setup: {error}", query.id, "initialStones") from None
    position.handicap = _Handicap(position).stones
    return position


def _first_player(query: Query, black: int, white: int) -> int:
    """Who moves first where the query does not say: the first mover, or White against a handicap."""
    if query.initial_player is not None:
        return query.initial_player
    if query.moves:
        return query.moves[0][0]
    return WHITE if black >= 2 and not white else BLACK


class _Handicap:
    """Stones that Black has ahead: those on the board where the history begins, and moves before White's first.

    A board with white stones has no handicap, so neither has a game in which one side moved twice later on.
    """

    def __init__(self, position: Position) -> None:
        stones = position.stones
        self._open = not bool((stones == WHITE).any())
        self._count = int((stones == BLACK).sum()) if self._open else 0

    @property
    def stones(self) -> int:
        """At least two, or none."""
        return self._count if self._count >= 2 else 0

    def add(self, color: int, passes: bool) -> None:
        """Take note of a move."""
        if passes:
            return
        self._open = self._open and color == BLACK
        self._count += self._open


def _play(query: Query, position: Position, number: int, color: int, point: int) -> None:
    try:
        reason = position.why_illegal(point, Color(color))
        force = reason in (Illegal.SUPERKO, Illegal.SUICIDE) and not _dies_alone(position, point, color)
        position.play(point, Color(color), force=force)
    except IllegalMoveError:
        vertex = position.vertex(point)
        raise QueryError(f"Illegal move {number}: {vertex}", query.id, "moves") from None


def _dies_alone(position: Position, point: int, color: int) -> bool:
    """Whether a suicide would be that of a single stone, which no rules allow."""
    if position.why_illegal(point, Color(color)) is not Illegal.SUICIDE:
        return False
    return not any(
        int(position.stones.ravel()[beside]) == color for beside in neighbors(point, position.rows, position.cols)
    )


def _turn(position: Position, number: int, query: Query, ignore_history: bool) -> Turn:
    """A copy of the present position, fit to be searched."""
    board = position.board_array.copy()[0]
    passes = min(int(board["passes"]), 2)
    if passes == 2:  # the game goes on as if one pass were to be made still
        board["passes"], board["pass_repeats"] = 1, 0
    board["no_result"] = 0
    board["encore"] = query.rules.scoring == "territory"
    if ignore_history:
        board["phase_moves"] = 0
    return Turn(number, board, position.superko_keys.copy(), passes)
