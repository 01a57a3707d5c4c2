"""The review of a board's main line: made in a thread, told as it goes on, its judgements put on the nodes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from move37.analysis.review import ReviewSettings, review
from move37.analysis.review_model import Figures, PlayerSummary, Review, ReviewedMove
from move37.rules.color import Color
from move37.search.limits import All, Stopper, StopRequest
from move37.sgf import lines
from move37.sgf.game_record import GameRecord
from move37.web.board import Board
from move37.web.engines import Choice
from move37.web.link import Link, Ticket
from move37.web.nodes import Judged, Known, Seen
from move37.web.told import candidate_told, judged_told, tree_told

__all__ = ["Reviewing"]


class _StoppedError(Exception):
    """Nobody waits for the review any more."""


@dataclass(frozen=True)
class _Settings(ReviewSettings):
    """A review that `stop` ends soon: the searches under way end, and the next report of progress finds it unwanted."""

    stop: StopRequest = field(default_factory=StopRequest)

    def limits(self) -> Stopper:
        """See `ReviewSettings`."""
        return All((self.stop, super().limits()))


class Reviewing:
    """The review of a board."""

    def __init__(self, link: Link) -> None:
        self._link = link
        self._ticket: Ticket | None = None

    def begin(self, board: Board, choice: Choice, id: int | None) -> None:
        """Review the main line as it is now."""
        self.stop()
        self._ticket = ticket = Ticket(id)
        link, record, nodes = self._link, GameRecord.from_text(board.record.to_sgf()), _main_line(board)
        settings = _Settings(choice.visits, choice.seconds, stop=ticket.stop)

        def progress(done: int, total: int) -> None:
            if not ticket.wanted:
                raise _StoppedError
            link.tell(_progress(done, total, finished=False, summary=None), id)

        def job() -> None:
            try:
                progress(0, len(nodes))
                player = link.workshop.engines.analyst(choice, record.rows, record.cols)
                found = review(record, player, settings, progress=progress)
            except Exception as error:
                if ticket.wanted:
                    link.fail(error, id)
                link.tell(_progress(0, len(nodes), finished=True, summary=None), id)
            else:
                link.post(lambda: self._found(board, ticket, found, nodes, choice))

        link.workshop.reviews.submit(link.place("review"), job)

    def stop(self) -> None:
        """End the review under way."""
        if self._ticket is not None:
            self._ticket.cancel()
            self._ticket = None

    def _found(self, board: Board, ticket: Ticket, found: Review, nodes: list[Known], choice: Choice) -> None:
        """In the board's place: put the judgements on the nodes that are still there."""
        if not ticket.wanted:
            return
        self._ticket = None
        for seen in found.assessments:
            choice_then = seen.candidates[0].move if seen.candidates else None
            black = seen.winrate_for(Color.BLACK), seen.lead_for(Color.BLACK)
            nodes[seen.number].seen = Seen(*black, seen.visits, choice_then)
        for move in found.moves:
            if move.grade is not None and move.winrate_lost is not None:
                nodes[move.number].judged = Judged(move.winrate_lost, move.points_lost, move.grade)
        there = board.nodes.still(nodes)
        self._link.tell(tree_told(board, there, whole=False))
        total = len(found.assessments)
        summary = _summary(found, nodes, choice)
        self._link.tell(_progress(total, total, finished=True, summary=summary), ticket.id)


def _main_line(board: Board) -> list[Known]:
    """The node of each position of the main line by the number of its moves; of several in one node the last."""
    record = board.record
    found = [board.nodes[record.root.tree]]
    for node in lines.main_line(record.root.tree):
        known = [move for move in lines.moves_of(node, record.rows, record.cols) if move[1] != lines.UNREADABLE]
        found += [board.nodes[node]] * len(known)
    return found


def _progress(done: int, total: int, *, finished: bool, summary: dict[str, Any] | None) -> dict[str, Any]:
    return {"type": "review", "done": done, "total": total, "finished": finished, "summary": summary}


def _summary(found: Review, nodes: list[Known], choice: Choice) -> dict[str, Any]:
    return {
        "engine": choice.told(),
        "visits": found.engine.visits,
        **{color.word: _figures(found.players[color]) for color in Color},
        "faults": [_fault(move, nodes[move.number]) for move in found.faults()],
    }


def _figures(player: PlayerSummary) -> dict[str, Any]:
    total: Figures = player.total
    return {
        "name": player.name,
        "moves": total.moves,
        "points_lost": total.points_lost,
        "winrate_lost": total.winrate_lost,
        "first": total.first,
        "first_three": total.first_three,
        "grades": {grade.value: count for grade, count in total.grades.items()},
    }


def _fault(move: ReviewedMove, known: Known) -> dict[str, Any]:
    best = None if move.best is None or move.before is None else candidate_told(move.best, move.before)
    return {
        "node": known.id,
        "number": move.number,
        "color": move.color.letter,
        "point": move.move,
        "best": best,
        **(judged_told(known.judged) or {}),
    }
