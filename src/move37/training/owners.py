"""Who owned what in the end of games of people that were counted, for networks that learn ownership.

A record says by how much a game was won, not which stones were dead. Here `evaluators.dead_stones` proposes them, by
playouts, and the board is counted; a game whose count is the recorded score, or one point beside it (a last neutral
point that nobody took), is kept with its two areas, any other is left out. So a wrong proposal is found out by the
players' own count. Rows and columns are those of the games file it came from.

Ownership as a target is KataGo's (Wu 2019, 4.1), from games of self-play, which are played until nothing is open;
taking it from games of people, checked by their score, is ours. Trains nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from multiprocessing import get_context
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from move37 import config as toml
from move37.errors import ConfigError
from move37.evaluators.dead_stones import dead_stones
from move37.games.areas import areas_of
from move37.games.legal import legal_games
from move37.games.store import GameFilter, GameStore
from move37.nets.fast_cpu import cores
from move37.rules.position import Position
from move37.training.results import Counting, black_leads
from move37.training.run_folder import keep_recipe
from move37.training.run_log import RunLog

__all__ = ["OwnersRecipe", "load_recipe", "main", "with_owners"]

LARGEST_DIFFERENCE = 1.0
"""Points by which a count may differ from the record."""
SIMPLE_KO = "japanese"
"""Rules by which every stored game can be replayed; the count here is by area all the same."""


@dataclass(frozen=True)
class OwnersRecipe:
    """Which games are counted, and how."""

    files: tuple[Path, ...]
    """Parquet stores; relative paths start at the recipe's folder."""
    size: int
    games: GameFilter = field(default_factory=GameFilter)
    """Which of them; only even ones are counted."""
    counting: Counting = "territory"
    playouts: int = 64
    """Of each final position that is not settled beyond doubt."""
    file_games: int = 1000
    """Counted games of one file; a run that was killed goes on after its last whole file."""
    max_games: int | None = None
    """Of the counted games the first so many."""
    threads: int | None = None
    """Processes side by side; None: one a core."""

    def __post_init__(self) -> None:
        if not self.files or not 2 <= self.size <= 19:
            raise ConfigError("owners are told of one file of games or more, on boards of 2 to 19")
        if min(self.playouts, self.file_games, self.threads or 1, 1 if self.max_games is None else self.max_games) < 1:
            raise ConfigError("playouts, file_games, max_games and threads are 1 or more")


def main(recipe_path: Path | str, run: Path | str, *, quiet: bool = False) -> dict[str, float]:
    """Count the recipe's games in the folder `run`, write those that agree to `games.parquet` there; figures.

    Called again it counts what is missing. ConfigError if no game of the files was counted.
    """
    recipe, folder = load_recipe(Path(recipe_path)), Path(run)
    keep_recipe(recipe, folder)
    counted = counted_games(recipe)
    parts = [counted.select(numbers) for numbers in _file_numbers(recipe, len(counted))]
    missing = [number for number in range(len(parts)) if not file_of(folder, number).is_file()]
    done = len(parts) - len(missing)
    with RunLog(folder, done, len(parts), quiet=quiet) as log:
        for number, kept in _count_files(recipe, [(number, parts[number]) for number in missing]):
            kept.write(file_of(folder, number))
            done += 1
            log.advance(done / len(parts), len(parts))
            log.write("games", done, {"file": number, "games": len(parts[number]), "kept": len(kept)})
    games = GameStore.open([file_of(folder, number) for number in range(len(parts))])
    games.write(folder / "games.parquet")
    return {"counted": float(len(counted)), "kept": float(len(games)), "share": len(games) / len(counted)}


def load_recipe(path: Path) -> OwnersRecipe:
    """The recipe at `path`, its files as absolute paths."""
    recipe = toml.load_toml(OwnersRecipe, path)
    folder = path.resolve().parent
    return replace(recipe, files=tuple((folder / file).resolve() for file in recipe.files))


def file_of(run: Path, number: int) -> Path:
    """Where a run keeps what became of its counted games number `number * file_games` and after."""
    return run / "games" / f"games-{number:05d}.parquet"


def counted_games(recipe: OwnersRecipe) -> GameStore:
    """The games of the recipe that end in a count."""
    games = legal_games(recipe.files, replace(recipe.games, size=recipe.size, even=True), cores())
    numbers = np.flatnonzero(~np.isnan(black_leads(games, recipe.counting)))[: recipe.max_games]
    if not len(numbers):
        raise ConfigError(f"none of the {len(games)} games on {recipe.size}x{recipe.size} was counted; ask for others")
    return games.select(numbers)


def with_owners(games: GameStore, counting: Counting = "territory", playouts: int = 64) -> GameStore:
    """Those of counted `games` whose count agrees with the record, with `black_area` and `white_area`."""
    leads = black_leads(games, counting)
    owners = [_owner(games, game, playouts) for game in range(len(games))]
    agree = [abs(_lead(owner) - lead) <= LARGEST_DIFFERENCE for owner, lead in zip(owners, leads.tolist(), strict=True)]
    kept = np.flatnonzero(np.array(agree, np.bool_))
    black, white = areas_of([owners[game] for game in kept.tolist()])
    return replace(games.select(kept), black_area=black, white_area=white)


def _owner(games: GameStore, game: int, playouts: int) -> NDArray[np.int8]:
    """int8[P]: who owns each point at the end of a game, proposed dead stones taken off."""
    position = Position.from_moves(games.moves[game].tolist(), int(games.size[game]), rules=SIMPLE_KO)
    return position.area(dead_stones(position, playouts)).ravel()


def _lead(owner: NDArray[np.int8]) -> int:
    return int((owner == 1).sum()) - int((owner == 2).sum())


def _file_numbers(recipe: OwnersRecipe, count: int) -> list[NDArray[np.int64]]:
    return [np.arange(first, min(first + recipe.file_games, count)) for first in range(0, count, recipe.file_games)]


def _count_files(recipe: OwnersRecipe, parts: list[tuple[int, GameStore]]) -> Iterator[tuple[int, GameStore]]:
    """(number, kept games) of each file, in processes of their own: most of the work is Python's."""
    pool = ProcessPoolExecutor(recipe.threads or cores(), get_context("spawn"))
    try:
        found = [(number, pool.submit(with_owners, games, recipe.counting, recipe.playouts)) for number, games in parts]
        for number, future in found:
            yield number, future.result()
    finally:
        pool.shutdown(cancel_futures=True)
