from __future__ import annotations

import signal
import subprocess
import sys
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
import torch

from move37 import config as toml
from move37.errors import CheckpointError, ConfigError, GamesFileError
from move37.features.encoder import get_encoder
from move37.games.store import GameFilter, GameStore
from move37.nets import weights
from move37.search.evaluator import ConstantEvaluator
from move37.training import run_log, supervised, value
from move37.training.examples import one_a_game
from move37.training.loop import LoopConfig
from move37.training.network_recipe import NetworkRecipe
from move37.training.schedule import Schedule
from move37.training.supervised import SourceRecipe, SupervisedRecipe, load_sources, sampler_of
from move37.training.value_positions import ValueGamesRecipe, games_of_file
from tests.support.shared import ROOT
from tests.support.stored_games import random_rows, store_of, write_rows

GAMES = 3000


@cache
def random_games() -> GameStore:
    """Games of players without opinion on 5x5, a position of each marked."""
    recipe = ValueGamesRecipe(Path(), Path(), 5, GAMES, file_games=GAMES, together=500, komi=0.5, latest_ply=50)
    return games_of_file(recipe, (ConstantEvaluator(), ConstantEvaluator()), 0)


RECIPE = SupervisedRecipe(
    sources=(SourceRecipe(files=(Path("games.parquet"),), positions="one", counting="area"),),
    network=NetworkRecipe(filters=16, kind="value", encoder="alphago49", convolutions=2, value_hidden=16, norm=True),
    loop=LoopConfig(steps=250, schedule=Schedule(0.05, warmup_steps=10), average=0.9, evaluate_every=250),
    batch=64,
    size=5,
    komi=0.5,
    komi_band=(0.5, 0.5),
    held_out=0.25,
    held_out_positions=1024,
)


def write_recipe(folder: Path, recipe: SupervisedRecipe = RECIPE) -> Path:
    """A recipe on the random games, in a folder of its own."""
    folder.mkdir(parents=True, exist_ok=True)
    random_games().write(folder / "games.parquet")
    toml.save_toml(recipe, folder / "recipe.toml")
    return folder / "recipe.toml"


def with_source(recipe: SupervisedRecipe, **changes: object) -> SupervisedRecipe:
    """The recipe with its source changed."""
    return replace(recipe, sources=(replace(recipe.sources[0], **changes),))  # type: ignore[arg-type]  # any field


# ---- learning


