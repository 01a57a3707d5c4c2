from __future__ import annotations

import json
import math
import resource
import signal
import subprocess
import sys
from collections.abc import Generator
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import pytest
import torch
from torch import Tensor, nn

from move37.errors import CheckpointError, ConfigError
from move37.training import checkpoint, run_log
from move37.training.checkpoint import Progress
from move37.training.loop import LoopConfig, Task, train
from move37.training.schedule import Schedule
from move37.training.workers import Losses
from tests.support.shared import ROOT

Batch = tuple[Tensor, Tensor]
CONFIG = LoopConfig(
    steps=30,
    schedule=Schedule(0.05, warmup_steps=3),
    average=0.9,
    clip_norm=1.0,
    log_every=5,
    evaluate_every=10,
    checkpoint_every=10,
)


def make() -> nn.Module:
    torch.manual_seed(3)
    return nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.ReLU(), nn.Linear(8, 1))


def batch(number: int) -> Batch:
    x = torch.randn(16, 4, generator=torch.Generator().manual_seed(number))
    return x, x.sum(dim=1, keepdim=True)


def batches(first: int) -> Generator[Batch]:
    number = first
    while True:
        yield batch(number)
        number += 1


def loss(module: nn.Module, part: Batch) -> Losses:
    return {"loss": ((module(part[0]) - part[1]) ** 2).mean()}


def split(part: Batch, count: int) -> list[Batch]:
    return [(part[0][i::count], part[1][i::count]) for i in range(count)]


def evaluate(module: nn.Module) -> dict[str, float]:
    return {"error": float(loss(module, batch(10_000))["loss"])}


TASK = Task(batches, loss, split, evaluate)


def tensors(module: nn.Module) -> dict[str, Tensor]:
    return {name: tensor.clone() for name, tensor in module.state_dict().items()}


def assert_equal(first: dict[str, Tensor], second: dict[str, Tensor]) -> None:
    assert first.keys() == second.keys()
    for name, tensor in first.items():
        assert torch.equal(tensor, second[name]), name


def run_to_the_end(folder: Path, config: LoopConfig = CONFIG) -> dict[str, Tensor]:
    return tensors(train(make, TASK, config, folder, quiet=True).module)


def saved(folder: Path) -> tuple[Progress, nn.Module, nn.Module]:
    """The progress, module and average of the checkpoint that counts in `folder`."""
    module, average = make(), make()
    return checkpoint.load(folder, module, average, optimizer_of(module)), module, average


def optimizer_of(module: nn.Module) -> torch.optim.SGD:
    """An optimiser with the two groups of the loop's."""
    groups = [[p for p in module.parameters() if p.ndim > 1], [p for p in module.parameters() if p.ndim <= 1]]
    return torch.optim.SGD([{"params": group} for group in groups], 0.1, momentum=0.9)


class Killed(BaseException):
    """Stands for a kill: nothing may catch it and tidy up."""


def killed_at(step: int) -> Task[Batch]:
    def deadly(module: nn.Module, part: Batch) -> Losses:
        if torch.equal(part[0], batch(step)[0]):
            raise Killed
        return loss(module, part)

    return replace(TASK, loss=deadly)


def test_it_learns_and_logs(tmp_path: Path) -> None:
    outcome = train(make, TASK, replace(CONFIG, steps=400), tmp_path, quiet=True)
    lines = run_log.read(tmp_path)
    errors = [line["error"] for line in lines if line["kind"] == "held_out"]
    assert errors[-1] < 0.2 * errors[0] and outcome.figures == {"error": errors[-1]}
    trained = [line for line in lines if line["kind"] == "train"]
    assert [line["step"] for line in trained] == list(range(5, 401, 5))
    assert {"loss", "learning_rate", "gradient_norm", "steps_per_second", "minutes"} <= trained[0].keys()
    assert list((tmp_path / "tensorboard").glob("events.out.tfevents.*"))


@pytest.mark.parametrize("optimizer", ["sgd", "adamw"])
@pytest.mark.parametrize("step", [3, 10, 17, 29])
def test_a_resumed_run_equals_an_uninterrupted_one(
    tmp_path: Path, optimizer: Literal["sgd", "adamw"], step: int
) -> None:
    config = replace(CONFIG, optimizer=optimizer)
    whole = run_to_the_end(tmp_path / "whole", config)
    with pytest.raises(Killed):
        train(make, killed_at(step), config, tmp_path / "killed", quiet=True)
    assert_equal(run_to_the_end(tmp_path / "killed", config), whole)
    steps = [line["step"] for line in run_log.read(tmp_path / "killed") if line["kind"] == "train"]
    assert steps == list(range(5, 31, 5))


