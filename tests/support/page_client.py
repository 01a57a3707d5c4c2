"""A server of the page on a free port, and a client that speaks to it as a page does."""

from __future__ import annotations

import http.client
import json
import socket
import threading
import time
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from move37.web.limits import Limits
from move37.web.running import Service, prepare
from move37.web.server import STATIC
from tests.support.page_protocol import check_answer

PATIENCE = 120.0
"""Seconds for the first use of a kernel on a busy machine."""


class Server:
    """A server that runs in a thread of this process."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self.address = service.address
        place = urlsplit(service.address)
        self.host, self.port = place.netloc, int(place.port or 0)
        self._thread = threading.Thread(target=service.run)
        self._thread.start()

    def stop(self) -> None:
        """End the server and wait for it."""
        self._service.server.should_exit = True
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive()

    def get(self, path: str, headers: Mapping[str, str] | None = None, method: str = "GET") -> http.client.HTTPResponse:
        """What an address answers, its body read."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        connection.request(method, path, headers={"Host": self.host, **(headers or {})})
        answer = connection.getresponse()
        answer.body = answer.read().decode()  # type: ignore[attr-defined]
        connection.close()
        return answer

    @contextmanager
    def page(
        self, headers: Mapping[str, str] | None = None, *, host: str | None = None, origin: str | None = None
    ) -> Generator[Page]:
        """A page of this server, as its own browser page or as what its headers, name and origin make of it."""
        name = host or self.host
        with (
            socket.create_connection(("127.0.0.1", self.port), PATIENCE) as raw,
            connect(
                f"ws://{name}/ws",
                sock=raw,
                additional_headers=headers,
                origin=Origin(origin or f"http://{name}"),
                max_size=None,
                compression=None,
                open_timeout=PATIENCE,
                close_timeout=1.0,
            ) as opened,
        ):
            yield Page(opened)


class Page:
    """A websocket that checks every message it gets against the protocol."""

    def __init__(self, opened: ClientConnection) -> None:
        self._numbers = iter(range(1, 1_000_000))
        self.socket = opened
        self.nodes: dict[int, dict[str, Any]] = {}
        """The nodes of all trees told, the last told of each."""
        self.welcome = self.until("welcome")

    def send(self, type: str, board: str = "a", **fields: Any) -> int:
        """Send a request; its number."""
        number = next(self._numbers)
        self.socket.send(json.dumps({"type": type, "board": board, "id": number, **fields}))
        return number

    def receive(self) -> dict[str, Any]:
        """The next message."""
        message: dict[str, Any] = json.loads(self.socket.recv(PATIENCE))
        check_answer(message)
        if message["type"] == "tree":
            self.nodes = ({} if message["whole"] else self.nodes) | {one["id"]: one for one in message["nodes"]}
        return message

    def until(self, type: str, **fields: Any) -> dict[str, Any]:
        """The next message of a type with these values; an error meanwhile fails."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            message = self.receive()
            assert message["type"] == type or message["type"] != "error", message
            if message["type"] == type and all(message.get(name) == value for name, value in fields.items()):
                return message
        raise TimeoutError(f"no {type} with {fields}")

    def ask(self, answer: str, type: str, board: str = "a", **fields: Any) -> dict[str, Any]:
        """Send a request and wait for its answer of a type."""
        return self.until(answer, id=self.send(type, board, **fields))

    def refused(self, type: str, board: str = "a", **fields: Any) -> str:
        """Send a request that fails; the sentence."""
        text: str = self.ask("error", type, board, **fields)["text"]
        return text


@contextmanager
def serving(limits: Limits | None = None, host: str = "127.0.0.1", static: Path = STATIC) -> Generator[Server]:
    """A server while the block runs."""
    server = Server(prepare(host, 0, limits, static))
    try:
        yield server
    finally:
        server.stop()
