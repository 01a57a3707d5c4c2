"""REINFORCE: the gradient by hand, a tiny run that learns, kills, and what is refused."""

from __future__ import annotations

import json
import math
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from move37 import config as toml
from move37.errors import CheckpointError, ConfigError, NetworkFileError
from move37.features.encoder import get_encoder
from move37.nets import weights
from move37.nets.alphago import policy_network
from move37.nets.graph import Network
from move37.rules.position import Position
from move37.search.evaluator import Evaluations
from move37.training import reinforce, run_log
from move37.training.loop import LoopConfig
from move37.training.reinforce import Moves, ReinforceRecipe
from move37.training.schedule import Schedule
from tests.support.networks import small_value

ROOT = Path(__file__).parents[2]
ENCODER = get_encoder("alphago48")
LOOP = LoopConfig(
    steps=4,
    schedule=Schedule(peak=0.01, kind="constant"),
    optimizer="adamw",
    l2=0.0,
    log_every=1,
    evaluate_every=100,
    checkpoint_every=2,
)


def write_parent(folder: Path, size: int = 3, norm: bool = False) -> Network:
    rng = np.random.default_rng(4)
    network = policy_network(
        sizes=[size], rng=rng, filters=8, convolutions=2, learn_pass=True, norm=norm, skip=norm, komi_band=(0.0, 9.0)
    )
    weights.save(network, folder / "parent.safetensors")
    return network


def write_recipe(folder: Path, **options: Any) -> Path:
    settings: dict[str, Any] = {"size": 3, "komi": 1.5, "games": 8, "pool_every": 2, "test_games": 8} | options
    recipe = ReinforceRecipe(parent=Path("parent.safetensors"), loop=settings.pop("loop", LOOP), **settings)
    toml.save_toml(replace(recipe, playing="fast"), folder / "recipe.toml")
    return folder / "recipe.toml"


class Logits(nn.Module):
    """The same logits for every position: its ten parameters themselves."""

    def __init__(self) -> None:
        super().__init__()
        self.logits = nn.Parameter(torch.linspace(-1.0, 1.0, 10))

    def forward(self, planes: Tensor, globals_: Tensor) -> dict[str, Tensor]:
        return {"policy": self.logits.expand(len(planes), 10)}


def moves_by_hand() -> Moves:
    """Three moves of two games: 4 and 0 of a game that was won, 4 of one that was lost; 0 may not be played there."""
    boards = np.concatenate([Position(3, komi=0.5).board_array] * 3)
    allowed = np.ones((3, 10), np.bool_)
    allowed[2, 0] = False
    return Moves(boards, allowed, np.array([4, 0, 4]), np.array([1.0, 1.0, -1.0], np.float32), 2.0, {"score": 0.5})


def test_the_gradient_is_the_one_computed_by_hand() -> None:
    module, batch = Logits(), moves_by_hand()
    theta = module.logits.detach().numpy().astype(np.float64)
    p_all = np.exp(theta) / np.exp(theta).sum()
    p_some = np.where(np.arange(10) == 0, 0.0, np.exp(theta)) / np.exp(theta[1:]).sum()
    one = np.eye(10)
    ascent = ((one[4] - p_all) + (one[0] - p_all) - (one[4] - p_some)) / 2
    losses = reinforce.loss(module, batch, ENCODER)
    losses["loss"].backward()  # type: ignore[no-untyped-call]
    assert module.logits.grad is not None
    np.testing.assert_allclose(module.logits.grad.numpy(), -ascent, atol=1e-6)
    expected = -(math.log(p_all[4]) + math.log(p_all[0]) - math.log(p_some[4])) / 2
    assert float(losses["loss"].detach()) == pytest.approx(expected, rel=1e-5)
    assert float(losses["score"]) == 0.5


