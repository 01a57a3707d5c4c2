"""The compiled board against the oracle and sgfmill's board, move by move, in every field."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from move37.rules import board_kernels as kernels
from move37.rules import repetition_kernels, setup_kernels
from move37.rules.records import stones_grid
from tests.support.diagrams import parse_diagram
from tests.support.kernel_game import KernelGame, assert_same, assert_same_legality, contents, zobrist_hash
from tests.support.oracle_board import BLACK, EMPTY, POSITIONAL, SIMPLE, SITUATIONAL, WHITE, OracleBoard, opponent
from tests.support.random_games import RULES, Setting, games, play_random, random_setting
from tests.support.sgfmill_board import SgfmillBoard
from tests.support.shared import ROOT
from tests.support.slow_encore import SlowGame

SMALL_SIZES = [(rows, cols) for rows in range(1, 6) for cols in range(1, 6)]
MEDIUM_SIZES = [(6, 6), (7, 7), (8, 8), (9, 9), (1, 19), (19, 1), (2, 13), (6, 9), (9, 7), (5, 12)]
LARGE_SIZES = [(13, 13), (19, 19), (10, 10), (13, 9), (16, 17), (19, 2), (18, 19), (11, 14), (19, 12)]


def compare_game(setting: Setting, length: int, seed: int, legality_every: int = 1) -> None:
    """Play a random game on both boards and compare after each move."""
    rng = random.Random(seed)
    oracle, game = setting.oracle(), KernelGame(setting)
    follower = setting.oracle()
    assert_same(game.board, oracle)
    assert_same_legality(game, oracle)
    for number, (color, move) in enumerate(play_random(rng, oracle, length)):
        assert game.play(move, color) == follower.play(move, color)
        assert_same(game.board, oracle)
        if number % legality_every == 0:
            assert_same_legality(game, oracle)


@pytest.mark.parametrize(("rows", "cols"), SMALL_SIZES)
@pytest.mark.parametrize(("ko", "suicide"), RULES)
def test_small_boards_under_all_rules(rows: int, cols: int, ko: int, suicide: bool) -> None:
    for seed in range(3):
        rng = random.Random(1000 * rows + 100 * cols + 10 * ko + seed)
        compare_game(random_setting(rng, rows, cols, ko, suicide), 50, seed)


@pytest.mark.parametrize(("rows", "cols"), MEDIUM_SIZES)
@pytest.mark.parametrize(("ko", "suicide"), RULES)
def test_medium_boards_under_all_rules(rows: int, cols: int, ko: int, suicide: bool) -> None:
    rng = random.Random(rows * cols + ko)
    compare_game(random_setting(rng, rows, cols, ko, suicide), 60, rows + cols, legality_every=3)


@pytest.mark.parametrize(("index", "size"), list(enumerate(LARGE_SIZES)))
def test_large_boards(index: int, size: tuple[int, int]) -> None:
    ko, suicide = RULES[index % len(RULES)]
    rng = random.Random(index)
    compare_game(random_setting(rng, *size, ko, suicide), 70, index, legality_every=14)


@pytest.mark.parametrize("size", range(1, 20))
def test_every_square_size_to_a_full_board(size: int) -> None:
    """Stones on nearly all points, so that long chains join and large chains are taken."""
    rng = random.Random(size)
    ko, suicide = RULES[size % len(RULES)]
    oracle = SlowGame(size, size, ko=ko, suicide=suicide)
    game = KernelGame(Setting(size, size, ko, suicide))
    order = list(range(size * size))
    for _ in range(2):
        rng.shuffle(order)
        for point in order:
            if oracle.is_legal(point, oracle.to_play):
                color = oracle.to_play
                game.play(point, color)
                oracle.play(point, color)
    assert_same(game.board, oracle)
    assert_same_legality(game, oracle)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(games())
def test_any_game(drawn: tuple[Setting, list[tuple[int, int]]]) -> None:
    setting, moves = drawn
    oracle, game = setting.oracle(), KernelGame(setting)
    for color, move in moves:
        assert game.play(move, color) == oracle.play(move, color)
        assert_same(game.board, oracle)
    assert_same_legality(game, oracle)


@settings(max_examples=40, deadline=None)
@given(games(largest=5, longest=30), st.data())
def test_hash_after_tells_the_next_hash(drawn: tuple[Setting, list[tuple[int, int]]], data: st.DataObject) -> None:
    setting, moves = drawn
    oracle, game = setting.oracle(), KernelGame(setting)
    for color, move in moves:
        game.play(move, color)
        oracle.play(move, color)
    color = data.draw(st.sampled_from((BLACK, WHITE)))
    before = contents(game.board)
    for point in oracle.legal_points(color):
        expected = zobrist_hash(oracle.outcome(point, color).stones, oracle.rows, oracle.cols)
        assert int(repetition_kernels.hash_after(game.board, point, color)) == expected
    assert contents(game.board) == before


@pytest.mark.parametrize("seed", range(20))
def test_agrees_with_sgfmill(seed: int) -> None:
    """A second oracle, written by others: stones, and its simple ko point wherever that is a ko by our rule."""
    rng = random.Random(seed)
    size = rng.randint(2, 11)
    setting = Setting(size, size, SIMPLE, seed % 2 == 1)
    oracle, game, other = setting.oracle(), KernelGame(setting), SgfmillBoard(size)
    for color, move in play_random(rng, oracle, 90):
        game.play(move, color)
        expected = -1 if move == oracle.pass_move else other.play(move, color)
        assert game.board["ko_point"] == expected
        assert tuple(stones_grid(game.board).ravel().tolist()) == other.stones


@pytest.mark.parametrize(("color", "gone"), [(BLACK, 4), (WHITE, -5)])
def test_hash_of_a_chain_met_twice(color: int, gone: int) -> None:
    """The chain above is the chain on the right, with another one met between them."""
    rows, cols, stones = parse_diagram(".XOO\nXO.O\n.XXX\n....")
    setting = Setting(rows, cols, POSITIONAL, True, stones, color)
    oracle, game = setting.oracle(), KernelGame(setting)
    expected = zobrist_hash(oracle.outcome(6, color).stones, rows, cols)
    assert int(repetition_kernels.hash_after(game.board, 6, color)) == expected
    assert game.play(6, color) == oracle.play(6, color) == gone
    assert_same(game.board, oracle)


# ------------------------------------------------------------------------------------------- single facts


def start(diagram: str, ko: int = SIMPLE, suicide: bool = False, to_play: int = BLACK) -> KernelGame:
    rows, cols, stones = parse_diagram(diagram)
    return KernelGame(Setting(rows, cols, ko, suicide, stones, to_play))


def test_the_ko_point_binds_only_the_side_that_would_retake() -> None:
    game = start(".XO.\nX.XO\n.XO.\n....", to_play=WHITE)
    assert game.play(5, WHITE) == 1
    assert game.board["ko_point"] == 6
    assert kernels.why_illegal(game.board, 6, BLACK) == kernels.KO
    assert kernels.why_illegal(game.board, 6, WHITE) == kernels.LEGAL


def test_a_pass_lifts_the_ko() -> None:
    game = start(".XO.\nX.XO\n.XO.\n....", to_play=WHITE)
    game.play(5, WHITE)
    game.play(16, BLACK)
    game.play(16, WHITE)
    assert kernels.why_illegal(game.board, 6, BLACK) == kernels.LEGAL
    assert game.board["passes"] == 2


@pytest.mark.parametrize("suicide", [False, True])
def test_suicide(suicide: bool) -> None:
    single = start(".X\nX.", suicide=suicide, to_play=WHITE)
    assert kernels.why_illegal(single.board, 0, WHITE) == kernels.SUICIDE
    double = start("..X\nXX.", suicide=suicide, to_play=WHITE)
    double.play(0, WHITE)
    expected = kernels.LEGAL if suicide else kernels.SUICIDE
    assert kernels.why_illegal(double.board, 1, WHITE) == expected
    if suicide:
        assert double.play(1, WHITE) == -2
        assert double.board["prisoners"].tolist() == [0, 2, 0]


def test_a_set_up_position_counts_for_superko() -> None:
    game = start(".XO.\nX.XO\n.XO.\n....", ko=POSITIONAL, to_play=WHITE)
    game.play(5, WHITE)
    game.play(16, BLACK)
    game.play(16, WHITE)
    game.write_bans(BLACK)
    assert kernels.why_illegal(game.board, 6, BLACK) == kernels.SUPERKO


def test_two_returns_of_one_stone_with_a_pass_differ_by_rule() -> None:
    """Sending a stone that is retaken: the stones repeat, the side to move does not."""
    diagram = ".OX.\nO.OX\n.OX.\n...."
    found = {}
    for rule in (SIMPLE, POSITIONAL, SITUATIONAL):
        game = start(diagram, ko=rule, to_play=BLACK)
        game.play(5, BLACK)
        game.play(16, WHITE)
        game.play(16, BLACK)
        game.write_bans(WHITE)
        found[rule] = kernels.why_illegal(game.board, 6, WHITE)
    assert found == {SIMPLE: kernels.LEGAL, POSITIONAL: kernels.SUPERKO, SITUATIONAL: kernels.SUPERKO}


def test_off_board_points_are_named_so() -> None:
    game = start("...\n...")
    assert kernels.why_illegal(game.board, -1, BLACK) == kernels.OFF_BOARD
    assert kernels.why_illegal(game.board, 7, BLACK) == kernels.OFF_BOARD
    assert kernels.why_illegal(game.board, 6, BLACK) == kernels.LEGAL


def test_reset_forgets_the_game_but_keeps_the_rules() -> None:
    game = KernelGame(random_setting(random.Random(3), 7, 5, SITUATIONAL, True))
    game.board["komi"], game.board["white_bonus"] = 6.5, 2
    for move in (0, 34, 7, 35):
        game.play(move, int(game.board["to_play"]))
    kernels.reset(game.board, 3, 4)
    assert_same(game.board, SlowGame(3, 4, ko=SITUATIONAL, suicide=True))
    assert (game.board["komi"], game.board["white_bonus"]) == (6.5, 2)
    assert (game.board["ko_rule"], game.board["suicide"]) == (SITUATIONAL, 1)


def test_setup_names_a_chain_without_liberty() -> None:
    boards: Any = np.zeros(1, dtype=kernels.BOARD)
    kernels.reset(boards[0], 2, 2)
    for point, stone in enumerate((BLACK, WHITE, WHITE, EMPTY)):
        setup_kernels.set_stone(boards[0], point, stone)
    assert setup_kernels.finish_setup(boards[0]) == 0


def test_a_batch_has_the_masks_of_its_records() -> None:
    boards: Any = np.zeros(9, dtype=kernels.BOARD)
    expected: list[list[bool]] = []
    for index in range(9):
        rng = random.Random(index)
        oracle = OracleBoard(5, 6, suicide=index % 2 == 1)
        boards[index]["suicide"] = index % 2
        kernels.reset(boards[index], 5, 6)
        for color, move in play_random(rng, oracle, 12 * index):
            kernels.play(boards[index], move, color)
        expected.append([oracle.is_legal(move, oracle.to_play) for move in range(31)])
    masks = np.zeros((9, 31), np.bool_)
    kernels.legal_mask_batch(boards, masks)
    assert masks.tolist() == expected


def test_hashes_of_a_whole_set_of_positions_are_distinct() -> None:
    """No two of the 57 legal 2x2 positions, nor empty boards of different sizes, share a hash."""
    hashes = {zobrist_hash([0] * rows * cols, rows, cols) for rows in range(1, 20) for cols in range(1, 20)}
    assert len(hashes) == 361
    seen: set[int] = set()
    for number in range(81):
        stones = tuple(number // 3**digit % 3 for digit in range(4))
        if OracleBoard(2, 2, stones=stones).all_have_liberties():
            seen.add(int(KernelGame(Setting(2, 2, stones=stones)).board["stones_hash"]))
    assert len(seen) == 57


# ------------------------------------------------------------------------------------------- counting sequences


def count_by_oracle(setting: Setting, moves: list[tuple[int, int]], depth: int) -> int:
    oracle = setting.oracle()
    for color, move in moves:
        oracle.play(move, color)
    color = oracle.to_play
    legal = [*oracle.legal_points(color), oracle.pass_move]
    if depth == 1:
        return len(legal)
    return sum(count_by_oracle(setting, [*moves, (color, move)], depth - 1) for move in legal)


def count_by_kernels(game: KernelGame, depth: int) -> int:
    color = int(game.board["to_play"])
    game.write_bans(color)
    legal = np.flatnonzero(game.legal_mask(color)).tolist()
    if depth == 1:
        return len(legal)
    saved, key_count, total = game.boards.copy(), game.key_count, 0
    for move in legal:
        game.play(move, color)
        total += count_by_kernels(game, depth - 1)
        game.key_count = key_count
        kernels.copy_board(game.boards, 0, saved, 0)
    return total


@pytest.mark.parametrize(("ko", "suicide"), RULES)
@pytest.mark.parametrize(("rows", "cols", "depth"), [(1, 2, 6), (1, 3, 5), (2, 2, 5), (2, 3, 4), (3, 3, 3)])
def test_numbers_of_move_sequences(rows: int, cols: int, depth: int, ko: int, suicide: bool) -> None:
    setting = Setting(rows, cols, ko, suicide)
    assert count_by_kernels(KernelGame(setting), depth) == count_by_oracle(setting, [], depth)


# ------------------------------------------------------------------------------------------- without the compiler

WITHOUT_COMPILER = """
import random
from tests.rules.test_board_kernels import compare_game
from tests.support.kernel_game import compare_turns
from tests.support.random_games import RULES, Setting, random_kos, random_setting
for seed in range(6):
    rng = random.Random(seed)
    compare_game(random_setting(rng, 4, 5, *RULES[seed]), 25, seed, legality_every=5)
for seed in range(4):
    rows, cols = (3, 4) if seed else (7, 6)  # points beyond what one byte holds, when multiplied
    stones = random_kos(random.Random(seed), rows, cols, 0.5)
    compare_turns(Setting(rows, cols, seed % 3, stones=stones, territory=True, encore=True), 40, seed)
print("same")
"""


def test_kernels_run_without_the_compiler() -> None:
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-W", "error", "-c", WITHOUT_COMPILER]
    done = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "same", done.stderr


def test_colors_alternate_unless_told() -> None:
    game = KernelGame(Setting(3, 3))
    for move, color in ((0, BLACK), (1, WHITE), (2, WHITE)):
        game.play(move, color)
        assert game.board["to_play"] == opponent(color)
    assert all(a != b for a, b in pairwise(game.keys[: game.key_count].tolist()))
