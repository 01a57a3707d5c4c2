"""All of AlphaGo in Python: the names a user types, each loaded at its first use.

Importing this module imports neither numpy nor numba nor torch.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from move37.errors import IllegalMoveError, Move37Error, VertexError

if TYPE_CHECKING:
    from move37.arena.match import match
    from move37.evaluators.dead_stones import dead_stones
    from move37.evaluators.network import load_network
    from move37.features.encoder import encode
    from move37.gtp.any_player import player
    from move37.rules.batch import batch
    from move37.rules.color import Color
    from move37.rules.ladders import ladders
    from move37.rules.legality import Illegal
    from move37.rules.life import benson
    from move37.rules.position import Position
    from move37.rules.ruleset import Ruleset
    from move37.sgf.files import read_sgf, write_sgf
    from move37.sgf.game_record import GameRecord

__version__ = "0.1.0"

__all__ = [
    "Color",
    "GameRecord",
    "Illegal",
    "IllegalMoveError",
    "Move37Error",
    "Position",
    "Ruleset",
    "VertexError",
    "batch",
    "benson",
    "dead_stones",
    "encode",
    "ladders",
    "load_network",
    "match",
    "player",
    "read_sgf",
    "write_sgf",
]

# Where each name lives; the imports above say the same to type checkers, and a test compares the two.
_HOMES = {
    "Color": "move37.rules.color",
    "GameRecord": "move37.sgf.game_record",
    "Illegal": "move37.rules.legality",
    "Position": "move37.rules.position",
    "Ruleset": "move37.rules.ruleset",
    "batch": "move37.rules.batch",
    "benson": "move37.rules.life",
    "dead_stones": "move37.evaluators.dead_stones",
    "encode": "move37.features.encoder",
    "ladders": "move37.rules.ladders",
    "load_network": "move37.evaluators.network",
    "match": "move37.arena.match",
    "player": "move37.gtp.any_player",
    "read_sgf": "move37.sgf.files",
    "write_sgf": "move37.sgf.files",
}


def __getattr__(name: str) -> Any:
    """Import the module that holds `name` and keep what it gives; AttributeError for any other name."""
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """Every exported name, loaded or not."""
    return sorted({*globals(), *__all__})
