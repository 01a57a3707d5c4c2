"""Games of policies one after the other, move by move on `Position`: the slow twin of `training.policy_games`."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from move37.rules.position import Position
from move37.search.evaluator import Evaluator
from move37.training.policy_games import Passes
from tests.support.oracle_board import OracleBoard
from tests.support.slow_eye import slow_is_own_eye


def slow_allowed(position: Position, passes: Passes) -> list[int]:
    """The moves that may be drawn, ascending, pass last."""
    board = OracleBoard(position.rows, position.cols, stones=[int(stone) for stone in position.stones.ravel()])
    color = int(position.to_play)
    legal = [int(move) for move in np.flatnonzero(position.legal_mask())]
    points = [move for move in legal if move != board.pass_move and not slow_is_own_eye(board, move, color)]
    if passes == "last":
        return points or [board.pass_move]
    if passes == "guarded":
        margin = position.score().margin_for(position.to_play)
        if margin > 0 and int(position.board["passes"]) == 1:
            return [board.pass_move]
        if margin < 0 and any(_is_safe(board, point, color) for point in points):
            return points
    return [*points, board.pass_move]


def _is_safe(board: OracleBoard, point: int, color: int) -> bool:
    """Whether a legal move takes stones or leaves its chain two liberties; not if it takes its own chain."""
    after = board.outcome(point, color)
    if after.taken or after.suicided:
        return bool(after.taken)
    chain = board.connected(point, after.stones)
    return len(board.border(chain, after.stones, 0)) >= 2


def slow_draw(logits: NDArray[np.float32], allowed: list[int], chance: float, temperature: float) -> int:
    """The move whose stretch of the allowed probabilities `chance` falls into."""
    if temperature == 0:
        return max(allowed, key=lambda move: (float(logits[move]), -move))
    highest = max(float(logits[move]) for move in allowed)
    shares = [math.exp((float(logits[move]) - highest) / temperature) for move in allowed]
    upper = 0.0
    for move, share in zip(allowed, shares, strict=True):
        upper += share
        if upper > chance * sum(shares):
            return move
    return allowed[-1]


def slow_game(
    position: Position,
    black: Evaluator,
    white: Evaluator,
    rng: np.random.Generator,
    *,
    max_moves: int,
    temperature: float = 1.0,
    passes: Passes = "guarded",
) -> list[int]:
    """Play on `position` (changed) and return the moves."""
    chances, moves = rng.random(max_moves), list[int]()
    while not position.is_over and len(moves) < max_moves:
        chooser = black if int(position.to_play) == 1 else white
        logits = chooser.evaluate(position.board_array).policy[0]
        moves.append(slow_draw(logits, slow_allowed(position, passes), chances[len(moves)], temperature))
        position.play(moves[-1])
    return moves
