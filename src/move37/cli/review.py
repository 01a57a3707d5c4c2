"""Reviews of many games on the command line: a bar on stderr, one line a game on stdout, faults in a sentence each."""

from __future__ import annotations

import sys
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from move37.analysis.review import ReviewSettings, review
from move37.analysis.review_files import Inputs, Outputs, Source
from move37.analysis.review_model import PlayerSummary, Review
from move37.cli.plain_text import one_line
from move37.errors import ConfigError, GamesFileError, Move37Error, NetworkFileError, PlayerError
from move37.gtp.any_player import player as make_player
from move37.players.player import Analyst, Player
from move37.rules.color import Color
from move37.sgf.game_record import GameRecord
from move37.sgf.lines import counted

_FAULTS = (Move37Error, OSError, MemoryError)


def reviewer(spec: str | None, options: dict[str, Any]) -> Player:
    """The player that reviews: the one named, else KataGo's search where it has a network, else `zero`.

    PlayerError for one that does not search; the errors of `any_player.player`.
    """
    if spec is None:
        try:
            return make_player("katago", **options)
        except (PlayerError, NetworkFileError, ConfigError):
            spec = "zero"
    made = make_player(spec, **options)
    if not isinstance(made, Analyst):
        made.close()
        raise PlayerError(f"player {spec!r} does not search, so it cannot review: use katago or zero")
    return made


def moves_range(text: str | None) -> tuple[int, int | None]:
    """Read ``1-50``, ``51-``, ``-50`` or ``37`` as (first, last), None for an open end; ConfigError for others."""
    if text is None:
        return 1, None
    first, dash, last = text.strip().partition("-")
    try:
        start = int(first) if first else 1
        end = (int(last) if last else None) if dash else start
    except ValueError:
        start, end = 0, None
    if start < 1 or (end is not None and end < start) or not (first or last):
        raise ConfigError(f"{text!r} are no moves: write 1-50, 51- or 37")
    return start, end


def run_reviews(paths: Sequence[Path], player: Any, settings: ReviewSettings, outputs: Outputs) -> int:
    """Review all files that `paths` stand for; 1 if any of them could not be, else 0.

    GamesFileError if there is no file at all.
    """
    inputs = Inputs(paths)
    if not inputs.count:
        raise GamesFileError("; ".join(inputs.missing))
    if outputs.folder.exists() and not outputs.folder.is_dir():
        raise GamesFileError(f"{outputs.folder}: the reports go into a folder, this is a file; name another --out")
    with _progress(inputs.count) as shown:
        run = _Run(player, settings, outputs, shown)
        for fault in inputs.missing:
            run.fail(fault)
        for source in inputs:
            run.file(source)
    print(f"move37: {run.tally()}", file=sys.stderr)
    return 1 if run.failed else 0


class _Shown:
    """The bar: files done, the part of the file under way, and the time left."""

    def __init__(self, progress: Progress, task: TaskID, total: int) -> None:
        self._progress = progress
        self._task = task
        self._total = total
        self._done = 0

    def part(self, name: str, share: float) -> None:
        """So much of a file is done."""
        words = f"{self._done + 1} of {max(self._total, self._done + 1)}: {one_line(Path(name).name)}"
        self._progress.update(self._task, completed=self._done + share, description=words)

    def end(self) -> None:
        """A file is done."""
        self._done += 1
        self._progress.update(self._task, completed=self._done, total=max(self._total, self._done))


@contextmanager
def _progress(total: int) -> Generator[_Shown]:
    console = Console(stderr=True)
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f}%"),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
    )
    bar = Progress(
        *columns,
        console=console,
        transient=True,
        disable=not console.is_terminal,
        redirect_stdout=sys.stdout.isatty(),
    )
    with bar:
        yield _Shown(bar, bar.add_task("starting", total=total), total)


@dataclass
class _Run:
    """One run over many files, and what became of them."""

    player: Any
    settings: ReviewSettings
    outputs: Outputs
    shown: _Shown
    reviewed: int = 0
    kept: int = 0
    failed: int = 0

    def file(self, source: Source) -> None:
        """Review the games of a file; what is wrong with one of them is told, and the others go on."""
        self.shown.part(source.name, 0.0)
        try:
            records = source.records()
        except _FAULTS as error:
            records = []
            self.fail(_sentence(error, source.name))
        for place, (record, stem) in enumerate(zip(records, source.stems(len(records)), strict=True)):
            try:
                self._game(source, record, stem, place / len(records), 1 / len(records))
            except BrokenPipeError:  # nobody reads on
                raise
            except _FAULTS as error:
                self.fail(_sentence(error, source.name))
        self.shown.end()

    def _game(self, source: Source, record: GameRecord, stem: str, start: float, share: float) -> None:
        self.outputs.claim(stem, source.name)
        formats = self.outputs.wanted(stem)
        if not formats:
            self.kept += 1
            return

        def tell(done: int, total: int) -> None:
            self.shown.part(source.name, start + share * done / total)

        found = review(record, self.player, self.settings, progress=tell)
        self.outputs.write(stem, record, found, formats)
        self.reviewed += 1
        path = one_line(str(self.outputs.path(stem, formats[0])))
        print(f"{one_line(source.name)}: {_in_short(found)}; {path}", flush=True)

    def fail(self, sentence: str) -> None:
        """Tell what is wrong with a file."""
        self.failed += 1
        print(f"move37: {sentence}", file=sys.stderr, flush=True)

    def tally(self) -> str:
        """What became of all games, in words."""
        parts = [f"{counted(self.reviewed, 'game')} reviewed"]
        if self.kept:
            parts.append(f"{self.kept} left as reviewed before (--force reviews them anew)")
        if self.failed:
            parts.append(f"{self.failed} failed")
        return ", ".join(parts)


def _sentence(error: Exception, name: str) -> str:
    if isinstance(error, MemoryError):
        return f"{one_line(name)}: there is not enough memory for this game"
    if isinstance(error, OSError):
        return one_line(f"{error.filename or name}: {error.strerror or error}")
    words = str(error)
    return one_line(words if words.startswith(name) else f"{name}: {words}")


def _in_short(found: Review) -> str:
    players = [f"{color.title} {_loss(found.players[color])}" for color in Color]
    return f"{counted(len(found.moves), 'move')}; {', '.join(players)} lost a move"


def _loss(player: PlayerSummary) -> str:
    if player.total.points_lost is not None:
        return f"{player.total.points_lost:.1f} points"
    return "nothing" if player.total.winrate_lost is None else f"{100 * player.total.winrate_lost:.1f}%"
