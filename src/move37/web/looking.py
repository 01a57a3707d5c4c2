"""Live analysis of one board: one engine or two look at what it shows, and anew whenever that is another node."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from move37.search.result import SearchResult
from move37.web.board import Board
from move37.web.engines import Choice
from move37.web.link import Link, Ticket
from move37.web.nodes import Seen
from move37.web.told import analysis_told, judged_told
from move37.web.watching import Look

__all__ = ["Looking", "Wish"]

_OPINIONS: Final = 2


@dataclass(frozen=True)
class Wish:
    """What the page wants to see: by which engines, and whether with ownership and policy."""

    engines: Sequence[Choice] = ()
    ownership: bool = False
    policy: bool = False


class Looking:
    """The looks of a board."""

    def __init__(self, link: Link) -> None:
        self._link = link
        self._ticket = Ticket()
        self.wish = Wish()
        self.stale: set[int] = set()
        """Nodes of which engines said something since the page was told of the tree."""

    def look(self, board: Board) -> None:
        """Look at what the board shows, by the present wish, in place of what was looked at before."""
        self.stop()
        self._ticket = ticket = Ticket()
        for opinion, choice in enumerate(self.wish.engines):
            self._prepare(board, ticket, opinion, choice)

    def stop(self) -> None:
        """Look no more."""
        self._ticket.cancel()
        workshop = self._link.workshop
        for opinion in range(_OPINIONS):
            place = self._link.place(f"look {opinion}")
            workshop.moves.drop(place)
            workshop.watcher.drop(place)

    def _prepare(self, board: Board, ticket: Ticket, opinion: int, choice: Choice) -> None:
        """Get the engine ready in a thread of its own, since that may take long, and then begin."""
        link, wish, limits = self._link, self.wish, self._link.workshop.limits
        position, node, place = board.position.copy(), board.id, link.place(f"look {opinion}")
        head = {"node": node, "opinion": opinion, "engine": choice.told()}

        def tell(result: SearchResult, end: bool) -> None:
            told, seen = analysis_told(result, position, limits.candidates, wish.policy)
            message = head | told | {"finished": end}
            link.post(lambda: self._tell(board, ticket, message, seen))

        def fail(error: Exception) -> None:
            link.post(lambda: link.fail(error) if ticket.wanted else None)

        def job() -> None:
            if not ticket.wanted:
                return
            try:
                analyst = link.workshop.engines.analyst(choice, position.rows, position.cols)
            except Exception as error:
                fail(error)
                return
            visits = min(choice.visits or limits.visits, limits.visits)
            look = Look(place, analyst, position, visits, choice.seconds, wish.ownership, tell, fail)
            link.post(lambda: link.workshop.watcher.look(look) if ticket.wanted else None)

        link.workshop.moves.submit(place, job)

    def _tell(self, board: Board, ticket: Ticket, message: dict[str, Any], seen: Seen) -> None:
        """In the board's place: keep what the first engine said and pass it on."""
        if not ticket.wanted:
            return
        judged = None
        if message["opinion"] == 0:
            changed = board.nodes.note(message["node"], seen)
            self.stale.update(known.id for known in changed)
            judged = changed[0].judged if changed else None
        self._link.tell(message | {"judged": judged_told(judged)})
