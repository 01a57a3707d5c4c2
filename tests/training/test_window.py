"""The growing window: the source's formula, whole generations, and that nothing left out is wanted again."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from move37.errors import ConfigError
from move37.training.window import Window


def test_it_is_all_samples_at_first_and_then_the_sources_curve() -> None:
    window = Window()
    assert [window.size(total) for total in (1, 249_999, 250_000)] == [1, 249_999, 250_000]
    # KataGo's run of 241 million samples ended with a window of "about 22 million" (Wu 2019, Appendix C)
    assert window.size(241_000_000) == pytest.approx(22e6, rel=0.06)
    slope = (window.size(10**9) - window.size(10**9 - 10**6)) / 10**6
    assert slope == pytest.approx(0.4 * (10**9 / 250_000) ** -0.25, rel=1e-3)


def test_at_its_beginning_it_grows_with_the_slope_of_the_option() -> None:
    window = Window(samples=10**6, growth=0.3, exponent=0.5)
    assert window.size(10**6 + 10**4) - 10**6 == pytest.approx(0.3 * 10**4, rel=0.01)


def test_whole_generations_of_the_newest_samples_or_games() -> None:
    samples, games = [100, 200, 300, 400], [10, 10, 10, 10]
    assert Window(samples=10**6).first(games, samples) == 0
    assert Window(samples=1, growth=0.0).first(games, samples) == 3
    assert Window(samples=500, growth=0.0).first(games, samples) == 2
    assert Window(samples=700, growth=0.0).first(games, samples) == 2
    assert [Window(games=count).first(games, samples) for count in (1, 10, 11, 40, 500)] == [3, 3, 2, 0, 0]


@given(
    st.lists(st.integers(0, 500), min_size=2, max_size=30),
    st.integers(1, 3000),
    st.floats(0.05, 1.0),
    st.floats(0.0, 1.0),
)
def test_what_was_left_out_is_never_wanted_again(samples: list[int], c: int, exponent: float, growth: float) -> None:
    window = Window(c, exponent, growth)
    firsts = [window.first([1] * n, samples[:n]) for n in range(1, len(samples) + 1)]
    assert firsts == sorted(firsts)
    for n, first in enumerate(firsts, 1):
        assert sum(samples[first:n]) >= min(window.size(sum(samples[:n])), sum(samples[:n]))


@pytest.mark.parametrize(
    "wrong",
    [{"samples": 0}, {"games": 0}, {"exponent": 0.0}, {"exponent": 1.1}, {"growth": -0.1}, {"growth": math.nan}],
)
def test_a_window_out_of_range_is_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ConfigError, match="window"):
        Window(**wrong)  # type: ignore[arg-type]
