"""Options that several commands share, with one wording each."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

Player: TypeAlias = Annotated[
    str,
    typer.Option(
        "--player", help="random, policy, zero, katago, or gtp:COMMAND for another program.", metavar="PLAYER"
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
Visits: TypeAlias = Annotated[
    int | None, typer.Option("--visits", help="Search visits a move (zero, katago: 400).", min=1)
]
Time: TypeAlias = Annotated[
    str | None, typer.Option("--time", help="Thinking time a move, such as 5s or 500ms.", metavar="TIME")
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
    int | None, typer.Option("--batch", help="Positions a search evaluates at a time (default: 8).", min=1)
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

    if text is None:
        return None
    word = text.strip().lower()
    for unit, length in (("ms", 0.001), ("s", 1.0), ("m", 60.0), ("", 1.0)):
        if word.endswith(unit):
            try:
                time = float(word.removesuffix(unit)) * length
            except ValueError:
                break
            if 0 < time < float("inf"):
                return time
            break
    raise ConfigError(f"{text!r} is no thinking time: write 5s, 500ms or 2m")
