"""Games side by side: threads that take the next game, each with players of its own at its table.

Knows neither matches nor tournaments: what the next game is and where it is written is told by the caller.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeAlias, TypeVar

from move37.arena.game import GameResult, Stopped
from move37.players.player import Player, Preparing, require_size

__all__ = ["PlayerFactory", "Table", "side_by_side"]

PlayerFactory: TypeAlias = Callable[..., Player]
"""Makes a player; what it is given is up to who asks."""
G = TypeVar("G")


class Table:
    """The players of one thread, by name: made when they are first asked for, and kept for later games.

    A source is a player, which is its owner's to close, or a factory; what was made here is closed here.
    """

    def __init__(self, sources: Mapping[str, Player | PlayerFactory]) -> None:
        self._sources = dict(sources)
        self._seated: dict[str, Player] = {}

    def seated(self, name: str, **options: Any) -> Player:
        """The player at the table, who is made with `options` if there is none."""
        if name not in self._seated:
            source = self._sources[name]
            self._seated[name] = source(**options) if callable(source) else source
        return self._seated[name]

    def ready(self, name: str, size: int, *, prepare: bool, **options: Any) -> None:
        """Have the player at the table; `PlayerError` if it cannot play on `size`. `prepare`: before a clock runs."""
        seated = self.seated(name, **options)
        require_size(seated, size, size)
        if prepare and isinstance(seated, Preparing):
            seated.prepare(size, size)

    def vacate(self, name: str) -> None:
        """Let go of a player that was made here, so that another is made for the next game."""
        if callable(self._sources[name]) and name in self._seated:
            self._seated.pop(name).close()

    def play(self, names: Sequence[str], play: Callable[[Mapping[str, Player]], GameResult]) -> GameResult:
        """A game of two players as "A" and "B"; one that failed does not stay."""
        game = play({side: self.seated(name) for side, name in zip("AB", names, strict=True)})
        if game.reason == "forfeit":
            self.vacate(names["AB".index("B" if game.winner == "A" else "A")])
        return game

    def close(self) -> None:
        """Let go of all players made here."""
        for name in list(self._seated):
            self.vacate(name)


def side_by_side(
    tables: Sequence[Table],
    next_game: Callable[[], G | None],
    play: Callable[[Table, G], None],
    stopped: threading.Event,
) -> None:
    """Play what `next_game` gives until it gives None, one game at a time at each table.

    What `play` raises ends all games (`stopped` is set, and they raise `Stopped`) and is raised here.
    """

    def work(table: Table) -> None:
        try:
            while (game := next_game()) is not None:
                play(table, game)
        except Stopped:
            return
        except BaseException:
            stopped.set()
            raise

    if len(tables) == 1:  # in this very thread, where Ctrl-C ends a long search at once
        return work(tables[0])
    with ThreadPoolExecutor(len(tables), "games") as pool:
        workers = [pool.submit(work, table) for table in tables]
        try:
            for worker in workers:
                worker.result()
        finally:
            stopped.set()
