"""The graph of a review as one inline SVG: Black's win rate, Black's lead, and what each move lost.

Plain shapes and style classes (`review_style` colours them, light and dark); no script. Each panel names both views:
its upper half is Black's, its lower half White's. Every move has a tooltip, faults are links to their place in the
page.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from move37.analysis.review_model import Assessment, Review, ReviewedMove
from move37.analysis.review_words import loss_words, standing
from move37.rules.color import Color

__all__ = ["graph_svg"]

_WIDTH = 720
_LEFT, _RIGHT = 46, 46
_TOP, _PANEL, _GAP, _BOTTOM = 22, 150, 40, 30
_LEAST_SPAN = 10.0
_LEAST_LOSS_SPAN = 5.0


@dataclass(frozen=True)
class _Panel:
    """One panel: values from -span to span around the middle, Black's above; `top` is its upper edge."""

    top: float
    span: float

    def y(self, value: float) -> float:
        """The height of a value, kept inside the panel."""
        share = max(-1.0, min(1.0, value / self.span))
        return self.top + _PANEL / 2 * (1 - share)


@dataclass(frozen=True)
class _Axis:
    """Move numbers from left to right."""

    first: int
    last: int

    def x(self, number: float) -> float:
        """Where a position is drawn."""
        return _LEFT + (_WIDTH - _LEFT - _RIGHT) * (number - self.first) / max(1, self.last - self.first)


def graph_svg(review: Review) -> str:
    """The graph as one ``<svg>`` element; empty if fewer than two positions were looked at."""
    seen = review.assessments
    if len(seen) < 2:
        return ""
    axis = _Axis(seen[0].number, seen[-1].number)
    panels = [_winrate_panel(review, axis, _TOP)]
    if review.knows_points:
        panels.append(_lead_panel(review, axis, _TOP + _PANEL + _GAP))
    panels.append(_loss_panel(review, axis, _TOP + len(panels) * (_PANEL + _GAP)))
    height = _TOP + len(panels) * (_PANEL + _GAP) - _GAP + _BOTTOM
    return "".join(
        [
            f'<svg class="graph" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" role="group" '
            'aria-label="Graph of the game; the table of moves below has the same numbers">',
            *panels,
            *_move_numbers(axis, height - 10),
            *_tooltips(review, axis, height),
            *_links(review, axis),
            "</svg>",
        ]
    )


def _winrate_panel(review: Review, axis: _Axis, top: float) -> str:
    panel = _Panel(top, 0.5)
    values = [one.winrate_for(Color.BLACK) - 0.5 for one in review.assessments]
    ticks = [(0.5, "100%", "0%"), (0.25, "75%", "25%"), (0, "50%", "50%"), (-0.25, "25%", "75%"), (-0.5, "0%", "100%")]
    return _panel("Win rate: Black’s (left), White’s (right)", panel, ticks) + _curve(
        panel, axis, review.assessments, values
    )


def _lead_panel(review: Review, axis: _Axis, top: float) -> str:
    leads = [(one, one.lead_for(Color.BLACK) or 0.0) for one in review.assessments]
    panel = _Panel(top, _rounded_up(max(_LEAST_SPAN, *(abs(lead) for _, lead in leads))))
    half = panel.span / 2
    ticks = [(value, _signed(value), _signed(-value)) for value in (panel.span, half, 0.0, -half, -panel.span)]
    title = "Lead in points: Black’s (left), White’s (right)"
    return _panel(title, panel, ticks) + _curve(panel, axis, [one for one, _ in leads], [lead for _, lead in leads])


def _loss_panel(review: Review, axis: _Axis, top: float) -> str:
    """Bars: what Black's moves lost upwards, White's downwards; points where they are known, else win rate."""
    by_points = review.knows_points
    losses = [(move, _loss(move, by_points)) for move in review.moves]
    known = [(move, loss) for move, loss in losses if loss]
    least = _LEAST_LOSS_SPAN if by_points else 0.1
    worst = max([least, *(loss for _, loss in known)])
    panel = _Panel(top, _rounded_up(worst) if by_points else min(1.0, math.ceil(worst * 10) / 10))
    said = f"{panel.span:g}" if by_points else f"{panel.span:.0%}"
    what = "points" if by_points else "win rate"
    title = f"Lost {what} by move: Black’s moves up, White’s down"
    bars = (_bar(panel, axis, move, loss) for move, loss in known)
    return _panel(title, panel, [(panel.span, said, said), (0, "0", "0"), (-panel.span, said, said)]) + "".join(bars)


def _loss(move: ReviewedMove, by_points: bool) -> float:
    loss = move.points_lost if by_points else move.winrate_lost
    return max(0.0, loss or 0.0)


