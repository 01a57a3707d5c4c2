"""A player in one line: `lee`, or `lee,mix=0,visits=400`, or `gtp:COMMAND`.

Options are those of the preset's function. Reads and checks the text; making the player is `any_player`'s business.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from move37.errors import PlayerError
from move37.players.presets import PRESETS, options_of
from move37.search.time_words import duration

__all__ = ["PROGRAM", "PROGRAM_OPTIONS", "PlayerWords", "player_words"]

PROGRAM = "gtp:"
PROGRAM_OPTIONS = ("timeout", "name")
_TIMES = ("time", "lag")
_TRUTHS = {"true": True, "false": False}


@dataclass(frozen=True)
class PlayerWords:
    """What a line names: a preset with its own options, or a program's command."""

    name: str
    options: dict[str, Any]
    is_program: bool

    @property
    def known(self) -> list[str]:
        """Names of the options that it takes from outside."""
        return list(PROGRAM_OPTIONS) if self.is_program else options_of(self.name)


def player_words(text: str) -> PlayerWords:
    """Read a player's line; `PlayerError` in one sentence for an unknown preset or option, and for a bad value."""
    words = text.strip()
    if words.startswith(PROGRAM):
        return PlayerWords(words.removeprefix(PROGRAM).strip(), {}, is_program=True)
    name, *given = (word.strip() for word in words.split(","))
    known = options_of(name)
    options: dict[str, Any] = {}
    for word in given:
        key, equals, value = word.partition("=")
        key = key.strip().replace("-", "_")
        if not equals or key not in known:
            raise PlayerError(
                f"player {name!r} has no option {word!r}: it takes {', '.join(known)}, each as NAME=VALUE"
            )
        options[key] = _value(name, key, value.strip())
    return PlayerWords(name, options, is_program=False)


def _truth(word: str) -> bool:
    return _TRUTHS[word.lower()]


def _value(name: str, key: str, text: str) -> Any:
    """The value as the kind that the preset's function asks for."""
    kind = str(inspect.signature(PRESETS[name]).parameters[key].annotation).removesuffix(" | None")
    number: Callable[[str], float | None] = duration if key in _TIMES else float
    read: dict[str, Callable[[str], Any]] = {"int": int, "float": number, "bool": _truth}
    try:
        value = read.get(kind, str)(text)
    except (ValueError, KeyError):
        value = None
    if value is None or value == "":
        raise PlayerError(f"player {name!r} has an option {key!r}, but {text!r} is no value for it")
    return value
