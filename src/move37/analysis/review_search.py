"""What the engine says of positions: many of them searched at once over one evaluator, so that its batches are full.

Nothing is judged here (see `review`).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from move37.analysis.review_model import Assessment, Candidate
from move37.analysis.scheduler import Scheduler
from move37.nets.graph import NetworkSpec
from move37.rules.position import Position
from move37.search.limits import All, Stopper, StopRequest
from move37.search.result import SearchResult
from move37.search.root import AnySearch, Steps

__all__ = ["Searcher", "assessment", "search_all"]


class Searcher(Protocol):
    """What a review needs of a player that searches; `players.player.Analyst` has it."""

    @property
    def name(self) -> str:
        """How it is named in reports."""
        ...

    @property
    def specs(self) -> Sequence[NetworkSpec]:
        """Its networks; none where somebody else made the evaluator."""
        ...

    def supports(self, rows: int, cols: int) -> bool:
        """Whether it has a network for boards of this size."""
        ...

    def new_search(self, rows: int, cols: int, **overrides: Any) -> AnySearch:
        """A fresh search on its own evaluator."""
        ...


def search_all(
    searcher: Searcher, positions: Sequence[Position], limits: Stopper, at_once: int
) -> Iterator[tuple[int, SearchResult]]:
    """Search positions, `at_once` of them side by side; (place, result) as they get ready. What fails ends all."""
    scheduler = Scheduler(parallel=at_once, batch=at_once)
    tasks = [_Task(searcher, position, limits) for position in positions]
    for task in tasks:
        scheduler.submit(task)
    waiting = dict(enumerate(tasks))
    while waiting:
        scheduler.step()
        for place, task in list(waiting.items()):
            if task.error is not None:
                raise task.error
            if task.result is not None:
                del waiting[place]
                yield place, task.result


@dataclass
class _Task:
    """A position to be searched, as `scheduler.Task`."""

    searcher: Searcher
    position: Position
    limits: Stopper
    priority: int = 0
    result: SearchResult | None = None
    error: Exception | None = None

    def begin(self, batch: int, stop: StopRequest) -> tuple[AnySearch, Steps]:
        search = self.searcher.new_search(self.position.rows, self.position.cols, batch=batch)
        return search, search.steps(self.position, All((stop, self.limits)))

    def stepped(self, search: AnySearch) -> None:
        pass

    def finished(self, result: SearchResult) -> None:
        self.result = result

    def dropped(self) -> None:
        pass

    def failed(self, error: Exception) -> None:
        self.error = error


def assessment(number: int, position: Position, result: SearchResult, best: int) -> Assessment:
    """What a search found, with the `best` moves that it visited (or would have, if it visited none)."""
    visited = [move for move in result.ranking.tolist() if result.visits[move]]
    moves = (visited or result.ranking.tolist())[:best]
    return Assessment(
        number=number,
        to_play=position.to_play,
        winrate=_winrate(result.value),
        lead=None if result.analysis is None else _known(result.analysis.lead),
        visits=result.root_visits,
        candidates=tuple(_candidate(position, result, move) for move in moves),
    )


def _candidate(position: Position, result: SearchResult, move: int) -> Candidate:
    found = result.analysis
    quality = _known(float(result.q[move]))
    return Candidate(
        move=move,
        vertex=position.vertex(move),
        visits=int(result.visits[move]),
        prior=float(result.priors[move]),
        winrate=None if quality is None else _winrate(quality),
        lead=None if found is None else _known(float(found.leads[move])),
        line=_line(result, move),
    )


def _line(result: SearchResult, move: int) -> tuple[int, ...]:
    """The most visited line that begins with a move."""
    lines = {} if result.analysis is None else result.analysis.variations
    return lines.get(move, (move,))


def _winrate(value: float) -> float:
    """The win rate in [0, 1] of a value in [-1, 1]."""
    return min(1.0, max(0.0, (value + 1) / 2))


def _known(number: float) -> float | None:
    return None if math.isnan(number) else float(number)
