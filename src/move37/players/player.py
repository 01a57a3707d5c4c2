"""The seam between a position and whoever moves: `Player.choose(position) -> Decision`.

It does not know protocols, matches or screens; GTP engine, arena, terminal and self-play know only this. A player keeps
no game: it is given the whole position each time, and what it keeps between calls (a search tree, another program's
board) is a cache that it must check against the position it is given.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from move37.errors import PlayerError
from move37.nets.graph import NetworkSpec
from move37.rules.board_kernels import NO_POINT
from move37.rules.color import Color
from move37.rules.position import Position
from move37.rules.repetition_kernels import write_superko_bans
from move37.search.clock import Clock, TimeSystem
from move37.search.evaluator import Evaluator
from move37.search.limits import Stopper, StopRequest
from move37.search.restriction import Restriction
from move37.search.result import SearchResult
from move37.search.root import AnySearch, Report

__all__ = [
    "Analyst",
    "Clock",
    "Decision",
    "Judge",
    "Player",
    "Preparing",
    "Seer",
    "TimeSystem",
    "judge_of",
    "require_size",
    "with_to_play",
]


@dataclass(frozen=True)
class Decision:
    """What a player chose, and what it thought.

    move: a point (row-major from the top left) or rows * cols for a pass; None only with `resign`.
    value: expected result in [-1, 1] for the player to move; None where the player has no opinion.
    visits: float64[A], how much the player liked each move (search visits, or probabilities); None where it has none.
    tree: the search's own tree, for those who want to look; None where there was no search.
    """

    move: int | None
    resign: bool = False
    value: float | None = None
    visits: NDArray[np.float64] | None = field(default=None, repr=False)
    tree: Any = None

    @property
    def win_rate(self) -> float | None:
        """The chance in [0, 1] that the player to move wins, a draw as half; None without a value."""
        return None if self.value is None else (self.value + 1) / 2


class Player(Protocol):
    """Chooses moves. Not safe for two threads at once: parallel games take a player each."""

    @property
    def name(self) -> str:
        """How the player is named in logs and answers."""
        ...

    def supports(self, rows: int, cols: int) -> bool:
        """Whether the player can play on a board of this size."""
        ...

    def choose(self, position: Position, clock: Clock | None = None) -> Decision:
        """Choose for `position.to_play`; the position stays as it is. Raises a `Move37Error` where it cannot.

        `clock` is that of `position.to_play`; a player may ignore it. Without one, or with one of the system "none",
        the player's own settings say how long it thinks.
        """
        ...

    def close(self) -> None:
        """Let go of programs and memory; the player is not used afterwards."""
        ...


@runtime_checkable
class Judge(Protocol):
    """A player that can also say which stones are dead, by its network's ownership."""

    def judge(self, rows: int, cols: int) -> Evaluator | None:
        """What it judges boards of this size by; None where it has no network for them."""
        ...


@runtime_checkable
class Analyst(Protocol):
    """A player that searches, and whose search can be looked at, guided and stopped. Not for two threads at once."""

    def choose(
        self,
        position: Position,
        clock: Clock | None = None,
        *,
        stop: StopRequest | None = None,
        restrictions: Sequence[Restriction] = (),
        report: Report | None = None,
        every: float = 1.0,
        ownership: bool = False,
    ) -> Decision:
        """See `Player`.

        `stop` ends the thinking early (a move is chosen nevertheless); `report` is told of the search under way, at
        most once in `every` seconds. `restrictions` and `ownership` are those of `analyze`.
        """
        ...

    def analyze(
        self,
        position: Position,
        limits: Stopper,
        restrictions: Sequence[Restriction] = (),
        *,
        report: Report | None = None,
        every: float = 1.0,
        ownership: bool = False,
    ) -> SearchResult:
        """Search with the player's own kept search until `limits` stop it; nothing is decided or played.

        `restrictions` and `ownership` (averaged over the tree) are those of `AnySearch.run`.
        """
        ...

    def ponder(self, position: Position, stop: StopRequest) -> SearchResult:
        """Search while the other side (`position.to_play`) thinks, until `stop`; the tree is kept for `choose`."""
        ...

    def new_search(self, rows: int, cols: int, **overrides: Any) -> AnySearch:
        """A fresh search for boards of a size on the player's own evaluator, beside the kept one.

        `overrides` replace options of its configuration by name; `ConfigError` for one that it does not have.
        """
        ...


@runtime_checkable
class Seer(Protocol):
    """A player with a network that can be asked by itself, without search, cache or turning of the board."""

    @property
    def specs(self) -> list[NetworkSpec]:
        """Its networks, for every board size; none where somebody else made the evaluator."""
        ...

    def network(self, rows: int, cols: int) -> Evaluator:
        """The network for boards of a size; `NetworkFileError` in one sentence where there is none."""
        ...


@runtime_checkable
class Preparing(Protocol):
    """A player that can get ready for a board size before a clock runs."""

    def prepare(self, rows: int, cols: int) -> None:
        """Do now what the first move would have to wait for: load a network, compile kernels, start a game."""
        ...


def judge_of(player: Player, position: Position) -> Evaluator | None:
    """What `player` judges the stones of `position` by, for `evaluators.dead_stones`; None if it has no such thing."""
    return player.judge(position.rows, position.cols) if isinstance(player, Judge) else None


def require_size(player: Player, rows: int, cols: int) -> None:
    """Raise a `PlayerError` in one sentence if `player` cannot play on a board of this size."""
    if not player.supports(rows, cols):
        raise PlayerError(f"player {player.name!r} cannot play on {rows}x{cols}: choose another board size or network")


def with_to_play(position: Position, color: Color) -> Position:
    """Return `position`, or a copy in which it is `color`'s turn where it is not (a controller may ask out of turn).

    The copy is for choosing a move: history and moves are those of the game, a simple ko does not bind (who fills it
    does not retake it), superko does.
    """
    if position.to_play == color:
        return position
    turned = position.copy()
    turned.board["to_play"] = int(color)
    turned.board["ko_point"] = NO_POINT
    keys = turned.superko_keys
    write_superko_bans(turned.board, int(color), keys, len(keys))
    return turned
