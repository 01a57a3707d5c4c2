"""How much the page's server takes from a browser and gives to it: every limit, in one place.

Nothing is counted here; each part of the server asks for its own.
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Limits"]


@dataclass(frozen=True)
class Limits:
    """All limits of a server.

    connections: open at once, pages among them. pages: websockets at once. boards: of a page.
    message_bytes: of one message. messages_a_second, burst: a page's messages are read no faster, after so many at
    once. unread: characters of answers that a page may leave unread before it is let go.
    nodes, line: nodes of a record, and of one line in it after its root. comment: characters.
    visits, seconds: the most that may be asked of one search. looks, all_visits: analyses under way over all pages, and
    the visits of all of them together: 0.9 GB on 19x19. players: made for games and kept, over all pages.
    trees, kept_boards, kept_seconds: searches shown as trees, and boards of pages that went, that are kept for so long.
    analysts: kinds of analysing players kept. candidates: moves told of an analysis. leaves: positions that each
    analysis gives to a common batch. report_every: seconds between reports of one analysis where it is alone;
    report_share: seconds that each further one adds. workers: threads for moves, counts and drawings; long_workers: for
    reviews; operations: for everything that is quick.
    """

    connections: int = 256
    pages: int = 64
    boards: int = 64
    message_bytes: int = 1_000_000
    messages_a_second: float = 50.0
    burst: int = 100
    unread: int = 16_000_000
    nodes: int = 20_000
    line: int = 2_000
    comment: int = 20_000
    visits: int = 20_000
    seconds: float = 60.0
    looks: int = 128
    all_visits: int = 1_000_000
    players: int = 32
    trees: int = 16
    kept_boards: int = 64
    kept_seconds: float = 600.0
    analysts: int = 6
    candidates: int = 20
    leaves: int = 4
    report_every: float = 0.1
    report_share: float = 0.02
    workers: int = 2
    long_workers: int = 1
    operations: int = 4
