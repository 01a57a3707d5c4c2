"""Unconditional life, KataGo's areas and the scores made of them: the kernels against the slow twin, and by hand."""

from __future__ import annotations

import random
from itertools import product
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from move37.rules import board_kernels, life_kernels, score_kernels, setup_kernels
from move37.rules.board_kernels import BLACK, BOARD, EMPTY, NO_POINT, WHITE
from tests.support import slow_life
from tests.support.diagrams import draw, parse_diagram
from tests.support.random_games import random_stones

SIZES = ((1, 1), (1, 4), (2, 2), (3, 3), (3, 5), (5, 4), (6, 6), (7, 7), (9, 9))
SCORINGS = ("area", "territory")
TAXES = ("none", "seki", "all")


def record_of(stones: tuple[int, ...], rows: int, cols: int) -> Any:
    """A record with these stones."""
    boards: NDArray[Any] = np.zeros(1, dtype=BOARD)
    board_kernels.reset(boards[0], rows, cols)
    for point, stone in enumerate(stones):
        setup_kernels.set_stone(boards[0], point, stone)
    assert setup_kernels.finish_setup(boards[0]) == NO_POINT
    return boards[0]


def walled_stones(rng: random.Random, rows: int, cols: int) -> tuple[int, ...]:
    """A board on which much lives: two or three bands of one colour with holes in them, of either colour."""
    owners = [rng.choice((BLACK, WHITE)) for _ in range(3)]
    stones = [owners[3 * (point % cols) // cols] if rng.random() < 0.72 else EMPTY for point in range(rows * cols)]
    for point in range(rows * cols):
        if rng.random() < 0.06:
            stones[point] = rng.choice((BLACK, WHITE))
    board = slow_life
    while True:
        dead = [
            chain
            for color in (BLACK, WHITE)
            for chain in board.chains_of(stones, rows, cols, color)
            if not any(stones[point] == EMPTY for point in board.beside_any(chain, rows, cols))
        ]
        if not dead:
            return tuple(stones)
        for point in dead[0]:
            stones[point] = EMPTY


def boards(count: int) -> list[tuple[int, int, tuple[int, ...]]]:
    """Random boards of all sizes, some of noise and some of walls."""
    made: list[tuple[int, int, tuple[int, ...]]] = []
    for rows, cols in SIZES:
        rng = random.Random(100 * rows + cols)
        for i in range(count):
            density = rng.choice((0.0, 0.3, 0.6, 0.8, 0.95))
            stones = walled_stones(rng, rows, cols) if i % 2 else random_stones(rng, rows, cols, density)
            made.append((rows, cols, stones))
    return made


BOARDS = boards(40)


def points_of(mask: NDArray[np.bool_]) -> frozenset[int]:
    return frozenset(int(point) for point in np.flatnonzero(mask))


@pytest.mark.parametrize("suicide", [False, True])
def test_benson_is_the_slow_twin_s(suicide: bool) -> None:
    living = territories = 0
    for rows, cols, stones in BOARDS:
        record = record_of(stones, rows, cols)
        for color in (BLACK, WHITE):
            alive, territory = np.empty(rows * cols, np.bool_), np.empty(rows * cols, np.bool_)
            life_kernels.benson(record, color, suicide, alive, territory)
            expected = slow_life.benson(stones, rows, cols, color, suicide)
            assert points_of(alive) == expected.alive, "\n" + draw(stones, cols)
            assert points_of(territory) == expected.territory, "\n" + draw(stones, cols)
            living += bool(expected.alive)
            territories += any(stones[point] for point in expected.territory)
    assert living > 60
    assert territories > 10  # with stones of the other side in them


def test_a_batch_is_each_board_for_itself() -> None:
    records: NDArray[Any] = np.concatenate(
        [[record_of(stones, 5, 4)] for rows, cols, stones in BOARDS if cols == 4 and rows == 5]
    )
    alive, territory = (np.empty((len(records), 2, 20), np.bool_) for _ in range(2))
    life_kernels.benson_batch(records, True, alive, territory)
    one, region = np.empty(20, np.bool_), np.empty(20, np.bool_)
    for i, record in enumerate(records):
        for color in (BLACK, WHITE):
            life_kernels.benson(record, color, True, one, region)
            assert (alive[i, color - 1] == one).all() and (territory[i, color - 1] == region).all()
    assert alive.any()


@pytest.mark.parametrize("suicide", [False, True])
def test_every_area_of_katago_is_the_slow_twin_s(suicide: bool) -> None:
    for rows, cols, stones in BOARDS:
        record = record_of(stones, rows, cols)
        out = np.empty(rows * cols, np.int8)
        for kept, safe_big, unsafe_big in product((False, True), repeat=3):
            life_kernels.basic_area(record, suicide, kept, safe_big, unsafe_big, out)
            expected = slow_life.katago_area(
                stones,
                rows,
                cols,
                non_pass_alive_stones=kept,
                safe_big=safe_big,
                unsafe_big=unsafe_big,
                suicide=suicide,
            )
            assert out.tolist() == expected, "\n" + draw(stones, cols)


def test_what_is_certain_is_life_and_the_regions_without_room_for_another() -> None:
    found = {BLACK: 0, WHITE: 0}
    for rows, cols, stones in BOARDS:
        out = np.empty(rows * cols, np.int8)
        life_kernels.certain_owner(record_of(stones, rows, cols), False, out)
        area = slow_life.pass_alive_area(stones, rows, cols)
        status = slow_life.unconditional_status(stones, rows, cols)
        for point, owner in enumerate(area):
            if status[point] == "dead":
                owner = 3 - stones[point]
            elif status[point].endswith("territory"):
                owner = BLACK if status[point].startswith("black") else WHITE
            assert out[point] == owner, "\n" + draw(stones, cols)
            found[owner] = found.get(owner, 0) + 1
    assert min(found[BLACK], found[WHITE]) > 200


@pytest.mark.parametrize(("keep_territory", "keep_stones"), list(product((False, True), repeat=2)))
def test_independent_life_is_the_slow_twin_s(keep_territory: bool, keep_stones: bool) -> None:
    sekis = 0
    for rows, cols, stones in BOARDS:
        out = np.empty(rows * cols, np.int8)
        record = record_of(stones, rows, cols)
        pieces = score_kernels.independent_area(record, False, keep_territory, keep_stones, out)
        expected, counts = slow_life.independent_life_area(
            stones, rows, cols, keep_territories=keep_territory, keep_stones=keep_stones
        )
        assert out.tolist() == expected, "\n" + draw(stones, cols)
        assert pieces == counts[BLACK] - counts[WHITE]
        sekis += expected != slow_life.katago_area(stones, rows, cols)
    assert sekis > 20 or (keep_territory and keep_stones)


@pytest.mark.parametrize(("scoring", "tax"), list(product(SCORINGS, TAXES)))
def test_margins_are_the_slow_twin_s(scoring: str, tax: str) -> None:
    for number, (rows, cols, stones) in enumerate(BOARDS):
        record = record_of(stones, rows, cols)
        suicide = bool(number % 3)
        record["scoring"], record["tax"] = SCORINGS.index(scoring), TAXES.index(tax)
        record["suicide"], record["komi"], record["white_bonus"], record["play_bonus"] = suicide, 6.5, 2, -3
        start: list[int] | None = None
        if number % 2:
            record["phase"] = 2
            start = [stone if random.Random(number + i).random() < 0.6 else EMPTY for i, stone in enumerate(stones)]
            for point, stone in enumerate(start):
                if stone != EMPTY:
                    board_kernels.set_bit(record["encore_stones"][stone - 1], point)
        expected = slow_life.black_lead(
            stones,
            rows,
            cols,
            scoring=scoring,
            tax=tax,
            suicide=suicide,
            komi=6.5,
            play_bonus=-3,
            handicap_bonus=2,
            second_encore_stones=start,
        )
        if (scoring, tax) != ("area", "none"):  # that is Tromp-Taylor's count here, tested in test_area
            assert score_kernels.black_margin(record) == expected, "\n" + draw(stones, cols)


def test_a_button_left_over_goes_to_the_player_to_move_and_no_result_is_even() -> None:
    record = record_of((EMPTY,) * 9, 3, 3)
    record["button"] = board_kernels.BUTTON_FREE
    assert score_kernels.black_margin(record) == 0.5
    record["to_play"] = WHITE
    assert score_kernels.black_margin(record) == -0.5
    record["no_result"] = 1
    assert score_kernels.black_margin(record) == 0.0


def test_two_eyes_live_and_a_shared_liberty_does_not() -> None:
    diagram = """
        . X . X O . O
        X X X X O O .
        O O O O O . O
        . O X X . O O
    """
    rows, cols, stones = parse_diagram(diagram)
    alive, territory = np.empty(rows * cols, np.bool_), np.empty(rows * cols, np.bool_)
    life_kernels.benson(record_of(stones, rows, cols), BLACK, False, alive, territory)
    assert points_of(alive) == {1, 3, 7, 8, 9, 10}  # the two stones below have no eye
    assert points_of(territory) == {0, 2}
