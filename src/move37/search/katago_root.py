"""What KataGo's search does at its root alone: moves it never tries, and points it adds to some.

Both keep games short and endings tidy and hardly touch the strength: of moves that only mirror another one is searched;
after four passes of the other side nobody plays in a safe area; filling one's own or the other's sure territory costs
up to half a point, passing while dame are left two thirds of that. Facts: KataGo's search (its searchhelpers.cpp).
The order in which mirrored moves are preferred puts Black's first move into the upper right corner.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from move37.rules import symmetry
from move37.rules.board_kernels import AREA, BLACK, BUTTON_FREE, EMPTY, NO_POINT, WHITE, cell_of
from move37.rules.life_kernels import basic_area
from move37.rules.records import stones_grid
from move37.search.katago import KataGoConfig

__all__ = ["ending_bonus", "forbidden_moves", "mirrored_moves", "safe_area", "symmetries_of"]

SURE = 0.95
"""A point with so much ownership is its owner's; what is beyond, up to 1, scales the bonus."""
PASS_COST = 2.0 / 3.0
BUTTON_COST = 0.5
PASSES_OF_THE_OTHER = 4


def safe_area(board: Any) -> NDArray[np.int8]:
    """int8[points]: BLACK or WHITE where stones are unconditionally alive, and in their small regions; else EMPTY."""
    owner = np.zeros(int(board["rows"]) * int(board["cols"]), np.int8)
    basic_area(board, bool(board["suicide"]), False, False, False, owner)
    return owner


def forbidden_moves(board: Any, config: KataGoConfig) -> NDArray[np.bool_]:
    """bool[A]: moves that the root never tries; passing is not among them."""
    points = int(board["rows"]) * int(board["cols"])
    forbidden = np.zeros(points + 1, np.bool_)
    if config.symmetry_pruning:
        forbidden[:-1] |= mirrored_moves(board)
    theirs = board["last_moves"][: 2 * PASSES_OF_THE_OTHER - 1 : 2]
    their_colors = board["last_colors"][: 2 * PASSES_OF_THE_OTHER - 1 : 2]
    if config.prune_useless and (theirs == points).all() and (their_colors == 3 - board["to_play"]).all():
        forbidden[:-1] |= safe_area(board) != EMPTY
    return forbidden


def mirrored_moves(board: Any) -> NDArray[np.bool_]:
    """bool[points]: the moves that a symmetry of the position turns into a preferred one."""
    rows, cols = int(board["rows"]), int(board["cols"])
    mirrored = np.zeros(rows * cols, np.bool_)
    turns = symmetries_of(board)
    if not turns:
        return mirrored
    images = [symmetry.permutation(s, rows, cols) for s in turns]
    order = np.arange(rows * cols).reshape(rows, cols)[:, ::-1].T.ravel()
    for point in order if board["to_play"] == BLACK else order[::-1]:
        if not mirrored[point]:
            for image in images:
                if image[point] != point:
                    mirrored[image[point]] = True
    return mirrored


def symmetries_of(board: Any) -> list[int]:
    """The symmetries, but for the identity, that leave a position and its legal moves as they are."""
    if board["ko_point"] != NO_POINT or board["superko_banned"].any():
        return []
    return [s for s in symmetry.allowed(int(board["rows"]), int(board["cols"]))[1:] if _is_symmetric(board, s)]


def _is_symmetric(board: Any, s: int) -> bool:
    """Whether a symmetry leaves the position as it is."""
    grids: list[NDArray[Any]] = [stones_grid(board)]
    if board["phase"] > 0:
        size = (int(board["rows"]), int(board["cols"]))
        words: list[Any] = [board["ko_recapture_blocked"], *(board["encore_stones"] if board["phase"] == 2 else [])]
        grids += [_grid(bits, *size) for bits in words]
    return all(np.array_equal(symmetry.apply(s, grid), grid) for grid in grids)


def _grid(words: NDArray[np.uint64], rows: int, cols: int) -> NDArray[np.uint8]:
    """A bit board as uint8[rows, cols]."""
    bits = np.unpackbits(words.view(np.uint8), bitorder="little")
    return bits[: rows * cols].reshape(rows, cols)


def ending_bonus(board: Any, ownership: NDArray[np.float32] | None, points: float) -> NDArray[np.float64]:
    """Points float64[A] for White that each root move gets; ownership as in `Evaluations`, for the player to move.

    Under area scoring a free button makes passing slightly worse than the last dame; under territory scoring passing
    is worse than any dame until the second encore phase.
    """
    rows, cols = int(board["rows"]), int(board["cols"])
    bonus = np.zeros(rows * cols + 1)
    if ownership is None or points == 0.0:
        return bonus
    is_area = board["scoring"] == AREA or board["phase"] == 2
    if not is_area:
        bonus[-1] = -PASS_COST * points
    elif board["button"] == BUTTON_FREE:
        bonus[-1] = -BUTTON_COST * points
    if board["ko_point"] == NO_POINT:
        beyond = np.clip((np.abs(ownership.astype(np.float64).ravel()) - SURE) / (1.0 - SURE), 0.0, None)
        for point in np.flatnonzero(_is_pointless(board, ownership.ravel(), bool(is_area))):
            bonus[point] = -points * beyond[point]
    return bonus if board["to_play"] == WHITE else -bonus


def _is_pointless(board: Any, ownership: NDArray[np.float32], is_area: bool) -> NDArray[np.bool_]:
    """bool[points]: moves into sure territory that capture, defend and connect nothing."""
    me = int(board["to_play"])
    safe = safe_area(board)
    pointless = np.zeros(len(ownership), np.bool_)
    for point in np.flatnonzero(np.abs(ownership) >= SURE):
        cell = cell_of(int(point), int(board["cols"]))
        around = [cell + step for step in (-20, -1, 1, 20)]
        enemies = [at for at in around if board["stones"][at] == 3 - me]
        if ownership[point] < 0:
            pointless[point] = not is_area or all(board["liberties"][board["root"][at]] > 1 for at in enemies)
        else:
            pointless[point] = not enemies and not _connects(board, int(point), around, safe)
    return pointless


def _connects(board: Any, point: int, around: list[int], safe: NDArray[np.int8]) -> bool:
    """Whether a move of the player to move joins a chain that is not surely alive to another."""
    me, cols = int(board["to_play"]), int(board["cols"])
    if board["stones"][cell_of(point, cols)] != EMPTY or safe[point] == me:
        return False
    mine = [at for at in around if board["stones"][at] == me]
    unsafe = [at for at in mine if safe[(at // 20 - 1) * cols + at % 20 - 1] == EMPTY]
    return bool(unsafe) and any(board["root"][at] != board["root"][unsafe[0]] for at in mine)
