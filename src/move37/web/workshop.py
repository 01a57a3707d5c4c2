"""What all pages of a server share: its limits, the engines, and the threads that work for them."""

from __future__ import annotations

from dataclasses import dataclass

from move37.search.root import AnySearch
from move37.web.board import Board
from move37.web.engines import Engines
from move37.web.jobs import Jobs
from move37.web.limits import Limits
from move37.web.shelf import Shelf
from move37.web.watching import Watcher

__all__ = ["Grown", "Workshop"]

_PATIENCE = 5.0
"""Seconds in which a batch of the network ends on any machine that can play."""


@dataclass(frozen=True)
class Grown:
    """A search that is shown as a tree. of: the node, rule, network and seed that it belongs to."""

    of: tuple[int, str | None, str | None, int]
    search: AnySearch
    visits: int


class Workshop:
    """What a server has once.

    moves: threads for moves, counts and drawings. reviews: for what takes minutes. watcher: for live analysis. trees:
    searches that may go on. boards: those of pages that went, which may come again by their names.
    """

    def __init__(self, limits: Limits | None = None) -> None:
        self.limits = limits or Limits()
        self.engines = Engines(self.limits)
        self.watcher = Watcher(self.limits)
        self.moves = Jobs(self.limits.workers, "move")
        self.reviews = Jobs(self.limits.long_workers, "review")
        self.trees: Shelf[Grown] = Shelf(self.limits.trees, self.limits.kept_seconds)
        self.boards: Shelf[Board] = Shelf(self.limits.kept_boards, self.limits.kept_seconds)

    def close(self) -> None:
        """Begin nothing more and wait a moment for what is under way."""
        self.watcher.close(_PATIENCE)
        self.moves.close(_PATIENCE)
        self.reviews.close(_PATIENCE)