def _bar(panel: _Panel, axis: _Axis, move: ReviewedMove, loss: float) -> str:
    wide = max(1.0, min(9.0, 0.7 * (axis.x(axis.first + 1) - axis.x(axis.first))))
    left = max(float(_LEFT), min(_WIDTH - _RIGHT - wide, axis.x(move.number) - wide / 2))
    middle, end = panel.y(0), panel.y(loss if move.color is Color.BLACK else -loss)
    kind = f"loss {move.grade.value}" if move.grade is not None and move.is_fault else "loss"
    return (
        f'<rect class="{kind}" x="{left:.1f}" y="{min(middle, end):.1f}" '
        f'width="{wide:.1f}" height="{abs(end - middle):.1f}"/>'
    )


def _panel(title: str, panel: _Panel, ticks: Sequence[tuple[float, str, str]]) -> str:
    """The frame of a panel: Black's half and White's half, lines with their numbers on both sides."""
    wide, half = _WIDTH - _LEFT - _RIGHT, _PANEL / 2
    parts = [
        f'<text class="title" x="{_LEFT}" y="{panel.top - 7:g}">{escape(title)}</text>',
        f'<rect class="upper" x="{_LEFT}" y="{panel.top:g}" width="{wide}" height="{half:g}"/>',
        f'<rect class="lower" x="{_LEFT}" y="{panel.top + half:g}" width="{wide}" height="{half:g}"/>',
    ]
    for value, left, right in ticks:
        y = panel.y(value)
        kind = "middle" if value == 0 else "line"
        parts.append(f'<line class="{kind}" x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>')
        parts.append(f'<text class="tick end" x="{_LEFT - 6}" y="{y + 4:.1f}">{left}</text>')
        parts.append(f'<text class="tick" x="{_WIDTH - _RIGHT + 6}" y="{y + 4:.1f}">{right}</text>')
    return "".join(parts)


def _curve(panel: _Panel, axis: _Axis, seen: Sequence[Assessment], values: Sequence[float]) -> str:
    points = [f"{axis.x(one.number):.1f} {panel.y(value):.1f}" for one, value in zip(seen, values, strict=True)]
    first, last, middle = axis.x(axis.first), axis.x(axis.last), panel.y(0)
    path = "L".join(points)
    return (
        f'<path class="area" d="M{first:.1f} {middle:.1f}L{path}L{last:.1f} {middle:.1f}Z"/>'
        f'<path class="curve" d="M{path}"/>'
    )


def _move_numbers(axis: _Axis, y: float) -> Iterator[str]:
    step = next(one for one in (1, 2, 5, 10, 20, 50, 100, 200, 500, 10**9) if (axis.last - axis.first) / one <= 12)
    for number in range(axis.first + -axis.first % step, axis.last + 1, step):
        yield f'<text class="tick mid" x="{axis.x(number):.1f}" y="{y}">{number}</text>'


def _tooltips(review: Review, axis: _Axis, height: float) -> Iterator[str]:
    """A strip without colour over each move, that says what happened there."""
    wide = axis.x(axis.first + 1) - axis.x(axis.first)
    moves = {move.number: move for move in review.moves}
    for one in review.assessments:
        text = standing(one)
        move = moves.get(one.number)
        if move is not None:
            lost = f", lost {loss_words(move)}" if loss_words(move) else ""
            text = f"{move.number} {move.color.title} {move.vertex}{lost}. {text}"
        yield (
            f'<rect class="tip" x="{axis.x(one.number) - wide / 2:.1f}" y="{_TOP}" width="{wide:.1f}" '
            f'height="{height - _TOP - _BOTTOM}"><title>{escape(text)}</title></rect>'
        )


def _links(review: Review, axis: _Axis) -> Iterator[str]:
    """A dot on the win-rate curve for each fault, linked to the table's row."""
    panel = _Panel(_TOP, 0.5)
    for move in review.moves:
        if move.is_fault and move.after is not None and move.grade is not None:
            name = f"Move {move.number}, {move.color.title} {move.vertex}: {move.grade.value}, lost {loss_words(move)}"
            y = panel.y(move.after.winrate_for(Color.BLACK) - 0.5)
            yield (
                f'<a href="#m{move.number}" aria-label="{escape(name)}"><circle class="dot {move.grade.value} '
                f'{move.color.word}" cx="{axis.x(move.number):.1f}" cy="{y:.1f}" r="5"><title>{escape(name)}</title>'
                "</circle></a>"
            )


def _signed(number: float) -> str:
    return f"{number:+g}".replace("-", "−") if number else "0"


def _rounded_up(number: float) -> float:
    """The next of 5, 10, 20, 50, 100, ... that is not below a positive number."""
    power = 10.0 ** math.floor(math.log10(number))
    return next(step * power for step in (1, 2, 5, 10) if step * power >= number)
