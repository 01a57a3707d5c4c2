"""Pictures of the ideas for the position on a board: those of `move37 show`, with its options by name.

A picture is asked for by names and numbers alone. The record is the board's own, a network one that `nets.finding`
found, and the training curves, which lie in a folder, are not shown.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

from move37.pictures.catalogue import CATALOGUE, draw
from move37.pictures.request import Request
from move37.pictures.theme import THEMES
from move37.players.presets import PRESETS
from move37.rules.position import Position
from move37.sgf.game_record import GameRecord
from move37.web.board import Board
from move37.web.engines import Engines
from move37.web.link import Link, Ticket
from move37.web.requests import Message

__all__ = ["PICTURES", "Showing", "pictures_told"]

_FOREIGN: Final = frozenset({"source", "play", "size", "komi", "rules", "labels", "marks"})
"""What a request has on the command line and the board says here."""
_MOST_VISITS: Final = 2_000
_MOST_NUMBER: Final = 10_000
_MOST_SHOWN: Final = 64
_MANY: Final = 16
_WORD: Final = 200
PICTURES: Final = tuple(name for name in CATALOGUE if name != "curves")


def pictures_told() -> list[dict[str, Any]]:
    """The pictures that can be asked for, for the page."""
    entries = [CATALOGUE[name] for name in PICTURES]
    return [
        {
            "name": entry.name,
            "shows": entry.shows,
            "course": entry.course,
            "idea": entry.idea,
            "uses": [one for one in entry.uses if one not in _FOREIGN],
        }
        for entry in entries
    ]


@dataclass(frozen=True)
class BoardRequest(Request):
    """A request whose game is that of a board: `game_end` the position, `whole` its record."""

    game_end: Position = field(default_factory=lambda: Position(9))
    whole: GameRecord = field(default_factory=lambda: GameRecord(9))

    def given(self) -> set[str]:
        """See `Request`; the board is not asked for."""
        return super().given() - {"game_end", "whole"}

    def game(self) -> Position:
        """See `Request`."""
        return self.game_end

    def record(self) -> GameRecord:
        """See `Request`."""
        return self.whole


class Showing:
    """The pictures of a board, one at a time."""

    def __init__(self, link: Link) -> None:
        self._link = link
        self._ticket = Ticket()

    def draw(self, board: Board, message: Message, id: int | None) -> None:
        """Draw what a message asks for; `RequestError` for what cannot be."""
        name = message.one_of("name", PICTURES)
        options = message.part("options") if message.has("options") else Message({})
        request = _request(board, options, self._link.workshop.engines)
        theme = options.one_of("theme", THEMES, "auto")
        self.stop()
        self._ticket = ticket = Ticket(id)
        link, workshop = self._link, self._link.workshop

        def job() -> None:
            if not ticket.wanted:
                return
            try:
                picture = draw(name, request)
                told = {"type": "picture", "name": name, "svg": picture.svg(theme=theme)}
                told |= {"heading": picture.heading, "caption": picture.caption}
                link.post(lambda: link.tell(told, id) if ticket.wanted else None)
            except Exception as error:
                failure = error
                link.post(lambda: link.fail(failure, id) if ticket.wanted else None)

        pool = workshop.reviews if name == "game" else workshop.moves
        pool.submit(link.place("picture"), job)

    def stop(self) -> None:
        """Nobody waits for a picture any more."""
        self._ticket.cancel()


def _request(board: Board, options: Message, engines: Engines) -> BoardRequest:
    """The options of a message as a request."""
    options.only(
        "net", "encoder", "layer", "only", "moves", "at", "temperature", "rule", "visits", "simulation", "seed", "most",
        "player", "numbers", "theme",
    )  # fmt: skip
    position = board.position
    points = position.rows * position.cols
    words = {name: options.text(name, _WORD) for name in ("encoder", "layer", "rule") if options.has(name)}
    highest = {"visits": _MOST_VISITS, "simulation": _MOST_VISITS, "seed": 2**31, "most": _MOST_SHOWN}
    numbers = {
        name: options.whole(name, int(name != "seed"), most) for name, most in highest.items() if options.has(name)
    }
    named: dict[str, Any] = {**words, **numbers}
    if options.has("net"):
        named["net"] = str(engines.path(options.text("net", _WORD)))
    if options.has("at"):
        named["at"] = position.vertex(options.whole("at", 0, points - 1))
    if options.has("player"):
        named["player"] = options.one_of("player", list(PRESETS))
    return BoardRequest(
        moves=tuple(options.wholes("moves", 0, _MOST_NUMBER, _MANY)),
        only=tuple(str(one) for one in options.wholes("only", 0, _MOST_NUMBER, _MOST_SHOWN)),
        temperature=tuple(options.numbers("temperature", 0.01, 100, 4)),
        numbers=options.flag("numbers"),
        game_end=position.copy(),
        whole=GameRecord.from_text(board.record.to_sgf()),
        **named,
    )
