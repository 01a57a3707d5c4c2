"""Many searches over one evaluator: who begins, how large batches are, and what happens when something breaks."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest

from move37.analysis.scheduler import Scheduler
from move37.rules.position import Position
from move37.search.evaluator import EvaluationError, Evaluations
from move37.search.limits import StopRequest, limit
from move37.search.puct import SearchConfig
from move37.search.result import SearchResult
from move37.search.root import AnySearch, Search, Steps
from tests.support.slow_search import HashEvaluator


@dataclass
class Job:
    """A task that notes what it is told."""

    evaluator: Any
    visits: int = 10
    priority: int = 0
    size: int = 5
    events: list[Any] = field(default_factory=list[Any])
    batch: int = 0
    result: SearchResult | None = None

    def begin(self, batch: int, stop: StopRequest) -> tuple[AnySearch, Steps]:
        self.batch = batch
        self.events.append("begun")
        search = Search(self.evaluator, SearchConfig(batch=batch))
        return search, search.steps(Position(self.size), limit(self.visits, stop=stop))

    def stepped(self, search: AnySearch) -> None:
        self.events.append(search.snapshot().root_visits)

    def finished(self, result: SearchResult) -> None:
        self.result = result
        self.events.append("finished")

    def dropped(self) -> None:
        self.events.append("dropped")

    def failed(self, error: Exception) -> None:
        self.events.append(error)


def run(scheduler: Scheduler, *jobs: Job) -> None:
    for job in jobs:
        scheduler.submit(job)
    for _ in range(10_000):
        if not scheduler.busy:
            return
        scheduler.step()
    raise AssertionError("the scheduler never ends")


def test_searches_share_calls_and_find_what_they_would_alone() -> None:
    together, alone = HashEvaluator(), HashEvaluator()
    jobs = [Job(together, visits=20 + i) for i in range(5)]
    run(Scheduler(parallel=5, batch=1), *jobs)
    for job in jobs:
        expected = Search(alone, SearchConfig(batch=1)).run(Position(5), job.visits)
        assert job.result is not None
        assert job.result.visits.tolist() == expected.visits.tolist()
    assert max(together.batches) == 5
    assert len(together.batches) < 30


def test_no_more_searches_than_asked_for_are_under_way() -> None:
    jobs = [Job(HashEvaluator()) for _ in range(7)]
    scheduler = Scheduler(parallel=2, batch=2)
    for job in jobs:
        scheduler.submit(job)
    while scheduler.busy:
        scheduler.step()
        begun = sum("begun" in job.events and "finished" not in job.events for job in jobs)
        assert begun <= 2
    assert all(job.events[-1] == "finished" for job in jobs)


@pytest.mark.parametrize(("jobs", "shares"), [(1, [16]), (2, [8, 8]), (3, [5, 5, 5]), (20, [4] * 4)])
def test_a_batch_is_shared_by_those_who_begin_together(jobs: int, shares: list[int]) -> None:
    made = [Job(HashEvaluator()) for _ in range(jobs)]
    scheduler = Scheduler(parallel=4, batch=16)
    for job in made:
        scheduler.submit(job)
    scheduler.step()
    assert [job.batch for job in made if job.batch] == shares


def test_with_more_searches_than_the_batch_each_takes_one_leaf() -> None:
    jobs = [Job(HashEvaluator()) for _ in range(6)]
    run(Scheduler(parallel=6, batch=4), *jobs)
    assert {job.batch for job in jobs} == {1}


def test_searches_of_unlike_boards_or_evaluators_are_asked_apart() -> None:
    first, second = HashEvaluator(), HashEvaluator()
    jobs = [Job(first), Job(first, size=6), Job(second)]
    run(Scheduler(parallel=3, batch=1), *jobs)
    assert max(first.batches) == max(second.batches) == 1
    assert all(job.events[-1] == "finished" for job in jobs)


def test_the_highest_priority_begins_first_and_equals_in_their_order() -> None:
    order: list[str] = []

    @dataclass
    class Named(Job):
        name: str = ""

        def begin(self, batch: int, stop: StopRequest) -> tuple[AnySearch, Steps]:
            order.append(self.name)
            return super().begin(batch, stop)

    names = [("a", 0), ("b", 9), ("c", 9), ("d", -1)]
    run(Scheduler(parallel=1), *(Named(HashEvaluator(), priority=priority, name=name) for name, priority in names))
    assert order == ["b", "c", "a", "d"]


def test_cancelling_drops_what_has_nothing_and_ends_what_has_something() -> None:
    evaluator = HashEvaluator()
    going, waiting = Job(evaluator, visits=10**6), Job(evaluator, priority=-1)
    scheduler = Scheduler(parallel=1)
    scheduler.submit(going)
    scheduler.submit(waiting)
    scheduler.step()
    scheduler.step()
    scheduler.cancel(lambda task: True)
    assert waiting.events == ["dropped"]
    run(scheduler)
    assert going.events[-1] == "finished"
    assert going.result is not None
    assert 0 < going.result.root_visits < 100


class Fussy(HashEvaluator):
    """Fails on 6x6, and answers NaN on 7x7."""

    def evaluate(self, boards: Any) -> Evaluations:
        if int(boards[0]["rows"]) == 6:
            raise EvaluationError("no 6x6")
        found = super().evaluate(boards)
        if int(boards[0]["rows"]) == 7:
            found.value[:] = float("nan")
        return found


def test_a_search_that_breaks_off_leaves_the_others_alone() -> None:
    evaluator = Fussy()
    fine, broken, strange = Job(evaluator), Job(evaluator, size=6), Job(evaluator, size=7)
    run(Scheduler(parallel=3), fine, broken, strange)
    assert fine.events[-1] == "finished"
    assert str(broken.events[-1]) == "no 6x6"
    assert isinstance(strange.events[-1], EvaluationError)