SCRIPT = """
import os, signal, sys
from pathlib import Path
from tests.training import test_loop as t
def dying(first):
    for number, batch in enumerate(t.batches(first), first):
        if number == 17:
            os.kill(os.getpid(), signal.SIGKILL)
        yield batch
t.train(t.make, t.Task(dying, t.loss, t.split, t.evaluate), t.CONFIG, Path(sys.argv[1]), quiet=True)
"""


def test_a_run_killed_by_the_system_resumes_to_the_same_weights(tmp_path: Path) -> None:
    run = tmp_path / "围棋 run"
    done = subprocess.run([sys.executable, "-c", SCRIPT, str(run)], cwd=ROOT, capture_output=True, check=False)
    assert done.returncode == -signal.SIGKILL, done.stderr.decode()
    assert json.loads((run / "state.json").read_text(encoding="utf-8"))["step"] == 10
    assert_equal(run_to_the_end(run), run_to_the_end(tmp_path / "whole"))


def test_resuming_a_finished_run_changes_nothing(tmp_path: Path) -> None:
    first = run_to_the_end(tmp_path)
    assert_equal(run_to_the_end(tmp_path), first)


def test_several_threads_are_deterministic(tmp_path: Path) -> None:
    config = replace(CONFIG, threads=2)
    assert_equal(run_to_the_end(tmp_path / "a", config), run_to_the_end(tmp_path / "b", config))


def test_the_average_is_what_is_returned_and_lags_behind(tmp_path: Path) -> None:
    average = run_to_the_end(tmp_path / "average")
    plain = run_to_the_end(tmp_path / "plain", replace(CONFIG, average=0.0))
    assert not torch.equal(average["0.weight"], plain["0.weight"])
    _, module, kept = saved(tmp_path / "average")
    assert_equal(tensors(module), plain)
    assert_equal(tensors(kept), average)


def test_only_the_last_two_checkpoints_are_kept(tmp_path: Path) -> None:
    run_to_the_end(tmp_path, replace(CONFIG, steps=50))
    assert sorted(path.name for path in (tmp_path / "checkpoints").iterdir()) == [
        "step-00000040.safetensors",
        "step-00000050.safetensors",
    ]


@pytest.mark.parametrize("bad", [math.nan, math.inf])
def test_a_loss_that_is_not_finite_stops_and_keeps_the_last_good_checkpoint(tmp_path: Path, bad: float) -> None:
    def spoiled(module: nn.Module, part: Batch) -> Losses:
        factor = bad if torch.equal(part[0], batch(13)[0]) else 1.0
        return {"loss": loss(module, part)["loss"] * factor}

    with pytest.raises(CheckpointError, match=r"became (nan|inf) at step 14 .* last good checkpoint is of step 10"):
        train(make, replace(TASK, loss=spoiled), CONFIG, tmp_path, quiet=True)
    progress, module, _ = saved(tmp_path)
    assert progress.step == 10
    assert all(bool(torch.isfinite(tensor).all()) for tensor in tensors(module).values())
    assert_equal(run_to_the_end(tmp_path), run_to_the_end(tmp_path / "whole"))


def test_a_gradient_that_is_not_finite_stops_too(tmp_path: Path) -> None:
    def spoiled(module: nn.Module, part: Batch) -> Losses:
        return {"loss": loss(module, part)["loss"] * 0.0 + (next(module.parameters()) * 0.0).sqrt().sum()}

    with pytest.raises(CheckpointError, match=r"the gradient became nan at step 1 .* no checkpoint was written yet"):
        train(make, replace(TASK, loss=spoiled), CONFIG, tmp_path, quiet=True)


def test_a_full_disk_leaves_the_old_checkpoint(tmp_path: Path) -> None:
    whole = run_to_the_end(tmp_path / "whole")
    with pytest.raises(Killed):
        train(make, killed_at(15), CONFIG, tmp_path / "run", quiet=True)
    module = make()
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, limits[1]))
    try:
        with pytest.raises(
            CheckpointError, match=r"cannot write the checkpoint .*step-00000012.* make room and resume"
        ) as caught:
            checkpoint.save(tmp_path / "run", Progress(12, 1.0), module, make(), optimizer_of(module))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert "\n" not in str(caught.value)
    assert [path.name for path in (tmp_path / "run" / "checkpoints").iterdir()] == ["step-00000010.safetensors"]
    assert_equal(run_to_the_end(tmp_path / "run"), whole)


