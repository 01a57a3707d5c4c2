"""A review as one HTML page that needs nothing else: no script, no font, no picture from elsewhere.

Graph, summary, the worst moves with boards, and all moves as a table. It reads on a phone, in the dark, on paper, by
keyboard and by screen reader.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from move37.analysis.review_grades import FAULTS, Grade
from move37.analysis.review_graph import graph_svg
from move37.analysis.review_line import main_line_of
from move37.analysis.review_model import Figures, Review, ReviewedMove
from move37.analysis.review_style import STYLE
from move37.analysis.review_words import engine_words, move_words, percent
from move37.rules.board_svg import board_svg
from move37.rules.color import Color
from move37.rules.coordinates import format_vertex
from move37.rules.position import Position
from move37.sgf.game_record import GameRecord

__all__ = ["review_html"]

_BOARDS = 10
_LINE_SHOWN = 5
_PLAYED = "#d1462f"


def review_html(record: GameRecord, review: Review) -> str:
    """The page; `record` is that which was reviewed, before or after it was annotated."""
    title = escape(_title(record))
    return "".join(
        [
            '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n',
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n',
            f"<title>{title} – review</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n",
            f'<header>\n<h1>{title}</h1>\n<p class="faint">{escape(_facts(record, review))}</p>\n</header>\n<main>\n',
            _graph(review),
            _summary(review),
            _worst(record, review),
            _table(review),
            _legend(review),
            "</main>\n</body>\n</html>\n",
        ]
    )


def _title(record: GameRecord) -> str:
    sides = [(record.black_name or "Black", record.black_rank), (record.white_name or "White", record.white_rank)]
    return " – ".join(f"{name.strip()}{f' {rank.strip()}' if rank.strip() else ''}" for name, rank in sides)


def _facts(record: GameRecord, review: Review) -> str:
    handicap = f"{review.handicap} handicap stones" if review.handicap else ""
    board = f"{review.rows}×{review.cols}, {review.rules} rules, komi {review.komi:g}"
    facts = [record.event, record.date, f"result {review.result}", board, handicap]
    return " · ".join(fact.strip() for fact in facts if fact.strip())


def _section(name: str, title: str, *parts: str) -> str:
    return f'<section aria-labelledby="{name}">\n<h2 id="{name}">{title}</h2>\n{"".join(parts)}</section>\n'


def _graph(review: Review) -> str:
    drawing = graph_svg(review)
    return _section("graph", "The game", f"{_scrolling('graph')}{drawing}</div>\n") if drawing else ""


def _summary(review: Review) -> str:
    figures = [review.players[color].total for color in Color]
    rows = list(_figure_rows(figures, review.knows_points))
    for phase in review.players[Color.BLACK].phases:
        parts = [review.players[color].phases[phase] for color in Color]
        rows.append(_row(f"Lost a move, {phase.value}", [_mean(one, review.knows_points) for one in parts]))
    head = '<tr><th scope="col"></th><th scope="col">Black</th><th scope="col">White</th></tr>'
    return _section("summary", "The players", _table_of("summary", head, rows))


def _figure_rows(figures: list[Figures], by_points: bool) -> Iterator[str]:
    yield _row("Moves judged", [str(one.moves) for one in figures])
    if by_points:
        yield _row("Points lost a move", [_decimal(one.points_lost) for one in figures])
    yield _row("Win rate lost a move", [_small_percent(one.winrate_lost) for one in figures])
    yield _row("The engine’s choice", [percent(one.first) for one in figures])
    yield _row("One of its first three", [percent(one.first_three) for one in figures])
    for grade, name in zip(FAULTS, ("Inaccuracies", "Mistakes", "Blunders"), strict=True):
        yield _row(name, [str(one.grades.get(grade, 0)) for one in figures])


def _mean(found: Figures, by_points: bool) -> str:
    return f"{_decimal(found.points_lost)} points" if by_points and found.moves else _small_percent(found.winrate_lost)


def _decimal(number: float | None) -> str:
    return "–" if number is None else f"{number:.1f}"


def _small_percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.1f}%"


def _row(name: str, values: list[str]) -> str:
    cells = "".join(f"<td>{value}</td>" for value in values)
    return f'<tr><th scope="row">{name}</th>{cells}</tr>'


def _scrolling(name: str) -> str:
    """The start of a part that may be wider than a phone, and can then be moved by keyboard."""
    return f'<div class="scroll" tabindex="0" role="region" aria-labelledby="{name}">'


def _table_of(name: str, head: str, rows: list[str]) -> str:
    body = "\n".join(rows)
    return f"{_scrolling(name)}<table>\n<thead>{head}</thead>\n<tbody>\n{body}\n</tbody></table></div>\n"


def _worst(record: GameRecord, review: Review) -> str:
    faults = review.faults()[:_BOARDS]
    if not faults:
        return _section("worst", "The worst moves", "<p>No move was an inaccuracy or worse.</p>\n")
    positions = main_line_of(record).positions
    cards = (_card(move, positions[move.number - 1], review) for move in faults)
    return _section("worst", "The worst moves", f'<div class="cards">\n{"".join(cards)}</div>\n')


def _card(move: ReviewedMove, position: Position, review: Review) -> str:
    name = f"Move {move.number}: {move.color.title} {move.vertex}"
    words = "".join(f"<p>{escape(line)}</p>" for line in move_words(move, review).splitlines())
    return (
        f'<article class="card" id="b{move.number}">\n<h3>{name} {_grade(move.grade)}</h3>\n'
        f"{_board(move, position)}\n{words}\n"
        f'<p><a href="#m{move.number}">In the table</a></p>\n</article>\n'
    )


def _board(move: ReviewedMove, position: Position) -> str:
    """The position before a move, the move as a cross, the engine's line instead as numbered stones.

    As in books, nothing is captured; the line ends where it would need a point that holds a stone or the cross.
    """
    stones = position.stones.copy()
    played = {move.move: "×"} if move.move < stones.size else {}
    labels = dict(played)
    color = move.color
    for number, point in enumerate(move.best.line[:_LINE_SHOWN] if move.best is not None else (), start=1):
        if point < stones.size:
            if stones.flat[point] or point in labels:
                break
            stones.flat[point] = color
            labels[point] = str(number)
        color = color.opponent
    marks = dict.fromkeys(played, _PLAYED)
    return _named(board_svg(stones, last=position.last_move, marks=marks, labels=labels), move, position)


def _named(drawing: str, move: ReviewedMove, position: Position) -> str:
    """The drawing with names of its own in the page, and words for who cannot see it."""
    better = "" if move.best is None else f", the engine’s choice {move.best.vertex}"
    words = f"The board before move {move.number}; played {move.vertex}{better}"
    drawing = drawing.replace(f"Go board, {position.rows} by {position.cols}", words, 1)
    for shade in ("m37b", "m37w"):
        drawing = drawing.replace(f'"{shade}"', f'"{shade}{move.number}"').replace(
            f"#{shade})", f"#{shade}{move.number})"
        )
    return drawing


def _grade(grade: Grade | None) -> str:
    return "" if grade is None else f'<span class="name {grade.value}">{grade.value}</span>'


def _table(review: Review) -> str:
    names = [
        "Move",
        "",
        "",
        "Black’s win rate",
        *(["Lead"] if review.knows_points else []),
        "Lost",
        "",
        "Engine’s choice",
    ]
    head = "".join(f'<th scope="col">{name}</th>' for name in names)
    boards = {move.number for move in review.faults()[:_BOARDS]}
    rows = [_move_row(move, review, move.number in boards) for move in review.moves if move.before or move.after]
    return _section("moves", "All moves", _table_of("moves", f"<tr>{head}</tr>", rows))


def _move_row(move: ReviewedMove, review: Review, has_board: bool) -> str:
    number = f'<a href="#b{move.number}">{move.number}</a>' if has_board else str(move.number)
    after = move.after
    cells = [f'<td class="text">{move.color.title}</td>', f'<td class="text">{move.vertex}</td>']
    cells.append(f"<td>{percent(None if after is None else after.winrate_for(Color.BLACK))}</td>")
    if review.knows_points:
        lead = None if after is None else after.lead_for(Color.BLACK)
        cells.append(f"<td>{'–' if lead is None else _lead(lead)}</td>")
    cells.append(f"<td>{_lost(move)}</td>")
    cells.append(f'<td class="text">{_grade(move.grade)}</td>')
    cells.append(f'<td class="text">{_choice(move, review)}</td>')
    return f'<tr id="m{move.number}"><th scope="row">{number}</th>{"".join(cells)}</tr>'


def _lead(black_lead: float) -> str:
    """As records write margins: ``B+2.1``."""
    return f"{'B' if black_lead >= 0 else 'W'}+{abs(black_lead):.1f}"


def _lost(move: ReviewedMove) -> str:
    if move.points_lost is not None:
        return f"{max(0.0, move.points_lost):.1f}"
    return "–" if move.winrate_lost is None else percent(max(0.0, move.winrate_lost))


def _choice(move: ReviewedMove, review: Review) -> str:
    if move.best is None:
        return "–"
    return " ".join(format_vertex(point, review.rows, review.cols) for point in move.best.line[:_LINE_SHOWN])


def _legend(review: Review) -> str:
    at = review.thresholds
    points = f"{at.points:g} points or " if review.knows_points else ""
    words = [
        f"Reviewed by move37: {engine_words(review.engine)}.",
        f"A move is a mistake if it loses {points}{at.winrate:.0%} of the win rate; half of that is an "
        "inaccuracy, twice of it a blunder. The engine’s own choice is never one. A loss is its player’s.",
        "On the boards × is the move that was played; the stones with numbers are the engine’s moves instead.",
    ]
    warnings = "".join(f"<li>{escape(warning)}</li>" for warning in review.warnings)
    listed = f"<p>About the record:</p><ul>{warnings}</ul>" if warnings else ""
    return _section("how", "How to read this", "".join(f"<p>{escape(line)}</p>\n" for line in words), listed)
