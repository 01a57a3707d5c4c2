"""How the works of one board reach the page and each other's threads."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from move37.errors import Move37Error
from move37.search.limits import StopRequest
from move37.web.workshop import Workshop

__all__ = ["Link", "Ticket", "sentence"]


@dataclass(frozen=True)
class Link:
    """What a board's works are given. All three functions may be called from any thread.

    name: the board's. page: a number of its page. send: a message to the page. post: a call that is made in the board's
    own place. later: the same after so many seconds.
    """

    name: str
    page: int
    workshop: Workshop
    send: Callable[[dict[str, Any]], None]
    post: Callable[[Callable[[], None]], None]
    later: Callable[[float, Callable[[], None]], None]

    def place(self, work: str) -> tuple[int, str, str]:
        """The place of one kind of work for this board, see `jobs`."""
        return self.page, self.name, work

    def tell(self, message: dict[str, Any], id: int | None = None) -> None:
        """Send a message about this board, with the number of the request that it answers."""
        self.send(message | {"board": self.name} | ({} if id is None else {"id": id}))

    def fail(self, error: Exception, id: int | None = None) -> None:
        """Tell what went wrong."""
        self.tell({"type": "error", "text": sentence(error)}, id)


def sentence(error: Exception) -> str:
    """What the page is told of an error; a defect's traceback goes to stderr, and of it the page hears no more."""
    if isinstance(error, Move37Error):
        return " ".join(str(error).split())
    if isinstance(error, MemoryError):
        return "there is not enough memory for this"
    traceback.print_exception(error, file=sys.stderr)
    return f"this failed by a defect of the server ({type(error).__name__}); its log says more"


@dataclass
class Ticket:
    """One piece of work that was asked for: whether its result is still wanted, and what ends it early."""

    id: int | None = None
    wanted: bool = True
    stop: StopRequest = field(default_factory=StopRequest)

    def cancel(self) -> None:
        """Nobody waits for it any more."""
        self.wanted = False
        self.stop.stop()
