"""A web server on this machine for tests of downloads; it can be told to misbehave."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any


@contextmanager
def http_files(files: dict[str, bytes]) -> Generator[str]:
    """Serve `files` by path; yields the address without a slash at its end.

    Special paths: `/short/X` tells the length of X and sends half, `/unsized/X` tells no length, `/moved/X` redirects
    to X, `/away` redirects to a file of the machine, `/huge` tells a length of a petabyte.
    """

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            first, _, rest = self.path.removeprefix("/").partition("/")
            if first in ("moved", "away"):
                self.send_response(302)
                self.send_header("Location", "file:///etc/passwd" if first == "away" else f"/{rest}")
                self.end_headers()
                return
            body = files.get(rest if first in ("short", "unsized") else self.path.removeprefix("/"))
            if first == "huge":
                self._answer(b"1\n", 10**15)
            elif body is None:
                self.send_error(404)
            else:
                self._answer(body[: len(body) // 2] if first == "short" else body, len(body), first == "unsized")

        def _answer(self, body: bytes, length: int, unsized: bool = False) -> None:
            self.send_response(200)
            if not unsized:
                self.send_header("Content-Length", str(length))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()
            thread.join()


@contextmanager
def raw_answer(answer: bytes) -> Generator[str]:
    """A server that sends these bytes to whoever asks, whatever they are; yields its address."""

    class Handler(BaseHTTPRequestHandler):
        def handle_one_request(self) -> None:
            self.close_connection = True
            while self.rfile.readline().strip():
                pass
            self.wfile.write(answer)

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()
            thread.join()
