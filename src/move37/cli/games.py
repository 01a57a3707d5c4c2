"""The commands on stores of games: import records into one, and say what one holds."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from move37.cli import options

app = typer.Typer(help="Stores of games.")


class Ending(StrEnum):
    """How games end, in the words of game results."""

    POINTS = "points"
    RESIGNATION = "resignation"
    TIME = "time"
    FORFEIT = "forfeit"
    DRAW = "draw"
    VOID = "void"
    UNKNOWN = "unknown"


@app.command("import")
def import_(
    files: Annotated[list[Path], typer.Argument(help="SGF, GIB and NGF files, folders, zip and tar archives.")],
    out: Annotated[Path, typer.Option("--out", help="The store to write, a Parquet file.")],
    force: Annotated[bool, typer.Option("--force", help="Overwrite a store that is there.")] = False,
    size: Annotated[
        list[int] | None, typer.Option("--size", help="Only boards of this size (may be repeated).", min=1, max=19)
    ] = None,
    min_moves: Annotated[int, typer.Option("--min-moves", help="Only games of so many moves.", min=0)] = 0,
    min_rank: Annotated[
        str | None, typer.Option("--min-rank", help="Only if both players are at least this strong: 5k, 1d, 9p.")
    ] = None,
    komi: Annotated[list[float] | None, typer.Option("--komi", help="Only this komi (may be repeated).")] = None,
    even: Annotated[bool, typer.Option("--even", help="Only even games.")] = False,
    handicap: Annotated[bool, typer.Option("--handicap", help="Only games with a handicap or other setup.")] = False,
    has_winner: Annotated[bool, typer.Option("--has-winner", help="Only games that somebody won.")] = False,
    result: Annotated[
        list[Ending] | None, typer.Option("--result", help="Only games that ended so (may be repeated).")
    ] = None,
    drop_names: Annotated[bool, typer.Option("--drop-names", help="Do not store the players' names.")] = False,
    keep_legal_part: Annotated[
        bool, typer.Option("--keep-legal-part", help="Cut a game before an illegal move; else it is refused.")
    ] = False,
    keep_duplicates: Annotated[
        bool, typer.Option("--keep-duplicates", help="Store a game as often as it is found, turned or mirrored.")
    ] = False,
    source: Annotated[
        str | None, typer.Option("--source", help="Label of the games' source (default: the folder's name).")
    ] = None,
    every_file: Annotated[
        bool, typer.Option("--every-file", help="Read files of folders and archives whatever their ending.")
    ] = False,
    report: Annotated[
        Path | None, typer.Option("--report", help="List what was not stored, and why, as JSON Lines or .csv.")
    ] = None,
    workers: Annotated[
        int | None, typer.Option("--workers", help="Processes that read (default: one a core).", min=1)
    ] = None,
) -> None:
    """Read game records into a store, and say what was left out and why."""
    from move37.cli.import_view import run_import
    from move37.games.import_checks import Wanted
    from move37.games.import_records import ImportOptions

    wanted = Wanted(
        size=tuple(size or ()),
        min_moves=min_moves,
        min_rank=min_rank,
        komi=tuple(komi or ()),
        even=even,
        handicap=handicap,
        has_winner=has_winner,
        results=tuple(ending.value for ending in result or ()),
    )
    chosen = ImportOptions(wanted, not drop_names, keep_legal_part, keep_duplicates, source, every_file, workers)
    run_import(files, out, chosen, force, report)


@app.command("info")
def info(
    files: Annotated[list[Path], typer.Argument(help="Parquet files of games.")], json: options.Json = False
) -> None:
    """Say what stores of games hold."""
    from move37.cli.import_view import describe_stores

    describe_stores(files, json)
