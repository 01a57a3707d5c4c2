from __future__ import annotations

import pytest

from move37.errors import RulesError
from move37.rules.color import Color


@pytest.mark.parametrize(
    ("spelling", "color"),
    [
        ("b", Color.BLACK),
        ("Black", Color.BLACK),
        (" BLACK ", Color.BLACK),
        ("w", Color.WHITE),
        ("WHITE", Color.WHITE),
        (1, Color.BLACK),
        (2, Color.WHITE),
        (Color.WHITE, Color.WHITE),
    ],
)
def test_spellings(spelling: str | int, color: Color) -> None:
    assert Color.parse(spelling) is color


@pytest.mark.parametrize("wrong", ["", "blue", "bw", 0, 3])
def test_other_spellings_are_errors(wrong: str | int) -> None:
    with pytest.raises(RulesError, match="no colour"):
        Color.parse(wrong)


def test_words_and_opponent() -> None:
    assert (Color.BLACK.opponent, Color.WHITE.opponent) == (Color.WHITE, Color.BLACK)
    assert [(color.letter, color.word, color.title) for color in Color] == [
        ("B", "black", "Black"),
        ("W", "white", "White"),
    ]
