"""The commands on networks and their options; each hands over to a function of `nets_view`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from move37.cli import options

app = typer.Typer(help="Networks: which there are, what they are for, and their files.")

Net: TypeAlias = Annotated[str, typer.Argument(help="A name that nets list shows, or a file.")]
Force: TypeAlias = Annotated[bool, typer.Option("--force", help="Overwrite a file that is there.")]


@app.command("list")
def list_(json: options.Json = False) -> None:
    """List the networks that --net knows by name."""
    from move37.cli.nets_view import list_networks

    list_networks(json)


@app.command()
def info(net: Net, json: options.Json = False) -> None:
    """Say what a network is, and what can run it."""
    from move37.cli.nets_view import describe_network

    describe_network(net, json)


@app.command()
def get(
    url: Annotated[str, typer.Argument(help="Where the network is: https://... or http://...")],
    name: Annotated[
        str | None,
        typer.Option(
            "--name", help="Name of the file, with or without its ending (default: the last part of the URL)."
        ),
    ] = None,
    sha256: Annotated[
        str | None, typer.Option("--sha256", help="Checksum that the file must have, 64 hexadecimal digits.")
    ] = None,
    force: Force = False,
) -> None:
    """Download a network into your folder."""
    from move37.cli.nets_view import get_network

    get_network(url, name, sha256, force)


@app.command()
def convert(
    net: Net,
    out: Annotated[Path, typer.Argument(help="The file to write; its name ends in .safetensors.")],
    outputs: Annotated[
        str | None, typer.Option("--outputs", help="Keep these alone, as in policy or value,ownership (default: all).")
    ] = None,
    name: Annotated[str | None, typer.Option("--name", help="Another name for the network, kept in the file.")] = None,
    force: Force = False,
) -> None:
    """Write a network of any format, or a part of it, as .safetensors."""
    from move37.cli.nets_view import convert_network

    convert_network(net, out, outputs, name, force)


@app.command()
def export(
    net: Net,
    out: Annotated[Path, typer.Argument(help="The file to write; its name ends in .onnx.")],
    size: Annotated[
        int | None,
        typer.Option("--size", help="Fix the model to this board (default: every board it can).", min=1, max=19),
    ] = None,
    force: Force = False,
) -> None:
    """Write a network as ONNX."""
    from move37.cli.nets_view import export_network

    export_network(net, out, size, force)
