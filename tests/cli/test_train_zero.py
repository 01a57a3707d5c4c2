"""`move37 train zero` and the commands beside it: a run, a packed run, and one sentence for what cannot be."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from move37 import config as toml
from move37.cli.run import run
from move37.training.loop import LoopConfig
from move37.training.schedule import Schedule
from move37.training.selfplay_config import SelfPlayConfig
from move37.training.zero_recipe import Shape, ZeroRecipe

TINY = ZeroRecipe(
    network=Shape(0, filters=4, value_hidden=4),
    self_play=SelfPlayConfig(sizes=(2,), komi=0.5, visits=2, together=2),
    loop=LoopConfig(steps=2, schedule=Schedule(peak=0.01)),
    generations=2,
    games=2,
    batch=4,
)


def sentence(capfd: pytest.CaptureFixture[str], *words: str) -> str:
    """What a command that fails says: one line."""
    capfd.readouterr()
    assert run(list(words)) == 2
    out, err = capfd.readouterr()
    assert out == "" and err.count("\n") == 1, err
    return err


def test_a_run_by_slices_and_packed(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    toml.save_toml(TINY, "tiny.toml")
    assert run(["train", "zero", "tiny.toml", "--minutes", "0.0000001"]) == 0
    assert "finished: 0.0000" in capfd.readouterr().out
    assert run(["train", "zero-pack", "runs/tiny", "tiny.tar.xz"]) == 0
    assert "tiny.tar.xz: 0.0 MB" in capfd.readouterr().out
    assert run(["train", "zero-unpack", "tiny.tar.xz", "other"]) == 0
    assert run(["train", "zero", "other/config.toml", "--run", "other"]) == 0
    assert "finished: 1.0000" in capfd.readouterr().out
    assert Path("other/network.safetensors").is_file() and not Path("runs/tiny/games/generation-00000.parquet").exists()


def test_what_cannot_be_is_one_sentence(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert "give one recipe: a file, or one of " in sentence(capfd, "train", "zero")
    assert "the recipes are " in sentence(capfd, "train", "zero", "--recipe", "6x6")
    both = ("train", "zero", "a.toml", "--recipe", "5x5")
    assert "give one recipe" in sentence(capfd, *both)
    toml.save_toml(replace(TINY, self_play=replace(TINY.self_play, rules="chinese")), tmp_path / "a.toml")
    text = (tmp_path / "a.toml").read_text(encoding="utf-8")
    (tmp_path / "a.toml").write_text(text.replace("chinese", "none such"), encoding="utf-8")
    assert "none such" in sentence(capfd, "train", "zero", str(tmp_path / "a.toml"), "--run", str(tmp_path / "run"))
    assert "holds no Zero run" in sentence(capfd, "train", "zero-pack", str(tmp_path), str(tmp_path / "b"))
    (tmp_path / "c").write_bytes(b"c")
    assert "cannot be unpacked" in sentence(capfd, "train", "zero-unpack", str(tmp_path / "c"), str(tmp_path / "d"))
