"""The commands under `move37 train`: a stage of AlphaGo each, and what its networks are worth.

Each reads a recipe and writes the folder of a run; the same command goes on with a run that was killed.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from move37.cli import options
from move37.cli.reports import print_figures

app = typer.Typer(help="Training.")

Recipe = Annotated[Path, typer.Argument(help="A recipe, a TOML file.")]
Run = Annotated[Path, typer.Option("--run", help="The folder of the run; a run in it is gone on with.")]


@app.command("supervised")
@app.command("policy")
def train_supervised(
    recipe: Recipe,
    run: Run,
) -> None:
    """Train a network on games of people: policy, value, or both."""
    from move37.training import supervised

    print_figures(supervised.main(recipe, run))


@app.command("owners")
def train_owners(
    recipe: Recipe,
    run: Run,
) -> None:
    """Find who owned what in the end of games of people, for networks that learn ownership."""
    from move37.training import owners

    print_figures(owners.main(recipe, run))


@app.command("value-games")
def train_value_games(
    recipe: Recipe,
    run: Run,
) -> None:
    """Play games of two policies, one position of each for a value network to learn from."""
    from move37.training import value_positions

    print_figures(value_positions.main(recipe, run))


@app.command("value")
def train_value_network(
    recipe: Recipe,
    run: Run,
) -> None:
    """Train a value network, best on one position of each game."""
    from move37.training import value

    print_figures(value.main(recipe, run))


@app.command("reinforce")
def train_reinforce(
    recipe: Recipe,
    run: Run,
) -> None:
    """Let a policy network learn from games against its earlier selves."""
    from move37.training import reinforce

    print_figures(reinforce.main(recipe, run))


@app.command("zero")
def train_zero(
    recipe: Annotated[str | None, typer.Argument(help="A recipe, a TOML file, or the name of one.")] = None,
    run: Annotated[
        Path | None,
        typer.Option("--run", help="The folder of the run; a run in it is gone on with. Default: runs/NAME."),
    ] = None,
    named: Annotated[
        str | None, typer.Option("--recipe", help="A recipe that comes with the package: 5x5, 7x7, 7x7-strict, 9x9.")
    ] = None,
    depth: Annotated[
        int | None, typer.Option("--depth", help="The dial for size: residual blocks, instead of the recipe's.", min=0)
    ] = None,
    minutes: Annotated[
        float | None, typer.Option("--minutes", help="Stop after so long, to go on with the same command.", min=0.0)
    ] = None,
) -> None:
    """Learn from nothing but the rules, by self-play."""
    from move37.cli.train_zero import command

    command(recipe, named, run, depth, minutes)


@app.command("zero-pack")
def train_zero_pack(
    run: Annotated[Path, typer.Argument(help="The folder of a run.")],
    archive: Annotated[Path, typer.Argument(help="The file to write, NAME.tar.xz.")],
) -> None:
    """Write what a Zero run needs to go on elsewhere into one small file."""
    from move37.cli.train_zero import pack

    pack(run, archive)


@app.command("zero-unpack")
def train_zero_unpack(
    archive: Annotated[Path, typer.Argument(help="A file that zero-pack wrote.")],
    run: Annotated[Path, typer.Argument(help="The folder to make.")],
) -> None:
    """Make a Zero run's folder of a packed one."""
    from move37.cli.train_zero import unpack

    unpack(archive, run)


@app.command("compare")
def train_compare(
    net: Annotated[str, typer.Argument(help="A policy network: a name that nets list shows, or a file.")],
    net_b: Annotated[str, typer.Argument(help="The other one.")],
    games: Annotated[int, typer.Option("--games", help="How many; each opening is played twice.", min=1)] = 400,
    size: Annotated[int, typer.Option("--size", help="Rows and columns, 1 to 19.", min=1, max=19)] = 9,
    komi: options.Komi = 7.0,
    temperature: Annotated[
        float, typer.Option("--temperature", help="Moves are drawn by p^(1/t); at 0 the likeliest one.", min=0.0)
    ] = 1.0,
    passes: Annotated[str, typer.Option("--passes", help="guarded, learned or last.")] = "guarded",
    seed: Annotated[int, typer.Option("--seed", help="Seed of openings and draws.", min=0)] = 0,
    playing: Annotated[
        str, typer.Option("--playing", help="What computes: fast, bfloat16 or float32 (torch).")
    ] = "fast",
) -> None:
    """Play a match of two policies without search, all games side by side, and print its score."""
    from move37.cli.train_compare import command

    command(net, net_b, games, size, komi, temperature, passes, seed, playing)


@app.command("rollout")
def train_rollout(
    recipe: Recipe,
    run: Run,
) -> None:
    """Learn a rollout policy and a tree policy from games."""
    from move37.training import rollout

    print_figures(rollout.main(recipe, run))


@app.command("evaluate-rollout")
def train_evaluate_rollout(
    policy: Annotated[str, typer.Argument(help="A bundled policy's name, or a file.")],
    recipe: Annotated[Path, typer.Argument(help="The recipe whose held-out games are asked.")],
) -> None:
    """Print a rollout policy's held-out accuracy and cross-entropy."""
    from move37.training import rollout

    print_figures(rollout.evaluate_policy(policy, recipe))


@app.command("evaluate")
def train_evaluate(
    net: Annotated[str, typer.Argument(help="A name that nets list shows, or a file.")],
    recipe: Annotated[Path, typer.Argument(help="The recipe whose held-out games and tests are asked.")],
    symmetries: Annotated[
        int, typer.Option("--symmetries", help="Mean over so many turned boards (the paper: 8).", min=1, max=8)
    ] = 1,
    positions: Annotated[
        int | None, typer.Option("--positions", help="So many positions a test, instead of the recipe's.", min=1)
    ] = None,
    device: Annotated[str | None, typer.Option("--device", help="cpu, cuda or auto (default).")] = None,
) -> None:
    """Print what a network foretells of games it never saw, also by move number."""
    from move37.cli.train_evaluate import command

    command(net, recipe, symmetries, positions, device)
