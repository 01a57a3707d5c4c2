"""The result of a finished game as numbers and as the text of a game record.

`Score` only holds and words a result; the counting is in `area_kernels`. Area scoring is Tromp–Taylor's: a player's
points are the stones and the empty regions that touch only that player's stones. Nothing is judged dead here; stones
agreed dead are taken off before.
"""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Real

from move37.errors import RulesError
from move37.rules.color import Color


@dataclass(frozen=True)
class Score:
    """A counted board.

    ``black`` and ``white`` are the points of both sides: points on the board, White's with komi and handicap bonus.
    ``rule`` names how it was counted, ``rules`` the ruleset. `black_margin` is Black's lead; `margin_for` gives the
    other view.
    """

    black: float
    white: float
    rule: str = "area"
    rules: str = "tromp-taylor"

    @property
    def black_margin(self) -> float:
        """Points Black is ahead; negative when White is."""
        return self.black - self.white

    def margin_for(self, color: Color) -> float:
        """Points this player is ahead."""
        return self.black_margin if color is Color.BLACK else -self.black_margin

    @property
    def winner(self) -> Color | None:
        """Who has more points, or None for a draw."""
        if self.black_margin == 0:
            return None
        return Color.BLACK if self.black_margin > 0 else Color.WHITE

    @property
    def text(self) -> str:
        """The result as SGF writes it: ``"B+2"``, ``"W+0.5"``, and ``"0"`` for a draw.

        >>> Score(black=41, white=40.5).text, Score(black=40, white=40).text
        ('B+0.5', '0')
        """
        return result_text(self.black_margin)

    def __str__(self) -> str:
        return self.text


def result_text(black_margin: float) -> str:
    """Word Black's lead as SGF writes a result.

    >>> result_text(2.0), result_text(-0.5), result_text(0)
    ('B+2', 'W+0.5', '0')
    """
    if black_margin == 0:
        return "0"
    return f"{'B' if black_margin > 0 else 'W'}+{abs(black_margin):g}"


def check_komi(komi: object, limit: float = 400.0) -> float:
    """Give back ``komi`` as a float if it is a whole or half number within ±``limit``, else raise `RulesError`."""
    if not isinstance(komi, Real) or not -limit <= float(komi) <= limit or (2 * float(komi)) % 1 != 0:
        raise RulesError(f"Komi {komi!r} is not possible: use a whole or half number from -{limit:g} to {limit:g}.")
    return float(komi) + 0.0  # no negative zero
