"""Every player that can be named in one word or line: the presets, and other programs as `gtp:COMMAND`."""

from __future__ import annotations

from typing import Any

from move37.errors import PlayerError
from move37.gtp.client import GtpPlayer
from move37.gtp.player_words import PROGRAM, PROGRAM_OPTIONS, player_words
from move37.players.player import Player
from move37.players.presets import preset


def player(spec: str, **options: Any) -> Player:
    """Make a player from its text form: ``"zero"``, ``"lee,mix=0,visits=400"``, ``"gtp:gnugo --mode gtp --level 10"``.

    `options` are those of the preset (`net`, `visits`, `time` in seconds a move, ...), or `timeout` and `name` for a
    program; None counts as not given, and what the text says itself comes first. Raises `PlayerError`,
    `NetworkFileError` or `GtpError` in one sentence.

    >>> player("random", seed=1).name
    'random'
    """
    words = player_words(spec)
    if not words.is_program:
        return preset(words.name, **options | words.options)
    given = {key: value for key, value in options.items() if value is not None}
    for key in given:
        if key not in PROGRAM_OPTIONS:
            text = f"{PROGRAM}{words.name}"
            raise PlayerError(f"player {text!r} has no option {key!r}: give its options in its own command line")
    return GtpPlayer(words.name, **given)


def usable_options(spec: str, **options: Any) -> dict[str, Any]:
    """Those of `options` that the player `spec` takes and does not set itself.

    For commands that offer one set of options to unlike players.
    """
    words = player_words(spec)
    taken = {key: value for key, value in options.items() if key in words.known and key not in words.options}
    if "rank" in words.options or "visits" in words.options:  # a rank has visits of its own
        return {key: value for key, value in taken.items() if key not in ("rank", "visits")}
    return taken
