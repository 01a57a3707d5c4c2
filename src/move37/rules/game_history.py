"""One record and how it came to be: the moves, the superko keys of all positions, and the way back.

Every sixteenth record is kept as a snapshot; going back restores the last one before the goal and replays from there.
Moves are trusted to be legal.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from move37.rules import board_kernels
from move37.rules.board_kernels import Board, BoardArray
from move37.rules.color import Color

SNAPSHOT_EVERY: Final = 16


class GameHistory:
    """A game so far.

    ``boards``: the present record, ``BOARD[1]``; ``moves``: (colour, point) of each;
    ``keys``: ``uint64[> len(moves)]``.
    """

    def __init__(self, boards: BoardArray) -> None:
        """Start a game at the record ``boards[0]``, which is kept, not copied."""
        self.boards = boards
        self.moves: list[tuple[Color, int]] = []
        self.keys: NDArray[np.uint64] = np.zeros(64, dtype=np.uint64)
        self.keys[0] = board_kernels.superko_key(boards[0])
        self._write_bans()
        self._snapshots: list[BoardArray] = [boards.copy()]

    @property
    def board(self) -> Board:
        """The present record, a view."""
        return self.boards[0]

    def play(self, color: Color, point: int) -> None:
        """Play a legal move and write the superko bans of the next player."""
        self._advance(color, point)
        self._write_bans()

    def go_back_to(self, count: int) -> None:
        """Make the record that of the first ``count`` moves; komi and White's bonus stay as they are now."""
        komi, bonus = self.board["komi"], self.board["white_bonus"]
        replay = self.moves[count - count % SNAPSHOT_EVERY : count]
        del self._snapshots[count // SNAPSHOT_EVERY + 1 :]
        del self.moves[count - count % SNAPSHOT_EVERY :]
        self.boards[:] = self._snapshots[-1]
        for color, point in replay:
            self._advance(color, point)
        self.board["komi"], self.board["white_bonus"] = komi, bonus
        self._write_bans()

    def copy(self) -> GameHistory:
        """An independent twin."""
        twin = object.__new__(GameHistory)
        twin.boards = self.boards.copy()
        twin.moves = self.moves.copy()
        twin.keys = self.keys.copy()
        twin._snapshots = self._snapshots.copy()  # the records in it are never written to
        return twin

    def as_seen_by(self, color: Color) -> Board:
        """A record whose superko bans are those of ``color``: this one if it is to move, else a copy."""
        if int(self.board["to_play"]) == color or not self.board["ko_rule"]:
            return self.board
        twin = self.boards.copy()
        board_kernels.write_superko_bans(twin[0], int(color), self.keys, len(self.moves) + 1)
        return twin[0]

    def _advance(self, color: Color, point: int) -> None:
        board_kernels.play(self.board, point, int(color))
        self.moves.append((color, point))
        count = len(self.moves)
        if count == len(self.keys):
            self.keys = np.concatenate([self.keys, np.zeros_like(self.keys)])
        self.keys[count] = board_kernels.superko_key(self.board)
        if count % SNAPSHOT_EVERY == 0 and count // SNAPSHOT_EVERY == len(self._snapshots):
            self._snapshots.append(self.boards.copy())

    def _write_bans(self) -> None:
        if self.board["ko_rule"]:
            board_kernels.write_superko_bans(self.board, int(self.board["to_play"]), self.keys, len(self.moves) + 1)
