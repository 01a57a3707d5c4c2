"""What is done at a root: noise, temperature, width, forced playouts and the visits that are learnt from."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from move37.rules.position import Position
from move37.search import Evaluations, KataGoConfig, KataGoSearch, Search, SearchConfig, SearchResult
from move37.search.forced_playouts import pruned_visits
from move37.search.root_priors import dirichlet_noise, shaped_alphas, tempered
from tests.support.slow_katago_values import ScoredHashEvaluator
from tests.support.slow_search import HashEvaluator


def test_temperature_draws_priors_together_or_apart() -> None:
    priors = np.array([0.64, 0.0, 0.04, 0.32], np.float32)
    np.testing.assert_allclose(tempered(priors, 2.0), np.sqrt(priors) / np.sqrt(priors).sum(), rtol=1e-6)
    np.testing.assert_allclose(tempered(priors, 0.5), priors**2 / (priors**2).sum(), rtol=1e-5)
    assert tempered(priors, 0.01)[0] == pytest.approx(1.0)


def test_shaped_noise_has_an_even_half_and_a_half_for_what_the_policy_likes() -> None:
    priors = np.array([0.5, 0.3, 0.0, 0.001, 0.0001, 1e-9], np.float32)
    alphas = shaped_alphas(priors)
    assert alphas.sum() == pytest.approx(10.83)
    assert alphas[2] == 0
    assert alphas[5] == pytest.approx(10.83 / 2 / 5)  # below the mean log prior: the even half alone
    assert alphas[0] == pytest.approx(alphas[1])  # both are liked as much as counts
    assert alphas[0] > alphas[3] > alphas[5]
    np.testing.assert_allclose(shaped_alphas(np.full(4, 0.25, np.float32)), 10.83 / 4)


def test_noise_of_given_parameters_goes_where_they_are() -> None:
    priors = np.full(4, 0.25, np.float32)
    mixed = dirichlet_noise(priors, np.array([1e-6, 1e-6, 1e6, 1e-6]), 0.5, np.random.default_rng(1))
    np.testing.assert_allclose(mixed, [0.125, 0.125, 0.625, 0.125], atol=1e-4)


def katago(options: dict[str, Any], seed: int = 1, visits: int = 200) -> SearchResult:
    config = replace(KataGoConfig(batch=2, symmetry_pruning=False), **options)
    return KataGoSearch(ScoredHashEvaluator(), config, np.random.default_rng(seed)).run(Position(5), visits)


def test_the_root_of_katagos_search_is_searched_at_its_temperature() -> None:
    plain, warm = katago({}, visits=1), katago({"root_policy_temperature": 1.5}, visits=1)
    np.testing.assert_allclose(warm.priors, tempered(plain.priors, 1.5), atol=1e-3)
    assert (katago({}).visits > 0).sum() < (katago({"root_policy_temperature": 4.0}).visits > 0).sum()


def test_the_tree_below_keeps_its_own_priors_and_a_kept_root_is_tempered_once() -> None:
    config = KataGoConfig(batch=1, symmetry_pruning=False, root_policy_temperature=2.0)
    search, position = KataGoSearch(ScoredHashEvaluator(), config), Position(5)
    result = search.run(position, 300)
    again = search.run(position, 310)
    np.testing.assert_allclose(again.priors, result.priors, atol=1e-6)
    position.play(result.move)
    below = search.run(position, 320)
    fresh = KataGoSearch(ScoredHashEvaluator(), config).run(position, 1)
    assert below.reused_visits > 0
    np.testing.assert_allclose(below.priors, fresh.priors, atol=1e-3)


def test_noise_in_katagos_search_is_drawn_anew_in_each_search() -> None:
    config = KataGoConfig(batch=1, symmetry_pruning=False, noise_fraction=0.25)
    search = KataGoSearch(ScoredHashEvaluator(), config, np.random.default_rng(2))
    clean = katago({}, visits=1).priors
    first, second = search.run(Position(5), 50), search.run(Position(5), 60)
    assert second.reused_visits == 50
    for noised in (first.priors, second.priors):
        assert noised.sum() == pytest.approx(1, abs=1e-4)
        assert (noised >= 0.75 * clean - 1e-3).all()
        assert not np.allclose(noised, clean, atol=1e-2)
    assert not np.allclose(first.priors, second.priors, atol=1e-2)


def test_a_wide_root_looks_at_more_moves_by_chance_from_its_own_seed() -> None:
    narrow, wide = katago({}), katago({"wide_root_noise": 0.5})
    assert (wide.visits > 0).sum() > (narrow.visits > 0).sum()
    np.testing.assert_array_equal(wide.visits, katago({"wide_root_noise": 0.5}).visits)
    assert not np.array_equal(wide.visits, katago({"wide_root_noise": 0.5}, seed=2).visits)
    np.testing.assert_allclose(wide.priors, narrow.priors)


def test_forced_playouts_give_every_visited_root_move_its_least() -> None:
    config = SearchConfig(batch=1, forced_playouts=2.0)
    result = Search(HashEvaluator(), config).run(Position(5), 800)
    least = np.sqrt(2.0 * result.priors * result.visits.sum())
    visited = result.visits > 0
    assert (result.visits[visited] >= np.floor(least[visited]) - 1).all()
    free = Search(HashEvaluator(), replace(config, forced_playouts=0.0)).run(Position(5), 800)
    assert free.target_visits is None
    assert (free.visits[visited] < np.floor(least[visited]) - 1).any()


def test_what_was_forced_is_taken_off_the_target_and_the_best_move_keeps_its_visits() -> None:
    result = Search(HashEvaluator(), SearchConfig(batch=1, forced_playouts=2.0)).run(Position(5), 800)
    target: Any = result.target_visits
    best = int(np.argmax(result.visits))
    assert target[best] == result.visits[best]
    assert (target <= result.visits).all()
    assert target.sum() < result.visits.sum()
    assert (target != 1).all()
    np.testing.assert_allclose(result.policy_target(), target / target.sum())
    assert result.move == best


def puct(q: float, prior: float, visits: int, scale: float) -> float:
    return q + scale * prior / (1 + visits)


@pytest.mark.parametrize("seed", range(20))
def test_visits_are_taken_off_as_the_paper_says(seed: int) -> None:
    """One at a time, from what was forced, as long as the move would not be preferred to the most visited one."""
    rng = np.random.default_rng(seed)
    visits = rng.integers(0, 40, 8).astype(np.int32)
    visits[3] = 90
    priors = rng.dirichlet(np.ones(8)).astype(np.float32)
    q = np.where(visits > 0, rng.uniform(-1, 0.6, 8), np.nan).astype(np.float32)
    scale = 1.5 * np.sqrt(visits.sum())
    expected = visits.copy()
    goal = puct(float(q[3]), float(priors[3]), 90, scale)
    for move in np.flatnonzero(visits):
        forced = int(np.sqrt(2.0 * float(priors[move]) * visits.sum()))
        while move != 3 and forced and puct(float(q[move]), float(priors[move]), expected[move] - 1, scale) < goal:
            expected[move] -= 1
            forced -= 1
            if expected[move] == 0:
                break
        if expected[move] == 1:
            expected[move] = 0
    np.testing.assert_array_equal(pruned_visits(visits, q, priors, scale, 2.0), expected)


def test_nothing_is_pruned_where_nothing_was_visited() -> None:
    none = np.zeros(3, np.int32)
    nan = np.full(3, np.nan, np.float32)
    assert pruned_visits(none, nan, np.full(3, 1 / 3, np.float32), 1.5, 2.0).sum() == 0


class LikesOne:
    """Wants one move only, and finds all equal."""

    def evaluate(self, boards: NDArray[Any]) -> Evaluations:
        policy = np.zeros((len(boards), 26), np.float32)
        policy[:, 7] = 3.0
        return Evaluations(policy, np.zeros(len(boards), np.float32))


def test_the_growing_weight_of_alphazero_widens_a_large_search() -> None:
    """c = log((1 + N + c_base) / c_base) + c_init: with a small base a large tree explores more."""
    visits = {
        base: Search(LikesOne(), SearchConfig(batch=1, c_puct=1.25, c_base=base, fpu_reduction=0.0)).run(
            Position(5), 600
        )
        for base in (19652.0, 20.0)
    }
    assert visits[20.0].visits.max() <= visits[19652.0].visits.max()
