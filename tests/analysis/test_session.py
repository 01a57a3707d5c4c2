"""Sessions on streams: the end of the input, interruption, readers that go away; and as a process, a golden session."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from move37.analysis.engine import Engine
from move37.analysis.session import Session
from move37.analysis.settings import Settings
from tests.support.analysis import BASE, SearchingPlayer, is_dict, is_list

SECONDS = 60.0
"""After so long a test that waits has failed."""

GOLDEN = Path(__file__).parents[1] / "golden" / "analysis" / "session.jsonl"
DIGITS = 3


def engine_for(write: Callable[[dict[str, Any]], None]) -> Engine:
    return Engine(SearchingPlayer(), write, Settings(max_visits=4), parallel=2)


def query(name: str, **fields: Any) -> str:
    return json.dumps({"id": name, **BASE, **fields}) + "\n"


def answers(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def test_at_the_end_of_the_input_everything_is_finished() -> None:
    output = io.StringIO()
    lines = [query(name) for name in "abcde"]
    session = Session(engine_for, lines, lambda line: void(output.write(line + "\n")))
    session.start()
    assert session.wait(SECONDS)
    assert sorted(answer["id"] for answer in answers(output.getvalue())) == list("abcde")


def void(value: object) -> None:
    """A function's answer let go of."""


def test_without_waiting_the_end_of_the_input_is_the_end() -> None:
    output = io.StringIO()
    lines = [query("a", maxVisits=10**9)]
    session = Session(engine_for, lines, lambda line: void(output.write(line + "\n")), finish=False)
    session.start()
    assert session.wait(SECONDS)
    assert output.getvalue() == ""


class Pipe:
    """Lines that come when the test sends them."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._ready = threading.Semaphore(0)

    def send(self, line: str) -> None:
        self._lines.append(line)
        self._ready.release()

    def __iter__(self) -> Iterator[str]:
        while True:
            self._ready.acquire()
            yield self._lines.pop(0)


def test_a_line_is_answered_while_a_search_goes_on_and_stop_ends_it() -> None:
    seen: list[dict[str, Any]] = []
    arrived = threading.Event()

    def write(line: str) -> None:
        seen.append(json.loads(line))
        arrived.set()

    pipe = Pipe()
    session = Session(engine_for, pipe, write)
    session.start()
    pipe.send(query("long", maxVisits=10**9))
    pipe.send('{"id": "v", "action": "query_version"}\n')
    assert arrived.wait(SECONDS)
    assert [answer["id"] for answer in seen] == ["v"]
    session.stop()
    assert session.wait(SECONDS)


def test_a_reader_that_is_gone_ends_the_session() -> None:
    def write(line: str) -> None:
        raise BrokenPipeError

    pipe = Pipe()
    session = Session(engine_for, pipe, write)
    session.start()
    pipe.send(query("a"))
    with pytest.raises(BrokenPipeError):
        session.wait(SECONDS)


def test_what_the_engine_cannot_be_made_of_is_raised_where_it_is_waited_for() -> None:
    def refuse(write: Callable[[dict[str, Any]], None]) -> Engine:
        raise ValueError("no engine")

    session = Session(refuse, Pipe(), lambda line: None)
    session.start()
    with pytest.raises(ValueError, match="no engine"):
        session.wait(SECONDS)


# ------------------------------------------------------------------------------------------------ as a process

COMMAND = [sys.executable, "-m", "move37.cli", "analyze", "--player", "zero", "--batch", "1", "--symmetry", "none"]
SENT: list[dict[str, Any]] = [
    {"id": "version", "action": "query_models"},
    {"id": "wrong", "moves": [["B", "E5"], ["W", "E5"]]},
    {"id": "odd", "komi": 3.14},
    {"id": "typo", "maxVisit": 3, "maxVisits": 1},
    {"id": "game", "moves": [["B", "E5"], ["W", "C4"], ["B", "D4"]], "analyzeTurns": [1, 3], "includePVVisits": True},
    {"id": "white", "initialStones": [["B", "C3"], ["W", "G7"], ["B", "G3"]], "initialPlayer": "W"},
]


def rounded(value: Any) -> Any:
    """Numbers to few digits, so that another processor's rounding is no difference."""
    if isinstance(value, float):
        return round(value, DIGITS)
    if is_list(value):
        return [rounded(item) for item in value]
    return {name: rounded(item) for name, item in value.items()} if is_dict(value) else value


def close(value: Any, other: Any) -> bool:
    """Equal but for the last digit of numbers."""
    if isinstance(value, float) and isinstance(other, float | int):
        return bool(abs(value - other) <= 2 * 10**-DIGITS)
    if is_list(value) and is_list(other):
        return len(value) == len(other) and all(map(close, value, other))
    if is_dict(value) and is_dict(other):
        return bool(set(value) == set(other) and all(close(value[name], other[name]) for name in value))
    return bool(value == other)


def test_a_process_answers_as_written_and_puts_nothing_else_on_stdout(update_golden: bool) -> None:
    base = {**BASE, "maxVisits": 12}
    lines = "".join(json.dumps(sent if "action" in sent else base | sent) + "\n" for sent in SENT)
    done = subprocess.run(
        [*COMMAND, "--parallel", "1"], input=lines.encode(), capture_output=True, timeout=300, check=True
    )
    found = [rounded(answer) for answer in answers(done.stdout.decode())]
    if update_golden:
        GOLDEN.parent.mkdir(parents=True, exist_ok=True)
        GOLDEN.write_text("".join(json.dumps(answer, sort_keys=True) + "\n" for answer in found), encoding="utf-8")
    expected = answers(GOLDEN.read_text(encoding="utf-8"))
    assert len(found) == len(expected)
    for answer, other in zip(found, expected, strict=True):
        assert close(answer, other), (answer, other)
    assert b"Started, ready to begin handling requests" in done.stderr


def begin(*options: str) -> subprocess.Popen[bytes]:
    """A process that searches for ever, and has said so."""
    process = subprocess.Popen(
        [*COMMAND, *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdin and process.stdout
    long = {**BASE, "id": "long", "maxVisits": 10**9, "reportDuringSearchEvery": 0.01}
    process.stdin.write(json.dumps(long).encode() + b"\n")
    process.stdin.flush()
    assert json.loads(process.stdout.readline())["isDuringSearch"]
    return process


@pytest.mark.skipif(os.name != "posix", reason="signals and broken pipes as POSIX has them")
@pytest.mark.parametrize("how", ["interrupt", "closed stdout", "closed stdin"])
def test_a_process_that_searches_ends_soon_when_told(how: str) -> None:
    with begin("--quit-without-waiting") as process:
        assert process.stdin and process.stdout and process.stderr
        if how == "interrupt":
            process.send_signal(signal.SIGINT)
        elif how == "closed stdout":
            process.stdout.close()
        else:
            process.stdin.close()
        code = process.wait(SECONDS)
        said = process.stderr.read().decode()
    assert code == {"interrupt": 130, "closed stdout": 1, "closed stdin": 0}[how]
    assert "Traceback" not in said
    assert "Exception ignored" not in said
