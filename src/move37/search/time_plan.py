"""How long a move may take: the course's rule, time left / moves left × complexity × importance, at most 30 % of it.

The course's fourth article (`allocate_time`) leaves its three estimates open. Here *moves left* comes from the board's
size and the move number, with the slopes that KataGo 1.17 has for games by increment and by byo-yomi (a game's length
in its `timecontrols.cpp`); *importance* is the game's phase, most in the middle game as AlphaGo did (Silver et al.
2016, Methods; Huang, Coulom and Lin 2010, *Time Management for Monte-Carlo Tree Search Applied to the Game of Go*), and
the balance of the game, for the article has AlphaGo think where winning and losing are near; *complexity* comes from
the search so far: how near the second move is to the first, and whether the most visited move is also the best one
(AlphaGo 2016 searched on where it was not). The lag buffer's shape is KataGo's. All other numbers are ours.

It measures nothing and knows no search; `clock_stopper` keeps a search within a budget.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from move37.search.clock import Clock, TimeSystem

__all__ = ["LAG", "Budget", "Choice", "budget", "complexity"]

LAG: Final = 1.0
"""Seconds kept for what a controller and a network between may add to a move; KataGo's and Leela Zero's default."""

MOST_OF_WHAT_IS_LEFT: Final = 0.3
"""The article's limit for one move."""

USUAL_LAG: Final = 0.125
"""A usual lag, as a share of the one to be reckoned with."""

KEPT_PERIODS: Final = 3
"""Byo-yomi periods that no hard decision may cost; KataGo keeps five."""

FISCHER_BANK: Final = 4
FISCHER_STEPS: Final = 5
"""Increments, and steps of the search, that are to stay on a Fischer clock beside the next increment."""

FISCHER_MOST: Final = 0.7
"""Of what is left, where the increment would allow more: the increment comes only after the move."""

_PHASES: Final = ((0.0, 0.6), (0.1, 1.0), (0.2, 1.3), (0.5, 1.2), (0.8, 0.9), (1.0, 0.7))
"""Importance by the share of a game's usual length that is played."""

MOST_COMPLEX: Final = 2.5
LEAST_COMPLEX: Final = 0.4


@dataclass(frozen=True)
class Budget:
    """Seconds for one move. soft: what a move of ordinary complexity should take. hard: never to be passed.

    use_all: what is not used is lost (a period of byo-yomi, the last stone of a Canadian one), so nothing is saved by
    stopping before `soft`.
    """

    soft: float
    hard: float
    use_all: bool = False

    def __post_init__(self) -> None:
        """A budget is never negative, and soft is never more than hard."""
        object.__setattr__(self, "hard", max(0.0, self.hard))
        object.__setattr__(self, "soft", min(max(0.0, self.soft), self.hard))


def budget(
    clock: Clock, points: int, move_number: int, lag: float = LAG, least: float = 0.0, step: float = 0.0
) -> Budget | None:
    """The budget of the player to move on a board of so many `points`; None where the clock sets no limit.

    move_number: moves played by both sides. lag: seconds a move may take on top of what its player can see. least:
    seconds that a move costs without any search; where later moves are paid from the same time it is kept for them.
    step: seconds that a search's step may take, which cannot be interrupted.
    """
    system, clock = clock.system, clock.filled()
    left = 0.0 if clock.time_left is None else clock.time_left
    game = _Game(points, move_number)
    if system.kind == "none":
        return None
    if system.kind == "absolute":
        return _absolute(left, game, lag, least)
    if system.kind == "fischer":
        return _fischer(system, left, game, lag, step)
    if clock.stones_left == 0:
        return _before_overtime(system, left, game, lag, step)
    if system.kind == "byo-yomi":
        return _byo_yomi(system, left, clock.stones_left, lag, step)
    return _canadian(left, clock.stones_left, lag, least, step)


@dataclass(frozen=True)
class _Game:
    """How far a game is, by its board and its number of moves."""

    points: int
    moves: int

    def moves_left(self, share: float, more: float, least_share: float, least: float) -> float:
        """Of one side, in a game of share × points + more moves; never less than the least."""
        left = share * self.points + more - self.moves
        return max(left, least_share * self.points + least) / 2

    @property
    def importance(self) -> float:
        played = min(1.0, self.moves / (0.75 * self.points + 15))
        for (start, low), (end, high) in pairwise(_PHASES):
            if played <= end:
                return low + (high - low) * (played - start) / (end - start)
        return _PHASES[-1][1]


