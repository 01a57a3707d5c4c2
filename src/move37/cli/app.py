"""Every command and its options; each hands over to a function that does the work."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from move37.cli import games, nets, options, show, train, web

app = typer.Typer(
    name="move37", no_args_is_help=False, add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None
)
app.add_typer(nets.app, name="nets")
app.add_typer(games.app, name="games")
app.add_typer(train.app, name="train")
app.command("show")(show.show)
app.command("web")(web.web)


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
    value_net: options.ValueNet = None,
    mix: options.Mix = None,
    rollouts: options.Rollouts = None,
    visits: options.Visits = None,
    time: options.Time = None,
    rank: options.Rank = None,
    clock: options.Clock = None,
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
    given |= {"symmetry": symmetry, "threads": threads, "device": device, "backend": backend, "rank": rank}
    given |= {"value_net": value_net, "mix": mix, "rollout_policy": rollouts}
    settings = GameSettings(size, color.value, komi, rules, handicap, options.time_system(clock))
    opponent = make_player(player, **given)
    try:
        play_in_terminal(settings, opponent)
    finally:
        opponent.close()


@app.command()
def gtp(
    player: options.Player = "zero",
    net: options.Net = None,
    value_net: options.ValueNet = None,
    mix: options.Mix = None,
    rollouts: options.Rollouts = None,
    visits: options.Visits = None,
    time: options.Time = None,
    rank: options.Rank = None,
    lag: options.Lag = None,
    size: Annotated[
        int | None, typer.Option("--size", help="First board (default: 19 if the player has it, else 9).")
    ] = None,
    rules: options.Rules = "tromp-taylor",
    komi: options.Komi = 7.5,
    resign: Annotated[
        float | None,
        typer.Option(
            "--resign",
            help="Resign below this value, -1 to 0 (default: katago -0.9; fan, lee, master -0.8; others never).",
        ),
    ] = None,
    batch: options.Batch = None,
    threads: options.Threads = None,
    device: options.Device = None,
    backend: options.Backend = None,
    symmetry: options.Symmetry = None,
    seed: options.Seed = None,
    ponder: Annotated[bool, typer.Option("--ponder", help="Think while the other side does.")] = False,
) -> None:
    """Speak the Go Text Protocol on stdin and stdout, for GoGui, Sabaki and others."""
    from move37.cli.gtp import speak_gtp
    from move37.gtp.any_player import player as make_player

    given = {"net": net, "visits": visits, "time": options.seconds(time), "batch": batch, "seed": seed}
    given |= {"symmetry": symmetry, "threads": threads, "device": device, "backend": backend, "resign": resign}
    given |= {"rank": rank, "lag": options.seconds(lag), "value_net": value_net, "mix": mix, "rollout_policy": rollouts}
    speak_gtp(make_player(player, **given), size, rules, komi, ponder)


@app.command()
def match(
    a: Annotated[
        str, typer.Argument(help="Player A: a preset, with options as in lee,mix=0,visits=400; or gtp:COMMAND.")
    ],
    b: Annotated[str, typer.Argument(help="Player B.")],
    games: Annotated[int, typer.Option("--games", help="How many; each opening is played twice.", min=1)] = 20,
    size: Annotated[int, typer.Option("--size", help="Rows and columns, 1 to 19.")] = 9,
    rules: options.Rules = "chinese",
    komi: options.Komi = 7.0,
    net: options.Net = None,
    value_net: options.ValueNet = None,
    mix: options.Mix = None,
    rollouts: options.Rollouts = None,
    net_b: Annotated[str | None, typer.Option("--net-b", help="B's network, if another.")] = None,
    visits: options.Visits = None,
    visits_b: Annotated[int | None, typer.Option("--visits-b", help="B's visits, if others.", min=1)] = None,
    time: options.Time = None,
    rank: options.Rank = None,
    batch_b: Annotated[int | None, typer.Option("--batch-b", help="B's batch, if another.", min=1)] = None,
    rank_b: Annotated[str | None, typer.Option("--rank-b", help="B's rank, if another.", metavar="RANK")] = None,
    clock: options.Clock = None,
    lag: options.Lag = None,
    opening_moves: Annotated[int, typer.Option("--opening-moves", help="Random moves to begin with.", min=0)] = 2,
    max_moves: Annotated[int | None, typer.Option("--max-moves", help="Count the board after so many.", min=1)] = None,
    parallel: Annotated[int, typer.Option("--parallel", help="Games at a time.", min=1)] = 1,
    batch: options.Batch = None,
    threads: options.Threads = None,
    device: options.Device = None,
    backend: options.Backend = None,
    resign: Annotated[
        float | None,
        typer.Option(
            "--resign",
            help="Resign below this value, -1 to 0 (default: katago -0.9; fan, lee, master -0.8; others never).",
        ),
    ] = None,
    symmetry: options.Symmetry = None,
    seed: Annotated[int, typer.Option("--seed", help="Seed of the openings.", min=0)] = 0,
    log: Annotated[Path | None, typer.Option("--log", help="Add each game to this JSON Lines file.")] = None,
    sprt: Annotated[
        float | None,
        typer.Option("--sprt", help="Stop once it is 95 % sure whether A scores one half or so much, such as 0.55."),
    ] = None,
    json: options.OutputFile = None,
) -> None:
    """Play a match and print its score with a 95 % interval."""
    from move37.cli.match import MatchSettings, player_options, run_match

    seconds = options.seconds(time)
    shared = {"net": net, "visits": visits, "time": seconds, "rank": rank, "batch": batch, "symmetry": symmetry}
    shared |= {"lag": options.seconds(lag), "mix": mix, "rollout_policy": rollouts}
    shared |= {"threads": threads, "device": device, "backend": backend, "value_net": value_net, "resign": resign}
    settings = MatchSettings(
        games, size, rules, komi, opening_moves, max_moves, parallel, seed, log, options.time_system(clock), sprt
    )
    only_b = {"net": net_b, "visits": visits_b, "batch": batch_b, "rank": rank_b}
    run_match(*player_options(a, b, shared, only_b), settings, json)


@app.command()
def ladder(
    recipe: Annotated[Path, typer.Argument(help="The pairings, a TOML file such as recipes/ladders/9x9.toml.")],
    log: Annotated[Path, typer.Option("--log", help="Each game's line is added here; games in it count.")],
    table: Annotated[bool, typer.Option("--table", help="Play nothing: print what the log holds.")] = False,
) -> None:
    """Play matches one after the other, go on after an interruption, and print their scores as a table."""
    from move37.cli.ladder import run_ladder

    run_ladder(recipe, log, only_table=table)


@app.command()
def tournament(
    recipe: Annotated[Path, typer.Argument(help="The players, a TOML file such as recipes/tournaments/9x9.toml.")],
    log: Annotated[Path, typer.Option("--log", help="Each game's line is added here; games in it count.")],
    json: options.OutputFile = None,
    sgf: Annotated[Path | None, typer.Option("--sgf", help="A folder for the records of all games.")] = None,
    table: Annotated[bool, typer.Option("--table", help="Play nothing: tell what the log holds.")] = False,
) -> None:
    """Let many players meet, go on after an interruption, and print their Elo with 95 % intervals."""
    from move37.cli.tournament import run_tournament

    run_tournament(recipe, log, json, sgf, only_table=table)


@app.command()
def review(
    games: Annotated[list[Path], typer.Argument(help="SGF, GIB and NGF files, folders, zip and tar archives.")],
    out: Annotated[Path, typer.Option("--out", help="The folder of the reports.")] = Path("reviews"),
    html: Annotated[bool, typer.Option("--html", help="Write a page with a graph and boards.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Write all figures as JSON.")] = False,
    sgf: Annotated[bool, typer.Option("--sgf", help="Write the game with comments and variations.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Overwrite reports that are there.")] = False,
    player: Annotated[
        str | None,
        typer.Option(
            "--player",
            help="Who reviews (default: katago if there is a network of KataGo's, else zero).",
            metavar="PLAYER",
        ),
    ] = None,
    net: options.Net = None,
    visits: Annotated[int | None, typer.Option("--visits", help="Search visits a position (50).", min=1)] = None,
    time: Annotated[
        str | None, typer.Option("--time", help="Thinking time a position, such as 1s or 500ms.", metavar="TIME")
    ] = None,
    moves: Annotated[
        str | None, typer.Option("--moves", help="Only these moves: 1-50, 51- or 37.", metavar="MOVES")
    ] = None,
    best: Annotated[int, typer.Option("--best", help="Moves shown for each position.", min=1)] = 3,
    threshold: Annotated[
        str,
        typer.Option("--threshold", help="Where a mistake begins: points, win rate or both.", metavar="LOSS"),
    ] = "3,10%",
    rules: Annotated[
        str | None, typer.Option("--rules", help="Instead of the record's: chinese, japanese, ...", metavar="RULES")
    ] = None,
    komi: Annotated[float | None, typer.Option("--komi", help="Instead of the record's.")] = None,
    parallel: Annotated[int, typer.Option("--parallel", help="Positions searched side by side.", min=1)] = 16,
    threads: options.Threads = None,
    device: options.Device = None,
    backend: options.Backend = None,
    symmetry: options.Symmetry = None,
    seed: Annotated[int, typer.Option("--seed", help="Seed of all random choices.", min=0)] = 0,
) -> int:
    """Review games: graph, mistakes and better moves, as a page (HTML), as SGF and as JSON."""
    from move37.analysis.review import ReviewSettings
    from move37.analysis.review_files import Outputs, formats_of
    from move37.analysis.review_grades import Thresholds
    from move37.cli.review import moves_range, reviewer, run_reviews

    given = {"net": net, "threads": threads, "device": device, "backend": backend, "symmetry": symmetry, "seed": seed}
    first, last = moves_range(moves)
    judged = Thresholds.parse(threshold)
    seconds = options.seconds(time)
    settings = ReviewSettings(visits, seconds, first, last, best, judged, rules, komi, parallel)
    outputs = Outputs(out, formats_of(html=html, json=json, sgf=sgf), force)
    who = reviewer(player, given)
    try:
        return run_reviews(games, who, settings, outputs)
    finally:
        who.close()


@app.command()
@app.command("analysis", hidden=True)
def analyze(
    player: Annotated[
        str | None,
        typer.Option(
            "--player",
            help="Who analyses (default: katago if there is a network of KataGo's, else zero).",
            metavar="PLAYER",
        ),
    ] = None,
    net: Annotated[
        str | None,
        typer.Option("--net", "--model", "-model", help="Network file, or a name that nets list shows."),
    ] = None,
    config: Annotated[
        Path | None, typer.Option("--config", "-config", help="A configuration file of KataGo's.")
    ] = None,
    override: Annotated[
        list[str] | None,
        typer.Option("--override-config", "-override-config", help="Settings by KataGo's names, key=value,key=value."),
    ] = None,
    visits: Annotated[int | None, typer.Option("--visits", help="Visits of a query without any (500).", min=1)] = None,
    report_as: Annotated[
        str | None,
        typer.Option("--report-as", help="Whose win rates: BLACK (default), WHITE or SIDETOMOVE.", metavar="VIEW"),
    ] = None,
    parallel: Annotated[
        int | None,
        typer.Option(
            "--parallel", "--analysis-threads", "-analysis-threads", help="Positions searched at a time (16).", min=1
        ),
    ] = None,
    batch: Annotated[
        int | None, typer.Option("--batch", help="Positions evaluated at a time, shared by the searches (16).", min=1)
    ] = None,
    quit_without_waiting: Annotated[
        bool,
        typer.Option("--quit-without-waiting", "-quit-without-waiting", help="When the input ends, leave at once."),
    ] = False,
    human_model: Annotated[
        str | None, typer.Option("--human-model", "-human-model", help="Accepted for KataGo's sake, not used.")
    ] = None,
    threads: options.Threads = None,
    device: options.Device = None,
    backend: options.Backend = None,
    symmetry: options.Symmetry = None,
    seed: options.Seed = None,
) -> None:
    """Answer KataGo's JSON analysis protocol on stdin and stdout, for KaTrain and others."""
    from move37.cli.analyze import Commandline
    from move37.cli.analyze import analyze as run_analysis

    if human_model is not None:
        typer.echo("move37: a model of human play is not used here", err=True)
    told = Commandline(
        player, config, tuple(override or ()), visits, report_as, parallel, batch, finish=not quit_without_waiting
    )
    given = {"net": net, "threads": threads, "device": device, "backend": backend, "symmetry": symmetry, "seed": seed}
    run_analysis(told, given)


@app.command()
def benchmark(
    groups: Annotated[
        list[str] | None,
        typer.Argument(
            help="board, life, encode, search, rollouts, mixed, training-data, selfplay, net, start, sgf (the "
            "default); clock, memory, problems."
        ),
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