def test_one_position_of_many_games_teaches_more_than_all_of_few(tmp_path: Path) -> None:
    many = value.main(write_recipe(tmp_path), tmp_path / "many", quiet=True)
    samples = int(0.75 * GAMES)
    few = with_source(RECIPE, positions="all", max_games=samples // int(random_games().moves.lengths.mean()))
    overfitted = value.main(write_recipe(tmp_path, few), tmp_path / "few", quiet=True)
    assert many["value_error"] < 0.8  # one who knows nothing has 1.0
    assert many["value_error_41-60"] < 0.2
    assert overfitted["value_error"] > many["value_error"] + 0.03
    gaps = [figures["value_error"] - figures["train_value_error"] for figures in (many, overfitted)]
    assert gaps[1] > gaps[0] + 0.05
    network = weights.load(tmp_path / "many" / "network.safetensors")
    assert network.graph.outputs.keys() == {"value"} and network.spec.encoder == "alphago49"


def test_both_kinds_of_data_are_asked_the_same_positions(tmp_path: Path) -> None:
    many = supervised.load_recipe(write_recipe(tmp_path))
    few = with_source(many, positions="all", max_games=20)
    asked = [load_sources(recipe)[1][0] for recipe in (many, few)]
    assert asked[0].positions == len(asked[0].games)
    np.testing.assert_array_equal(asked[0].chosen, asked[1].chosen)
    sources = [load_sources(recipe)[0][0] for recipe in (many, few)]
    assert sources[0].positions == len(sources[0].games) and len(sources[1].games) == 20
    assert sources[1].positions == int(sources[1].games.moves.offsets[-1])
    every = {sources[0].games.moves[game].tobytes() for game in range(len(sources[0].games))}
    assert {sources[1].games.moves[game].tobytes() for game in range(20)} <= every


def test_figures_are_told_by_move_number(tmp_path: Path) -> None:
    class Nothing(torch.nn.Module):
        def forward(self, planes: torch.Tensor, _: torch.Tensor) -> dict[str, torch.Tensor]:
            return {"value": torch.zeros(len(planes))}

    recipe = supervised.load_recipe(write_recipe(tmp_path))
    tests = supervised.held_out_examples(recipe, load_sources(recipe)[1])
    found = value.value_figures(Nothing(), {"": tests[""], "x": tests[""]}, plies=20)
    assert found["value_error"] == found["value_error_1-20"] == found["x_value_error_21-40"] == 1.0
    assert [value.plies_together(size) for size in (5, 9, 19)] == [20, 20, 60]


# ---- one position a game


def test_marked_positions_are_the_ones_drawn(tmp_path: Path) -> None:
    random_games().write(tmp_path / "g.parquet")
    games = GameStore.open(tmp_path / "g.parquet")
    source = supervised.make_source(RECIPE.sources[0], games, 0.5)
    drawn = source.draw(np.random.default_rng(1), 500)
    game, ply = source.locate(drawn)
    np.testing.assert_array_equal(ply, games.marked_ply[game])
    assert len(set(game.tolist())) > 300
    batch = replace(sampler_of(RECIPE, (source,)), encoder=get_encoder("alphago49")).draw(0)
    assert set(batch.ply.tolist()) <= set(games.marked_ply.tolist())


def test_without_marks_chance_chooses_one_position_of_each_game_for_good(tmp_path: Path) -> None:
    games = store_of(tmp_path / "g.parquet", random_rows(seed=4, count=300))
    plies = one_a_game(games, 7) - games.moves.offsets[:-1]
    assert np.all((plies >= 0) & (plies < games.moves.lengths))
    assert np.bincount(plies, minlength=18).min() > 3  # 300 games of 18 moves
    part = np.arange(5, 300, 3)
    some = games.select(part)
    np.testing.assert_array_equal(one_a_game(some, 7) - some.moves.offsets[:-1], plies[part])
    assert (one_a_game(games, 8) - games.moves.offsets[:-1] != plies).mean() > 0.8
    held = games.split(0.2, 7)[1]  # chosen by the same moves and seed, yet their plies are spread out too
    assert len(set((one_a_game(held, 7) - held.moves.offsets[:-1]).tolist())) > 10


# ---- runs


def test_a_run_killed_by_the_system_resumes_to_the_same_network(tmp_path: Path) -> None:
    path = write_recipe(tmp_path, replace(RECIPE, loop=replace(RECIPE.loop, steps=30, checkpoint_every=10)))
    value.main(path, tmp_path / "whole", quiet=True)
    script = f"""
import os, signal
from move37.training import supervised, value
usual, calls = supervised.loss, iter(range(1000))
def deadly(*args, **named):
    if next(calls) == 17:
        os.kill(os.getpid(), signal.SIGKILL)
    return usual(*args, **named)
supervised.loss = deadly
value.main({str(path)!r}, {str(tmp_path / "run")!r}, quiet=True)
"""
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, check=False)
    assert done.returncode == -signal.SIGKILL, done.stderr.decode()
    kept = [file.name for file in (tmp_path / "run" / "checkpoints").iterdir()]
    assert kept == ["step-00000010.safetensors"]
    value.main(path, tmp_path / "run", quiet=True)
    whole, resumed = (weights.load(tmp_path / name / "network.safetensors") for name in ("whole", "run"))
    for name, array in whole.arrays.items():
        np.testing.assert_array_equal(array, resumed.arrays[name])
    assert run_log.read(tmp_path / "run")[-1]["step"] == 30


# ---- bad input


