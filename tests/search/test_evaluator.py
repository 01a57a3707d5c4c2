"""Probabilities over legal moves, and the evaluator that knows the rules alone."""

from __future__ import annotations

import numpy as np
import pytest

from move37.rules.board_kernels import BOARD
from move37.rules.position import Position
from move37.search.evaluator import ConstantEvaluator, EvaluationError, Evaluations, masked_softmax, optimistic_policy
from tests.support.positions import batch


def test_zero_for_every_legal_move_is_uniform_with_a_warning() -> None:
    logits = np.array([[0.0, -np.inf, -np.inf], [0.0, 0.0, 1.0]], np.float32)
    legal = np.array([[False, True, True], [True, False, True]])
    with pytest.warns(UserWarning, match="probability zero"):
        found = masked_softmax(logits, legal)
    np.testing.assert_allclose(found[0], [0.0, 0.5, 0.5])
    np.testing.assert_allclose(found[1], [1 / (1 + np.e), 0.0, np.e / (1 + np.e)], rtol=1e-6)


@pytest.mark.parametrize("wrong", [np.nan, np.inf])
def test_what_is_not_a_number_stops_loudly_where_it_counts(wrong: float) -> None:
    logits, legal = np.array([[0.0, wrong]], np.float32), np.ones((1, 2), np.bool_)
    with pytest.raises(EvaluationError, match="not a number"):
        masked_softmax(logits, legal)
    legal[0, 1] = False
    assert masked_softmax(logits, legal).tolist() == [[1.0, 0.0]]


def test_large_logits_do_not_overflow() -> None:
    found = masked_softmax(np.array([[5000.0, 4999.0]], np.float32), np.ones((1, 2), np.bool_))
    np.testing.assert_allclose(found[0], [np.e / (1 + np.e), 1 / (1 + np.e)], rtol=1e-6)


def test_the_constant_evaluator_says_one_value_for_each_position() -> None:
    found = ConstantEvaluator(0.25).evaluate(batch([Position(rows=2, cols=3)] * 4))
    assert found.policy.shape == (4, 7) and not found.policy.any()
    assert found.value.tolist() == [0.25] * 4
    assert len(ConstantEvaluator().evaluate(np.zeros(0, BOARD)).value) == 0


def test_optimism_mixes_two_policies() -> None:
    first, second = np.array([[0.0, 2.0, -np.inf, 1.0]], np.float32), np.array([[1.0, 0.0, 5.0, -np.inf]], np.float32)
    found = Evaluations(first, np.zeros(1, np.float32), optimistic=second)
    assert optimistic_policy(found, 0.0) is first
    np.testing.assert_allclose(optimistic_policy(found, 0.25), [[0.25, 1.5, -np.inf, -np.inf]])
    np.testing.assert_allclose(optimistic_policy(found, 1.0), [[1.0, 0.0, -np.inf, -np.inf]])
    assert optimistic_policy(Evaluations(first, np.zeros(1, np.float32)), 1.0) is first
