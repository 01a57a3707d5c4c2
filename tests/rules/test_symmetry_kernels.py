"""A turned record equals the record of the game played on the turned board, field by field."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from move37.rules import symmetry
from move37.rules.board_kernels import BOARD
from move37.rules.position import Position
from move37.rules.records import liberties_grid, stones_grid
from move37.rules.symmetry_kernels import turn_boards
from tests.support.positions import batch, random_position, turned

CHAIN_FIELDS = {"root", "next_stone", "size", "liberties"}


def turn(boards: NDArray[Any], s: int) -> NDArray[Any]:
    targets = np.zeros_like(boards)
    turn_boards(boards, np.full(len(boards), s, np.int8), targets)
    return targets


def chains(board: Any) -> set[frozenset[int]]:
    """The cells of every chain by root, each checked against the circle of its stones."""
    found: dict[int, set[int]] = {}
    for cell in np.flatnonzero(board["root"]).tolist():
        found.setdefault(int(board["root"][cell]), set()).add(cell)
    for root, cells in found.items():
        walked, stone = {root}, int(board["next_stone"][root])
        while stone != root:
            walked.add(stone)
            stone = int(board["next_stone"][stone])
        assert walked == cells
        assert board["size"][root] == len(cells)
    return {frozenset(cells) for cells in found.values()}


@pytest.mark.parametrize("rules", ["tromp-taylor", "chinese"])
@pytest.mark.parametrize(("rows", "cols"), [(1, 1), (2, 2), (4, 6), (5, 5), (9, 9)])
def test_turned_records_equal_replayed_games(rows: int, cols: int, rules: str) -> None:
    rng = np.random.default_rng(rows + cols)
    games = [random_position(rng, rows, cols, moves, rules) for moves in (0, 1, 6, 30, 120)]
    for s in symmetry.allowed(rows, cols):
        found = turn(batch(games), s)
        expected = batch([turned(game, s) for game in games])
        for field in set(BOARD.names or ()) - CHAIN_FIELDS:
            np.testing.assert_array_equal(found[field], expected[field], err_msg=f"{field}, symmetry {s}")
        for one, other in zip(found, expected, strict=True):
            np.testing.assert_array_equal(liberties_grid(one), liberties_grid(other))
            assert chains(one) == chains(other)


def test_blocked_kos_and_the_stones_of_the_encore_turn_too() -> None:
    moves = ["B1", "C1", "A2", "D2", "B3", "C3", "C2", "pass", "pass", "B2"]  # White takes a ko in the first encore
    first = Position.from_moves(moves, size=5, rules="japanese, encore=true")
    second = Position.from_moves([*moves, "pass", "pass"], size=5, rules="japanese, encore=true")
    assert first.board["ko_recapture_blocked"].any() and second.board["encore_stones"].any()
    for s in symmetry.SYMMETRIES:
        found, expected = turn(batch([first, second]), s), batch([turned(first, s), turned(second, s)])
        for field in set(BOARD.names or ()) - CHAIN_FIELDS:
            np.testing.assert_array_equal(found[field], expected[field], err_msg=f"{field}, symmetry {s}")


def test_superko_bans_and_ko_points_turn_too() -> None:
    game = Position.from_moves(["B1", "C1", "A2", "D2", "B3", "C3", "C2", "B2"], size=5)  # Black may not retake at C2
    board = batch([game])
    assert game.ko_point is not None or board["superko_banned"].any()
    for s in symmetry.SYMMETRIES:
        expected = batch([turned(game, s)])
        found = turn(board, s)
        assert found["ko_point"] == expected["ko_point"]
        np.testing.assert_array_equal(found["superko_banned"], expected["superko_banned"])


def test_a_turned_record_plays_on() -> None:
    game = random_position(np.random.default_rng(8), 5, 5, 20)
    there_and_back = turn(turn(batch([game]), 5), symmetry.inverse(5))
    np.testing.assert_array_equal(stones_grid(there_and_back[0]), game.stones)
    np.testing.assert_array_equal(there_and_back["history"], batch([game])["history"])
