"""Positions searched side by side get what they get alone, and fill the evaluator's batches."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from move37.analysis.review_search import search_all
from move37.errors import ConfigError
from move37.rules.position import Position
from move37.search.evaluator import Evaluations
from move37.search.limits import limit
from move37.search.puct import SearchConfig
from move37.search.root import Search
from tests.support.positions import random_position
from tests.support.review_script import ScriptedEngine
from tests.support.slow_search import HashEvaluator

VISITS = 20


class Hashing(ScriptedEngine):
    """Searches over made-up answers; `made` counts the searches."""

    def __init__(self, evaluator: HashEvaluator) -> None:
        super().__init__()
        self.evaluator = evaluator
        self.made = 0

    def new_search(self, rows: int, cols: int, **overrides: Any) -> Search:
        self.made += 1
        return Search(self.evaluator, SearchConfig(**overrides))


def positions() -> list[Position]:
    rng = np.random.default_rng(4)
    return [random_position(rng, 5, 5, moves) for moves in range(7)]


@pytest.mark.parametrize("at_once", [1, 3, 50])
def test_side_by_side_is_as_alone(at_once: int) -> None:
    engine = Hashing(HashEvaluator())
    found = dict(search_all(engine, positions(), limit(VISITS), at_once))
    assert sorted(found) == list(range(7))
    assert engine.made == 7
    for place, position in enumerate(positions()):
        alone = Search(HashEvaluator(), SearchConfig(batch=1)).run(position, VISITS)
        assert np.array_equal(found[place].visits, alone.visits)
        assert found[place].value == alone.value
    assert max(engine.evaluator.batches) == min(at_once, 7)


def test_a_failure_ends_all() -> None:
    class Failing(HashEvaluator):
        def evaluate(self, boards: NDArray[np.void]) -> Evaluations:
            raise ConfigError("no network")

    with pytest.raises(ConfigError, match="no network"):
        list(search_all(Hashing(Failing()), positions(), limit(VISITS), 2))
