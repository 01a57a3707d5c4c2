"""Players for tests: scripted ones, ones that fail, and a GTP program that misbehaves on demand."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterable
from pathlib import Path

from move37.players.player import Clock, Decision
from move37.rules.position import Position


class ScriptedPlayer:
    """Plays the vertices given, in turn, then passes; "resign" resigns. Remembers what it was shown."""

    def __init__(
        self, vertices: Iterable[str] = (), name: str = "scripted", sizes: Iterable[int] | None = None
    ) -> None:
        self.name = name
        self.seen: list[Position] = []
        self.clocks: list[Clock | None] = []
        self.closed = False
        self._vertices = iter(vertices)
        self._sizes = None if sizes is None else set(sizes)

    def supports(self, rows: int, cols: int) -> bool:
        return self._sizes is None or (rows == cols and rows in self._sizes)

    def choose(self, position: Position, clock: Clock | None = None) -> Decision:
        self.seen.append(position.copy())
        self.clocks.append(clock)
        vertex = next(self._vertices, "pass")
        if vertex == "resign":
            return Decision(None, resign=True, value=-0.9)
        return Decision(position.point(vertex), value=0.5)

    def close(self) -> None:
        self.closed = True


class FailingPlayer(ScriptedPlayer):
    """Raises `error` at its `at`-th choice (from 0)."""

    def __init__(self, error: Exception, at: int = 0) -> None:
        super().__init__(name="failing")
        self._error = error
        self._at = at

    def choose(self, position: Position, clock: Clock | None = None) -> Decision:
        if len(self.seen) == self._at:
            raise self._error
        return super().choose(position, clock)


FAKE_PROGRAM = Path(__file__).with_name("fake_gtp_program.py")


def fake_program(*arguments: str) -> str:
    """The command of `fake_gtp_program.py` with arguments."""
    return shlex.join([sys.executable, str(FAKE_PROGRAM), *arguments])
