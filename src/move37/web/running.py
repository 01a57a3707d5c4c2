"""`move37 web`: the server on a port of this machine, until it is interrupted.

uvicorn speaks HTTP and websockets; here are its limits, the token where others can reach the port, and what is printed.
"""

from __future__ import annotations

import socket
import sys
import threading
import webbrowser
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from secrets import token_urlsafe
from typing import Final

import uvicorn

from move37.errors import ConfigError
from move37.web.guard import is_loopback
from move37.web.limits import Limits
from move37.web.server import STATIC, make_app

__all__ = ["Service", "prepare", "serve"]

_GRACE: Final = 3
"""Seconds that open websockets are given to close."""
_QUEUE: Final = 16
"""Messages of a websocket that are read before they are asked for."""


@dataclass(frozen=True)
class Service:
    """A server that listens and has not begun. address: to be opened in a browser, with the token if there is one."""

    server: uvicorn.Server
    listening: socket.socket
    address: str

    def run(self) -> None:
        """Serve until SIGINT or SIGTERM; returns after SIGINT."""
        with suppress(KeyboardInterrupt):  # uvicorn has closed all; it raises the signal again at its end
            self.server.run(sockets=[self.listening])


def prepare(host: str = "127.0.0.1", port: int = 3737, limits: Limits | None = None, static: Path = STATIC) -> Service:
    """Listen on a port (0: any that is free); ConfigError in one sentence where that cannot be.

    static: the folder of the built page.
    """
    limits = limits or Limits()
    listening = _listen(host, port)
    token = None if is_loopback(host) else token_urlsafe(24)
    names = [] if token is None else [host.lower(), socket.gethostname().lower()]
    config = uvicorn.Config(
        make_app(limits, token=token, names=names, static=static),
        ws="websockets-sansio",
        ws_max_size=limits.message_bytes,
        ws_max_queue=_QUEUE,
        ws_per_message_deflate=False,
        limit_concurrency=limits.connections,
        timeout_graceful_shutdown=_GRACE,
        log_level="warning",
        access_log=False,
        proxy_headers=False,
        server_header=False,
    )
    return Service(uvicorn.Server(config), listening, _address(host, listening.getsockname()[1], token))


def _listen(host: str, port: int) -> socket.socket:
    """A socket that listens."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((host, port), family=family)
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise ConfigError(f"port {port} of {host} is not to be had: {reason}; choose another with --port") from None


def _address(host: str, port: int, token: str | None) -> str:
    """What to open: the host itself, or this machine's name where it listens on all addresses."""
    shown = socket.gethostname() if host in ("0.0.0.0", "::") else host
    name = f"[{shown}]" if ":" in shown else shown
    return f"http://{name}:{port}/" + ("" if token is None else f"?token={token}")


def serve(host: str, port: int, *, open_browser: bool) -> None:
    """Serve the page until the command is interrupted, and tell where it is."""
    service = prepare(host, port)
    if not is_loopback(host):
        print(
            f"move37: others can reach this page at {host}: whoever has the address with its token can use this "
            "machine's processor; the connection is not encrypted",
            file=sys.stderr,
        )
    with suppress(KeyboardInterrupt):  # before it has begun
        print(f"move37: {service.address} (Ctrl-C ends)", flush=True)
        if open_browser:
            threading.Thread(target=webbrowser.open, args=(service.address,), daemon=True).start()
        service.run()
