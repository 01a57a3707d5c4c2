"""Replay of stored games into board records, any number in one call.

Points are checked when a store is opened, legality here: an illegal move would leave a record in no valid state.
"""

from __future__ import annotations

from typing import Any

from move37._jit import kernel
from move37.rules.board_kernels import is_legal, play, reset
from move37.rules.setup_kernels import finish_setup, set_stone


@kernel
def replay(
    boards: Any,
    moves: Any,
    move_offsets: Any,
    black_setup: Any,
    black_offsets: Any,
    white_setup: Any,
    white_offsets: Any,
    sizes: Any,
    first_players: Any,
    games: Any,
    plies: Any,
) -> int:
    """Set `boards[i]` (BOARD[B]) to game `games[i]` (int64[B]) after its first `plies[i]` (int64[B]) moves.

    The other arrays are the columns of a `GameStore`. Rule fields and komi of the records stay as they are. Returns -1,
    or the first i whose game has an illegal move (the record's move_number tells which) or a setup chain without
    liberty (its move_number is then 0); records from there on are not set.
    """
    for i in range(len(boards)):
        board = boards[i]
        game = games[i]
        reset(board, sizes[game], sizes[game])
        for k in range(black_offsets[game], black_offsets[game + 1]):
            set_stone(board, black_setup[k], 1)
        for k in range(white_offsets[game], white_offsets[game + 1]):
            set_stone(board, white_setup[k], 2)
        stones = black_offsets[game + 1] - black_offsets[game] + white_offsets[game + 1] - white_offsets[game]
        if stones > 0 and finish_setup(board) >= 0:
            return i
        color = 1 if first_players[game] == 1 else 2
        board["to_play"] = color
        start = move_offsets[game]
        for k in range(start, start + plies[i]):
            move = moves[k]
            if move < sizes[game] * sizes[game] and not is_legal(board, move, color):
                return i
            play(board, move, color)
            color = 3 - color
    return -1
