"""The nodes of a record by numbers that a browser can name, and what is known of each.

A number is given once and never to another node. Nothing is played here; the tree itself is `sgf`'s.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from move37.analysis.review_grades import Grade, Thresholds
from move37.rules.color import Color
from move37.sgf import lines
from move37.sgf.tree import Node
from move37.web.limits import Limits
from move37.web.requests import RequestError

__all__ = ["Judged", "Known", "Nodes", "Seen", "judged"]


@dataclass(frozen=True)
class Seen:
    """What an engine said of a position: Black's win rate in [0, 1] and lead (None: not known), and its choice."""

    black_winrate: float
    black_lead: float | None
    visits: int
    choice: int | None


@dataclass(frozen=True)
class Judged:
    """What a move lost for who made it, in win rate and points (None: not known), and what that is called."""

    winrate_lost: float
    points_lost: float | None
    grade: Grade


@dataclass
class Known:
    """A node: its number in the tree, moves and nodes up to it (the root apart), and what engines said of it."""

    id: int
    node: Node
    move_number: int
    depth: int
    seen: Seen | None = None
    judged: Judged | None = None


def judged(before: Seen, after: Seen, color: Color, point: int) -> Judged:
    """What `color` lost by its move at `point`, as the engine saw the positions around it."""
    sign = 1 if color is Color.BLACK else -1
    winrate_lost = sign * (before.black_winrate - after.black_winrate)
    known = before.black_lead is not None and after.black_lead is not None
    points_lost = sign * ((before.black_lead or 0.0) - (after.black_lead or 0.0)) if known else None
    thresholds = Thresholds()
    grade = thresholds.grade(thresholds.severity(winrate_lost, points_lost), point == before.choice)
    return Judged(winrate_lost, points_lost, grade)


class Nodes:
    """All nodes of one tree. `RequestError` where it is larger than the limits."""

    def __init__(self, root: Node, rows: int, cols: int, limits: Limits) -> None:
        self._rows, self._cols, self._limits = rows, cols, limits
        self._by_id: dict[int, Known] = {}
        self._by_node: dict[Node, Known] = {}
        self._next = 0
        self.add(root)

    def __len__(self) -> int:
        return len(self._by_id)

    def __getitem__(self, node: Node) -> Known:
        return self._by_node[node]

    def all(self) -> list[Known]:
        """Every node, parents before children."""
        return list(self._by_id.values())

    def still(self, nodes: Iterable[Known]) -> list[Known]:
        """Those of `nodes` that are still in the tree, each once."""
        return [known for id, known in {one.id: one for one in nodes}.items() if id in self._by_id]

    def get(self, id: int) -> Known | None:
        """The node with a number, if it is still in the tree."""
        return self._by_id.get(id)

    def find(self, id: int) -> Known:
        """The node with a number; `RequestError` if there is none."""
        found = self._by_id.get(id)
        if found is None:
            raise RequestError(f"there is no node {id} on this board")
        return found

    def require_room(self, parent: Node) -> None:
        """Refuse another node below `parent` where the tree is full or the line long enough."""
        if len(self) >= self._limits.nodes:
            raise RequestError(f"this record has {len(self):,} nodes, which is as many as fit")
        if self[parent].depth >= self._limits.line:
            raise RequestError(f"this line has {self._limits.line:,} nodes, which is as many as fit")

    def add(self, top: Node) -> list[Known]:
        """Number a node and all below it; those numbered."""
        before = (0, -1) if top.parent is None else (self[top.parent].move_number, self[top.parent].depth)
        added: list[Known] = []
        todo = [(top, before)]
        while todo:
            node, (number, depth) = todo.pop()
            number += len(lines.moves_of(node, self._rows, self._cols))
            known = Known(self._next, node, number, depth + 1)
            self._require(known)
            self._next += 1
            self._by_id[known.id] = self._by_node[node] = known
            added.append(known)
            todo.extend((child, (number, known.depth)) for child in reversed(node.children))
        return added

    def forget(self, top: Node) -> None:
        """Take a node and all below it out of the numbers."""
        for node in top.walk():
            known = self._by_node.pop(node)
            del self._by_id[known.id]

    def _require(self, known: Known) -> None:
        if len(self) >= self._limits.nodes:
            raise RequestError(f"this record has more than {self._limits.nodes:,} nodes, which is more than fits here")
        if known.depth > self._limits.line:
            raise RequestError(f"this record has a line of over {self._limits.line:,} nodes, which is more than fits")

    # ------------------------------------------------------------------------------------------------ opinions

    def note(self, id: int, seen: Seen) -> list[Known]:
        """Keep what an engine said of a node, if it is still there; those that are changed by it."""
        known = self._by_id.get(id)
        if known is None:
            return []
        known.seen = seen
        changed = [one for one in (known, *(self._by_node[child] for child in known.node.children)) if self._judge(one)]
        return [known, *(one for one in changed if one is not known)]

    def _judge(self, known: Known) -> bool:
        """Judge the move of a node anew, if the positions around it are known; whether it is."""
        parent = known.node.parent
        before = None if parent is None else self._by_node[parent].seen
        moves = lines.moves_of(known.node, self._rows, self._cols)
        if before is None or known.seen is None or len(moves) != 1:
            return False
        known.judged = judged(before, known.seen, *moves[0])
        return True
