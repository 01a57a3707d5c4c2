"""`move37 gtp` as a process: a search that would last for hours ends when its controller wants or is gone.

The time-outs are far above the second it takes: they only keep a process that hangs from holding up the tests.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from move37.nets import weights
from tests.support.networks import small_network

HARD_LIMIT = 120
FOREVER = ["--visits", "100000000", "--size", "5", "--seed", "1", "--threads", "1"]

Engine = subprocess.Popen[str]


@pytest.fixture
def net(tmp_path: Path) -> str:
    path = tmp_path / "a net.safetensors"
    weights.save(small_network(), path)
    return str(path)


@pytest.fixture
def engine(net: str) -> Iterator[Engine]:
    command = [sys.executable, "-m", "move37.cli", "gtp", "--net", net, *FOREVER]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True, bufsize=1) as process:
        yield process
        process.kill()


def send(engine: Engine, text: str) -> None:
    assert engine.stdin is not None
    engine.stdin.write(text)
    engine.stdin.flush()


def line(engine: Engine) -> str:
    assert engine.stdout is not None
    return engine.stdout.readline().rstrip()


def begin(engine: Engine, command: str) -> None:
    """Send a command that streams, and wait until its search is well under way."""
    send(engine, f"{command} 30\n")
    assert line(engine) == "="
    for _ in range(2):
        assert line(engine).startswith("info move ")


def rest(engine: Engine) -> list[str]:
    out, _ = engine.communicate(timeout=HARD_LIMIT)
    return [text.rstrip() for text in out.split("\n")]


def test_quit_during_a_search(engine: Engine) -> None:
    begin(engine, "kata-genmove_analyze b")
    send(engine, "7 quit\n")
    lines = rest(engine)
    assert lines[-4:] == ["", "=7", "", ""] and lines[-5].startswith("play ")
    assert engine.returncode == 0


def test_the_end_of_input_during_a_search(engine: Engine) -> None:
    begin(engine, "lz-genmove_analyze w")
    assert engine.stdin is not None
    engine.stdin.close()
    engine.stdin = None
    lines = rest(engine)
    assert lines[-2:] == ["", ""] and lines[-3].startswith("play ")
    assert engine.returncode == 0


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signal for a child")
@pytest.mark.parametrize("command", ["kata-genmove_analyze b", ""])
def test_an_interrupt_during_a_search_and_while_waiting(engine: Engine, command: str) -> None:
    if command:
        begin(engine, command)
    else:
        send(engine, "name\n")
        assert line(engine) == "= move37"
    engine.send_signal(signal.SIGINT)
    _, errors = engine.communicate(timeout=HARD_LIMIT)
    assert engine.returncode == 130
    assert "Traceback" not in errors and "Exception" not in errors


@pytest.mark.skipif(not hasattr(os, "fork"), reason="only POSIX can tell that a pipe has no reader")
def test_a_reader_that_is_gone_during_a_search(engine: Engine) -> None:
    begin(engine, "kata-analyze b")
    send(engine, "genmove b\n")  # ends the analysis, and writes nothing for hours
    while line(engine):
        pass
    assert engine.stdout is not None and engine.stderr is not None
    engine.stdout.close()
    assert engine.wait(HARD_LIMIT) == 0
    assert "Traceback" not in (errors := engine.stderr.read()) and "BrokenPipe" not in errors


def test_a_script_whose_lines_are_all_there_gets_whole_searches(net: str) -> None:
    command = [
        sys.executable,
        "-m",
        "move37.cli",
        "gtp",
        "--net",
        net,
        "--size",
        "5",
        "--visits",
        "60",
        "--threads",
        "1",
    ]
    script = "kata-search_analyze b 100000 rootInfo true\nquit\n"
    done = subprocess.run(command, input=script, capture_output=True, text=True, timeout=HARD_LIMIT, check=True)
    assert " rootInfo visits 60 " in done.stdout
