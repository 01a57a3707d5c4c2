"""The weights of light rollouts from their definition: stones are put down and looked at, nothing is counted ahead.

The oracle of `search.light_rollout_kernels.write_weights`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from move37.rules.position import Position
from tests.support.oracle_board import EMPTY, OracleBoard, opponent
from tests.support.slow_eye import slow_is_own_eye
from tests.support.slow_planes import SHAPES, View, makes_shape

TAKE, SAVE, SHAPE = 8, 4, 2
"""What kinds of answers weigh, in numbers of empty points."""


def slow_weights(position: Position) -> NDArray[np.float64]:
    """What each move weighs for the player to move, float64[A]."""
    view = View(position)
    weights = np.zeros(len(view.points) + 1)
    empty = sum(stone == EMPTY for stone in view.stones)
    last = last_stone(position)
    for point in view.points:
        weights[point] = _base(view, point)
        if last is not None and view.stones[point] == EMPTY:
            weights[point] += empty * _answer(view, point, last)
    weights[-1] = 1.0 if not weights.any() else 0.0
    return weights


def last_stone(position: Position) -> int | None:
    """The point of the last move, if the other side made it and its stone still stands."""
    if not position.moves:
        return None
    color, move = position.moves[-1]
    pass_move = position.rows * position.cols
    if move == pass_move or color == position.to_play or position.stones.ravel()[move] != color:
        return None
    return int(move)


def _may_play(view: View, point: int) -> bool:
    board = view.board
    return board.stones[point] == EMPTY and point != view.ko and not board.outcome(point, view.own).suicided


def _base(view: View, point: int) -> float:
    if not _may_play(view, point) or slow_is_own_eye(view.board, point, view.own):
        return 0.0
    chain, liberties = _after(view, point)
    if liberties > 1 or view.board.outcome(point, view.own).taken:
        return 1.0
    return 0.25 if len(chain) <= 2 else 0.0


def _after(view: View, point: int) -> tuple[frozenset[int], int]:
    """The chain that a stone there is in, and its liberties."""
    after = OracleBoard(view.rows, view.cols, stones=view.board.outcome(point, view.own).stones)
    return after.chain(point), len(after.liberties(point))


def _answer(view: View, point: int, last: int) -> int:
    board = view.board
    threatened = [board.chain(n) for n in board.neighbours(last) if board.stones[n] == view.own]
    threatened = [chain for chain in threatened if len(board.border(chain, board.stones, EMPTY)) == 1]
    weight = 0
    if set(board.liberties(last)) == {point} and _may_play(view, point):
        weight += TAKE
    if any(saves(view, point, chain) for chain in threatened):
        weight += SAVE
    if _is_beside(view, point, last) and _base(view, point) == 1 and any(makes_shape(view, point, f) for f in SHAPES):
        weight += SHAPE
    return weight


def _is_beside(view: View, point: int, last: int) -> bool:
    (row, col), (other_row, other_col) = divmod(point, view.cols), divmod(last, view.cols)
    return max(abs(row - other_row), abs(col - other_col)) == 1


def saves(view: View, point: int, chain: frozenset[int]) -> bool:
    board = view.board
    around = [board.chain(n) for n in board.border(chain, board.stones, view.enemy)]
    takes = any(set(board.border(enemies, board.stones, EMPTY)) == {point} for enemies in around)
    if takes and _may_play(view, point):
        return True
    return set(board.border(chain, board.stones, EMPTY)) == {point} and _runs_free(view, point, chain)


def _runs_free(view: View, point: int, chain: frozenset[int]) -> bool:
    stones = list(view.board.stones)
    stones[point] = view.own  # captures are looked at elsewhere
    ran = OracleBoard(view.rows, view.cols, stones=stones)
    liberties = ran.liberties(point)
    if len(liberties) != 2:
        return len(liberties) > 2
    one, other = liberties
    return _gains(ran, point, one, other, view.own) and _gains(ran, point, other, one, view.own)


def _gains(ran: OracleBoard, runner: int, blocked: int, on: int, color: int) -> bool:
    """Whether the chain at `runner`, blocked there, gains two liberties by running `on`."""
    stones = list(ran.stones)
    stones[blocked] = opponent(color)
    stones[on] = color
    after = OracleBoard(ran.rows, ran.cols, stones=stones)
    return len(after.liberties(on)) >= 2
