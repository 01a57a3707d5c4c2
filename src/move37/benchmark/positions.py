"""Positions to measure on: games of random legal moves, the same on every machine."""

from __future__ import annotations

import numpy as np

from move37.rules.board_kernels import BOARD, BoardArray, legal_mask, play, reset

__all__ = ["midgame"]


def midgame(count: int, size: int, plies: int, seed: int = 37) -> BoardArray:
    """`count` positions BOARD[count] on a square board after `plies` random legal moves (no passes)."""
    rng = np.random.default_rng(seed)
    boards = np.zeros(count, BOARD)
    mask = np.zeros(size * size + 1, np.bool_)
    for board in boards:
        reset(board, size, size)
        board["komi"] = 7.5
        for _ in range(plies):
            legal_mask(board, int(board["to_play"]), mask)
            choices = np.flatnonzero(mask[:-1])
            if len(choices) == 0:
                break
            play(board, int(rng.choice(choices)), int(board["to_play"]))
    return boards
