"""One record and how it came to be: the moves, the keys of the game (see `repetition_kernels`), and the way back.

Every sixteenth record is kept as a snapshot; going back restores the last one before the goal and replays from there.
Moves are trusted to be legal.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from move37.rules import board_kernels, repetition_kernels
from move37.rules.board_kernels import Board, BoardArray
from move37.rules.color import Color

SNAPSHOT_EVERY: Final = 16


class GameHistory:
    """A game so far.

    ``boards``: the present record, ``BOARD[1]``; ``moves``: (colour, point) of each; ``keys[:key_count]``: the game's
    keys, uint64, those of the start first.
    """

    def __init__(self, boards: BoardArray) -> None:
        """Start a game at the record ``boards[0]``, which is kept, not copied."""
        self.boards = boards
        self.moves: list[tuple[Color, int]] = []
        self.keys: NDArray[np.uint64] = np.zeros(64, dtype=np.uint64)
        self.keys[0] = repetition_kernels.superko_key(boards[0])
        self.key_count = 1
        self._write_bans()
        self._snapshots: list[tuple[BoardArray, int]] = [(boards.copy(), 1)]

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
        self.boards[:], self.key_count = self._snapshots[-1]
        for color, point in replay:
            self._advance(color, point)
        self.board["komi"], self.board["white_bonus"] = komi, bonus
        self._write_bans()

    def start(self) -> BoardArray:
        """A copy of the record before the first move, ``BOARD[1]``."""
        return self._snapshots[0][0].copy()

    def copy(self) -> GameHistory:
        """An independent twin."""
        twin = object.__new__(GameHistory)
        twin.boards = self.boards.copy()
        twin.moves = self.moves.copy()
        twin.keys = self.keys.copy()
        twin.key_count = self.key_count
        twin._snapshots = self._snapshots.copy()  # the records in it are never written to
        return twin

    def as_seen_by(self, color: Color) -> Board:
        """A record whose superko bans are those of ``color``: this one if it is to move, else a copy."""
        if int(self.board["to_play"]) == color or not self.has_bans():
            return self.board
        twin = self.boards.copy()
        repetition_kernels.write_superko_bans(twin[0], int(color), self.keys, self.key_count)
        return twin[0]

    def _advance(self, color: Color, point: int) -> None:
        board_kernels.play(self.board, point, int(color))
        self.moves.append((color, point))
        if self.key_count + repetition_kernels.KEYS_A_PLY > len(self.keys):
            self.keys = np.concatenate([self.keys, np.zeros_like(self.keys)])
        self.key_count = repetition_kernels.record_keys(self.board, self.keys, self.key_count)
        count = len(self.moves)
        if count % SNAPSHOT_EVERY == 0 and count // SNAPSHOT_EVERY == len(self._snapshots):
            self._snapshots.append((self.boards.copy(), self.key_count))

    def has_bans(self) -> bool:
        """Whether earlier positions may forbid moves now: under superko and in the encore phases."""
        return bool(self.board["ko_rule"] or self.board["phase"])

    def _write_bans(self) -> None:
        if self.has_bans():
            repetition_kernels.write_superko_bans(self.board, int(self.board["to_play"]), self.keys, self.key_count)
