"""One page in a browser: its websocket, its boards, and the order in which things happen on them.

Three tasks: one reads messages, no faster than allowed; one does what they ask for, one after the other, in a thread of
its own for each so that the event loop stays free; one sends the answers. What engines find is told to the second, so
boards need no locks. When the page goes, all its work is stopped.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Executor
from contextlib import suppress
from itertools import count
from typing import Any, Final

from starlette.websockets import WebSocket, WebSocketDisconnect

from move37.errors import Move37Error
from move37.web.link import Link, sentence
from move37.web.outbox import FullError, Letter, Outbox
from move37.web.requests import Message, RequestError, read_message
from move37.web.table import Table
from move37.web.workshop import Workshop

__all__ = ["Page"]

_UNREAD: Final = 1008
"""The websocket's code for a page that breaks the rules: here, that does not read."""
_WAITING: Final = 64
"""Messages that are read ahead of what is being done."""
_NUMBERS: Final = count(1)

_Event = Message | Callable[[], None] | RequestError


class Page:
    """`run` serves a websocket until it closes. `executor`: threads for what messages ask for."""

    def __init__(self, socket: WebSocket, workshop: Workshop, executor: Executor, welcome: dict[str, Any]) -> None:
        self._socket = socket
        self._workshop = workshop
        self._executor = executor
        self._loop = asyncio.get_running_loop()
        self._inbox: asyncio.Queue[_Event] = asyncio.Queue()
        self._room = asyncio.Semaphore(_WAITING)
        self._outbox = Outbox(workshop.limits.unread)
        self._outbox.put(Letter.of(welcome))
        self._tables: dict[str, Table] = {}
        self._number = next(_NUMBERS)

    async def run(self) -> None:
        """Serve until the page or the server goes."""
        tasks = [asyncio.create_task(work()) for work in (self._read, self._act, self._send)]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            ended = await asyncio.gather(*tasks, return_exceptions=True)
            for table in self._tables.values():
                table.close(keep=True)
            await self._leave([one for one in ended if isinstance(one, Exception)])

    async def _leave(self, reasons: list[Exception]) -> None:
        """Close the websocket, unless the page did; a defect is told to the log."""
        if any(isinstance(one, WebSocketDisconnect) for one in reasons):
            return
        for one in reasons:
            if not isinstance(one, FullError):
                sentence(one)
        with suppress(RuntimeError, WebSocketDisconnect):
            await self._socket.close(_UNREAD)

    # ------------------------------------------------------------------------------------------------ three tasks

    async def _read(self) -> None:
        limits, loop = self._workshop.limits, self._loop
        allowed, then = float(limits.burst), loop.time()
        while True:
            text = await self._socket.receive_text()
            await self._room.acquire()
            now = loop.time()
            allowed = min(float(limits.burst), allowed + (now - then) * limits.messages_a_second) - 1
            then = now
            if allowed < 0:
                await asyncio.sleep(-allowed / limits.messages_a_second)
            self._inbox.put_nowait(await self._parsed(text))

    async def _parsed(self, text: str) -> Message | RequestError:
        try:
            return await self._loop.run_in_executor(self._executor, read_message, text)
        except RequestError as error:
            return error

    async def _act(self) -> None:
        while True:
            event = await self._inbox.get()
            if isinstance(event, Message | RequestError):
                self._room.release()
            if isinstance(event, Message):
                await self._loop.run_in_executor(self._executor, self._handle, event)
            elif isinstance(event, RequestError):
                self._tell({"type": "error", "board": None, "text": str(event)})
            else:
                self._call(event)

    async def _send(self) -> None:
        while True:
            await self._socket.send_text(await self._outbox.take())

    # ------------------------------------------------------------------------------------------------ boards

    def _handle(self, message: Message) -> None:
        """Do what a message asks for; in a thread."""
        try:
            self._table(message)
        except Exception as error:
            self._tell({"type": "error", **message.envelope(), "text": sentence(error)})

    def _table(self, message: Message) -> None:
        name, kind, id = message.board, message.type, message.envelope().get("id")
        if kind == "close":
            message.only("type", "board", "id")
            self._close(name, id)
            return
        table = self._tables.get(name)
        if table is not None:
            table.handle(message, id)
        elif kind not in ("new", "load", "show"):
            raise RequestError("there is no such board: begin with new or load")
        elif len(self._tables) >= self._workshop.limits.boards:
            raise RequestError(f"a page has at most {self._workshop.limits.boards} boards: close one")
        else:
            table = Table(self._link(name))
            table.handle(message, id)
            self._tables[name] = table

    def _close(self, name: str, id: int | None) -> None:
        table = self._tables.pop(name, None)
        if table is None:
            raise RequestError("there is no such board")
        table.close()
        self._tell({"type": "closed", "board": name} | ({} if id is None else {"id": id}))

    def _call(self, event: Callable[[], None]) -> None:
        """Take in what an engine found."""
        try:
            event()
        except Move37Error as error:
            self._tell({"type": "error", "board": None, "text": sentence(error)})

    def _link(self, name: str) -> Link:
        return Link(name, self._number, self._workshop, self._tell, self._post, self._later)

    # ------------------------------------------------------------------------------------------------ other threads

    def _tell(self, message: dict[str, Any]) -> None:
        with suppress(RuntimeError):  # the loop is closed: the server ends
            self._loop.call_soon_threadsafe(self._outbox.put, Letter.of(message))

    def _post(self, event: Callable[[], None]) -> None:
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._inbox.put_nowait, event)

    def _later(self, seconds: float, event: Callable[[], None]) -> None:
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._loop.call_later, seconds, self._inbox.put_nowait, event)
