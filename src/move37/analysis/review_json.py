"""A review as JSON, for programs: every number with its view in its name.

`docs/review.md` lists the fields; ``version`` grows when one changes its meaning or goes.
"""

from __future__ import annotations

import json
from typing import Any, Final

from move37.analysis.review_model import Assessment, Candidate, Figures, PlayerSummary, Review, ReviewedMove
from move37.rules.color import Color
from move37.rules.coordinates import format_vertex
from move37.sgf.game_record import GameRecord

__all__ = ["review_json", "review_object"]

VERSION: Final = 1


def review_json(record: GameRecord, review: Review) -> str:
    """The text of the JSON file."""
    return json.dumps(review_object(record, review), ensure_ascii=False, indent=1) + "\n"


def review_object(record: GameRecord, review: Review) -> dict[str, Any]:
    """The review as what JSON can hold; rates in [0, 1], points; None where something is not known."""
    return {
        "format": "move37 review",
        "version": VERSION,
        "game": _game(record, review),
        "engine": {
            "name": review.engine.name,
            "network": review.engine.network,
            "visits": review.engine.visits,
            "seconds": review.engine.seconds,
        },
        "thresholds": {"points": review.thresholds.points, "winrate": review.thresholds.winrate},
        "players": {color.word: _player(review.players[color]) for color in Color},
        "positions": [_position(seen, review) for seen in review.assessments],
        "moves": [_move(move) for move in review.moves],
        "warnings": list(review.warnings),
    }


def _game(record: GameRecord, review: Review) -> dict[str, Any]:
    return {
        "black": record.black_name,
        "white": record.white_name,
        "date": record.date,
        "event": record.event,
        "rows": review.rows,
        "cols": review.cols,
        "rules": review.rules,
        "komi": review.komi,
        "handicap": review.handicap,
        "result": review.result,
    }


def _player(player: PlayerSummary) -> dict[str, Any]:
    return {
        "name": player.name,
        "rank": player.rank,
        **_figures(player.total),
        "phases": {phase.value: _figures(found) for phase, found in player.phases.items()},
        "worst": [move.number for move in player.worst],
    }


def _figures(found: Figures) -> dict[str, Any]:
    return {
        "moves": found.moves,
        "points_lost": _points(found.points_lost),
        "winrate_lost": _rate(found.winrate_lost),
        "first": _rate(found.first),
        "first_three": _rate(found.first_three),
        "grades": {grade.value: count for grade, count in found.grades.items()},
    }


def _position(seen: Assessment, review: Review) -> dict[str, Any]:
    return {
        "number": seen.number,
        "to_play": seen.to_play.word,
        "black_winrate": _rate(seen.winrate_for(Color.BLACK)),
        "black_lead": _points(seen.lead_for(Color.BLACK)),
        "visits": seen.visits,
        "candidates": [_candidate(one, review) for one in seen.candidates],
    }


def _candidate(one: Candidate, review: Review) -> dict[str, Any]:
    return {
        "move": one.vertex,
        "visits": one.visits,
        "prior": _rate(one.prior),
        "winrate": _rate(one.winrate),
        "lead": _points(one.lead),
        "line": [format_vertex(move, review.rows, review.cols) for move in one.line],
    }


def _move(move: ReviewedMove) -> dict[str, Any]:
    return {
        "number": move.number,
        "color": move.color.word,
        "move": move.vertex,
        "phase": move.phase.value,
        "points_lost": _points(move.points_lost),
        "winrate_lost": _rate(move.winrate_lost),
        "rank": move.rank,
        "grade": None if move.grade is None else move.grade.value,
    }


def _rate(number: float | None) -> float | None:
    return None if number is None else round(number, 4) + 0.0


def _points(number: float | None) -> float | None:
    return None if number is None else round(number, 2) + 0.0
