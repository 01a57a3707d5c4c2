"""The analysis engine on the process's own streams, with KataGo's command line beside ours."""

from __future__ import annotations

import contextlib
import os
import select
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn, TextIO

from move37 import __version__
from move37.analysis.config_file import read_config, read_pairs
from move37.analysis.engine import Answer, Engine
from move37.analysis.session import Session
from move37.analysis.settings import Settings, override, truth, whole_number
from move37.errors import ConfigError, NetworkFileError, PlayerError
from move37.gtp.any_player import player as make_player
from move37.players.player import Player
from move37.players.search_player import SearchPlayer

LOOK_EVERY = 0.1
"""Seconds between looks at whether anybody still reads the answers."""

WAIT_AT_MOST = 0.3
"""Seconds that an interrupted session gets to end by itself."""

INTERRUPTED, NOBODY_READS = 130, 1
"""Exit codes, as everywhere in this command line."""

WIDE_ROOT_NOISE = 0.04
"""KataGo's default in analysis: other moves than the best get some visits too."""


@dataclass(frozen=True)
class Commandline:
    """What `move37 analyze` was told; None where nothing was said.

    config: a configuration file of KataGo's. overrides: texts `key=value,...`. report_as: one of `settings.VIEWS`.
    """

    player: str | None = None
    config: Path | None = None
    overrides: tuple[str, ...] = ()
    visits: int | None = None
    report_as: str | None = None
    parallel: int | None = None
    batch: int | None = None
    finish: bool = True


def analyze(told: Commandline, options: Mapping[str, Any]) -> None:
    """Answer stdin on stdout until it ends. options: of the player (`net`, `threads`, ...)."""
    values = _values(told)
    parallel = told.parallel or _whole(values, "numAnalysisThreads", 16)
    batch = told.batch or _whole(values, "nnMaxBatchSize", 16)
    given = dict(options)
    if given.get("symmetry") is None and "nnRandomize" in values and not truth("nnRandomize", values["nnRandomize"]):
        given["symmetry"] = "none"
    player = analyst(told.player, given)
    try:
        settings = _settings(told, values, player)

        def make_engine(write: Callable[[Answer], None]) -> Engine:
            _say(f"{player.name} {player.network_name}, up to {parallel} positions at a time")
            _say("Started, ready to begin handling requests")
            models = _models(player, batch)
            return Engine(player, write, settings, parallel=parallel, batch=batch, models=models, version=__version__)

        with contextlib.redirect_stdout(sys.stderr):
            _run(make_engine, told.finish)
    finally:
        player.close()


def analyst(spec: str | None, options: dict[str, Any]) -> SearchPlayer:
    """The player that is named, else KataGo's search where it has a network, else `zero`.

    PlayerError for one that does not search; the errors of `any_player.player`.
    """
    made: Player | None = None
    if spec is None:
        try:
            made = make_player("katago", **options)
        except (PlayerError, NetworkFileError, ConfigError):
            spec = "zero"
    if made is None:
        made = make_player(spec or "zero", **options)
    if not isinstance(made, SearchPlayer):
        made.close()
        raise PlayerError(f"player {spec!r} does not search, so it cannot analyse: use katago or zero")
    return made


def _values(told: Commandline) -> dict[str, str]:
    """All that is set under KataGo's names, later ones last."""
    values = {} if told.config is None else read_config(told.config)
    for text in told.overrides:
        values |= read_pairs(text)
    return values


def _whole(values: Mapping[str, str], name: str, default: int) -> int:
    return whole_number(name, values[name], 1, 65536) if name in values else default


def _settings(told: Commandline, values: Mapping[str, str], player: SearchPlayer) -> Settings:
    """Our defaults, the configuration's, the command line's. A file that names no view means the player to move."""
    known = player.search_options
    settings = Settings(view="BLACK" if told.config is None else "SIDETOMOVE")
    settings, _ = override(settings, {"wideRootNoise": WIDE_ROOT_NOISE}, known)
    settings, left = override(settings, values, known, whole=True)
    ignored = [name for name in left if name not in _USED_ELSEWHERE]
    if ignored:
        _say(f"settings without meaning here: {', '.join(ignored)}")
    flags = {"maxVisits": told.visits, "reportAnalysisWinratesAs": told.report_as}
    return override(settings, {name: value for name, value in flags.items() if value is not None}, known)[0]


_USED_ELSEWHERE = ("nnMaxBatchSize", "nnRandomize", "numAnalysisThreads")


def _models(player: SearchPlayer, batch: int) -> list[dict[str, Any]]:
    """What `query_models` answers: KataGo's fields."""
    return [
        {
            "name": player.network_name or spec.name,
            "internalName": spec.name,
            "maxBatchSize": batch,
            "usesHumanSLProfile": False,
            "usingFP16": "false",
            "version": spec.katago.version if spec.katago is not None else 0,
        }
        for spec in player.specs
    ]


def _say(*lines: str) -> None:
    for line in lines:
        print(f"move37 {__version__}: {line}", file=sys.stderr, flush=True)


def _run(make_engine: Callable[[Callable[[Answer], None]], Engine], finish: bool) -> None:
    """Run a session on stdin and stdout until it ends; one that is interrupted, or not to finish, ends the process.

    Both are read and written as the system has them, without Python's buffers, for the thread that waits for a line
    cannot be ended: it would hold the lock of a buffer when the process ends.
    """
    session = Session(make_engine, _lines(sys.stdin.fileno()), _writer(sys.__stdout__), finish)
    session.start()
    try:
        while not session.wait(LOOK_EVERY):
            if _nobody_reads():
                raise BrokenPipeError
    except KeyboardInterrupt:
        _leave(session, INTERRUPTED)
    except BrokenPipeError:
        _leave(session, NOBODY_READS)
    if not finish:
        _leave(session, 0)


def _leave(session: Session, code: int) -> NoReturn:
    """End the process at once, without the second or more that Python takes to clear up what it has loaded.

    The batch under way gets a moment; a large network's may take longer than whoever left will wait.
    """
    session.stop()
    with contextlib.suppress(BrokenPipeError):
        session.wait(WAIT_AT_MOST)
    with contextlib.suppress(OSError):
        sys.stderr.flush()
    os._exit(code)


def _lines(descriptor: int) -> Iterator[str]:
    """Lines of UTF-8, wrong bytes replaced; only a line feed ends one."""
    begun: list[bytes] = []
    while chunk := os.read(descriptor, 65536):
        *lines, rest = chunk.split(b"\n")
        for line in lines:
            yield b"".join([*begun, line]).decode("utf-8", errors="replace")
            begun.clear()
        begun.append(rest)
    yield b"".join(begun).decode("utf-8", errors="replace")


def _writer(output: TextIO | None) -> Callable[[str], None]:
    """Writes lines to a stream's descriptor."""

    def write(line: str) -> None:
        left = (line + "\n").encode()
        while left and output is not None:
            left = left[os.write(output.fileno(), left) :]

    return write


def _nobody_reads() -> bool:
    """Whether stdout is a pipe that its reader has closed, as far as the system tells."""
    if not hasattr(select, "poll") or sys.__stdout__ is None:
        return False
    watch = select.poll()
    watch.register(sys.__stdout__.fileno(), 0)
    return any(event & select.POLLERR for _, event in watch.poll(0))
