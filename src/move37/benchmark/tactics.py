"""Tactical problems: positions in which the side to move wins with the right moves and loses with all others.

The problems lie beside this file, ``problems/*.txt``: one begins with ``# name``, then come a line for each field, who
is to play, and the board. Fields: kind; komi; from, where the position is from; right, every winning move; wrong, the
losing moves that look best. Rules are Chinese (area, no suicide). How they were checked: ``problems/README.md``.

This file reads them and asks searches; it makes no searches.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from move37.benchmark.figures import require
from move37.rules.position import Position
from move37.search.result import SearchResult

__all__ = ["KINDS", "Asked", "Problem", "load_problems", "problem_files", "solved"]

FOLDER = Path(__file__).parent / "problems"
KINDS = ("capture", "ladder", "snapback", "net", "life and death")
RULES = "chinese"


@dataclass(frozen=True)
class Problem:
    """One problem. right: every winning move (points; a pass is rows * cols); wrong: losing moves that look best."""

    name: str
    kind: str
    source: str
    position: Position
    right: tuple[int, ...]
    wrong: tuple[int, ...]


class Asked(Protocol):
    """A search; see `search.root.AnySearch`."""

    def run(self, position: Position, limits: int, /) -> SearchResult:
        """Search until the root has so many visits."""
        ...


def problem_files() -> dict[str, Path]:
    """The files by their names: ``network`` (9×9, komi 7), ``rollouts`` (7×7 and 9×9, any komi)."""
    return {path.stem: path for path in sorted(FOLDER.glob("*.txt"))}


def load_problems(path: Path) -> list[Problem]:
    """The problems of a file; BenchmarkError for one that is not well formed."""
    texts = path.read_text("utf-8").split("\n# ")
    return [_problem(text.removeprefix("# ")) for text in texts if text.strip()]


def _problem(text: str) -> Problem:
    name, *lines = text.strip().splitlines()
    fields = dict(line.split(": ", 1) for line in lines if ": " in line)
    require(fields.keys() == {"kind", "komi", "from", "right", "wrong"}, f"problem {name} has other fields")
    board = "\n".join(line for line in lines if ": " not in line)
    position = Position.from_diagram(board, rules=RULES, komi=float(fields["komi"]))
    right, wrong = (tuple(position.point(move) for move in fields[key].split()) for key in ("right", "wrong"))
    require(fields["kind"] in KINDS, f"problem {name} is of no known kind")
    require(bool(right) and not set(right) & set(wrong), f"problem {name} has no right move, or a wrong one among them")
    require(all(map(position.is_legal, right + wrong)), f"problem {name} names an illegal move")
    return Problem(name, fields["kind"], fields["from"], position, right, wrong)


def solved(problems: Sequence[Problem], make: Callable[[], Asked], simulations: int) -> list[str]:
    """Names of the problems for which a fresh search of so many visits chooses a right move."""
    return [one.name for one in problems if make().run(one.position, simulations).move in one.right]
