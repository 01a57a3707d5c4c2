"""Rule cases as JSON: a small copy inside the repository, and the large folder beside it where that is there.

A case is a position, moves to play from it, a question and its answer; this module only reads them. The answers come
from real games, from KataGo's and Fuego's tests and from own replays; each case names its source.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.support.diagrams import parse_rows, vertex_to_point
from tests.support.oracle_board import BLACK, NO_POINT, POSITIONAL, SIMPLE, SITUATIONAL, WHITE
from tests.support.shared import SHARED

COLORS = {"B": BLACK, "W": WHITE}
KO_RULES = {"simple": SIMPLE, "positional": POSITIONAL, "situational": SITUATIONAL}
SMALL_COPY = Path(__file__).parents[1] / "data" / "cases"


@dataclass(frozen=True)
class Case:
    """One case: its stones (row by row from the top left), the moves after them, the question and the answer.

    `ko_ban` is a point that a ko forbids before any move.
    """

    id: str
    rows: int
    cols: int
    stones: tuple[int, ...]
    to_play: int
    history: tuple[tuple[int, int], ...]
    question: dict[str, Any]
    expected: Any
    ko_ban: int = NO_POINT

    @property
    def ko(self) -> int:
        """The ko rule of a legality question: 0 simple, 1 positional, 2 situational."""
        return KO_RULES[self.question["ko"]]

    @property
    def color(self) -> int:
        """Whose move a legality question asks about."""
        return COLORS[self.question["color"]]

    @property
    def point(self) -> int:
        """The point a legality question asks about."""
        return vertex_to_point(self.question["point"], self.rows, self.cols)


def _case(data: dict[str, Any]) -> Case:
    rows, cols, stones = parse_rows(data["rows"])
    history = tuple((COLORS[color], vertex_to_point(vertex, rows, cols)) for color, vertex in data.get("history", []))
    to_play = COLORS[data["to_play"] or "B"]
    ban = vertex_to_point(data["ko_ban"], rows, cols) if "ko_ban" in data else NO_POINT
    return Case(data["id"], rows, cols, stones, to_play, history, data["question"], data["expected"], ban)


def load_cases(name: str) -> list[Case]:
    """All cases of one file (`legality.json`): the whole one where the shared folder is there, else the small copy."""
    large = SHARED / "cases" / name
    path = large if large.is_file() else SMALL_COPY / name
    return [_case(data) for data in json.loads(path.read_text(encoding="utf-8"))]
