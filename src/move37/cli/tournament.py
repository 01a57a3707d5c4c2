"""A tournament on the command line: a live table on stderr, tables on stdout, JSON and SGF where they are wanted."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console, Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

from move37.arena.game import GameResult
from move37.arena.game_log import read_lines
from move37.arena.game_records import write_missing_records
from move37.arena.rating import Estimate
from move37.arena.standings import Standings, games_in, standings_of
from move37.arena.tournament import load_tournament, play_tournament
from move37.arena.tournament_plan import Pairing
from move37.cli.plain_text import one_line
from move37.errors import ConfigError
from move37.files import write_text

_HEADINGS = ("#", "player", "Elo", "95 % interval", "score", "games", "won", "drawn", "lost")


def run_tournament(recipe: Path, log: Path, output: Path | None, sgf: Path | None, *, only_table: bool) -> None:
    """Play what is missing in `log` of the tournament `recipe`, unless only the table is wanted, and print it."""
    tournament = load_tournament(recipe)
    if output is not None and output.is_dir():
        raise ConfigError(f"{output}: the result cannot be written (it is a folder); give a file")
    if sgf is not None and sgf.exists() and not sgf.is_dir():
        raise ConfigError(f"{sgf}: the records cannot be written (it is no folder); name another")
    if only_table:
        games = games_in(tournament, read_lines(log, "tournament"))
        if sgf is not None:
            write_missing_records(sgf, tournament, games)
        standings = standings_of(tournament, games)
    else:
        with _Screen() as screen:
            standings = play_tournament(tournament, log, sgf=sgf, on_game=screen.show)
    if output is not None:
        write_text(output, json.dumps(standings.to_dict(), ensure_ascii=False, indent=2) + "\n")
    print(report(standings))


def report(standings: Standings) -> str:
    """Markdown: the table, the cross-table, the tests, and what the figures stand on."""
    parts = [_markdown(_HEADINGS, _cells(standings)), _markdown(*_cross_cells(standings))]
    if standings.tournament.test is not None:
        parts.append(_markdown(("pairing", "score", "games", "test"), _test_cells(standings)))
    return "\n\n".join([*parts, "\n".join(_remarks(standings))])


class _Screen:
    """The live table on a terminal; elsewhere only what went wrong in a game is told."""

    def __init__(self) -> None:
        self._console = Console(stderr=True)
        self._live = Live(Text("starting"), console=self._console, auto_refresh=False, transient=True)

    def __enter__(self) -> _Screen:
        if self._console.is_terminal:
            self._live.start(refresh=True)
        return self

    def __exit__(self, *exc: object) -> None:
        self._live.stop()

    def show(self, standings: Standings, pairing: Pairing, game: GameResult) -> None:
        """A game is over."""
        said = f"{pairing.title}, game {game.number + 1}: {game.result}"
        if game.error:
            told = Text(f"move37: {one_line(said)} ({one_line(game.error)})")
            self._console.print(told, soft_wrap=True)
        if self._live.is_started:
            self._live.update(_shown(standings, said), refresh=True)


def _shown(standings: Standings, last: str) -> Group:
    table = Table(title=Text(one_line(standings.tournament.name)), title_justify="left")
    for number, heading in enumerate(_HEADINGS):
        table.add_column(heading, justify="left" if number in (1, 3) else "right")
    for cells in _cells(standings):
        table.add_row(*map(Text, cells))
    total = standings.tournament.games * len(standings.results)
    return Group(table, Text(f"{standings.counted} of at most {total} games; {one_line(last)}"))


def _cells(standings: Standings) -> list[list[str]]:
    """The table's rows."""
    rows: list[list[str]] = []
    for place, row in enumerate(standings.rows, 1):
        score = f"{row.points / row.games:.1%}".replace("%", " %") if row.games else "–"
        elo = _elo(row.elo.value), f"{_elo(row.elo.low)} to {_elo(row.elo.high)}"
        counts = map(str, (row.games, row.wins, row.draws, row.losses))
        rows.append([str(place), one_line(row.player), *elo, score, *counts])
    return rows


def _cross_cells(standings: Standings) -> tuple[list[str], list[list[str]]]:
    """The cross-table's headings and rows: wins–draws–losses of the row's player."""
    table = standings.cross_table
    rows = [
        [str(place), one_line(name), *("–".join(map(str, row[other])) if other in row else "" for other in table)]
        for place, (name, row) in enumerate(table.items(), 1)
    ]
    return ["#", "won–drawn–lost against", *(str(place) for place in range(1, len(table) + 1))], rows


def _test_cells(standings: Standings) -> list[list[str]]:
    return [
        [one_line(pairing.title), f"{result.score:.1%}".replace("%", " %"), str(result.counted), result.verdict or "–"]
        for pairing, result in standings.pairs
    ]


def _remarks(standings: Standings) -> list[str]:
    plan, ratings = standings.tournament, standings.ratings
    anchor = f"{one_line(plan.anchor)} has {plan.anchor_elo:g}" if plan.anchor else f"the mean is {plan.anchor_elo:g}"
    share = ratings.draws
    failed = [game for result in standings.results for game in result.forfeits]
    void = [game for result in standings.results for game in result.void]
    lines = [
        f"Elo: {anchor}. Black's advantage: {_with_interval(ratings.advantage)}.",
        f"Draws between equals: {share.value:.1%} (95 % interval {share.low:.1%} to {share.high:.1%}).",
        f"{standings.counted} games{'' if standings.is_over else ', not all played yet'}.",
    ]
    lines += [f"Lost by failing: {len(failed)}, such as: {one_line(failed[0].error)}"] if failed else []
    lines += [f"Void, not counted: {len(void)}, such as: {one_line(void[0].error)}"] if void else []
    return lines


def _elo(value: float) -> str:
    return f"{round(value):+d}".replace("-", "−")


def _with_interval(estimate: Estimate) -> str:
    return f"{_elo(estimate.value)} ({_elo(estimate.low)} to {_elo(estimate.high)})"


def _markdown(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    safe = [[cell.replace("|", "\\|") for cell in row] for row in rows]
    lines = [headings, ["---"] * len(headings), *safe]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
