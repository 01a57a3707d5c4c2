"""Jobs: one at a time for each place, the newest that waits, and turns for everybody."""

from __future__ import annotations

import threading

import pytest

from move37.web.jobs import Jobs

PATIENCE = 60.0


class Gate:
    """A job that tells when it began and ends when it is let go."""

    def __init__(self) -> None:
        self.began, self.go = threading.Event(), threading.Event()

    def __call__(self) -> None:
        self.began.set()
        assert self.go.wait(PATIENCE)


def test_a_place_has_one_job_under_way_and_one_waiting() -> None:
    jobs, gate, done = Jobs(2, "test"), Gate(), list[str]()
    end = threading.Event()
    jobs.submit("a", gate)
    assert gate.began.wait(PATIENCE)
    for name in ("first", "second", "third"):
        jobs.submit("a", lambda name=name: done.append(name))  # type: ignore[misc]
    other = threading.Event()
    jobs.submit("b", other.set)
    assert other.wait(PATIENCE) and done == []
    gate.go.set()
    jobs.submit("c", lambda: None)
    while not done:
        assert end.wait(0.01) is False
    assert done == ["third"]
    jobs.close(PATIENCE)


def test_places_take_turns_however_often_one_asks() -> None:
    jobs, gate, order = Jobs(1, "test"), Gate(), list[str]()
    last = threading.Event()
    jobs.submit("start", gate)
    assert gate.began.wait(PATIENCE)
    for number in range(5):
        jobs.submit("greedy", lambda number=number: order.append(f"greedy {number}"))  # type: ignore[misc]
    jobs.submit("modest", lambda: order.append("modest"))
    jobs.submit("greedy", lambda: order.append("greedy again"))
    jobs.submit("last", last.set)
    gate.go.set()
    assert last.wait(PATIENCE)
    assert order == ["greedy again", "modest"]
    jobs.close(PATIENCE)


def test_a_dropped_job_is_not_begun() -> None:
    jobs, gate, done = Jobs(1, "test"), Gate(), list[str]()
    last = threading.Event()
    jobs.submit("start", gate)
    assert gate.began.wait(PATIENCE)
    jobs.submit("a", lambda: done.append("a"))
    jobs.drop("a")
    jobs.submit("b", last.set)
    gate.go.set()
    assert last.wait(PATIENCE) and done == []
    jobs.close(PATIENCE)


def test_a_defect_in_a_job_is_told_and_the_thread_goes_on(capsys: pytest.CaptureFixture[str]) -> None:
    jobs, last = Jobs(1, "test"), threading.Event()
    jobs.submit("a", lambda: 1 / 0)  # type: ignore[arg-type]
    jobs.submit("b", last.set)
    assert last.wait(PATIENCE)
    jobs.close(PATIENCE)
    assert "ZeroDivisionError" in capsys.readouterr().err


def test_closing_begins_nothing_more() -> None:
    jobs, gate, done = Jobs(1, "test"), Gate(), list[str]()
    jobs.submit("a", gate)
    assert gate.began.wait(PATIENCE)
    jobs.submit("b", lambda: done.append("b"))
    gate.go.set()
    jobs.close(PATIENCE)
    jobs.submit("c", lambda: done.append("c"))
    assert "c" not in done
