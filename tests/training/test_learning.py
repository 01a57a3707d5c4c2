"""A tiny policy network that visibly learns: games in which nearly every move touches the one before."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from move37 import config as toml
from move37.games.store import GameFilter
from move37.training import supervised
from move37.training.loop import LoopConfig
from move37.training.network_recipe import NetworkRecipe
from move37.training.schedule import Schedule
from move37.training.supervised import SourceRecipe, SupervisedRecipe
from tests.support.oracle_board import BLACK, LEGAL, SIMPLE, OracleBoard, opponent
from tests.support.stored_games import row, write_rows

SIZE = 5


def following_row(rng: random.Random) -> dict[str, Any]:
    """A game of 5x5: each move touches the stone played last if it can; nobody passes."""
    board, color = OracleBoard(SIZE, SIZE, ko=SIMPLE, suicide=False), BLACK
    moves = list[int]()
    for _ in range(14):
        legal = [point for point in range(SIZE * SIZE) if board.why_illegal(point, color) == LEGAL]
        beside = [point for point in legal if moves and point in board.neighbours(moves[-1])]
        if not legal:
            break
        moves.append(rng.choice(beside or legal))
        board.play(moves[-1], color)
        color = opponent(color)
    return row(moves, size=SIZE)


def figures_of(folder: Path, games: Path, steps: int, encoder: str) -> dict[str, float]:
    recipe = SupervisedRecipe(
        sources=(SourceRecipe((games,), games=GameFilter()),),
        network=NetworkRecipe(12, kind="policy", encoder=encoder, convolutions=2, norm=True, skip=True),
        loop=LoopConfig(steps, Schedule(0.1, warmup_steps=10), average=0.9, clip_norm=4.0),
        batch=64,
        size=SIZE,
        held_out=0.25,
        held_out_positions=512,
    )
    folder.mkdir()
    toml.save_toml(recipe, folder / "recipe.toml")
    return supervised.main(folder / "recipe.toml", folder / "run", quiet=True)


def test_held_out_moves_are_foretold_and_without_history_they_are_not(tmp_path: Path) -> None:
    rng = random.Random(5)
    games = write_rows(tmp_path / "games.parquet", [following_row(rng) for _ in range(250)])
    before = figures_of(tmp_path / "before", games, 1, "alphago12")
    after = figures_of(tmp_path / "after", games, 150, "alphago12")
    blind = figures_of(tmp_path / "blind", games, 150, "alphago4")
    assert before["policy"] == pytest.approx(3.26, abs=0.8)  # log 26: it knows nothing
    assert after["policy"] < 0.55 * before["policy"] and after["top5"] > 0.85
    assert after["top1"] > 2 * before["top1"]
    assert blind["policy"] > after["policy"] + 0.35
