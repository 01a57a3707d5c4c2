"""The playouts that settle a finished position: what they answer, what they refuse, and what they leave alone."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from move37.evaluators.ownership_kernels import (
    LARGEST_SACRIFICE,
    answer,
    ownership,
    settle,
)
from move37.rules import records
from move37.rules.atari_kernels import atari_size, some_liberty
from move37.rules.board_kernels import CELLS, cell_of, liberty_status, point_of
from move37.rules.color import Color
from move37.rules.position import Position
from move37.search.rollout_kernels import seed_random
from tests.support.diagrams import SEKI
from tests.support.positions import random_position

OPEN = np.zeros(CELLS, dtype=np.bool_)


def drawn(text: str, to_play: str = "B") -> Position:
    return Position.from_diagram(text, to_play=to_play, rules="chinese")


def answered(position: Position, last: str, color: Color, *closed: str) -> str | None:
    """The vertex with which `color` answers the stone at `last`."""
    shut = OPEN.copy()
    for vertex in closed:
        shut[cell_of(position.point(vertex), position.cols)] = True
    cell = answer(position.board, shut, 0, cell_of(position.point(last), position.cols), int(color))
    return position.vertex(point_of(cell, position.cols)) if cell else None


@pytest.mark.parametrize("seed", range(6))
def test_atari_and_liberties_are_those_of_the_board_after_the_move(seed: int) -> None:
    position = random_position(np.random.default_rng(seed), 5 + seed % 3, 6, 24 + 3 * seed, "chinese")
    cols = position.cols
    for point in np.flatnonzero(position.stones.ravel() == 0).tolist():
        for color in Color:
            cell = cell_of(point, cols)
            if liberty_status(position.board, cell, int(color)):
                continue
            after = position.copy()
            taken = after.captures(point, color)
            after.play(point, color, force=True)
            chain = after.chain(point)
            wanted = len(chain.points) if len(chain.liberties) == 1 and not taken else 0
            assert atari_size(position.board, cell, int(color)) == wanted, (position.vertex(point), color)
    for chain in position.chains():
        root = int(position.board["root"][cell_of(chain.points[0], cols)])
        liberties = records.chain_liberties(position.board, chain.points[0])
        for but in [0, *(cell_of(point, cols) for point in liberties)]:
            found = some_liberty(position.board, root, but)
            others = {cell_of(point, cols) for point in liberties} - {but}
            assert found in others if others else found == 0


LADDERISH = """
. . . . .
. . O . .
. O X O .
. . . . .
. X . . .
"""


def test_an_atari_is_answered() -> None:
    position = drawn(LADDERISH)
    assert answered(position, "D3", Color.BLACK) == "C2"
    assert answered(position, "D3", Color.BLACK, "C2") is None
    assert answered(position, "B1", Color.WHITE) is None


def test_taking_comes_before_running() -> None:
    giver = drawn("""
        O X . .
        . . . .
        """)
    assert answered(giver, "A2", Color.BLACK) == "A1"
    other = drawn("""
        O X X . .
        . O O . .
        . . . . .
        """)
    assert answered(other, "C2", Color.BLACK) == "A2"
    assert answered(other, "C2", Color.BLACK, "A2") == "D3"


def test_a_chain_that_cannot_run_does_not() -> None:
    caught = drawn("""
        . O O . .
        O X X O .
        O X . O .
        . O O . .
        """)
    assert answered(caught, "B1", Color.BLACK) is None


def play_on(position: Position, seed: int, closed: NDArray[np.bool_] = OPEN) -> NDArray[np.int8]:
    """The stones after one playout."""
    boards = position.board_array.copy()
    state = np.zeros(1, np.uint64)
    seed_random(state, seed)
    moves = settle(boards[0], closed, state, 3 * position.rows * position.cols)
    assert 2 <= moves <= 3 * position.rows * position.cols
    return records.stones_grid(boards[0])


def test_a_seki_mostly_stays_as_it_is() -> None:
    """Not always: now and then the wall around it dies first."""
    position = drawn(SEKI)
    in_seki = [position.point(vertex) for vertex in ("C1", "C2", "C3", "D3", "E1", "E2", "E3")]
    before = position.stones.ravel()[in_seki]
    kept = sum(np.array_equal(play_on(position, seed).ravel()[in_seki], before) for seed in range(100))
    assert kept >= 80
    assert LARGEST_SACRIFICE < 3, "the white chain of this seki has three stones"


def test_nobody_plays_on_a_closed_cell() -> None:
    position = Position(5)
    closed = OPEN.copy()
    closed[cell_of(12, 5)] = True
    closed[cell_of(0, 5)] = True
    for seed in range(10):
        assert play_on(position, seed, closed).ravel()[[0, 12]].tolist() == [0, 0]


def test_ownership_counts_playouts_and_leaves_the_board_alone() -> None:
    position = drawn("""
        . X O .
        X X O O
        . X O .
        X X O O
        """)
    before = position.board_array.tobytes()
    out = np.full(16, 99, np.int32)
    ownership(position.board, OPEN, 30, 5, 100, out)
    assert out.reshape(4, 4).tolist() == [[30, 30, -30, -30]] * 4
    assert position.board_array.tobytes() == before


def test_both_sides_begin_in_turn() -> None:
    """One point decides who lives; whoever is to play in the record, each side takes it first in half of the games."""
    results: list[list[int]] = []
    for to_play in ("B", "W"):
        position = drawn(". X X . O O .\nX X . . . O O", to_play)
        out = np.zeros(14, np.int32)
        ownership(position.board, OPEN, 200, 3, 60, out)
        results.append(out.tolist())
    assert results[0] == results[1]
