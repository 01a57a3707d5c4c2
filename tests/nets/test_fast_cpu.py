"""The fast path computes what the slow twin does: every operation, many shapes, boards, batches and threads."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from move37._vector_kernels import COMPILED, LANES
from move37.nets import ops
from move37.nets.alphago import policy_network, value_network
from move37.nets.fast_cpu import FastRunner, can_run, why_not
from move37.nets.graph import GLOBALS, SPATIAL, Graph, Network, NetworkSpec, Node
from move37.nets.groups import grouped
from move37.nets.plan import UnsupportedError
from move37.nets.plan_kernels import run_positions
from move37.nets.zero import initial_arrays, zero_network
from tests.support.networks import katago_network, small_network
from tests.support.slow_network import forward

PLANES, GLOBAL_INPUTS = 5, 3
POOLINGS = ("mean", "mean_sized", "max", "mean_sized_squared")


def with_random_arrays(graph: Graph, seed: int = 0) -> Network:
    rng = np.random.default_rng(seed)
    arrays = initial_arrays(graph, rng)
    for name, array in arrays.items():
        if not name.endswith(".weight") or array.ndim == 1:
            arrays[name] = rng.uniform(0.3, 1.2, array.shape).astype(np.float32)
    return Network(NetworkSpec("test", "none", planes=PLANES, globals=GLOBAL_INPUTS), graph, arrays)


def katago_like(channels: int = 20, activation: ops.Op | None = None) -> Network:
    """A small network of all that KataGo's convolution networks have: pre-activation, pooling, bottlenecks, heads."""
    nodes: list[Node] = []
    bend = activation or ops.Mish()

    def add(name: str, op: ops.Op, *inputs: str) -> str:
        nodes.append(Node(name, op, inputs))
        return name

    def bent(name: str, source: str, width: int) -> str:
        return add(f"{name}_bent", bend, add(f"{name}_norm", ops.BatchNorm(width, 1e-3), source))

    def ordinary(name: str, source: str, width: int) -> str:
        first = add(f"{name}_a", ops.Conv2d(width, width, 3), bent(f"{name}_pre", source, width))
        second = add(f"{name}_b", ops.Conv2d(width, width, 3), bent(f"{name}_mid", first, width))
        return add(f"{name}_sum", ops.Add(), source, second)

    def pooled(name: str, source: str, width: int) -> str:
        start = bent(f"{name}_pre", source, width)
        regular = add(f"{name}_r", ops.Conv2d(width, width - 4, 3), start)
        side = bent(f"{name}_g", add(f"{name}_gconv", ops.Conv2d(width, 4, 3), start), 4)
        pool = add(f"{name}_pool", ops.GlobalPool(POOLINGS[:3]), side)
        line = add(f"{name}_line", ops.Dense(12, width - 4, bias=False), pool)
        both = add(f"{name}_biased", ops.Add(), regular, line)
        last = add(f"{name}_last", ops.Conv2d(width - 4, width, 3), bent(f"{name}_mid", both, width - 4))
        return add(f"{name}_sum", ops.Add(), source, last)

    start = add("input", ops.Conv2d(PLANES, channels, 5), SPATIAL)
    trunk = add("start", ops.Add(), start, add("numbers", ops.Dense(GLOBAL_INPUTS, channels, bias=False), GLOBALS))
    trunk = pooled("two", ordinary("one", trunk, channels), channels)
    narrow = add("narrow", ops.Conv2d(channels, 9, 1), bent("nest", trunk, channels))
    inner = ordinary("inner", narrow, 9)
    wide = add("wide", ops.Conv2d(9, channels, 1), bent("nest_end", inner, 9))
    tip = bent("tip", add("nest_sum", ops.Add(), trunk, wide), channels)
    value = bent("v", add("v_conv", ops.Conv2d(channels, 7, 1, bias=True), tip), 7)
    hidden = add("v_hidden", ops.Dense(28, 10), add("v_pool", ops.GlobalPool(POOLINGS), value))
    hidden = add("v_hidden_bent", ops.Silu(), hidden)
    add("v_logits", ops.Dense(10, 3), hidden)
    add("v_misc", ops.Dense(10, 6), hidden)
    add("owner", ops.Conv2d(7, 1, 1), value)
    policy = add("p_conv", ops.Conv2d(channels, 6, 1), tip)
    policy = add("p_biased", ops.Add(), policy, add("p_line", ops.Dense(28, 6), "v_pool"))
    policy = bent("p", policy, 6)
    points = add("p_points", ops.Flatten(), add("p_plane", ops.Conv2d(6, 1, 1), policy))
    passing = add("p_pass", ops.Dense(10, 1), hidden)
    add("p_all", ops.Concat(), points, passing)
    outputs = {"policy": "p_all", "value_logits": "v_logits", "misc": "v_misc", "ownership": "owner"}
    return with_random_arrays(Graph(tuple(nodes), outputs))


