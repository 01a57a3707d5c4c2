"""Rollout policies learned: gradients, a tiny run that visibly learns, runs that are killed and gone on with."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from move37 import config as toml
from move37.errors import ConfigError, GamesFileError
from move37.features.rollout_around_kernels import AROUND
from move37.features.rollout_policy import FeatureSet
from move37.games.store import GameStore
from move37.nets import linear
from move37.training import rollout
from move37.training.rollout import GamesRecipe, Limit, MiningRecipe, RolloutRecipe, load_recipe
from move37.training.rollout_kernels import learn
from tests.support.rollout_policies import policy_of
from tests.support.shared import ROOT
from tests.support.slow_rollout_features import SlowFeatures
from tests.support.stored_games import random_rows, row, store_of, write_rows

ALL = Limit(1, 10_000)
TINY = RolloutRecipe(
    sources=(GamesRecipe(files=(Path("games.parquet"),)),),
    name="tiny",
    size=5,
    held_out=0.2,
    held_out_games=50,
    mining=MiningRecipe(100, ALL, ALL, ALL, ALL),
    steps=20,
    batch=16,
    rate=1.0,
    log_every=5,
    evaluate_every=10,
    checkpoint_every=5,
)


def habit_rows(count: int) -> list[dict[str, Any]]:
    """Games in which Black plays at random on two edges, and White always on the second line beside it."""
    rows: list[dict[str, Any]] = []
    rng = np.random.default_rng(1)
    for _ in range(count):
        points = rng.permutation([row * 5 + col for row in (0, 4) for col in range(5)])
        moves = [int(move) for point in points for move in (point, point + (5 if point < 5 else -5))]
        rows.append(row(moves[: 2 * int(rng.integers(5, 9))]))
    return rows


def write_recipe(folder: Path, rows: list[dict[str, Any]], **changes: Any) -> Path:
    """The tiny recipe on 5x5 games, in a folder of its own."""
    folder.mkdir(parents=True, exist_ok=True)
    write_rows(folder / "games.parquet", rows)
    toml.save_toml(replace(TINY, **changes), folder / "recipe.toml")
    return folder / "recipe.toml"


@pytest.mark.parametrize("path", sorted((ROOT / "recipes").glob("rollout-*.toml")), ids=lambda path: path.name)
def test_the_recipes_of_the_repository_are_valid(path: Path) -> None:
    recipe = load_recipe(path)
    assert all(file.is_absolute() for source in recipe.sources for file in source.files)


@pytest.mark.parametrize("features", ["paper", "article"])
def test_it_learns_a_habit_within_seconds(tmp_path: Path, features: FeatureSet) -> None:
    recipe = write_recipe(tmp_path, habit_rows(200), features=features)
    figures = rollout.main(recipe, tmp_path / "run", quiet=True)
    # White's answer is certain but in the corners, Black's move is chance; one who knows nothing hits one in eighteen.
    assert figures["rollout_top1"] > 0.35 and figures["rollout_loss"] < 2.2
    assert figures["tree_top1"] >= figures["rollout_top1"] - 0.05
    policy = linear.load(tmp_path / "run" / "rollout.safetensors")
    assert policy.spec.features == features and policy.spec.training["patterns"]["shapes"] == len(
        policy.patterns.shapes
    )
    again = rollout.evaluate_policy(tmp_path / "run" / "rollout.safetensors", recipe)
    assert again == pytest.approx(figures, abs=2e-3)  # weights are kept as float16


def test_the_gradient_is_that_of_the_mean_log_likelihood(tmp_path: Path) -> None:
    store = store_of(tmp_path / "games.parquet", random_rows(seed=4, count=3))
    positions = [position_after(store, game, ply) for game in range(3) for ply in range(16)]
    policy = policy_of(positions, np.random.default_rng(4), size=5)
    gradients, figures = np.zeros((2, policy.patterns.features), np.float32), np.zeros((2, 3))
    boards = store.replay(np.arange(3), np.zeros(3, np.int64))
    args = 0, 1, np.zeros(1, AROUND), policy.tables, policy.rollout, policy.tree
    assert learn(boards, store.moves.values, store.moves.offsets, *args, gradients, figures) == -1
    wanted, loss = np.zeros_like(gradients), np.zeros(2)
    for number, position in enumerate(positions):
        move = int(store.moves[number // 16][number % 16])
        slow = SlowFeatures(policy, position).all()
        if move == 25 or move not in slow.rollout:
            continue
        for kind, weights in enumerate((policy.rollout, policy.tree)):
            rows = {p: slow.rollout[p] + (slow.tree[p] if kind else []) for p in slow.rollout}
            logits = {p: float(weights[features].sum()) for p, features in rows.items()}
            total = sum(np.exp(logit) for logit in logits.values())
            loss[kind] += np.log(total) - logits[move]
            for point, features in rows.items():
                np.add.at(wanted[kind], features, np.exp(logits[point]) / total - (point == move))
    np.testing.assert_allclose(gradients, wanted, atol=2e-4)
    np.testing.assert_allclose(figures[:, 1], loss, rtol=1e-4)


def position_after(store: GameStore, game: int, ply: int) -> Any:
    """The position before a move of a stored 5x5 game."""
    from move37.rules.position import Position

    position = Position(size=5, rules={"ko": "simple", "suicide": False})
    for move in store.moves[game][:ply].tolist():
        position.play(move)
    return position


SCRIPT = """
import os, signal, sys
from move37.training import rollout
step = rollout.Learner.step
def dying(self, number, games):
    if number == 13:
        os.kill(os.getpid(), signal.SIGKILL)
    return step(self, number, games)
rollout.Learner.step = dying
rollout.main(sys.argv[1], sys.argv[2], quiet=True)
"""


def test_a_killed_run_resumes_to_the_same_policy_whatever_the_threads(tmp_path: Path) -> None:
    recipe = write_recipe(tmp_path / "two", random_rows(seed=1, count=60), threads=2)
    other = write_recipe(tmp_path / "one", random_rows(seed=1, count=60), threads=1)
    rollout.main(other, tmp_path / "whole", quiet=True)
    command = [sys.executable, "-c", SCRIPT, str(recipe), str(tmp_path / "run")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, check=False)
    assert done.returncode == -signal.SIGKILL, done.stderr.decode()
    assert json.loads((tmp_path / "run" / "state.json").read_text(encoding="utf-8"))["step"] == 10
    rollout.main(recipe, tmp_path / "run", quiet=True)
    whole, resumed = (linear.load(tmp_path / name / "rollout.safetensors") for name in ("whole", "run"))
    np.testing.assert_array_equal(whole.rollout, resumed.rollout)
    np.testing.assert_array_equal(whole.tree, resumed.tree)
    with pytest.raises(ConfigError, match="another recipe"):
        rollout.main(
            write_recipe(tmp_path / "two", random_rows(seed=1, count=60), seed=2), tmp_path / "run", quiet=True
        )


def test_games_that_cannot_be_learned_from_are_named(tmp_path: Path) -> None:
    with pytest.raises(GamesFileError, match="illegal move"):
        rollout.main(write_recipe(tmp_path / "a", [row([3, 3, k]) for k in range(20)]), tmp_path / "ra", quiet=True)
    with pytest.raises(ConfigError, match="too few games"):
        rollout.main(write_recipe(tmp_path / "b", [row([3, 4])], size=7), tmp_path / "rb", quiet=True)
    with pytest.raises(ConfigError, match="rate"):
        replace(TINY, rate=-1.0)
