"""The oracle itself: against sgfmill's board, published counts, and the rule cases."""

from __future__ import annotations

import itertools
import random

import pytest

from tests.support.cases import Case, load_cases
from tests.support.diagrams import draw, parse_diagram, point_to_vertex, vertex_to_point
from tests.support.oracle_board import EMPTY, LEGAL, OracleBoard
from tests.support.random_games import RULES, play_random, random_setting
from tests.support.sgfmill_board import SgfmillBoard


@pytest.mark.parametrize("seed", range(12))
def test_agrees_with_sgfmill(seed: int) -> None:
    rng = random.Random(seed)
    size = rng.randint(2, 9)
    oracle = OracleBoard(size, size, ko=RULES[seed % 6][0], suicide=RULES[seed % 6][1])
    other = SgfmillBoard(size)
    for color, move in play_random(rng, oracle, 80):
        if move != oracle.pass_move:
            other.play(move, color)
        assert oracle.stones == other.stones


@pytest.mark.parametrize(("rows", "cols", "count"), [(1, 1, 1), (1, 2, 5), (2, 2, 57), (2, 3, 489), (3, 3, 12675)])
def test_published_numbers_of_legal_positions(rows: int, cols: int, count: int) -> None:
    boards = (OracleBoard(rows, cols, stones=stones) for stones in itertools.product(range(3), repeat=rows * cols))
    assert sum(board.all_have_liberties() for board in boards) == count


@pytest.mark.parametrize("case", load_cases("legality.json") + load_cases("superko.json"), ids=lambda case: case.id)
def test_answers_the_cases(case: Case) -> None:
    oracle = OracleBoard(
        case.rows,
        case.cols,
        ko=case.ko,
        suicide=case.question["suicide"],
        stones=case.stones,
        to_play=case.to_play,
    )
    for color, move in case.history:
        oracle.play(move, color)
    assert (oracle.why_illegal(case.point, case.color) == LEGAL) == case.expected


def test_games_hold_what_they_are_made_for() -> None:
    """Captures, kos, suicides and superko bans must occur, or the comparisons say little."""
    kos, prisoners, suicides, bans = 0, 0, 0, 0
    for seed in range(60):
        rng = random.Random(seed)
        ko, suicide = RULES[seed % 6]
        oracle = random_setting(rng, rng.randint(1, 6), rng.randint(1, 6), ko, suicide).oracle()
        for _, move in play_random(rng, oracle, 60):
            kos += oracle.ko_point >= 0
            suicides += move != oracle.pass_move and oracle.stones[move] == EMPTY
            bans += any(oracle.why_illegal(point, oracle.to_play) == 3 for point in range(oracle.points))
        prisoners += sum(oracle.prisoners)
    assert min(kos, suicides, bans) > 20
    assert prisoners > 500


def test_diagrams_and_vertices_go_both_ways() -> None:
    text = ".XO\nO.X"
    rows, cols, stones = parse_diagram(text)
    assert (rows, cols, draw(stones, cols)) == (2, 3, text)
    assert vertex_to_point("A2", 2, 3) == 0
    assert vertex_to_point("C1", 2, 3) == 5
    assert [vertex_to_point(point_to_vertex(point, 2, 3), 2, 3) for point in range(7)] == list(range(7))
