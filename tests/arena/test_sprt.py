"""The sequential test: its bounds by hand, and its errors in simulated matches."""

from __future__ import annotations

from math import log

import numpy as np
import pytest

from move37.arena.match import MatchResult, match
from move37.arena.sprt import Sprt
from move37.errors import ConfigError
from move37.players.presets import random
from tests.support.players import ScriptedPlayer


def test_the_ratio_is_that_of_walds_test() -> None:
    test = Sprt(0.6)
    assert test.ratio(3, 1) == pytest.approx(3 * log(0.6 / 0.5) + log(0.4 / 0.5))
    assert test.bound == pytest.approx(log(19))
    assert test.verdict(0, 0) is None
    assert test.verdict(16, 0) is None and test.verdict(17, 0) == "stronger"  # 17 ln 1.2 = 3.1 > ln 19 = 2.94
    assert test.verdict(0, 13) is None and test.verdict(0, 14) == "not stronger"  # 14 ln 0.8 = -3.1


@pytest.mark.parametrize(("score", "wrong"), [(0.5, "stronger"), (0.6, "not stronger")])
def test_each_claim_is_mistaken_in_a_twentieth_of_matches_at_most(score: float, wrong: str) -> None:
    rng, test, mistakes, matches = np.random.default_rng(5), Sprt(0.6), 0, 400
    for _ in range(matches):
        wins = losses = 0
        while (verdict := test.verdict(wins, losses)) is None:
            won = rng.random() < score
            wins, losses = wins + won, losses + (not won)
        mistakes += verdict == wrong
    assert mistakes / matches < 0.075  # 0.05, and two deviations and more


@pytest.mark.parametrize("wrong", [{"score": 0.5}, {"score": 1.0}, {"error": 0.0}, {"error": 0.5}])
def test_values_out_of_range_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ConfigError):
        Sprt(**wrong)


def test_a_match_ends_with_its_test() -> None:
    # A resigns at once, so B wins every game.
    result = match(lambda: ScriptedPlayer(["resign"] * 60), lambda: random(1), 60, size=5, sprt=Sprt(0.6))
    assert isinstance(result, MatchResult)
    assert len(result.games) == 14 and result.verdict == "not stronger"
    assert "not that much stronger" in str(result) and result.to_dict()["sprt"]["verdict"] == "not stronger"
