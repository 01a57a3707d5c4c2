"""The simple mixture of a network's value and rollouts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from move37.errors import ConfigError
from move37.evaluators.mixture import MixtureEvaluator
from move37.search.evaluator import ConstantEvaluator
from move37.search.rollouts import Rollouts, results
from tests.support.networks import StonesEvaluator
from tests.support.positions import batch, random_position


def boards() -> NDArray[Any]:
    rng = np.random.default_rng(4)
    return batch([random_position(rng, 5, 5, moves) for moves in (0, 3, 9, 20)])


@pytest.mark.parametrize("mix", [0.0, 0.25, 1.0])
def test_the_value_is_mixed_and_all_else_is_the_networks(mix: float) -> None:
    positions = boards()
    network = StonesEvaluator(full=True)
    found = MixtureEvaluator(network, Rollouts(1, seed=6), mix, 4).evaluate(positions)
    plain = network.evaluate(positions)
    z = results(positions, Rollouts(1, seed=6).play(positions, 4).margins)
    assert len(set(z)) > 1
    np.testing.assert_allclose(found.value, (1 - mix) * plain.value + mix * z, atol=1e-6)
    assert found.value.dtype == np.float32
    for name in ("policy", "lead", "ownership", "score_mean"):
        np.testing.assert_array_equal(getattr(found, name), getattr(plain, name))


def test_rollouts_are_played_while_the_network_computes() -> None:
    order: list[str] = []

    class Heard(Rollouts):
        def submit(self, *args: Any, **options: Any) -> Any:
            order.append("rollouts begin")
            return super().submit(*args, **options)

    class Network(ConstantEvaluator):
        def evaluate(self, boards: NDArray[Any]) -> Any:
            order.append("network")
            return super().evaluate(boards)

    MixtureEvaluator(Network(), Heard(1)).evaluate(boards())
    assert order == ["rollouts begin", "network"]


@pytest.mark.parametrize(("mix", "games", "what"), [(-0.1, 1, "share"), (1.1, 1, "share"), (0.5, 0, "rollout")])
def test_options_out_of_range_are_refused(mix: float, games: int, what: str) -> None:
    with pytest.raises(ConfigError, match=what):
        MixtureEvaluator(ConstantEvaluator(), Rollouts(1), mix, games)
