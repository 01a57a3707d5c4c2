"""The score of a finished game: the sum with its parts, and its words.

`Score` holds what was counted and how, and says so; the counting is in `territory` (people, agreed dead stones) and in
`score_kernels` (the rules alone). A score names its rule, the dead stones that were taken off and the stones in seki,
so that nobody has to guess which count it is.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from numbers import Real

from move37.errors import RulesError
from move37.rules.color import Color
from move37.rules.result import Result

_ONE = {"stones": "stone", "prisoners": "prisoner", "stones played": "stone played"}
"""How a part is called that is one point."""


@dataclass(frozen=True)
class Part:
    """One part of a score, such as *territory*, *prisoners* or *komi*: points of both sides, negative for a tax."""

    name: str
    black: float
    white: float


@dataclass(frozen=True)
class Score:
    """A counted board.

    ``black`` and ``white`` are the points of both sides, White's with komi and handicap bonus; ``parts`` are what they
    are made of. ``rule`` names how it was counted, ``rules`` the ruleset. ``dead`` are the vertices of the stones that
    were taken off first, ``seki`` those of the stones that live in seki, ``tax`` what they cost (see `Ruleset`).
    ``note`` says what the sum alone does not: that the game has no result after a long cycle. `black_margin` is Black's
    lead; `margin_for` gives the other view.
    """

    black: float
    white: float
    rule: str = "area"
    rules: str = "tromp-taylor"
    parts: tuple[Part, ...] = ()
    dead: tuple[str, ...] = ()
    seki: tuple[str, ...] = ()
    tax: str = "none"
    note: str = ""

    @classmethod
    def of_parts(
        cls,
        parts: Iterable[Part],
        *,
        rule: str = "area",
        rules: str = "tromp-taylor",
        dead: Iterable[str] = (),
        seki: Iterable[str] = (),
        tax: str = "none",
        note: str = "",
    ) -> Score:
        """The score that these parts add up to; parts that give nobody anything are left out."""
        kept = tuple(part for part in parts if part.black or part.white)
        black, white = sum(part.black for part in kept), sum(part.white for part in kept)
        return cls(float(black), float(white), rule, rules, kept, tuple(dead), tuple(seki), tax, note)

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
        return self.result.winner

    @property
    def result(self) -> Result:
        """The score as the result of the game."""
        return Result.of_margin(self.black_margin)

    @property
    def text(self) -> str:
        """The result as SGF writes it: ``"B+2"``, ``"W+0.5"``, and ``"0"`` for a draw.

        >>> Score(black=41, white=40.5).text, Score(black=40, white=40).text
        ('B+0.5', '0')
        """
        return self.result.text

    @property
    def explanation(self) -> str:
        """Lines for people: the rule, the dead stones, the seki where it is taxed, the sum of each side, the result.

        >>> parts = [Part("territory", 10, 13), Part("prisoners", 2, 0), Part("komi", 0, 6.5)]
        >>> print(Score.of_parts(parts, rule="territory", rules="japanese", dead=["A3", "B3"]).explanation)
        territory scoring, japanese rules
        taken off as dead: A3 B3
        Black: 10 territory + 2 prisoners = 12
        White: 13 territory + 6.5 komi = 19.5
        W+7.5
        """
        return "\n".join(
            [
                f"{self.rule} scoring, {self.rules} rules",
                f"taken off as dead: {' '.join(self.dead) or 'nothing'}",
                *([f"in seki: {' '.join(self.seki)}"] if self.seki and self.tax != "none" else []),
                self.sums,
            ]
        )

    @property
    def sums(self) -> str:
        """The last lines of `explanation`: the sum of each side, the result, and the note if there is one."""
        lines = [f"{color.title}: {self._sum(color)}" for color in Color]
        return "\n".join([*lines, self.text, *([self.note] if self.note else [])])

    def _sum(self, color: Color) -> str:
        """One side's parts as a sum: ``13 territory + 6.5 komi = 19.5``."""
        words = ""
        for part in self.parts:
            points = part.black if color is Color.BLACK else part.white
            if points:
                sign = "- " if points < 0 else "+ " if words else ""
                words += f"{sign}{abs(points):g} {_ONE.get(part.name, part.name) if abs(points) == 1 else part.name} "
        total = self.black if color is Color.BLACK else self.white
        return f"{words}= {total:g}" if words else f"{total:g}"

    def __str__(self) -> str:
        return self.text


def check_komi(komi: object, limit: float = 400.0) -> float:
    """Give back ``komi`` as a float if it is a whole or half number within ±``limit``, else raise `RulesError`."""
    if not isinstance(komi, Real) or not -limit <= float(komi) <= limit or (2 * float(komi)) % 1 != 0:
        raise RulesError(f"Komi {komi!r} is not possible: use a whole or half number from -{limit:g} to {limit:g}.")
    return float(komi) + 0.0  # no negative zero