def inputs(batch: int, rows: int, cols: int, network: Network) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    rng = np.random.default_rng(rows * 100 + cols)
    planes = (rng.random((batch, network.spec.planes, rows, cols)) < 0.3) * rng.normal(
        1.0, 0.3, (batch, network.spec.planes, 1, 1)
    )
    return planes.astype(np.float32), rng.normal(size=(batch, network.spec.globals)).astype(np.float32)


def check(network: Network, runner: FastRunner, batch: int, rows: int, cols: int) -> None:
    planes, numbers = inputs(batch, rows, cols, network)
    found = runner.run(planes, numbers)
    wanted = forward(network, planes, numbers)
    assert found.keys() == wanted.keys()
    for name, array in wanted.items():
        assert found[name].shape == (array[:, 0] if name == "value" else array).shape
        assert found[name].dtype == np.float32
        scale = max(1.0, float(np.abs(array).max()))
        np.testing.assert_allclose(found[name].ravel() / scale, array.ravel() / scale, atol=2e-5)


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_a_katago_like_network(threads: int) -> None:
    network = katago_like()
    runner = FastRunner(network, threads)
    for batch, rows, cols in ((1, 19, 19), (5, 9, 9), (2, 13, 7), (1, 1, 1), (3, 2, 5), (4, 7, 7)):
        check(network, runner, batch, rows, cols)


@pytest.mark.parametrize("activation", [ops.Relu(), ops.Mish(), ops.Silu(), ops.Tanh()])
def test_every_activation(activation: ops.Op) -> None:
    network = katago_like(33, activation)
    check(network, FastRunner(network, 2), 3, 6, 5)


@pytest.mark.parametrize("head", ["paper", "pooled"])
@pytest.mark.parametrize("filters", [1, 16, 50, 96])
def test_zero_networks(head: str, filters: int) -> None:
    network = zero_network(blocks=2, filters=filters, sizes=[9], rng=np.random.default_rng(filters), head=head)
    check(network, FastRunner(network, 2), 3, 9, 9)


def test_a_network_without_blocks() -> None:
    network = zero_network(blocks=0, filters=8, sizes=[5], rng=np.random.default_rng(1))
    check(network, FastRunner(network, 4), 2, 5, 5)


def test_a_position_depends_neither_on_its_batch_nor_on_the_threads() -> None:
    network = katago_like()
    runner = FastRunner(network, 2)
    planes, numbers = inputs(7, 9, 9, network)
    whole = runner.run(planes, numbers)
    for i in range(7):
        alone = runner.run(planes[i : i + 1], numbers[i : i + 1])
        for name, array in whole.items():
            np.testing.assert_array_equal(alone[name][0], array[i])
    for threads in (1, 3):
        for name, array in FastRunner(network, threads).run(planes, numbers).items():
            np.testing.assert_array_equal(array, whole[name])


