"""An engine's move or hint for one board: asked in a thread, one at a time, with the board's own players."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import cast

from move37.players.player import Analyst, Clock, Decision, Player
from move37.rules.position import Position
from move37.web.engines import Choice
from move37.web.link import Link, Ticket

__all__ = ["Thinking"]


class Thinking:
    """The players of a board, each made when it is first needed and given back when the board has another game."""

    def __init__(self, link: Link) -> None:
        self._link = link
        self._lock = threading.Lock()  # of the next two
        self._players: dict[Choice, Player] = {}
        self._game = 0
        self._ticket: Ticket | None = None

    def begin(
        self,
        choice: Choice,
        position: Position,
        clock: Clock | None,
        decided: Callable[[Decision], None],
        began: Callable[[], None] = lambda: None,
        failed: Callable[[], None] = lambda: None,
        id: int | None = None,
    ) -> None:
        """Let an engine choose; the three functions are called in the board's place, unless it is cancelled."""
        self.cancel()
        self._ticket = ticket = Ticket(id)
        copy, link, game = position.copy(), self._link, self._game

        def job() -> None:
            try:
                player = self._player(game, choice, copy) if ticket.wanted else None
                if player is None:
                    return
                link.post(lambda: began() if ticket.wanted else None)
                decision = _chosen(player, copy, clock, ticket)
            except Exception as error:
                failure = error
                link.post(lambda: self._failed(ticket, failure, failed))
            else:
                link.post(lambda: self._done(ticket, decision, decided))

        link.workshop.moves.submit(link.place("think"), job)

    def hurry(self) -> None:
        """Let it decide at once."""
        if self._ticket is not None:
            self._ticket.stop.stop()

    def cancel(self) -> None:
        """Nobody waits for what is being thought any more."""
        if self._ticket is not None:
            self._ticket.cancel()
            self._ticket = None

    def leave(self) -> None:
        """Give all players back."""
        self.cancel()
        with self._lock:
            leaving, self._players = self._players, {}
            self._game += 1
        for player in leaving.values():
            self._link.workshop.engines.release(player)

    def _player(self, game: int, choice: Choice, position: Position) -> Player | None:
        """The player of a game, made now if it is new; None where the board has another game meanwhile."""
        engines = self._link.workshop.engines
        with self._lock:
            if game == self._game and choice in self._players:
                return self._players[choice]
        made = engines.opponent(choice, position.rows, position.cols)
        with self._lock:
            if game == self._game:
                self._players[choice] = made
                return made
        engines.release(made)
        return None

    def _failed(self, ticket: Ticket, error: Exception, failed: Callable[[], None]) -> None:
        if ticket.wanted:
            self._ticket = None
            self._link.fail(error, ticket.id)
            failed()

    def _done(self, ticket: Ticket, decision: Decision, decided: Callable[[Decision], None]) -> None:
        if ticket.wanted:
            self._ticket = None
            decided(decision)


def _chosen(player: Player, position: Position, clock: Clock | None, ticket: Ticket) -> Decision:
    if not isinstance(player, Analyst):
        return player.choose(position, clock)
    return cast(Analyst, player).choose(position, clock, stop=ticket.stop)
