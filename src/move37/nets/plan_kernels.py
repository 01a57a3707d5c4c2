"""A network as a list of steps over one stretch of memory, and the kernel that runs them; no Python in between.

What the steps are is decided in `plan`, what each does is in `step_kernels`. Threads (*lanes*) either run a position
each, every one in its own stretch of memory, or one position together: then each takes a share of the channels in every
step, and they wait for each other only where a step reads others' shares (`WAIT`).
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from move37._jit import kernel
from move37._vector_kernels import Floats, add_atomically, give_way, load_atomically, unowned
from move37.nets.step_kernels import (
    convolve,
    dense,
    finish_all,
    flatten,
    pointwise,
    pool,
    spread,
    to_values,
)

# Kinds of steps.
SPREAD: Final = 0  # a convolution of the input planes, which are mostly zeros
TO_VALUES: Final = 1  # Winograd's transform of planes
CONVOLVE: Final = 2  # products of those values, back to planes
POINTWISE: Final = 3  # a 1x1 convolution
FINISH: Final = 4  # what follows a sum, where no convolution does it on the way
POOL: Final = 5  # planes to a line
DENSE: Final = 6  # line to line
FLATTEN: Final = 7  # planes to a line, channel by channel
COPY: Final = 8  # a line, or a part of it, to another place
ANSWER: Final = 9  # a line to the outputs
WAIT: Final = 10  # until all of the crew are here

Sync = NDArray[np.int64]

PATIENCE: Final = 4000
"""Looks at the others' counter before a waiting thread offers its core: a few microseconds."""


@kernel
def _wait(sync: Sync, arrived: int) -> None:
    """Tell the others that this thread is here, and wait until ``arrived`` arrivals were told."""
    add_atomically(sync, 0, 1)
    looks = 0
    while load_atomically(sync, 0) < arrived:
        looks += 1
        if looks > PATIENCE:
            give_way()


@kernel
def copy_line(source: Floats, start: int, target: Floats, place: int, count: int) -> None:
    """Copy ``count`` numbers."""
    for i in range(count):
        target[place + i] = source[start + i]


@kernel
def _run(
    steps: NDArray[Any],
    weights: Floats,
    memory: Floats,
    base: int,
    scratch: int,
    planes: Floats,
    answers: Floats,
    rows: int,
    cols: int,
    lane: int,
    lanes: int,
    sync: Sync,
    waits: int,
) -> int:
    """Run all steps for one position; ``waits`` is how often this thread has waited before, and is returned anew."""
    points = rows * cols
    for i in range(steps.shape[0]):
        step = steps[i]
        kind = step["kind"]
        if kind == SPREAD:
            spread(step, weights, memory, base, planes, rows, cols, lane, lanes)
        elif kind == TO_VALUES:
            to_values(step, memory, base, scratch, rows, cols, lane, lanes)
        elif kind == CONVOLVE:
            convolve(step, weights, memory, base, scratch, rows, cols, lane, lanes)
        elif kind == POINTWISE:
            pointwise(step, weights, memory, base, scratch, points, lane, lanes)
        elif kind == FINISH:
            finish_all(step, weights, memory, base, step["size"], lane, lanes)
        elif kind == POOL:
            pool(step, memory, base, points, lane, lanes)
        elif kind == DENSE:
            dense(step, weights, memory, base, lane, lanes)
        elif kind == WAIT:
            if lanes > 1:
                waits += 1
                _wait(sync, waits * lanes)
        elif lane == 0:
            source = base + step["source"]
            if kind == FLATTEN:
                flatten(step, memory, base, points)
            elif kind == COPY:
                copy_line(memory, source, memory, base + step["target"], step["outputs"])
            else:
                copy_line(memory, source, answers, step["target"], step["outputs"])
    return waits


@kernel
def run_positions(
    steps: NDArray[Any],
    weights: Floats,
    memory: NDArray[np.float32],
    layout: NDArray[np.int64],
    planes: NDArray[np.float32],
    globals_: NDArray[np.float32],
    answers: NDArray[np.float32],
    lane: int,
    lanes: int,
    sync: Sync,
) -> None:
    """Thread ``lane``'s part of a batch: positions of its own while there is one for each thread, the rest together.

    memory: float32[lanes * stretch]. layout: rows, cols, stretch, place of the thread's scratch in a stretch, place of
    the globals. planes: float32[B, C * points], globals_: float32[B, G], answers: float32[B, numbers], written.
    sync: int64[1], 0 at the start.
    """
    rows, cols, stretch, scratch, globals_at = layout[0], layout[1], layout[2], layout[3], layout[4]
    room, constants = unowned(memory), unowned(weights)
    own = lane * stretch
    count = planes.shape[0]
    together = count - count % lanes
    waits = 0
    for i in range(lane, together, lanes):
        given, answer = unowned(planes[i]), unowned(answers[i])
        copy_line(unowned(globals_[i]), 0, room, own + globals_at, globals_.shape[1])
        _run(steps, constants, room, own, own + scratch, given, answer, rows, cols, 0, 1, sync, 0)
    for i in range(together, count):
        waits += 1
        _wait(sync, waits * lanes)  # the stretches of the others are theirs until here
        if lane == 0:
            copy_line(unowned(globals_[i]), 0, room, globals_at, globals_.shape[1])
        waits += 1
        _wait(sync, waits * lanes)
        given, answer = unowned(planes[i]), unowned(answers[i])
        waits = _run(steps, constants, room, 0, own + scratch, given, answer, rows, cols, lane, lanes, sync, waits)
