"""The import of game records into a store: read in parallel, checked, duplicates left out, written whole or not at all.

Which files there are is `input_files`' matter, what a record says `record_rows`', what is asked of a game
`import_checks`'. The game records are never changed.
"""

from __future__ import annotations

import csv
import io
import json
import multiprocessing
import os
import signal
import threading
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any

import numpy as np

from move37.errors import GamesFileError
from move37.files import write_text
from move37.games import columns
from move37.games.duplicates import FIRST_MOVES, first_of_each
from move37.games.import_checks import Games, Wanted, checked
from move37.games.input_files import InputFile, InputFiles
from move37.games.record_rows import Batch, Finding, ReadOptions, Row, read_batch
from move37.games.store import GameStore

_FILES_A_TASK = 128
_BYTES_A_TASK = 2**22
_FEW_FILES = 256
"""So many are read sooner than processes start."""

Progress = Callable[[int, int, int], None]
"""Told after each batch: files read, files to read in all (a guess where an archive is not counted), games found."""


@dataclass(frozen=True)
class ImportOptions:
    """How to import."""

    wanted: Wanted = field(default_factory=Wanted)
    names: bool = True
    """Keep the players' names, in columns black_name and white_name."""
    keep_legal_part: bool = False
    """Cut a game before its first illegal move instead of refusing it."""
    duplicates: bool = False
    """Keep games that are there already, turned or mirrored perhaps."""
    source: str | None = None
    """The label of the column source; by default the name of the folder or archive."""
    every_file: bool = False
    """Take files of folders and archives whatever their ending."""
    workers: int | None = None
    """Processes that read; by default one a core. With 1 no process is started."""


