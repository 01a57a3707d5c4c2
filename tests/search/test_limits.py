"""Stoppers alone, and in a search with a clock of our own."""

from __future__ import annotations

import math
from typing import Any

import pytest

from move37.errors import ConfigError
from move37.rules.position import Position
from move37.search import ConstantEvaluator, Search, SearchConfig, SearchResult, StopRequest, limit
from move37.search.limits import UNLIMITED, All, NodeLimit, Progress, Settled, SettledInTime, TimeLimit, VisitLimit


def progress(visits: int = 0, nodes: int = 0, seconds: float = 0.0, lead: int = 0) -> Progress:
    return Progress(visits, visits, nodes, seconds, lead)


def test_each_stopper_says_how_many_visits_are_left() -> None:
    assert VisitLimit(100).visits_left(progress(visits=30)) == 70
    assert VisitLimit(100).visits_left(progress(visits=130)) == 0
    assert NodeLimit(10).visits_left(progress(nodes=4)) == 6
    assert TimeLimit(2.0).visits_left(progress(seconds=1.9)) == UNLIMITED
    assert TimeLimit(2.0).visits_left(progress(seconds=2.0)) == 0
    assert Settled(100).visits_left(progress(visits=60, lead=40)) == UNLIMITED
    assert Settled(100).visits_left(progress(visits=60, lead=41)) == 0


def test_a_choice_that_does_not_hold_is_not_settled_and_is_only_asked_about_if_the_lead_is_enough() -> None:
    asked: list[int] = []

    def holds() -> bool:
        asked.append(1)
        return False

    assert Settled(100).visits_left(Progress(60, 60, 1, 0.0, 40, holds=holds)) == UNLIMITED
    assert asked == []
    assert Settled(100).visits_left(Progress(60, 60, 1, 0.0, 41, holds=holds)) == UNLIMITED
    assert asked == [1]


def test_in_time_the_speed_so_far_tells_how_many_visits_are_left() -> None:
    stopper = SettledInTime(10.0)  # at 10 visits a second, a quarter more is expected
    assert stopper.visits_left(progress(visits=40, seconds=4.0, lead=75)) == UNLIMITED
    assert stopper.visits_left(progress(visits=40, seconds=4.0, lead=76)) == 0
    assert stopper.visits_left(progress(visits=5, seconds=0.5, lead=5000)) == UNLIMITED  # too early to tell
    assert stopper.visits_left(progress(visits=0, seconds=0.0, lead=0)) == UNLIMITED
    assert stopper.visits_left(progress(visits=100, seconds=11.0, lead=1)) == 0


def test_a_search_by_time_ends_when_its_choice_is_settled() -> None:
    def run(early: bool) -> SearchResult:
        ticks = iter(range(100_000))
        search = Search(ConstantEvaluator(), SearchConfig(batch=1), clock=lambda: float(next(ticks)))
        position = Position(size=3, komi=0.5)
        position.play_many(["B2", "B1", "pass", "pass"])
        return search.run(position, limit(seconds=400, early=early))

    early, full = run(True), run(False)
    assert early.move == full.move
    assert early.seconds < full.seconds


def test_together_the_strictest_decides() -> None:
    both = All((VisitLimit(100), NodeLimit(10)))
    assert both.visits_left(progress(visits=95, nodes=1)) == 5
    assert both.visits_left(progress(visits=5, nodes=9)) == 1
    assert All(()).visits_left(progress()) == UNLIMITED


def test_the_time_limit_reads_the_clock_it_is_given() -> None:
    ticks = iter(range(1000))
    search = Search(ConstantEvaluator(), SearchConfig(batch=1), clock=lambda: float(next(ticks)))
    result = search.run(Position(size=5), limit(seconds=10))
    # The clock is read at the start, once before each batch and at the end.
    assert result.root_visits == 10
    assert result.seconds == 11.0


def test_a_stop_request_ends_the_search_after_its_batch() -> None:
    request = StopRequest()

    class Stopping(ConstantEvaluator):
        calls = 0

        def evaluate(self, boards):  # type: ignore[no-untyped-def]  # as in the base
            self.calls += 1
            if self.calls == 5:
                request.stop()
            return super().evaluate(boards)

    evaluator = Stopping()
    Search(evaluator, SearchConfig(batch=1)).run(Position(size=5), limit(1000, stop=request))
    assert evaluator.calls == 5


def test_stopping_early_keeps_the_choice() -> None:
    position = Position(size=3, komi=0.5)
    for point in (4, 1):
        position.play(point)
    position.play("pass")
    position.play("pass")
    config = SearchConfig(batch=1)
    full = Search(ConstantEvaluator(), config).run(position, limit(400))
    early = Search(ConstantEvaluator(), config).run(position, limit(400, early=True))
    assert early.move == full.move
    assert early.root_visits <= full.root_visits


def test_the_root_is_evaluated_whatever_the_limit() -> None:
    result = Search(ConstantEvaluator(), SearchConfig()).run(Position(size=5), VisitLimit(0))
    assert result.root_visits == 1
    assert result.move in range(26)


@pytest.mark.parametrize("limits", [{}, {"visits": 0}, {"seconds": -1.0}, {"nodes": 0}])
def test_a_search_needs_a_positive_limit(limits: dict[str, int]) -> None:
    with pytest.raises(ConfigError, match="limit"):
        limit(**limits)  # type: ignore[arg-type]  # wrong values are the point


@pytest.mark.parametrize("wrong", [{"visits": math.nan}, {"visits": 1.5}, {"nodes": 2.5}, {"seconds": math.nan}])
def test_a_limit_that_would_never_be_reached_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ConfigError):
        limit(**wrong)
