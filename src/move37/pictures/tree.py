"""A search tree: nodes as large as their visits, the best path blue, N and Q on each; and virtual loss made visible.

The nodes are those of `search.tree_view`. Values are for the player who made the move that leads to a node.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field

from move37.pictures.drawing import Picture, circle, grid, line, signed, text
from move37.pictures.scores import score_bars
from move37.rules.coordinates import format_vertex
from move37.rules.position import Position
from move37.search.tree_view import MoveScore, ViewedNode, best_line

__all__ = ["laid_out", "tree_picture", "virtual_loss_picture"]

_COLUMN, _LEVEL = 46.0, 86.0
_LEAST, _MOST = 5.0, 22.0


@dataclass
class _Layout:
    """Where nodes are drawn, by index: column (leaves take one each, a parent the middle) and depth."""

    places: dict[int, tuple[float, int]] = field(default_factory=dict[int, tuple[float, int]])
    next_leaf: int = 0

    def add(self, node: ViewedNode, depth: int = 0) -> float:
        columns = [self.add(child, depth + 1) for child in node.children]
        if columns:
            column = (columns[0] + columns[-1]) / 2
        else:
            column, self.next_leaf = float(self.next_leaf), self.next_leaf + 1
        self.places[node.index] = column, depth
        return column


def laid_out(root: ViewedNode) -> dict[int, tuple[float, int]]:
    """Column and depth of every node by index: no two nodes of a depth share a column, parents are over the middle."""
    layout = _Layout()
    layout.add(root)
    return layout.places


def tree_picture(
    root: ViewedNode, position: Position, *, labels: bool = True, heading: str = "", caption: str = ""
) -> Picture:
    """The tree of a search at `position`."""
    drawn = _Tree(root, position, labels)
    told = caption or (
        f"{root.visits} visits, value {_value(root.q)} for {position.to_play.title}; {len(drawn.places)} nodes shown; "
        f"best: {' '.join(drawn.name(node) for node in best_line(root)[1:])}"
    )
    title = heading or "The search tree: size by visits, the best path blue, N and Q"
    return Picture("Search tree", drawn.width, drawn.height, "".join(drawn.elements()), title, told)


def _value(q: float) -> str:
    return "–" if math.isnan(q) else signed(q)


class _Tree:
    """The elements of one tree."""

    def __init__(self, root: ViewedNode, position: Position, labels: bool) -> None:
        self.root, self.position, self.labels = root, position, labels
        self.places = laid_out(root)
        self.best = {node.index for node in best_line(root)}
        self.width = (max(column for column, _ in self.places.values()) + 1) * _COLUMN + 2 * _MOST
        self.height = (max(depth for _, depth in self.places.values()) + 1) * _LEVEL - 6

    def xy(self, node: ViewedNode) -> tuple[float, float]:
        column, depth = self.places[node.index]
        return _MOST + (column + 0.5) * _COLUMN, _MOST + 2 + depth * _LEVEL

    def radius(self, node: ViewedNode) -> float:
        share = math.sqrt(node.visits / max(1, self.root.visits))
        return _LEAST + (_MOST - _LEAST) * share

    def name(self, node: ViewedNode) -> str:
        return "root" if node.move < 0 else format_vertex(node.move, self.position.rows, self.position.cols)

    def elements(self) -> Iterable[str]:
        yield from self._edges(self.root)
        yield from self._nodes(self.root)

    def _edges(self, node: ViewedNode) -> Iterable[str]:
        x1, y1 = self.xy(node)
        for child in node.children:
            x2, y2 = self.xy(child)
            best = child.index in self.best
            yield line(x1, y1, x2, y2, "blue" if best else "faint", 3 if best else 0.8)
            yield from self._edges(child)

    def _nodes(self, node: ViewedNode) -> Iterable[str]:
        x, y = self.xy(node)
        best = node.index in self.best
        told = f"{self.name(node)}: N {node.visits}, Q {_value(node.q)}, P {node.prior:.3f}"
        told += f", {node.pending} under way" if node.pending else ""
        told += f"; {node.hidden} more moves" if node.hidden else ""
        r = self.radius(node)
        yield circle(x, y, r, "blue" if best else "faint", hover=told)
        if node.pending:
            yield circle(x, y, r + 3, "line-orange", more=' stroke-width="2.5"')
        if self.labels:
            yield from self._words(node, x, y + r, best)
        for child in node.children:
            yield from self._nodes(child)

    def _words(self, node: ViewedNode, x: float, bottom: float, best: bool) -> Iterable[str]:
        name = self.name(node) + (f" +{node.pending}" if node.pending else "")
        kind = "blue halo" if best else "ink halo"
        yield text(x, bottom + 11, name, 10, "orange halo" if node.pending else kind, bold=True)
        yield text(x, bottom + 21, f"N {node.visits}", 9, kind)
        yield text(x, bottom + 31, f"Q {_value(node.q)}", 9, kind)


def virtual_loss_picture(
    root: ViewedNode,
    before: list[MoveScore],
    now: list[MoveScore],
    position: Position,
    *,
    heading: str = "",
    caption: str = "",
) -> Picture:
    """A batch under way: the tree with its visits under way in orange, and the root's scores without and with them."""
    tree = tree_picture(root, position, heading="visits under way are orange", caption=" ")
    bars = [
        score_bars(before, position, heading="as if nothing were under way"),
        score_bars(now, position, heading="with virtual loss: the next simulation goes elsewhere"),
    ]
    told = caption or (
        f"{root.pending} simulations are under way and have no value yet. Each counts as visits on its path, so that "
        "the next one looks elsewhere; the backup takes this off again."
    )
    title = heading or "Virtual loss: how one batch spreads over the tree"
    return grid("Virtual loss", [tree, grid("scores", bars, 2)], 1, heading=title, caption=told)
