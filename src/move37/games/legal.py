"""Games for training, read with the promise that each can be replayed to its end.

A game that cannot would stop a run when it is first drawn, hours later perhaps; so all are replayed once at the start,
by all cores. Does not repair games: the import of records (`move37 games import`) cuts or refuses them.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from move37.errors import GamesFileError
from move37.games.store import GameFilter, GameStore

if TYPE_CHECKING:
    from numpy.typing import NDArray

CHUNK = 1024
"""Games replayed in one call."""


def legal_games(paths: Sequence[Path], wanted: GameFilter, threads: int = 1) -> GameStore:
    """The games of the files that satisfy `wanted`, in their order.

    `GamesFileError` names the file and the row of the first game among them that is illegal.
    """
    parts: list[GameStore] = []
    for path in paths:
        games = GameStore.open(path)
        rows = np.flatnonzero(games.matches(wanted))
        parts.append(games.select(rows))
        bad = first_illegal(parts[-1], threads)
        if bad is not None:
            game, ply = bad
            raise GamesFileError(
                f"games file {path}: game {rows[game]} cannot be replayed: illegal after {ply} moves; leave it out"
            )
    return GameStore.join(parts)


def first_illegal(games: GameStore, threads: int = 1) -> tuple[int, int] | None:
    """The first game that simple ko without suicide forbids, and after how many moves; None if there is none."""
    chunks = [np.arange(first, min(first + CHUNK, len(games))) for first in range(0, len(games), CHUNK)]

    def look(chunk: NDArray[np.int64]) -> tuple[int, int] | None:
        return _first_bad(games, chunk)

    with ThreadPoolExecutor(threads, thread_name_prefix="move37-replay") as pool:
        return next((bad for bad in pool.map(look, chunks) if bad is not None), None)


def _first_bad(games: GameStore, chosen: NDArray[np.int64]) -> tuple[int, int] | None:
    boards, bad = games.replayed(chosen, games.moves.lengths[chosen])
    return None if bad < 0 else (int(chosen[bad]), int(boards[bad]["move_number"]))
