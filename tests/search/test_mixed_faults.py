"""The mixed search when something fails: a network, in its thread or not, a tree policy, a rollout."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from move37.rules.position import Position
from move37.search.evaluator import ConstantEvaluator, EvaluationError, Evaluations
from move37.search.mixed import MixedConfig
from move37.search.mixed_search import MixedSearch
from move37.search.two_networks import TwoNetworks
from tests.support.slow_mixed import HashRollouts
from tests.support.slow_search import HashEvaluator

SMALL = MixedConfig(threshold=4, wave=8, batch=8, threads=1)


class Failing:
    """Fails at its `at`-th call."""

    def __init__(self, at: int) -> None:
        self.calls, self._at = 0, at

    def evaluate(self, boards: NDArray[Any]) -> Evaluations:
        self.calls += 1
        if self.calls == self._at:
            raise EvaluationError("the network went away")
        return HashEvaluator().evaluate(boards)


class NotNumbers:
    """Answers NaN in the policy or the value, from its second call on."""

    def __init__(self, policy: float, value: float) -> None:
        self.calls, self._policy, self._value = 0, policy, value

    def evaluate(self, boards: NDArray[Any]) -> Evaluations:
        self.calls += 1
        answer = HashEvaluator().evaluate(boards)
        if self.calls > 1:
            answer.policy[-1, :] += self._policy
            answer.value[-1] += self._value
        return answer


@pytest.mark.parametrize("asynchronous", [False, True])
@pytest.mark.parametrize("at", [1, 2, 9])
def test_what_a_network_raises_in_its_thread_is_raised_by_the_search(at: int, asynchronous: bool) -> None:
    search = MixedSearch(Failing(at), replace(SMALL, asynchronous=asynchronous))
    with pytest.raises(EvaluationError, match="the network went away"):
        search.run(Position(5), 2000)
    assert search.trees is None
    search.evaluator = ConstantEvaluator()
    assert search.run(Position(5), 100).root_visits == 100


@pytest.mark.parametrize("asynchronous", [False, True])
@pytest.mark.parametrize(("policy", "value"), [(np.nan, 0.0), (np.inf, 0.0), (0.0, np.nan), (0.0, -np.inf)])
def test_what_is_not_a_number_names_the_evaluator(policy: float, value: float, asynchronous: bool) -> None:
    search = MixedSearch(NotNumbers(policy, value), replace(SMALL, asynchronous=asynchronous))
    with pytest.raises(EvaluationError, match="NotNumbers"):
        search.run(Position(5), 2000)
    assert search.trees is None


@pytest.mark.parametrize("weight", [-1.0, np.nan, np.inf])
def test_bad_weights_name_the_tree_policy(weight: float) -> None:
    class Odd:
        def weights(self, boards: NDArray[Any]) -> NDArray[np.float32]:
            return np.full((len(boards), 26), weight, np.float32)

    with pytest.raises(EvaluationError, match="tree policy Odd"):
        MixedSearch(HashEvaluator(), SMALL, tree_policy=Odd()).run(Position(5), 20)


def test_rollouts_that_fail_are_heard_of() -> None:
    class Broken(HashRollouts):
        def margin(self, stones_hash: int) -> int:
            if self.played > 50:
                raise RuntimeError("no more games")
            return super().margin(stones_hash)

    search = MixedSearch(HashEvaluator(), SMALL, rollouts=Broken())
    with pytest.raises(RuntimeError, match="no more games"):
        search.run(Position(5), 200)
    assert search.trees is None


def test_a_tree_without_weights_or_with_hopeless_logits_is_uniform() -> None:
    class Zeros:
        def weights(self, boards: NDArray[Any]) -> NDArray[np.float32]:
            return np.zeros((len(boards), 10), np.float32)

    search = MixedSearch(HashEvaluator(), replace(SMALL, policy=False), tree_policy=Zeros())
    np.testing.assert_allclose(search.run(Position(3), 30).priors, 0.1, atol=1e-4)
    hopeless = TwoNetworks(NotNumbers(-np.inf, 0.0), HashEvaluator())
    with pytest.warns(UserWarning, match="uniform priors"):
        assert MixedSearch(hopeless, SMALL).run(Position(3), 300).uniform_fallbacks > 0
