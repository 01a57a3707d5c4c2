"""Every command and its options; each hands over to a function that does the work."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from move37.cli import games, nets, options

app = typer.Typer(
    name="move37", no_args_is_help=False, add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None
)
train_app = typer.Typer(help="Training.")
app.add_typer(nets.app, name="nets")
app.add_typer(games.app, name="games")
app.add_typer(train_app, name="train")


class Side(StrEnum):
    """Which colours the person at the terminal plays."""

    BLACK = "black"
    WHITE = "white"
    BOTH = "both"


def _version(wanted: bool) -> None:
    if wanted:
        from move37 import __version__

        typer.echo(f"move37 {__version__}")
        raise typer.Exit


@app.callback()
def start(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", is_eager=True, callback=_version)
    ] = False,
) -> None:
    """All of AlphaGo in Python: play, connect, measure and train Go programs."""


@app.command()
def play(
    size: Annotated[int, typer.Option("--size", help="Rows and columns, 1 to 19.")] = 9,
    color: Annotated[Side, typer.Option("--color", help="Your colour.")] = Side.BLACK,
    komi: options.Komi = 7.0,
    rules: options.Rules = "tromp-taylor",
    handicap: Annotated[int, typer.Option("--handicap", help="Black stones to begin with, 0 or 2 to 9.")] = 0,
    player: options.Player = "zero",
    net: options.Net = None,
    visits: options.Visits = None,
    time: options.Time = None,
    batch: options.Batch = None,
    threads: options.Threads = None,
    device: options.Device = None,
    backend: options.Backend = None,
    symmetry: options.Symmetry = None,
    seed: options.Seed = None,
) -> None:
    """Play a game in the terminal."""
    from move37.cli.play import GameSettings, play_in_terminal
    from move37.gtp.any_player import player as make_player

    given = {"net": net, "visits": visits, "time": options.seconds(time), "batch": batch, "seed": seed}
    given |= {"symmetry": symmetry, "threads": threads, "device": device, "backend": backend}
    settings = GameSettings(size, color.value, komi, rules, handicap)
    opponent = make_player(player, **given)
    try:
        play_in_terminal(settings, opponent)
    finally:
        opponent.close()


@app.command()
def gtp(
    player: options.Player = "zero",
    net: options.Net = None,
    visits: options.Visits = None,
    time: options.Time = None,
    size: Annotated[
        int | None, typer.Option("--size", help="First board (default: 19 if the player has it, else 9).")
    ] = None,
    rules: options.Rules = "tromp-taylor",
    komi: options.Komi = 7.5,
    resign: Annotated[
        float | None,
        typer.Option("--resign", help="Resign below this value, -1 to 0 (default: katago -0.9, others never)."),
    ] = None,
    batch: options.Batch = None,
    threads: options.Threads = None,
    device: options.Device = None,
    backend: options.Backend = None,
    symmetry: options.Symmetry = None,
    seed: options.Seed = None,
) -> None:
    """Speak the Go Text Protocol on stdin and stdout, for GoGui, Sabaki and others."""
    from move37.cli.gtp import speak_gtp
    from move37.gtp.any_player import player as make_player

    given = {"net": net, "visits": visits, "time": options.seconds(time), "batch": batch, "seed": seed}
    given |= {"symmetry": symmetry, "threads": threads, "device": device, "backend": backend, "resign": resign}
    speak_gtp(make_player(player, **given), size, rules, komi)


@app.command()
def match(
    a: Annotated[str, typer.Argument(help="Player A: a preset, or gtp:COMMAND.")],
    b: Annotated[str, typer.Argument(help="Player B.")],
    games: Annotated[int, typer.Option("--games", help="How many; each opening is played twice.", min=1)] = 20,
    size: Annotated[int, typer.Option("--size", help="Rows and columns, 1 to 19.")] = 9,
    rules: options.Rules = "chinese",
    komi: options.Komi = 7.0,
    net: options.Net = None,
    net_b: Annotated[str | None, typer.Option("--net-b", help="B's network, if another.")] = None,
    visits: options.Visits = None,
    visits_b: Annotated[int | None, typer.Option("--visits-b", help="B's visits, if others.", min=1)] = None,
    time: options.Time = None,
    opening_moves: Annotated[int, typer.Option("--opening-moves", help="Random moves to begin with.", min=0)] = 2,
    max_moves: Annotated[int | None, typer.Option("--max-moves", help="Count the board after so many.", min=1)] = None,
    parallel: Annotated[int, typer.Option("--parallel", help="Games at a time.", min=1)] = 1,
    batch: options.Batch = None,
    threads: options.Threads = None,
    device: options.Device = None,
    backend: options.Backend = None,
    symmetry: options.Symmetry = None,
    seed: Annotated[int, typer.Option("--seed", help="Seed of the openings.", min=0)] = 0,
    log: Annotated[Path | None, typer.Option("--log", help="Add each game to this JSON Lines file.")] = None,
    json: options.OutputFile = None,
) -> None:
    """Play a match and print its score with a 95 % interval."""
    from move37.cli.match import MatchSettings, player_options, run_match

    seconds = options.seconds(time)
    shared = {"net": net, "visits": visits, "time": seconds, "batch": batch, "symmetry": symmetry}
    shared |= {"threads": threads, "device": device, "backend": backend}
    settings = MatchSettings(games, size, rules, komi, opening_moves, max_moves, parallel, seed, log)
    run_match(*player_options(a, b, shared, {"net": net_b, "visits": visits_b}), settings, json)


@app.command()
def benchmark(
    groups: Annotated[
        list[str] | None, typer.Argument(help="board, life, encode, search, net, start, sgf (default: all).")
    ] = None,
    json: options.Json = False,
    against: Annotated[Path | None, typer.Option("--against", help="Compare with a stored run.")] = None,
    records: Annotated[
        Path | None, typer.Option("--records", help="A folder of SGF files, for sgf and encode.")
    ] = None,
    net: Annotated[
        list[str] | None, typer.Option("--net", help="A network for net, instead of the bundled ones; may be repeated.")
    ] = None,
) -> None:
    """Measure speeds; each figure is printed only after its result was checked."""
    from move37.cli.reports import run_benchmark

    run_benchmark(groups or [], json, against, records, net or [])


@app.command()
def warmup() -> None:
    """Compile everything that playing needs, once per version."""
    from move37.cli.warmup import warm_up

    warm_up()


@train_app.command("supervised")
def train_supervised(
    recipe: Annotated[Path, typer.Argument(help="A recipe, a TOML file.")],
    run: Annotated[Path, typer.Option("--run", help="The folder of the run.")],
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the run in the folder.")] = False,
) -> None:
    """Train policy and value on games of people."""
    from move37.cli.reports import print_figures
    from move37.training import supervised

    print_figures(supervised.main(recipe, run, resume))


@train_app.command("evaluate")
def train_evaluate(
    net: Annotated[str, typer.Argument(help="A name that nets list shows, or a file.")],
    recipe: Annotated[Path, typer.Argument(help="The recipe whose held-out games are asked.")],
) -> None:
    """Print a network's held-out accuracy and value error."""
    from move37.cli.reports import print_figures
    from move37.training import supervised

    print_figures(supervised.evaluate_network(net, recipe))
