"""What a review holds: positions as the engine sees them, moves and what they lost, and figures of the players.

Plain data without behaviour but for its views. Everything is for the player to move unless a name says otherwise: an
`Assessment` is for its `to_play`, the losses of a `ReviewedMove` are those of who made it. Graphs want Black's view:
`Assessment.winrate_for(Color.BLACK)`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from move37.analysis.review_grades import Grade, Phase, Thresholds
from move37.rules.color import Color

__all__ = ["Assessment", "Candidate", "Engine", "Figures", "PlayerSummary", "Review", "ReviewedMove"]


@dataclass(frozen=True)
class Candidate:
    """A move that the engine thought of, for the player to move.

    move: a point, or rows * cols for a pass; vertex: the same for people. prior: in [0, 1], before searching.
    winrate: in [0, 1]; lead: points ahead; both None where the move was not visited, lead also where the network does
    not know points. line: what follows, the move itself first.
    """

    move: int
    vertex: str
    visits: int
    prior: float
    winrate: float | None
    lead: float | None
    line: tuple[int, ...]


@dataclass(frozen=True)
class Assessment:
    """A position as the engine sees it, for `to_play`.

    number: moves made before it. winrate: in [0, 1], a draw as half. lead: points ahead, or None. candidates: its best
    moves, the choice first.
    """

    number: int
    to_play: Color
    winrate: float
    lead: float | None
    visits: int
    candidates: tuple[Candidate, ...]

    def winrate_for(self, color: Color) -> float:
        """The win rate of `color`."""
        return self.winrate if color is self.to_play else 1 - self.winrate

    def lead_for(self, color: Color) -> float | None:
        """By how many points `color` is ahead; None where that is not known."""
        return self.lead if self.lead is None or color is self.to_play else -self.lead


@dataclass(frozen=True)
class ReviewedMove:
    """A move of the game, judged for who made it.

    number: from 1. before, after: the positions around it; None where they were not looked at.
    winrate_lost, points_lost: what it lost, below 0 where the engine likes the game better afterwards; None where it
    cannot be said: not looked at, the other side's turn was left out, stones were set up in between, or the network
    does not know points. rank: its place among the engine's moves, 1 its choice; None where it is not legal.
    severity: 1 where a mistake begins. grade: None where nothing is known of a loss.
    """

    number: int
    color: Color
    move: int
    vertex: str
    phase: Phase
    before: Assessment | None = None
    after: Assessment | None = None
    winrate_lost: float | None = None
    points_lost: float | None = None
    rank: int | None = None
    severity: float | None = None
    grade: Grade | None = None

    @property
    def is_fault(self) -> bool:
        """Whether it is an inaccuracy or worse."""
        return self.grade is not None and self.grade.is_fault

    @property
    def best(self) -> Candidate | None:
        """The engine's choice instead."""
        return self.before.candidates[0] if self.before is not None and self.before.candidates else None


@dataclass(frozen=True)
class Figures:
    """Means over some judged moves; None where there was none, or no points.

    A gain counts as no loss. first, first_three: shares of moves that were the engine's choice, one of its first three.
    """

    moves: int
    winrate_lost: float | None
    points_lost: float | None
    first: float | None
    first_three: float | None
    grades: Mapping[Grade, int]


@dataclass(frozen=True)
class PlayerSummary:
    """How a player did: in all, by part of the game, and the worst moves, the worst first."""

    color: Color
    name: str
    rank: str
    total: Figures
    phases: Mapping[Phase, Figures]
    worst: tuple[ReviewedMove, ...]


@dataclass(frozen=True)
class Engine:
    """Who reviewed: its name, its network's (empty if it has none to tell), and its limits a position."""

    name: str
    network: str
    visits: int | None
    seconds: float | None


@dataclass(frozen=True, repr=False)
class Review:
    """A game reviewed.

    `assessments` are those of the positions looked at, in order; `moves` all moves of the main line. `komi` and `rules`
    are those that the positions were searched by. `warnings`: what is odd about the record.
    """

    rows: int
    cols: int
    komi: float
    rules: str
    handicap: int
    result: str
    engine: Engine
    thresholds: Thresholds
    assessments: tuple[Assessment, ...]
    moves: tuple[ReviewedMove, ...]
    players: Mapping[Color, PlayerSummary]
    warnings: tuple[str, ...]

    def __repr__(self) -> str:
        """The game in short; the rest is for those who ask for it."""
        return f"<review of {len(self.moves)} moves on {self.rows}x{self.cols}, {len(self.faults())} faults>"

    @property
    def knows_points(self) -> bool:
        """Whether the engine's network knows points."""
        return any(one.lead is not None for one in self.assessments)

    def faults(self) -> list[ReviewedMove]:
        """The moves that are inaccuracies or worse, the worst first."""
        return sorted((move for move in self.moves if move.is_fault), key=lambda move: -(move.severity or 0.0))
