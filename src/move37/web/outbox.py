"""What a page is still to be sent: in order, but of reports of work under way only the newest of each kind.

So a page that reads slowly gets fewer reports and loses no answer. It is used from the event loop alone.
"""

from __future__ import annotations

import asyncio
import json
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import count
from typing import Any

__all__ = ["FullError", "Letter", "Outbox"]


class FullError(Exception):
    """The page does not read what it asked for."""


@dataclass(frozen=True)
class Letter:
    """A message as JSON. kind: what makes it a report like a later one, which takes its place; None: an answer."""

    text: str
    kind: object = None

    @classmethod
    def of(cls, message: Mapping[str, Any]) -> Letter:
        """A message to be sent."""
        text = json.dumps(message, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
        if message["type"] == "analysis":
            return cls(text, ("analysis", message["board"], message["opinion"]))
        if message["type"] == "review" and not message["finished"]:
            return cls(text, ("review", message["board"]))
        return cls(text)


class Outbox:
    """At most `most` characters wait, one letter apart; beyond, whoever takes the next is told so by `FullError`."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._size = 0
        self._numbers = count()
        self._waiting: OrderedDict[object, Letter] = OrderedDict()
        self._changed = asyncio.Event()

    def put(self, letter: Letter) -> None:
        """Add a letter."""
        key = next(self._numbers) if letter.kind is None else letter.kind
        before = self._waiting.pop(key, None)
        self._size += len(letter.text) - (0 if before is None else len(before.text))
        self._waiting[key] = letter
        self._changed.set()

    async def take(self) -> str:
        """The next message, once there is one."""
        while not self._waiting:
            self._changed.clear()
            await self._changed.wait()
        if self._size > self._most and len(self._waiting) > 1:
            raise FullError
        letter = self._waiting.popitem(last=False)[1]
        self._size -= len(letter.text)
        return letter.text
