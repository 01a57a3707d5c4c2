"""How the players did: means over their judged moves, in all and by part of the game."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean

from move37.analysis.review_grades import Grade, Phase
from move37.analysis.review_model import Figures, PlayerSummary, ReviewedMove
from move37.rules.color import Color
from move37.sgf.game_record import GameRecord

__all__ = ["figures", "summaries"]

_WORST = 5


def summaries(record: GameRecord, moves: Sequence[ReviewedMove]) -> Mapping[Color, PlayerSummary]:
    """The summary of each player."""
    names = {
        Color.BLACK: (record.black_name, record.black_rank),
        Color.WHITE: (record.white_name, record.white_rank),
    }
    return {color: _summary(color, *names[color], [one for one in moves if one.color is color]) for color in Color}


def _summary(color: Color, name: str, rank: str, moves: Sequence[ReviewedMove]) -> PlayerSummary:
    faults = sorted((one for one in moves if one.is_fault), key=lambda one: -(one.severity or 0.0))
    phases = {phase: figures(one for one in moves if one.phase is phase) for phase in Phase}
    return PlayerSummary(color, name.strip(), rank.strip(), figures(moves), phases, tuple(faults[:_WORST]))


def figures(moves: Iterable[ReviewedMove]) -> Figures:
    """The means over those of `moves` that have a grade."""
    judged = [one for one in moves if one.grade is not None]
    ranks = [one.rank for one in judged]
    return Figures(
        moves=len(judged),
        winrate_lost=_mean_loss(one.winrate_lost for one in judged),
        points_lost=_mean_loss(one.points_lost for one in judged),
        first=_share(rank == 1 for rank in ranks),
        first_three=_share(rank is not None and rank <= 3 for rank in ranks),
        grades={grade: sum(one.grade is grade for one in judged) for grade in Grade},
    )


def _mean_loss(losses: Iterable[float | None]) -> float | None:
    known = [max(0.0, loss) for loss in losses if loss is not None]
    return fmean(known) if known else None


def _share(hits: Iterable[bool]) -> float | None:
    found = list(hits)
    return sum(found) / len(found) if found else None
