"""What AlphaGo's value network learned from: games of policies, one position of each.

A game: U is drawn evenly from 1 to 450 (on other boards as many for each point); a first policy plays U - 1 moves, then
one stone is put on a legal point drawn evenly, then a second policy plays to the end. Of the game one position counts,
the one after that stone: what the second policy makes of it is its value, and no other position of the data shares the
game's result. AlphaGo's first policy was the supervised one, the second the one improved by REINFORCE, and 30 million
games were played (Silver et al., Nature 529 (2016), Methods, "Training the value network").

Not said in the paper: what becomes of a game that ends before move U (here it is left out, so that every ply counts in
the data as often as in games), and how games end: passes are "guarded" as `policy_games` says, so that dead stones are
taken off before the count. A game is a row of a store (`games.store`), its position marked by `marked_ply`. Games are
played a file at a time: file k depends on the recipe and on k alone. Trains nothing.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from move37 import config as toml
from move37.errors import ConfigError
from move37.games.columns import Lists
from move37.games.store import GameStore, even_games
from move37.nets import weights
from move37.rules.board_kernels import BoardArray, legal_mask_batch, play
from move37.rules.records import new_records
from move37.rules.result import Result
from move37.rules.ruleset import ruleset
from move37.rules.scoring import check_komi
from move37.search.evaluator import Evaluator
from move37.training import policy_games
from move37.training.network_recipe import beside
from move37.training.policy_games import PlayedGames
from move37.training.policy_match import Playing, evaluator_of
from move37.training.run_folder import keep_recipe
from move37.training.run_log import RunLog

LATEST_PLY = 450
"""U is 1 to 450 on 19x19 (Methods)."""
MOVES_A_POINT = 2
"""A game that goes on for longer is left out; Zero's limit, 722 moves on 19x19."""


