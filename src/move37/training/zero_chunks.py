"""Who plays the chunks of a Zero run: here, threads of this process; elsewhere, other machines.

A chunk of games depends on the network, the config and its games' numbers alone, so whoever plays it gives the same
games, and one that was lost is played again. Keeps nothing.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypeVar

import torch

from move37.nets import weights
from move37.nets.graph import Network
from move37.nets.zero import without_helpers
from move37.search.evaluator import Evaluator
from move37.training.policy_match import Playing, evaluator_of
from move37.training.selfplay import Played, SelfPlayConfig, SelfPlayGames, play_chunk

__all__ = ["Chunk", "ChunkPlayer", "Job", "LocalPlayer", "PlayedChunk", "in_threads"]

Item = TypeVar("Item")
Found = TypeVar("Found")


@dataclass(frozen=True)
class Job:
    """What the chunks of a generation share: the file of the network that plays, what computes it, and the config."""

    network: Path
    playing: Playing
    config: SelfPlayConfig


@dataclass(frozen=True)
class Chunk:
    """Games number `first` to `first + count - 1` of a run; `number`: which chunk of its generation it is."""

    number: int
    first: int
    count: int


@dataclass(frozen=True)
class PlayedChunk:
    """A chunk's games, how many positions were evaluated for them, and how long that took."""

    chunk: Chunk
    games: SelfPlayGames
    rows: int
    seconds: float


class ChunkPlayer(Protocol):
    """Plays chunks, wherever."""

    def play(self, job: Job, chunks: Iterable[Chunk], stopped: Callable[[], bool]) -> Iterator[PlayedChunk]:
        """Each chunk when it is over, in any order; no more are begun once `stopped` says so."""
        ...


class LocalPlayer:
    """`threads` chunks at a time, each with an evaluator of its own."""

    def __init__(self, threads: int) -> None:
        self.threads = threads

    def play(self, job: Job, chunks: Iterable[Chunk], stopped: Callable[[], bool]) -> Iterator[PlayedChunk]:
        """See `ChunkPlayer`."""
        network = without_helpers(weights.load(job.network))
        evaluators = EvaluatorPerThread(network, job.playing)

        def work(chunk: Chunk) -> PlayedChunk:
            return played(evaluators.get(), job.config, chunk)

        yield from in_threads(work, chunks, self.threads, stopped)


def played(evaluator: Evaluator, config: SelfPlayConfig, chunk: Chunk) -> PlayedChunk:
    """Play one chunk here and now."""
    started, seen = time.monotonic(), list[Played]()
    games = play_chunk(evaluator, config, chunk.first, chunk.count, watch=seen.append)
    return PlayedChunk(chunk, games, seen[-1].rows if seen else 0, time.monotonic() - started)


class EvaluatorPerThread:
    """Evaluators of one network: the fast path serves one caller at a time."""

    def __init__(self, network: Network, playing: Playing) -> None:
        self._network = network
        self._playing: Playing = playing
        self._mine = threading.local()

    def get(self) -> Evaluator:
        """The one of the thread that asks."""
        if not hasattr(self._mine, "evaluator"):
            torch.set_num_threads(1)
            self._mine.evaluator = evaluator_of(self._network, self._playing)
        found: Evaluator = self._mine.evaluator
        return found


def in_threads(
    work: Callable[[Item], Found], items: Iterable[Item], threads: int, stopped: Callable[[], bool]
) -> Iterator[Found]:
    """What `work` makes of each item, in order, `threads` of them at a time; none is begun once `stopped` says so."""
    left = iter(items)
    pool = ThreadPoolExecutor(threads, "move37-chunks")
    going: deque[Future[Found]] = deque()
    try:
        while True:
            while len(going) < threads and not stopped() and (item := next(left, None)) is not None:
                going.append(pool.submit(work, item))
            if not going:
                return
            yield going.popleft().result()
    finally:
        pool.shutdown(cancel_futures=True)
