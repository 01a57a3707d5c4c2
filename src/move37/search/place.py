"""A position on a line of play, for searches in Python that walk a tree: small, and each place keeps its own past.

It chooses nothing. The compiled searches have their own way down, `collect_kernels`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from move37.rules.area_kernels import area_score
from move37.rules.board_kernels import BLACK, BoardArray, is_over, legal_mask, play
from move37.rules.repetition_kernels import KEYS_A_PLY, record_keys, write_superko_bans
from move37.rules.score_kernels import black_margin
from move37.search.following import GamePosition

__all__ = ["Place"]


@dataclass(frozen=True, eq=False)
class Place:
    """A position: board BOARD[1] with its superko bans, and the keys uint64[n] of its game, by which they are found."""

    board: BoardArray
    keys: NDArray[np.uint64]

    def __post_init__(self) -> None:
        """Write the superko bans."""
        write_superko_bans(self.board[0], self.board[0]["to_play"], self.keys, len(self.keys))

    @classmethod
    def of(cls, position: GamePosition) -> Place:
        """The place where a game stands; the game is not changed."""
        return cls(np.array([position.board]), position.superko_keys)

    def after(self, move: int) -> Place:
        """The place after a legal move."""
        board = self.board.copy()
        play(board[0], move, board[0]["to_play"])
        keys = np.concatenate([self.keys, np.zeros(KEYS_A_PLY, np.uint64)])
        return Place(board, keys[: record_keys(board[0], keys, len(self.keys))])

    @property
    def to_play(self) -> int:
        """1 Black, 2 White."""
        return int(self.board[0]["to_play"])

    @property
    def passes(self) -> int:
        """Passes just made in a row."""
        return int(self.board[0]["passes"])

    @property
    def is_over(self) -> bool:
        """Whether the rules end the game here."""
        return bool(is_over(self.board[0]))

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return int(self.board[0]["rows"]), int(self.board[0]["cols"])

    @property
    def key(self) -> tuple[int, ...]:
        """What equal positions share, their past left out."""
        board = self.board[0]
        return tuple(int(board[name]) for name in ("stones_hash", "to_play", "passes", "ko_point"))

    def moves(self) -> list[int]:
        """Legal moves, points first and the pass last."""
        rows, cols = self.shape
        legal = np.zeros(rows * cols + 1, np.bool_)
        legal_mask(self.board[0], self.board[0]["to_play"], legal)
        return [int(move) for move in np.flatnonzero(legal)]

    def margin(self) -> float:
        """Points, komi counted, that the player to move would be ahead by if the game ended here."""
        margin = float(black_margin(self.board[0]))
        return margin if self.to_play == BLACK else -margin

    @property
    def uneven(self) -> float:
        """Points of `margin` that are not area: komi and White's bonus, for the player to move."""
        area = area_score(self.board[0])
        return self.margin() - (area if self.to_play == BLACK else -area)

    def prisoners(self, color: int) -> int:
        """Stones that a colour has taken."""
        return int(self.board[0]["prisoners"][color])
