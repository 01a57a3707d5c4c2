"""The cases B49 to B57 of the behaviour list that are about searches, for every search here.

More of them, for the PUCT search: in `test_root` (B49: a_won_end_is_taken_by_both_colours; B51: a_tree_is_dropped_when
_komi_rules_or_position_change, noise_is_drawn_anew_for_a_kept_root; B53: what_is_not_a_number_stops_the_search), in
`test_prune` (B55) and in `test_puct` (B57: no_position_is_evaluated_twice_and_batches_stay_small).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from move37.rules.position import Position
from move37.search import (
    AnySearch,
    ConstantEvaluator,
    EvaluationError,
    Evaluations,
    Evaluator,
    KataGoConfig,
    KataGoSearch,
    Search,
    SearchConfig,
    StopRequest,
    limit,
)
from move37.search.gumbel import GumbelConfig
from move37.search.gumbel_search import GumbelSearch
from move37.search.mixed import MixedConfig
from move37.search.mixed_search import MixedSearch
from move37.search.ucb1 import UctConfig
from move37.search.ucb1_search import UctSearch
from tests.search.test_root import one_pass_from_the_end
from tests.support.slow_katago_values import ScoredHashEvaluator

SEARCHES: dict[str, Callable[[Evaluator, int], AnySearch]] = {
    "puct": lambda evaluator, batch: Search(evaluator, SearchConfig(batch=batch), np.random.default_rng(1)),
    "lost": lambda evaluator, batch: Search(
        evaluator, SearchConfig(batch=batch, virtual_loss_kind="loss", virtual_loss=3.0), np.random.default_rng(1)
    ),
    "noised": lambda evaluator, batch: Search(
        evaluator, SearchConfig(batch=batch, noise_fraction=0.25, forced_playouts=2.0), np.random.default_rng(1)
    ),
    "katago": lambda evaluator, batch: KataGoSearch(evaluator, KataGoConfig(batch=batch), np.random.default_rng(1)),
    "wide": lambda evaluator, batch: KataGoSearch(
        evaluator, KataGoConfig(batch=batch, wide_root_noise=0.1, graph=False), np.random.default_rng(1)
    ),
}
each_search = pytest.mark.parametrize("kind", SEARCHES)


@each_search
@pytest.mark.parametrize("owner", ["B", "W"])
def test_b49_a_won_end_is_found_for_both_colours_and_values_are_the_movers(kind: str, owner: str) -> None:
    position = one_pass_from_the_end(owner, komi=0.5)
    result = SEARCHES[kind](ConstantEvaluator(), 1).run(position, 150)
    assert result.move == 25
    assert result.q[25] > 0.9  # KataGo's root passes never end a game in the search: it takes another pass to see it
    assert result.value > 0.3


@each_search
@pytest.mark.parametrize("owner", ["B", "W"])
def test_b49_a_lost_end_is_not_passed(kind: str, owner: str) -> None:
    position = one_pass_from_the_end(owner, komi=30.5 if owner == "B" else -30.5)
    result = SEARCHES[kind](ConstantEvaluator(), 1).run(position, 150)
    assert result.move != 25
    assert result.q[25] < -0.4 or result.visits[25] == 0


@each_search
def test_b51_nothing_is_kept_across_an_unseen_reply_an_undo_or_another_komi(kind: str) -> None:
    search, position = SEARCHES[kind](ScoredHashEvaluator(), 2), Position(4, komi=0.5)
    result = search.run(position, 60)
    assert (result.reused_visits, result.root_visits) == (0, 60)
    position.play(result.move)
    unseen = next(move for move in range(16) if position.is_legal(move) and move not in result.variation)
    position.play(unseen)
    searched = search.run(position, 60)
    assert searched.root_visits == 60
    position.undo()
    position.komi = 3.5
    assert search.run(position, 60).reused_visits == 0
    assert search.run(position, 80).reused_visits == 60  # the same again: visits count on
    assert search.run(position, 70).root_visits == 80  # and a limit below what there is adds none


class Spoilt:
    """Answers with one number in every logit."""

    def __init__(self, logit: float) -> None:
        self.logit = logit

    def evaluate(self, boards: NDArray[Any]) -> Evaluations:
        answer = ConstantEvaluator().evaluate(boards)
        answer.policy[:] = self.logit
        return answer


@each_search
def test_b53_a_policy_of_nothing_is_uniform_and_one_that_is_no_number_stops_loudly(kind: str) -> None:
    with pytest.warns(UserWarning, match="uniform priors"):
        result = SEARCHES[kind](Spoilt(-np.inf), 2).run(Position(3), 30)
    assert result.uniform_fallbacks > 0
    assert result.priors[-1] > 0
    for logit in (np.nan, np.inf):
        search = SEARCHES[kind](Spoilt(logit), 2)
        with pytest.raises(EvaluationError, match="Spoilt"):
            search.run(Position(3), 30)
        assert search.trees is None


@each_search
def test_b55_memory_is_flat_after_the_first_games(kind: str) -> None:
    search = SEARCHES[kind](ScoredHashEvaluator(), 4)
    rooms: list[int] = []
    for _ in range(4):
        position = Position(4, komi=0.5)
        for _ in range(8):
            result = search.run(position, 60)
            position.play(result.move)
            assert search.trees is not None
            rooms.append(len(search.trees.nodes))
    assert rooms[-1] == rooms[7]


class Counting:
    """Counts how often each position was asked about, and the size of each batch."""

    def __init__(self) -> None:
        self.seen: dict[bytes, int] = {}
        self.batches: list[int] = []

    def evaluate(self, boards: NDArray[Any]) -> Evaluations:
        self.batches.append(len(boards))
        for board in boards:
            key = board["last_moves"].tobytes() + board["stones"].tobytes() + bytes([int(board["to_play"])])
            self.seen[key] = self.seen.get(key, 0) + 1
        return ScoredHashEvaluator().evaluate(boards)


@each_search
@pytest.mark.parametrize("batch", [1, 16])
def test_b57_no_leaf_is_evaluated_twice_and_few_visits_make_small_batches(kind: str, batch: int) -> None:
    counting = Counting()
    result = SEARCHES[kind](counting, batch).run(Position(7), 120)
    assert max(counting.seen.values()) == 1
    assert sum(counting.batches) == result.evaluations
    assert max(counting.batches) <= min(batch, 120 // 16)
    assert result.root_visits == 120


OTHERS: dict[str, Callable[[Evaluator, int], AnySearch]] = {
    "uct": lambda evaluator, batch: UctSearch(evaluator, UctConfig(batch=batch), np.random.default_rng(1)),
    "gumbel": lambda evaluator, batch: GumbelSearch(evaluator, GumbelConfig(batch=batch), np.random.default_rng(1)),
    "mixed": lambda evaluator, batch: MixedSearch(
        evaluator, MixedConfig(batch=batch, wave=batch), np.random.default_rng(1)
    ),
}


@pytest.mark.parametrize("kind", [*SEARCHES, *OTHERS])
@pytest.mark.parametrize("batch", [1, 8, 32])
def test_no_virtual_loss_is_left_after_any_search(kind: str, batch: int) -> None:
    """Also after one that was stopped, one that met its node limit, and one that goes on with a kept tree."""
    search, position = (SEARCHES | OTHERS)[kind](ScoredHashEvaluator(), batch), Position(5, komi=0.5)
    stop = StopRequest()
    for limits in (limit(700), limit(nodes=900), limit(2000, stop=stop), limit(30)):
        result = search.run(position, limits, report=lambda _: stop.stop(), every=0.0)
        trees = search.trees
        assert trees is not None
        assert not trees.nodes["pending"][: trees.count].any()
        position.play(result.move)
