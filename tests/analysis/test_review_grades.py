"""Where an inaccuracy, a mistake and a blunder begin, and which part of the game a move belongs to."""

from __future__ import annotations

import math

import pytest

from move37.analysis.review_grades import Grade, Phase, Thresholds
from move37.errors import ConfigError


@pytest.mark.parametrize(
    ("winrate", "points", "grade"),
    [
        (-0.2, -5.0, Grade.GOOD),
        (0.04, 1.4, Grade.GOOD),
        (0.0, 1.5, Grade.INACCURACY),
        (0.06, 0.0, Grade.INACCURACY),
        (0.0, 3.0, Grade.MISTAKE),
        (0.11, None, Grade.MISTAKE),
        (0.0, 6.0, Grade.BLUNDER),
        (0.25, -1.0, Grade.BLUNDER),
    ],
)
def test_the_worse_of_points_and_win_rate_counts(winrate: float, points: float | None, grade: Grade) -> None:
    at = Thresholds()
    severity = at.severity(winrate, points)
    assert at.grade(severity, is_choice=False) is grade
    assert at.grade(severity, is_choice=True) is Grade.BEST
    assert grade.is_fault == (grade is not Grade.GOOD)


def test_other_thresholds() -> None:
    at = Thresholds.parse("10, 50%")
    assert at == Thresholds(10.0, 0.5)
    assert [at.grade(at.severity(0.3, points), False) for points in (4.9, 10.0, 20.0)] == [
        Grade.INACCURACY, Grade.MISTAKE, Grade.BLUNDER,
    ]  # fmt: skip


@pytest.mark.parametrize("text", ["", "x", "3,4", "3%,4%", "3,10%,1", "nan", "0", "-1", "0%", "101%", "inf", "3;10%"])
def test_a_threshold_that_is_none(text: str) -> None:
    with pytest.raises(ConfigError):
        Thresholds.parse(text)


def test_a_threshold_has_a_number() -> None:
    with pytest.raises(ConfigError, match="above 0"):
        Thresholds(math.nan)


@pytest.mark.parametrize(
    ("points", "opening", "middle"),
    [(361, 50, 144), (169, 23, 67), (81, 11, 32), (1, 0, 0)],
)
def test_parts_of_the_game_follow_the_board(points: int, opening: int, middle: int) -> None:
    parts = [Phase.of(move, points) for move in range(1, 401)]
    assert parts.count(Phase.OPENING) == opening
    assert parts.count(Phase.MIDDLE) == middle - opening
    assert parts == sorted(parts, key=list(Phase).index)