def test_two_threads_may_ask_at_once() -> None:
    network = katago_like()
    runner = FastRunner(network, 2)
    planes, numbers = inputs(3, 9, 9, network)
    wanted = runner.run(planes, numbers)["policy"]
    with ThreadPoolExecutor(4) as pool:
        for found in pool.map(runner.run, [planes] * 40, [numbers] * 40):
            np.testing.assert_array_equal(found["policy"], wanted)


def test_weights_are_packed_once_for_boards_of_the_same_tile() -> None:
    network = katago_like()
    runner = FastRunner(network, 1)
    sizes = []
    for rows, cols in ((19, 19), (8, 8), (9, 9), (3, 3)):
        check(network, runner, 1, rows, cols)
        sizes.append(runner.packed_size)
    assert sizes[0] == sizes[1] < sizes[2] == sizes[3]


def test_products_of_planes_and_of_lines() -> None:
    nodes = (
        Node("a", ops.Conv2d(PLANES, 6, 3), (SPATIAL,)),
        Node("b", ops.Conv2d(PLANES, 6, 1), (SPATIAL,)),
        Node("gated", ops.Multiply(), ("a", "b")),
        Node("bent", ops.Silu(), ("gated",)),
        Node("line", ops.GlobalPool(("max",)), ("bent",)),
        Node("numbers", ops.Dense(GLOBAL_INPUTS, 6), (GLOBALS,)),
        Node("misc", ops.Multiply(), ("line", "numbers")),
        Node("turned", ops.Tanh(), ("misc",)),
        Node("owner", ops.Conv2d(6, 1, 1), ("bent",)),
    )
    network = with_random_arrays(Graph(nodes, {"misc": "turned", "ownership": "owner"}))
    for threads in (1, 2):
        check(network, FastRunner(network, threads), 3, 5, 4)


def test_alphagos_networks_run_with_either_bias() -> None:
    rng = np.random.default_rng(3)
    for network in (
        policy_network(sizes=[7, 9], rng=rng, filters=9, convolutions=3),
        policy_network(sizes=[7], rng=rng, filters=9, convolutions=3, point_bias=True),
        value_network(size=7, rng=rng, filters=9, convolutions=3, hidden=5),
    ):
        arrays = {name: rng.normal(size=array.shape).astype(np.float32) for name, array in network.arrays.items()}
        network = Network(network.spec, network.graph, arrays)
        check(network, FastRunner(network, 2), 3, 7, 7)


def unsupported(op: ops.Op, channels: int = PLANES) -> Network:
    first = Node("first", ops.Conv2d(PLANES, channels, 3), (SPATIAL,))
    return with_random_arrays(Graph((first, Node("odd", op, ("first",))), {"ownership": "odd"}))


@pytest.mark.parametrize(
    ("op", "reason"),
    [
        (ops.Conv2d(PLANES, 1, 5), "the 5x5 filters of node 'odd'"),
        (ops.Conv2d(PLANES, 1, 3, dilation=2), "the 3x3 filters of node 'odd'"),
        (ops.Attention(PLANES, heads=1, kv_heads=1, key_size=2, value_size=2), "Attention of node 'odd'"),
        (ops.RmsNorm(PLANES), "RmsNorm of node 'odd'"),
    ],
)
def test_what_is_not_known_is_said(op: ops.Op, reason: str) -> None:
    network = unsupported(op)
    assert not can_run(network)
    assert why_not(network) == reason
    with pytest.raises(UnsupportedError, match=reason.partition("'")[0]):
        FastRunner(network)


def test_vectors_are_eight_or_sixteen_numbers() -> None:
    assert LANES in (8, 16)


def test_a_sum_goes_with_its_convolution() -> None:
    """A block costs as many groups as it has convolutions: nothing is left to be done by itself."""
    groups = grouped(katago_like().graph)
    assert [group.main.name for group in groups if isinstance(group.main.op, ops.Add | ops.BatchNorm | ops.Mish)] == []
    block = next(group for group in groups if group.main.name == "one_b")
    assert (block.others, block.raw, block.result) == (["start"], "one_sum", "two_pre_bent")


