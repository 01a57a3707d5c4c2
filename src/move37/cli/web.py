"""The command `web` and its options; `web.running` serves the page."""

from __future__ import annotations

from typing import Annotated

import typer


def web(
    port: Annotated[int, typer.Option("--port", help="The port (0: any that is free).", min=0, max=65535)] = 3737,
    host: Annotated[
        str, typer.Option("--host", help="Where to listen: another address than this machine's own asks for a token.")
    ] = "127.0.0.1",
    no_open: Annotated[bool, typer.Option("--no-open", help="Do not open the browser.")] = False,
) -> None:
    """Play, analyse and see the ideas in the browser."""
    from move37.web.running import serve

    serve(host, port, open_browser=not no_open)
