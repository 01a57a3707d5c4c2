"""Another program that speaks GTP, as a `Player`.

Two layers: `GtpProgram` is the conversation (start, one question, one answer, end), `GtpPlayer` keeps the program's
board equal to ours. Neither trusts the program: it may be missing, die, hang, write noise between answers, or answer
nonsense; each time the person is told in one `GtpError` sentence which program it was and how it was started. The
program's own rules are never asked: whether a move is legal and who won is decided by ours.
"""

from __future__ import annotations

import contextlib
import queue
import shlex
import shutil
import subprocess
import threading
import time
import weakref
from collections import deque
from collections.abc import Callable
from typing import IO

import numpy as np

from move37.errors import GtpError, Move37Error
from move37.gtp.client_clock import ClockTeller
from move37.players.player import Clock, Decision
from move37.rules.color import Color
from move37.rules.position import Position

_FAREWELL_SECONDS = 2.0
_GREETING_SECONDS = 60.0
"""A program may load a network before its first answer; one that has not answered then is none that speaks GTP."""


class RefusedMoveError(GtpError):
    """A program that refuses a move which our rules allow: the two sides play by different rules."""


class GtpProgram:
    """One running GTP program: `command` is split like a shell does; `timeout` seconds bound every answer."""

    def __init__(self, command: str, timeout: float = 300.0) -> None:
        self.command = command
        self.timeout = timeout
        self._number = 0
        self._lines: queue.Queue[str | None] = queue.Queue()
        self._errors: deque[str] = deque(maxlen=1)
        self.process = self._start()
        self._end = weakref.finalize(self, _end_process, self.process)
        _follow(self.process.stdout, self._lines.put)
        self._error_reader = _follow(self.process.stderr, _keeper(self._errors))

    def ask(self, *words: str, timeout: float | None = None) -> str:
        """Send one command and return the text of its answer; `GtpError` where the program refuses, dies or hangs."""
        success, text = self.exchange(*words, timeout=timeout)
        if not success:
            kind = RefusedMoveError if words[0] == "play" else GtpError
            raise self.error(f"refused {' '.join(words)!r}: {text or 'no reason given'}", kind)
        return text

    def exchange(self, *words: str, timeout: float | None = None) -> tuple[bool, str]:
        """Send one command; return (whether it succeeded, the text of the answer). `timeout` seconds for this one."""
        self._number += 1
        self._send(f"{self._number} {' '.join(words)}\n", words)
        lines = self._read_answer(words, self.timeout if timeout is None else timeout)
        return lines[0].startswith("="), "\n".join([_after_number(lines[0]), *lines[1:]]).strip()

    def close(self) -> None:
        """Ask the program to quit, then end it."""
        self._end()

    def error(self, what: str, kind: type[GtpError] = GtpError) -> GtpError:
        """An error that names the program, its command and the last line that it wrote on stderr."""
        said = self._errors[-1] if self._errors else ""
        return kind(f"GTP program {self.command!r} {what}{f' (its last words: {said})' if said else ''}")

    def _start(self) -> subprocess.Popen[str]:
        try:
            words = shlex.split(self.command)
        except ValueError as error:
            raise GtpError(f"GTP program {self.command!r} cannot be split into words: {error}") from error
        if not words:
            raise GtpError("a GTP program needs a command, for example gtp:gnugo --mode gtp")
        # Debian keeps GNU Go in a folder that is not on everybody's path.
        words[0] = shutil.which(words[0]) or shutil.which(words[0], path="/usr/games") or words[0]
        pipe = subprocess.PIPE
        try:
            return subprocess.Popen(
                words, stdin=pipe, stdout=pipe, stderr=pipe, encoding="utf-8", errors="replace", bufsize=1
            )
        except OSError as error:
            raise GtpError(f"GTP program {self.command!r} cannot be started: {error.strerror or error}") from error

    def _send(self, line: str, words: tuple[str, ...]) -> None:
        stdin = self.process.stdin
        try:
            if stdin is not None:
                stdin.write(line)
                stdin.flush()
        except (OSError, ValueError) as error:
            raise self._death(words) from error

    def _read_answer(self, words: tuple[str, ...], seconds: float) -> list[str]:
        """Read up to the empty line that ends the answer to this question; lines before the answer are noise."""
        deadline = time.monotonic() + seconds
        answer: list[str] = []
        while True:
            line = self._next_line(deadline, words, seconds)
            if answer and not line.strip():
                return answer
            if answer or _answers(line, self._number):
                answer.append(line)

    def _next_line(self, deadline: float, words: tuple[str, ...], seconds: float) -> str:
        try:
            line = self._lines.get(timeout=max(0.0, deadline - time.monotonic()))
        except queue.Empty:
            self.process.kill()
            raise self.error(f"gave no answer to {' '.join(words)!r} within {seconds:g} seconds") from None
        if line is None:
            self._lines.put(None)  # the end stays the end for whoever asks again
            raise self._death(words)
        return line.rstrip("\r\n")

    def _death(self, words: tuple[str, ...]) -> GtpError:
        try:
            code = f"exit code {self.process.wait(timeout=_FAREWELL_SECONDS)}"
        except subprocess.TimeoutExpired:
            code = "still running, its output closed"
        self._error_reader.join(_FAREWELL_SECONDS)  # its last words may still be on their way
        return self.error(f"ended before it answered {' '.join(words)!r} ({code})")


