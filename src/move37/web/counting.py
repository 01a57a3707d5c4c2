"""Counting a board: dead stones are proposed in a thread, and may be changed by hand afterwards."""

from __future__ import annotations

from move37.evaluators.dead_stones import stones_to_remove
from move37.web.board import Board
from move37.web.link import Link, Ticket
from move37.web.told import count_told

__all__ = ["Counting"]


class Counting:
    """The count of a board."""

    def __init__(self, link: Link) -> None:
        self._link = link
        self._ticket = Ticket()

    def propose(self, board: Board, id: int | None = None) -> None:
        """Find the dead stones and tell the score without them."""
        self.stop()
        self._ticket = ticket = Ticket(id)
        link, position, node = self._link, board.position.copy(), board.node

        def job() -> None:
            if not ticket.wanted:
                return
            try:
                judge = link.workshop.engines.judge(position.rows, position.cols)
                dead = frozenset(position.point(vertex) for vertex in stones_to_remove(position, judge))
            except Exception as error:
                failure = error
                link.post(lambda: link.fail(failure, id) if ticket.wanted else None)
            else:
                link.post(lambda: found(dead))

        def found(dead: frozenset[int]) -> None:
            if ticket.wanted and board.node is node:
                board.dead = dead
                self.tell(board, id)

        link.workshop.moves.submit(link.place("count"), job)

    def tell(self, board: Board, id: int | None) -> None:
        """Tell the score without the stones that are called dead now."""
        count = board.position.count(board.position.vertex(point) for point in sorted(board.dead or ()))
        self._link.tell(count_told(count, board.may_change_dead) | {"node": board.id}, id)

    def stop(self) -> None:
        """Nobody waits for the count any more."""
        self._ticket.cancel()
