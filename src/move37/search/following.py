"""Whether a position follows from the root of a kept tree, and the way down the tree to it.

It must be reached by moves that were searched, under the same rules and komi, and have the same history: what an edit
of the board leaves of the last moves is no move.
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from move37.rules.board_kernels import HISTORY, NO_POINT, BoardArray, play
from move37.rules.repetition_kernels import KEYS_A_PLY, record_keys
from move37.search.tree import Trees

__all__ = ["GamePosition", "moves_from_root", "walk"]

_RULE_FIELDS = (
    "rows",
    "cols",
    "ko_rule",
    "suicide",
    "scoring",
    "tax",
    "friendly_pass",
    "encore",
    "move_limit",
    "komi",
    "white_bonus",
)
_STATE_FIELDS = (
    "to_play",
    "passes",
    "ko_point",
    "phase",
    "no_result",
    "button",
    "play_bonus",
    "move_number",
    "stones_hash",
    "history_hash",
    "history_ko",
)


class GamePosition(Protocol):
    """What a search needs of `rules.Position`."""

    @property
    def board(self) -> Any:
        """Its BOARD record."""
        ...

    @property
    def superko_keys(self) -> NDArray[np.uint64]:
        """The game's keys of `rules.repetition_kernels`."""
        ...


def moves_from_root(trees: Trees, position: GamePosition) -> list[int] | None:
    """The moves from the root to a later position of the same game; None if it is not one, or there is no tree."""
    if not trees.has_tree():
        return None
    root, keys, board = trees.boards[0], trees.keys[0, : trees.key_counts[0]], position.board
    count = int(board["move_number"]) - int(root["move_number"])
    if not 0 <= count <= HISTORY or any(root[name] != board[name] for name in _RULE_FIELDS):
        return None
    if not np.array_equal(position.superko_keys[: len(keys)], keys):
        return None
    moves = [int(move) for move in board["last_moves"][:count][::-1]]
    return None if NO_POINT in moves else moves  # the board was edited in between


def walk(trees: Trees, moves: list[int], position: GamePosition) -> bool:
    """Follow `moves` from the root; whether the tree holds them and they end at `position`."""
    board: BoardArray = trees.boards.copy()
    keys = trees.keys[0, : trees.key_counts[0]]
    for move in moves:
        play(board[0], move, board[0]["to_play"])
        room = np.concatenate([keys, np.zeros(KEYS_A_PLY, np.uint64)])
        keys = room[: record_keys(board[0], room, len(keys))]
        if not trees.advance(0, move, board[0], keys):
            return False
    return all(np.array_equal(board[0][name], position.board[name]) for name in _STATE_FIELDS)
