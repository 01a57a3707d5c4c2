"""A review in plain English: what a move lost, who is ahead, how a player did. Used by all reports.

Black's view is always named as such, so that no sentence leaves open whose chance or lead it means.
"""

from __future__ import annotations

from collections.abc import Iterator

from move37.analysis.review_grades import Grade
from move37.analysis.review_model import Assessment, Candidate, Engine, Figures, PlayerSummary, Review, ReviewedMove
from move37.rules.color import Color
from move37.rules.coordinates import format_vertex
from move37.sgf.lines import counted

__all__ = ["engine_words", "lead_words", "move_words", "percent", "player_words", "position_words", "standing"]

_EVEN_BELOW = 0.05
_LINE_SHOWN = 8
_A_GRADE = {
    Grade.INACCURACY: "is an inaccuracy",
    Grade.MISTAKE: "is a mistake",
    Grade.BLUNDER: "is a blunder",
}
_PLURALS = {Grade.INACCURACY: "inaccuracies", Grade.MISTAKE: "mistakes", Grade.BLUNDER: "blunders"}


def percent(share: float | None) -> str:
    """A share in [0, 1] as a whole percent, a dash where there is none.

    >>> percent(0.425), percent(None)
    ('42%', '–')
    """
    return "–" if share is None else f"{100 * share:.0f}%"


def lead_words(black_lead: float) -> str:
    """Who is ahead, by Black's lead.

    >>> lead_words(2.14), lead_words(-0.5), lead_words(0.0)
    ('Black is ahead by 2.1 points', 'White is ahead by 0.5 points', 'nobody is ahead')
    """
    if abs(black_lead) < _EVEN_BELOW:
        return "nobody is ahead"
    return f"{'Black' if black_lead > 0 else 'White'} is ahead by {abs(black_lead):.1f} points"


def standing(seen: Assessment) -> str:
    """Black's win rate and who is ahead."""
    lead = seen.lead_for(Color.BLACK)
    words = "" if lead is None else f" {_sentence(lead_words(lead))}."
    return f"Black's win rate is {percent(seen.winrate_for(Color.BLACK))}.{words}"


def _sentence(words: str) -> str:
    return words[0].upper() + words[1:]


def loss_words(move: ReviewedMove) -> str:
    """What a move lost: points, where they are known, and win rate."""
    parts = [f"{max(0.0, move.points_lost):.1f} points"] if move.points_lost is not None else []
    if move.winrate_lost is not None:
        parts.append(f"{percent(max(0.0, move.winrate_lost))} of the win rate")
    return " and ".join(parts)


def line_words(moves: tuple[int, ...], rows: int, cols: int) -> str:
    """A line as vertices."""
    return " ".join(format_vertex(move, rows, cols) for move in moves[:_LINE_SHOWN])


def candidate_words(choice: Candidate, color: Color, review: Review) -> str:
    """A candidate with what the engine says of it: its line, and win rate and lead for its player.

    An unvisited one has neither.
    """
    facts = [] if choice.winrate is None else [f"{percent(choice.winrate)} for {color.title}"]
    if choice.lead is not None:
        lead = choice.lead if color is Color.BLACK else -choice.lead
        facts.append(lead_words(lead))
    told = f" ({', '.join(facts)})" if facts else ""
    return f"{line_words(choice.line, review.rows, review.cols)}{told}"


def move_words(move: ReviewedMove, review: Review) -> str:
    """A move's judgement in a few sentences, one a line; empty where nothing is known of it."""
    return "\n".join(_move_lines(move, review))


def _move_lines(move: ReviewedMove, review: Review) -> Iterator[str]:
    name = f"{move.color.title} {move.vertex}"
    if move.grade is Grade.BEST:
        yield f"{name} is the engine's choice."
    elif move.grade is Grade.GOOD:
        rank = f", the engine's number {move.rank}" if move.rank is not None else ""
        yield f"{name} is good{rank}."
    elif move.grade is not None:
        yield f"{name} {_A_GRADE[move.grade]}: it loses {loss_words(move)}."
    if move.grade not in (None, Grade.BEST) and move.before is not None:
        others = [one for one in move.before.candidates if one.move != move.move]
        if others:
            word = "Better" if move.is_fault else "The engine's choice"
            yield f"{word}: {candidate_words(others[0], move.color, review)}."
    if move.after is not None:
        yield standing(move.after)


def position_words(seen: Assessment, review: Review) -> str:
    """A position before which nothing was judged: how it stands, and what the engine would play."""
    choices = "; ".join(candidate_words(one, seen.to_play, review) for one in seen.candidates)
    return f"{standing(seen)}\nThe engine's moves for {seen.to_play.title}: {choices}."


def engine_words(engine: Engine) -> str:
    """Who reviewed, and how deeply.

    >>> engine_words(Engine("katago", "g170", 50, None))
    'katago with the network g170, 50 visits a position'
    """
    limits = [f"{counted(engine.visits, 'visit')}"] if engine.visits is not None else []
    limits += [f"{engine.seconds:g} s"] if engine.seconds is not None else []
    network = f" with the network {engine.network}" if engine.network else ""
    return f"{engine.name}{network}, {' or '.join(limits)} a position"


def player_words(player: PlayerSummary) -> str:
    """How a player did, in one line."""
    name = f"{player.color.title}{f' ({player.name})' if player.name else ''}"
    total = player.total
    if not total.moves:
        return f"{name}: no move was judged."
    return f"{name}: {counted(total.moves, 'move')}, {mean_words(total)}; {fault_words(total)}."


def mean_words(total: Figures) -> str:
    """The mean losses and the agreement with the engine."""
    points = "" if total.points_lost is None else f"{total.points_lost:.1f} points and "
    winrate = 0.0 if total.winrate_lost is None else 100 * total.winrate_lost
    return (
        f"{points}{winrate:.1f}% of the win rate lost a move, "
        f"{percent(total.first)} the engine's choice, {percent(total.first_three)} one of its first three"
    )


def fault_words(total: Figures) -> str:
    """How many faults of each kind."""
    counts = ((total.grades.get(grade, 0), grade) for grade in reversed(_PLURALS))
    return ", ".join(f"{count} {grade.value if count == 1 else _PLURALS[grade]}" for count, grade in counts)
