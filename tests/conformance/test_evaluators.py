"""What every evaluator promises: shapes, view, determinism, independence of the batch, untouched records."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from move37.evaluators.cached import CachedEvaluator
from move37.evaluators.network import NetworkEvaluator
from move37.evaluators.symmetric import SymmetricEvaluator
from move37.rules import symmetry
from move37.rules.position import Position
from move37.search.evaluator import ConstantEvaluator, Evaluations, Evaluator
from tests.support.networks import small_network
from tests.support.positions import batch, random_position, turned

SIZES = [(5, 5), (3, 7)]


def network() -> NetworkEvaluator:
    return NetworkEvaluator(small_network(head="pooled", sizes=[5, (3, 7)]))


DETERMINISTIC: dict[str, Callable[[], Evaluator]] = {
    "constant": lambda: ConstantEvaluator(0.25),
    "network": network,
    "cached": lambda: CachedEvaluator(network()),
    "mean": lambda: SymmetricEvaluator(network(), "mean"),
    "cached mean": lambda: CachedEvaluator(SymmetricEvaluator(network(), "mean"), 4),
}
RANDOM: dict[str, Callable[[], Evaluator]] = {
    "random symmetry": lambda: SymmetricEvaluator(network(), "random", np.random.default_rng(1)),
}
EQUIVARIANT = ("constant", "mean", "cached mean")


def games(rows: int, cols: int) -> list[Position]:
    rng = np.random.default_rng(21)
    return [random_position(rng, rows, cols, moves) for moves in (0, 1, 4, 9, 20)]


def assert_close(found: Evaluations, expected: Evaluations) -> None:
    np.testing.assert_allclose(found.policy, expected.policy, atol=1e-5)
    np.testing.assert_allclose(found.value, expected.value, atol=1e-6)


@pytest.mark.parametrize("make", (DETERMINISTIC | RANDOM).values(), ids=(DETERMINISTIC | RANDOM).keys())
@pytest.mark.parametrize(("rows", "cols"), SIZES)
def test_shapes_types_and_ranges(make: Callable[[], Evaluator], rows: int, cols: int) -> None:
    boards = batch(games(rows, cols))
    before = boards.copy()
    found = make().evaluate(boards)
    assert (boards == before).all()
    assert found.policy.shape == (5, rows * cols + 1)
    assert found.value.shape == (5,)
    assert found.policy.dtype == found.value.dtype == np.float32
    assert np.isfinite(found.policy).all()
    assert (np.abs(found.value) <= 1.0).all()


@pytest.mark.parametrize("make", (DETERMINISTIC | RANDOM).values(), ids=(DETERMINISTIC | RANDOM).keys())
def test_a_fresh_evaluator_answers_the_same(make: Callable[[], Evaluator]) -> None:
    boards = batch(games(5, 5))
    first, again = make().evaluate(boards), make().evaluate(boards)
    np.testing.assert_array_equal(first.policy, again.policy)
    np.testing.assert_array_equal(first.value, again.value)


@pytest.mark.parametrize("make", DETERMINISTIC.values(), ids=DETERMINISTIC.keys())
@pytest.mark.parametrize(("rows", "cols"), SIZES)
def test_positions_are_answered_independently(make: Callable[[], Evaluator], rows: int, cols: int) -> None:
    boards = batch(games(rows, cols))
    evaluator = make()
    together = evaluator.evaluate(boards)
    assert_close(evaluator.evaluate(boards), together)
    reversed_ = evaluator.evaluate(boards[::-1])
    np.testing.assert_allclose(reversed_.policy[::-1], together.policy, atol=1e-5)
    for i in range(len(boards)):
        alone = make().evaluate(boards[i : i + 1])
        np.testing.assert_allclose(alone.policy[0], together.policy[i], atol=1e-5)
        np.testing.assert_allclose(alone.value[0], together.value[i], atol=1e-6)


@pytest.mark.parametrize("name", EQUIVARIANT)
@pytest.mark.parametrize(("rows", "cols"), SIZES)
def test_turned_games_get_turned_answers(name: str, rows: int, cols: int) -> None:
    evaluator = DETERMINISTIC[name]()
    plain = evaluator.evaluate(batch(games(rows, cols)))
    for s in symmetry.allowed(rows, cols):
        mapped = evaluator.evaluate(batch([turned(game, s) for game in games(rows, cols)]))
        np.testing.assert_allclose(mapped.value, plain.value, atol=1e-5)
        expected = symmetry.apply_policy(s, plain.policy, rows, cols)
        np.testing.assert_allclose(mapped.policy, expected, atol=1e-4)


@pytest.mark.parametrize("name", ["network", "cached", "mean"])
def test_answers_are_in_the_view_of_the_player_to_move(name: str) -> None:
    """A colour-blind network (its colour plane unseen) answers a colour-swapped position alike."""
    blind = small_network(head="pooled")
    blind.arrays["input_conv.weight"][:, 16] = 0.0
    makers: dict[str, Callable[[Evaluator], Evaluator]] = {
        "network": lambda inner: inner,
        "cached": CachedEvaluator,
        "mean": lambda inner: SymmetricEvaluator(inner, "mean"),
    }
    evaluator = makers[name](NetworkEvaluator(blind))
    black, white = Position(size=5), Position(size=5)
    black.setup(black=["C3", "D2"], white=["B4"], to_play="B")
    white.setup(white=["C3", "D2"], black=["B4"], to_play="W")
    assert_close(evaluator.evaluate(batch([black])), evaluator.evaluate(batch([white])))
