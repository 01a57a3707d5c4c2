"""Games that are the same game: one key a game, equal for records that differ by a turned or mirrored board only.

Collections overlap, and the same game stands in them from either side of the board. On large boards the first 100 moves
tell games apart and the ends of records differ (some go on to the last dame), on small ones whole games are compared.
Names, results and komi are not looked at. `unseen` keeps what is asked in a test out of what is learned from.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from hashlib import blake2b
from typing import TYPE_CHECKING

import numpy as np

from move37.rules import symmetry

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from move37.games.store import GameStore

FIRST_MOVES = 100
"""As many moves of a game are compared on boards from `LARGE_BOARD` lines on."""
LARGE_BOARD = 15
ROUGH_MOVES = 20
"""As many moves are enough to tell most games apart."""


@cache
def _images(size: int) -> NDArray[np.uint16]:
    """uint16[8, A]: where each symmetry takes each point; pass stays pass."""
    points = range(size * size + 1)
    return np.array([[symmetry.point(s, p, size, size) for p in points] for s in symmetry.SYMMETRIES], dtype=np.uint16)


@cache
def _orbits(size: int) -> NDArray[np.uint16]:
    """uint16[A]: the same number for points that a symmetry takes to each other."""
    least: NDArray[np.uint16] = _images(size).min(axis=0)
    return least


def game_key(
    size: int,
    first_player: int,
    setup_black: NDArray[np.uint16],
    setup_white: NDArray[np.uint16],
    moves: NDArray[np.uint16],
) -> bytes:
    """16 bytes that are the same for a game under all eight symmetries, and differ for different games."""
    images = _images(size)
    shown = moves[:FIRST_MOVES] if size >= LARGE_BOARD else moves
    parts = [np.sort(images[:, setup_black], axis=1), np.sort(images[:, setup_white], axis=1), images[:, shown]]
    rows = np.concatenate(parts, axis=1).astype(">u2")
    least = min(row.tobytes() for row in rows)
    head = bytes([size, first_player == 1]) + len(setup_black).to_bytes(2) + len(setup_white).to_bytes(2)
    return blake2b(head + least, digest_size=16).digest()


def unseen(games: GameStore, others: Sequence[GameStore]) -> GameStore:
    """The games that stand in none of `others`: what may be learned from if the others are a test.

    Passes at the end of a game do not count: some collections keep them, others do not.
    """
    known = [(other, index) for other in others for index in range(len(other))]
    rough, exact = {_rough_key(*one) for one in known}, {_played_key(*one) for one in known}
    seen = [_rough_key(games, index) in rough and _played_key(games, index) in exact for index in range(len(games))]
    return games.select(~np.array(seen, dtype=np.bool_))


def _played_key(games: GameStore, index: int) -> bytes:
    """The `game_key` of one game without the passes at its end."""
    size, moves = int(games.size[index]), games.moves[index]
    played = np.flatnonzero(moves < size * size)
    setup = games.setup_black[index], games.setup_white[index]
    return game_key(size, int(games.first_player[index]), *setup, moves[: played[-1] + 1 if len(played) else 0])


def _rough_key(games: GameStore, index: int) -> bytes:
    """Quickly made, and equal for games of equal `game_key` (seldom for others): the first moves up to symmetry."""
    size, moves = int(games.size[index]), games.moves[index][:ROUGH_MOVES]
    return _orbits(size)[moves[moves < size * size]].tobytes()


def first_of_each(keys: Sequence[bytes], lengths: Sequence[int]) -> list[int]:
    """For each game the index of the game to keep in its place: the longest with its key, the first of equals.

    A game that is kept stands for itself.
    """
    best: dict[bytes, int] = {}
    for index, key in enumerate(keys):
        known = best.setdefault(key, index)
        if lengths[index] > lengths[known]:
            best[key] = index
    return [best[key] for key in keys]
