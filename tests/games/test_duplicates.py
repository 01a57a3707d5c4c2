from __future__ import annotations

import random

import numpy as np
import pytest

from move37.games.duplicates import first_of_each, game_key
from move37.rules import symmetry


def key(
    moves: list[int], size: int = 9, first: int = 1, black: tuple[int, ...] = (), white: tuple[int, ...] = ()
) -> bytes:
    return game_key(size, first, *(np.array(points, dtype=np.uint16) for points in (black, white, moves)))


@pytest.mark.parametrize("turn", symmetry.SYMMETRIES)
@pytest.mark.parametrize("size", [5, 19])
def test_a_turned_game_has_the_same_key(turn: int, size: int) -> None:
    rng = random.Random(size)
    moves, black, white = rng.sample(range(size**2 + 1), 20), [3, 1, 4], [15, 9]

    def turned(points: list[int]) -> list[int]:
        return [symmetry.point(turn, point, size, size) for point in points]

    expected = key(moves, size, -1, tuple(black), tuple(white))
    assert key(turned(moves), size, -1, tuple(turned(black)[::-1]), tuple(turned(white))) == expected


def test_different_games_have_different_keys() -> None:
    keys = [
        key([0, 1, 2]),
        key([0, 1]),
        key([0, 2, 1]),
        key([1, 0, 2]),
        key([0, 1, 2], size=10),
        key([0, 1, 2], first=-1),
        key([0, 1, 2], black=(5,)),
        key([0, 1, 2], white=(5,)),
        key([1, 2], black=(0,)),
        key([1, 2], white=(0,)),
        key([80, 81, 0]),
        key([]),
    ]
    assert len(set(keys)) == len(keys)


def test_on_large_boards_the_first_100_moves_count() -> None:
    moves = list(range(120))
    assert key(moves, 19) == key(moves[:100], 19) == key([*moves[:100], 361, 361], 19)
    assert key(moves[:99], 19) != key(moves, 19)
    assert key(moves[:80], 13) != key(moves, 13)


def test_the_longest_record_stays_and_of_equals_the_first() -> None:
    keys = [b"a", b"b", b"a", b"a", b"b", b"c"]
    assert first_of_each(keys, [5, 9, 7, 7, 9, 1]) == [2, 1, 2, 2, 1, 5]
    assert first_of_each([], []) == []
