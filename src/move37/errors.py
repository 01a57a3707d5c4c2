"""The exceptions for what a person can get wrong.

Each carries one sentence that says what is wrong, where, and what to do; the command line prints it and exits with
code 2. A mistake of the caller's program (a wrong array shape, say) is a plain `ValueError` or `TypeError`,
not one of these.
"""

from __future__ import annotations

__all__ = [
    "CheckpointError",
    "ConfigError",
    "GamesFileError",
    "GtpError",
    "IllegalMoveError",
    "Move37Error",
    "NetworkFileError",
    "PlayerError",
    "RulesError",
    "SetupError",
    "SgfError",
    "VertexError",
]


class Move37Error(Exception):
    """Base of every error of this package that a person can cause."""


class IllegalMoveError(Move37Error):
    """A move that the rules forbid here; the position is unchanged."""


class VertexError(Move37Error):
    """A text that names no point of this board."""


class RulesError(Move37Error):
    """A ruleset, rule value, komi or board size that does not exist."""


class SetupError(Move37Error):
    """Stones that cannot be placed so: a chain without a liberty, a wrong handicap, or after the first move."""


class NetworkFileError(Move37Error):
    """A weights file that is missing, cut short, of another format, or not what its spec says."""


class GamesFileError(Move37Error):
    """A store of games or a game record that is missing, damaged, or lacks a column."""


class CheckpointError(Move37Error):
    """A training run that cannot be saved or resumed; what was saved before is still there."""


class ConfigError(Move37Error):
    """A configuration with an unknown key, a wrong type, or a value out of range."""


class PlayerError(Move37Error):
    """A player that cannot be made or asked: an unknown name or option, or a program that is gone."""


class GtpError(Move37Error):
    """A failed command of the Go Text Protocol, on either side of the pipe."""


class SgfError(Move37Error):
    """A game record that cannot be read at all, or that is asked for something it does not hold."""
