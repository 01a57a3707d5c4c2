"""What a lost point or a lost percent is called, and which part of the game a move belongs to.

One rule: a move's severity is its loss over the loss at which a mistake begins, in points or in win rate, whichever is
worse; half of it is an inaccuracy, twice of it a blunder. With 3 points that gives the steps 1.5, 3 and 6, which
KaTrain has too; the win rate, and the parts of the game as shares of the board's points, are our choice.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum

from move37.errors import ConfigError

__all__ = ["Grade", "Phase", "Thresholds"]

_OPENING_SHARE = 0.14
_END_SHARE = 0.4


class Grade(StrEnum):
    """What a move is called."""

    BEST = "best"
    GOOD = "good"
    INACCURACY = "inaccuracy"
    MISTAKE = "mistake"
    BLUNDER = "blunder"

    @property
    def is_fault(self) -> bool:
        """Whether something better was there to be shown."""
        return self in FAULTS


FAULTS = (Grade.INACCURACY, Grade.MISTAKE, Grade.BLUNDER)


class Phase(StrEnum):
    """A part of the game: on 19x19 moves 1 to 50, 51 to 144, and the rest; on 9x9 1 to 11, 12 to 32, and the rest."""

    OPENING = "opening"
    MIDDLE = "middle game"
    END = "end game"

    @classmethod
    def of(cls, move: int, points: int) -> Phase:
        """The part of the game of a move (from 1) on a board of so many points.

        >>> Phase.of(50, 361).value, Phase.of(51, 361).value, Phase.of(145, 361).value
        ('opening', 'middle game', 'end game')
        """
        if move <= _OPENING_SHARE * points:
            return cls.OPENING
        return cls.MIDDLE if move <= _END_SHARE * points else cls.END


@dataclass(frozen=True)
class Thresholds:
    """Where a mistake begins: `points` lost, or `winrate` lost (0.1 is 10 % of the games)."""

    points: float = 3.0
    winrate: float = 0.1

    def __post_init__(self) -> None:
        """Refuse what is no loss (`ConfigError`)."""
        if not 0 < self.points < math.inf:
            raise ConfigError(f"a mistake begins at a number of points above 0, not {self.points:g}")
        if not 0 < self.winrate <= 1:
            raise ConfigError(f"a mistake begins at a win rate above 0 and up to 100 %, not {self.winrate:.0%}")

    @classmethod
    def parse(cls, text: str) -> Thresholds:
        """Read ``3``, ``10%`` or ``3,10%``: points, a win rate with its sign, or both; what is not said stays usual.

        ConfigError for anything else.

        >>> Thresholds.parse("5%"), Thresholds.parse("2, 8%")
        (Thresholds(points=3.0, winrate=0.05), Thresholds(points=2.0, winrate=0.08))
        """
        given: dict[str, float] = {}
        for word in text.split(","):
            name = "winrate" if word.strip().endswith("%") else "points"
            try:
                number = float(word.strip().removesuffix("%"))
            except ValueError:
                number = math.nan
            if name in given or math.isnan(number):
                raise ConfigError(f"{text!r} is no threshold: write points (3), a win rate (10%), or both (3,10%)")
            given[name] = number / 100 if name == "winrate" else number
        return cls(**given)

    def severity(self, winrate_lost: float, points_lost: float | None) -> float:
        """How bad a loss is: 1 where a mistake begins; 0 or less is no loss."""
        by_points = -math.inf if points_lost is None else points_lost / self.points
        return max(winrate_lost / self.winrate, by_points)

    def grade(self, severity: float, is_choice: bool) -> Grade:
        """What a move of this severity is called; the engine's own choice (`is_choice`) is never a fault."""
        if is_choice:
            return Grade.BEST
        steps = ((2.0, Grade.BLUNDER), (1.0, Grade.MISTAKE), (0.5, Grade.INACCURACY))
        return next((grade for least, grade in steps if severity >= least), Grade.GOOD)
