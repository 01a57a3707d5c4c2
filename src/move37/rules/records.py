"""Making a board record and looking into it from Python: stones as a grid, chains, liberties.

For people and tests; kernels read the record themselves. Grids are views without the walls, so padded indices stay
inside.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from move37.rules import board_kernels, score_kernels, setup_kernels
from move37.rules.board_kernels import Board, BoardArray
from move37.rules.color import EMPTY
from move37.rules.ruleset import Ruleset

_PADDED_ROWS: Final = board_kernels.CELLS // board_kernels.STRIDE
_SCORING_CODES: Final = {"area": board_kernels.AREA, "territory": board_kernels.TERRITORY}
_TAX_CODES: Final = {"none": score_kernels.TAX_NONE, "seki": score_kernels.TAX_SEKI, "all": score_kernels.TAX_ALL}


def _grid(board: Board, field: str) -> NDArray[Any]:
    cells: NDArray[Any] = board[field]
    rows, cols = int(board["rows"]), int(board["cols"])
    padded = cells[: _PADDED_ROWS * board_kernels.STRIDE].reshape(_PADDED_ROWS, board_kernels.STRIDE)
    return padded[1 : rows + 1, 1 : cols + 1]


def stones_grid(board: Board) -> NDArray[np.int8]:
    """The stones of a record, ``int8[H, W]`` (0 empty, 1 Black, 2 White), top row first: a view into it."""
    return _grid(board, "stones")


def liberties_grid(board: Board) -> NDArray[np.int16]:
    """For each stone the liberties of its chain, ``int16[H, W]``, 0 on empty points: a new array."""
    rows = int(board["rows"])
    roots = _grid(board, "root")
    counts: NDArray[np.int16] = np.where(roots != 0, board["liberties"][roots], 0).astype(np.int16)
    return counts.reshape(rows, -1)


def neighbors(point: int, rows: int, cols: int) -> list[int]:
    """The points beside a point, in ascending order."""
    row, col = divmod(point, cols)
    beside = [point - cols] if row > 0 else []
    if col > 0:
        beside.append(point - 1)
    if col < cols - 1:
        beside.append(point + 1)
    if row < rows - 1:
        beside.append(point + cols)
    return beside


def stone_at(board: Board, point: int) -> int:
    """0 empty, 1 Black, 2 White."""
    return int(stones_grid(board)[divmod(point, int(board["cols"]))])


def chain_points(board: Board, point: int) -> list[int]:
    """The stones of the chain at a point, ascending; empty if there is no stone."""
    roots = _grid(board, "root")
    here = roots[divmod(point, int(board["cols"]))]
    if here == 0:
        return []
    return [int(stone) for stone in np.flatnonzero(roots == here)]


def chain_liberties(board: Board, point: int) -> list[int]:
    """The liberties of the chain at a point, ascending; empty if there is no stone."""
    rows, cols = int(board["rows"]), int(board["cols"])
    around = {beside for stone in chain_points(board, point) for beside in neighbors(stone, rows, cols)}
    return sorted(beside for beside in around if stone_at(board, beside) == EMPTY)


def captured_points(board: Board, point: int, color: int) -> list[int]:
    """The enemy stones that ``color`` would take by playing a point, ascending; none if it is occupied."""
    if stone_at(board, point) != EMPTY:
        return []
    taken: set[int] = set()
    for beside in neighbors(point, int(board["rows"]), int(board["cols"])):
        if stone_at(board, beside) == 3 - color and chain_liberties(board, beside) == [point]:
            taken.update(chain_points(board, beside))
    return sorted(taken)


def new_records(count: int, rows: int, cols: int, rules: Ruleset, komi: float) -> BoardArray:
    """``BOARD[count]``: empty boards of one size with these rules and komi."""
    boards = np.zeros(count, dtype=board_kernels.BOARD)
    write_rules(boards, rules)
    boards["komi"] = komi
    for board in boards:
        board_kernels.reset(board, rows, cols)
    return boards


def write_rules(boards: BoardArray, rules: Ruleset) -> None:
    """Write the rule fields of ``BOARD[B]``; a button that was taken stays so, a new one is free."""
    boards["ko_rule"] = rules.ko_code
    boards["suicide"] = rules.suicide
    boards["scoring"] = _SCORING_CODES[rules.scoring]
    boards["tax"] = _TAX_CODES[rules.tax]
    boards["button"] = np.maximum(boards["button"], board_kernels.BUTTON_FREE) if rules.has_button else 0
    boards["encore"] = rules.encore
    boards["move_limit"] = rules.move_limit or 0
    boards["friendly_pass"] = rules.friendly_pass_ok


_KEPT: Final = ("prisoners", "move_number", "button")


def set_up(boards: BoardArray, stones: Mapping[int, int], to_play: int, *, keep: bool = False) -> int:
    """Write stones (point: 0 empty, 1 Black, 2 White) over those of ``boards[0]`` and make it the start of a game.

    With ``keep`` it is no new game: prisoners, move number and button stay. Returns -1, or the first point whose
    chain has no liberty.
    """
    board = boards[0]
    grid = stones_grid(board).ravel().astype(int)
    for point, color in stones.items():
        grid[point] = color
    kept = {name: board[name].copy() for name in (*_KEPT, "play_bonus")}
    board_kernels.reset(board, int(board["rows"]), int(board["cols"]))
    for name in _KEPT if keep else ():
        board[name] = kept[name]
    for point in np.flatnonzero(grid).tolist():
        setup_kernels.set_stone(board, point, int(grid[point]))
    board["to_play"] = to_play
    breathless = int(setup_kernels.finish_setup(board))
    if keep and board["scoring"] == board_kernels.AREA:
        board["play_bonus"] = kept["play_bonus"]  # what the button brought; under territory scoring stones tell it
    return breathless
