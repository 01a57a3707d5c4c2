from __future__ import annotations

import numpy as np
import pytest

from move37.rules import symmetry
from move37.rules.symmetry import SYMMETRIES

SHAPES = [(1, 1), (2, 2), (5, 5), (19, 19), (3, 5), (19, 2)]


@pytest.mark.parametrize(("rows", "cols"), SHAPES)
def test_a_stone_and_its_board_turn_alike(rows: int, cols: int) -> None:
    for s in symmetry.allowed(rows, cols):
        for point in range(rows * cols):
            board = np.zeros((rows, cols), dtype=np.int8)
            board.flat[point] = 1
            turned = symmetry.apply(s, board)
            assert turned.shape == (rows, cols)
            assert np.flatnonzero(turned).tolist() == [symmetry.point(s, point, rows, cols)]
        assert symmetry.point(s, rows * cols, rows, cols) == rows * cols


@pytest.mark.parametrize("first", SYMMETRIES)
@pytest.mark.parametrize("then", SYMMETRIES)
def test_composition(first: int, then: int) -> None:
    board = np.arange(2 * 25).reshape(2, 5, 5)
    both = symmetry.apply(then, symmetry.apply(first, board))
    assert np.array_equal(both, symmetry.apply(symmetry.compose(first, then), board))


def test_group() -> None:
    board = np.arange(9).reshape(3, 3)
    assert len({symmetry.apply(s, board).tobytes() for s in SYMMETRIES}) == 8
    for s in SYMMETRIES:
        assert symmetry.compose(s, symmetry.inverse(s)) == 0
        assert symmetry.compose(symmetry.inverse(s), s) == 0


@pytest.mark.parametrize(
    ("s", "goes_to"),
    [(0, "A3"), (1, "A1"), (2, "C3"), (3, "C1"), (4, "A3"), (5, "C3"), (6, "A1"), (7, "C1")],
)
def test_where_the_upper_left_corner_goes(s: int, goes_to: str) -> None:
    corners = {"A3": 0, "C3": 2, "A1": 6, "C1": 8}
    assert symmetry.point(s, 0, 3, 3) == corners[goes_to]


@pytest.mark.parametrize(("rows", "cols"), SHAPES)
def test_policies_follow_their_board(rows: int, cols: int) -> None:
    policy = np.arange(rows * cols + 1) * 3
    for s in symmetry.allowed(rows, cols):
        turned = symmetry.apply_policy(s, policy, rows, cols)
        assert turned[-1] == policy[-1]
        for point in range(rows * cols):
            assert turned[symmetry.point(s, point, rows, cols)] == policy[point]
        back = symmetry.apply_policy(symmetry.inverse(s), turned, rows, cols)
        assert np.array_equal(back, policy)


def test_batches_of_policies() -> None:
    policies = np.arange(3 * 10).reshape(3, 10)
    turned = symmetry.apply_policy(5, policies, 3, 3)
    assert np.array_equal(turned[1], symmetry.apply_policy(5, policies[1], 3, 3))


def test_allowed() -> None:
    assert symmetry.allowed(9, 9) == SYMMETRIES
    assert symmetry.allowed(9, 13) == (0, 1, 2, 3)


def test_a_rectangle_cannot_be_transposed() -> None:
    with pytest.raises(ValueError, match="5x3"):
        symmetry.apply(4, np.zeros((5, 3)))
    with pytest.raises(ValueError, match="numbered 0 to 7"):
        symmetry.point(8, 0, 3, 3)
    with pytest.raises(ValueError, match="10 entries"):
        symmetry.apply_policy(0, np.zeros(9), 3, 3)


def test_a_permutation_cannot_be_spoilt() -> None:
    with pytest.raises(ValueError, match="read-only"):
        symmetry.permutation(1, 3, 3)[0] = 0
