"""Small stores of random games, played by the oracle, for tests of stores and of training."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from move37.games.columns import arrow
from move37.games.store import GameStore
from tests.support.oracle_board import BLACK, LEGAL, SIMPLE, OracleBoard, opponent

pa = arrow()

TYPES: dict[str, Any] = {
    "size": pa.int8(),
    "komi": pa.float32(),
    "handicap": pa.int8(),
    "setup_black": pa.list_(pa.uint16()),
    "setup_white": pa.list_(pa.uint16()),
    "result": pa.string(),
    "winner": pa.int8(),
    "black_rank": pa.string(),
    "white_rank": pa.string(),
    "year": pa.int16(),
    "source": pa.string(),
    "first_player": pa.int8(),
    "moves": pa.list_(pa.uint16()),
}


def row(moves: Sequence[int], **changes: Any) -> dict[str, Any]:
    """One game as a row of the store: 5x5, komi 7, won by White by resignation, ranks 3d and 12k, unless changed."""
    usual: dict[str, Any] = {
        "size": 5,
        "komi": 7.0,
        "handicap": 0,
        "setup_black": [],
        "setup_white": [],
        "result": "W+R",
        "winner": -1,
        "black_rank": "3d",
        "white_rank": "12k",
        "year": 2020,
        "source": "test",
        "first_player": 1,
        "moves": list(moves),
    }
    return usual | changes


def write_rows(path: Path, rows: Sequence[dict[str, Any]]) -> Path:
    """Write rows as the Parquet file `path`."""
    table = pa.table({name: pa.array([one[name] for one in rows], kind) for name, kind in TYPES.items()})
    pa.parquet.write_table(table, path)
    return path


def store_of(path: Path, rows: Sequence[dict[str, Any]]) -> GameStore:
    """The store of these rows, written to `path` and read back."""
    return GameStore.open(write_rows(path, rows))


def random_rows(seed: int, count: int, size: int = 5, length: int = 16) -> list[dict[str, Any]]:
    """Random legal games that end in two passes; whoever has more stones on the board has won by resignation."""
    rng = random.Random(seed)
    return [_random_row(rng, size, length) for _ in range(count)]


def _random_row(rng: random.Random, size: int, length: int) -> dict[str, Any]:
    board = OracleBoard(size, size, ko=SIMPLE, suicide=False)
    color, moves = BLACK, list[int]()
    for _ in range(length):
        legal = [point for point in range(size * size) if board.why_illegal(point, color) == LEGAL]
        moves.append(rng.choice(legal) if legal else size * size)
        board.play(moves[-1], color)
        color = opponent(color)
    stones = np.array(board.stones)
    winner = 1 if (stones == 1).sum() >= (stones == 2).sum() else -1
    ranks = {"black_rank": rng.choice(("2d", "5k")), "white_rank": rng.choice(("1d", "9k"))}
    result = {"result": "B+R" if winner == 1 else "W+R", "winner": winner}
    return row([*moves, size * size, size * size], size=size, **ranks, **result)
