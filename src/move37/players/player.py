"""The seam between a position and whoever moves: `Player.choose(position) -> Decision`.

It does not know protocols, matches or screens; GTP engine, arena, terminal and self-play know only this. A player keeps
no game: it is given the whole position each time, and what it keeps between calls (a search tree, another program's
board) is a cache that it must check against the position it is given.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from move37.errors import PlayerError
from move37.rules.board_kernels import NO_POINT
from move37.rules.color import Color
from move37.rules.position import Position
from move37.rules.repetition_kernels import write_superko_bans
from move37.search.evaluator import Evaluator


@dataclass(frozen=True)
class Clock:
    """What GTP's `time_settings` and `time_left` said for the player to move; seconds; None where nothing was said.

    A player may ignore it. Those of this package think by visits, or by a fixed time a move, so far.
    """

    main_time: float | None = None
    byo_yomi_time: float | None = None
    byo_yomi_stones: int | None = None
    time_left: float | None = None
    stones_left: int | None = None


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
        """Choose for `position.to_play`; the position stays as it is. Raises a `Move37Error` where it cannot."""
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
