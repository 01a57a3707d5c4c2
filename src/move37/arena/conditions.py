"""What all games of a ladder or of a tournament share: the board, the rules, the openings, and how they are played.

Who plays, and how often, is theirs to say; nothing is played here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from move37.arena.game import random_opening
from move37.errors import ConfigError
from move37.rules.position import Position
from move37.rules.ruleset import Ruleset, ruleset
from move37.rules.scoring import check_komi

__all__ = ["Conditions", "opening"]


def opening(number: int, *, size: int, rules: str | Ruleset, komi: float, opening_moves: int, seed: int) -> Position:
    """The position from which game `number` begins, drawn from the seed; games 2n and 2n + 1 begin from the same."""
    position = Position(size, rules=rules, komi=komi)
    random_opening(position, opening_moves, np.random.default_rng([seed, number // 2]))
    return position


@dataclass(frozen=True, kw_only=True)
class Conditions:
    """Shared by all games; `ConfigError` or `RulesError` for values out of range."""

    size: int = 9
    komi: float = 7.0
    rules: str = "chinese"
    opening_moves: int = 4
    """Random moves that a pair of games begins with, colours changed: players without chance of their own need them."""
    max_moves: int | None = None
    seed: int = 1
    parallel: int = 1

    def __post_init__(self) -> None:
        if self.parallel < 1 or self.opening_moves < 0 or self.seed < 0:
            raise ConfigError("parallel is 1 or more, opening_moves and seed are 0 or more")
        if self.max_moves is not None and self.max_moves < 1:
            raise ConfigError(f"a game has at least 1 move, max_moves cannot be {self.max_moves}")
        if not 1 <= self.size <= 19:
            raise ConfigError(f"a board has 1 to 19 rows, not {self.size}")
        ruleset(self.rules)
        check_komi(self.komi)

    @property
    def shared(self) -> dict[str, Any]:
        """What decides a game beside its players and its number, for the log."""
        names = ("size", "komi", "rules", "opening_moves", "max_moves", "seed")
        return {name: getattr(self, name) for name in names}

    def start(self, number: int) -> Position:
        """The position from which a pairing's game `number` begins."""
        return opening(
            number,
            size=self.size,
            rules=self.rules,
            komi=self.komi,
            opening_moves=self.opening_moves,
            seed=self.seed,
        )
