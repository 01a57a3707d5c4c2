"""Many games advanced by one call. Each game is a record with its own row of superko keys; finished games stay."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from move37._jit import kernel
from move37.rules.board_kernels import (
    LEGAL,
    OFF_BOARD,
    BoardArray,
    is_over,
    legal_mask,
    play,
    why_illegal,
)
from move37.rules.repetition_kernels import record_keys, superko_key, write_superko_bans
from move37.rules.score_kernels import black_margin


@kernel
def first_wrong(boards: BoardArray, actions: NDArray[np.int64], done: NDArray[np.bool_]) -> tuple[int, int]:
    """The first game whose action is wrong, and why (a code of `why_illegal`); (-1, 0) if all are right.

    Right is a legal move in a game that goes on and -1 in a finished one; any other action there gives LEGAL as its
    reason.
    """
    for game in range(boards.shape[0]):
        action = actions[game]
        if done[game]:
            if action != -1:
                return game, LEGAL
            continue
        if action < 0 or action > boards[game]["rows"] * boards[game]["cols"]:
            return game, OFF_BOARD
        reason = why_illegal(boards[game], action, boards[game]["to_play"])
        if reason != LEGAL:
            return game, reason
    return -1, LEGAL


@kernel
def start_keys(
    boards: BoardArray, games: NDArray[np.bool_], keys: NDArray[np.uint64], counts: NDArray[np.int64]
) -> None:
    """Make the present position the first of the chosen games. ``keys: uint64[B, >= 1]``, ``counts: int64[B]``."""
    for game in range(boards.shape[0]):
        if games[game]:
            keys[game, 0] = superko_key(boards[game])
            counts[game] = 1


@kernel
def play_all(
    boards: BoardArray, actions: NDArray[np.int64], keys: NDArray[np.uint64], counts: NDArray[np.int64]
) -> None:
    """Play one move in every game whose action is not -1 and write the next player's superko bans.

    ``keys: uint64[B, >= counts.max() + KEYS_A_PLY]``; trusts legality.
    """
    for game in range(boards.shape[0]):
        if actions[game] < 0:
            continue
        board = boards[game]
        play(board, actions[game], board["to_play"])
        counts[game] = record_keys(board, keys[game], counts[game])
        write_superko_bans(board, board["to_play"], keys[game], counts[game])


@kernel
def write_over(boards: BoardArray, out: NDArray[np.bool_]) -> None:
    """Write ``out: bool[B]``: which games are over."""
    for game in range(boards.shape[0]):
        out[game] = is_over(boards[game])


@kernel
def legal_masks(boards: BoardArray, done: NDArray[np.bool_], out: NDArray[np.bool_]) -> None:
    """Write ``out: bool[B, A]``: the legal moves of each game's player to move, none in a finished game."""
    for game in range(boards.shape[0]):
        if done[game]:
            out[game, :] = False
        else:
            legal_mask(boards[game], boards[game]["to_play"], out[game])


@kernel
def black_margins(boards: BoardArray, out: NDArray[np.float64]) -> None:
    """Write ``out: float64[B]``: points Black is ahead, see `score_kernels.black_margin`."""
    for game in range(boards.shape[0]):
        out[game] = black_margin(boards[game])
