from __future__ import annotations

import pytest

from move37.sgf.rank_words import short_rank


@pytest.mark.parametrize(
    ("text", "rank"),
    [
        ("9p", "9p"),
        ("3d", "3d"),
        ("12K", "12k"),
        ("3 dan", "3d"),
        ("3-dan", "3d"),
        ("1st dan", "1d"),
        ("4 kyu", "4k"),
        ("9 dan pro", "9p"),
        ("7D*", "7d"),
        ("9DP", "9p"),
        ("5段", "5d"),
        ("5段P", "5p"),
        ("五段", "5p"),
        ("初段", "1p"),
        ("业余5段", "5d"),
        ("業余六段", "6d"),
        ("アマ六段", "6d"),
        ("职业九段", "9p"),
        ("P9段", "9p"),
        ("２級", "2k"),
        ("3급", "3k"),
        ("9단", "9d"),
        ("10d", "10d"),
        ("", ""),
        ("?", ""),
        ("strong", ""),
        ("0d", ""),
        ("99k", ""),
        ("20d", ""),
        ("10p", ""),
        ("2700 Elo", ""),
    ],
)
def test_ranks_in_the_words_of_records(text: str, rank: str) -> None:
    assert short_rank(text) == rank