class GtpPlayer:
    """A `Player` that asks another program for its moves.

    The program's board follows the position: only new moves are sent where the game went on, everything where it did
    not. `name` defaults to the program's own answer to `name`.
    """

    def __init__(self, command: str, timeout: float = 300.0, name: str | None = None) -> None:
        self.program = GtpProgram(command, timeout)
        self._clock = ClockTeller(self.program.exchange)
        self._start: tuple[object, ...] | None = None
        self._moves: list[tuple[Color, int]] = []
        try:
            self.name = name or self.program.ask("name", timeout=min(timeout, _GREETING_SECONDS)) or command
        except GtpError:
            self.close()
            raise

    def supports(self, rows: int, cols: int) -> bool:
        """Whether the program takes square boards of this size; it is asked, and its board is then empty."""
        self._start = None
        return rows == cols and self.program.exchange("boardsize", str(rows))[0]

    def choose(self, position: Position, clock: Clock | None = None) -> Decision:
        """Ask for a move; `GtpError` where the answer is none that our rules allow."""
        color = position.to_play
        self._follow(position)
        clock = Clock() if clock is None else clock
        self._clock.tell(color.letter, clock)
        answer = self.program.ask("genmove", color.letter, timeout=self.program.timeout + _longest(clock))
        if answer.strip().lower() == "resign":
            self._start = None
            return Decision(None, resign=True)
        return self._accept(position, color, answer.strip())

    def prepare(self, rows: int, cols: int) -> None:
        """Let the program set up a board of this size, which may take it a while, before a clock runs."""
        self.supports(rows, cols)

    def close(self) -> None:
        """End the program."""
        self.program.close()

    def __enter__(self) -> GtpPlayer:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def _accept(self, position: Position, color: Color, answer: str) -> Decision:
        try:
            move = position.point(answer)
        except Move37Error as error:
            self._start = None
            raise self.program.error(f"answered genmove with {answer!r}, which is no vertex of this board") from error
        if not position.is_legal(move):
            self._start = None
            raise self.program.error(f"answered genmove with {answer!r}, which is illegal here")
        self._moves.append((color, move))
        return Decision(move)

    def _follow(self, position: Position) -> None:
        """Make the program's board equal to `position`."""
        moves = list(position.moves)
        start = _start_of(position)
        if start != self._start or moves[: len(self._moves)] != self._moves:
            self._restart(position, start)
        for color, move in moves[len(self._moves) :]:
            self.program.ask("play", color.letter, position.vertex(move))
            self._moves.append((color, move))

    def _restart(self, position: Position, start: tuple[object, ...]) -> None:
        if position.rows != position.cols:
            raise self.program.error(f"cannot play on {position.rows}x{position.cols}: GTP knows square boards only")
        self._start, self._moves = None, []
        self._clock.new_game()
        self.program.ask("boardsize", str(position.rows))
        self.program.ask("clear_board")
        self.program.ask("komi", f"{position.komi:g}")
        for color, point in _first_stones(position):
            self.program.ask("play", color.letter, position.vertex(point))
        self._start = start


def _longest(clock: Clock) -> float:
    """Seconds that the clock allows for a move, 0 if it sets no limit: so long a program may be silent."""
    told = clock.filled()
    return (told.time_left or 0.0) + told.system.period * max(1, told.system.periods)


def _start_of(position: Position) -> tuple[object, ...]:
    """What a program was told before the moves; a change of any of it starts the program's game anew."""
    return position.rows, position.cols, position.komi, int(position.superko_keys[0])


def _first_stones(position: Position) -> list[tuple[Color, int]]:
    """The stones that stood there before the first move, Black's first."""
    stones = position.root().stones.ravel()
    return [(color, int(point)) for color in Color for point in np.flatnonzero(stones == color)]


def _answers(line: str, number: int) -> bool:
    head = line[1:].split(None, 1)
    return line[:1] in {"=", "?"} and bool(head) and line[1] != " " and head[0] == str(number)


def _after_number(line: str) -> str:
    return line[1:].lstrip("0123456789").strip()


def _follow(stream: IO[str] | None, take: Callable[[str | None], None]) -> threading.Thread:
    """Hand every line of `stream` to `take` from a thread of its own, then None: so a wait for a line can end."""

    def read() -> None:
        if stream is not None:
            with contextlib.suppress(OSError, ValueError), stream:
                for line in stream:
                    take(line)
        take(None)

    reader = threading.Thread(target=read, name="gtp-reader", daemon=True)
    reader.start()
    return reader


def _keeper(last: deque[str]) -> Callable[[str | None], None]:
    """A taker of lines that keeps those with text; it must not hold the program, which would then never be let go."""

    def keep(line: str | None) -> None:
        if line is not None and line.strip():
            last.append(line.strip())

    return keep


def _end_process(process: subprocess.Popen[str]) -> None:
    with contextlib.suppress(OSError, ValueError):
        if process.stdin is not None:
            with process.stdin as stdin:
                stdin.write("quit\n")
    for end in (process.terminate, process.kill):
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(_FAREWELL_SECONDS)
            return
        end()
    process.wait()