@dataclass(frozen=True)
class ValueGamesRecipe:
    """Everything that decides the games."""

    first: Path
    """The network that opens each game: a name that `nets list` shows, or a file, relative to the recipe's folder."""
    then: Path
    """The network that plays on after the stone drawn evenly."""
    size: int
    games: int
    """Games to be played; somewhat fewer are kept."""
    file_games: int = 2000
    """Games of one file; a run that was killed goes on after its last whole file."""
    together: int = 256
    """Games side by side in one call of a network."""
    threads: int = 1
    """Files that are worked on at a time, one a core."""
    playing: Playing = "fast"
    """What computes the networks, see `policy_match`."""
    seed: int = 1
    komi: float = 7.0
    rules: str = "chinese"
    temperature: float = 1.0
    """Moves are drawn by p^(1 / temperature)."""
    latest_ply: int | None = None
    """The largest U; None: AlphaGo's 450, as many for each point of the board."""

    def __post_init__(self) -> None:
        if not 2 <= self.size <= 19:
            raise ConfigError(f"boards are 2 to 19, not {self.size}")
        if min(self.games, self.file_games, self.together, self.threads) < 1 or self.seed < 0:
            raise ConfigError("games, file_games, together and threads are 1 or more, the seed 0 or more")
        if not 0.0 < self.temperature < np.inf:
            raise ConfigError(f"the temperature is above 0, not {self.temperature}")
        if self.latest_ply is not None and not 1 <= self.latest_ply <= self.max_moves:
            raise ConfigError(f"latest_ply is 1 to {self.max_moves}, not {self.latest_ply}")
        ruleset(self.rules)
        check_komi(self.komi)

    @property
    def max_moves(self) -> int:
        """How long a game may be."""
        return MOVES_A_POINT * self.size**2

    @property
    def largest_u(self) -> int:
        """The largest U."""
        return self.latest_ply or max(1, round(LATEST_PLY * self.size**2 / 19**2))

    @property
    def files(self) -> int:
        """How many files the games fill; the last may be short."""
        return -(-self.games // self.file_games)


def main(recipe_path: Path | str, run: Path | str, *, quiet: bool = False) -> dict[str, float]:
    """Play the recipe's games in the folder `run`, write them all to `games.parquet` there; figures about them.

    Called again it plays what is missing. Whatever was interrupted, the games are the same.
    """
    recipe, folder = load_recipe(Path(recipe_path)), Path(run)
    policies = tuple(_policy(path, recipe) for path in (recipe.first, recipe.then))
    keep_recipe(recipe, folder)
    torch.set_num_threads(1)
    missing = [number for number in range(recipe.files) if not file_of(folder, number).is_file()]
    done = recipe.files - len(missing)
    with RunLog(folder, done, recipe.files, quiet=quiet) as log:
        for number, figures in _play_files(recipe, policies, folder, missing):
            done += 1
            log.advance(done / recipe.files, recipe.files)
            log.write("games", done, {"file": number, **figures})
    games = GameStore.open([file_of(folder, number) for number in range(recipe.files)])
    games.write(folder / "games.parquet")
    return summary(games, recipe)


def load_recipe(path: Path) -> ValueGamesRecipe:
    """The recipe at `path`; networks that are files beside it as absolute paths."""
    recipe = toml.load_toml(ValueGamesRecipe, path)
    return replace(recipe, first=beside(path, recipe.first), then=beside(path, recipe.then))


def file_of(run: Path, number: int) -> Path:
    """Where a run keeps its games number `number * file_games` and after."""
    return run / "games" / f"games-{number:05d}.parquet"


def _play_files(
    recipe: ValueGamesRecipe, policies: tuple[Evaluator, ...], run: Path, numbers: list[int]
) -> Iterator[tuple[int, dict[str, float]]]:
    """Play the files and write each when it is whole; (number, figures) of each."""

    def work(number: int) -> tuple[int, dict[str, float]]:
        torch.set_num_threads(1)
        started = time.monotonic()
        games = games_of_file(recipe, policies, number)
        games.write(file_of(run, number))
        seconds = time.monotonic() - started
        return number, {**summary(games, recipe), "games_per_second": recipe.threads * len(games) / seconds}

    if recipe.threads == 1:
        yield from map(work, numbers)
        return
    pool = ThreadPoolExecutor(recipe.threads, "games")
    try:
        yield from pool.map(work, numbers)
    finally:
        pool.shutdown(cancel_futures=True)


def games_of_file(recipe: ValueGamesRecipe, policies: tuple[Evaluator, ...], number: int) -> GameStore:
    """The kept games of file `number`: a function of the recipe and the number."""
    first = number * recipe.file_games
    count = min(recipe.file_games, recipe.games - first)
    streams = policy_games.streams([recipe.seed], first, count)
    us = np.array([stream.integers(1, recipe.largest_u + 1) for stream in streams], np.int64)
    boards = new_records(count, recipe.size, recipe.size, ruleset(recipe.rules), recipe.komi)
    opened = _play(recipe, policies[0], boards, streams, us - 1)
    points = np.array([any_point(board, stream) for board, stream in zip(opened.boards, streams, strict=True)])
    kept = np.flatnonzero((opened.moves.lengths == us - 1) & ~opened.passed_out & (points >= 0))
    if not len(kept):
        return store_of(recipe, opened.moves.take(kept), np.empty(0, np.float32), kept)
    points = points[kept].astype(np.uint16)
    turned = opened.boards[kept]
    for board, point in zip(turned, points.tolist(), strict=True):
        play(board, point, int(board["to_play"]))
    streams = [streams[game] for game in kept.tolist()]
    ended = _play(recipe, policies[1], turned, streams, recipe.max_moves - us[kept])
    moves = opened.moves.take(kept).appended(points, np.ones(len(kept), np.int64))
    whole = moves.appended(ended.moves.values, ended.moves.lengths)
    return store_of(recipe, whole, ended.black_margin, us[kept]).select(ended.passed_out)


def _play(
    recipe: ValueGamesRecipe,
    policy: Evaluator,
    boards: BoardArray,
    streams: list[np.random.Generator],
    moves: NDArray[np.int64],
) -> PlayedGames:
    """`policy` against itself on each of `boards`, for `moves[i]` moves at most."""
    return policy_games.play(
        boards,
        [policy],
        np.zeros((len(boards), 2), np.int64),
        streams,
        max_moves=moves,
        temperature=recipe.temperature,
        together=recipe.together,
    )


def any_point(board: Any, rng: np.random.Generator) -> int:
    """A legal point for the player to move, each as likely; -1 if there is none. Own eyes are points like others."""
    legal = np.empty((1, int(board["rows"]) * int(board["cols"]) + 1), np.bool_)
    legal_mask_batch(board.reshape(1), legal)
    points = np.flatnonzero(legal[0, :-1])
    return int(rng.choice(points)) if len(points) else -1


def store_of(
    recipe: ValueGamesRecipe, moves: Lists, margins: NDArray[np.float32], plies: NDArray[np.int64]
) -> GameStore:
    """Games from the empty board as rows: `margins` float32[G] by which Black won, `plies` int64[G] of the marks."""
    count = len(margins)
    return even_games(
        np.full(count, recipe.size, np.int16),
        np.full(count, recipe.komi, np.float32),
        moves,
        [Result.of_margin(float(margin)).text for margin in margins],
        np.sign(margins).astype(np.int8),
        plies.astype(np.int16),
    )


def summary(games: GameStore, recipe: ValueGamesRecipe) -> dict[str, float]:
    """Figures about kept games: how many, their length, the mean mark, and how often Black won and nobody did."""
    if not len(games):
        return {"games": 0.0}
    return {
        "games": float(len(games)),
        "mean_moves": float(games.moves.lengths.mean()),
        "mean_ply": float(games.marked_ply.mean()),
        "black_wins": float((games.winner == 1).mean()),
        "draws": float((games.winner == 0).mean()),
    }


def _policy(path: Path, recipe: ValueGamesRecipe) -> Evaluator:
    """The network at `path`; ConfigError unless it has a policy for the recipe's board."""
    network = weights.load(weights.find(path))
    if not network.spec.supports(recipe.size, recipe.size):
        raise ConfigError(
            f"{path} plays on {network.spec.sizes_text()}, but the recipe's games are on "
            f"{recipe.size}x{recipe.size}; give another network"
        )
    return evaluator_of(network, recipe.playing)
