"""When a player gives up: its value has been low for some of its turns in a row, in one and the same game.

What is kept between turns is checked against the game it is asked about, so another game, or one taken back, starts
anew. Turns in a row are KataGo's idea: one search may misread a fight. So is White's patience in a handicap game, where
it is lost by its own measure from the start and plays on as long as it catches up in time (KataGo's `shouldResign`).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from move37.rules.color import Color
from move37.rules.position import Position

AREA_A_STONE, TERRITORY_A_STONE, FAIR_KOMI, LEAST_HEAD_START = 15.0, 14.0, 7.0, 0.9
"""What KataGo takes a handicap stone and the first move to be worth, and what makes a game one of handicap."""
SPARE_SHARE, SPARE_POINTS = 0.15, 5.0
"""White may be behind the schedule by this share of the head start and so many points."""

_Moves = list[tuple[Color, int]]


@dataclass
class Resignation:
    """Counts turns with a value under `below` (None: never resigns), which is in [-1, 0).

    It resigns at the `turns`-th in a row, but never before `after` moves of the game were played.
    """

    below: float | None
    turns: int = 1
    after: int = 20
    _low: dict[Color, tuple[_Moves, int]] = field(default_factory=dict[Color, tuple[_Moves, int]], repr=False)

    def resigns(self, position: Position, value: float, lead: float | None = None) -> bool:
        """Whether the player to move gives up, for whom the position is worth `value` in [-1, 1].

        `lead`: points by which it is ahead, if that is known.
        """
        if self.below is None or value >= self.below:
            self._low.pop(position.to_play, None)
            return False
        moves = position.moves
        before, count = self._low.get(position.to_play, (moves, 0))
        if moves[: len(before)] != before or len(moves) > len(before) + 2:
            count = 0
        count += len(moves) > len(before) or count == 0
        self._low[position.to_play] = moves, count
        patient = position.move_number < self.after or _catches_up(position, lead)
        return count >= self.turns and not patient


def _head_start(position: Position) -> float:
    """Points that Black is ahead by its handicap stones, and by a komi that is less than fair."""
    extra = max(0, position.handicap - 1)  # White moves next, which is worth one
    stone = AREA_A_STONE if position.rules.scoring == "area" else TERRITORY_A_STONE
    return stone * extra + FAIR_KOMI - position.komi - position.white_bonus


def _catches_up(position: Position, lead: float | None) -> bool:
    """Whether White, where Black began ahead, is not yet behind a schedule of catching up evenly."""
    start = _head_start(position)
    if position.to_play is Color.BLACK or start < LEAST_HEAD_START:
        return False
    points = position.rows * position.cols
    first, last = 1 + points // 5, 0.6 * points
    if position.move_number < first or lead is None:
        return position.move_number < first
    left = min(1.0, max(0.0, (last - position.move_number) / max(1.0, last - first)))
    return lead > -start * (left + SPARE_SHARE) - SPARE_POINTS
