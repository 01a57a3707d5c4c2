"""Every player that can be named in one word or line: the presets, and other programs as `gtp:COMMAND`."""

from __future__ import annotations

from typing import Any

from move37.errors import PlayerError
from move37.gtp.client import GtpPlayer
from move37.players.player import Player
from move37.players.presets import options_of, preset

_PREFIX = "gtp:"
_PROGRAM_OPTIONS = ("timeout", "name")


def player(spec: str, **options: Any) -> Player:
    """Make a player from its text form, for example ``"zero"`` or ``"gtp:gnugo --mode gtp --level 10"``.

    `options` are those of the preset (`net`, `visits`, `time` in seconds a move, ...), or `timeout` and `name` for a
    program; None counts as not given. Raises `PlayerError`, `NetworkFileError` or `GtpError` in one sentence.

    >>> player("random", seed=1).name
    'random'
    """
    words = spec.strip()
    if not words.startswith(_PREFIX):
        return preset(words, **options)
    given = {key: value for key, value in options.items() if value is not None}
    for key in given:
        if key not in _PROGRAM_OPTIONS:
            raise PlayerError(f"player {words!r} has no option {key!r}: give its options in its own command line")
    return GtpPlayer(words.removeprefix(_PREFIX).strip(), **given)


def usable_options(spec: str, **options: Any) -> dict[str, Any]:
    """Those of `options` that the player `spec` takes; for commands that offer one set of options to unlike players."""
    words = spec.strip()
    known = list(_PROGRAM_OPTIONS) if words.startswith(_PREFIX) else options_of(words)
    return {key: value for key, value in options.items() if key in known}