def test_a_recipe_of_another_network_is_refused(tmp_path: Path) -> None:
    path = write_recipe(tmp_path, replace(RECIPE, network=NetworkRecipe(filters=4, kind="policy", convolutions=2)))
    with pytest.raises(ConfigError, match='of the kind "policy"; a value network is one of kind = "value"'):
        value.main(path, tmp_path / "run")


@pytest.mark.parametrize(("changes", "said"), [({"size": 9}, "no games"), ({"held_out": 1e-9}, "no game to hold out")])
def test_an_empty_split_or_another_size_is_one_sentence(tmp_path: Path, changes: dict[str, float], said: str) -> None:
    path = write_recipe(tmp_path, replace(RECIPE, **changes))  # type: ignore[arg-type]  # numbers
    with pytest.raises(ConfigError, match=rf"source 1 \(games\.parquet\) has {said}"):
        value.main(path, tmp_path / "run")


def test_a_filter_that_leaves_nothing_and_no_games_at_all_are_refused(tmp_path: Path) -> None:
    path = write_recipe(tmp_path, with_source(RECIPE, games=GameFilter(min_rank="9p")))
    with pytest.raises(ConfigError, match=r"source 1 \(games\.parquet\) has no games on 5x5"):
        value.main(path, tmp_path / "run")
    with pytest.raises(ConfigError, match="max_games is 1 or more, not 0"):
        with_source(RECIPE, max_games=0)


def test_foreign_and_truncated_games_are_refused(tmp_path: Path) -> None:
    path = write_recipe(tmp_path)
    games = tmp_path / "games.parquet"
    games.write_bytes(games.read_bytes()[: games.stat().st_size // 2])
    with pytest.raises(GamesFileError, match=r"games\.parquet cannot be read as Parquet"):
        value.main(path, tmp_path / "run")


def test_a_mark_beyond_the_game_is_refused(tmp_path: Path) -> None:
    games = random_games()
    replace(games, marked_ply=games.moves.lengths.astype(np.int16)).write(tmp_path / "g.parquet")
    with pytest.raises(GamesFileError, match=r"game 0 marks the position after \d+ moves; it has one before each of"):
        GameStore.open(tmp_path / "g.parquet")


def test_a_loss_that_is_no_number_is_one_sentence(tmp_path: Path) -> None:
    path = write_recipe(tmp_path, replace(RECIPE, loop=replace(RECIPE.loop, schedule=Schedule(1e30))))
    with pytest.raises(CheckpointError, match=r"became (nan|inf) at step .* lower the learning rate"):
        value.main(path, tmp_path / "run", quiet=True)


# ---- stores


def test_marks_are_written_and_read_and_other_stores_stay_as_they_were(tmp_path: Path) -> None:
    marked, unmarked = tmp_path / "marked.parquet", tmp_path / "unmarked.parquet"
    random_games().write(marked)
    np.testing.assert_array_equal(GameStore.open(marked).marked_ply, random_games().marked_ply)
    plain = GameStore.open(write_rows(tmp_path / "plain.parquet", random_rows(seed=1, count=3)))
    assert plain.marked_ply.tolist() == [-1] * 3
    plain.write(unmarked)
    assert b"marked_ply" not in unmarked.read_bytes()
    both = GameStore.open([marked, unmarked])
    assert both.marked_ply[-3:].tolist() == [-1] * 3
    both.write(marked)
    np.testing.assert_array_equal(GameStore.open(marked).marked_ply, both.marked_ply)


@pytest.mark.parametrize(
    "path",
    [path for path in sorted((ROOT / "recipes").glob("value-*.toml")) if "games-" not in path.name],
    ids=lambda path: path.name,
)
def test_the_recipes_of_the_repository_are_valid(path: Path) -> None:
    recipe = value.load_value_recipe(path)
    assert recipe.komi_band[0] <= recipe.komi <= recipe.komi_band[1]
    assert all(file.is_absolute() for source in recipe.sources for file in source.files)
