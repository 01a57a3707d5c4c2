"""What a picture is asked to show: a position, a network, a search, a run; as `move37 show` and the docs ask for it.

A `Request` only holds what was asked and finds it; drawing is the other files' business. What was not asked is None or
empty, and each picture says which parts it uses (`catalogue`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path

from move37.errors import ConfigError, NetworkFileError
from move37.nets import weights
from move37.nets.graph import Network
from move37.players.network_source import NetworkSource
from move37.rules.position import Position
from move37.search.evaluator import Evaluator
from move37.sgf.files import read_sgf
from move37.sgf.game_record import GameRecord

__all__ = ["EXAMPLE", "Request", "after", "bundled_network"]

EXAMPLE = "E5 D5 D6 C5 D4 E7 E6 G3 C6 C3 B5 G7 C4"
"""Moves on 9x9 that are shown when nothing else is asked for: the game of the README, which ends with a capture."""


@dataclass(frozen=True)
class Request:
    """What to show.

    source: a game record, or the folder of a run. moves: after how many of its moves. play: moves on an empty board.
    size, komi, rules: of that board, rules and komi also instead of the record's. net: a network's name or file.
    encoder, layer, only (planes, channels, filters or figures), at (a vertex): parts of what is shown. temperature:
    one or several. rule: of selection. visits, simulation, seed: of a search. most: how many nodes, moves or patterns.
    player: who reviews. numbers, labels, marks: on the board. heading, caption: words around the picture.
    """

    source: Path | None = None
    moves: tuple[int, ...] = ()
    play: str | None = None
    size: int | None = None
    komi: float | None = None
    rules: str | None = None
    net: str | None = None
    encoder: str | None = None
    layer: str | None = None
    only: tuple[str, ...] = ()
    at: str | None = None
    temperature: tuple[float, ...] = ()
    rule: str | None = None
    visits: int | None = None
    simulation: int | None = None
    seed: int | None = None
    most: int | None = None
    player: str | None = None
    numbers: bool = False
    labels: Mapping[str, str] = field(default_factory=dict[str, str])
    marks: Mapping[str, str] = field(default_factory=dict[str, str])
    heading: str = ""
    caption: str = ""

    def given(self) -> set[str]:
        """The parts that were asked for, the words around the picture apart."""
        return {
            one.name for one in fields(self) if one.name not in ("heading", "caption") and getattr(self, one.name)
        } | {name for name in ("komi", "seed", "simulation", "size", "visits") if getattr(self, name) is not None}

    def indices(self) -> list[int]:
        """`only` as numbers; ConfigError where it is not."""
        for one in self.only:
            if not one.isdecimal():
                raise ConfigError(f"{one!r:.40} is no number: write --only 0,3,7")
        return [int(one) for one in self.only]

    # ------------------------------------------------------------------------------------------------ positions

    def record(self) -> GameRecord:
        """The game record; ConfigError if none was named, SgfError if it cannot be read."""
        if self.source is None:
            raise ConfigError("this picture is of a whole game: name a record, such as GAME.sgf")
        return read_sgf(self.source)

    def position(self) -> Position:
        """The one position; ConfigError if several moves were asked for."""
        if len(self.moves) > 1:
            raise ConfigError("this picture is of one position: give --moves one number")
        return self.positions()[0]

    def positions(self, shares: tuple[float, ...] = (1.0,)) -> list[Position]:
        """The positions after each of `moves`, by default after these shares of the game.

        Of the record if one was named, else of the moves to play, else of EXAMPLE. Errors in one sentence.
        """
        end = self.game()
        start = end.move_number - len(end.moves)
        wanted = list(self.moves) or [start + round(share * len(end.moves)) for share in shares]
        return [after(end, number) for number in wanted]

    def game(self) -> Position:
        """The end of the game, from which every position of it can be had (`after`)."""
        if self.source is not None:
            if self.play is not None or self.size is not None:
                raise ConfigError("a game record brings its own moves and board: leave out --play and --size")
            return read_sgf(self.source).position(rules=self.rules, komi=self.komi)
        komi = 7.0 if self.komi is None else self.komi
        position = Position(self.size or 9, rules=self.rules or "tromp-taylor", komi=komi)
        shown = self.play if self.play is not None else (EXAMPLE if position.rows == 9 else "")
        position.play_many(shown.replace(",", " ").split())
        return position

    # ------------------------------------------------------------------------------------------------- networks

    def network(self, rows: int, cols: int) -> Network:
        """The network that was named, else the bundled one that fits the board; NetworkFileError in one sentence."""
        if self.net is not None:
            return weights.load(weights.find(self.net))
        return bundled_network(rows, cols)

    def policy(self, position: Position) -> Evaluator:
        """An evaluator with a policy for the board."""
        network = self.network(position.rows, position.cols)
        return NetworkSource(network, heads=("policy",)).evaluator(position.rows, position.cols)


def bundled_network(rows: int, cols: int) -> Network:
    """The bundled network with a policy for a board size, two-headed ones first; NetworkFileError if there is none."""
    names = sorted(weights.bundled().items(), key=lambda item: not item[0].startswith("zero-"))
    for _, path in names:
        spec, graph = weights.load_description(path)
        if spec.supports(rows, cols) and "policy" in graph.outputs:
            return weights.load(path)
    raise NetworkFileError(f"no network for a {rows}x{cols} board comes with the package: name one with --net")


def after(end: Position, number: int) -> Position:
    """The position after `number` moves of the game that ends with `end`; ConfigError if it has no such move."""
    start = end.move_number - len(end.moves)
    if not start <= number <= end.move_number:
        raise ConfigError(f"there is no move {number}: the game has {end.move_number}")
    position = end.copy()
    while position.move_number > number:
        position.undo()
    return position
