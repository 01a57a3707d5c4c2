"""Vectors do what NumPy does, inside compiled kernels and as plain Python."""

from __future__ import annotations

import os
import subprocess
import sys
import threading

import numpy as np
import pytest
from numpy.typing import NDArray

from move37 import _vector_kernels as vectors
from move37._jit import kernel
from move37._vector_kernels import (
    LANES,
    Floats,
    add_atomically,
    fma,
    give_way,
    load,
    load_atomically,
    maximum,
    power_of_two,
    rounded,
    splat,
    splat_at,
    store,
    unowned,
)

RESULTS = 12


@kernel
def everything(given: Floats, out: Floats) -> None:
    """Every operation on the first three vectors of ``given``, one after the other into ``out``."""
    numbers = unowned(given)
    a, b, c = load(numbers, 0), load(numbers, LANES), load(numbers, 2 * LANES)
    store(out, 0, a + b)
    store(out, LANES, a - b)
    store(out, 2 * LANES, a * b)
    store(out, 3 * LANES, a / b)
    store(out, 4 * LANES, fma(a, b, c))
    store(out, 5 * LANES, maximum(a, b))
    store(out, 6 * LANES, rounded(a))
    store(out, 7 * LANES, power_of_two(rounded(a)))
    store(out, 8 * LANES, splat(2.5))
    store(out, 9 * LANES, splat_at(given, 1))
    store(out, 10 * LANES, load(given, 1))
    store(out, 11 * LANES, load(numbers, 3))


def expected(given: NDArray[np.float32]) -> NDArray[np.float32]:
    a, b, c = given[: 3 * LANES].reshape(3, LANES)
    whole = np.rint(a)
    rows = [a + b, a - b, a * b, a / b, a * b + c, np.maximum(a, b), whole, np.exp2(whole)]
    rows += [np.full(LANES, 2.5), np.full(LANES, given[1]), given[1 : LANES + 1], given[3 : LANES + 3]]
    return np.concatenate(rows).astype(np.float32)


@pytest.mark.parametrize("seed", range(5))
def test_operations_are_numpys(seed: int) -> None:
    given = np.random.default_rng(seed).uniform(-20, 20, 3 * LANES).astype(np.float32)
    out = np.full(RESULTS * LANES, np.nan, np.float32)
    everything(given, out)
    # a fused product is rounded once: it may differ from NumPy's where the sum nearly cancels
    np.testing.assert_allclose(out, expected(given), rtol=1e-6, atol=1e-4)


def test_halves_are_rounded_to_even() -> None:
    given = np.zeros(3 * LANES, np.float32)
    given[:4] = (0.5, 1.5, -0.5, 2.5)
    given[LANES:] = 1.0
    out = np.zeros(RESULTS * LANES, np.float32)
    everything(given, out)
    assert out[6 * LANES : 6 * LANES + 4].tolist() == [0.0, 2.0, 0.0, 2.0]


@kernel
def add_many(counter: NDArray[np.int64], times: int) -> int:
    """Add 1 ``times`` times, giving way now and then."""
    for i in range(times):
        add_atomically(counter, 0, 1)
        if i % 1000 == 0:
            give_way()
    return load_atomically(counter, 0)


@pytest.mark.skipif(not vectors.COMPILED, reason="plain Python counts are not atomic")
def test_no_addition_of_two_threads_is_lost() -> None:
    counter = np.zeros(1, np.int64)
    threads = [threading.Thread(target=add_many, args=(counter, 200_000)) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert counter[0] == 600_000


def test_without_compilation_everything_is_python() -> None:
    """The same test in a process that compiles nothing."""
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", __file__, "-k", "numpys or rounded"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
