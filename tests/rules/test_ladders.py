"""`move37.ladders` in a user's words: chains, captures, rescues, escapes and breakers on hand-drawn boards."""

from __future__ import annotations

import numpy as np
import pytest

import move37
from move37.rules.color import Color
from move37.rules.ladders import ladders
from move37.rules.position import Position
from tests.support.positions import random_position
from tests.support.slow_ladders import SlowLadders

IN_ATARI = """
. . . . . . .
. . . . . . .
. . . . . . .
. X . . . . .
X O . . . . .
. X X . . . .
. . . . . . .
"""
TWO_LIBERTIES = """
. . . . . . .
. . . . . . .
. . . . . . .
. . X . . . .
. X O . . . .
. . . X . . .
. . . . . . .
"""


def test_it_is_at_the_top_of_the_package() -> None:
    assert move37.ladders is ladders


def test_a_board_without_ladders() -> None:
    found = ladders(Position(size=5))
    assert found.chains == ()
    assert not found.laddered.any()
    assert found.captures("black") == found.escapes(Color.WHITE) == []
    assert repr(found) == "<Ladders caught: none>"


def test_a_chain_in_atari() -> None:
    found = ladders(Position.from_diagram(IN_ATARI))
    (chain,) = found.chains
    assert repr(found) == "<Ladders caught: White B3>"
    assert (chain.color, chain.stones, chain.liberties) == (Color.WHITE, ("B3",), ("C3",))
    assert (chain.captures, chain.rescues) == (("C3",), ())
    assert found.captures("black") == []  # those are of chains of two liberties
    assert found.laddered.shape == (7, 7)
    assert np.flatnonzero(found.laddered).tolist() == [4 * 7 + 1]


def test_breakers_stand_on_the_way_and_save_the_chain() -> None:
    position = Position.from_diagram(IN_ATARI)
    breakers = ladders(position).chains[0].breakers
    assert {"D4", "E5", "E6", "D3"} <= set(breakers)
    assert {"A1", "G1", "A7", "C3"} & set(breakers) == set()
    for point in (at for at in range(49) if position.stone_at(at) is None and position.vertex(at) != "C3"):
        more = Position.from_diagram(IN_ATARI, to_play="W")
        more.play(point)
        assert (position.vertex(point) in breakers) != bool(ladders(more).laddered[4, 1])


def test_a_chain_of_two_liberties() -> None:
    found = ladders(Position.from_diagram(TWO_LIBERTIES))
    (chain,) = found.chains
    assert chain.captures == ("D3", "C2")
    assert found.captures("b") == ["D3", "C2"]
    assert found.captures("w") == []
    assert chain.rescues == ("D3", "C2")  # White to move gets out by running
    assert set(chain.breakers) & {"D3", "C2"} == set()
    assert found.escapes("w") == []  # those are of chains in atari


def test_escapes_of_a_chain_in_atari() -> None:
    position = Position.from_diagram(IN_ATARI)
    position.play("D3", color="W")
    found = ladders(position)
    assert found.chains == ()
    assert found.escapes("white") == ["C3"]
    assert found.white_escapes[4, 2]
    assert not found.black_escapes.any()


@pytest.mark.parametrize(("rows", "cols"), [(4, 6), (5, 5)])
def test_random_games_agree_with_the_slow_twin(rows: int, cols: int) -> None:
    slow, rng, seen = SlowLadders(rows, cols), np.random.default_rng(rows), 0
    for _ in range(25):
        position = random_position(rng, rows, cols, int(rng.integers(5, 25)), rules="chinese")
        found, stones = ladders(position), tuple(position.stones.ravel().tolist())
        ko = -1 if position.ko_point is None else position.ko_point
        caught, captures = slow.laddered(stones, ko)
        assert set(np.flatnonzero(found.laddered).tolist()) == caught
        for color in Color:
            assert {position.point(vertex) for vertex in found.captures(color)} == captures[color]
            ban = ko if color is position.to_play else -1
            assert {position.point(vertex) for vertex in found.escapes(color)} == slow.escapes(stones, ban, color)
        for chain in found.chains:
            target = position.point(chain.stones[0])
            assert {position.point(vertex) for vertex in chain.breakers} == slow.breakers(stones, target)
            seen += 1
    assert seen > 5
