"""What search trees take: peak memory of a process that grows a million nodes, and of one that keeps to a limit.

Each figure is of a child process of its own, which searches the empty 19x19 board with an evaluator that costs nothing.
The peak is the system's (`getrusage`): interpreter, libraries and compiled code included, and whatever growing takes.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

from move37.benchmark.figures import BenchmarkError, Figure, figure, require

if TYPE_CHECKING:
    from move37.search import AnySearch

__all__ = ["memory_group"]

NODES, NODES_MB = 1_000_000, 1500.0
"""A tree of so many nodes has to stay under so many megabytes (10⁶ bytes)."""
LIMIT_MB = 200.0
MOVES = 4
"""Moves of the game that is played within the limit."""
SEARCHES = {"puct": ("tree", 350_000), "katago": ("graph", 350_000)}
"""What each search grows, and how many visits a move are sure to fill the limit."""


def memory_group() -> Iterator[Figure]:
    """Peak megabytes of a million nodes, and what a limit of 200 MB adds to a process."""
    for kind, (shape, _) in SEARCHES.items():
        in_child(kind, "grow", 1000)  # a child that has to compile first takes memory for that
        found = in_child(kind, "grow", NODES)
        require(found["nodes"] >= NODES, f"the {shape} has {found['nodes']} nodes, not a million")
        yield figure(f"{shape}-1m-19", found["peak"], "MB", NODES_MB)
    for kind, (shape, visits) in SEARCHES.items():
        found = in_child(kind, "limit", visits)
        require(found["moves"] == MOVES, "play did not go on in a full tree")
        require(found["pruned"] > 0, "the tree was never full")
        note = f"{shape}-limit-19: {found['pruned']:,.0f} nodes pruned in {MOVES} moves of {visits:,} visits"
        yield figure(f"{shape}-limit-19", found["peak"] - found["before"], "MB", LIMIT_MB, note)


def in_child(kind: str, what: str, number: int) -> dict[str, float]:
    """What `_measure` finds in a process of its own."""
    command = [sys.executable, "-m", "move37.benchmark.memory", kind, what, str(number)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=1800)
    if done.returncode != 0:
        raise BenchmarkError(f"The search that was to be measured ended with: {done.stderr.strip()[-300:]}")
    found: dict[str, float] = json.loads(done.stdout)
    return found


# --------------------------------------------------------------------------------------------- in the child process


def _peak() -> float:
    """Most megabytes that this process ever held."""
    if sys.platform == "win32":
        raise SystemExit("this system does not say how much memory a process took; measure on Linux or macOS")
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return float(peak) / 1e6 if sys.platform == "darwin" else float(peak) * 1024 / 1e6


def _search(kind: str, memory: float | None) -> AnySearch:
    from move37.search import ConstantEvaluator, KataGoConfig, KataGoSearch, Search, SearchConfig

    if kind not in SEARCHES:
        raise SystemExit(f"there is no search {kind!r} to measure: use {', '.join(SEARCHES)}")
    if kind == "puct":
        return Search(ConstantEvaluator(), SearchConfig(batch=64, memory_mb=memory))
    return KataGoSearch(ConstantEvaluator(), KataGoConfig(batch=64, memory_mb=memory))


def _play(search: AnySearch, size: int, moves: int, visits: int) -> dict[str, float]:
    """How many moves were played, and how many nodes pruned meanwhile."""
    from move37.rules.position import Position

    position, pruned = Position(size), 0
    for _ in range(moves):
        result = search.run(position, visits)
        pruned += result.pruned
        position.play(result.move)
    return {"moves": position.move_number, "pruned": pruned}


def _measure(kind: str, what: str, number: int) -> dict[str, float]:
    """Grow a tree to so many nodes, or play with so many visits a move within the limit."""
    from move37.rules.position import Position
    from move37.search import limit

    _play(_search(kind, 0.2), 9, 3, 3000)  # loads, or compiles, all that is used
    before = _peak()
    if what == "grow":
        found: dict[str, float] = {"nodes": _search(kind, None).run(Position(19), limit(nodes=number)).nodes}
    else:
        found = _play(_search(kind, LIMIT_MB), 19, MOVES, number)
    return found | {"before": before, "peak": _peak()}


if __name__ == "__main__":
    print(json.dumps(_measure(sys.argv[1], sys.argv[2], int(sys.argv[3]))))
