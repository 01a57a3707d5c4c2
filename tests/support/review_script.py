"""A reviewer that knows the answers: what it says of a position is written down by the number of moves before it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from move37.analysis.review import ReviewSettings, review
from move37.analysis.review_model import Review
from move37.nets.graph import NetworkSpec
from move37.rules.color import Color
from move37.rules.position import Position
from move37.search.evaluator import ConstantEvaluator
from move37.search.limits import Stopper
from move37.search.result import Analysis, SearchResult
from move37.search.root import AnySearch, Steps
from move37.sgf.game_record import GameRecord

GAME = (
    "(;FF[4]GM[1]CA[UTF-8]SZ[5]KM[1.5]RU[Chinese]PB[Ann & <b>Bea</b>]PW[Cho]BR[3k]RE[B+R]C[Played in the park.]"
    ";B[cc]C[Of course.](;W[cb];B[bb]BL[12];W[dc]TE[1];B[];W[])(;W[bb]C[Or here?]))"
)
"""Black C3, White C4, Black B4, White D3, and two passes; a comment, a variation and an annotation of its own."""


@dataclass(frozen=True)
class Seen:
    """A position: Black's win rate and lead, and the best lines, the choice first."""

    black_winrate: float
    black_lead: float | None = None
    lines: tuple[str, ...] = ("A1",)


SCRIPT = (
    Seen(0.50, 0.0, ("C3 C4", "B3")),
    Seen(0.60, 1.0, ("D3 C4 B4", "B4 D4", "C4")),
    Seen(0.75, 4.5, ("D4 D3", "D3")),
    Seen(0.69, 3.0, ("D4 B3 pass", "C2", "D3")),
    Seen(0.95, 10.5, ("D4 pass",)),
)
"""Of `GAME`: Black's first move is the choice, White's loses 3.5 points, then 1.5 and 7.5."""


class ScriptedSearch:
    """Asks once, then answers by the script, for the player to move."""

    evaluator = ConstantEvaluator()

    def __init__(self, script: Mapping[int, Seen]) -> None:
        self._script = script

    def steps(self, position: Position, limits: Stopper) -> Steps:
        yield position.board_array
        return self._result(position, self._script[position.move_number])

    def _result(self, position: Position, seen: Seen) -> SearchResult:
        sign = 1 if position.to_play is Color.BLACK else -1
        actions = position.rows * position.cols + 1
        lines = [tuple(position.point(vertex) for vertex in line.split()) for line in seen.lines]
        value = sign * (2 * seen.black_winrate - 1)
        visits, q = np.zeros(actions, np.int32), np.full(actions, np.nan, np.float32)
        leads = np.full(actions, np.nan)
        for place, line in enumerate(lines):
            visits[line[0]] = 8 >> place
            q[line[0]] = value - 0.02 * place
            if seen.black_lead is not None:
                leads[line[0]] = sign * seen.black_lead - 0.5 * place
        lead = np.nan if seen.black_lead is None else sign * seen.black_lead
        priors = position.legal_mask() / position.legal_mask().sum()
        nothing = np.full(actions, np.nan)
        analysis = Analysis(
            winrates=(q.astype(np.float64) + 1) / 2,
            leads=leads,
            scores=leads,
            utilities=nothing,
            lcbs=nothing,
            weights=visits.astype(np.float64),
            choice_values=visits.astype(np.float64),
            variations={line[0]: line for line in lines},
            winrate=(value + 1) / 2,
            lead=lead,
            score=lead,
            score_stdev=np.nan,
            utility=value,
            weight=float(visits.sum() + 1),
        )
        total = int(visits.sum()) + 1
        return SearchResult(
            visits, q, priors.astype(np.float32), value, value, total, 0, lines[0], total, total, 0.0, analysis=analysis
        )


class _Paper:
    """As much of a network's description as a review looks at."""

    name = "paper"

    def supports(self, rows: int, cols: int) -> bool:
        return True


class ScriptedEngine:
    """A player whose searches are scripted, for boards of the sizes given (default: all)."""

    name = "script"
    specs = (cast(NetworkSpec, _Paper()),)

    def __init__(self, script: Mapping[int, Seen] | tuple[Seen, ...] = SCRIPT, sizes: tuple[int, ...] = ()) -> None:
        self._script = dict(enumerate(script)) if isinstance(script, tuple) else script
        self._sizes = sizes

    def supports(self, rows: int, cols: int) -> bool:
        return not self._sizes or (rows == cols and rows in self._sizes)

    def new_search(self, rows: int, cols: int, **overrides: Any) -> AnySearch:
        return cast(AnySearch, ScriptedSearch(self._script))

    def close(self) -> None:
        """Nothing to let go of."""


def scripted_review(text: str = GAME, **settings: Any) -> tuple[GameRecord, Review]:
    """A record and its review by the script."""
    record = GameRecord.from_text(text)
    return record, review(record, ScriptedEngine(), ReviewSettings(**settings))


def without_points() -> tuple[GameRecord, Review]:
    """The same by a network that knows no points."""
    record = GameRecord.from_text(GAME)
    script = tuple(Seen(one.black_winrate, None, one.lines) for one in SCRIPT)
    return record, review(record, ScriptedEngine(script))
