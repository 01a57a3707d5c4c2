"""What GNU Go 3.8 says about finished games of the shared folder: its score and the status of every point.

`tests/data/gnugo_scores.json` keeps its answers as facts; a game is named by its file, its row and a hash of its
moves, never copied. `python -m tests.support.gnugo_answers` writes the file anew (half a minute).
"""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from move37.games.store import GameStore
from move37.gtp.client import GtpProgram
from move37.rules.coordinates import format_vertex, parse_vertex
from move37.rules.position import Position
from tests.support.shared import SHARED

STORED: Final = Path(__file__).parents[1] / "data" / "gnugo_scores.json"
OPTIONS: Final = {"area": "--chinese-rules", "territory": "--japanese-rules"}
"""How GNU Go is told to count."""
OUR_RULES: Final = {"area": "chinese", "territory": "japanese"}
"""The rulesets of ours that count so."""
LETTERS: Final = {
    "alive": "a", "dead": "d", "seki": "s", "black_territory": "b", "white_territory": "w", "dame": ".",
}  # fmt: skip
_SAMPLES: Final = (("ogs9.parquet", 200), ("pro19.parquet", 20))
_SEED: Final = 37


@dataclass(frozen=True)
class FinishedGame:
    """A game that ended in two passes, and where it stands."""

    file: str
    row: int
    size: int
    komi: float
    handicap: int
    setup: list[int]
    moves: list[tuple[str, int]]

    @property
    def digest(self) -> str:
        """What tells that the row still holds the same game."""
        told = json.dumps([self.size, self.komi, self.handicap, self.setup, self.moves])
        return hashlib.sha256(told.encode("ascii")).hexdigest()[:16]

    def position(self, rules: str) -> Position:
        """The position after the last pass; what the ko rule forbids here is played all the same."""
        position = Position(self.size, rules=rules, komi=self.komi)
        if self.handicap:
            position.place_free_handicap(self.setup)
        else:
            position.setup(black=self.setup)
        for color, point in self.moves:
            position.play(point, color, force=True)
        return position


@dataclass(frozen=True)
class Answer:
    """GNU Go's result text, and for each point from the top left one of `LETTERS`, `?` where it names none."""

    score: str
    status: str

    def vertices(self, word: str, size: int) -> list[str]:
        """The vertices of one status."""
        return [format_vertex(point, size, size) for point, at in enumerate(self.status) if at == LETTERS[word]]


def finished_games(file: str, rows: list[int] | None = None, count: int = 0) -> list[FinishedGame]:
    """These rows of a file of the shared folder, or `count` random ones of its games that ended in two passes."""
    store = GameStore.open(SHARED / "games" / file)
    if rows is None:
        ended = [int(row) for row in np.flatnonzero(store.ends_in_passes)]
        rows = sorted(random.Random(_SEED).sample(ended, count))
    return [_game(store, file, row) for row in rows]


def _game(store: GameStore, file: str, row: int) -> FinishedGame:
    komi = float(store.komi[row])
    setup = [int(point) for point in store.setup_black[row]]
    colors = "bw" if store.first_player[row] == 1 else "wb"
    moves = [(colors[ply % 2], int(point)) for ply, point in enumerate(store.moves[row])]
    stones = int(store.handicap[row])
    handicap = stones if stones >= 2 and stones == len(setup) else 0
    return FinishedGame(file, row, int(store.size[row]), komi if 2 * komi % 1 == 0 else 6.5, handicap, setup, moves)


def ask(program: GtpProgram, game: FinishedGame) -> Answer:
    """Play the game on GNU Go's board and ask it for the score and for the status of every point."""

    def vertex(point: int) -> str:
        return format_vertex(point, game.size, game.size)

    for command in (f"boardsize {game.size}", "clear_board", f"komi {game.komi:g}"):
        program.ask(*command.split())
    if game.handicap:
        program.ask("set_free_handicap", *map(vertex, game.setup))
    for color, point in [*(("b", stone) for stone in game.setup if not game.handicap), *game.moves]:
        program.ask("play", color, vertex(point))
    score = program.ask("final_score")
    status = ["?"] * game.size**2
    for word, letter in LETTERS.items():
        for name in program.ask("final_status_list", word).split():
            status[parse_vertex(name, game.size, game.size)] = letter
    return Answer(score, "".join(status))


def stored_answers() -> Iterator[tuple[FinishedGame, dict[str, Answer]]]:
    """All stored answers with their games: by way of counting, "area" and "territory"."""
    told = json.loads(STORED.read_text(encoding="utf-8"))["games"]
    for file in {entry["file"]: None for entry in told}:
        entries = [entry for entry in told if entry["file"] == file]
        for entry, game in zip(entries, finished_games(file, [entry["row"] for entry in entries]), strict=True):
            assert game.digest == entry["digest"], f"row {game.row} of {file} holds another game"
            yield game, {way: Answer(*entry[way]) for way in OPTIONS}


def main() -> None:
    """Ask GNU Go about all games and write the file."""
    games = [game for file, count in _SAMPLES for game in finished_games(file, count=count)]
    answers: dict[str, list[Answer]] = {}
    for way, option in OPTIONS.items():
        program = GtpProgram(f"gnugo --mode gtp --seed 1 {option}")
        answers[way] = [ask(program, game) for game in games]
        program.close()
    lines = [
        json.dumps(
            {"file": game.file, "row": game.row, "digest": game.digest}
            | {way: [answers[way][number].score, answers[way][number].status] for way in OPTIONS},
            separators=(",", ":"),
        )
        for number, game in enumerate(games)
    ]
    head = '{"program":"GNU Go 3.8","command":"python -m tests.support.gnugo_answers",\n"games":[\n'
    STORED.write_text(head + ",\n".join(lines) + "\n]}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
