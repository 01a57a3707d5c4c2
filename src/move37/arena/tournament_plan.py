"""What a tournament plays: its file (TOML), its pairings, and the order of its games.

A round-robin, everybody against everybody, or a gauntlet, some against all others. A pairing's games are numbered from
0; games 2n and 2n + 1 begin from the same random opening with colours changed, and all pairings have the same
openings. Playing is `tournament`'s business, what came of it `standings`'.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

from move37.arena.conditions import Conditions
from move37.arena.sprt import Sprt
from move37.config import load_toml
from move37.errors import ConfigError
from move37.gtp.player_words import player_words
from move37.search.clock import TimeSystem
from move37.search.time_words import time_system

__all__ = ["Pairing", "Tournament", "load_tournament"]

_UNFIT = re.compile(r'[\x00-\x1f\x7f/\\:*?"<>|]')
"""What names of files cannot hold on one system or another."""


@dataclass(frozen=True)
class Pairing:
    """Two players, by their names in the tournament."""

    a: str
    b: str

    @property
    def title(self) -> str:
        """For messages."""
        return f"{self.a} against {self.b}"

    @property
    def stem(self) -> str:
        """What the pairing's files are called."""
        return _UNFIT.sub("_", self.title)

    def name(self, side: str) -> str:
        """Who plays as "A" or "B"."""
        return self.a if side == "A" else self.b


@dataclass(frozen=True)
class Tournament(Conditions):
    """Players by name, each a text for `go.player`, and how they meet."""

    players: dict[str, str]
    name: str = "tournament"
    games: int = 20
    """Of each pairing, at most; even, so that each opening is played with both colours."""
    gauntlet: tuple[str, ...] = ()
    """Who meets all others, but not each other; nobody: everybody meets everybody."""
    sprt: float | None = None
    """A pairing ends once it is 95 % sure whether its first player scores one half or so much, such as 0.6."""
    clock: str | None = None
    """Time of each side, such as "5m+3s"."""
    anchor: str | None = None
    """Whose Elo is given; nobody: the mean of all is."""
    anchor_elo: float = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(self.players) < 2:
            raise ConfigError("a tournament needs two players or more")
        if self.games < 2 or self.games % 2:
            raise ConfigError(f"each opening is played with both colours: games cannot be {self.games}, but 2, 4, ...")
        for name in (*self.gauntlet, *(() if self.anchor is None else (self.anchor,))):
            if name not in self.players:
                raise ConfigError(f"there is no player {name!r} in this tournament: use {', '.join(self.players)}")
        if not self.pairings:
            raise ConfigError("nobody is left to meet those in the gauntlet")
        if len({pairing.stem.casefold() for pairing in self.pairings}) < len(self.pairings):
            raise ConfigError("two pairings would have the same names of files: give the players other names")
        _ = self.test, self.time_system  # they raise what is wrong

    @property
    def pairings(self) -> list[Pairing]:
        """All pairings, the player named earlier (of a gauntlet: its own) as A."""
        if not self.gauntlet:
            return [Pairing(a, b) for a, b in combinations(self.players, 2)]
        others = [name for name in self.players if name not in self.gauntlet]
        return [Pairing(a, b) for a in dict.fromkeys(self.gauntlet) for b in others]

    @property
    def order(self) -> Iterator[tuple[Pairing, int]]:
        """All games, pair by pair of every pairing in turn, so that all ratings grow sure together."""
        pairings = self.pairings
        return ((pairing, 2 * n + half) for n in range(self.games // 2) for pairing in pairings for half in (0, 1))

    @property
    def test(self) -> Sprt | None:
        """The sequential test of every pairing, if there is one."""
        return None if self.sprt is None else Sprt(self.sprt)

    @property
    def time_system(self) -> TimeSystem | None:
        """The sides' clock, if there is one."""
        return None if self.clock is None else time_system(self.clock)

    def key(self, pairing: Pairing) -> dict[str, Any]:
        """What a game must have been played with to belong to `pairing`; the log's lines hold it."""
        texts = {"spec_a": self.players[pairing.a], "spec_b": self.players[pairing.b], "clock": self.clock}
        return {"a": pairing.a, "b": pairing.b} | texts | self.shared


def load_tournament(path: Path | str) -> Tournament:
    """The tournament of a TOML file; `ConfigError` or `PlayerError` in one sentence for what cannot be played."""
    tournament = load_toml(Tournament, path)
    for text in tournament.players.values():
        player_words(text)
    return tournament
