"""The patterns of a rollout policy: the 3x3 shapes that weigh the most and the least, and what it would play.

A shape is drawn as the policy keeps it, Black to play in the middle; numbers on stones are the liberties of their
chains (3 stands for more). A weight w makes a move e^w times as likely as one of weight 0.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from move37.errors import ConfigError
from move37.features.rollout_policy import RolloutPolicy
from move37.pictures.boards import board_panel, percent, values_overlay
from move37.pictures.drawing import GAP, Picture, box, circle, grid, signed
from move37.rules.board_kernels import BLACK, WALL, WHITE
from move37.rules.position import Position
from move37.search.evaluator import masked_softmax
from move37.search.tree_policy import PatternTreePolicy

__all__ = ["patterns_picture", "shape_cells"]

_PLACES = ((0, 1), (1, 2), (2, 1), (1, 0), (0, 2), (2, 2), (2, 0), (0, 0))
"""Row and column of the eight places of a code: N, E, S, W, then NE, SE, SW, NW."""
_SIDE = 26.0


def shape_cells(code: int) -> dict[tuple[int, int], tuple[int, int]]:
    """What a 3x3 code says of each place (row, column) but the middle: the stone (or WALL), and its liberties or 0."""
    return {spot: (code >> 4 * i & 3, code >> 4 * i + 2 & 3) for i, spot in enumerate(_PLACES)}


def patterns_picture(
    policy: RolloutPolicy, position: Position | None = None, *, most: int = 16, heading: str = "", caption: str = ""
) -> Picture:
    """The `most` heaviest shapes and the `most` lightest, and what its tree policy, if it has one, would play."""
    shapes = policy.patterns.shapes
    if not len(shapes):
        raise ConfigError(f"the rollout policy {policy.spec.name} has no 3x3 shapes")
    first = policy.patterns.first_shape
    weights = policy.rollout[first : first + len(shapes)]
    order = np.argsort(-weights, kind="stable")
    rows = [
        _shapes(policy, order[:most], f"the {min(most, len(shapes))} shapes that speak for a move the most"),
        _shapes(policy, order[::-1][:most], "those that speak against it the most"),
    ]
    if position is not None and policy.has_tree:
        rows.append(_moves(policy, position))
    title = heading or f"{policy.spec.name}: {len(shapes):,} shapes among {len(policy.rollout):,} features"
    told = caption or "Black plays in the middle; a number is the liberties of a stone’s chain, 3 for three or more."
    return grid("Rollout patterns", rows, 1, heading=title, caption=told, gap=1.5 * GAP)


def _shapes(policy: RolloutPolicy, which: Iterable[int], heading: str) -> Picture:
    first = policy.patterns.first_shape
    panels = [_shape(int(policy.patterns.shapes[i]), float(policy.rollout[first + i])) for i in which]
    return grid(heading, panels, 8, heading=heading)


def _shape(code: int, weight: float) -> Picture:
    side = 3 * _SIDE
    body = [box(0, 0, side, side, "wood", more=' fill="#e3b768"')]
    cells = shape_cells(code)
    for place, (what, liberties) in cells.items():
        body += _place(place, what, liberties, cells)
    middle = 1.5 * _SIDE
    body += [*_lines(1, 1, cells), circle(middle, middle, 5, "here", more=' fill="#b3122b"')]
    told = f"{signed(weight)}: ×{math.exp(weight):.3g}"
    return Picture(f"shape {code:x}: {told}", side, side, "".join(body), caption=told)


def _place(
    place: tuple[int, int], what: int, liberties: int, cells: dict[tuple[int, int], tuple[int, int]]
) -> Iterable[str]:
    row, col = place
    if what == WALL:
        yield box(col * _SIDE, row * _SIDE, _SIDE, _SIDE, "rule", hover="beyond the edge")
        return
    yield from _lines(row, col, cells)
    if what not in (BLACK, WHITE):
        return
    x, y = (col + 0.5) * _SIDE, (row + 0.5) * _SIDE
    look = ' fill="#17171a"' if what == BLACK else ' fill="#f6f3ec" stroke="#8f897c"'
    name = "Black" if what == BLACK else "White"
    yield circle(x, y, _SIDE * 0.44, "stone", more=look, hover=f"{name}, liberties {liberties}")
    if liberties:
        ink = "#ffffff" if what == BLACK else "#000000"
        yield f'<text x="{x:g}" y="{y + 4:g}" font-size="11" text-anchor="middle" fill="{ink}">{liberties}</text>'


def _lines(row: int, col: int, cells: dict[tuple[int, int], tuple[int, int]]) -> Iterable[str]:
    """The half lines from a point to the neighbours that are on the board."""
    x, y = (col + 0.5) * _SIDE, (row + 0.5) * _SIDE
    for down, right in ((-1, 0), (1, 0), (0, -1), (0, 1)):
        if cells.get((row + down, col + right), (0, 0))[0] != WALL:
            ends = f'x1="{x:g}" y1="{y:g}" x2="{x + right * _SIDE / 2:g}" y2="{y + down * _SIDE / 2:g}"'
            yield f'<line {ends} stroke="#4a3516"/>'


def _moves(policy: RolloutPolicy, position: Position) -> Picture:
    """Probabilities of the tree policy over the board."""
    weights = PatternTreePolicy(policy).weights(position.board_array)
    with np.errstate(divide="ignore"):
        logits = np.log(weights).astype(np.float32)
    shares = masked_softmax(logits, position.legal_mask()[None])[0]
    overlay = values_overlay(shares[:-1].reshape(position.rows, position.cols), position.stones, words=percent)
    best = int(shares.argmax())
    told = f"{position.vertex(best)} {percent(float(shares[best]))} %"
    heading = "what the policy would play, in per cent"
    return board_panel(
        position.stones, heading, last=position.last_move, overlay=overlay, width=360, heading=heading, caption=told
    )
