"""The tree of a search as it grows, for one board: after so many simulations exactly, or one more.

The search is that of the pictures (`pictures.searches`): one leaf at a time, a seed, so that the tree after n
simulations is the same whether they were made at once or one by one. It is kept a while, and goes on where the page
asks for more simulations of the same search.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from move37.nets import weights
from move37.pictures.request import bundled_network
from move37.pictures.searches import RULES, search_by, usual_rule
from move37.rules.position import Position
from move37.search.limits import All, VisitLimit
from move37.search.result import SearchResult
from move37.search.root import AnySearch
from move37.search.tree import Trees
from move37.search.tree_kernels import NONE
from move37.search.tree_view import ViewedNode, best_line, viewed_tree
from move37.web.board import Board
from move37.web.link import Link, Ticket
from move37.web.requests import Message
from move37.web.workshop import Grown

__all__ = ["Growing"]

_MOST_NODES: Final = 5_000
_MOST_VISITS: Final = 10_000
_EVERY: Final = 0.25
_SHARE: Final = 4
"""A report that takes so long is told no more often than each so many times as long."""


_Tell = Callable[[Trees, Sequence[int], bool], None]


class Growing:
    """The tree of a board."""

    def __init__(self, link: Link) -> None:
        self._link = link
        self._ticket = Ticket()

    def grow(self, board: Board, message: Message, id: int | None) -> None:
        """Search as a message says; `RequestError` for what cannot be."""
        visits = message.whole("visits", 1, _MOST_VISITS)
        rule = message.one_of("rule", RULES) if message.has("rule") else None
        net = message.text("net", 200) if message.has("net") else None
        path = None if net is None else str(self._link.workshop.engines.path(net))
        seed, most = message.whole("seed", 0, 2**31, 0), message.whole("most", 1, _MOST_NODES, 200)
        self.stop()
        self._ticket = ticket = Ticket(id)
        link, position, of = self._link, board.position.copy(), (board.id, rule, net, seed)
        head = {"type": "search_tree", "node": board.id, "to_play": position.to_play.letter}
        place = link.place("search")

        def tell(trees: Trees, last: Sequence[int], finished: bool) -> None:
            if ticket.wanted:
                link.tell(head | _told(trees, most, last) | {"finished": finished}, id)

        def job() -> None:
            try:
                grown = link.workshop.trees.take(place)
                search = grown.search if grown and grown.of == of and grown.visits <= visits else None
                search = search or _begun(rule, path, position, seed)
                _search(search, position, visits, ticket, tell)
                if ticket.wanted:
                    link.workshop.trees.put(place, Grown(of, search, visits))
            except Exception as error:
                if ticket.wanted:
                    link.fail(error, id)

        link.workshop.moves.submit(place, job)

    def stop(self) -> None:
        """Nobody waits for the tree any more."""
        self._ticket.cancel()


def _begun(rule: str | None, net: str | None, position: Position, seed: int) -> AnySearch:
    network = bundled_network(position.rows, position.cols) if net is None else weights.load(weights.find(net))
    return search_by(rule or usual_rule(network), network, position, seed)


def _search(search: AnySearch, position: Position, visits: int, ticket: Ticket, tell: _Tell) -> None:
    """Go on to so many visits of the root, telling of the tree on the way and at the end."""
    next_report = time.monotonic() + _EVERY

    def report(_: SearchResult) -> None:
        nonlocal next_report
        began = time.monotonic()
        if began >= next_report and search.trees is not None:
            tell(search.trees, (), False)
            next_report = began + max(_EVERY, _SHARE * (time.monotonic() - began))

    if visits > 1:
        search.run(position, All((ticket.stop, VisitLimit(visits - 1))), report=report, every=_EVERY)
    before = _visits(search.trees)
    search.run(position, All((ticket.stop, VisitLimit(visits))))
    if search.trees is not None:
        tell(search.trees, _last_path(before, _visits(search.trees)), True)


def _visits(trees: Trees | None) -> NDArray[np.int64]:
    """The visits of all nodes, int64[T]."""
    return np.zeros(0, np.int64) if trees is None else trees.nodes["visits"][: trees.count].astype(np.int64)


def _last_path(before: NDArray[np.int64], after: NDArray[np.int64]) -> list[int]:
    """The nodes that one simulation came through, the root first; none where it was not one."""
    grown = after.copy()
    grown[: len(before)] -= before
    return np.flatnonzero(grown).tolist() if len(grown) and grown.max() == 1 else []


def _told(trees: Trees, most: int, last: Sequence[int]) -> dict[str, Any]:
    """The tree as columns, parents before children; q in [-1, 1] for who made the move (the root: who is to move)."""
    root = viewed_tree(trees, most=most)
    shown = _in_order(root)
    place = {node.index: at for at, (node, _) in enumerate(shown)}
    return {
        "visits": root.visits,
        "parent": [-1 if parent is None else place[parent.index] for _, parent in shown],
        "point": [None if node.move == NONE else node.move for node, _ in shown],
        "n": [node.visits for node, _ in shown],
        "q": [0.0 if math.isnan(node.q) else round(node.q, 4) for node, _ in shown],
        "prior": [round(node.prior, 4) for node, _ in shown],
        "best": [place[node.index] for node in best_line(root)],
        "last": [place[index] for index in last if index in place],
    }


def _in_order(root: ViewedNode) -> list[tuple[ViewedNode, ViewedNode | None]]:
    """All nodes with their parents, level by level."""
    found: list[tuple[ViewedNode, ViewedNode | None]] = [(root, None)]
    for node, _ in found:
        found += [(child, node) for child in node.children]
    return found
