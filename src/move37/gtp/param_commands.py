"""The commands that show and change settings: KataGo's parameters and Leela Zero's options.

A parameter is listed only if it has an effect here, and has the name that KataGo gives it. Which there are depends on
the player. Sources: KataGo's GTP extensions and configuration files; Leela Zero's `GTP.cpp`.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from move37.errors import GtpError, Move37Error
from move37.gtp.protocol import Handler, TextHandler
from move37.gtp.settings import Settings
from move37.gtp.table import Table
from move37.players.player import Seer
from move37.players.search_player import SearchPlayer, SearchPlayerConfig
from move37.rules.color import Color

_UNLIMITED: Final = 2**50
"""What KataGo shows for no limit."""
_NEVER: Final = -1.0
_BOOLEANS: Final = {"true": True, "false": False}
_VIEWS: Final[dict[str, Color | None]] = {"SIDETOMOVE": None, "BLACK": Color.BLACK, "WHITE": Color.WHITE}


@dataclass(frozen=True)
class Param:
    """How to read and to set one parameter; `set` takes the text and raises `GtpError` or `ConfigError`."""

    get: Callable[[], Any]
    set: Callable[[str], None]


class ParamCommands:
    """What is set holds until it is set again; new games keep it."""

    def __init__(self, table: Table) -> None:
        self._params = _settings_params(table.settings) if table.analyst is not None else {}
        if isinstance(table.player, SearchPlayer):
            self._params |= _player_params(table.player)
        self._table = table

    def handlers(self) -> dict[str, Handler]:
        """The commands by name; none for a player without settings."""
        handlers: dict[str, Handler] = {}
        if self._params:
            handlers |= {
                "kata-get-param": self._get,
                "kata-get-params": lambda words: json.dumps({name: p.get() for name, p in self._params.items()}),
                "kata-list-params": lambda words: " ".join(self._params),
                "kata-set-param": self._set,
            }
        if isinstance(self._table.player, Seer):
            handlers["kata-get-models"] = self._models
        return handlers

    def text_handlers(self) -> dict[str, TextHandler]:
        """Leela Zero's options have blanks in their names."""
        return {"lz-setoption": self._set_option} if self._options() else {}

    def _get(self, words: list[str]) -> str:
        value = self._param(words[0] if words else "").get()
        return value if isinstance(value, str) else json.dumps(value)

    def _set(self, words: list[str]) -> str:
        if len(words) != 2:
            raise GtpError("need a parameter and a value")
        self._param(words[0]).set(words[1])
        return ""

    def _param(self, name: str) -> Param:
        if name not in self._params:
            raise GtpError(f"Invalid parameter: {name}; kata-list-params tells all")
        return self._params[name]

    def _models(self, words: list[str]) -> str:
        """Every network of the player, by name."""
        player = self._table.player
        specs = player.specs if isinstance(player, Seer) else []
        return json.dumps([{"name": spec.name, "sizes": spec.sizes_text()} for spec in specs])

    def _options(self) -> dict[str, tuple[str, Param]]:
        """Leela Zero's options that are parameters too: their names in lower case, and what they may be."""
        known = {
            "Visits": ("maxVisits", f"spin default {self._shown('maxVisits')} min 0 max {_UNLIMITED}"),
            "Pondering": ("ponderingEnabled", f"check default {self._shown('ponderingEnabled')}"),
        }
        return {
            name.lower(): (f"option name {name} type {kind}", self._params[param])
            for name, (param, kind) in known.items()
            if param in self._params
        }

    def _shown(self, name: str) -> str:
        return json.dumps(self._params[name].get()) if name in self._params else ""

    def _set_option(self, text: str) -> str:
        """`lz-setoption name NAME value VALUE`; without arguments, the options there are."""
        options = self._options()
        if not text:
            return "\n" + "\n".join(line for line, _ in options.values())
        words = text.split()
        if words[0] != "name" or "value" not in words:
            raise GtpError("incorrect syntax for lz-setoption: use name NAME value VALUE")
        at = words.index("value")
        name, value = " ".join(words[1:at]).lower(), " ".join(words[at + 1 :])
        if name not in options:
            raise GtpError("Unknown option")
        options[name][1].set(value)
        return ""


def _settings_params(settings: Settings) -> dict[str, Param]:
    """Of pondering and analysis."""

    def put(name: str, read: Callable[[str], Any]) -> Callable[[str], None]:
        return lambda text: setattr(settings, name, read(text))

    return {
        "ponderingEnabled": Param(lambda: settings.ponder, put("ponder", _boolean)),
        "maxVisitsPondering": Param(lambda: settings.visits or _UNLIMITED, put("visits", _count)),
        "maxTimePondering": Param(lambda: settings.seconds or 1e20, put("seconds", _seconds)),
        "analysisPVLen": Param(lambda: settings.variation_length or _UNLIMITED, put("variation_length", _count)),
        "reportAnalysisWinratesAs": Param(
            lambda: next(name for name, view in _VIEWS.items() if view == settings.view),
            put("view", lambda text: _VIEWS[_one_of(text.upper(), _VIEWS)]),
        ),
    }


def _player_params(player: SearchPlayer) -> dict[str, Param]:
    """Of the choice of a move."""

    def put(name: str, read: Callable[[str], Any]) -> Callable[[str], None]:
        def change(text: str) -> None:
            try:
                player.reconfigure(**{name: read(text)})
            except Move37Error as error:
                raise GtpError(str(error).rstrip(".")) from error

        return change

    def threshold(text: str) -> float | None:
        value = _number(text)
        return None if value <= _NEVER else value

    return {
        "maxVisits": Param(lambda: _visits(player.config), put("visits", _count)),
        "maxTime": Param(lambda: player.config.seconds or 1e20, put("seconds", _seconds)),
        "lagBuffer": Param(lambda: player.config.lag, put("lag", _number)),
        "resignThreshold": Param(
            lambda: _NEVER if player.config.resign_below is None else player.config.resign_below,
            put("resign_below", threshold),
        ),
        "resignConsecTurns": Param(lambda: player.config.resign_turns, put("resign_turns", _positive)),
    }


def _visits(config: SearchPlayerConfig) -> int:
    """The visits that end a search without a clock."""
    if config.rank is not None:
        return config.rank.visits
    return config.visits or (config.default_visits if config.seconds is None else _UNLIMITED)


def _boolean(text: str) -> bool:
    return _BOOLEANS[_one_of(text.lower(), _BOOLEANS)]


def _one_of(text: str, known: dict[str, Any]) -> str:
    if text not in known:
        raise GtpError(f"incorrect value {text!r}: use {', '.join(known)}")
    return text


def _number(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if not abs(value) < float("inf"):
        raise GtpError(f"incorrect value {text!r}: use a number")
    return value


def _count(text: str) -> int | None:
    """A whole number; 0 and what is very large mean no limit."""
    if not (text.isascii() and text.isdigit()) or len(text) > 20:
        raise GtpError(f"incorrect value {text!r}: use a whole number")
    count = int(text)
    return count if 0 < count < _UNLIMITED else None


def _positive(text: str) -> int:
    count = _count(text)
    if count is None:
        raise GtpError(f"incorrect value {text!r}: use a whole number from 1")
    return count


def _seconds(text: str) -> float | None:
    seconds = _number(text)
    if seconds < 0:
        raise GtpError(f"incorrect value {text!r}: use seconds")
    return seconds if 0 < seconds < 1e20 else None
