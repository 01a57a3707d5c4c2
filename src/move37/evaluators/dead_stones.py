"""Which stones are probably dead at the end of a game: certain ones first, the others by a network or by playouts.

A proposal for people and programs to accept or change; nothing in the rules depends on it. Certain are unconditional
life and what lies in its territory (`rules.life`). Every other chain is judged by who will own its points: as a network
says, where one that foretells ownership is at hand, else as the playouts of `ownership_kernels` end. Neither is
reading: in a position where fights are still open they say who is likelier to win them.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from move37.evaluators import ownership_kernels
from move37.evaluators.symmetric import SymmetricEvaluator
from move37.rules.board_kernels import CELLS, cell_of
from move37.rules.color import Color
from move37.rules.life import certain_owner
from move37.rules.position import Chain, Position
from move37.search.evaluator import Evaluator

_MOVES_A_POINT = 3
"""Playouts end after so many moves for each point, which only endless repetition reaches."""
_MOST_PLAYOUTS = 2**31 - 1
_NETWORK_DOUBT = 0.4
"""A network's ownership of so much for the other side calls stones dead; in a seki it stays near 0 (our choice)."""


@dataclass(frozen=True, eq=False, repr=False)
class DeadStones:
    """What is proposed; as an iterable it is ``dead``, so that `Position.score` takes it as it is.

    ``dead``: the vertices of all stones of the dead chains, from the top left. ``black_ownership``: ``float32[H, W]``,
    1 where a point is surely Black's, -1 where it is surely White's. ``certain``: ``bool[H, W]``, points whose owner is
    beyond doubt.
    """

    dead: tuple[str, ...]
    black_ownership: NDArray[np.float32]
    certain: NDArray[np.bool_]

    def __iter__(self) -> Iterator[str]:
        return iter(self.dead)

    def __len__(self) -> int:
        return len(self.dead)

    def __repr__(self) -> str:
        return f"<DeadStones {' '.join(self.dead) or 'none'}>"


def dead_stones(
    position: Position, playouts: int = 1000, seed: int = 0, *, evaluator: Evaluator | None = None
) -> DeadStones:
    """Propose the dead stones of a position in which the fighting is over.

    `evaluator`: a network's, whose ownership is asked, averaged over the symmetries of the board; without one, or
    without ownership, playouts decide. For those the same `seed` (0 or more) gives the same answer, and `playouts` is 1
    or more; ValueError for others.

    >>> game = Position.from_diagram('''
    ... . . X O .
    ... . . X O .
    ... O . X O .
    ... . . X O .
    ... . . X O .
    ... ''', rules="chinese", komi=0)
    >>> dead_stones(game), game.score(dead=dead_stones(game)).text
    (<DeadStones A3>, 'B+5')
    """
    if not (1 <= operator.index(playouts) <= _MOST_PLAYOUTS and 0 <= operator.index(seed) < 2**63):
        raise ValueError(f"playouts must be 1 to {_MOST_PLAYOUTS} and seed 0 or more (63 bits)")
    certain = certain_owner(position)
    foretold = None if evaluator is None else _foretold(position, evaluator)
    ownership = _played_out(position, certain, playouts, seed) if foretold is None else foretold
    ownership[certain == Color.BLACK] = 1
    ownership[certain == Color.WHITE] = -1
    doubt = 0.0 if foretold is None else _NETWORK_DOUBT
    dead = sorted(point for chain in position.chains() if _is_dead(chain, ownership, doubt) for point in chain.points)
    return DeadStones(tuple(position.vertex(point) for point in dead), ownership, certain != 0)


def left_dead(position: Position, evaluator: Evaluator | None = None) -> tuple[str, ...]:
    """The stones to take off where programs play each other: `stones_to_remove` under territory scoring, else none.

    Under area scoring a program that wants dead stones off can take them at no cost; in an encore play does it.
    """
    rules = position.rules
    return stones_to_remove(position, evaluator) if rules.scoring == "territory" and not rules.encore else ()


def stones_to_remove(position: Position, evaluator: Evaluator | None = None) -> tuple[str, ...]:
    """The stones to take off before counting: `dead_stones` where the rules let players agree on them, else none.

    None either in the encore phases, where play settles what is dead.
    """
    agreed = position.rules.agrees_on_dead and position.phase == 0
    return dead_stones(position, evaluator=evaluator).dead if agreed else ()


def _is_dead(chain: Chain, ownership: NDArray[np.float32], doubt: float) -> bool:
    """Whether the stones of a chain lie on points that are the other side's on the whole, by more than `doubt`."""
    balance = float(ownership.ravel()[list(chain.points)].mean())
    return balance < -doubt if chain.color is Color.BLACK else balance > doubt


def _foretold(position: Position, evaluator: Evaluator) -> NDArray[np.float32] | None:
    """``float32[H, W]``, Black's view: what `evaluator` says of the points; None if it says nothing of them.

    It is asked about the position before the passes that ended the game: networks learn from positions in play.
    """
    position = position.copy()
    while position.passes and position.moves:
        position.undo()
    found = SymmetricEvaluator(evaluator, "mean").evaluate(position.board_array)
    if found.ownership is None:
        return None
    ownership: NDArray[np.float32] = found.ownership[0]
    return ownership if position.to_play is Color.BLACK else -ownership


def _played_out(position: Position, certain: NDArray[np.int8], playouts: int, seed: int) -> NDArray[np.float32]:
    """``float32[H, W]``: how often each point becomes Black's, less how often White's."""
    points = position.rows * position.cols
    closed = np.zeros(CELLS, dtype=np.bool_)
    for point in np.flatnonzero(certain).tolist():
        closed[cell_of(point, position.cols)] = True
    balance = np.empty(points, dtype=np.int32)
    ownership_kernels.ownership(position.board, closed, playouts, seed, _MOVES_A_POINT * points, balance)
    return (balance / playouts).astype(np.float32).reshape(certain.shape)
