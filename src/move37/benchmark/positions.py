"""Positions to measure on: of games of random legal moves, the same on every machine, or of a folder of records."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from move37.errors import ConfigError, Move37Error
from move37.rules.board_kernels import BOARD, BoardArray, legal_mask, play, reset

__all__ = ["midgame", "recorded"]


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


def recorded(folder: Path, count: int, size: int) -> BoardArray:
    """`count` positions BOARD[count] from the SGF files below `folder`, one from the middle of each game on this size.

    ConfigError if there are none; files that cannot be read are passed over, too few games are used again.
    """
    from move37.sgf.files import read_sgf

    found: list[np.void] = []
    for path in sorted(folder.rglob("*.sgf")):
        try:
            positions = list(read_sgf(path).positions())
        except Move37Error:
            continue
        if len(positions) > size and (positions[0].rows, positions[0].cols) == (size, size):
            found.append(positions[len(positions) // 2].board.copy())
        if len(found) == count:
            break
    if not found:
        raise ConfigError(f"{folder} holds no SGF file of a game on {size}x{size}; name another folder with --records.")
    boards = np.zeros(count, BOARD)
    for i in range(count):
        boards[i] = found[i % len(found)]
    return boards
