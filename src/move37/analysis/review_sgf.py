"""A review written into its game record: comments, the engine's lines as variations, win rates as Sabaki keeps them.

What the record holds stays: comments are added to, lines are added behind the others, and a move annotation that is
there is left. Reviewed again, a record gets the new words in the place of the old ones.

``SBKV`` is Black's win rate in percent and ``SBKS`` Black's lead in points, both of the node's own position, rounded to
two digits: facts of Sabaki's source. ``BM``, ``DO``: SGF file format 4.
"""

from __future__ import annotations

from move37.analysis.review_grades import Grade
from move37.analysis.review_line import main_line_of
from move37.analysis.review_model import Assessment, Candidate, Review, ReviewedMove
from move37.analysis.review_words import candidate_words, engine_words, move_words, player_words, position_words
from move37.rules.color import Color
from move37.sgf.game_record import GameRecord
from move37.sgf.node import GameNode

__all__ = ["MARK", "annotate"]

MARK = "— Review by move37 —"
"""The line above what a review adds to a comment."""

_ANNOTATIONS = {Grade.BLUNDER: ("BM", "2"), Grade.MISTAKE: ("BM", "1"), Grade.INACCURACY: ("DO",)}
_EXCLUSIVE = ("BM", "DO", "IT", "TE")


def annotate(record: GameRecord, review: Review) -> None:
    """Write `review` into the record that it was made of.

    The main line stays the main line. Variations are added where a move is an inaccuracy or worse.
    """
    writer = _Writer(record, review)
    writer.say(record.root, _summary(review))
    for seen in review.assessments:
        writer.add_values(seen)
    for move in review.moves:
        writer.add_move(move)
    writer.finish()


class _Writer:
    """Adds to the nodes of a record; what is said of a node is written at the end, in one piece."""

    def __init__(self, record: GameRecord, review: Review) -> None:
        self._record = record
        self._review = review
        self._line = main_line_of(record)
        self._words: dict[GameNode, list[str]] = {}

    def say(self, node: GameNode, words: str) -> None:
        """Keep words for a node's comment."""
        if words:
            self._words.setdefault(node, []).append(words)

    def finish(self) -> None:
        """Write the comments, behind what was there."""
        for node, words in self._words.items():
            old = node.comment.partition(MARK)[0].rstrip()
            node.comment = "\n".join([*([f"{old}\n"] if old else []), MARK, *words])

    def add_values(self, seen: Assessment) -> None:
        """Write the values of a position to the node that shows it."""
        node = self._line.node(seen.number, self._record)
        if node is None:
            return
        node.set("SBKV", _number(100 * seen.winrate_for(Color.BLACK)))
        lead = seen.lead_for(Color.BLACK)
        if lead is not None:
            node.set("SBKS", _number(lead))

    def add_move(self, move: ReviewedMove) -> None:
        """Say of a move what is known of it; mark a fault, and add the engine's lines instead of it."""
        node = self._line.turns[move.number - 1].node
        self.say(node, move_words(move, self._review))
        annotation = None if move.grade is None else _ANNOTATIONS.get(move.grade)
        if annotation is None or move.before is None:
            return
        if not any(name in node.properties for name in _EXCLUSIVE):
            node.set(*annotation)
        before = self._line.node(move.number - 1, self._record)
        for choice in move.before.candidates:
            if before is not None and choice.move != move.move:
                self._add_line(before, move.before, choice)

    def _add_line(self, before: GameNode, seen: Assessment, choice: Candidate) -> None:
        """Add a candidate's line behind a node, along what is there already."""
        node, color = before, seen.to_play
        for move in choice.line:
            known = next((one for one in node.variations if one.move == (color, move)), None)
            if known is None:
                known = node.add_variation(move, color)
                if node == before:
                    self.say(known, candidate_words(choice, color, self._review))
            node, color = known, color.opponent


def _summary(review: Review) -> str:
    players = [player_words(review.players[color]) for color in Color]
    start = [position_words(one, review) for one in review.assessments[:1] if one.number == 0]
    return "\n".join([f"{engine_words(review.engine)}.", *players, *start, *review.warnings])


def _number(value: float) -> str:
    """A number with two digits at most, as JavaScript writes it."""
    return f"{round(value, 2) + 0.0:.10g}"
