"""How fast game records are read and replayed, beside sgfmill on the same files in the same run, and imported.

Both read the whole tree and play the main line; we check every move, sgfmill's board checks no ko. Without sgfmill, a
library of the tests, there is no reference. The files are the user's: `move37 benchmark sgf --records FOLDER`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numpy.typing import NDArray

from move37.benchmark.figures import Figure, best_rate, figure, require
from move37.errors import ConfigError, Move37Error
from move37.files import read_bytes
from move37.games.import_records import ImportOptions, import_records
from move37.rules.records import stones_grid
from move37.sgf.files import LARGEST_FILE, read_sgf

__all__ = ["sgf_group"]

IMPORT_REFERENCE = 2000.0  # games a second on two cores: what this package sets itself
MOST_FILES = 6000


def sgf_group(folder: Path | None) -> Iterator[Figure]:
    """Games a second, read from bytes and replayed to the end; ConfigError without a folder of SGF files."""
    paths = [] if folder is None else sorted(folder.rglob("*.sgf"))
    if not paths:
        raise ConfigError("The benchmark 'sgf' needs SGF files: name their folder with --records.")
    reference = _sgfmill()
    records = [data for data in map(_content, paths) if data is not None and _same_game(data, reference)]
    if not records:
        raise ConfigError(f"{folder} holds no SGF file that is legal to its end; name another folder with --records.")
    theirs = None if reference is None else best_rate(lambda: _replay_all(reference, records))
    yield figure("sgf-replay", best_rate(lambda: _replay_ours(records)), "games/s", theirs)
    yield figure("sgf-import", _import_rate(records), "games/s", IMPORT_REFERENCE)


def _content(path: Path) -> bytes | None:
    """The bytes of a file; None for what cannot be read, such as a folder or a pipe of that name."""
    try:
        return read_bytes(path, LARGEST_FILE)
    except OSError:
        return None


def _import_rate(records: Sequence[bytes]) -> float:
    """Games a second into a store, by all cores, from files written for this: each record many times."""
    copies = max(1, MOST_FILES // max(1, len(records)))
    with TemporaryDirectory() as folder:
        for number, data in enumerate(records):
            for copy in range(copies):
                Path(folder, f"{number}-{copy}.sgf").write_bytes(data)

        def work() -> float:
            out = Path(folder, "out.parquet")
            report = import_records([folder], out, ImportOptions(duplicates=True), force=True)
            require(report.games == copies * len(records), "not every game was found")
            return float(report.games)

        return best_rate(work)


def _replay_ours(records: Sequence[bytes]) -> float:
    for data in records:
        read_sgf(data).replay()
    return float(len(records))


# ----------------------------------------------------------------------------------------------------- sgfmill


class _Sgfmill:
    """sgfmill's reader and board; rows are counted from the bottom there."""

    def __init__(self, sgf: Any, boards: Any) -> None:
        self._sgf = sgf
        self._boards = boards

    def replay(self, data: bytes) -> tuple[Any, int]:
        """The board at the end of the main line, and how many moves led to it; ValueError as sgfmill raises it."""
        game = self._sgf.Sgf_game.from_bytes(data)
        board = self._boards.Board(game.get_size())
        if game.get_root().has_setup_stones():
            board.apply_setup(*game.get_root().get_setup_stones())
        moves = 0
        for node in game.get_main_sequence():
            color, move = node.get_move()
            if move is not None:
                board.play(*move, color)
            moves += color is not None
        return board, moves

    def stones(self, board: Any) -> NDArray[np.int8]:
        """A board's stones, ``int8[H, W]``, top row first."""
        numbers = {None: 0, "b": 1, "w": 2}
        side = range(board.side)
        return np.array([[numbers[board.get(row, col)] for col in side] for row in reversed(side)], dtype=np.int8)


def _sgfmill() -> _Sgfmill | None:
    try:
        return _Sgfmill(import_module("sgfmill.sgf"), import_module("sgfmill.boards"))
    except ImportError:
        return None


def _replay_all(reference: _Sgfmill, records: Sequence[bytes]) -> float:
    for data in records:
        reference.replay(data)
    return float(len(records))


def _same_game(data: bytes, reference: _Sgfmill | None) -> bool:
    """Whether a file counts: legal to its end, and for sgfmill too, whose moves and stones must then be ours."""
    try:
        replayed = read_sgf(data).replay()
        if replayed.fault is not None or reference is None:
            return replayed.fault is None
        board, moves = reference.replay(data)
    except (Move37Error, ValueError):
        return False
    same = moves == replayed.played and np.array_equal(reference.stones(board), stones_grid(replayed.boards[0]))
    require(bool(same), f"a game of {moves} moves ends otherwise than in sgfmill")
    return True
