from __future__ import annotations

import math
from typing import Any

import pytest

from move37.errors import ConfigError
from move37.training.schedule import Schedule


def test_cosine_falls_from_peak_to_final() -> None:
    schedule = Schedule(peak=0.1, kind="cosine", final=0.01)
    assert schedule.rate(0, 0.0) == pytest.approx(0.1)
    assert schedule.rate(500, 0.5) == pytest.approx(0.1 * 0.505)
    assert schedule.rate(999, 1.0) == pytest.approx(0.001)
    assert schedule.rate(2000, 2.0) == pytest.approx(0.001)


def test_warm_up_is_linear_and_never_zero() -> None:
    schedule = Schedule(peak=1.0, kind="constant", warmup_steps=4)
    assert [schedule.rate(step, 0.0) for step in range(6)] == pytest.approx([0.2, 0.4, 0.6, 0.8, 1.0, 1.0])


def test_steps_multiply_at_each_fraction() -> None:
    schedule = Schedule(peak=1.0, kind="steps", at=(0.5, 0.75), factor=0.1)
    assert [schedule.rate(9, done) for done in (0.0, 0.49, 0.5, 0.74, 0.75, 1.0)] == pytest.approx(
        [1.0, 1.0, 0.1, 0.1, 0.01, 0.01]
    )


def test_the_papers_rate_halves_every_so_many_steps() -> None:
    schedule = Schedule(peak=0.003, kind="steps", every=80_000_000, factor=0.5)
    steps = (0, 79_999_999, 80_000_000, 160_000_000, 339_999_999)
    assert [schedule.rate(step, 0.0) for step in steps] == pytest.approx([0.003, 0.003, 0.0015, 0.00075, 0.0001875])


@pytest.mark.parametrize(
    "wrong",
    [{"peak": -1.0}, {"peak": math.nan}, {"warmup_steps": -5}, {"every": -1}, {"factor": 0.0}, {"final": 2.0}],
)
def test_values_out_of_range_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ConfigError):
        Schedule(**wrong)