def _after_lag(seconds: float, lag: float) -> float:
    """What of `seconds` may be planned with: half of a time shorter than twice the lag, as KataGo has it."""
    return seconds / 2 if seconds < 2 * lag else seconds - lag


def _deadly(seconds: float, lag: float, step: float) -> float:
    """What may be planned with where being late loses the game: twice the lag is kept, and one more step."""
    return max(0.0, _after_lag(seconds, 2 * lag) - step)


def _absolute(left: float, game: _Game, lag: float, least: float) -> Budget:
    """A share of what is left when every move up to a full board keeps what it costs at least."""
    kept = (least + USUAL_LAG * lag) * max(0, game.points - game.moves) / 2
    usable = max(0.0, _after_lag(left, lag) - kept)
    base = usable / game.moves_left(0.75, 15, 0.10, 20)
    return Budget(base * game.importance, min(usable, MOST_OF_WHAT_IS_LEFT * left))


def _fischer(system: TimeSystem, left: float, game: _Game, lag: float, step: float) -> Budget:
    """The increment and a share of the bank; a bank that is too small for surprises is filled again first."""
    increment = system.increment
    usable = min(_after_lag(left, lag), FISCHER_MOST * left)
    bank = left - increment
    if bank < max(FISCHER_BANK * increment, FISCHER_STEPS * step):
        saving = min(usable, FISCHER_MOST * increment)
        return Budget(saving, saving)
    share = _after_lag(bank, lag) / game.moves_left(0.75, 15, 0.10, 20)
    wasted = 0.0 if system.cap is None else left + increment - system.cap
    hard = min(usable, increment + MOST_OF_WHAT_IS_LEFT * bank)
    return Budget(max((increment + share) * game.importance, wasted), hard)


def _before_overtime(system: TimeSystem, left: float, game: _Game, lag: float, step: float) -> Budget:
    """Main time is spent in the first half of the game; its last rest goes with the first move of overtime."""
    a_move = system.period / system.stones_a_period
    if left < 1.5 * a_move:
        rest = left + a_move
        whole = _deadly(rest, lag, step) if system.overtime_count == 1 else _after_lag(rest, lag)
        return Budget(whole, whole, use_all=system.kind == "byo-yomi")
    usable = _after_lag(left, lag)
    base = usable / game.moves_left(0.50, 10, 0.02, 4) * game.importance
    return Budget(max(base, a_move), min(usable, max(a_move, MOST_OF_WHAT_IS_LEFT * left)))


def _byo_yomi(system: TimeSystem, left: float, periods: int, lag: float, step: float) -> Budget:
    """The whole period; one more where the choice is hard and there are periods to spare."""
    soft = _deadly(left, lag, step) if periods == 1 else _after_lag(left, lag)
    more = system.period if periods > KEPT_PERIODS else 0.0
    return Budget(soft, soft + more, use_all=True)


def _canadian(left: float, stones: int, lag: float, least: float, step: float) -> Budget:
    """An even share of the period; the last stone takes all that is left of it."""
    if stones == 1:
        usable = _deadly(left, lag, step)
        return Budget(usable, usable, use_all=True)
    usable = _after_lag(left, lag)
    kept = (stones - 1) * (least + lag)
    return Budget(usable / stones, min(usable / (0.75 * stones + 0.25), usable - kept))


class Choice(Protocol):
    """What a search so far says of its moves; `SearchResult` has it."""

    @property
    def visits(self) -> NDArray[np.int32]:
        """int32[A]."""
        ...

    @property
    def q(self) -> NDArray[np.float32]:
        """float32[A] in [-1, 1], NaN where unvisited."""
        ...

    @property
    def value(self) -> float:
        """Of the position, in [-1, 1]."""
        ...


def complexity(result: Choice) -> float:
    """How hard the choice of a move is, from 0.4 (one move alone) to 2.5; near 1 on average.

    Half and as much again as the second move has of the first one's visits; half as much more where another move than
    the most visited one has the better value; less where the game is decided.
    """
    visits = result.visits.astype(np.float64)
    if visits.max() <= 0:
        return 1.0
    first, second = np.sort(visits)[::-1][:2]
    hard = 0.5 + second / first
    seen = visits >= 0.1 * first
    best = int(np.argmax(np.where(seen, result.q, -np.inf)))
    if visits[best] < first:
        hard *= 1.5
    balance = 1.1 - 0.5 * result.value**2
    return float(min(MOST_COMPLEX, max(LEAST_COMPLEX, hard * balance)))
