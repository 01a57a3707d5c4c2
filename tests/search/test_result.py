"""Drawing a move from the visits."""

from __future__ import annotations

import numpy as np
import pytest

from move37.search import SearchResult, visit_distribution


def result(visits: list[int], q: list[float], priors: list[float]) -> SearchResult:
    total = sum(visits) + 1
    return SearchResult(
        np.array(visits, np.int32),
        np.array(q, np.float32),
        np.array(priors, np.float32),
        0.0,
        0.0,
        total,
        0,
        (),
        1,
        1,
        0.0,
    )


NAN = float("nan")


@pytest.mark.parametrize(
    ("visits", "q", "priors", "move"),
    [
        ([3, 5, 1], [0.9, 0.1, 0.0], [0.3, 0.3, 0.4], 1),
        ([5, 5, 1], [0.1, 0.2, 0.9], [0.5, 0.1, 0.4], 1),
        ([5, 5, 5], [0.1, 0.1, 0.1], [0.2, 0.3, 0.5], 2),
        ([0, 0, 0], [NAN, NAN, NAN], [0.3, 0.4, 0.3], 1),
        ([2, 2, 0], [0.1, 0.1, NAN], [0.4, 0.4, 0.2], 0),
    ],
)
def test_the_choice_is_by_visits_then_value_then_prior(
    visits: list[int], q: list[float], priors: list[float], move: int
) -> None:
    assert result(visits, q, priors).move == move


def test_the_ranking_holds_legal_moves_only() -> None:
    assert result([0, 4, 2, 0], [NAN, 0, 0, NAN], [0, 0.5, 0.3, 0.2]).ranking.tolist() == [1, 2, 3]


def test_temperature_sharpens_and_flattens() -> None:
    visits = np.array([6, 3, 0, 1], np.int32)
    np.testing.assert_allclose(visit_distribution(visits, 1.0), [0.6, 0.3, 0.0, 0.1])
    np.testing.assert_allclose(visit_distribution(visits, 0.5), np.array([36, 9, 0, 1]) / 46)
    np.testing.assert_allclose(visit_distribution(visits, 0.0), [1, 0, 0, 0])
    huge = np.array([10**6, 10**6 - 1], np.int32)
    assert np.isfinite(visit_distribution(huge, 0.01)).all()


def test_sampling_follows_the_target_and_cold_sampling_is_the_choice() -> None:
    found = result([6, 3, 0, 1], [0, 0, NAN, 0], [0.25] * 4)
    rng = np.random.default_rng(0)
    counts = np.bincount([found.sample(rng, 1.0) for _ in range(2000)], minlength=4) / 2000
    np.testing.assert_allclose(counts, [0.6, 0.3, 0, 0.1], atol=0.05)
    assert found.sample(rng, 0.0) == found.move == 0


def test_without_visits_the_target_is_the_prior() -> None:
    np.testing.assert_allclose(result([0, 0], [NAN, NAN], [0.25, 0.75]).policy_target(), [0.25, 0.75])
