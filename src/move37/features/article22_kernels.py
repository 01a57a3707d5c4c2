"""Compiled writing of the 22 planes of the article's KataGo list; which plane means what: ``features.article``.

Kernels trust their callers: shapes, dtypes and a common board size are checked in the encoders.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from move37._jit import kernel
from move37.features.alphago_kernels import write_stones
from move37.rules.board_kernels import (
    BLACK,
    BUTTON_FREE,
    EMPTY,
    KO_POSITIONAL,
    KO_SITUATIONAL,
    NO_POINT,
    TERRITORY,
    Board,
    BoardArray,
    cell_of,
    has_bit,
    is_legal,
    ko_victim,
    unblocked_by,
)

PLANES_22: Final = 22
KOMI_UNIT: Final = np.float32(20.0)
"""Komi is shown in this unit, as KataGo does."""
_ONES: Final = 3
_TURN: Final = 4
_MOVES: Final = 5
_MOVE_PLANES: Final = 5
_KO: Final = 10
_RULES: Final = 13
_TAX_SEKI: Final = 1
_TAX_ALL: Final = 2

_ONE = np.float32(1.0)
_ZERO = np.float32(0.0)


@kernel
def _takes_ko(board: Board, point: int, cell: int, color: int) -> bool:
    """Whether ``color`` takes a ko at an empty point; for the player to move also whether that is legal now."""
    if ko_victim(board, cell, color) == 0:
        return False
    if color != board["to_play"]:
        return True
    return is_legal(board, point, color) and (board["phase"] == 0 or unblocked_by(board, point, color) == NO_POINT)


@kernel
def _write_ko(board: Board, planes: NDArray[np.float32]) -> None:
    """Mark in ``planes`` (float32[3, H*W], zeros) forbidden points, kos the player takes, kos the opponent takes."""
    color = board["to_play"]
    for point in range(planes.shape[1]):
        cell = cell_of(point, board["cols"])
        if board["stones"][cell] != EMPTY:
            continue
        if point == board["ko_point"] or has_bit(board["superko_banned"], point):
            planes[0, point] = _ONE
        if _takes_ko(board, point, cell, color):
            planes[1, point] = _ONE
        if _takes_ko(board, point, cell, 3 - color):
            planes[2, point] = _ONE


@kernel
def _write_rules(board: Board, planes: NDArray[np.float32]) -> None:
    """Fill the nine planes of rules, each one number over the whole board: ``planes`` float32[9, H*W]."""
    for_white = board["komi"] + board["white_bonus"] + board["play_bonus"]
    planes[0] = (-for_white if board["to_play"] == BLACK else for_white) / KOMI_UNIT
    planes[1] = np.float32(board["suicide"])
    planes[2] = np.float32(board["ko_rule"] == KO_POSITIONAL)
    planes[3] = np.float32(board["ko_rule"] == KO_SITUATIONAL)
    planes[4] = np.float32(board["scoring"] == TERRITORY)
    planes[5] = np.float32(board["tax"] >= _TAX_SEKI)
    planes[6] = np.float32(board["tax"] == _TAX_ALL)
    planes[7] = np.float32(board["button"] == BUTTON_FREE)
    planes[8] = np.float32(board["phase"]) / np.float32(2.0)


@kernel
def write_article22_batch(boards: BoardArray, planes: NDArray[np.float32]) -> None:
    """Write the planes of ``boards`` (BOARD[B], one size) into ``planes`` (float32[B, 22, H*W])."""
    for i in range(boards.shape[0]):
        board, out = boards[i], planes[i]
        out[:, :] = _ZERO
        write_stones(board, BLACK, out[:_ONES])
        out[_ONES] = _ONE
        if board["to_play"] == BLACK:
            out[_TURN] = _ONE
        for ply in range(_MOVE_PLANES):
            move = board["last_moves"][ply]
            if 0 <= move < out.shape[1]:
                out[_MOVES + ply, move] = _ONE
        _write_ko(board, out[_KO:_RULES])
        _write_rules(board, out[_RULES:])
