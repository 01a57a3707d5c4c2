"""Which engines the page may name, and the players that they become.

A player is a preset and a network one that `nets.finding` found, both by name: a browser names no file and no program.
Who analyses is shared by all boards, so that their positions go into one batch; who plays a game has it for itself.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol, runtime_checkable

from move37.analysis.review_search import Searcher
from move37.errors import Move37Error, PlayerError
from move37.nets import finding
from move37.nets.file_kind import FileKind
from move37.players.player import Analyst, Judge, Player, Preparing, require_size
from move37.players.presets import PRESETS, options_of, preset
from move37.players.ranks import RANKS
from move37.search.evaluator import Evaluator
from move37.web.limits import Limits
from move37.web.requests import Message, RequestError

__all__ = ["Choice", "Engines", "SharedAnalyst"]

_OPTIONS: Final = {"net": "net", "visits": "visits", "seconds": "time", "rank": "rank"}
"""What the page may set of a player, and what its preset calls it."""
_SIZES: Final = (9, 13, 19)
_CACHE: Final = 4_000
"""Evaluations that the player of one game keeps; 6 MB on 19x19."""


@runtime_checkable
class SharedAnalyst(Analyst, Searcher, Player, Protocol):
    """A player that can be looked at while it searches, and that can review."""


@dataclass(frozen=True)
class Choice:
    """An engine as the page named it; None where it left something open."""

    player: str
    net: str | None = None
    visits: int | None = None
    seconds: float | None = None
    rank: str | None = None

    def told(self) -> dict[str, Any]:
        """The same for the page."""
        return {name: value for name, value in vars(self).items() if value is not None}


class Engines:
    """Finds, makes and keeps players. Safe for several threads at once."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._counting = threading.Lock()
        self._making = threading.Lock()
        self._asking = threading.Lock()
        self._analysts: OrderedDict[tuple[str, str | None], SharedAnalyst] = OrderedDict()
        self._ready: set[tuple[tuple[str, str | None], int, int]] = set()
        self._playing = 0
        self._kinds: list[dict[str, Any]] | None = None

    # ------------------------------------------------------------------------------------------------ what there is

    def networks(self) -> dict[str, finding.FoundNetwork]:
        """The networks that may be named; the bundled ones come first."""
        found = [one for one in finding.found_networks() if one.kind is not None]
        return {one.name: one for one in reversed(found)}

    def networks_told(self) -> list[dict[str, str]]:
        """The same for the page."""
        found = reversed(self.networks().values())
        return [{"name": one.name, "source": one.source, "format": str(one.kind)} for one in found]

    def kinds_told(self) -> list[dict[str, Any]]:
        """The players that may be named, for the page; looked up once."""
        with self._asking:
            if self._kinds is None:
                self._kinds = [_kind(name) for name in PRESETS]
            return self._kinds

    def usual(self) -> Choice:
        """Who plays and analyses where nobody is named."""
        katago = any(one.kind is FileKind.KATAGO for one in finding.found_networks())
        return Choice("katago" if katago else "zero")

    def usual_for(self, rows: int, cols: int) -> Choice:
        """The same on a board; without a network for it the search that needs none."""
        choice = self.usual()
        if rows == cols and rows in _SIZES:
            sizes = next(kind["sizes"] for kind in self.kinds_told() if kind["name"] == choice.player)
            return choice if rows in sizes else Choice("uct")
        return choice if preset(choice.player).supports(rows, cols) else Choice("uct")

    def read(self, message: Message) -> Choice:
        """The engine that a message names; `RequestError` for one that is not here or cannot be so."""
        message.only("player", *_OPTIONS)
        player = message.one_of("player", list(PRESETS))
        for name in _OPTIONS:
            if message.has(name) and _OPTIONS[name] not in options_of(player):
                raise RequestError(f"player {player!r} takes no {name}")
        if message.has("rank") and message.has("visits"):
            raise RequestError("a rank has its own visits: give either the rank or the visits")
        return Choice(
            player,
            message.one_of("net", list(self.networks())) if message.has("net") else None,
            message.whole("visits", 1, self._limits.visits) if message.has("visits") else None,
            message.number("seconds", 0.01, self._limits.seconds) if message.has("seconds") else None,
            message.one_of("rank", list(RANKS)) if message.has("rank") else None,
        )

    def path(self, net: str) -> Path:
        """Where a network lies that may be named; `RequestError` for another."""
        found = self.networks().get(net)
        if found is None:
            raise RequestError(f"there is no network {net[:40]!r} here")
        return found.path

    # ------------------------------------------------------------------------------------------------ players

    def opponent(self, choice: Choice, rows: int, cols: int) -> Player:
        """A player for one game, to be given back by `release`; PlayerError where there are too many."""
        with self._counting:
            if self._playing >= self._limits.players:
                raise PlayerError(f"{self._playing} engines are playing already: close a board before the next game")
            self._playing += 1
        try:
            player = self._made(choice.player, self._options(choice) | {"cache": _CACHE})
            _prepare(player, rows, cols)
        except BaseException:
            self._forget_one()
            raise
        return player

    def release(self, player: Player) -> None:
        """The game of a player is over, or its board is gone."""
        player.close()
        self._forget_one()

    def analyst(self, choice: Choice, rows: int, cols: int) -> SharedAnalyst:
        """Who analyses boards of a size, ready to search; `PlayerError` for a player that does not search."""
        key = choice.player, choice.net
        with self._making:
            player = self._analysts.get(key) or self._new_analyst(key)
            self._analysts.move_to_end(key)
            if (key, rows, cols) not in self._ready:
                _prepare(player, rows, cols)
                self._ready.add((key, rows, cols))
        return player

    def judge(self, rows: int, cols: int) -> Evaluator | None:
        """What foretells who owns the points of a board, where such a network is here: KataGo's."""
        choice = self.usual()
        if choice.player != "katago":
            return None
        player = self.analyst(choice, rows, cols)
        return player.judge(rows, cols) if isinstance(player, Judge) else None

    def _new_analyst(self, key: tuple[str, str | None]) -> SharedAnalyst:
        """Another analyst; the one that was not asked for longest makes room."""
        player = self._made(key[0], self._options(Choice(*key)))
        if not isinstance(player, SharedAnalyst):
            raise PlayerError(f"player {key[0]!r} does not search, so it cannot analyse: use zero or uct")
        self._analysts[key] = player
        while len(self._analysts) > self._limits.analysts:
            gone = self._analysts.popitem(last=False)[0]
            self._ready = {one for one in self._ready if one[0] != gone}
        return player

    def _options(self, choice: Choice) -> dict[str, Any]:
        """The options of a choice as its preset calls them."""
        told = choice.told()
        options = {ours: told[name] for name, ours in _OPTIONS.items() if name in told}
        return options | ({} if choice.net is None else {"net": self.path(choice.net)})

    def _made(self, name: str, options: dict[str, Any]) -> Player:
        known = options_of(name)
        return preset(name, **{key: value for key, value in options.items() if key in known})

    def _forget_one(self) -> None:
        with self._counting:
            self._playing -= 1


def _prepare(player: Player, rows: int, cols: int) -> None:
    """Load and compile now what the first search would wait for; PlayerError for a board that it cannot play."""
    require_size(player, rows, cols)
    if isinstance(player, Preparing):
        player.prepare(rows, cols)


def _kind(name: str) -> dict[str, Any]:
    """What the page is told of a player."""
    known = options_of(name)
    make = PRESETS[name]
    about = (make.__doc__ or "").strip().splitlines()[0]
    try:
        player = make()
        sizes = [size for size in _SIZES if player.supports(size, size)]
        searches = isinstance(player, SharedAnalyst)
        player.close()
    except Move37Error:  # it has no network here
        sizes, searches = [], "visits" in known
    options = [option for option, ours in _OPTIONS.items() if ours in known]
    return {"name": name, "about": about, "options": options, "searches": searches, "sizes": sizes}
