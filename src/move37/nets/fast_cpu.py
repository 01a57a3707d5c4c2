"""Networks of convolutions on the processor, with NumPy and kernels alone: the way most players run them.

A network is compiled once for each board size (`plan`) and then run without Python between its layers. All cores work:
each on a position of its own while there are enough in the batch, and together on what is left. Transformer networks
are not known here (`can_run`); they need torch.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from move37._vector_kernels import COMPILED
from move37.nets.folding import fold
from move37.nets.graph import Network
from move37.nets.packing import Packed, aligned
from move37.nets.plan import Plan, UnsupportedError, compile_plan
from move37.nets.plan_kernels import run_positions
from move37.nets.runner import require_inputs

MOST_THREADS = 16
"""By default: with more, the shares of one position get too small."""
ALL_ARRIVED = 2**62
"""More arrivals than any thread waits for."""


def can_run(network: Network) -> bool:
    """Whether `FastRunner` knows everything in `network`."""
    return why_not(network) is None


def why_not(network: Network) -> str | None:
    """What in `network` is not known here, None if all is."""
    rows, cols = network.spec.board_sizes[0] if network.spec.board_sizes else (9, 9)
    folded = fold(network)
    try:
        compile_plan(folded, rows, cols, Packed(folded, dry=True))
    except UnsupportedError as reason:
        return str(reason)
    return None


def cores() -> int:
    """Processors this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on Linux
        return os.cpu_count() or 1


class FastRunner:
    """Runs `network` on `threads` threads (default: one for each core, at most MOST_THREADS).

    `run` may be called from several threads; the calls take turns, since each uses all cores. UnsupportedError for a
    network it does not know.
    """

    def __init__(self, network: Network, threads: int | None = None) -> None:
        self.name = "fast"
        self.threads = (threads or min(cores(), MOST_THREADS)) if COMPILED else 1
        self._network = fold(network)
        self._packed = Packed(self._network)
        self._plans: dict[tuple[int, int], Plan] = {}
        self._memory: dict[tuple[int, int], NDArray[np.float32]] = {}
        self._lock = Lock()
        self._helpers = ThreadPoolExecutor(max(1, self.threads - 1), "network")
        reason = why_not(network)
        if reason is not None:
            raise UnsupportedError(reason)

    @property
    def packed_size(self) -> int:
        """Numbers its weights take as the kernels read them: about four for one of a 3x3 filter."""
        return len(self._packed.array())

    def run(self, spatial: NDArray[np.float32], globals_: NDArray[np.float32]) -> dict[str, NDArray[np.float32]]:
        """Outputs by name for float32[B, C, H, W] and float32[B, G]; "value" is [B], others [B, ...] as described.

        ValueError for arrays of other shapes, and for no position at all.
        """
        require_inputs(self._network.spec, spatial, globals_)
        count, _, rows, cols = spatial.shape
        with self._lock:
            plan, memory = self._prepared(rows, cols)
            answers = np.empty((count, plan.answer_size), np.float32)
            layout = np.array([rows, cols, plan.stretch, plan.scratch, plan.globals_at], np.int64)
            planes = np.ascontiguousarray(spatial.reshape(count, -1), np.float32)
            numbers = np.ascontiguousarray(globals_, np.float32)
            given = (planes, numbers, answers)
            self._run_together(partial(run_positions, plan.steps, self._packed.array(), memory, layout, *given))
        return {name: _output(name, answers, *where) for name, where in plan.answers.items()}

    def _run_together(self, part: Callable[[int, int, NDArray[np.int64]], None]) -> None:
        """Let all threads do their parts, this one the first; whatever interrupts it, none is left waiting for it."""
        sync = np.zeros(1, np.int64)
        others: list[Future[None]] = []
        try:
            for lane in range(1, self.threads):
                others.append(self._helpers.submit(part, lane, self.threads, sync))
            part(0, self.threads, sync)
        except BaseException:
            sync[0] = ALL_ARRIVED
            raise
        finally:
            for other in others:
                other.result()

    def _prepared(self, rows: int, cols: int) -> tuple[Plan, NDArray[np.float32]]:
        size = (rows, cols)
        if size not in self._plans:
            self._plans[size] = compile_plan(self._network, rows, cols, self._packed)
            self._memory[size] = aligned(self.threads * self._plans[size].stretch)
        return self._plans[size], self._memory[size]


def _output(name: str, answers: NDArray[np.float32], place: int, shape: tuple[int, ...]) -> NDArray[np.float32]:
    rows: NDArray[Any] = answers[:, place : place + int(np.prod(shape))]
    return rows[:, 0] if name == "value" else rows.reshape(len(answers), *shape)
