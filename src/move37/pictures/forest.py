"""Strings of stones as a disjoint-set forest: find with path compression, union by rank, capture.

The course's data structure in plain Python, step by step, to be looked at; the engine's board keeps every find at one
load instead (`rules.board_kernels`: the smaller chain is relabelled when two join). A capture takes a tree out.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from move37.pictures.boards import board_panel
from move37.pictures.drawing import GAP, Picture, arrow, circle, grid
from move37.rules.color import Color
from move37.rules.position import Position
from move37.rules.records import neighbors

__all__ = ["StringForest", "forest_of", "strings_picture"]

_STEP_X, _STEP_Y = 42.0, 52.0


@dataclass
class StringForest:
    """Trees of points: `parent` of each stone (a root is its own), `rank` of the roots; `log` of the last move."""

    parent: dict[int, int] = field(default_factory=dict[int, int])
    rank: dict[int, int] = field(default_factory=dict[int, int])
    log: list[tuple[str, tuple[int, ...]]] = field(default_factory=list[tuple[str, tuple[int, ...]]])

    def add(self, point: int) -> None:
        """A new stone: a tree of its own."""
        self.parent[point], self.rank[point] = point, 0
        self.log.append(("new", (point,)))

    def find(self, point: int) -> int:
        """The root of a stone's tree; every stone on the way is hung under it (path compression)."""
        way = [point]
        while self.parent[way[-1]] != way[-1]:
            way.append(self.parent[way[-1]])
        for stone in way[:-1]:
            self.parent[stone] = way[-1]
        self.log.append(("find", tuple(way)))
        return way[-1]

    def union(self, one: int, other: int) -> None:
        """Join two trees: the root of lower rank is hung under the other."""
        a, b = self.find(one), self.find(other)
        if a == b:
            return
        if self.rank[a] < self.rank[b]:
            a, b = b, a
        self.parent[b] = a
        self.rank[a] += self.rank[a] == self.rank[b]
        self.log.append(("union", (b, a)))

    def remove(self, points: Iterable[int]) -> None:
        """A captured string: its whole tree goes."""
        gone = tuple(points)
        for point in gone:
            del self.parent[point], self.rank[point]
        self.log.append(("capture", gone))

    def trees(self) -> dict[int, list[int]]:
        """The stones under each root, the root first; nothing is compressed."""
        found: dict[int, list[int]] = {}
        for point in sorted(self.parent):
            root = point
            while self.parent[root] != root:
                root = self.parent[root]
            found.setdefault(root, [root])
            if point != root:
                found[root].append(point)
        return found


def forest_of(position: Position) -> StringForest:
    """The forest after playing the game of `position` move by move; its log is that of the last move."""
    game, forest = position.root(), StringForest()
    for point in (int(stone) for stone in game.stones.ravel().nonzero()[0]):
        _put(forest, game, point)
    for color, point in position.moves:
        game.play(point, color, force=True)
        after = {int(stone) for stone in game.stones.ravel().nonzero()[0]}
        forest.log.clear()
        if point in after:
            _put(forest, game, point)
        for root, stones in list(forest.trees().items()):
            if root not in after:
                forest.remove(stones)
        assert after == set(forest.parent)
    return forest


def _put(forest: StringForest, game: Position, point: int) -> None:
    forest.add(point)
    for beside in neighbors(point, game.rows, game.cols):
        if beside in forest.parent and game.stone_at(beside) == game.stone_at(point):
            forest.union(point, beside)


def strings_picture(position: Position, *, heading: str = "", caption: str = "") -> Picture:
    """The board, a tree for each string, and the steps of the last move.

    Stones point to their parents; below a tree stand its root's rank, its stones and its liberties.
    """
    forest = forest_of(position)
    trees = [_tree(forest, position, root, stones) for root, stones in forest.trees().items()]
    board = board_panel(position.stones, "the board", last=position.last_move, width=320)
    right = _packed(trees)
    told = caption or " · ".join(_words(position, *step) for step in forest.log) or "No stone has been played."
    title = heading or "Strings as a disjoint-set forest"
    return grid("Strings as a disjoint-set forest", [board, right], 2, heading=title, caption=told, gap=2 * GAP)


def _packed(trees: list[Picture], width: float = 620.0) -> Picture:
    """Trees in rows no wider than `width`."""
    rows: list[list[Picture]] = [[]]
    for tree in trees:
        if rows[-1] and sum(one.width + GAP for one in rows[-1]) + tree.width > width:
            rows.append([])
        rows[-1].append(tree)
    return grid("trees", [grid("trees", row, len(row)) for row in rows if row], 1)


def _words(position: Position, kind: str, points: tuple[int, ...]) -> str:
    names = [position.vertex(point) for point in points]
    if kind == "union":
        return f"union: {names[0]} under {names[1]}"
    if kind == "find":
        return f"find {names[0]}: {' → '.join(names)}" if len(names) > 1 else f"find {names[0]}: a root"
    return f"{kind} {' '.join(names)}"


def _tree(forest: StringForest, position: Position, root: int, stones: list[int]) -> Picture:
    places: dict[int, tuple[float, float]] = {}
    children: dict[int, list[int]] = {}
    for stone in stones[1:]:
        children.setdefault(forest.parent[stone], []).append(stone)
    width = _lay_out(root, children, 0, 0.0, places) * _STEP_X
    height = (max(depth for _, depth in places.values()) + 1) * _STEP_Y
    spots = {stone: (column * _STEP_X, 20 + depth * _STEP_Y) for stone, (column, depth) in places.items()}
    body = [_link(spots[stone], spots[forest.parent[stone]]) for stone in stones[1:]]
    body += [_stone(position, stone, spots[stone]) for stone in stones]
    free = len(position.chain(root).liberties)
    count = f"{len(stones)} stone{'s' if len(stones) > 1 else ''}, {free} libert{'y' if free == 1 else 'ies'}"
    told = f"rank {forest.rank[root]}, {count}"
    return Picture(f"string of {position.vertex(root)}: {told}", max(width, 96), height, "".join(body), caption=told)


def _lay_out(
    stone: int, children: dict[int, list[int]], depth: int, left: float, places: dict[int, tuple[float, float]]
) -> float:
    """Place a subtree from column `left` on, a parent over the middle of its children; returns its width."""
    width = 0.0
    for child in children.get(stone, ()):
        width += _lay_out(child, children, depth + 1, left + width, places)
    width = max(1.0, width)
    places[stone] = (left + width / 2, depth)
    return width


def _link(start: tuple[float, float], end: tuple[float, float]) -> str:
    (x1, y1), (x2, y2) = start, end
    length = ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5 or 1.0
    share = 17 / length
    return arrow(
        x1 + (x2 - x1) * share, y1 + (y2 - y1) * share, x2 - (x2 - x1) * share, y2 - (y2 - y1) * share, "faint"
    )


def _stone(position: Position, point: int, where: tuple[float, float]) -> str:
    black = position.stone_at(point) is Color.BLACK
    look = ' fill="#17171a" stroke="#8f897c"' if black else ' fill="#f6f3ec" stroke="#8f897c"'
    ink = ' fill="#ffffff"' if black else ' fill="#000000"'
    x, y = where
    name = position.vertex(point)
    words = f'<text x="{x:.1f}" y="{y + 4:.1f}" font-size="11" text-anchor="middle"{ink}>{name}</text>'
    return circle(x, y, 15, "stone", more=look, hover=f"{name}") + words
