"""How fast unconditional life is found, both colours, on 19x19 boards of all ages, one core.

A third of the boards are finished games, in which much lives; in the others hardly anything does.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from move37.benchmark.figures import Figure, best_rate, figure, require
from move37.benchmark.positions import midgame
from move37.rules.board_kernels import BLACK, NO_POINT, WHITE, BoardArray
from move37.rules.life_kernels import benson_batch
from move37.rules.records import stones_grid
from move37.rules.setup_kernels import finish_setup
from move37.search.rollout_kernels import rollout, seed_random

__all__ = ["life_group"]

SIZE = 19
REFERENCE = 50_000.0  # boards a second: what the design asks of one core


def life_group() -> Iterator[Figure]:
    """Benson's algorithm for both colours, without suicide."""
    boards = np.concatenate([midgame(64, SIZE, 90), midgame(64, SIZE, 200), _finished(64)])
    alive, territory = (np.zeros((len(boards), 2, SIZE * SIZE), np.bool_) for _ in range(2))
    benson_batch(boards, False, alive, territory)
    _check(boards, alive, territory)

    def work() -> float:
        for _ in range(50):
            benson_batch(boards, False, alive, territory)
        return 50.0 * len(boards)

    yield figure("benson-19", best_rate(work), "boards/s", REFERENCE)


def _finished(count: int) -> BoardArray:
    """Boards on which random games ended."""
    boards = midgame(count, SIZE, 60)
    state, moves = np.zeros(1, np.uint64), np.zeros(3 * SIZE * SIZE, np.int16)
    for seed, board in enumerate(boards):
        seed_random(state, seed)
        rollout(board, state, moves)
        require(finish_setup(board) == NO_POINT, "a rollout left a chain without a liberty")
    return boards


def _check(boards: BoardArray, alive: NDArray[np.bool_], territory: NDArray[np.bool_]) -> None:
    """Only stones of the colour live, none in the other side's territory, and finished games have both in plenty."""
    for i, board in enumerate(boards):
        stones = stones_grid(board).ravel()
        for color in (BLACK, WHITE):
            mine = alive[i, color - 1]
            require(bool(np.all(stones[mine] == color)), "a point without a stone of the colour was called alive")
            require(not np.any(mine & territory[i, 2 - color]), "a living stone lies in the other side's territory")
    require(bool(alive[-64:].sum() > 5000), "hardly anything lives in finished games")
