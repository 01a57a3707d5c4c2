"""Rollouts against the oracle board: which moves are drawn, how a game ends, and what stays as it was."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest

from move37.rules.board_kernels import BLACK, BOARD, EMPTY, WHITE, BoardArray, cell_of, play, reset
from move37.rules.eye_kernels import is_own_eye
from move37.rules.records import stones_grid
from move37.search.rollout_kernels import rollout, seed_random
from tests.support.oracle_board import OracleBoard
from tests.support.slow_eye import slow_is_own_eye


def playable(oracle: OracleBoard, color: int) -> set[int]:
    """Points a rollout may choose: legal without suicide and no own eye."""
    return {point for point in oracle.legal_points(color) if not slow_is_own_eye(oracle, point, color)}


def random_position(seed: int, rows: int, cols: int, length: int) -> tuple[OracleBoard, BoardArray]:
    """The same random game on the oracle and on a record, suicide forbidden."""
    rng = random.Random(seed)
    oracle = OracleBoard(rows, cols, suicide=False)
    boards = np.zeros(1, BOARD)
    reset(boards[0], rows, cols)
    for _ in range(length):
        points = oracle.legal_points(oracle.to_play)
        if not points:
            break
        move = rng.choice(points)
        play(boards[0], move, oracle.to_play)
        oracle.play(move, oracle.to_play)
    return oracle, boards


@pytest.mark.parametrize("seed", range(12))
def test_eyes_are_those_of_the_definition(seed: int) -> None:
    oracle, boards = random_position(seed, 4 + seed % 4, 5, 30 + seed)
    for point in range(oracle.rows * oracle.cols):
        if oracle.stones[point] == EMPTY:
            for color in (BLACK, WHITE):
                cell = cell_of(point, oracle.cols)
                assert is_own_eye(boards[0], cell, color) == slow_is_own_eye(oracle, point, color)


@pytest.mark.parametrize("seed", range(8))
def test_a_move_is_drawn_from_exactly_the_playable_points(seed: int) -> None:
    oracle, boards = random_position(seed, 4, 4, 12 + seed)
    wanted = playable(oracle, oracle.to_play)
    work = np.zeros(1, BOARD)
    state, move = np.zeros(1, np.uint64), np.zeros(1, np.int16)
    drawn: Counter[int] = Counter()
    before = stones_grid(boards[0]).ravel()
    for draw in range(600):
        work[0] = boards[0]
        seed_random(state, draw)
        assert rollout(work[0], state, move) == 1
        new = np.flatnonzero((stones_grid(work[0]).ravel() == oracle.to_play) & (before != oracle.to_play))
        assert move[0] == (new[0] if len(new) else 16)
        drawn.update(new.tolist())
    assert set(drawn) == wanted
    if wanted:
        expected = 600 / len(wanted)
        # Eight standard deviations of a binomial count: a uniform draw never fails, a skewed one does.
        spread = 8 * np.sqrt(expected)
        assert all(abs(count - expected) <= spread for count in drawn.values())


@pytest.mark.parametrize(("rows", "cols"), [(1, 1), (1, 4), (3, 3), (5, 7), (9, 9)])
def test_a_rollout_ends_when_nobody_has_a_move_left(rows: int, cols: int) -> None:
    boards = np.zeros(1, BOARD)
    state, moves = np.zeros(1, np.uint64), np.zeros(3 * rows * cols + 10, np.int16)
    for seed in range(6):
        reset(boards[0], rows, cols)
        seed_random(state, seed)
        if rollout(boards[0], state, moves) == len(moves):
            continue  # a cycle of kos: the limit ended it
        oracle = OracleBoard(rows, cols, stones=stones_grid(boards[0]).ravel().tolist(), suicide=False)
        assert oracle.all_have_liberties()
        # The first of the two passes may have been forced by a ko, the second cannot.
        assert not playable(oracle, BLACK) or not playable(oracle, WHITE)
