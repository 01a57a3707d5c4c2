"""Torch as a runner: the plain twin's numbers, padding sizes, precisions, and devices that are not there."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from move37.errors import ConfigError
from move37.nets import torch_runner
from move37.nets.graph import Network
from move37.nets.torch_net import inference_module
from move37.nets.torch_runner import Dtype, TorchRunner, batch_bucket, first_finite
from tests.support.networks import small_network
from tests.support.slow_network import forward

NO_GLOBALS = np.zeros((3, 0), np.float32)


def inputs(count: int = 3, seed: int = 0) -> NDArray[np.float32]:
    return (np.random.default_rng(seed).random((count, 17, 5, 5)) < 0.3).astype(np.float32)


def scaled(network: Network, name: str, factor: float) -> Network:
    return Network(
        network.spec, network.graph, dict(network.arrays) | {name: network.arrays[name] * np.float32(factor)}
    )


def test_outputs_are_those_of_the_plain_twin() -> None:
    runner = TorchRunner(small_network())
    assert runner.name == "torch cpu" and runner.dtype is torch.float32
    found = runner.run(inputs(), NO_GLOBALS)
    expected = forward(small_network(), inputs())
    assert found.keys() == expected.keys()
    np.testing.assert_allclose(found["policy"], expected["policy"], atol=1e-4)
    np.testing.assert_allclose(found["value"].reshape(3), expected["value"].reshape(3), atol=1e-5)
    assert all(output.dtype == np.float32 for output in found.values())


def test_answers_are_the_callers_own_and_two_threads_get_theirs() -> None:
    runner = TorchRunner(small_network())
    batches = [inputs(1 + i % 3, seed=i) for i in range(20)]
    expected = [runner.run(batch, NO_GLOBALS[: len(batch)])["policy"].copy() for batch in batches]
    runner.run(batches[0], NO_GLOBALS[:1])["policy"][:] = 9.0

    def policy_of(batch: NDArray[np.float32]) -> NDArray[np.float32]:
        return runner.run(batch, NO_GLOBALS[: len(batch)])["policy"]

    with ThreadPoolExecutor(2) as pool:
        for policy, found in zip(expected, pool.map(policy_of, batches), strict=True):
            np.testing.assert_allclose(found, policy, atol=1e-6)


@pytest.mark.parametrize(("dtype", "error"), [("float16", 5e-3), ("bfloat16", 5e-2)])
def test_half_precision_is_close(dtype: Dtype, error: float) -> None:
    runner = TorchRunner(small_network(), dtype=dtype)
    assert runner.name == f"torch cpu {dtype}"
    found, exact = (one.run(inputs(), NO_GLOBALS) for one in (runner, TorchRunner(small_network())))
    for name, values in exact.items():
        assert found[name].dtype == np.float32
        assert 0 < np.abs(found[name] - values).max() / np.abs(values).max() < error, name


HALVES = ("float16", "bfloat16")


@pytest.mark.parametrize(
    ("factor", "wanted", "expected"),
    [
        (1.0, HALVES, torch.float16),
        (1e5, HALVES, torch.bfloat16),
        (1e5, ("float16",), torch.float32),
        (1.0, (), torch.float32),
    ],
)
def test_the_first_precision_that_overflows_nowhere_is_taken(
    factor: float, wanted: tuple[str, ...], expected: torch.dtype
) -> None:
    network = scaled(small_network(), "policy_dense.bias", factor)
    module, dtype = first_finite(network, torch.device("cpu"), wanted)
    assert dtype is expected
    assert {parameter.dtype for parameter in module.parameters()} == {expected}


def test_few_batch_sizes_serve_all() -> None:
    buckets = [batch_bucket(count) for count in range(1, 1025)]
    assert all(count <= bucket for count, bucket in enumerate(buckets, 1))
    assert max(bucket / count for count, bucket in enumerate(buckets, 1)) < 1.5
    assert len(set(buckets)) <= 20


class FakeSlots:
    """Stands in for the slots of a GPU: computes on the CPU, and remembers to what size batches were padded."""

    made: list[FakeSlots]

    def __init__(self, module: torch.nn.Module, device: torch.device, dtype: torch.dtype) -> None:
        self.padded: list[int] = []
        self._module = module
        self.dtype = dtype
        FakeSlots.made.append(self)

    def run(self, spatial: NDArray[np.float32], globals_: NDArray[np.float32], padded: int) -> dict[str, Any]:
        self.padded.append(padded)
        return {"policy": np.zeros((len(spatial), 26), np.float32)}


def on_the_cpu(network: Network, device: torch.device) -> torch.nn.Module:
    return inference_module(network)


def test_on_a_gpu_batches_go_to_the_slots_in_half_precision(monkeypatch: pytest.MonkeyPatch) -> None:
    FakeSlots.made = []
    monkeypatch.setattr(torch_runner, "Slots", FakeSlots)
    monkeypatch.setattr(torch_runner, "inference_module", on_the_cpu)
    runner = TorchRunner(small_network(), "cuda:0")
    (slots,) = FakeSlots.made
    assert runner.name == "torch cuda:0 float16"
    assert slots.dtype is torch.float16
    for count in (1, 3, 5, 9):
        assert runner.run(inputs(count), np.zeros((count, 0), np.float32))["policy"].shape == (count, 26)
    assert slots.padded == [1, 3, 6, 12]


@pytest.mark.parametrize("device", ["abacus", "cuda:99", "meta", "hpu", ""])
def test_a_device_that_is_not_there_is_named(device: str) -> None:
    with pytest.raises(ConfigError, match=f"device '{device}' cannot be used"):
        TorchRunner(small_network(), device)


@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a GPU of NVIDIA's")
@pytest.mark.parametrize("dtype", ["float32", "auto"])
def test_graphs_on_a_gpu_give_the_cpu_s_numbers(dtype: Dtype) -> None:
    runner, exact = TorchRunner(small_network(), "cuda", dtype), TorchRunner(small_network())
    error = 5e-3 if dtype == "float32" else 2e-2  # torch lets a GPU round products of float32 to 10 bits (TF32)
    batches = [inputs(1 + i % 7, seed=i) for i in range(40)]

    def both(batch: NDArray[np.float32]) -> None:
        none = np.zeros((len(batch), 0), np.float32)
        found, expected = runner.run(batch, none), exact.run(batch, none)
        for name, values in expected.items():
            np.testing.assert_allclose(found[name], values, atol=error * np.abs(values).max(), err_msg=name)

    with ThreadPoolExecutor(3) as pool:
        list(pool.map(both, batches))
