"""Area counting against the oracle, sgfmill and recorded results of real games."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings

from move37.rules import area_kernels
from tests.support.cases import Case, load_cases
from tests.support.diagrams import SIGNS, parse_diagram
from tests.support.kernel_game import KernelGame, contents
from tests.support.oracle_board import BLACK, EMPTY, WHITE, OracleBoard
from tests.support.random_games import Setting, games, play_random, random_stones
from tests.support.sgfmill_board import SgfmillBoard

CASES = load_cases("area-score.json")


def owners_and_score(setting: Setting) -> tuple[list[int], int]:
    board = KernelGame(setting).board
    owners = np.full(setting.rows * setting.cols, 9, np.int8)
    before = contents(board)
    difference = area_kernels.area_owner(board, owners)
    assert difference == area_kernels.area_score(board)
    assert contents(board) == before
    return owners.tolist(), int(difference)


@pytest.mark.parametrize("seed", range(60))
def test_random_stones(seed: int) -> None:
    rng = random.Random(seed)
    rows, cols = rng.randint(1, 19), rng.randint(1, 19)
    stones = random_stones(rng, rows, cols, rng.choice((0.1, 0.4, 0.7, 0.95)))
    oracle = OracleBoard(rows, cols, stones=stones)
    expected = oracle.owners(), oracle.area_score()
    assert owners_and_score(Setting(rows, cols, stones=stones)) == expected


@pytest.mark.parametrize("seed", range(40))
def test_agrees_with_sgfmill(seed: int) -> None:
    rng = random.Random(seed)
    size = rng.randint(2, 13)
    stones = random_stones(rng, size, size, rng.choice((0.2, 0.5, 0.8)))
    assert owners_and_score(Setting(size, size, stones=stones))[1] == SgfmillBoard(size, stones).area_score()


@settings(max_examples=40, deadline=None)
@given(games(largest=6, longest=80))
def test_after_a_game(drawn: tuple[Setting, list[tuple[int, int]]]) -> None:
    setting, moves = drawn
    oracle, game = setting.oracle(), KernelGame(setting)
    for color, move in moves:
        oracle.play(move, color)
        game.play(move, color)
    assert area_kernels.area_score(game.board) == oracle.area_score()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_cases(case: Case) -> None:
    owners, difference = owners_and_score(Setting(case.rows, case.cols, stones=case.stones))
    counts = owners.count(BLACK), owners.count(WHITE)
    assert counts == (case.expected["black"], case.expected["white"])
    assert difference == counts[0] - counts[1]
    if "owner" in case.expected:
        assert "".join(SIGNS[owner] for owner in owners) == "".join(case.expected["owner"])
    else:
        assert owners.count(EMPTY) == case.expected["neutral"]


def test_both_kinds_of_cases_are_here() -> None:
    assert {case.question["ask"] for case in CASES} == {"area_score", "area_ownership"}


@pytest.mark.parametrize(
    ("diagram", "black", "white"),
    [
        ("...\n...", 0, 0),
        ("X..\n...", 6, 0),
        ("X..\n..O", 1, 1),
        (".XO.\n.XO.", 4, 4),
        (".XO.\n.X.O", 4, 3),
        ("XO.\n.O.\nXO.", 2, 6),
        (".", 0, 0),
    ],
)
def test_small_boards(diagram: str, black: int, white: int) -> None:
    rows, cols, stones = parse_diagram(diagram)
    owners, _ = owners_and_score(Setting(rows, cols, stones=stones))
    assert (owners.count(BLACK), owners.count(WHITE)) == (black, white)


def test_no_stones_are_taken_off() -> None:
    """Two passes over a board with a dead stone: it counts, and so does the region it spoils."""
    rows, cols, stones = parse_diagram("..XO.\n..XO.\nO.XO.\n..XO.\n..XO.")
    assert owners_and_score(Setting(rows, cols, stones=stones))[1] == 5 - 11


def test_score_during_a_game_with_captures() -> None:
    rng = random.Random(5)
    setting = Setting(9, 9)
    oracle, game = setting.oracle(), KernelGame(setting)
    for color, move in play_random(rng, oracle, 120):
        game.play(move, color)
        assert area_kernels.area_score(game.board) == oracle.area_score()
    assert sum(oracle.prisoners) > 5
