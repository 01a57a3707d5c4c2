"""A GTP session on the process's own streams: stdout carries the protocol and nothing else."""

from __future__ import annotations

import _thread
import contextlib
import io
import os
import select
import sys
import threading
from typing import TextIO

from move37 import __version__
from move37.gtp.engine import Engine, Identity
from move37.gtp.input import GivenLines, Input, LineReader, chunks_of
from move37.gtp.settings import Settings
from move37.players.player import Player

_SIZES = (19, 9, 13)


def speak_gtp(player: Player, size: int | None, rules: str, komi: float, ponder: bool = False) -> None:
    """Answer stdin on stdout until `quit`, the end of the input or of the controller, then close `player`.

    `size` of the first board: by default the first of 19, 9 and 13 that the player supports.
    """
    first = size if size is not None else next((side for side in _SIZES if player.supports(side, side)), 19)
    try:
        engine = Engine(player, first, rules, komi, Identity(version=__version__), Settings(ponder=ponder))
        output = _protocol_output()
        # Whatever else wants to print (a library's banner, a warning) must not look like an answer.
        with contextlib.redirect_stdout(sys.stderr), _Watch(output):
            engine.protocol().run(_protocol_input(), output)
    finally:
        player.close()


def _protocol_input() -> Input:
    """Stdin, read ahead by a thread; what is no file, as in a test, is taken as it comes."""
    try:
        return LineReader(chunks_of(sys.stdin.fileno()))
    except (OSError, ValueError):
        return GivenLines(sys.stdin)


def _protocol_output() -> TextIO:
    """Stdout as UTF-8 with bare line feeds, whatever the system's habit."""
    _reconfigure(sys.stdout)
    return sys.stdout


def _reconfigure(stream: object) -> None:
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(encoding="utf-8", errors="replace", newline="\n")


class _Watch:
    """Interrupts the session when nobody reads `output` any more, where the system can tell (it cannot on Windows).

    Without it a long search would notice only when it next writes.
    """

    def __init__(self, output: TextIO) -> None:
        self._output = output
        self._gone = False
        self._over = False
        self._lock = threading.Lock()
        self._waiting: threading.Thread | None = None
        self._wake = -1

    def __enter__(self) -> None:
        if not hasattr(select, "poll"):
            return
        with contextlib.suppress(OSError, ValueError):
            descriptor = self._output.fileno()
            ending, self._wake = os.pipe()
            self._waiting = threading.Thread(
                target=self._wait, args=(descriptor, ending), name="gtp-output", daemon=True
            )
            self._waiting.start()

    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> bool:
        with self._lock:
            self._over = True
        if self._waiting is not None:
            os.close(self._wake)
            self._waiting.join()
        with contextlib.suppress(OSError, ValueError):
            try:
                self._output.flush()
            except BrokenPipeError:
                # Python's own flush at exit would complain about what is left once more.
                os.dup2(os.open(os.devnull, os.O_WRONLY), self._output.fileno())
        return self._gone and kind is KeyboardInterrupt

    def _wait(self, descriptor: int, ending: int) -> None:
        poll = select.poll()
        for each in (descriptor, ending):
            poll.register(each, 0)  # errors and hang-ups are told without asking
        told = dict(poll.poll())
        os.close(ending)
        with self._lock:
            if not self._over and told.get(descriptor, 0) & (select.POLLERR | select.POLLHUP):
                self._gone = True
                _thread.interrupt_main()
