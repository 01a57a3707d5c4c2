"""The numbers of legal positions of small boards, as published by Tromp and Farnebäck in Combinatorics of Go."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from move37.rules import board_kernels, setup_kernels
from tests.support.legal_count_kernels import count_legal, row_images
from tests.support.oracle_board import OracleBoard

PUBLISHED = [
    (1, 1, 1),
    (1, 2, 5),
    (2, 1, 5),
    (2, 2, 57),
    (2, 3, 489),
    (3, 2, 489),
    (3, 3, 12675),
    (3, 4, 321689),
    (4, 4, 24318165),
]


@pytest.mark.parametrize(("rows", "cols", "positions"), PUBLISHED)
def test_number_of_legal_positions(rows: int, cols: int, positions: int) -> None:
    boards: Any = np.zeros(1, dtype=board_kernels.BOARD)
    board_kernels.reset(boards[0], rows, cols)
    assert count_legal(boards[0], row_images(cols)) == positions


@pytest.mark.parametrize(("rows", "cols", "positions"), [entry for entry in PUBLISHED if entry[0] * entry[1] <= 6])
def test_legal_positions_are_those_of_the_oracle(rows: int, cols: int, positions: int) -> None:
    boards: Any = np.zeros(1, dtype=board_kernels.BOARD)
    board_kernels.reset(boards[0], rows, cols)
    found = 0
    for number in range(3 ** (rows * cols)):
        stones = [number // 3**point % 3 for point in range(rows * cols)]
        for point, stone in enumerate(stones):
            setup_kernels.set_stone(boards[0], point, stone)
        without_liberty = setup_kernels.finish_setup(boards[0])
        oracle = OracleBoard(rows, cols, stones=stones)
        assert (without_liberty == board_kernels.NO_POINT) == oracle.all_have_liberties()
        if without_liberty != board_kernels.NO_POINT:
            assert not oracle.liberties(without_liberty)
        found += oracle.all_have_liberties()
    assert found == positions
