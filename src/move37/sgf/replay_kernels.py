"""Playing a list of moves on one board record, each checked before it is played."""

from __future__ import annotations

from typing import Any

from move37._jit import kernel
from move37.rules.board_kernels import LEGAL, Board, play, why_illegal


@kernel
def play_moves(board: Board, points: Any, colors: Any) -> int:
    """Play ``points`` (int16[N]) by ``colors`` (int8[N]) up to the first that is illegal; returns how many were played.

    Superko is not looked at: that needs the keys of the game.
    """
    for i in range(len(points)):
        if why_illegal(board, points[i], colors[i]) != LEGAL:
            return i
        play(board, points[i], colors[i])
    return len(points)
