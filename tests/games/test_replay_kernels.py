from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from move37.errors import GamesFileError
from move37.games.store import GameStore
from tests.support.oracle_board import OracleBoard, opponent
from tests.support.shared import SHARED
from tests.support.stored_games import random_rows, row, store_of


def test_every_ply_agrees_with_the_oracle(tmp_path: Path) -> None:
    rows = random_rows(seed=3, count=8, size=5, length=40)
    rows += random_rows(seed=4, count=4, size=3, length=30)
    store = store_of(tmp_path / "games.parquet", rows)
    games = np.repeat(np.arange(len(store)), store.moves.lengths + 1)
    plies = np.array([ply for length in store.moves.lengths.tolist() for ply in range(length + 1)])
    boards = store.replay(games, plies, komi=6.5)
    place = 0
    for one in rows:
        oracle, color = OracleBoard(one["size"], one["size"]), 1
        for move in [*one["moves"], None]:
            board = boards[place]
            cells = board["stones"][: 21 * 20].reshape(21, 20)[1 : one["size"] + 1, 1 : one["size"] + 1]
            assert cells.ravel().tolist() == list(oracle.stones)
            assert board["to_play"] == color and board["komi"] == 6.5
            if move is not None:
                oracle.play(move, color)
            color = opponent(color)
            place += 1
    assert place == len(boards)


def test_setup_stones_and_white_first(tmp_path: Path) -> None:
    store = store_of(tmp_path / "g.parquet", [row([1, 3], setup_black=[0, 24], setup_white=[12], first_player=-1)])
    boards = store.replay(np.array([0, 0]), np.array([0, 2]))
    assert boards["to_play"].tolist() == [2, 2]
    assert boards["move_number"].tolist() == [0, 2]
    stones = boards[1]["stones"][: 21 * 20].reshape(21, 20)[1:6, 1:6].ravel()
    assert {int(p): int(stones[p]) for p in np.flatnonzero(stones)} == {0: 1, 24: 1, 12: 2, 1: 2, 3: 1}


@pytest.mark.parametrize(("game", "ply"), [(1, 0), (-1, 0), (0, 3), (0, -1)])
def test_what_is_not_there_is_refused(tmp_path: Path, game: int, ply: int) -> None:
    store = store_of(tmp_path / "g.parquet", [row([1, 3])])
    with pytest.raises(ValueError, match=r"games are 0 to 0|beyond the end"):
        store.replay(np.array([game]), np.array([ply]))


@pytest.mark.parametrize(
    ("bad", "played"),
    [
        (row([3, 4, 3]), 2),  # on a stone
        (row([1, 24, 5, 0]), 3),  # suicide of one stone
        (row([3], setup_black=[1, 5], setup_white=[0]), 0),  # a setup stone without liberty
    ],
)
def test_an_illegal_game_is_named(tmp_path: Path, bad: dict[str, object], played: int) -> None:
    store = store_of(tmp_path / "g.parquet", [row([1, 3]), bad])
    with pytest.raises(GamesFileError, match=f"game 1 of the store cannot be replayed: illegal after {played} moves"):
        store.replay(np.array([0, 1]), store.moves.lengths)


def test_retaking_a_ko_at_once_is_illegal(tmp_path: Path) -> None:
    ko = [1, 2, 5, 8, 11, 12, 7, 6, 7]  # White takes the stone on 7 from 6; Black may not retake at once
    store = store_of(tmp_path / "g.parquet", [row(ko)])
    with pytest.raises(GamesFileError, match="illegal after 8 moves"):
        store.replay(np.array([0]), np.array([9]))
    assert store.replay(np.array([0]), np.array([8]))["ko_point"].tolist() == [7]


@pytest.mark.skipif(not SHARED.is_dir(), reason="the large test data is not beside the repository")
def test_professional_games_end_where_the_oracle_ends() -> None:
    store = GameStore.open(SHARED / "games" / "pro9-13.parquet").select(np.arange(0, 626, 60))
    boards = store.replay(np.arange(len(store)), store.moves.lengths)
    for i in range(len(store)):
        size, color = int(store.size[i]), 1
        oracle = OracleBoard(size, size)
        for move in store.moves[i].tolist():
            oracle.play(move, color)
            color = opponent(color)
        cells = boards[i]["stones"][: 21 * 20].reshape(21, 20)[1 : size + 1, 1 : size + 1]
        assert cells.ravel().tolist() == list(oracle.stones)
