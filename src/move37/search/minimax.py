"""Minimax with alpha-beta, the search of chess programs: the course's comparison for tree search by statistics.

It looks at every move (or at the `width` best ones of a policy) to a fixed depth, judges the last positions, and takes
the best that the other side cannot avoid. Plain Python over the rules' kernels: this is to be read, and to solve very
small boards (`minimax_solve`), not to play 19×19, where the table of `leaves` says why.

Sources: Shannon 1950 (fixed depth, judged leaves; "type B" with fewer moves); Knuth and Moore 1975, *An analysis of
alpha-beta pruning* (negamax, and the fewest leaves that any order of moves can need).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from move37.errors import ConfigError
from move37.search.evaluator import EvaluationError, Evaluator
from move37.search.following import GamePosition
from move37.search.option_checks import check_kinds
from move37.search.place import Place

__all__ = ["Minimax", "MinimaxConfig", "MinimaxResult", "fewest_leaves", "leaves"]

Bound = Literal["exact", "least", "most"]
_Found = tuple[float, tuple[int, ...]]


def leaves(width: int, depth: int) -> int:
    """Positions that end a tree with `width` moves everywhere: the article's 361 ** 10 against 20 ** 10."""
    return int(width**depth)


def fewest_leaves(width: int, depth: int) -> int:
    """How many of them alpha-beta must see if it always meets the best move first (Knuth and Moore 1975)."""
    return int(width ** -(-depth // 2) + width ** (depth // 2) - 1)


@dataclass(frozen=True)
class MinimaxConfig:
    """How to search.

    depth: plies. width: moves looked at in a position, the best by the evaluator's policy; None: all legal ones.
    pruning: leave out what cannot change the result (alpha-beta); without, the same result costs more nodes.
    table: keep results by position and depth. Under superko, what a position is worth depends on how it came about, so
    that a table may then be wrong; off by default.
    """

    depth: int = 3
    width: int | None = None
    pruning: bool = True
    table: bool = False

    def __post_init__(self) -> None:
        """Refuse values of another kind or out of range (ConfigError)."""
        check_kinds(self)
        if self.depth < 1 or (self.width is not None and self.width < 1):
            raise ConfigError(f"Minimax has a depth and a width of at least 1, not {self.depth} and {self.width}.")


@dataclass(frozen=True)
class MinimaxResult:
    """What was found for the player to move.

    value: in [-1, 1] with an evaluator, else points ahead with komi. variation: best play of both sides; its first move
    is `move`. nodes: positions met. evaluations: positions shown to the evaluator.
    """

    move: int
    value: float
    variation: tuple[int, ...]
    nodes: int
    evaluations: int


class Minimax:
    """Negamax with alpha-beta; without an `evaluator` leaves count as the area now on the board."""

    def __init__(self, evaluator: Evaluator | None = None, config: MinimaxConfig | None = None) -> None:
        self.config = config or MinimaxConfig()
        self.evaluator = evaluator
        if evaluator is None and self.config.width is not None:
            raise ConfigError("Minimax needs an evaluator to choose the moves of a limited width.")
        self._nodes = self._evaluations = 0
        self._table: dict[tuple[int, ...], tuple[Bound, _Found]] = {}

    def run(self, position: GamePosition) -> MinimaxResult:
        """Search `position`, which is not changed and not over."""
        return self.within(position, -np.inf, np.inf)

    def within(self, position: GamePosition, alpha: float, beta: float) -> MinimaxResult:
        """`run` where only results between `alpha` and `beta` matter: beyond, the value is a bound.

        ConfigError for a game that is over; EvaluationError where the evaluator answers what is no number.
        """
        place = Place.of(position)
        if place.is_over:
            raise ConfigError("This game is over: minimax has no move to find.")
        self._nodes = self._evaluations = 0
        self._table.clear()
        value, line = self._search(place, self.config.depth, alpha, beta)
        return MinimaxResult(line[0], value, line, self._nodes, self._evaluations)

    def _search(self, place: Place, depth: int, alpha: float, beta: float) -> _Found:
        """The worth of a place for its player to move, exact between `alpha` and `beta`, and best play from it."""
        self._nodes += 1
        if place.is_over or depth == 0:
            return self._worth(place), ()
        key = (*place.key, depth)
        if self.config.table and key in self._table:
            bound, found = self._table[key]
            if bound == "exact" or (found[0] >= beta if bound == "least" else found[0] <= alpha):
                return found
        best = self._best(place, depth, alpha, beta)
        if self.config.table:
            self._table[key] = ("least" if best[0] >= beta else "most" if best[0] <= alpha else "exact"), best
        return best

    def _best(self, place: Place, depth: int, alpha: float, beta: float) -> _Found:
        best: _Found = -np.inf, ()
        for move, after in self._moves(place):
            lower = max(alpha, best[0]) if self.config.pruning else -np.inf
            value, line = self._search(after, depth - 1, -beta, -lower)
            if -value > best[0] or not best[1]:
                best = -value, (move, *line)
            if self.config.pruning and best[0] >= beta:
                break
        return best

    def _worth(self, place: Place) -> float:
        """What a tree's end is worth for its player to move: a finished game its result."""
        if self.evaluator is None:
            return place.margin()
        if place.is_over:
            return float(np.sign(place.margin()))
        self._evaluations += 1
        value = float(self.evaluator.evaluate(place.board).value[0])
        if not np.isfinite(value):
            name = type(self.evaluator).__name__
            raise EvaluationError(f"The evaluator {name} answered a value that is no finite number; check its network.")
        return value

    def _moves(self, place: Place) -> list[tuple[int, Place]]:
        """The moves to look at and where they lead, what is likely best first: that is what prunes."""
        if self.evaluator is None:
            return self._by_rule(place)
        self._evaluations += 1
        logits = self.evaluator.evaluate(place.board).policy[0]
        moves = sorted(place.moves(), key=lambda move: -float(logits[move]))
        return [(move, place.after(move)) for move in moves[: self.config.width]]

    def _by_rule(self, place: Place) -> list[tuple[int, Place]]:
        """Captures, then from the middle outwards, then passing; passing first where it ends the game."""
        *points, passing = [(move, place.after(move)) for move in place.moves()]
        taken, color = place.prisoners(place.to_play), place.to_play
        points.sort(key=lambda pair: (taken - pair[1].prisoners(color), _from_middle(pair[0], place.shape)))
        return [passing, *points] if place.passes == 1 else [*points, passing]


def _from_middle(point: int, shape: tuple[int, int]) -> float:
    """Lines from the middle of the board."""
    row, col = divmod(point, shape[1])
    return abs(row - (shape[0] - 1) / 2) + abs(col - (shape[1] - 1) / 2)
