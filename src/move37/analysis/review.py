"""The review of a game: every position of the main line searched, every move judged by what it lost.

A move's loss is the drop from the position before it to the position after it, each as its own search sees it: for who
moved, in win rate and, where the network knows points, in points. So the losses are the steps of the graph. Reports are
made from the `Review` elsewhere (`review_sgf`, `review_json`, `review_html`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from move37.analysis.review_grades import Phase, Thresholds
from move37.analysis.review_line import Line, main_line_of
from move37.analysis.review_model import Assessment, Engine, Review, ReviewedMove
from move37.analysis.review_search import Searcher, assessment, search_all
from move37.analysis.review_summary import summaries
from move37.errors import ConfigError, PlayerError
from move37.rules.position import Position
from move37.rules.ruleset import Ruleset
from move37.search.limits import Stopper, limit
from move37.search.result import SearchResult
from move37.sgf.game_record import GameRecord

__all__ = ["Progress", "ReviewSettings", "review"]

Progress = Callable[[int, int], None]
"""Told after each position: how many are done, and how many there are."""

DEFAULT_VISITS = 50


@dataclass(frozen=True)
class ReviewSettings:
    """How to review.

    visits, seconds: what ends the search of a position, whichever comes first; 50 visits if neither is given. The
    seconds are a mean: positions searched side by side share the time of all.
    first, last: the moves that are judged, from 1. best: candidates kept for a position. thresholds: what a mistake is.
    rules, komi: instead of the record's own. at_once: positions searched side by side.
    """

    visits: int | None = None
    seconds: float | None = None
    first: int = 1
    last: int | None = None
    best: int = 3
    thresholds: Thresholds = field(default_factory=Thresholds)
    rules: str | Ruleset | Mapping[str, Any] | None = None
    komi: float | None = None
    at_once: int = 16

    def __post_init__(self) -> None:
        """Refuse what cannot be (`ConfigError`, `RulesError`)."""
        if self.first < 1 or (self.last is not None and self.last < self.first):
            last = "the end" if self.last is None else self.last
            raise ConfigError(f"moves are reviewed from 1 or later up to a later one, not from {self.first} to {last}")
        if self.best < 1 or self.at_once < 1:
            raise ConfigError("a review keeps at least one candidate, and searches at least one position at a time")
        Position(1, rules="chinese" if self.rules is None else self.rules, komi=self.komi or 0.0)
        self.limits()

    @property
    def usual_visits(self) -> int | None:
        """The visits given, or the usual ones where nothing else ends a search."""
        return DEFAULT_VISITS if self.visits is None and self.seconds is None else self.visits

    def limits(self) -> Stopper:
        """What ends the search of a position."""
        together = None if self.seconds is None else self.seconds * self.at_once
        return limit(self.usual_visits, seconds=together)


def review(
    record: GameRecord,
    player: Searcher,
    settings: ReviewSettings | None = None,
    *,
    progress: Progress | None = None,
) -> Review:
    """Review the main line of a game.

    `player` is one that searches (`move37.player("katago")`, ...); the record is not changed. Passes that end the game
    are not judged. Raises SgfError for a record without a board up to 19x19, ConfigError if the
    game ends before the first move to judge, PlayerError if the player has no network
    for the board, and what the search raises.
    """
    settings = settings or ReviewSettings()
    line = main_line_of(record, settings.rules, settings.komi)
    if settings.first > max(1, line.played):
        raise ConfigError(f"the game has {line.played} moves, so none from move {settings.first} on can be reviewed")
    _require_network(player, record)
    found = _assessments(line, player, settings, progress)
    judged = _Judge(line, found, settings)
    moves = tuple(judged.move(number) for number in range(1, len(line.turns) + 1))
    start = line.positions[0]
    return Review(
        rows=record.rows,
        cols=record.cols,
        komi=start.komi,
        rules=start.rules.name,
        handicap=start.handicap,
        result=record.result.text,
        engine=Engine(player.name, _network(player, record), settings.usual_visits, settings.seconds),
        thresholds=settings.thresholds,
        assessments=tuple(one.seen for one in found.values()),
        moves=moves,
        players=summaries(record, moves),
        warnings=_warnings(record, settings),
    )


def _require_network(player: Searcher, record: GameRecord) -> None:
    if not player.supports(record.rows, record.cols):
        raise PlayerError(
            f"player {player.name!r} has no network for a {record.rows}x{record.cols} board: name one with --net, such "
            "as a network of KataGo's from katagotraining.org"
        )


def _network(player: Searcher, record: GameRecord) -> str:
    """The name of the network that reviews boards of the record's size."""
    return next((spec.name for spec in player.specs if spec.supports(record.rows, record.cols)), "")


def _warnings(record: GameRecord, settings: ReviewSettings) -> tuple[str, ...]:
    found = [str(warning) for warning in record.warnings]
    if record.komi is None and settings.komi is None:
        found.append("the record names no komi that is understood: it is reviewed with komi 0")
    return tuple(found)


@dataclass(frozen=True)
class _Found:
    """An assessment, and the search's order of all legal moves."""

    seen: Assessment
    ranking: Sequence[int]


def _assessments(
    line: Line, player: Searcher, settings: ReviewSettings, progress: Progress | None
) -> dict[int, _Found]:
    """What the engine says of the positions asked for, by their number, in order."""
    last = line.played if settings.last is None else min(settings.last, line.played)
    numbers = range(settings.first - 1, last + 1)
    if not numbers:
        return {}
    positions = [line.positions[number] for number in numbers]
    results: dict[int, SearchResult] = {}
    for place, result in search_all(player, positions, settings.limits(), settings.at_once):
        results[place] = result
        if progress is not None:
            progress(len(results), len(positions))
    return {
        number: _Found(assessment(number, position, results[place], settings.best), results[place].ranking.tolist())
        for place, (number, position) in enumerate(zip(numbers, positions, strict=True))
    }


class _Judge:
    """Judges the moves of a line by the assessments of its positions."""

    def __init__(self, line: Line, found: Mapping[int, _Found], settings: ReviewSettings) -> None:
        self._line = line
        self._found = found
        self._thresholds = settings.thresholds

    def move(self, number: int) -> ReviewedMove:
        """Move `number` (from 1), judged if both positions around it are known and it leads from one to the other."""
        turn, position = self._line.turns[number - 1], self._line.positions[number - 1]
        before, after = self._found.get(number - 1), self._found.get(number)
        known: dict[str, Any] = {}
        if before is not None:
            rank = before.ranking.index(turn.move) + 1 if turn.move in before.ranking else None
            known = {"before": before.seen, "rank": rank}
        if after is not None:
            known["after"] = after.seen
        if before is not None and after is not None and self._line.is_plain(number):
            known |= self._losses(before.seen, after.seen, is_choice=known["rank"] == 1)
        phase = Phase.of(number, position.rows * position.cols)
        return ReviewedMove(number, turn.color, turn.move, position.vertex(turn.move), phase, **known)

    def _losses(self, before: Assessment, after: Assessment, is_choice: bool) -> dict[str, Any]:
        """What the player to move in `before` lost by getting to `after`, and what that is called."""
        player = before.to_play
        winrate_lost = before.winrate - after.winrate_for(player)
        lead, later = before.lead, after.lead_for(player)
        points_lost = None if lead is None or later is None else lead - later
        severity = self._thresholds.severity(winrate_lost, points_lost)
        grade = self._thresholds.grade(severity, is_choice)
        return {"winrate_lost": winrate_lost, "points_lost": points_lost, "severity": severity, "grade": grade}
