"""How a rule of selection judges the moves of a node: value and exploration bonus of each, by UCB1, PUCT or the mix.

The scores are those of `search.tree_view`; the longest bar is the move that the next simulation follows.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from move37.pictures.drawing import GAP, Picture, box, grid, line, text
from move37.rules.coordinates import format_vertex
from move37.rules.position import Position
from move37.search.tree_view import MoveScore

__all__ = ["FORMULAS", "score_bars", "scores_picture"]

FORMULAS = {
    "ucb1": "UCB1: mean + c · √(ln N / n)",
    "puct": "PUCT: Q + c · P · √N / (1 + n)",
    "mixed": "AlphaGo 2016: Q + c · P · √N / (1 + n), Q = (1 − λ) · values + λ · rollouts",
}
_ROW, _BARS = 20.0, 210.0


def score_bars(
    scores: Sequence[MoveScore], position: Position, *, most: int = 12, heading: str = "", caption: str = ""
) -> Picture:
    """The `most` moves of the highest score, each with visits, prior, Q (blue) and bonus (orange), and their sum."""
    best = sorted(scores, key=lambda one: -one.score)[:most]
    finite = [one for one in best if math.isfinite(one.score)]
    low = min([0.0, *(one.q for one in finite)])
    high = max([0.1, *(max(one.q, one.score) for one in finite)])
    scale = _BARS / (high - low)
    body = [text(x, 10, words, 10, "faint", "end") for x, words in ((84, "n"), (130, "P"), (410, "score"))]
    for i, one in enumerate(best):
        name = format_vertex(one.move, position.rows, position.cols)
        body += _row(one, name, 16 + _ROW * i, -low * scale, scale, chosen=i == 0)
    zero = 140 - low * scale
    body.append(line(zero, 14, zero, 18 + _ROW * len(best), "faint"))
    return Picture(heading or "scores", 420, 20 + _ROW * len(best), "".join(body), heading, caption)


def _row(one: MoveScore, name: str, y: float, zero: float, scale: float, *, chosen: bool) -> Iterable[str]:
    kind = "blue" if chosen else "ink"
    visits = f"{one.visits}" + (f"+{one.pending}" if one.pending else "")
    yield text(0, y + 13, name, 12, kind, "start", bold=chosen)
    yield text(84, y + 13, visits, 11, kind, "end")
    yield text(130, y + 13, f"{one.prior:.3f}", 11, kind, "end")
    start, value = 140 + zero, one.q * scale
    if math.isinf(one.bonus):
        yield box(start, y + 3, 210 - zero, 12, "orange", opacity=0.5, hover=f"{name}: not visited, comes first")
        yield text(410, y + 13, "∞", 11, kind, "end", bold=chosen)
        return
    yield box(min(start, start + value), y + 3, abs(value), 12, "blue", hover=f"{name}: Q {one.q:+.3f}")
    hover = f"{name}: bonus {one.bonus:.3f}"
    yield box(start + value, y + 5, one.bonus * scale, 8, "orange", opacity=0.85, hover=hover)
    yield text(410, y + 13, f"{one.score:.3f}".replace("-", "−"), 11, kind, "end", bold=chosen)


def scores_picture(
    by_rule: Sequence[tuple[str, Sequence[MoveScore]]], position: Position, *, heading: str = "", caption: str = ""
) -> Picture:
    """The moves of one position by each rule, side by side; a rule is named as in FORMULAS."""
    panels = [score_bars(scores, position, heading=FORMULAS[rule]) for rule, scores in by_rule]
    told = caption or (
        "Blue is what is known of a move (UCB1: its win rate; else its value from −1 to 1), orange how much looking at "
        "it is still worth. The first of the list is followed next."
    )
    title = heading or f"What selection sees, {position.to_play.title} to play"
    return grid("Scores of moves", panels, len(panels), heading=title, caption=told, gap=2.5 * GAP)
