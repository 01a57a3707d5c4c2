"""The ladder reader: hand-drawn boards, the slow twin on random games, symmetry, remembered positions."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from move37.rules import ladder_kernels, ladder_search_kernels, symmetry
from move37.rules.board_kernels import BOARD, cell_of
from move37.rules.color import Color
from move37.rules.ladder_breaker_kernels import write_breakers
from move37.rules.position import Position
from tests.support.kernel_game import KernelGame
from tests.support.oracle_board import NO_POINT
from tests.support.random_games import Setting, next_move, random_kos, random_stones
from tests.support.slow_ladders import SlowLadders

WORK = ladder_kernels.ladder_work()
SIZES = ((1, 1), (1, 5), (2, 2), (3, 3), (4, 3), (4, 4), (5, 5), (4, 7), (7, 7), (9, 9))
Marks = NDArray[np.bool_]


def points_of(mask: Marks) -> set[int]:
    return {int(point) for point in np.flatnonzero(mask)}


def empty_mask(board: Any, *shape: int) -> Marks:
    return np.ones((*shape, int(board["rows"]) * int(board["cols"])), np.bool_)  # ones: all must be written


def laddered(board: Any) -> tuple[set[int], dict[int, set[int]]]:
    """What `write_laddered` says, as the slow twin does."""
    caught, captures = empty_mask(board), empty_mask(board, 2)
    ladder_kernels.write_laddered(board, WORK, caught, captures)
    return points_of(caught), {color: points_of(captures[color - 1]) for color in (1, 2)}


def escapes(board: Any, color: int) -> set[int]:
    mask = empty_mask(board)
    ladder_kernels.write_escapes(board, WORK, color, mask)
    return points_of(mask)


def vertices(position: Position, points: set[int]) -> str:
    return " ".join(position.vertex(point) for point in sorted(points))


# ------------------------------------------------------------------------------------------- boards drawn by hand

RUNS_INTO_THE_EDGE = """
. . . . . . .
. . . . . . .
. . . . . . .
. X . . . . .
X O . . . . .
. X X . . . .
. . . . . . .
"""
BREAKER_ON_THE_WAY = RUNS_INTO_THE_EDGE.replace(". . . . . . .", ". . . . O . .", 1)
BREAKER_BESIDE_THE_WAY = RUNS_INTO_THE_EDGE.replace("X X . . . .", "X X . . . O")
TWO_LIBERTIES = """
. . . . . . .
. . . . . . .
. . . . . . .
. . X . . . .
. X O . . . .
. . . X . . .
. . . . . . .
"""
CHASER_IN_ATARI = """
. . . . . . .
. . . . . . .
O . . . . . .
. X . . . . .
X O . . . . .
O X X . . . .
. X . . . . .
"""
THREE_LIBERTIES = """
. . . . .
. X . . .
. O . . .
. . . . .
"""
TWO_EYES = """
. O . O X .
O O O O X .
X X X X X .
. . . . . .
"""
ONE_KO_AND_AN_EYE = """
X O . O . O X
. X O O O O X
. . X X X X X
. . . . . . .
"""
DOUBLE_KO = """
X O . O O O . O X
. X O O X O O X .
. . X X X X X . .
. . . . . . . . .
"""
DOUBLE_KO_WITH_A_WAY_OUT = DOUBLE_KO.replace("X X X X X", "X X . X X")


# B3 runs along the diagonal, always in atari; a stone on its way saves it. TWO_LIBERTIES: after D3 White runs along the
# edge, after C2 along the diagonal. CHASER_IN_ATARI: White takes A3 from A4. TWO_EYES: both ataris are suicide.
# ONE_KO_AND_AN_EYE: the ko at C4 is an atari, but at the root the defender may take any ko. DOUBLE_KO: White takes one
# back, Black takes the other, for ever. DOUBLE_KO_WITH_A_WAY_OUT: E3 is in atari and can be taken.


@pytest.mark.parametrize(
    ("diagram", "caught", "black", "white"),
    [
        (RUNS_INTO_THE_EDGE, "B3", "", ""),
        (BREAKER_ON_THE_WAY, "", "", ""),
        (BREAKER_BESIDE_THE_WAY, "B3", "", ""),
        (TWO_LIBERTIES, "C3", "D3 C2", ""),
        (CHASER_IN_ATARI, "", "", ""),
        (THREE_LIBERTIES, "", "", ""),
        (TWO_EYES, "", "", ""),
        (ONE_KO_AND_AN_EYE, "", "", ""),
        (DOUBLE_KO, "D4 E4 F4 C3 D3 F3 G3", "C4 G4", ""),
        (DOUBLE_KO_WITH_A_WAY_OUT, "", "", ""),
    ],
)
def test_a_board(diagram: str, caught: str, black: str, white: str) -> None:
    position = Position.from_diagram(diagram)
    found, captures = laddered(position.board)
    assert vertices(position, found) == caught
    assert vertices(position, captures[Color.BLACK]) == black
    assert vertices(position, captures[Color.WHITE]) == white


def test_moves_that_get_away() -> None:
    found = {
        diagram: vertices(position, escapes(position.board, Color.WHITE))
        for diagram in (RUNS_INTO_THE_EDGE, BREAKER_ON_THE_WAY, CHASER_IN_ATARI)
        for position in [Position.from_diagram(diagram)]
    }
    assert found == {RUNS_INTO_THE_EDGE: "", BREAKER_ON_THE_WAY: "C3", CHASER_IN_ATARI: "A4 C3"}


def test_a_ko_that_may_not_be_taken_now() -> None:
    """Black has taken at C4. For the reader White takes back at B4, though it may not now; it is no escape."""
    position = Position.from_diagram(ONE_KO_AND_AN_EYE)
    position.play("C4")
    assert position.ko_point == position.point("B4")
    assert laddered(position.board)[0] & {position.point("D4")} == set()
    assert vertices(position, escapes(position.board, Color.WHITE)) == ""
    position.play("pass")
    assert "B4" in vertices(position, escapes(position.board, Color.WHITE))


def test_an_atari_that_ko_forbids_does_not_work() -> None:
    """White has just taken back at B4, so that Black may not take at C4 again: only the other ko is left."""
    position = Position.from_diagram(DOUBLE_KO)
    position.play_many(["C4", "A1", "J1", "B4"])
    assert position.ko_point == position.point("C4")
    caught, captures = laddered(position.board)
    assert vertices(position, captures[Color.BLACK] - {position.point("A2"), position.point("B1")}) == "G4"
    assert position.point("E4") in caught


def test_who_moves_first() -> None:
    """A chain of two liberties that is to move is captured if nothing helps, and one of three is not read."""

    def captured(diagram: str, stone: str) -> list[bool]:
        position = Position.from_diagram(diagram)
        point = position.point(stone)
        return [ladder_kernels.is_captured(position.board, WORK, point, first) for first in (True, False)]

    assert captured(RUNS_INTO_THE_EDGE, "B3") == [True, True]
    assert captured(BREAKER_ON_THE_WAY, "B3") == [True, False]
    assert captured(TWO_LIBERTIES, "C3") == [True, False]
    assert captured(DOUBLE_KO, "E4") == [True, True]
    assert captured(THREE_LIBERTIES, "B2") == [False, False]
    assert captured(TWO_EYES, "B4") == [False, False]


# ------------------------------------------------------------------------------------------- random games


def random_game(rows: int, cols: int, seed: int) -> tuple[random.Random, Setting]:
    rng = random.Random(seed)
    stones = rng.choice((random_stones, random_kos))(rng, rows, cols, rng.choice((0.0, 0.2, 0.4, 0.6, 0.8)))
    return rng, Setting(rows, cols, 0, False, stones, rng.choice((1, 2)))


@pytest.mark.parametrize(("rows", "cols"), SIZES)
def test_the_slow_twin_agrees(rows: int, cols: int) -> None:
    """Boards full of stones and kos, some moves further: now, and as a record remembers them."""
    slow, seen = SlowLadders(rows, cols), 0
    for seed in range(8):
        rng, setting = random_game(rows, cols, seed)
        game, oracle = KernelGame(setting), setting.oracle()
        for _ in range(6):
            assert laddered(game.board) == slow.laddered(oracle.stones, oracle.ko_point)
            for color in (1, 2):
                ko = oracle.ko_point if color == oracle.to_play else NO_POINT
                assert escapes(game.board, color) == slow.escapes(oracle.stones, ko, color)
            seen += len(laddered(game.board)[0])
            color, move = next_move(rng, oracle)
            oracle.play(move, color)
            game.play(move, color)
        for ago, past in enumerate(oracle.recent()[:7]):
            caught, captures = empty_mask(game.board), empty_mask(game.board, 2)
            ladder_kernels.start_from_history(WORK, game.board, ago)
            ladder_kernels.mark_laddered(WORK, caught, captures)
            assert (points_of(caught), {c: points_of(captures[c - 1]) for c in (1, 2)}) == slow.laddered(
                past.stones, past.ko_point
            )
    assert seen > 10 or rows * cols < 12


@pytest.mark.parametrize(("rows", "cols"), [(3, 3), (4, 4), (5, 5), (4, 7)])
def test_single_chains_agree_with_the_slow_twin(rows: int, cols: int) -> None:
    slow, seen = SlowLadders(rows, cols), 0
    for seed in range(12):
        _, setting = random_game(rows, cols, 100 + seed)
        board, stones = KernelGame(setting).board, setting.oracle().stones
        for chain in slow.chains(stones):
            point, mask = max(chain), empty_mask(board)
            if not slow.is_laddered(stones, NO_POINT, point):
                continue
            liberties = slow.liberties(stones, point)
            ladder_kernels.write_attacks(board, WORK, point, mask)
            expected = slow.attacks(stones, NO_POINT, point) if len(liberties) == 2 else liberties
            assert points_of(mask) == expected
            ladder_kernels.write_rescues(board, WORK, point, mask)
            assert points_of(mask) == slow.rescues(stones, NO_POINT, point)
            write_breakers(board, WORK, point, mask)
            assert points_of(mask) == slow.breakers(stones, point)
            seen += 1
    assert seen > 5


@pytest.mark.parametrize(("rows", "cols"), [(5, 5), (4, 7)])
def test_a_turned_board_has_turned_ladders(rows: int, cols: int) -> None:
    for seed in range(20):
        _, setting = random_game(rows, cols, 200 + seed)
        found, captures = laddered(KernelGame(setting).board)
        for s in symmetry.allowed(rows, cols):
            turned = [0] * (rows * cols)
            for point, stone in enumerate(setting.stones):
                turned[symmetry.point(s, point, rows, cols)] = stone
            size = (cols, rows) if s & 4 else (rows, cols)
            board = KernelGame(Setting(*size, 0, False, tuple(turned), setting.to_play)).board
            there, moves = laddered(board)
            assert there == {symmetry.point(s, point, rows, cols) for point in found}
            for color in (1, 2):
                assert moves[color] == {symmetry.point(s, point, rows, cols) for point in captures[color]}


def test_swapped_colours_swap_the_moves() -> None:
    for seed in range(30):
        _, setting = random_game(5, 5, 300 + seed)
        swapped = tuple(3 - stone if stone else 0 for stone in setting.stones)
        found, captures = laddered(KernelGame(setting).board)
        there, moves = laddered(KernelGame(Setting(5, 5, 0, False, swapped, 3 - setting.to_play)).board)
        assert (there, moves[1], moves[2]) == (found, captures[2], captures[1])


def test_the_record_stays_and_the_scratch_may_hold_anything() -> None:
    position = Position.from_diagram(DOUBLE_KO)
    before = position.board_array.copy()
    clean = laddered(position.board), escapes(position.board, 1)
    WORK.view(np.uint8)[:] = 0x55
    assert (laddered(position.board), escapes(position.board, 1)) == clean
    assert position.board_array.dtype == BOARD
    assert (position.board_array == before).all()


def test_one_reading_gives_up_after_so_many_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    """In plain Python the limit can be set: with none left nothing is captured that has to be read."""
    read = getattr(ladder_search_kernels.read, "py_func", ladder_search_kernels.read)
    position = Position.from_diagram(RUNS_INTO_THE_EDGE)
    moves = np.empty(ladder_search_kernels.MOST_CANDIDATES, np.int16)
    ladder_kernels.start_from_board(WORK, position.board)
    target = cell_of(position.point("B3"), position.cols)
    answers: list[bool] = []
    for limit in (25_000, 3):
        monkeypatch.setattr(ladder_search_kernels, "MOST_MOVES", limit)
        WORK[1] = WORK[0]
        answers.append(bool(read(WORK, target, True, moves)))
    assert answers == [True, False]
