"""The server of the page: its addresses, and how it begins and ends.

`/` and the files of the built page, each known by name before anybody asks; `/ws`, the websocket; `/healthz`. Nothing
takes a body, and no path that a browser names is opened. The rules, engines and boards are behind `page`.
"""

from __future__ import annotations

import asyncio
import mimetypes
from collections.abc import AsyncGenerator, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

from move37.players.ranks import RANKS
from move37.rules.ruleset import RULESETS
from move37.web.guard import LOOPBACK, Guard
from move37.web.limits import Limits
from move37.web.page import Page
from move37.web.showing import pictures_told
from move37.web.workshop import Workshop

__all__ = ["STATIC", "Site", "make_app"]

STATIC: Final = Path(__file__).parent / "static"
"""Where the built page lies; it is not there before it is built."""
_TRY_AGAIN: Final = 1013
_NOT_BUILT: Final = (
    "<!doctype html><meta charset=utf-8><title>move37</title><p>The page is not built yet: run <code>make page</code> "
    "in the source tree, or install a wheel of move37, which has it.</p>\n"
)


def make_app(
    limits: Limits | None = None, *, token: str | None = None, names: Iterable[str] = (), static: Path = STATIC
) -> Guard:
    """The server as an ASGI application.

    token: asked for, see `Guard`. names: by which the server goes besides those of this machine. static: the folder of
    the built page.
    """
    return Guard(Site(limits or Limits(), static).app(), LOOPBACK | frozenset(names), token)


class Site:
    """What the addresses answer."""

    def __init__(self, limits: Limits, static: Path) -> None:
        self._limits = limits
        self._files = {f"/{path.relative_to(static).as_posix()}": path for path in static.rglob("*") if path.is_file()}
        self._pages = 0
        self._workshop: Workshop | None = None
        self._executor: ThreadPoolExecutor | None = None

    def app(self) -> Starlette:
        """The application, without its guard."""
        routes = [
            WebSocketRoute("/ws", self._socket),
            Route("/healthz", self._health),
            Route("/{path:path}", self._file),
        ]
        return Starlette(routes=routes, lifespan=self._life)

    @asynccontextmanager
    async def _life(self, _: Starlette) -> AsyncGenerator[None]:
        """The threads begin and end with the server."""
        self._workshop = workshop = Workshop(self._limits)
        self._executor = executor = ThreadPoolExecutor(self._limits.operations, "operation")
        try:
            yield
        finally:
            await asyncio.to_thread(workshop.close)
            executor.shutdown(wait=False, cancel_futures=True)

    async def _health(self, _: Request) -> Response:
        return JSONResponse({"status": "ok", "pages": self._pages})

    async def _file(self, request: Request) -> Response:
        path = request.url.path
        found = self._files.get("/index.html" if path == "/" else path)
        if found is not None:
            kind = mimetypes.guess_type(found.name)[0] or "application/octet-stream"
            return FileResponse(found, media_type=kind, headers={"cache-control": "no-cache"})
        return HTMLResponse(_NOT_BUILT, 503) if path == "/" else PlainTextResponse("There is no such page.\n", 404)

    async def _socket(self, socket: WebSocket) -> None:
        if self._workshop is None or self._executor is None:
            raise RuntimeError("the server has not begun")
        await socket.accept()
        if self._pages >= self._limits.pages:
            await socket.close(_TRY_AGAIN, "too many pages are open")
            return
        self._pages += 1
        try:
            loop = asyncio.get_running_loop()
            welcome = await loop.run_in_executor(self._executor, _welcome, self._workshop)
            await Page(socket, self._workshop, self._executor, welcome).run()
        finally:
            self._pages -= 1


def _welcome(workshop: Workshop) -> dict[str, Any]:
    """The first message of a connection."""
    limits, engines = workshop.limits, workshop.engines
    names = ("message_bytes", "messages_a_second", "boards", "nodes", "visits", "seconds")
    return {
        "type": "welcome",
        "version": import_module("move37").__version__,
        "players": engines.kinds_told(),
        "networks": engines.networks_told(),
        "rules": list(RULESETS),
        "ranks": list(RANKS),
        "usual": engines.usual().told(),
        "pictures": pictures_told(),
        "limits": {name: getattr(limits, name) for name in names},
    }
