"""Perfect play on tiny boards, by an alpha-beta search that shares nothing with the package."""

from __future__ import annotations

import numpy as np
import pytest

from move37.rules.position import Position
from tests.support.alpha_beta import BLACK, WHITE, SmallBoard, can_reach


def test_three_by_three_is_worth_nine_points_to_black() -> None:
    # 9 is every point of the board, so a proof of 9 is the exact value.
    assert can_reach(SmallBoard(3, 3), 9, depth=15)
    assert not can_reach(SmallBoard(3, 3), 9, depth=10)


def test_two_by_two_is_worth_one_point_to_black() -> None:
    assert can_reach(SmallBoard(2, 2), 1, depth=11)
    assert can_reach(SmallBoard(2, 2), -1, depth=11, prover=WHITE)


@pytest.mark.parametrize("seed", range(5))
def test_the_small_board_plays_and_counts_as_the_rules_do(seed: int) -> None:
    rng = np.random.default_rng(seed)
    position = Position(rows=3, cols=4, rules={"ko": "positional", "suicide": False}, komi=0)
    board, stones, seen = SmallBoard(3, 4), (0, 0), {(0, 0)}
    for ply in range(30):
        player = (BLACK, WHITE)[ply % 2]
        moves = {move[0]: move for move in board.moves(stones[player], stones[1 - player], seen, player == BLACK)}
        assert set(moves) == set(np.flatnonzero(position.legal_mask()[:-1]))
        assert position.score().black_margin == board.area(*stones)
        if not moves:
            return
        point, own, other = moves[int(rng.choice(sorted(moves)))]
        position.play(point)
        stones = (own, other) if player == BLACK else (other, own)
        seen.add(stones)
