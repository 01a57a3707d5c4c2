"""Games that are read for training can be replayed to their ends; one that cannot is named with its file and row."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from move37.errors import GamesFileError
from move37.games import legal
from move37.games.legal import first_illegal, legal_games
from move37.games.store import GameFilter, GameStore
from tests.support.oracle_board import BLACK, LEGAL, SIMPLE, OracleBoard, opponent
from tests.support.stored_games import random_rows, row, store_of, write_rows


def legal_moves(moves: list[int]) -> int:
    """How many moves of a 5x5 game are legal from its start on, by the slow rules."""
    board, color = OracleBoard(5, 5, ko=SIMPLE, suicide=False), BLACK
    for number, move in enumerate(moves):
        if move < 25 and board.why_illegal(move, color) != LEGAL:
            return number
        board.play(move, color)
        color = opponent(color)
    return len(moves)


@pytest.mark.parametrize("threads", [1, 3])
def test_the_first_game_that_the_slow_rules_refuse_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, threads: int
) -> None:
    monkeypatch.setattr(legal, "CHUNK", 4)
    rng = np.random.default_rng(2)
    rows = random_rows(seed=2, count=30)
    for at in (9, 14, 27):
        rows[at]["moves"] = rng.permutation(rows[at]["moves"]).tolist()
    whole = [legal_moves(one["moves"]) for one in rows]
    expected = next((i, count) for i, count in enumerate(whole) if count < len(rows[i]["moves"]))
    assert first_illegal(store_of(tmp_path / "g.parquet", rows), threads) == expected


def test_legal_games_are_none(tmp_path: Path) -> None:
    games = store_of(tmp_path / "g.parquet", [*random_rows(seed=3, count=9), row([]), row([3], setup_black=[1, 2])])
    assert first_illegal(games) is None
    assert first_illegal(games.select(np.zeros(0, dtype=np.int64))) is None


def test_files_are_read_in_order_and_a_bad_game_is_named_by_its_row(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.parquet", tmp_path / "围棋.parquet"
    write_rows(good, [row([1, 2], year=2001), row([3, 4], year=2002)])
    write_rows(bad, [row([5], year=1990), row([6, 7], year=2003), row([8, 8], year=2004)])
    games = legal_games([good, bad], GameFilter(before_year=2004))
    assert games.year.tolist() == [2001, 2002, 1990, 2003]
    assert games.moves.values.tolist() == GameStore.open([good, bad]).moves.values[:7].tolist()
    with pytest.raises(GamesFileError, match=r"围棋\.parquet: game 2 cannot be replayed: illegal after 1 moves"):
        legal_games([good, bad], GameFilter(from_year=2002))
