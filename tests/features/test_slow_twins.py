"""The compiled encoders against their slow twins, on games full of captures, kos, suicides and moves out of turn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from move37.rules.position import Position
from tests.support.plane_pictures import planes_of
from tests.support.positions import eventful_position, random_position
from tests.support.slow_planes import SLOW, View

RULES: list[Mapping[str, Any]] = [
    {"ko": "simple", "suicide": False},
    {"ko": "positional", "suicide": True, "hasButton": True},
    {"ko": "situational", "suicide": True},
    {"ko": "simple", "suicide": False, "scoring": "territory", "tax": "seki"},
]


def check(game: Position) -> None:
    view = View(game)
    for name, twin in SLOW.items():
        np.testing.assert_array_equal(planes_of(name, game), twin(view), err_msg=f"{name} of\n{game}")


@pytest.mark.parametrize("rules", RULES, ids=lambda rules: f"{rules['ko']}-{rules.get('scoring', 'area')}")
@pytest.mark.parametrize(("rows", "cols"), [(1, 1), (1, 7), (2, 3), (5, 5), (7, 4), (7, 7)])
def test_eventful_games_agree(rows: int, cols: int, rules: Mapping[str, Any]) -> None:
    for seed in range(12):
        check(eventful_position(seed, rows, cols, rules, 4 * seed))


@pytest.mark.parametrize(("size", "moves"), [(9, 40), (13, 60), (19, 60), (19, 120)])
def test_larger_boards_agree(size: int, moves: int) -> None:
    check(random_position(np.random.default_rng(size), size, size, moves))
