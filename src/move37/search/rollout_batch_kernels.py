"""Many rollouts of many positions, and what they say of each.

Every rollout has a number, and its stream of chance is that number's alone: so any share of them may be played anywhere
and at any time, and the results are the same.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from move37._jit import kernel
from move37.rules.area_kernels import area_owner
from move37.rules.board_kernels import BLACK, BOARD, BoardArray
from move37.rules.score_kernels import white_points
from move37.search.light_rollout_kernels import light_rollout
from move37.search.rollout_kernels import rollout, seed_random


@kernel
def play_rollouts(
    boards: BoardArray,
    games: int,
    first: int,
    last: int,
    seed: int,
    light: bool,
    margins: NDArray[np.int16],
    owners: NDArray[np.int8],
    moves: NDArray[np.int16],
    lengths: NDArray[np.int16],
) -> int:
    """Play the rollouts ``first <= k < last``, of ``games`` for each board: k is game k % games of board k // games.

    boards: BOARD[B], unchanged. margins: int16[B * games], Black's area margin without komi. owners: int8[n, points],
    who owns each point after rollout k in row k; moves: int16[n, L], the moves of rollout k in row k, and their number
    in lengths: int16[B * games]; where n is 1 only the last rollout's are kept. L is the most moves of a rollout.
    Rollout k uses the stream ``seed + k``. Returns the number of moves played in all.
    """
    work = np.empty(1, BOARD)
    state = np.empty(1, np.uint64)
    total = 0
    for k in range(first, last):
        seed_random(state, seed + k)
        work[0] = boards[k // games]
        row = moves[k if moves.shape[0] > 1 else 0]
        played = light_rollout(work[0], state, row) if light else rollout(work[0], state, row)
        lengths[k] = played
        margins[k] = area_owner(work[0], owners[k if owners.shape[0] > 1 else 0])
        total += played
    return total


@kernel
def write_scores(boards: BoardArray, margins: NDArray[np.int16], out: NDArray[np.float32]) -> None:
    """Final scores for the player to move on each of ``boards: BOARD[B]``: komi and White's other points added.

    ``margins: int16[B, games]`` as `play_rollouts` gives them; ``out: float32[B, games]``.
    """
    for i in range(boards.shape[0]):
        sign = 1.0 if boards[i]["to_play"] == BLACK else -1.0
        white = white_points(boards[i])
        for game in range(margins.shape[1]):
            out[i, game] = sign * (margins[i, game] - white)
