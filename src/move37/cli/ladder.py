"""A ladder on the command line: a live line on stderr, the table on stdout."""

from __future__ import annotations

import sys
from pathlib import Path

from rich.console import Console

from move37.arena.ladder import Pairing, climb, load_ladder, standing, table
from move37.arena.match import MatchResult


def run_ladder(recipe: Path, log: Path, *, only_table: bool) -> None:
    """Play what is missing in `log` of the ladder `recipe`, unless only the table is wanted, and print it."""
    ladder = load_ladder(recipe)
    if not only_table:
        with Console(stderr=True).status("starting") as status:

            def show(pairing: Pairing, result: MatchResult) -> None:
                status.update(f"{pairing.title}: {result.score:.1%} in {result.counted} of {pairing.games} games")
                for game in result.games[-1:]:
                    if game.error:
                        print(f"move37: {pairing.title}, game {game.number + 1}: {game.error}", file=sys.stderr)

            climb(ladder, log, show)
    print(table(standing(ladder, log)))
