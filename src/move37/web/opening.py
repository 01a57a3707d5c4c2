"""How a board begins: the settings of a new game, or a record that the page sends."""

from __future__ import annotations

import base64
import binascii
from typing import Final

from move37.errors import SgfError
from move37.rules.ruleset import RULESETS
from move37.search.time_words import time_system
from move37.sgf.files import read_sgf
from move37.web.board import Board, Setting
from move37.web.engines import Choice, Engines
from move37.web.limits import Limits
from move37.web.requests import Message, RequestError

__all__ = ["loaded", "new_game"]

_SIDES: Final = (2, 19)
_MOST_KOMI: Final = 400.0
_MOST_CLOCK: Final = 40


def new_game(settings: Message, limits: Limits, engines: Engines) -> Board:
    """The board of a new game; a `Move37Error` for settings that cannot be."""
    settings.only("size", "rows", "cols", "rules", "komi", "handicap", "black", "white", "clock")
    size = settings.whole("size", *_SIDES, 19)
    setting = Setting(
        settings.whole("rows", *_SIDES, size),
        settings.whole("cols", *_SIDES, size),
        settings.one_of("rules", list(RULESETS), "chinese"),
        settings.number("komi", -_MOST_KOMI, _MOST_KOMI, 7.0),
        settings.whole("handicap", 0, 9, 0),
        _seat(settings, "black", engines),
        _seat(settings, "white", engines),
        time_system(settings.text("clock", _MOST_CLOCK, "none")),
    )
    return Board(setting.record(), limits, setting)


def _seat(settings: Message, name: str, engines: Engines) -> Choice | None:
    return engines.read(settings.part(name)) if settings.has(name) else None


def loaded(message: Message, limits: Limits) -> Board:
    """The board of a record that the page sends; `SgfError` for what is none."""
    record = read_sgf(_bytes(message, limits))
    board = Board(record, limits)
    if message.one_of("at", ("start", "end"), "start") == "end":
        board.go(board.nodes[record.end.tree])
    return board


def _bytes(message: Message, limits: Limits) -> bytes:
    if message.has("text") == message.has("base64"):
        raise RequestError("a record comes as text or as base64")
    if message.has("text"):
        return message.text("text", limits.message_bytes).encode("utf-8", "replace")
    try:
        return base64.b64decode(message.text("base64", 2 * limits.message_bytes), validate=True)
    except (binascii.Error, ValueError):
        raise SgfError("this is no base64") from None
