"""How KataGo's search takes passes: which end a game, how it is counted then, and what networks are told of it.

It knows one board. That a search looks aside at a pass is `katago_collect_kernels`' business.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from move37._jit import kernel
from move37.rules.board_kernels import AREA, BUTTON_FREE, EMPTY, WHITE, Board
from move37.rules.life_kernels import basic_area
from move37.rules.score_kernels import TAX_NONE, black_margin, white_points


@kernel
def end_is_suppressed(board: Board, move: int, at_root: bool, params: Any) -> bool:
    """Whether a game that ``move`` would end goes on in the search; ``board`` is the one before it.

    It does after a pass at the root (conservative pass), and where players may pass with dead stones on the board: that
    both passed need not mean that they agree.
    """
    if move != board["rows"] * board["cols"]:
        return False
    friendly = board["friendly_pass"] != 0 and board["scoring"] == AREA and board["passes"] == 1
    friendly = friendly and board["pass_repeats"] == 0
    return bool(friendly or (at_root and params["conservative_pass"] != 0))


@kernel
def pass_ends_phase(board: Board) -> bool:
    """Whether a pass now would end the phase: the second in a row (taking a button is none), or one that repeats."""
    return bool((board["button"] != BUTTON_FREE and board["passes"] >= 1) or board["pass_repeats"] != 0)


@kernel
def white_margin(board: Board) -> float:
    """Points White is ahead of Black as KataGo counts a finished game; 0 after a long cycle.

    It differs from `black_margin` under area scoring without tax: stones inside the other side's unconditional
    territory are dead.
    """
    if board["scoring"] != AREA or board["tax"] != TAX_NONE or board["no_result"] != 0:
        return -black_margin(board)
    owner = np.empty(board["rows"] * board["cols"], np.int8)
    basic_area(board, board["suicide"] != 0, True, True, True, owner)
    margin = white_points(board)
    for point in range(owner.shape[0]):
        if owner[point] != EMPTY:
            margin += 1.0 if owner[point] == WHITE else -1.0
    return margin


@kernel
def hide_end(board: Board, at_root: bool, params: Any) -> None:
    """Let an encoder hide that a pass would end the game, on a leaf's board, where the search does not mean it to.

    KataGo hides it at the root (conservative pass), and where passing would not win (passing hacks); to an encoder it
    is the same as passing with dead stones on the board being allowed.
    """
    if board["passes"] != 1 or board["scoring"] != AREA or board["friendly_pass"] != 0:
        return
    losing = False
    if params["passing_hacks"] != 0:
        margin = white_margin(board)
        losing = (margin if board["to_play"] == WHITE else -margin) <= 0.0
    if losing or (at_root and params["conservative_pass"] != 0):
        board["friendly_pass"] = 1
