"""The command `show` and its options; `show_view` reads them and writes the picture."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from move37.cli import options


def show(
    what: Annotated[str | None, typer.Argument(help="The picture; without it all are listed.")] = None,
    source: Annotated[Path | None, typer.Argument(help="A game record; for curves the folder of a run.")] = None,
    out: Annotated[
        Path | None, typer.Option("--out", help="The .svg or .png to write (default: WHAT.svg), - for stdout.")
    ] = None,
    moves: Annotated[
        str | None, typer.Option("--moves", help="After how many moves, such as 37 or 10,60,120 (default: at the end).")
    ] = None,
    play: Annotated[
        str | None, typer.Option("--play", help="Moves on an empty board instead, such as 'D4 Q16'.")
    ] = None,
    size: Annotated[int | None, typer.Option("--size", help="Rows and columns of that board, 1 to 19.")] = None,
    komi: Annotated[float | None, typer.Option("--komi", help="Points for White, instead of the record's.")] = None,
    rules: Annotated[str | None, typer.Option("--rules", help="Instead of the record's.", metavar="RULES")] = None,
    net: options.Net = None,
    encoder: Annotated[str | None, typer.Option("--encoder", help="Whose planes: alphago48, zero17, ...")] = None,
    layer: Annotated[str | None, typer.Option("--layer", help="The network's layer, by its name.")] = None,
    only: Annotated[
        str | None, typer.Option("--only", help="These planes, filters or channels: 0,3,7; or figures: loss,value.")
    ] = None,
    at: Annotated[str | None, typer.Option("--at", help="The point, such as E5.")] = None,
    temperature: Annotated[
        str | None, typer.Option("--temperature", help="Of the policy: 1, or 0.5,1,2 for a row each.")
    ] = None,
    rule: Annotated[str | None, typer.Option("--rule", help="Of selection: ucb1, puct or mixed.")] = None,
    visits: Annotated[int | None, typer.Option("--visits", help="Of the search (200).", min=1)] = None,
    simulation: Annotated[int | None, typer.Option("--simulation", help="Which one is shown (400).", min=1)] = None,
    seed: options.Seed = None,
    most: Annotated[int | None, typer.Option("--most", help="How many nodes, moves or patterns.", min=1)] = None,
    player: Annotated[str | None, typer.Option("--player", help="Who reviews a game (zero).", metavar="PLAYER")] = None,
    numbers: Annotated[bool, typer.Option("--numbers", help="Write the moves' numbers on the stones.")] = False,
    label: Annotated[
        list[str] | None, typer.Option("--label", help="A text on a point: E5=A; may be repeated.")
    ] = None,
    mark: Annotated[
        list[str] | None, typer.Option("--mark", help="A colour on a point: E5=tomato; may be repeated.")
    ] = None,
    heading: Annotated[str, typer.Option("--heading", help="Words above the picture.")] = "",
    caption: Annotated[str, typer.Option("--caption", help="Words below it, in any script.")] = "",
    theme: Annotated[str, typer.Option("--theme", help="auto (follows the reader's screen), light or dark.")] = "auto",
    width: Annotated[int | None, typer.Option("--width", help="In pixels.", min=16, max=20_000)] = None,
) -> None:
    """Draw an idea: boards, planes, heat maps, filters, searches, training curves."""
    from move37.cli.show_view import write_picture

    parts: dict[str, Any] = {
        "source": source,
        "moves": moves,
        "play": play,
        "size": size,
        "komi": komi,
        "rules": rules,
        "net": net,
    }
    parts |= {"encoder": encoder, "layer": layer, "only": only, "at": at, "temperature": temperature, "rule": rule}
    parts |= {"visits": visits, "simulation": simulation, "seed": seed, "most": most, "player": player}
    parts |= {"numbers": numbers, "labels": label or [], "marks": mark or [], "heading": heading, "caption": caption}
    write_picture(what, parts, out, width, theme)
