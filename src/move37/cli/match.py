"""A match on the command line: a live line on stderr, the result on stdout or in a file."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from move37.arena.match import MatchResult, match
from move37.arena.sprt import Sprt
from move37.errors import ConfigError, PlayerError
from move37.files import write_text
from move37.gtp.any_player import player, usable_options
from move37.search.clock import TimeSystem
from move37.search.time_words import time_words


@dataclass(frozen=True)
class MatchSettings:
    """What both players share."""

    games: int
    size: int
    rules: str
    komi: float
    opening_moves: int
    max_moves: int | None
    parallel: int
    seed: int
    log: Path | None
    clock: TimeSystem | None = None
    sprt: float | None = None


def player_options(
    a: str, b: str, shared: dict[str, Any], only_b: dict[str, Any]
) -> tuple[tuple[str, dict[str, Any]], tuple[str, dict[str, Any]]]:
    """Give each player those of the `shared` options that it takes, and B those `only_b`; None is not given.

    Raises `PlayerError` for an option that neither takes, or that B does not take.
    """
    for_a, for_b = usable_options(a, **shared), usable_options(b, **shared)
    for name, value in shared.items():
        if value is not None and name not in for_a and name not in for_b:
            raise PlayerError(f"neither {a!r} nor {b!r} has an option {name!r}")
    own_b = {name: value for name, value in only_b.items() if value is not None}
    for name, other in (("rank", "visits"), ("visits", "rank")):
        if name in own_b and other not in own_b:  # a rank has visits of its own
            for_b.pop(other, None)
    return (a, for_a), (b, for_b | own_b)


def run_match(
    a: tuple[str, dict[str, Any]], b: tuple[str, dict[str, Any]], settings: MatchSettings, output: Path | None
) -> None:
    """Play two players, each a text form with options; print the result, and write it to `output` as JSON."""
    if output is not None and output.is_dir():
        raise ConfigError(f"{output}: the result cannot be written (it is a folder); give a file")
    make_a, make_b = (partial(player, spec, **options) for spec, options in (a, b))
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("starting", total=settings.games)

        def show(result: MatchResult) -> None:
            progress.update(task, completed=len(result.games), description=f"A scores {result.score:.1%}")
            for game in result.games[-1:]:
                if game.error:
                    how = "is void" if game.reason == "void" else "was forfeited"
                    print(f"move37: game {game.number + 1} {how}: {game.error}", file=sys.stderr)

        result = match(
            make_a,
            make_b,
            settings.games,
            size=settings.size,
            rules=settings.rules,
            komi=settings.komi,
            seed=settings.seed,
            opening_moves=settings.opening_moves,
            max_moves=settings.max_moves,
            parallel=settings.parallel,
            time_system=settings.clock,
            log=settings.log,
            on_game=show,
            sprt=None if settings.sprt is None else Sprt(settings.sprt),
        )
    print(result)
    if output is not None:
        shared = {"size": settings.size, "rules": settings.rules, "komi": settings.komi, "seed": settings.seed}
        shared |= {"clock": "none" if settings.clock is None else time_words(settings.clock)}
        specs = {"spec_a": a[0], "spec_b": b[0]}
        write_text(output, json.dumps({**result.to_dict(), **specs, **shared}, ensure_ascii=False, indent=2) + "\n")
