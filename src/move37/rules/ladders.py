"""Ladders of a position in words a person uses: which chains are caught, by which moves, what gets away, what breaks.

The friendly side of `ladder_kernels`; what a ladder is, and how it is read, is said in `ladder_search_kernels`. Only
ladders are read: a chain that is not in the list may still be caught in a net.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from move37.rules import ladder_kernels
from move37.rules.color import Color
from move37.rules.coordinates import format_vertex
from move37.rules.ladder_breaker_kernels import write_breakers
from move37.rules.position_view import PositionView


@dataclass(frozen=True)
class Ladder:
    """One chain caught in a ladder; everything in vertices.

    ``captures``: the other side's moves that capture it: of a chain of two liberties those ataris that work, of one in
    atari its liberty. ``rescues``: its own side's moves on a liberty, or taking a chain beside it, after which it is
    out of the ladder; a chain in atari that has one is not caught. ``breakers``: all other empty points where one more
    stone of its side (legal but for ko, with what it takes) makes the ladder fail, so that the chain is not caught by
    the same measure.
    """

    color: Color
    stones: tuple[str, ...]
    liberties: tuple[str, ...]
    captures: tuple[str, ...]
    rescues: tuple[str, ...]
    breakers: tuple[str, ...]


@dataclass(frozen=True, eq=False, repr=False)
class Ladders:
    """All ladders of a board of H rows and W columns; masks are ``bool[H, W]``, the top row first.

    ``laddered``: stones of either colour that are caught: chains of two liberties that the other side captures if it
    moves first, and chains in atari that are captured even if their own side moves first. ``black_captures``,
    ``white_captures``: moves of that colour that capture a chain of two liberties in a ladder. ``black_escapes``,
    ``white_escapes``: moves of that colour that get a chain of its own in atari out of the ladder. ``chains``: each
    caught chain, by its first stone from the top left.
    """

    laddered: NDArray[np.bool_]
    black_captures: NDArray[np.bool_]
    white_captures: NDArray[np.bool_]
    black_escapes: NDArray[np.bool_]
    white_escapes: NDArray[np.bool_]
    chains: tuple[Ladder, ...]

    def captures(self, color: Color | str) -> list[str]:
        """The moves of a colour that capture a chain of two liberties in a ladder, as vertices from the top left."""
        return _vertices(self.black_captures if Color.parse(color) is Color.BLACK else self.white_captures)

    def escapes(self, color: Color | str) -> list[str]:
        """The moves of a colour that get a chain of its own in atari out of the ladder, as vertices."""
        return _vertices(self.black_escapes if Color.parse(color) is Color.BLACK else self.white_escapes)

    def __repr__(self) -> str:
        caught = "; ".join(f"{chain.color.title} {' '.join(chain.stones)}" for chain in self.chains)
        return f"<Ladders caught: {caught or 'none'}>"


def ladders(position: PositionView) -> Ladders:
    """Read every ladder of a position, of both colours, whoever is to play.

    Reading is exact up to 25,000 moves for one chain (KataGo's measure; a ladder across the board takes some 60). A
    ladder that only works by winning a ko is not counted as working, and superko is not looked at.

    >>> from move37.rules.position import Position
    >>> game = Position.from_diagram('''
    ... . . . . . . .
    ... . . . . . . .
    ... . . . . . . .
    ... . X . . . . .
    ... X O . . . . .
    ... . X X . . . .
    ... . . . . . . .
    ... ''')
    >>> found = ladders(game)
    >>> found
    <Ladders caught: White B3>
    >>> found.chains[0].captures, found.chains[0].rescues, found.chains[0].breakers[:5]
    (('C3',), (), ('D7', 'E7', 'C6', 'D6', 'E6'))
    """
    board = position.board
    points = position.rows * position.cols
    work = ladder_kernels.ladder_work()
    laddered, captures, escapes = (np.zeros(shape, np.bool_) for shape in (points, (2, points), (2, points)))
    ladder_kernels.write_laddered(board, work, laddered, captures)
    for color in Color:
        ladder_kernels.write_escapes(board, work, int(color), escapes[color - 1])
    grid = (position.rows, position.cols)
    caught = [chain.points[0] for chain in position.chains() if laddered[chain.points[0]]]
    black_captures, white_captures = captures.reshape(2, *grid)
    black_escapes, white_escapes = escapes.reshape(2, *grid)
    return Ladders(
        laddered.reshape(grid),
        black_captures,
        white_captures,
        black_escapes,
        white_escapes,
        tuple(_ladder(position, work, point) for point in caught),
    )


def _ladder(position: PositionView, work: NDArray[Any], point: int) -> Ladder:
    """The caught chain at a point."""
    chain = position.chain(point)
    captures, rescues, breakers = (
        tuple(_vertices(_marked(position, work, point, write)))
        for write in (ladder_kernels.write_attacks, ladder_kernels.write_rescues, write_breakers)
    )
    return Ladder(chain.color, chain.stones, chain.liberties, captures, rescues, breakers)


def _marked(
    position: PositionView, work: NDArray[Any], point: int, write: Callable[[Any, NDArray[Any], int, Any], None]
) -> NDArray[np.bool_]:
    """What a kernel marks for one chain, ``bool[H, W]``."""
    mask = np.zeros((position.rows, position.cols), np.bool_)
    write(position.board, work, point, mask.reshape(-1))
    return mask


def _vertices(mask: NDArray[np.bool_]) -> list[str]:
    rows, cols = mask.shape
    return [format_vertex(point, rows, cols) for point in np.flatnonzero(mask).tolist()]
