"""The benchmark: speeds of the parts, each printed only after its result was checked.

A group is a function that yields figures; a check that fails stops the run with a sentence. References are what this
package sets itself to reach on two AMD Zen 3 cores; on another machine compare two runs by their ratios. Nothing here
is a test: correctness has its own oracles, and no test asserts a speed.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from move37.benchmark.clock_games import clock_group
from move37.benchmark.figures import BenchmarkError, Figure, best_rate, figure, require
from move37.benchmark.life import life_group
from move37.benchmark.memory import memory_group
from move37.benchmark.mixed import mixed_group
from move37.benchmark.networks import net_group
from move37.benchmark.positions import midgame, recorded
from move37.benchmark.records import sgf_group
from move37.benchmark.rollouts import board_group, rollout_group
from move37.benchmark.selfplay import selfplay_group
from move37.benchmark.solvers import problems_group
from move37.benchmark.training_data import training_data_group
from move37.errors import ConfigError
from move37.features.encoder import encoder_names, get_encoder
from move37.rules.board_kernels import BLACK, WHITE
from move37.rules.records import stones_grid

__all__ = ["GROUPS", "BenchmarkError", "run"]

ENCODE_REFERENCES = {"zero17": 100_000.0, "article17": 100_000.0, "katago22": 5_000.0, "alphago48": 3_000.0}
SEARCH_REFERENCE = 50_000.0
START_REFERENCE = 3.0
SIMULATIONS = 800
SEARCH_BATCH = 16


# ------------------------------------------------------------------------------------------------------ encode


def _check_planes(boards: NDArray[Any], planes: NDArray[np.float32]) -> None:
    """Every encoder so far shows all stones of the present position in planes of its own."""
    for board, encoded in zip(boards, planes, strict=True):
        grid = stones_grid(board)
        shown = {plane.tobytes() for plane in encoded.astype(np.int8)}
        require(
            all((grid == color).astype(np.int8).tobytes() in shown for color in (BLACK, WHITE)),
            "stones are missing in the planes",
        )


def encode_group(records: Path | None = None) -> Iterator[Figure]:
    """Every encoder on 19x19 mid-game positions, one core: of games in the folder `records`, else of random games."""
    boards = midgame(64, 19, 150) if records is None else recorded(records, 64, 19)
    for name in encoder_names():
        encoder = get_encoder(name)
        planes = encoder.encode(boards).spatial
        _check_planes(boards, planes)
        rounds = 200 if name in ("zero17", "article17", "leela18") else 10

        def work(
            encode: Callable[..., Any] = encoder.encode, out: NDArray[np.float32] = planes, rounds: int = rounds
        ) -> float:
            for _ in range(rounds):
                encode(boards, out=out)
            return float(rounds * len(boards))

        yield figure(f"encode-{name}", best_rate(work), "positions/s", ENCODE_REFERENCES.get(name))


# ------------------------------------------------------------------------------------------------------ search


def search_group() -> Iterator[Figure]:
    """PUCT with a constant evaluator from the empty 19x19 board: what the tree itself costs."""
    from move37.rules.position import Position
    from move37.search.evaluator import ConstantEvaluator
    from move37.search.limits import VisitLimit
    from move37.search.puct import SearchConfig
    from move37.search.root import Search

    position = Position(19)
    search = Search(ConstantEvaluator(), SearchConfig(batch=SEARCH_BATCH), np.random.default_rng(1))

    def work() -> float:
        done = 0
        for _ in range(10):
            search.clear()
            result = search.run(position, VisitLimit(SIMULATIONS))
            done += int(result.visits.sum())
        return done

    result = search.run(position, VisitLimit(SIMULATIONS))
    require(int(result.visits.sum()) == result.root_visits - 1, "child visits do not add up to the root's")
    yield figure("search-constant-19", best_rate(work), "simulations/s", SEARCH_REFERENCE)


# ------------------------------------------------------------------------------------------------------- start


def start_group() -> Iterator[Figure]:
    """Seconds from starting `move37 gtp` to its first answer, compiled kernels on disk."""
    seconds = min(_first_answer() for _ in range(3))
    yield figure("gtp-start", seconds, "s", START_REFERENCE)


def _first_answer() -> float:
    began = time.perf_counter()
    command = [sys.executable, "-m", "move37.cli", "gtp"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write("name\nquit\n")
        process.stdin.flush()
        answer = process.stdout.readline()
        seconds = time.perf_counter() - began
        process.communicate(timeout=60)
    require(answer.startswith("= "), f"move37 gtp answered {answer!r}")
    return seconds


GROUPS: dict[str, Callable[[], Iterator[Figure]]] = {
    "board": board_group,
    "life": life_group,
    "encode": encode_group,
    "search": search_group,
    "rollouts": rollout_group,
    "mixed": mixed_group,
    "training-data": training_data_group,
    "selfplay": selfplay_group,
    "net": net_group,
    "start": start_group,
}


def run(
    groups: Sequence[str] = (),
    tell: Callable[[Figure], None] = lambda _: None,
    records: Path | None = None,
    networks: Sequence[str] = (),
) -> list[Figure]:
    """Measure the groups named (all if none is) one after the other; `tell` hears each figure as it comes.

    The group `sgf` needs the folder `records` of SGF files and is no part of all without it; `encode` uses it where it
    is given. The group `net` measures `networks` if there are any. The groups `clock`, `memory` and `problems`, which
    measure no speed and take minutes, are no part of all. Raises ConfigError for an unknown group, BenchmarkError for a
    wrong result.
    """
    known = GROUPS | {
        "sgf": lambda: sgf_group(records),
        "encode": lambda: encode_group(records),
        "net": lambda: net_group(networks),
    }
    named_only = {"clock": clock_group, "memory": memory_group, "problems": problems_group}
    every = known | named_only
    unknown = [name for name in groups if name not in every]
    if unknown:
        raise ConfigError(f"There is no benchmark {unknown[0]!r}; choose from {', '.join(every)}.")
    figures: list[Figure] = []
    for name in groups or (GROUPS if records is None else known):
        for one in every[name]():
            figures.append(one)
            tell(one)
    return figures