@pytest.mark.parametrize("damage", ["cut", "gone", "text"])
def test_a_damaged_checkpoint_is_one_sentence(tmp_path: Path, damage: str) -> None:
    run_to_the_end(tmp_path)
    path = tmp_path / "checkpoints" / "step-00000030.safetensors"
    if damage == "gone":
        path.unlink()
    else:
        path.write_bytes(path.read_bytes()[:500] if damage == "cut" else b"hello")
    with pytest.raises(CheckpointError, match=r"cannot resume from .*step-00000030") as caught:
        run_to_the_end(tmp_path)
    assert "\n" not in str(caught.value)


def test_a_damaged_state_is_one_sentence(tmp_path: Path) -> None:
    run_to_the_end(tmp_path)
    (tmp_path / "state.json").write_text('{"step": 3', encoding="utf-8")
    with pytest.raises(CheckpointError, match=r"cannot resume from .*state\.json"):
        run_to_the_end(tmp_path)


def test_a_log_line_cut_by_a_kill_is_dropped(tmp_path: Path) -> None:
    with pytest.raises(Killed):
        train(make, killed_at(14), CONFIG, tmp_path, quiet=True)
    with (tmp_path / "log.jsonl").open("a", encoding="utf-8") as file:
        file.write('{"kind": "train", "st')
    run_to_the_end(tmp_path)
    text = (tmp_path / "log.jsonl").read_text(encoding="utf-8")
    assert len([json.loads(line) for line in text.splitlines()]) == len(run_log.read(tmp_path))


def test_the_time_limit_ends_the_run_with_a_checkpoint(tmp_path: Path) -> None:
    config = replace(CONFIG, steps=10**9, max_minutes=1e-3, follow_clock=True)
    outcome = train(make, TASK, config, tmp_path, quiet=True)
    assert 0 < outcome.progress.step < 10**9 and outcome.progress.seconds >= 0.06
    assert json.loads((tmp_path / "state.json").read_text(encoding="utf-8"))["step"] == outcome.progress.step
    last = [line for line in run_log.read(tmp_path) if line["kind"] == "train"][-1]
    assert last["learning_rate"] < 0.05


def test_progress_follows_the_clock_only_if_asked() -> None:
    config = LoopConfig(steps=100, max_minutes=10.0)
    assert config.done(Progress(20, 300.0)) == 0.2
    assert replace(config, follow_clock=True).done(Progress(20, 300.0)) == 0.5
    assert replace(config, follow_clock=True).done(Progress(80, 300.0)) == 0.8
    assert config.is_over(Progress(20, 600.0)) and not config.is_over(Progress(20, 599.0))


@pytest.mark.parametrize("wrong", [{"steps": 0}, {"log_every": 0}, {"average": 1.0}, {"follow_clock": True}])
def test_wrong_configs_are_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(ConfigError):
        LoopConfig(**{"steps": 10, **wrong})  # type: ignore[arg-type]  # wrong on purpose


def test_a_log_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    run_to_the_end(tmp_path / "run")
    log = run_log.RunLog(tmp_path / "run", 30, 30, quiet=True)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    with log:
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, limits[1]))
        try:
            with pytest.raises(CheckpointError, match=r"cannot write the log .*log\.jsonl.* make room and resume"):
                log.write("train", 31, {"loss": 1.0})
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)


@pytest.mark.parametrize(
    "state",
    [
        {"checkpoint": "step-00000030.safetensors", "step": -5, "seconds": 1},
        {"checkpoint": "step-00000030.safetensors", "step": 30, "seconds": math.nan},
        {"checkpoint": "step-00000030.safetensors", "step": math.inf, "seconds": 1},
    ],
)
def test_an_impossible_state_is_one_sentence(tmp_path: Path, state: dict[str, Any]) -> None:
    run_to_the_end(tmp_path)
    (tmp_path / "state.json").write_text(json.dumps(state), encoding="utf-8")
    with pytest.raises(CheckpointError, match="cannot resume from"):
        run_to_the_end(tmp_path)


def test_checkpoints_without_a_state_are_not_overwritten(tmp_path: Path) -> None:
    run_to_the_end(tmp_path)
    (tmp_path / "state.json").unlink()
    with pytest.raises(CheckpointError, match=r"no state\.json"):
        run_to_the_end(tmp_path)


def test_damaged_lines_of_the_log_are_left_out(tmp_path: Path) -> None:
    run_to_the_end(tmp_path)
    with (tmp_path / "log.jsonl").open("ab") as file:
        file.write(b'\xff\n[1]\n5\n{"a": 1}\n{"step": "x"}\n{"kind"')
    run_to_the_end(tmp_path)
    assert all(isinstance(line["step"], int) for line in run_log.read(tmp_path))
