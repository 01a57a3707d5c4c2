"""Whole GTP sessions: each `.gtp` file is commands (`> `) with the answers expected; one also runs as a process."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path

import pytest

from move37.gtp.engine import Engine
from move37.gtp.protocol import Protocol
from tests.support.players import ScriptedPlayer

TRANSCRIPTS = sorted((Path(__file__).parents[1] / "transcripts").glob("*.gtp"))
_PLAYER = "; player:"


def exchanges(path: Path) -> list[tuple[str, list[str]]]:
    """Commands and the lines of their answers, without blanks at line ends."""
    found: list[tuple[str, list[str]]] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("> "):
            found.append((line[2:], []))
        elif not line.startswith(";"):
            found[-1][1].append(line.rstrip())
    return found


def session(path: Path) -> Protocol:
    script = [line for line in path.read_text(encoding="utf-8").splitlines() if line.startswith(_PLAYER)]
    moves = script[0].removeprefix(_PLAYER).split() if script else []
    return Engine(ScriptedPlayer(moves)).protocol(io.StringIO())


def test_there_are_transcripts() -> None:
    assert len(TRANSCRIPTS) >= 3


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: path.stem)
def test_a_session_goes_as_written(path: Path) -> None:
    protocol = session(path)
    for command, expected in exchanges(path):
        answer = protocol.respond(command)
        assert answer is not None
        assert answer.endswith("\n\n")
        assert [line.rstrip() for line in answer.removesuffix("\n\n").split("\n")] == expected, command


def test_a_process_answers_in_the_same_way_and_writes_nothing_else_on_stdout() -> None:
    path = next(path for path in TRANSCRIPTS if path.stem == "errors")
    commands = "".join(f"{command}\n" for command, _ in exchanges(path))
    done = subprocess.run(
        [sys.executable, "-m", "move37.cli", "gtp", "--player", "random"],
        input=f"# hello\n\n{commands}quit\n".encode(),
        capture_output=True,
        timeout=300,
        check=True,
    )
    blocks = done.stdout.decode().split("\n\n")
    assert [[line.rstrip() for line in block.split("\n")] for block in blocks] == [
        *(expected for _, expected in exchanges(path)),
        ["="],
        [""],
    ]