@dataclass
class ImportReport:
    """What became of the files."""

    files: int = 0
    games: int = 0
    """Games found in them."""
    stored: int = 0
    moves: int = 0
    """Moves of the games stored."""
    findings: list[Finding] = field(default_factory=list[Finding])
    """About every file and game that was not stored, or not as it stood, in the order of the files."""

    def counts(self) -> Counter[tuple[str, str]]:
        """How many findings of each (status, kind)."""
        return Counter((finding.status, finding.kind) for finding in self.findings)

    def write(self, path: str | Path) -> None:
        """Write the findings, one a line: CSV if `path` ends in .csv, else JSON Lines; `GamesFileError` if it fails."""
        rows = [asdict(finding) for finding in self.findings]
        if Path(path).suffix.lower() == ".csv":
            lines = io.StringIO(newline="")
            writer = csv.DictWriter(lines, [one.name for one in fields(Finding)], lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
            text = lines.getvalue().encode("utf-8", "backslashreplace").decode("utf-8")
        else:
            text = "".join(json.dumps(row) + "\n" for row in rows)
        try:
            write_text(path, text)
        except OSError as error:
            raise GamesFileError(f"{path}: the report cannot be written ({error.strerror or error})") from error


def import_records(
    paths: Iterable[str | Path],
    out: str | Path,
    options: ImportOptions | None = None,
    *,
    force: bool = False,
    progress: Progress | None = None,
) -> ImportReport:
    """Read the game records that `paths` stand for (files, folders, archives) and write a store of them to `out`.

    If no game is left to store, nothing is written and the report says why. Raises `GamesFileError` if `out` is there
    already (and not `force`) or among the files to read, a path is missing, or the store cannot be written;
    `ConfigError` for a wrong rank.
    Processes are started by spawning: a script that calls this needs ``if __name__ == "__main__"``, or `workers` 1.
    """
    options = options or ImportOptions()
    options.wanted.check()
    _check_out(Path(out), force)
    report = ImportReport()
    parts: list[Games] = []
    order: dict[str, int] = {}
    files = InputFiles(paths, options.every_file)
    if files.hold(Path(out)):
        raise GamesFileError(f"{out} is one of the files to read; give the store another name")
    for batch in _read_all(files, options):
        found, findings = checked(batch.rows, options.wanted, options.keep_legal_part)
        parts += found
        order |= {name: len(order) + place for place, name in enumerate(batch.files)}
        report.files += len(batch.files)
        report.games += batch.games
        report.findings += batch.findings + findings
        if progress is not None:
            progress(report.files, max(files.count, report.files), report.games)
    if parts:
        games = Games.join(parts)
        games = games if options.duplicates else _without_duplicates(games, report)
        _write(Path(out), games, options)
        report.stored, report.moves = len(games.rows), len(games.store.moves.values)
    report.findings = _tidied(report.findings, order)
    return report


def _tidied(findings: list[Finding], order: Mapping[str, int]) -> list[Finding]:
    """The findings in the order of the files, without faults of games that were not stored anyway."""
    gone = {(one.file, one.game) for one in findings if one.status != "mended"}
    told = [one for one in findings if one.status != "mended" or (one.file, one.game) not in gone]
    return sorted(told, key=lambda one: (order[one.file], one.game))


def _check_out(out: Path, force: bool) -> None:
    """Refuse what cannot be written, as far as that shows, before files are read for an hour."""
    try:
        if out.exists() and not out.is_file():
            raise GamesFileError(f"{out} is a folder, pipe or device; give the name of a file")
        if out.exists() and not force:
            raise GamesFileError(f"{out} is there already; choose another name, or overwrite it with --force")
        folder = next(parent for parent in out.absolute().parents if parent.exists())
    except OSError as error:
        raise GamesFileError(f"{out}: {error.strerror or error}") from error
    if not folder.is_dir() or not os.access(folder, os.W_OK):
        raise GamesFileError(f"{out} cannot be written: {folder} is no folder that can be written to")


# ------------------------------------------------------------------------------------------------------ reading


def _read_all(files: InputFiles, options: ImportOptions) -> Iterator[Batch]:
    """The batches of all files in their order, read by as many processes as asked."""
    how = ReadOptions(options.names, options.keep_legal_part)
    workers = options.workers or _cores()
    label = options.source
    renamed = (file if label is None else replace(file, source=label) for file in files)
    if workers == 1 or files.count < _FEW_FILES:
        yield from (read_batch(task, how) for task in _tasks(renamed, _FILES_A_TASK // 8))
        return
    try:
        yield from _read_in_parallel(_tasks(renamed, _FILES_A_TASK), how, workers)
    except BrokenProcessPool as error:
        raise GamesFileError(
            "a process that reads game records ended unexpectedly (out of memory, perhaps); nothing was written: try "
            "again with --workers 1"
        ) from error


def _cores() -> int:
    """How many cores this process may use; not every system tells."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _read_in_parallel(tasks: Iterator[list[InputFile]], how: ReadOptions, workers: int) -> Iterator[Batch]:
    """Spawned processes, for forking one that has threads (Numba, pyarrow) may hang it. Few tasks wait at a time."""
    with ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), initializer=_end_with_parent) as pool:
        waiting: deque[Future[Batch]] = deque()
        for task in tasks:
            with _interrupts_held():
                waiting.append(pool.submit(read_batch, task, how))
            if len(waiting) > 2 * workers:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


@contextmanager
def _interrupts_held() -> Generator[None]:
    """Ctrl-C waits, and a process that is started meanwhile never sees it: it is for the one that started it."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _end_with_parent() -> None:
    """A process whose parent was killed would wait for work for good."""
    parent = multiprocessing.parent_process()

    def follow() -> None:
        if parent is not None:
            parent.join()
            os._exit(1)

    threading.Thread(target=follow, daemon=True).start()


def _tasks(files: Iterable[InputFile], most: int) -> Iterator[list[InputFile]]:
    """The files in lists of at most `most`, and of not much more than some megabytes where the bytes are here."""
    task: list[InputFile] = []
    size = 0
    for file in files:
        task.append(file)
        size += len(file.data or b"")
        if len(task) == most or size > _BYTES_A_TASK:
            yield task
            task, size = [], 0
    if task:
        yield task


# ------------------------------------------------------------------------------------------------------ storing


def _without_duplicates(games: Games, report: ImportReport) -> Games:
    """The games without those that are in them twice, which become findings; the longest record of each stays."""
    keep = first_of_each(games.keys, games.store.moves.lengths.tolist())
    for index, other in enumerate(keep):
        if other != index:
            row, stays = games.rows[index], games.rows[other]
            start = slice(2 * FIRST_MOVES)  # two bytes a move
            turned = "" if stays.moves[start] == row.moves[start] else ", turned or mirrored"
            longer = ", which is longer" if len(stays.moves) > len(row.moves) else ""
            detail = f"the same game as {_place(stays)}{longer}{turned}"
            report.findings.append(Finding(row.file, row.game, "duplicate", "duplicate", detail))
    chosen = [index for index, other in enumerate(keep) if other == index]
    return games if len(chosen) == len(keep) else games.take(chosen)


def _place(row: Row) -> str:
    return f"game {row.game} of {row.file}" if row.game else row.file


def _write(out: Path, games: Games, options: ImportOptions) -> None:
    """Write the store with the columns that only imports have."""
    values: dict[str, Any] = {one.name: getattr(games.store, one.name) for one in fields(GameStore)}
    more = ("source", "black_name", "white_name") if options.names else ("source",)
    for name in more:
        values[name] = np.array([getattr(row, name) or None for row in games.rows], dtype=np.object_)
    columns.write_table(out, values)
