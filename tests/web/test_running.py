"""`move37 web` as a process: where it says it is, how it ends, and a port that is taken."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Generator
from contextlib import contextmanager

import pytest
from websockets.sync.client import connect

from move37.cli.run import run
from move37.errors import ConfigError
from move37.web.running import prepare

PATIENCE = 120.0


@contextmanager
def process(*options: str) -> Generator[tuple[subprocess.Popen[str], str]]:
    """The command, and the address that it prints."""
    command = [sys.executable, "-m", "move37.cli", "web", "--no-open", "--port", "0", *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as started:
        try:
            assert started.stdout is not None
            found = re.search(r"http://\S+", started.stdout.readline())
            assert found is not None
            yield started, found[0]
        finally:
            if started.poll() is None:
                started.kill()


@pytest.mark.parametrize("busy", [False, True])
def test_it_ends_cleanly_when_interrupted(busy: bool) -> None:
    with process() as (started, address):
        with urllib.request.urlopen(address + "healthz", timeout=PATIENCE) as answer:
            assert json.load(answer)["status"] == "ok"
        with connect(f"{address.replace('http', 'ws')}ws", origin=None, open_timeout=PATIENCE) as page:
            assert json.loads(page.recv(PATIENCE))["type"] == "welcome"
            if busy:
                page.send(json.dumps({"type": "new", "board": "a", "settings": {"size": 9}}))
                page.send(json.dumps({"type": "analyse", "board": "a", "engines": [{"player": "uct"}]}))
                while json.loads(page.recv(PATIENCE))["type"] != "analysis":
                    pass
            started.send_signal(signal.SIGINT)
            out, err = started.communicate(timeout=PATIENCE)
    assert started.returncode == 0
    assert out == "" and "Traceback" not in err


def test_others_are_let_in_with_a_warning_and_a_token() -> None:
    with process("--host", "0.0.0.0") as (started, address):
        assert re.fullmatch(r"http://[^/]+:\d+/\?token=[\w-]{32}", address)
        started.send_signal(signal.SIGINT)
        _, err = started.communicate(timeout=PATIENCE)
    assert "others can reach this page" in err and started.returncode == 0


def test_a_port_that_is_taken_is_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert run(["web", "--no-open", "--port", str(port)]) == 2
    said = capsys.readouterr()
    assert said.out == "" and said.err.count("\n") == 1
    assert f"port {port}" in said.err and "--port" in said.err


@pytest.mark.parametrize("host", ["no such host.invalid", "203.0.113.77"])
def test_a_host_that_is_not_this_machine_is_one_sentence(host: str) -> None:
    with pytest.raises(ConfigError, match="port 0 of"):
        prepare(host, 0)


def test_the_page_is_not_loaded_by_other_commands() -> None:
    code = "import sys, move37.cli.app; print(*(name for name in sys.modules if name in ('starlette', 'uvicorn')))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=os.environ)
    assert done.stdout.split() == []
