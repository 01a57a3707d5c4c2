"""Turned records equal replayed games; wrapped evaluations equal evaluations of the turned games, turned back."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from move37.errors import ConfigError
from move37.evaluators.symmetric import SymmetricEvaluator
from move37.rules import symmetry
from move37.rules.position import Position
from move37.search.evaluator import Evaluations
from tests.support.networks import StonesEvaluator
from tests.support.positions import batch, random_position, turned

POLICIES = ("policy", "optimistic")
NUMBERS = tuple(name for name in Evaluations.__dataclass_fields__ if name not in (*POLICIES, "ownership"))
RNG = np.random.default_rng(5)


def field(found: Evaluations, name: str) -> NDArray[np.float32]:
    values: NDArray[np.float32] | None = getattr(found, name)
    assert values is not None, name
    return values


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
        wrapper = SymmetricEvaluator(StonesEvaluator(full=True), "random", FixedDraws(s))
        found = wrapper.evaluate(batch(games(rows, cols)))
        direct = StonesEvaluator(full=True).evaluate(batch([turned(game, s) for game in games(rows, cols)]))
        for name in NUMBERS:
            np.testing.assert_array_equal(field(found, name), field(direct, name), err_msg=name)
        for name in POLICIES:
            np.testing.assert_array_equal(
                symmetry.apply_policy(s, field(found, name), rows, cols), field(direct, name), err_msg=name
            )
        np.testing.assert_array_equal(symmetry.apply(s, field(found, "ownership")), field(direct, "ownership"))


@pytest.mark.parametrize(("rows", "cols"), [(5, 5), (4, 6)])
def test_the_mean_is_the_mean_over_all_symmetries(rows: int, cols: int) -> None:
    boards = batch(games(rows, cols))
    found = SymmetricEvaluator(StonesEvaluator(full=True), "mean").evaluate(boards)
    single = [
        SymmetricEvaluator(StonesEvaluator(full=True), "random", FixedDraws(s)).evaluate(boards)
        for s in symmetry.allowed(rows, cols)
    ]
    for name in POLICIES:
        assert field(found, name).dtype == np.float32
        expected = np.mean([softmax(field(e, name)) for e in single], axis=0)
        np.testing.assert_allclose(softmax(field(found, name)), expected, atol=1e-6, err_msg=name)
    for name in (*NUMBERS, "ownership"):
        expected = np.mean([field(e, name) for e in single], axis=0)
        np.testing.assert_allclose(field(found, name), expected, atol=1e-5, err_msg=name)


def test_what_the_evaluator_does_not_say_stays_unsaid() -> None:
    boards = batch(games(5, 5))
    for wrapper in (SymmetricEvaluator(StonesEvaluator(), "mean"), SymmetricEvaluator(StonesEvaluator(), rng=RNG)):
        found = wrapper.evaluate(boards)
        said = {name for name in Evaluations.__dataclass_fields__ if getattr(found, name) is not None}
        assert said == {"policy", "value", "score_mean"}


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


def test_a_position_chooses_its_symmetry_whatever_is_beside_it() -> None:
    rng = np.random.default_rng(8)
    boards = batch([random_position(rng, 5, 5, 12) for _ in range(40)])
    found = SymmetricEvaluator(StonesEvaluator(), "position", np.random.default_rng(1)).evaluate(boards)
    again = SymmetricEvaluator(StonesEvaluator(), "position", np.random.default_rng(1))
    plain = StonesEvaluator()
    chosen: list[int] = []
    for number in range(40):
        alone = again.evaluate(boards[number : number + 1]).policy[0]
        np.testing.assert_array_equal(alone, found.policy[number])
        every = SymmetricEvaluator(plain, "mean")
        turned_by = [
            every.turned(boards[number : number + 1], np.array([s], np.int8)).policy[0] for s in symmetry.SYMMETRIES
        ]
        chosen.append(next(s for s in symmetry.SYMMETRIES if np.array_equal(turned_by[s], alone)))
    assert len(set(chosen)) >= 6
    other = SymmetricEvaluator(StonesEvaluator(), "position", np.random.default_rng(2)).evaluate(boards)
    assert not np.array_equal(other.policy, found.policy)


def test_options_that_contradict_are_refused() -> None:
    with pytest.raises(ConfigError, match="pass rng"):
        SymmetricEvaluator(StonesEvaluator(), "random")
    with pytest.raises(ConfigError, match="choose random, position or mean"):
        SymmetricEvaluator(StonesEvaluator(), "median")  # type: ignore[arg-type]  # what a person may type
