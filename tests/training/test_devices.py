"""Where a network trains. No test machine has a GPU: what can be seen without one is."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from torch import nn

from move37.errors import ConfigError
from move37.training import devices
from move37.training.loop import LoopConfig, train
from tests.training import test_loop


@pytest.fixture
def no_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)


@pytest.fixture
def a_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.backends.cudnn, "benchmark", False)


@pytest.mark.usefixtures("no_gpu")
def test_without_a_gpu_auto_is_the_processor_and_cuda_one_sentence() -> None:
    assert devices.chosen("auto") == devices.chosen("cpu") == torch.device("cpu")
    with pytest.raises(ConfigError, match="no GPU here that torch can use"):
        devices.chosen("cuda")


@pytest.mark.usefixtures("a_gpu")
def test_with_a_gpu_auto_is_the_gpu_and_cpu_still_the_processor() -> None:
    assert devices.chosen("auto") == devices.chosen("cuda") == torch.device("cuda")
    assert devices.chosen("cpu") == torch.device("cpu")


def test_another_name_is_named() -> None:
    with pytest.raises(ConfigError, match="no device 'tpu' to train on; choose from cpu, cuda, auto"):
        devices.chosen("tpu")


def test_a_module_tells_its_device() -> None:
    assert devices.device_of(nn.Linear(2, 2, device="meta")) == torch.device("meta")
    assert devices.device_of(nn.ReLU()) == torch.device("cpu")


def test_tensors_on_the_processor_share_memory_and_planes_have_channels_last() -> None:
    array = np.arange(6, dtype=np.float32)
    devices.tensor(array, torch.device("cpu"))[0] = 7.0
    assert array[0] == 7.0
    spatial = np.random.default_rng(1).random((2, 3, 4, 5), dtype=np.float32)
    found = devices.planes_tensor(spatial, torch.device("cpu"))
    assert found.is_contiguous(memory_format=torch.channels_last)
    np.testing.assert_array_equal(found.numpy(), spatial)


@pytest.mark.usefixtures("no_gpu")
def test_a_run_on_whatever_there_is_equals_one_on_the_processor(tmp_path: Path) -> None:
    config = LoopConfig(steps=12, checkpoint_every=5)
    cpu = train(test_loop.make, test_loop.TASK, config, tmp_path / "cpu", quiet=True)
    auto = LoopConfig(steps=12, checkpoint_every=5, device="auto")
    found = train(test_loop.make, test_loop.TASK, auto, tmp_path / "auto", quiet=True)
    test_loop.assert_equal(test_loop.tensors(found.module), test_loop.tensors(cpu.module))


@pytest.mark.usefixtures("a_gpu")
def test_a_gpu_takes_batches_whole_and_gets_the_module_and_its_average(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The branch of a GPU, with the processor in its place."""

    def the_gpu(name: str) -> torch.device:
        return torch.device("cuda")

    monkeypatch.setattr("move37.training.loop.chosen", the_gpu)
    moved: list[torch.device] = []

    def to(module: nn.Module, device: torch.device) -> nn.Module:
        moved.append(device)
        return module

    monkeypatch.setattr(nn.Module, "to", to)
    config = LoopConfig(steps=4, threads=3, average=0.9, device="cuda")
    outcome = train(test_loop.make, test_loop.TASK, config, tmp_path, quiet=True)
    assert moved == [torch.device("cuda")] * 2
    alone = LoopConfig(steps=4, threads=1, average=0.9)
    monkeypatch.undo()
    expected = train(test_loop.make, test_loop.TASK, alone, tmp_path / "cpu", quiet=True)
    test_loop.assert_equal(test_loop.tensors(outcome.module), test_loop.tensors(expected.module))
