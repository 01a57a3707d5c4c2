"""Ladder breakers against trying every point of the board: the points that are not tried must not matter."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from move37.benchmark.positions import midgame
from move37.rules.board_kernels import EMPTY, Board, cell_of, place_stone
from move37.rules.ladder_breaker_kernels import write_breakers
from move37.rules.ladder_kernels import is_laddered, ladder_work, list_answers, start_from_board, write_laddered
from move37.rules.ladder_search_kernels import MOST_CANDIDATES, may_play

WORK = ladder_work()
MOVES = np.empty(MOST_CANDIDATES, np.int16)


def tried_one_by_one(board: Board, point: int, size: int) -> NDArray[np.bool_]:
    """`write_breakers` without choosing points: one more stone anywhere, and the ladder read anew."""
    target = cell_of(point, size)
    start_from_board(WORK, board)
    WORK[0]["ko_cell"] = 0
    first = WORK[0].copy()
    answers = np.empty(MOST_CANDIDATES, np.int16)
    own = set(answers[: list_answers(WORK[0], target, answers)].tolist())
    color = int(first["stones"][target])
    found = np.zeros(size * size, np.bool_)
    for other in range(size * size):
        cell = cell_of(other, size)
        WORK[0] = first
        if first["stones"][cell] == EMPTY and cell not in own and may_play(WORK[0], cell, color):
            place_stone(WORK[0], cell, color)
            found[other] = not is_laddered(WORK, target, MOVES)
    return found


@pytest.mark.parametrize(("size", "plies"), [(7, 25), (9, 40), (13, 90), (19, 60), (19, 220)])
def test_no_breaker_is_missed(size: int, plies: int) -> None:
    seen = 0
    for board in midgame(4, size, plies, seed=size + plies):
        caught, captures = np.zeros(size * size, np.bool_), np.zeros((2, size * size), np.bool_)
        write_laddered(board, WORK, caught, captures)
        for point in np.flatnonzero(caught).tolist():
            if board["root"][cell_of(point, size)] != cell_of(point, size):
                continue
            breakers = np.ones(size * size, np.bool_)
            write_breakers(board, WORK, point, breakers)
            np.testing.assert_array_equal(breakers, tried_one_by_one(board, point, size))
            seen += int(breakers.sum())
    assert seen > 5


def test_a_chain_that_is_not_caught_has_no_breaker() -> None:
    (board,) = midgame(1, 9, 1)
    breakers = np.ones(81, np.bool_)
    write_breakers(board, WORK, int(board["last_moves"][0]), breakers)
    assert not breakers.any()
