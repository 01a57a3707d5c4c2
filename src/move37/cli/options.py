"""Options that several commands share, with one wording each."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

if TYPE_CHECKING:
    from move37.search.clock import TimeSystem

Player: TypeAlias = Annotated[
    str,
    typer.Option(
        "--player",
        help="random, policy, uct, fan, lee, master, zero, alphazero, gumbel, katago, article, or gtp:COMMAND for "
        "another program; options go with the name, as in lee,mix=0.",
        metavar="PLAYER",
    ),
]
Net: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--net",
        help="Network file, or a name that nets list shows; default: the bundled one for the board, for katago the "
        "first network of KataGo's in that list that can be run here.",
    ),
]
ValueNet: TypeAlias = Annotated[
    str | None,
    typer.Option("--value-net", help="Value network of fan, lee or article, where --net names a policy network alone."),
]
Mix: TypeAlias = Annotated[
    float | None,
    typer.Option("--mix", help="Share of rollouts in a value, 0 to 1 (fan, lee, master, article: 0.5).", min=0, max=1),
]
Rollouts: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--rollouts",
        help="Of fan, lee, master: pattern (the trained policy), light, or a file; default: pattern if there is one.",
        metavar="WHICH",
    ),
]
Visits: TypeAlias = Annotated[
    int | None,
    typer.Option("--visits", help="Search visits a move (default: 400; uct 4000, fan, lee 1600, master 800).", min=1),
]
Time: TypeAlias = Annotated[
    str | None, typer.Option("--time", help="Thinking time a move, such as 5s or 500ms.", metavar="TIME")
]
Rank: TypeAlias = Annotated[
    str | None,
    typer.Option("--rank", help="Weaker play, from 10k to 1k and 1d to 5d; instead of --visits.", metavar="RANK"),
]
Lag: TypeAlias = Annotated[
    str | None,
    typer.Option("--lag", help="What messages may cost of the clock a move (default: 1s).", metavar="TIME"),
]
Clock: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--clock",
        help="Time of each side: 10m, 5m+3s (Fischer; 5m+3s max 10m), 10m+5x30s (byo-yomi), 10m+25/5m (Canadian).",
        metavar="CLOCK",
    ),
]
Rules: TypeAlias = Annotated[
    str,
    typer.Option(
        "--rules",
        help="tromp-taylor, chinese, japanese, aga, ..., a TOML file, JSON, or a list such as japanese,encore=true.",
        metavar="RULES",
    ),
]
Komi: TypeAlias = Annotated[float, typer.Option("--komi", help="Points for White, whole or half.")]
Threads: TypeAlias = Annotated[int | None, typer.Option("--threads", help="Threads of the network.", min=1)]
Batch: TypeAlias = Annotated[
    int | None,
    typer.Option("--batch", help="Positions evaluated at a time (default: 8; uct, gumbel 16, article 32).", min=1),
]
Device: TypeAlias = Annotated[
    str | None, typer.Option("--device", help="Where torch runs the network, such as cuda (default: the CPU).")
]
Backend: TypeAlias = Annotated[
    str | None, typer.Option("--backend", help="What computes the network: fast, torch, or auto (default).")
]
Symmetry: TypeAlias = Annotated[
    str | None,
    typer.Option("--symmetry", help="How a search turns what the network sees: random (default), mean of all, none."),
]
Seed: TypeAlias = Annotated[int | None, typer.Option("--seed", help="Seed of all random choices.", min=0)]
Json: TypeAlias = Annotated[bool, typer.Option("--json", help="Print JSON.")]
OutputFile: TypeAlias = Annotated[Path | None, typer.Option("--json", help="Write the result to this JSON file.")]


def seconds(text: str | None) -> float | None:
    """Read a time such as ``5``, ``5s``, ``500ms`` or ``2m`` as seconds; None stays None. Raises `ConfigError`."""
    from move37.errors import ConfigError
    from move37.search.time_words import duration

    time = None if text is None else duration(text)
    if text is not None and time is None:
        raise ConfigError(f"{text!r} is no thinking time: write 5s, 500ms or 2m")
    return time


def time_system(text: str | None) -> TimeSystem | None:
    """Read a time system such as ``10m+5x30s``; None stays None. Raises `ConfigError`."""
    from move37.search.time_words import time_system as read

    return None if text is None else read(text)
