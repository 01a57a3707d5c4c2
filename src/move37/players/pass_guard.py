"""No player of this package gives a game away by passing, or plays on when a pass wins.

Under area scoring two passes end the game and everything on the board is counted as it stands, the other side's dead
stones as well. Networks learn to pass when people would: before dead stones are taken off. So, whatever a player
wants:

* it does not pass if the rules' count would then lose and a safe move exists (see `move_kernels.safe_mask`); it plays
  the safe move that it likes best;
* it passes if the other side just passed and the count wins.

A draw is left to the player. Under territory scoring dead stones stay on the board, so there the count takes off those
that playouts say are dead; where an encore follows, a pass ends nothing and is left to the player.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from move37.evaluators.dead_stones import left_dead
from move37.players.move_kernels import safe_mask
from move37.players.player import Decision
from move37.rules.position import Position


def counted_margin(position: Position) -> float:
    """Points the player to move is ahead if the game ended now."""
    return position.score(left_dead(position)).margin_for(position.to_play)


def pass_wins_now(position: Position) -> bool:
    """Whether the other side just passed and a second pass ends the game as a win for the player to move."""
    return int(position.board["passes"]) == 1 and not _encore_follows(position) and counted_margin(position) > 0


def _encore_follows(position: Position) -> bool:
    """Whether two passes lead into another phase instead of ending the game."""
    return position.rules.encore and position.phase < 2


def guarded(
    position: Position,
    decision: Decision,
    preference: NDArray[np.floating],
    barred: NDArray[np.bool_] | None = None,
) -> Decision:
    """Return `decision`, with another move where it breaks one of the two rules of this module.

    `preference`: float[A], how much the player likes each move; it picks among the safe moves. `barred`: bool[A], moves
    that it was told not to play, which no rule here makes it play.
    """
    pass_move = position.rows * position.cols
    if decision.resign or _encore_follows(position):
        return decision
    if decision.move != pass_move and int(position.board["passes"]) != 1:
        return decision
    barred = np.zeros(pass_move + 1, np.bool_) if barred is None else barred
    margin = counted_margin(position)
    if margin > 0 and int(position.board["passes"]) == 1 and not barred[pass_move]:
        return replace(decision, move=pass_move)
    if decision.move != pass_move or margin >= 0:
        return decision
    safe = np.empty(pass_move + 1, np.bool_)
    safe_mask(position.board_array, int(position.to_play), safe)
    safe &= ~barred
    if not safe.any():
        return decision
    return replace(decision, move=int(np.argmax(np.where(safe, preference, -np.inf))))
