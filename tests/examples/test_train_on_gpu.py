"""The script for a GPU, tried on the processor with a tiny recipe."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from move37.nets import weights
from move37.training import supervised
from tests.cli.test_train import recipe_in
from tests.support.shared import ROOT


@pytest.fixture
def train_on_gpu() -> ModuleType:
    spec = importlib.util.spec_from_file_location("train_on_gpu", ROOT / "examples" / "train_on_gpu.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_it_trains_from_a_folder_of_games_and_goes_on(
    train_on_gpu: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    recipe, run = recipe_in(tmp_path / "recipes"), tmp_path / "run"
    games = tmp_path / "games"
    games.mkdir()
    for name in ("games.parquet", "test.parquet"):
        (recipe.parent / name).rename(games / name)
    arguments = ["--recipe", str(recipe), "--games", str(games), "--run", str(run), "--steps", "4"]
    assert train_on_gpu.main(arguments) == 0
    first = capsys.readouterr().out
    assert "pro_top1: " in first and first.splitlines()[-1] == str(run / "network.safetensors")
    assert weights.load(run / "network.safetensors").spec.training["steps"] == 4
    assert (run / "state.json").is_file()
    assert train_on_gpu.main(arguments) == 0
    assert capsys.readouterr().out == first


def test_games_that_are_missing_or_too_many_are_one_sentence(
    train_on_gpu: ModuleType,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    recipe = recipe_in(tmp_path)
    assert train_on_gpu.main(["--recipe", str(recipe), "--games", str(tmp_path / "none")]) == 2
    assert "there is no games file" in capsys.readouterr().err
    monkeypatch.setattr(train_on_gpu, "LARGEST", 1000)
    assert train_on_gpu.main(["--recipe", str(recipe), "--games", str(tmp_path), "--run", str(tmp_path / "run")]) == 2
    assert "at most 0 are to be carried" in capsys.readouterr().err


def test_the_recipe_for_a_gpu_is_short_enough_to_be_lent_one() -> None:
    loop = supervised.load_recipe(ROOT / "recipes" / "policy-19x19-gpu.toml").loop
    assert loop.max_minutes is not None and loop.max_minutes <= 8.0 and loop.follow_clock
    assert loop.device == "auto" and loop.checkpoint_minutes <= 2.0
