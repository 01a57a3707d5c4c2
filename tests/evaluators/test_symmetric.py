"""Turned records equal replayed games; wrapped evaluations equal evaluations of the turned games, turned back."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from move37.errors import ConfigError
from move37.evaluators.symmetric import SymmetricEvaluator
from move37.rules import symmetry
from move37.rules.position import Position
from tests.support.networks import StonesEvaluator
from tests.support.positions import batch, random_position, turned


def games(rows: int, cols: int) -> list[Position]:
    rng = np.random.default_rng(3)
    return [random_position(rng, rows, cols, moves) for moves in (0, 2, 11, 70)]


def softmax(logits: NDArray[np.float32]) -> NDArray[np.float32]:
    weight = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return np.asarray(weight / weight.sum(axis=-1, keepdims=True))


class FixedDraws(np.random.Generator):
    """A generator whose integers are always the same one."""

    def __init__(self, draw: int) -> None:
        super().__init__(np.random.PCG64(0))
        self.draw = draw

    def integers(self, *args: object, size: int = 1, **options: object) -> NDArray[np.int64]:  # type: ignore[override]  # fewer ways to call it
        return np.full(size, self.draw)


@pytest.mark.parametrize(("rows", "cols"), [(5, 5), (4, 6), (9, 9)])
def test_each_symmetry_equals_the_evaluation_of_the_turned_game(rows: int, cols: int) -> None:
    for s in symmetry.allowed(rows, cols):
        wrapper = SymmetricEvaluator(StonesEvaluator(ownership=True), "random", FixedDraws(s))
        found = wrapper.evaluate(batch(games(rows, cols)))
        direct = StonesEvaluator(ownership=True).evaluate(batch([turned(game, s) for game in games(rows, cols)]))
        np.testing.assert_array_equal(found.value, direct.value)
        assert found.score_mean is not None
        assert direct.score_mean is not None
        np.testing.assert_array_equal(found.score_mean, direct.score_mean)
        np.testing.assert_array_equal(symmetry.apply_policy(s, found.policy, rows, cols), direct.policy)
        assert found.ownership is not None
        assert direct.ownership is not None
        np.testing.assert_array_equal(symmetry.apply(s, found.ownership), direct.ownership)


@pytest.mark.parametrize(("rows", "cols"), [(5, 5), (4, 6)])
def test_the_mean_is_the_mean_over_all_symmetries(rows: int, cols: int) -> None:
    boards = batch(games(rows, cols))
    found = SymmetricEvaluator(StonesEvaluator(ownership=True), "mean").evaluate(boards)
    single = [
        SymmetricEvaluator(StonesEvaluator(ownership=True), "random", FixedDraws(s)).evaluate(boards)
        for s in symmetry.allowed(rows, cols)
    ]
    assert found.policy.dtype == np.float32
    np.testing.assert_allclose(softmax(found.policy), np.mean([softmax(e.policy) for e in single], axis=0), atol=1e-6)
    np.testing.assert_allclose(found.value, np.mean([e.value for e in single], axis=0), atol=1e-6)
    ownership = np.mean([e.ownership for e in single if e.ownership is not None], axis=0)
    assert found.ownership is not None
    np.testing.assert_allclose(found.ownership, ownership, atol=1e-6)


def test_the_mean_is_equivariant() -> None:
    wrapper = SymmetricEvaluator(StonesEvaluator(), "mean")
    game = games(5, 5)[2]
    plain = wrapper.evaluate(batch([game]))
    for s in symmetry.SYMMETRIES:
        mapped = wrapper.evaluate(batch([turned(game, s)]))
        np.testing.assert_allclose(mapped.value, plain.value, atol=1e-6)
        np.testing.assert_allclose(mapped.policy, symmetry.apply_policy(s, plain.policy, 5, 5), atol=1e-5)


def test_random_symmetries_come_from_the_generator_and_all_of_them_come() -> None:
    boards = batch([games(5, 5)[2]] * 200)
    first = SymmetricEvaluator(StonesEvaluator(), rng=np.random.default_rng(7)).evaluate(boards)
    again = SymmetricEvaluator(StonesEvaluator(), rng=np.random.default_rng(7)).evaluate(boards)
    np.testing.assert_array_equal(first.policy, again.policy)
    assert len(np.unique(first.value)) == 8


def test_options_that_contradict_are_refused() -> None:
    with pytest.raises(ConfigError, match="pass rng"):
        SymmetricEvaluator(StonesEvaluator(), "random")
    with pytest.raises(ConfigError, match="choose random or mean"):
        SymmetricEvaluator(StonesEvaluator(), "median")  # type: ignore[arg-type]  # what a person may type
