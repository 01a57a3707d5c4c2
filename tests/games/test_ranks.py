from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from move37.games.ranks import UNKNOWN_RANK, counted_margin, rank_number, rank_text, read_rank


def test_ranks_are_ordered_from_kyu_to_professional() -> None:
    ladder = ["30k", "12k", "2k", "1k", "1d", "2d", "9d", "1p", "9p"]
    numbers = [rank_number(text) for text in ladder]
    assert numbers == sorted(numbers) and len(set(numbers)) == len(numbers)
    assert rank_number("1d") - rank_number("1k") == 1


@pytest.mark.parametrize("text", [None, "", "d", "strong", "12", "3dan"])
def test_what_is_no_rank_is_unknown_and_below_all(text: str | None) -> None:
    assert rank_number(text) == UNKNOWN_RANK < rank_number("99k")


@given(st.integers(-98, 18))
def test_text_and_number_agree(number: int) -> None:
    assert rank_number(rank_text(number)) == number


def test_unknown_rank_has_a_text() -> None:
    assert rank_text(UNKNOWN_RANK) == "?"


@pytest.mark.parametrize(("result", "margin"), [("B+0.5", 0.5), ("W+3.5", -3.5), ("B+12", 12.0), ("0", 0.0)])
def test_margin_of_counted_games_is_blacks(result: str, margin: float) -> None:
    assert counted_margin(result) == margin


@pytest.mark.parametrize("result", ["B+R", "W+T", "W+F", "B+", "?", "Void", "", "B+three"])
def test_other_results_have_no_margin(result: str) -> None:
    assert math.isnan(counted_margin(result))


@pytest.mark.parametrize(
    ("text", "rank"), [("9 dan pro", "9p"), ("五段", "5p"), ("7D*", "7d"), ("2급", "2k"), ("?", "?")]
)
def test_ranks_in_words(text: str, rank: str) -> None:
    assert rank_text(read_rank(text)) == rank