def test_a_step_makes_moves_of_won_games_likelier_and_of_lost_games_rarer() -> None:
    for advantage in (1.0, -1.0):
        module = Logits()
        batch = replace(moves_by_hand(), advantage=np.full(3, advantage, np.float32))
        before = module.logits.detach().softmax(0)[4]
        reinforce.loss(module, batch, ENCODER)["loss"].backward()  # type: ignore[no-untyped-call]
        torch.optim.SGD(module.parameters(), 0.1).step()
        assert (module.logits.detach().softmax(0)[4] - before) * advantage > 0


def test_chunks_and_parts_give_the_same_gradient(monkeypatch: pytest.MonkeyPatch) -> None:
    def gradient(batches: list[Moves]) -> Tensor:
        gradients = list[Tensor]()
        for batch in batches:
            module = Logits()
            reinforce.loss(module, batch, ENCODER)["loss"].backward()  # type: ignore[no-untyped-call]
            assert module.logits.grad is not None
            gradients.append(module.logits.grad)
        return torch.stack(gradients).mean(dim=0)

    whole = gradient([moves_by_hand()])
    torch.testing.assert_close(gradient(reinforce.split(moves_by_hand(), 2)), whole)
    monkeypatch.setattr(reinforce, "CHUNK_POINTS", 1)
    torch.testing.assert_close(gradient([moves_by_hand()]), whole)


def test_a_batch_of_drawn_games_moves_nothing() -> None:
    empty = moves_by_hand()
    none = replace(empty, **{name: getattr(empty, name)[:0] for name in ("boards", "allowed", "moves", "advantage")})
    module = Logits()
    reinforce.loss(module, none, ENCODER)["loss"].backward()  # type: ignore[no-untyped-call]
    assert module.logits.grad is not None and not module.logits.grad.any()


class Said:
    """Logits that favour low points, and one value for every position."""

    def __init__(self, value: float) -> None:
        self.value = value

    def evaluate(self, boards: Any) -> Evaluations:
        policy = np.linspace(2, 0, 10, dtype=np.float32)[None].repeat(len(boards), axis=0)
        return Evaluations(policy, np.full(len(boards), self.value, np.float32))


def test_weights_of_moves_are_results_less_the_baseline() -> None:
    recipe = ReinforceRecipe(Path("p"), LOOP, size=3, komi=1.5, games=16, seed=3)
    pair = [Said(0.0), Said(0.0)]
    plain, reduced = (reinforce.learner_games(list(pair), recipe, 5, base) for base in (None, Said(0.25)))
    assert set(plain.advantage.tolist()) == {-1.0, 1.0} and set(reduced.advantage.tolist()) == {-1.25, 0.75}
    again, other = (reinforce.learner_games(list(pair), recipe, number) for number in (5, 6))
    assert np.array_equal(plain.moves, again.moves) and not np.array_equal(plain.moves, other.moves)
    assert (plain.allowed.sum(axis=1) > 1).all() and plain.allowed[np.arange(len(plain.moves)), plain.moves].all()


def test_moves_of_the_winner_weigh_one() -> None:
    """With komi beyond the board White always wins: Black's moves weigh -1 and White's 1, whoever is to move."""
    recipe = ReinforceRecipe(Path("p"), LOOP, size=3, komi=9.5, games=16)
    found = reinforce.learner_games([Said(0.0), Said(0.0)], recipe, 0)
    black = found.boards["to_play"] == 1
    assert found.figures["score"] == 0.5 and black.any() and not black.all()
    assert (found.advantage[black] == -1).all() and (found.advantage[~black] == 1).all()


def test_it_learns_to_beat_its_parent(tmp_path: Path) -> None:
    write_parent(tmp_path)
    loop = replace(LOOP, steps=30, schedule=Schedule(peak=0.01, kind="constant"), checkpoint_every=100)
    recipe = write_recipe(tmp_path, games=64, pool_every=10, loop=loop, test_games=200)
    figures = reinforce.main(recipe, tmp_path / "run", quiet=True)
    assert figures["sampled_low"] > 0.55, figures
    log = [line for line in run_log.read(tmp_path / "run") if line["kind"] == "train"]
    assert {"score", "entropy", "length", "passed_out", "opponent", "minutes"} <= log[0].keys()
    assert {line["opponent"] for line in log} <= {0.0, 10.0, 20.0}
    assert all(line["opponent"] <= line["step"] - 1 for line in log)
    saved = weights.load(tmp_path / "run" / "network.safetensors")
    assert saved.spec.training is not None and saved.spec.training["iterations"] == 30


