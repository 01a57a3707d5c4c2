"""What the terminal shows of an import and of a store: progress and summary on stderr, facts on stdout."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from move37.errors import GamesFileError
from move37.games.import_records import ImportOptions, ImportReport, import_records
from move37.games.input_files import ARCHIVE_SUFFIXES, RECORD_SUFFIXES
from move37.games.store import GameStore
from move37.sgf.lines import counted


def run_import(files: Sequence[Path], out: Path, options: ImportOptions, force: bool, report_file: Path | None) -> None:
    """Import, show the summary, write the full report on wish; `GamesFileError` if no game was stored."""
    if report_file is not None:
        _check_report(report_file, files, out)
    console = Console(stderr=True)
    report = _import_with_progress(files, out, options, force, console)
    if report.findings:
        console.print(_summary(report))
    if report_file is not None:
        report.write(report_file)
    if report.stored == 0:
        raise GamesFileError(_nothing_stored(report, report_file))
    stored, moves = counted(report.stored, "game"), counted(report.moves, "move")
    print(f"{out}: {stored}, {moves} from {counted(report.files, 'file')}")


def _check_report(report: Path, files: Sequence[Path], out: Path) -> None:
    """Refuse to write the report over something else."""
    if str(report) == "-":
        raise GamesFileError("-: the report is a file; give it a name that ends in .jsonl or .csv")
    if os.path.realpath(report) == os.path.realpath(out):
        raise GamesFileError(f"{out}: the store and the report cannot be the same file")
    if report.is_dir():
        raise GamesFileError(f"{report}: the report cannot be written (it is a folder); give the name of a file")
    named = any(file.exists() and report.exists() and file.samefile(report) for file in files)
    if named or report.suffix.lower() in RECORD_SUFFIXES | ARCHIVE_SUFFIXES:
        raise GamesFileError(f"{report}: that is a game record; give the report a name that ends in .jsonl or .csv")


def _import_with_progress(
    files: Sequence[Path], out: Path, options: ImportOptions, force: bool, console: Console
) -> ImportReport:
    shown = (TextColumn("reading"), BarColumn(), MofNCompleteColumn(), TextColumn("files"), TimeRemainingColumn())
    with Progress(*shown, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("reading", total=None)

        def tell(done: int, total: int, _: int) -> None:
            bar.update(task, completed=done, total=total)

        return import_records(files, out, options, force=force, progress=tell)


def _summary(report: ImportReport) -> Table:
    """How many files and games were left out or mended, by reason."""
    table = Table("", "why", "number", box=None)
    table.columns[2].justify = "right"
    for (status, kind), count in sorted(report.counts().items(), key=lambda item: (item[0][0], -item[1])):
        table.add_row(status, Text(kind), f"{count:,}")
    return table


def _nothing_stored(report: ImportReport, report_file: Path | None) -> str:
    counts = report.counts().most_common(3)
    reasons = ", ".join(f"{count:,} {status}: {kind}" for (status, kind), count in counts)
    where = f"{report_file} lists them" if report_file is not None else "--report FILE lists them"
    return f"no game was stored out of {report.games:,} in {counted(report.files, 'file')} ({reasons}); {where}"


def describe_stores(files: Sequence[Path], as_json: bool) -> None:
    """Print what the stores in `files` hold together, as a table or as JSON."""
    facts = GameStore.open(files).describe()
    if as_json:
        json.dump(facts, sys.stdout, ensure_ascii=False, indent=2)
        print()
        return
    table = Table("", "", box=None, show_header=False)
    for name, value in facts.items():
        table.add_row(name.replace("_", " "), Text(_words(value)))
    Console().print(table)


def _words(value: Any) -> str:
    """A fact in words: numbers with their thousands, counts by value as ``value: count``, a range as ``a to b``."""
    if isinstance(value, Mapping):
        return ", ".join(f"{name}: {count:,}" for name, count in value.items())  # pyright: ignore
    if isinstance(value, list):
        return f"{value[0]} to {value[1]}" if value else "unknown"
    return f"{value:,}"
