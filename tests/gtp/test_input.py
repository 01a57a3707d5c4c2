"""Lines that are read ahead: what waits, when it arrived, and what asks a search to end."""

from __future__ import annotations

import os
import threading
from collections.abc import Generator, Sequence

import pytest

from move37.gtp.input import GivenLines, LineReader, chunks_of
from move37.gtp.stops import GRACE_SECONDS, UntilInput, UntilLeave
from move37.search.limits import UNLIMITED, Progress

HARD_LIMIT = 60.0


class Gate:
    """Chunks that arrive when the test opens the gate, at the time that the test's clock then tells."""

    def __init__(self) -> None:
        self.now = 0.0
        self._next: Sequence[str] | None = None
        self._go, self._taken = threading.Semaphore(0), threading.Semaphore(0)
        self.reader = LineReader(self._chunks(), clock=lambda: self.now)

    def arrive(self, *lines: str) -> None:
        self._next = lines
        self._pass()

    def end(self) -> None:
        self._next = None
        self._go.release()
        while self.reader.next() is not None:
            pass

    def _pass(self) -> None:
        self._go.release()
        assert self._taken.acquire(timeout=HARD_LIMIT)

    def _chunks(self) -> Generator[Sequence[str]]:
        while True:
            self._go.acquire()
            if self._next is None:
                return
            yield self._next
            self._taken.release()  # when it is asked for the next chunk, this one has been noted


def progress(visits: int = 1, seconds: float = 0.0) -> Progress:
    return Progress(visits=visits, new_visits=visits, nodes=visits, seconds=seconds, lead=0)


def test_lines_come_in_order_and_then_the_end() -> None:
    gate = Gate()
    assert not gate.reader.waiting()
    gate.arrive("a", "b")
    assert gate.reader.waiting() and gate.reader.next() == "a"
    assert gate.reader.waiting() and gate.reader.next() == "b"
    assert not gate.reader.waiting()
    gate.end()
    assert gate.reader.waiting()
    assert gate.reader.next() is None and gate.reader.next() is None


@pytest.mark.parametrize(
    ("line", "leaves"),
    [("quit", True), ("7 quit", True), ("quit now", True), ("# interrupt", True), ("#interrupt", False),
     ("name", False), ("", False), ("# quit", False), ("play b quit", False)],
)  # fmt: skip
def test_what_asks_to_leave_and_only_if_it_came_later(line: str, leaves: bool) -> None:
    gate = Gate()
    gate.now = 1.0
    gate.arrive("genmove b", "quit")
    gate.now = 5.0
    gate.arrive("name")
    gate.arrive(line)
    assert gate.reader.asks_to_leave(since=0.5)
    assert gate.reader.asks_to_leave(since=1.0) == leaves
    assert not gate.reader.asks_to_leave(since=5.0)


def test_the_end_of_input_asks_to_leave_if_it_came_later() -> None:
    gate = Gate()
    gate.now = 3.0
    gate.end()
    while gate.reader.next() is not None:
        pass
    assert gate.reader.asks_to_leave(since=2.0)
    assert not gate.reader.asks_to_leave(since=3.0)


def test_given_lines_are_all_there_and_nothing_arrives_later() -> None:
    given = GivenLines(["a"])
    given.wait()
    assert given.waiting() and given.next() == "a" and given.waiting() and given.next() is None
    assert not given.asks_to_leave(since=-1.0)


@pytest.mark.parametrize(
    ("data", "lines"),
    [(b"a\nb\n", ["a", "b"]), (b"a\r\n\nb", ["a\r", "", "b"]), (b"", []), ("é围\n".encode(), ["é围"]),
     (b"\xff\xfe\n", ["��"]), (b"x" * 100_000 + b"\ny", ["x" * 100_000, "y"]), ("围".encode()[:2], ["�"])],
)  # fmt: skip
def test_what_arrives_on_a_descriptor(data: bytes, lines: list[str]) -> None:
    read, write = os.pipe()

    def fill() -> None:
        with os.fdopen(write, "wb") as pipe:
            pipe.write(data)

    writer = threading.Thread(target=fill)
    writer.start()
    found = [line for chunk in chunks_of(read) for line in chunk]
    writer.join(HARD_LIMIT)
    os.close(read)
    assert found == lines


def test_a_closed_descriptor_is_the_end_of_input() -> None:
    read, write = os.pipe()
    os.close(read)
    os.close(write)
    assert list(chunks_of(read)) == []


def test_until_input_stops_at_any_line_and_at_its_limits() -> None:
    gate = Gate()
    stop = UntilInput(gate.reader, visits=10, seconds=2.0)
    assert UntilInput(gate.reader).visits_left(progress()) == UNLIMITED
    assert stop.visits_left(progress(visits=4)) == 6
    assert stop.visits_left(progress(visits=12)) == 0
    assert stop.visits_left(progress(seconds=2.0)) == 0
    assert not stop.stopped
    gate.arrive("")
    assert stop.visits_left(progress()) == 0 and stop.stopped


def test_until_leave_minds_neither_other_lines_nor_what_came_with_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    gate = Gate()
    monkeypatch.setattr("time.monotonic", lambda: 100.0)
    stop = UntilLeave(gate.reader)
    gate.now = 100.0 + GRACE_SECONDS
    gate.arrive("quit")
    gate.now = 101.0
    gate.arrive("name")
    assert stop.visits_left(progress()) == UNLIMITED and not stop.stopped
    gate.end()
    assert stop.visits_left(progress()) == 0 and stop.stopped


def test_until_leave_ends_after_the_longest_time_of_a_move() -> None:
    stop = UntilLeave(GivenLines(), seconds=5.0)
    assert stop.visits_left(progress(seconds=4.9)) == UNLIMITED
    assert stop.visits_left(progress(seconds=5.0)) == 0
