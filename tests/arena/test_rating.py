"""Elo: against a slow twin, by hand, and that 95 % intervals hold what they say in simulated tournaments."""

from __future__ import annotations

from math import log10

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from move37.arena.rating import ELO, PRIOR, Ratings, rate
from tests.support.slow_rating import Game, chances, slow_rate

Games = NDArray[np.float64]


def table(players: int, games: list[Game]) -> Games:
    """float64[3, N, N] of games by result, [black, white]."""
    found = np.zeros((3, players, players))
    for black, white, result in games:
        found[result, black, white] += 1
    return found


@settings(max_examples=12, deadline=None)
@given(st.data())
def test_ratings_are_those_of_the_slow_twin(data: st.DataObject) -> None:
    players = data.draw(st.integers(2, 3))
    pairs = [(black, white) for black in range(players) for white in range(players) if black != white]
    game = st.tuples(st.sampled_from(pairs), st.integers(0, 2)).map(lambda one: (*one[0], one[1]))
    games: list[Game] = data.draw(st.lists(game, max_size=30))
    found = rate(*table(players, games))
    parameters, covariance = slow_rate(players, games, PRIOR)
    assert found.parameters == pytest.approx(parameters, abs=0.02)
    assert found.covariance == pytest.approx(covariance, rel=1e-3, abs=1e-2 * np.abs(covariance).max())


def test_a_long_match_has_the_elo_of_its_odds() -> None:
    wins = np.array([[0, 7500], [2500, 0]])
    found = rate(wins, np.zeros((2, 2)), wins.T)  # as Black and as White alike
    assert found.elo(0, 1).value == pytest.approx(400 * log10(3), abs=0.5)
    assert found.elo(0).value == pytest.approx(200 * log10(3), abs=0.5)
    deviation = ELO / np.sqrt(20000 * 0.75 * 0.25)
    assert found.elo(0, 1).high - found.elo(0, 1).value == pytest.approx(1.96 * deviation, rel=0.01)
    assert found.elo(1, 1).value == found.elo(1, 1).low == found.elo(1, 1).high == 0
    assert found.advantage.value == pytest.approx(0, abs=0.5) and found.draws.value < 0.001


def test_colour_and_draws_are_told_apart_from_strength() -> None:
    black = np.array([[0, 600], [600, 0]])  # equals of whom Black wins 60 % and draws 20 %
    found = rate(black, black / 3, black / 3)
    assert found.elo(0, 1).value == pytest.approx(0, abs=1e-6)
    assert found.advantage.value == pytest.approx(400 * log10(3), abs=2)
    assert found.draws.value == pytest.approx(1 / (1 + 2 * 0.6**0.5 * 0.2**0.5 / 0.2), abs=0.01)


def test_perfect_scores_are_finite_and_unsure() -> None:
    wins = np.array([[0, 20], [0, 0]])
    found = rate(wins, np.zeros((2, 2)), np.array([[0, 0], [20, 0]]))
    elo = found.elo(0, 1)
    assert 600 < elo.value < 1500 and elo.low > 0 and elo.high < 3000
    longer = rate(wins * 10, np.zeros((2, 2)), np.array([[0, 0], [200, 0]]))
    assert longer.elo(0, 1).value > elo.value + 200


def test_nothing_played_is_nothing_known() -> None:
    found = rate(*np.zeros((3, 4, 4)))
    assert [found.elo(n).value for n in range(4)] == [0, 0, 0, 0]
    assert found.elo(0).low < -700 and found.draws.value == 0.5
    apart = rate(*table(4, [(0, 1, 0), (1, 0, 2), (2, 3, 0), (3, 2, 2)]))  # two islands
    assert apart.elo(0, 2).value == pytest.approx(0) and apart.elo(0, 2).high > 400


def test_whom_a_player_meets_counts() -> None:
    games: list[Game] = [*[(0, 1, 0)] * 30, *[(0, 1, 2)] * 10, *[(1, 2, 0)] * 30, *[(1, 2, 2)] * 10]
    found = rate(*table(3, [*games, *[(white, black, 2 - result) for black, white, result in games]]))
    assert found.elo(0, 2).value == pytest.approx(2 * 400 * log10(3), rel=0.02)  # they never met


@pytest.mark.parametrize("shape", [(2, 3), (2,), (3, 3)])
def test_arrays_that_do_not_fit_are_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match=r"games are|same shape"):
        rate(np.zeros(shape), np.zeros(shape), np.full(shape, -1.0))


# ---- do 95 % intervals hold what they say?


def simulated(strengths: NDArray[np.float64], black: float, drawing: float, games: int, seed: int) -> Games:
    """A round-robin of players of known strength; each pairing has `games` games with each colour."""
    rng, players = np.random.default_rng(seed), len(strengths)
    found = np.zeros((3, players, players))
    for one in range(players):
        for other in range(players):
            if one != other:
                odds = chances(strengths.tolist(), black, drawing, one, other)
                found[:, one, other] = rng.multinomial(games, odds)
    return found


def inside(found: Ratings, true: NDArray[np.float64], scale: float) -> list[bool]:
    """Whether each player's true Elo, above the mean, is within the interval made `scale` times as wide."""
    elos = [found.elo(player) for player in range(found.players)]
    return [
        abs(value - elo.value) <= scale * (elo.high - elo.value)
        for value, elo in zip(true - true.mean(), elos, strict=True)
    ]


def test_intervals_hold_the_known_strength_in_95_of_100_simulated_tournaments() -> None:
    true = np.array([-350.0, -60.0, 90.0, 320.0])  # Elo
    tournaments = [rate(*simulated(true / ELO, 0.2, -0.5, 10, seed)) for seed in range(800)]

    def share(scale: float) -> float:
        return float(np.mean([inside(found, true, scale) for found in tournaments]))

    assert 0.937 < share(1.0) < 0.963  # 0.95, and nearly three deviations of 2,400 free intervals
    assert (
        share(0.9) < 0.937 and share(1.1) > 0.963
    )  # the same test fails intervals that are a tenth too narrow or wide
    advantage = [found.advantage for found in tournaments]
    assert 0.93 < np.mean([one.low < 0.2 * ELO < one.high for one in advantage]) < 0.97
    drawn = np.exp(-0.5) / (np.exp(-0.5) + 2)
    assert 0.93 < np.mean([one.draws.low < drawn < one.draws.high for one in tournaments]) < 0.97
    means = np.mean([[found.elo(player).value for player in range(4)] for found in tournaments], axis=0)
    assert means == pytest.approx(true - true.mean(), abs=12)
