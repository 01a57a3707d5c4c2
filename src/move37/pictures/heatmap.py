"""The policy as a heat map over the board, with temperature, in opening, fight and endgame; and through the symmetries.

Concept pictures E1 and A5 of the course. A policy here is float[A] probabilities over the legal moves, pass last.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from move37.errors import ConfigError
from move37.evaluators.symmetric import SymmetricEvaluator
from move37.pictures.boards import board_panel, percent, values_overlay
from move37.pictures.drawing import Picture, grid
from move37.rules import symmetry
from move37.rules.position import Position
from move37.search.evaluator import Evaluator, masked_softmax

__all__ = ["heatmap_picture", "legal_policy", "stages_picture", "symmetries_picture", "turned_policies"]

Policy = NDArray[np.float64]


def legal_policy(evaluator: Evaluator, position: Position, temperature: float = 1.0) -> Policy:
    """Float64[A] that sum to 1: the evaluator's policy over the legal moves, as p^(1/temperature).

    ConfigError for a temperature that is not above 0.
    """
    if not 0 < temperature < np.inf:
        raise ConfigError(
            f"a temperature is a number above 0, not {temperature:g}: low is sharp, 1 as it is, high flat"
        )
    logits = evaluator.evaluate(position.board_array).policy / np.float32(temperature)
    policy: Policy = masked_softmax(logits, position.legal_mask()[None])[0].astype(np.float64)
    return policy


def heatmap_picture(
    policy: Policy, position: Position, *, width: int = 420, heading: str = "", caption: str = ""
) -> Picture:
    """Probabilities float[A] over the board, in per cent; the caption tells the best move, the pass and the entropy."""
    points = policy[:-1].reshape(position.rows, position.cols)
    overlay = values_overlay(points, position.stones, words=percent)
    best = int(policy.argmax())
    spread = -float((policy[policy > 0] * np.log2(policy[policy > 0])).sum())
    told = caption or (
        f"{position.vertex(best)} {percent(float(policy[best]))} %, pass {percent(float(policy[-1]))} %, "
        f"entropy {spread:.1f} bits"
    )
    title = f"Policy after {position.move_number} moves"
    return board_panel(
        position.stones, title, last=position.last_move, overlay=overlay, width=width, heading=heading, caption=told
    )


def stages_picture(
    evaluator: Evaluator,
    positions: Sequence[Position],
    temperatures: Sequence[float] = (1.0,),
    *,
    heading: str = "",
    caption: str = "",
) -> Picture:
    """A column for each position, a row for each temperature: opening, fight and endgame as the policy sees them."""
    panels = [
        heatmap_picture(
            legal_policy(evaluator, position, temperature),
            position,
            width=340 if len(positions) > 1 else 480,
            heading=f"after {position.move_number} moves"
            + (f", temperature {temperature:g}" if len(temperatures) > 1 or temperature != 1 else ""),
        )
        for temperature in temperatures
        for position in positions
    ]
    title = heading or "Where the policy would play, in per cent"
    return grid("Policy heat maps", panels, len(positions), heading=title, caption=caption)


def turned_policies(evaluator: Evaluator, position: Position) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The policy of each turned board, float64[S, A], as the evaluator gives it and turned back; S is 8, or 4."""
    rows, cols = position.rows, position.cols
    turns = symmetry.allowed(rows, cols)
    boards = np.repeat(position.board_array, len(turns))
    found = SymmetricEvaluator(evaluator, mode="mean").turned(boards, np.array(turns, np.int8)).policy
    legal = np.repeat(position.legal_mask()[None], len(turns), axis=0)
    back = masked_softmax(found, legal).astype(np.float64)
    raw = [symmetry.apply_policy(s, back[i], rows, cols) for i, s in enumerate(turns)]
    return np.array(raw), back


def symmetries_picture(evaluator: Evaluator, position: Position, *, heading: str = "", caption: str = "") -> Picture:
    """Every symmetry of the position with the policy there, the same turned back, and the mean of all."""
    raw, back = turned_policies(evaluator, position)
    rows, cols = position.rows, position.cols
    turns = symmetry.allowed(rows, cols)
    seen = [
        _small(symmetry.apply(s, position.stones), raw[i], rows, cols, f"{s}: {_NAMES[s]}") for i, s in enumerate(turns)
    ]
    returned = [_small(position.stones, back[i], rows, cols, f"{s} turned back") for i, s in enumerate(turns)]
    spread = float(np.abs(back - back.mean(axis=0)).sum(axis=1).mean() / 2)
    mean = heatmap_picture(back.mean(axis=0), position, width=340, heading=f"the mean of the {len(turns)}")
    many = grid("symmetries", [*seen, *returned], len(turns))
    told = caption or (
        f"A network is not quite symmetric: one answer differs from the mean by {100 * spread:.1f} % of the moves’ "
        "probability on the average. The mean is steadier."
    )
    title = heading or "One position, turned and mirrored"
    return grid("The symmetries of a position", [many, mean], 1, heading=title, caption=told)


_NAMES = (
    "as it is",
    "upside down",
    "mirrored",
    "half a turn",
    "main diagonal",
    "quarter turn right",
    "quarter turn left",
    "other diagonal",
)


def _small(stones: NDArray[np.int8], policy: Policy, rows: int, cols: int, caption: str) -> Picture:
    points = policy[:-1].reshape(rows, cols)
    overlay = values_overlay(points, stones, words=percent, least=2.0)  # colours alone: there is no room for words
    return board_panel(
        np.ascontiguousarray(stones), caption, overlay=overlay, coordinates=False, width=140, caption=caption
    )
