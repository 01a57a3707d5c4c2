"""Which way a network is computed, and the one sentence where it cannot be."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from move37.errors import ConfigError
from move37.evaluators.backends import Backend, make_runner, require_runnable
from move37.nets.graph import Network
from tests.support.networks import small_network


class FakeRunner:
    """The fast path, as far as choosing it goes."""

    name = "fast"

    def __init__(self, network: Network, threads: int | None = None) -> None:
        self.threads = threads

    def run(self, spatial: NDArray[np.float32], globals_: NDArray[np.float32]) -> dict[str, Any]:
        raise NotImplementedError


@pytest.fixture(params=[True, False], ids=["known", "unknown"])
def fast(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Whether the fast path knows the network."""
    known = bool(request.param)
    module: Any = ModuleType("move37.nets.fast_cpu")
    module.why_not = lambda network: None if known else "attention"  # pyright: ignore[reportUnknownLambdaType]  # a stub
    module.FastRunner = FakeRunner
    monkeypatch.setitem(sys.modules, "move37.nets.fast_cpu", module)
    return known


@pytest.fixture
def no_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)


def test_the_cpu_takes_the_fast_path_where_it_can(fast: bool) -> None:
    assert make_runner(small_network()).name == ("fast" if fast else "torch cpu")
    assert make_runner(small_network(), "torch").name == "torch cpu"
    assert make_runner(small_network(), device="cpu").name == "torch cpu"


def test_insisting_on_the_fast_path(fast: bool) -> None:
    if fast:
        runner = make_runner(small_network(), "fast", threads=2)
        assert isinstance(runner, FakeRunner) and runner.threads == 2
        return
    with pytest.raises(
        ConfigError, match=r"^The network zero-2x8 is not for the fast backend \(attention\); use torch"
    ):
        make_runner(small_network(), "fast")


def test_threads_are_torch_s_too(fast: bool) -> None:
    before = torch.get_num_threads()
    try:
        make_runner(small_network(), "torch", threads=1)
        assert torch.get_num_threads() == 1
    finally:
        torch.set_num_threads(before)


@pytest.mark.usefixtures("no_torch")
def test_without_torch_the_fast_path_plays_and_else_a_sentence_says_what_to_install(fast: bool) -> None:
    if fast:
        assert make_runner(small_network()).name == "fast"
    for backend in ["torch"] if fast else ["torch", "auto"]:
        with pytest.raises(ConfigError, match=r"needs torch, which is not installed; install it with: pip install 'mo"):
            make_runner(small_network(), backend)  # type: ignore[arg-type]  # pyright: ignore  # names as text


def told(network: Network, backend: Backend, device: str | None, check: Any) -> str:
    try:
        check(network, backend, device)
    except ConfigError as error:
        return str(error)
    return ""


@pytest.mark.filterwarnings("ignore:No GPU can be used")
@pytest.mark.parametrize("device", [None, "cpu", "cuda"])
@pytest.mark.parametrize("backend", ["auto", "fast", "torch"])
@pytest.mark.parametrize("has_torch", [True, False])
@pytest.mark.usefixtures("fast")
def test_what_cannot_run_is_told_beforehand_in_the_same_words(
    backend: Backend, device: str | None, has_torch: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not has_torch:
        monkeypatch.setitem(sys.modules, "torch", None)
    elif device == "cuda" and torch.cuda.is_available():
        pytest.skip("the answers are those for a machine without a GPU")
    network = small_network()
    assert told(network, backend, device, require_runnable) == told(network, backend, device, make_runner)


@pytest.mark.usefixtures("no_torch")
def test_a_gpu_without_torch_is_replaced_by_the_cpu(fast: bool) -> None:
    if not fast:
        return
    with pytest.warns(UserWarning, match=r"^No GPU can be used \(torch is not installed; install it with: pip"):
        assert make_runner(small_network(), device="cuda").name == "fast"


def test_a_gpu_that_is_not_there_is_replaced_by_the_cpu(fast: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.warns(UserWarning, match=r"^No GPU can be used \(torch finds none\); the network runs on the CPU\.$"):
        assert make_runner(small_network(), device="cuda:1").name == ("fast" if fast else "torch cpu")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"backend": "slow"}, "no backend 'slow'; choose one of auto, fast, torch"),
        ({"threads": 0}, "can run on 1 to 1024 threads, not 0"),
        ({"device": "mps", "backend": "fast"}, "fast backend runs on the CPU alone, not on 'mps'"),
        ({"device": "abacus"}, "device 'abacus' cannot be used"),
    ],
)
def test_what_cannot_be_is_said(options: dict[str, Any], words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        make_runner(small_network(), **options)


def test_backends_are_spelt_as_the_type_says() -> None:
    names: tuple[Backend, ...] = ("auto", "fast", "torch")
    from move37.evaluators.backends import BACKENDS

    assert names == BACKENDS