SCRIPT = """
import os, signal, sys
from move37.training import reinforce
batch = reinforce.SelfPlay.batch
def dying(self, number):
    found = batch(self, number)
    if number == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return found
reinforce.SelfPlay.batch = dying
reinforce.main(sys.argv[1], sys.argv[2], quiet=True)
"""


def test_a_killed_run_goes_on_and_ends_the_same(tmp_path: Path) -> None:
    write_parent(tmp_path, norm=True)
    recipe, run = write_recipe(tmp_path, loop=replace(LOOP, steps=5), pool_every=1), tmp_path / "围棋 run"
    command = [sys.executable, "-c", SCRIPT, str(recipe), str(run)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, check=False)
    assert done.returncode == -signal.SIGKILL, done.stderr.decode()
    assert json.loads((run / "state.json").read_text(encoding="utf-8"))["step"] == 2
    figures = [reinforce.main(recipe, folder, quiet=True) for folder in (run, tmp_path / "whole")]
    assert figures[0] == figures[1]
    members = sorted(path.name for path in (run / "pool").iterdir())
    assert members == [f"iteration-{number:08d}.safetensors" for number in range(5)]
    for name in ("network.safetensors", *(f"pool/{member}" for member in members)):
        killed, whole = (weights.load(folder / name).arrays for folder in (run, tmp_path / "whole"))
        for array in whole:
            np.testing.assert_array_equal(killed[array], whole[array])


def test_what_cannot_be_is_one_sentence(tmp_path: Path) -> None:
    recipe = write_recipe(tmp_path)
    with pytest.raises(NetworkFileError, match=r"parent\.safetensors"):
        reinforce.main(recipe, tmp_path / "a", quiet=True)
    write_parent(tmp_path, size=5)
    with pytest.raises(ConfigError, match=r"made for 5x5, but the recipe plays on 3x3"):
        reinforce.main(recipe, tmp_path / "b", quiet=True)
    weights.save(small_value(3), tmp_path / "parent.safetensors")
    with pytest.raises(ConfigError, match="has no policy"):
        reinforce.main(recipe, tmp_path / "c", quiet=True)
    write_parent(tmp_path)
    write_recipe(tmp_path, baseline=tmp_path / "parent.safetensors")
    with pytest.raises(ConfigError, match="has no value"):
        reinforce.main(recipe, tmp_path / "d", quiet=True)
    assert not any((tmp_path / name).exists() for name in "abcd")


def test_another_recipe_in_the_folder_is_refused(tmp_path: Path) -> None:
    write_parent(tmp_path)
    reinforce.main(write_recipe(tmp_path, loop=replace(LOOP, steps=1)), tmp_path / "run", quiet=True)
    with pytest.raises(ConfigError, match="a run of another recipe"):
        reinforce.main(write_recipe(tmp_path), tmp_path / "run", quiet=True)


def test_weights_that_diverge_end_the_run_in_one_sentence(tmp_path: Path) -> None:
    write_parent(tmp_path)
    loop = replace(LOOP, optimizer="sgd", schedule=Schedule(peak=1e38, kind="constant"))
    with pytest.raises((CheckpointError, NetworkFileError), match=r"diverged|became"), np.errstate(all="ignore"):
        reinforce.main(write_recipe(tmp_path, loop=loop), tmp_path / "run", quiet=True)


@pytest.mark.parametrize(
    "wrong",
    [{"games": 3}, {"games": 0}, {"pool_every": 0}, {"size": 20}, {"max_moves": 0}, {"test_games": 1}, {"seed": -1}],
)
def test_a_recipe_with_a_value_out_of_range_is_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(ConfigError):
        ReinforceRecipe(Path("p"), LOOP, **wrong)  # type: ignore[arg-type]
