"""Light rollouts against their slow twin: what moves weigh, that they come as often, and how games end."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from numpy.typing import NDArray

from move37.rules.position import Position
from move37.search.light_rollout_kernels import light_rollout, write_weights
from move37.search.rollout_kernels import seed_random
from tests.support.positions import eventful_position, random_position
from tests.support.slow_light_rollouts import SAVE, SHAPE, TAKE, slow_weights

SIZES = [(1, 1), (1, 4), (2, 3), (4, 4), (5, 7), (9, 9), (19, 19)]


def weights_of(position: Position) -> NDArray[np.float32]:
    weights = np.empty(position.rows * position.cols + 1, np.float32)
    write_weights(position.board, weights)
    return weights


@pytest.mark.parametrize(("rows", "cols"), SIZES)
@pytest.mark.parametrize("fullness", [0.3, 0.7, 1.0, 1.6])
def test_weights_are_those_of_the_definition(rows: int, cols: int, fullness: float) -> None:
    rng = np.random.default_rng(int(rows * 31 + cols + 10 * fullness))
    for _ in range(3 if rows > 9 else 12):
        position = random_position(rng, rows, cols, int(fullness * rows * cols) + 1, "chinese")
        np.testing.assert_allclose(weights_of(position), slow_weights(position), err_msg=str(position))


@pytest.mark.parametrize("seed", range(40))
def test_weights_after_kos_suicides_and_setup_are_those_of_the_definition(seed: int) -> None:
    rules = {"ko": "simple", "suicide": seed % 2 == 0}
    position = eventful_position(seed, 4 + seed % 3, 5, rules, 30)
    np.testing.assert_allclose(weights_of(position), slow_weights(position), err_msg=str(position))


def test_all_kinds_of_answers_come_up_alone_and_together() -> None:
    met: Counter[int] = Counter()
    rng = np.random.default_rng(3)
    for _ in range(300):
        position = random_position(rng, 5, 5, int(rng.integers(8, 24)), "chinese")
        empty = int((position.stones == 0).sum())
        met.update(int(weight // empty) for weight in weights_of(position)[:-1] if empty > 1)
    assert all(met[kinds] > 0 for kinds in (TAKE, SAVE, SHAPE, TAKE + SAVE, TAKE + SHAPE, SAVE + SHAPE))


@pytest.mark.parametrize("seed", range(6))
def test_moves_come_as_often_as_they_weigh(seed: int) -> None:
    position = random_position(np.random.default_rng(seed), 5, 5, 10 + 2 * seed, "chinese")
    shares = slow_weights(position) / slow_weights(position).sum()
    games = 4000
    state, moves = np.empty(1, np.uint64), np.empty(1, np.int16)
    drawn = np.zeros(len(shares))
    for game in range(games):
        work = position.board_array.copy()
        seed_random(state, 1000 * seed + game)
        assert light_rollout(work[0], state, moves) == 1
        drawn[moves[0]] += 1
    assert not drawn[shares == 0].any()
    # Seven standard deviations of a binomial count: right weights never fail, wrong ones do.
    assert (np.abs(drawn - games * shares) <= 7 * np.sqrt(games * shares) + 1e-9).all()


@pytest.mark.parametrize(("rows", "cols"), [(1, 1), (3, 3), (5, 7), (9, 9)])
def test_a_light_rollout_is_a_game_that_ends_when_no_move_weighs_anything(rows: int, cols: int) -> None:
    state, moves = np.empty(1, np.uint64), np.empty(5 * rows * cols + 10, np.int16)
    for seed in range(6):
        position = Position(rows=rows, cols=cols, rules={"ko": "simple"})
        seed_random(state, seed)
        played = light_rollout(position.board_array.copy()[0], state, moves)
        for move in moves[:played].tolist():
            assert move == rows * cols or weights_of(position)[move] > 0
            position.play(move)
        if played < len(moves):
            assert moves[played - 2 : played].tolist() == [rows * cols] * 2
            assert weights_of(position)[-1] == 1


def answers(diagram: str, last: str) -> dict[str, float]:
    """What Black's answers to White's `last` weigh, in numbers of empty points."""
    position = Position.from_diagram(diagram, to_play="W", rules="chinese")
    position.play(last)
    weights, empty = weights_of(position), int((position.stones == 0).sum())
    return {position.vertex(point): weights[point] // empty for point in np.flatnonzero(weights >= empty).tolist()}


CAUGHT = """
    . . . . .
    . O O . .
    . X . . .
    . O . . .
    """


def test_a_chain_in_atari_runs_but_not_into_a_ladder_of_length_one() -> None:
    assert answers(CAUGHT, "A2").get("C2", 0) < SAVE
    assert answers(CAUGHT.replace("O O", "O ."), "A2")["C2"] >= SAVE


def test_taking_the_stone_that_gave_atari_both_takes_and_saves() -> None:
    found = answers(
        """
        X . . . .
        . X . . .
        . O . . .
        """,
        "A2",
    )
    assert found["A1"] in (TAKE + SAVE, TAKE + SAVE + SHAPE)


def test_a_shape_beside_the_last_move_is_an_answer() -> None:
    hane = """
        . . . . .
        . . X . .
        . . . . .
        . . . . .
        """
    assert set(answers(hane, "B3")) and set(answers(hane, "B3").values()) == {SHAPE}
