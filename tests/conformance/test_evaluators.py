"""What every evaluator promises: shapes, view, determinism, independence of the batch, untouched records."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from move37.evaluators.cached import CachedEvaluator
from move37.evaluators.mixture import MixtureEvaluator
from move37.evaluators.network import NetworkEvaluator
from move37.evaluators.rollout import RolloutEvaluator
from move37.evaluators.symmetric import SymmetricEvaluator
from move37.rules import symmetry
from move37.rules.position import Position
from move37.search.evaluator import ConstantEvaluator, Evaluations, Evaluator
from move37.search.rollouts import Rollouts
from move37.search.two_networks import TwoNetworks
from tests.support.networks import katago_network, small_network
from tests.support.positions import batch, random_position, turned

SIZES = [(5, 5), (3, 7)]


def network() -> NetworkEvaluator:
    return NetworkEvaluator(small_network(head="pooled", sizes=[5, (3, 7)]))


def katago() -> NetworkEvaluator:
    return NetworkEvaluator(katago_network())


DETERMINISTIC: dict[str, Callable[[], Evaluator]] = {
    "constant": lambda: ConstantEvaluator(0.25),
    "network": network,
    "cached": lambda: CachedEvaluator(network()),
    "mean": lambda: SymmetricEvaluator(network(), "mean"),
    "cached mean": lambda: CachedEvaluator(SymmetricEvaluator(network(), "mean"), 4),
    "two networks": lambda: TwoNetworks(network(), ConstantEvaluator(0.5)),
    "katago": katago,
    "katago by torch": lambda: NetworkEvaluator(katago_network(), backend="torch"),
    "katago cached": lambda: CachedEvaluator(katago()),
    "katago mean": lambda: SymmetricEvaluator(katago(), "mean"),
}
RANDOM: dict[str, Callable[[], Evaluator]] = {
    "rollouts": lambda: RolloutEvaluator(Rollouts(2, seed=1), 5),
    "uniform rollouts": lambda: RolloutEvaluator(Rollouts(1, seed=1, light=False), 5, keep_moves=True),
    "random symmetry": lambda: SymmetricEvaluator(network(), "random", np.random.default_rng(1)),
    "mixture": lambda: MixtureEvaluator(network(), Rollouts(2, seed=1), 0.5, 3),
    "katago random symmetry": lambda: SymmetricEvaluator(katago(), "random", np.random.default_rng(1)),
}
EQUIVARIANT = ("constant", "mean", "cached mean", "katago mean")
POLICIES = ("policy", "optimistic")


def games(rows: int, cols: int) -> list[Position]:
    rng = np.random.default_rng(21)
    return [random_position(rng, rows, cols, moves) for moves in (0, 1, 4, 9, 20)]


def said(found: Evaluations) -> dict[str, NDArray[np.float32]]:
    """The fields that an evaluator answers."""
    values = {name: getattr(found, name) for name in Evaluations.__dataclass_fields__}
    return {name: value for name, value in values.items() if value is not None}


def assert_close(found: Evaluations, expected: Evaluations, rows: slice | int = slice(None)) -> None:
    """`found` equals those `rows` of `expected`, in every field."""
    assert said(found).keys() == said(expected).keys()
    for name, values in said(expected).items():
        scale = max(1.0, float(np.abs(values).max()))
        np.testing.assert_allclose(said(found)[name], values[rows], atol=1e-5 * scale, err_msg=name)


@pytest.mark.parametrize("make", (DETERMINISTIC | RANDOM).values(), ids=(DETERMINISTIC | RANDOM).keys())
@pytest.mark.parametrize(("rows", "cols"), SIZES)
def test_shapes_types_and_ranges(make: Callable[[], Evaluator], rows: int, cols: int) -> None:
    boards = batch(games(rows, cols))
    before = boards.copy()
    found = make().evaluate(boards)
    assert (boards == before).all()
    shapes = dict.fromkeys(POLICIES, (5, rows * cols + 1)) | {"ownership": (5, rows, cols)}
    for name, values in said(found).items():
        assert values.shape == shapes.get(name, (5,)), name
        assert values.dtype == np.float32, name
        assert np.isfinite(values).all(), name
    assert (np.abs(found.value) <= 1.0).all()
    if found.no_result is not None:
        assert ((found.no_result >= 0) & (np.abs(found.value) + found.no_result <= 1 + 1e-6)).all()
    if found.ownership is not None:
        assert (np.abs(found.ownership) <= 1).all()


@pytest.mark.parametrize("make", (DETERMINISTIC | RANDOM).values(), ids=(DETERMINISTIC | RANDOM).keys())
def test_a_fresh_evaluator_answers_the_same(make: Callable[[], Evaluator]) -> None:
    boards = batch(games(5, 5))
    first, again = make().evaluate(boards), make().evaluate(boards)
    assert said(first).keys() == said(again).keys()
    for name, values in said(first).items():
        np.testing.assert_array_equal(said(again)[name], values, err_msg=name)


@pytest.mark.parametrize("make", DETERMINISTIC.values(), ids=DETERMINISTIC.keys())
@pytest.mark.parametrize(("rows", "cols"), SIZES)
def test_positions_are_answered_independently(make: Callable[[], Evaluator], rows: int, cols: int) -> None:
    boards = batch(games(rows, cols))
    evaluator = make()
    together = evaluator.evaluate(boards)
    assert_close(evaluator.evaluate(boards), together)
    assert_close(evaluator.evaluate(boards[::-1]), together, slice(None, None, -1))
    for i in range(len(boards)):
        assert_close(make().evaluate(boards[i : i + 1]), together, slice(i, i + 1))


@pytest.mark.parametrize("kind", EQUIVARIANT)
@pytest.mark.parametrize(("rows", "cols"), SIZES)
def test_turned_games_get_turned_answers(kind: str, rows: int, cols: int) -> None:
    evaluator = DETERMINISTIC[kind]()
    plain = evaluator.evaluate(batch(games(rows, cols)))
    for s in symmetry.allowed(rows, cols):
        mapped = evaluator.evaluate(batch([turned(game, s) for game in games(rows, cols)]))
        for name, values in said(plain).items():
            expected = values
            if name in POLICIES:
                expected = symmetry.apply_policy(s, values, rows, cols)
            if name == "ownership":
                expected = symmetry.apply(s, values)
            np.testing.assert_allclose(said(mapped)[name], expected, atol=1e-4, err_msg=name)


WRAPPERS: dict[str, Callable[[Evaluator], Evaluator]] = {
    "network": lambda inner: inner,
    "cached": CachedEvaluator,
    "mean": lambda inner: SymmetricEvaluator(inner, "mean"),
}


@pytest.mark.parametrize("name", WRAPPERS)
def test_answers_are_in_the_view_of_the_player_to_move(name: str) -> None:
    """A colour-blind network (its colour plane unseen) answers a colour-swapped position alike."""
    blind = small_network(head="pooled")
    blind.arrays["input_conv.weight"][:, 16] = 0.0
    evaluator = WRAPPERS[name](NetworkEvaluator(blind))
    black, white = Position(size=5), Position(size=5)
    black.setup(black=["C3", "D2"], white=["B4"], to_play="B")
    white.setup(white=["C3", "D2"], black=["B4"], to_play="W")
    assert_close(evaluator.evaluate(batch([black])), evaluator.evaluate(batch([white])))


@pytest.mark.parametrize("name", WRAPPERS)
def test_katago_s_answers_are_in_the_view_of_the_player_to_move(name: str) -> None:
    """Its inputs know no colours but through komi: with colours and komi turned round every answer stays."""
    evaluator = WRAPPERS[name](katago())
    black, white = Position(size=5, komi=3.5), Position(size=5, komi=-3.5)
    black.setup(black=["C3", "D2"], white=["B4"], to_play="B")
    white.setup(white=["C3", "D2"], black=["B4"], to_play="W")
    found = evaluator.evaluate(batch([white]))
    assert_close(found, evaluator.evaluate(batch([black])))
    assert found.ownership is not None and np.abs(found.ownership).max() > 0.01
