"""How a move is chosen, and when the choice cannot change any more, by small numbers."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from move37.rules.position import Position
from move37.search import KataGoConfig, KataGoSearch, Search, SearchConfig, limit
from move37.search.choice import (
    CHOICES,
    bound_holds,
    bound_radius,
    choice_values,
    lead_in_visits,
    raise_safest,
)
from tests.support.slow_katago_values import ScoredHashEvaluator
from tests.support.slow_search import HashEvaluator

NAN = float("nan")
VISITS = np.array([10, 8, 1, 0], np.int32)
Q = np.array([0.1, 0.5, 0.9, NAN])
RADII = np.array([0.2, 0.25, 1.5, NAN])


def test_each_rule_chooses_its_own_move() -> None:
    chosen = {rule: int(np.argmax(choice_values(rule, VISITS, Q, RADII, 0.15))) for rule in CHOICES}  # type: ignore[arg-type]
    assert chosen == {"visits": 0, "value": 2, "article": 1, "lcb": 1}
    np.testing.assert_allclose(choice_values("article", VISITS, Q, RADII, 0.15), [11, 12, 1.9, 0])
    for rule in CHOICES:
        assert choice_values(rule, VISITS, Q, RADII, 0.15)[3] == 0  # type: ignore[arg-type]


def test_a_bound_needs_its_share_of_the_visits() -> None:
    q = np.array([0.1, 0.9, 0.0, NAN])
    radii = np.array([0.2, 0.1, 0.1, NAN])
    visits = np.array([100, 14, 3, 0], np.int32)
    assert np.argmax(choice_values("lcb", visits, q, radii, 0.15)) == 0
    assert np.argmax(choice_values("lcb", visits, q, radii, 0.1)) == 1


def test_the_safest_move_is_raised_by_what_its_bound_says_of_each_other() -> None:
    values = np.array([100.0, 40.0, 5.0])
    raise_safest(values, np.array([0.0, 0.4, -0.5]), np.array([0.1, 0.1, 0.6]), 15.0)
    factor = (0.1 + 0.4) / (0.1 + 0.2 * 0.4)
    np.testing.assert_allclose(values, [100, 100 * factor**2, 5])
    values = np.array([100.0, 40.0])
    raise_safest(values, np.array([0.0, 0.9]), np.array([1e-9, 1e-9]), 15.0)
    assert values[1] == pytest.approx(100 * 25, rel=1e-3)


def test_a_radius_is_the_standard_error_with_a_prior_that_fades() -> None:
    rng = np.random.default_rng(3)
    for count in (5, 50, 5000):
        sample = rng.uniform(-0.5, 0.9, count)
        n = np.array([float(count)])
        found = bound_radius(np.array([sample.mean()]), np.array([(sample**2).mean()]), n, n, 1.0)[0]
        assert found == pytest.approx(sample.std() / np.sqrt(count), rel=0.5 if count == 5 else 0.01)
    one = np.ones(1)
    assert bound_radius(np.zeros(1), np.zeros(1), one, one, 1.0)[0] > 0.4


def reachable(rule: Any, visits: NDArray[np.int32], sums: NDArray[np.float64], left: int) -> set[int]:
    """Every choice that `left` further visits with results -1 or 1 can lead to."""
    found: set[int] = set()
    for moves in product(range(len(visits)), repeat=left):
        for results in product((-1.0, 1.0), repeat=left):
            more, total = visits.copy(), sums.copy()
            for move, result in zip(moves, results, strict=True):
                more[move] += 1
                total[move] += result
            values = choice_values(rule, more, total / more, np.zeros(len(more)), 0.0)
            found |= set(np.flatnonzero(values == values.max()).tolist())
    return found


@pytest.mark.parametrize("rule", ["visits", "article"])
def test_a_lead_is_as_many_visits_as_cannot_change_the_choice(rule: Any) -> None:
    """All futures of small searches are tried."""
    rng = np.random.default_rng(5)
    settled = 0
    for _ in range(60):
        visits = rng.integers(1, 7, 3).astype(np.int32)
        sums = np.array([rng.integers(-2 * n, 2 * n + 1) / 2 for n in visits], np.float64)
        lead = lead_in_visits(rule, visits, sums / visits)
        for left in (1, 2):
            if lead > left:
                settled += 1
                assert len(reachable(rule, visits, sums, left)) == 1
            elif lead == left:
                assert len(reachable(rule, visits, sums, left)) > 1 or rule == "article"
    assert settled > 10


def test_the_best_value_may_always_change_and_bounds_hold_while_no_mean_reaches_them() -> None:
    assert lead_in_visits("value", VISITS, Q) == 0
    assert not bound_holds(VISITS, Q, RADII)
    assert bound_holds(VISITS, np.array([0.5, 0.1, 0.2, NAN]), np.array([0.25, 0.1, 0.9, NAN]))


@pytest.mark.parametrize("rule", CHOICES)
@pytest.mark.parametrize("seed", range(4))
def test_stopping_early_keeps_the_choice_of_every_rule(rule: Any, seed: int) -> None:
    position = Position(4, komi=0.5)
    position.play(seed)
    config = SearchConfig(batch=1, choice=rule, c_puct=0.4)
    full = Search(HashEvaluator(), config).run(position, limit(600))
    early = Search(HashEvaluator(), config).run(position, limit(600, early=True))
    assert early.move == full.move
    assert early.root_visits <= full.root_visits
    assert rule != "visits" or early.root_visits < full.root_visits
    assert rule != "value" or early.root_visits == full.root_visits


@pytest.mark.parametrize("seed", range(4))
def test_stopping_early_keeps_the_choice_of_katagos_search(seed: int) -> None:
    position = Position(4, komi=0.5)
    position.play(seed)
    full = KataGoSearch(ScoredHashEvaluator(), KataGoConfig(batch=1)).run(position, limit(600))
    early = KataGoSearch(ScoredHashEvaluator(), KataGoConfig(batch=1)).run(position, limit(600, early=True))
    assert early.move == full.move
    assert early.root_visits <= full.root_visits


def test_a_search_carries_its_rule_into_its_result() -> None:
    position = Position(4, komi=0.5)
    chosen = set[int]()
    for rule in CHOICES:
        config: Any = SearchConfig(batch=1, choice=rule)  # type: ignore[arg-type]
        result = Search(HashEvaluator(), config).run(position, 60)
        assert result.analysis is not None
        assert result.move == result.ranking[0] == int(np.argmax(result.analysis.choice_values))
        chosen.add(result.move)
    assert len(chosen) > 1