ELSEWHERE = {
    "plain Python": ({"NUMBA_DISABLE_JIT": "1"}, (1, 2, 3)),
    "vectors of eight": ({"NUMBA_CPU_NAME": "haswell", "NUMBA_CPU_FEATURES": "+avx2,+fma"}, (2, 40, 9)),
}


@pytest.mark.parametrize("where", ELSEWHERE)
def test_it_is_the_same_elsewhere(where: str, tmp_path: Path) -> None:
    if where == "vectors of eight" and platform.machine() not in ("x86_64", "AMD64"):
        pytest.skip("code for another kind of processor")
    settings, (blocks, filters, size) = ELSEWHERE[where]
    code = (
        "from tests.nets.test_fast_cpu import *\n"
        f"assert LANES == 8 or {where == 'plain Python'}\n"
        f"network = zero_network(blocks={blocks}, filters={filters}, sizes=[{size}], rng=np.random.default_rng(1))\n"
        f"check(network, FastRunner(network, 2), 3, {size}, {size})\n"
    )
    environment = os.environ | {"MOVE37_CACHE_DIR": str(tmp_path)} | settings
    command = [sys.executable, "-W", "error", "-c", code]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("planes", "numbers"),
    [
        ((0, 22, 9, 9), (0, 19)),
        ((2, 5, 9, 9), (2, 19)),
        ((2, 50, 9, 9), (2, 19)),
        ((2, 22, 0, 0), (2, 19)),
        ((22, 9, 9), (22, 19)),
        ((2, 22, 9, 9), (1, 19)),
        ((2, 22, 9, 9), (2, 0)),
    ],
)
def test_inputs_of_another_shape_are_refused(planes: tuple[int, ...], numbers: tuple[int, ...]) -> None:
    runner = FastRunner(katago_network(), 1)
    with pytest.raises(ValueError, match=r"small-katago reads planes \[B, 22, H, W\]"):
        runner.run(np.zeros(planes, np.float32), np.zeros(numbers, np.float32))


def test_planes_that_no_convolution_reads_are_not_known() -> None:
    nodes = (Node("bent", ops.Relu(), (SPATIAL,)), Node("out", ops.Conv2d(PLANES, 1, 1), ("bent",)))
    assert why_not(with_random_arrays(Graph(nodes, {"ownership": "out"}))) == "Relu of the planes in node 'bent'"


def test_weights_that_overflow_give_no_warning() -> None:
    network = katago_network()
    for array in network.arrays.values():
        array[:] = 3e38
    FastRunner(network, 1)
    network = small_network()
    for array in network.arrays.values():
        array[:] = 3e38
    FastRunner(network, 1).run(np.ones((1, 17, 5, 5), np.float32), np.zeros((1, 0), np.float32))


@pytest.mark.skipif(not COMPILED, reason="plain Python has one thread")
def test_an_interrupted_thread_leaves_no_other_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    network = katago_like()
    runner = FastRunner(network, threads=3)
    given = inputs(1, 5, 5, network)
    wanted = runner.run(*given)
    crews: list[NDArray[np.int64]] = []

    def interrupted(*arguments: Any) -> None:
        lane, sync = arguments[-3], arguments[-1]
        crews.append(sync)
        if lane == 0:
            released = threading.Timer(20.0, sync.__setitem__, (0, 2**62))  # were it left, the test would never end
            released.start()
            timers.append(released)
            raise KeyboardInterrupt
        run_positions(*arguments)

    timers: list[threading.Timer] = []
    with monkeypatch.context() as patched:
        patched.setattr("move37.nets.fast_cpu.run_positions", interrupted)
        with pytest.raises(KeyboardInterrupt):
            runner.run(*given)
    assert timers[0].is_alive() and crews[0][0] >= 2**61
    timers[0].cancel()
    found = runner.run(*given)
    for name, array in wanted.items():
        np.testing.assert_array_equal(found[name], array)
