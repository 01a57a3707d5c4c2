"""How fast self-play is, how much of its time the network computes, and what everything else costs a position.

"Inside" is the time in which the network runs; everything else is trees, encoding and bookkeeping, in time of the
processor. Some whole games are checked; then many are begun, and broken off after some seconds. Networks are untrained,
computed by torch in bfloat16 or by the fast path, whichever is quicker here.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from move37.benchmark.figures import Figure, figure, require
from move37.benchmark.positions import midgame
from move37.evaluators.network import NetworkEvaluator
from move37.features.encoder import get_encoder
from move37.nets import fast_cpu
from move37.nets.graph import Network
from move37.nets.runner import Runner
from move37.nets.zero import zero_network
from move37.rules.position import Position
from move37.training import selfplay
from move37.training.selfplay import SelfPlayConfig, SelfPlayGames, play_chunk

__all__ = ["selfplay_group"]

GAMES, CHECKED = 256, 4
SECONDS = 8.0
ROUNDS_OF_NETWORK = 4
LARGE_ROWS, LARGE_INSIDE, SMALL_ELSE = 870.0, 90.0, 20.0
"""Rows a second on two cores (KataGo's search: 435 evaluations/s), per cent of the time, and microseconds a row."""


@dataclass(frozen=True)
class Case:
    """What is measured, and what it must reach."""

    name: str
    blocks: int
    filters: int
    config: SelfPlayConfig
    rows: float | None = None
    inside: float | None = None
    other: float | None = None


def _cases() -> list[Case]:
    small = {"opening_moves": 0.0, "komi": 8.5}
    return [
        Case("9-6x96", 6, 96, selfplay.modern(9, opening_moves=0.0), rows=LARGE_ROWS, inside=LARGE_INSIDE),
        Case("7-3x32", 3, 32, selfplay.modern(7, **small), other=SMALL_ELSE),
        Case("7-3x32-gumbel", 3, 32, selfplay.gumbel(7, **small), other=SMALL_ELSE),
    ]


def selfplay_group() -> Iterator[Figure]:
    """A large and a small network, and the small one under Gumbel's search."""
    for case in _cases():
        yield from _measured(case)


class _Enough(Exception):
    """Enough was measured."""


class _Timed:
    """A runner that knows how long it ran, by the clock and by its thread's processor, and ends self-play in time."""

    def __init__(self, inner: Runner) -> None:
        self.inner, self.name = inner, inner.name
        self.start(float("inf"))

    def start(self, seconds: float) -> None:
        """Begin to measure; `_Enough` is raised after so many seconds."""
        self.seconds, self.thread_seconds, self.rows = 0.0, 0.0, 0
        self.began, self.thread_began = time.perf_counter(), time.thread_time()
        self.end = self.began + seconds

    def run(self, spatial: NDArray[np.float32], globals_: NDArray[np.float32]) -> dict[str, NDArray[np.float32]]:
        """See `Runner`."""
        began, thread_began = time.perf_counter(), time.thread_time()
        if began > self.end:
            raise _Enough
        found = self.inner.run(spatial, globals_)
        self.seconds += time.perf_counter() - began
        self.thread_seconds += time.thread_time() - thread_began
        self.rows += len(spatial)
        return found


def _measured(case: Case) -> Iterator[Figure]:
    size, together = case.config.sizes[0], case.config.together
    network = zero_network(
        blocks=case.blocks,
        filters=case.filters,
        sizes=[size],
        rng=np.random.default_rng(1),
        head="pooled",
        name=f"untrained-{case.name}",
    )
    runner = _Timed(_quickest(network, size, together))
    evaluator = NetworkEvaluator(network, runner=runner)
    _check(play_chunk(evaluator, replace(case.config, visits=CHECKED, fast_visits=0), GAMES, CHECKED))
    runner.start(SECONDS)
    with suppress(_Enough):
        play_chunk(evaluator, case.config, 0, GAMES)
    seconds, thread_seconds = time.perf_counter() - runner.began, time.thread_time() - runner.thread_began
    other = 1e6 * (thread_seconds - runner.thread_seconds) / runner.rows
    name = f"selfplay-{case.name}"
    note = f"{name}: {runner.rows} rows, {together} games at once, by {runner.name}"
    yield figure(f"{name}-rows", runner.rows / seconds, "rows/s", case.rows, note)
    yield figure(f"{name}-inside", 100 * runner.seconds / seconds, "% of the time", case.inside)
    yield figure(f"{name}-other", other, "us", case.other)


def _check(games: SelfPlayGames) -> None:
    """Every move is legal, and every game has as many as it should."""
    store = games.games
    for game in range(len(games)):
        position = Position(size=int(store.size[game]), rules=str(games.rules[game]), komi=float(store.komi[game]))
        for move in store.moves[game].tolist():
            require(position.is_legal(move), "a move of self-play is illegal")
            position.play(move)
        require(store.result[game] == position.score().text, "a game of self-play has another result")


def _quickest(network: Network, size: int, batch: int) -> Runner:
    """The quicker way to compute the network on batches of this many positions."""
    runners: list[Runner] = [fast_cpu.FastRunner(network)]
    try:
        from move37.nets.torch_runner import TorchRunner
    except ModuleNotFoundError:
        pass
    else:
        runners.append(TorchRunner(network, dtype="bfloat16"))
    encoded = get_encoder(network.spec.encoder).encode(midgame(batch, size, 2 * size))

    def seconds(runner: Runner) -> float:
        taken: list[float] = []
        for _ in range(ROUNDS_OF_NETWORK):
            began = time.perf_counter()
            runner.run(encoded.spatial, encoded.globals)
            taken.append(time.perf_counter() - began)
        return min(taken)

    return min(runners, key=seconds)
