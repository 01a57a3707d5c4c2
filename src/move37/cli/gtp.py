"""A GTP session on the process's own streams: stdout carries the protocol and nothing else."""

from __future__ import annotations

import contextlib
import io
import sys
from typing import TextIO

from move37 import __version__
from move37.gtp.engine import Engine, Identity
from move37.players.player import Player

_SIZES = (19, 9, 13)


def speak_gtp(player: Player, size: int | None, rules: str, komi: float) -> None:
    """Answer stdin on stdout until `quit` or the end of the input, then close `player`.

    `size` of the first board: by default the first of 19, 9 and 13 that the player supports.
    """
    first = size if size is not None else next((side for side in _SIZES if player.supports(side, side)), 19)
    try:
        engine = Engine(player, first, rules, komi, Identity(version=__version__))
        lines, output = _protocol_streams()
        # Whatever else wants to print (a library's banner, a warning) must not look like an answer.
        with contextlib.redirect_stdout(sys.stderr):
            engine.protocol().run(lines, output)
    finally:
        player.close()


def _protocol_streams() -> tuple[TextIO, TextIO]:
    """Stdin and stdout as UTF-8 with bare line feeds, whatever the system's habit; wrong bytes are replaced."""
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="replace", newline="\n")
    return sys.stdin, sys.stdout
