"""Our side of a GTP session: the game that the controller builds up, and a player that is asked for moves.

Errors are worded as GNU Go words them, because controllers look for those words. Colours are taken as they come: two
moves in a row by one side, or moves after two passes, are played (cleaning up is how a controller counts). A command
that fails leaves the game as it was. Komi and rules outlive `boardsize` and `clear_board`, as in GNU Go; the game
does not.

Square boards only: GTP has no words for others.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from math import isfinite
from typing import TextIO

from move37.errors import GtpError, IllegalMoveError, Move37Error, RulesError, VertexError
from move37.gtp.handicap import free_handicap_points
from move37.gtp.protocol import Handler, Protocol
from move37.players.player import Clock, Player, require_size, with_to_play
from move37.rules.color import Color
from move37.rules.coordinates import MAX_SIDE
from move37.rules.handicap import fixed_handicap_points, largest_fixed_handicap
from move37.rules.position import Position
from move37.rules.ruleset import Ruleset

_WHOLE_NUMBER = re.compile(r"-?[0-9]{1,9}")
_NO_MOVE = "invalid color or coordinate"


@dataclass(frozen=True)
class Identity:
    """What the engine answers to `name` and `version`."""

    name: str = "move37"
    version: str = "0"


class Engine:
    """One game under a controller. `protocol()` makes the session that speaks for it.

    `size` is that of the first board, `komi` and `rules` hold until they are changed. Raises `RulesError` for what does
    not exist, `PlayerError` if the player cannot play on that size.
    """

    def __init__(
        self,
        player: Player,
        size: int = 19,
        rules: str | Ruleset = "tromp-taylor",
        komi: float = 7.5,
        identity: Identity | None = None,
    ) -> None:
        self.player = player
        self.position = Position(size, rules=rules, komi=komi)
        require_size(player, size, size)
        self.identity = identity or Identity()
        self._clocks: dict[Color, Clock] = {Color.BLACK: Clock(), Color.WHITE: Clock()}

    def protocol(self, log: TextIO | None = None) -> Protocol:
        """Make the session: every command this engine answers."""
        return Protocol(self.handlers(), log)

    def handlers(self) -> dict[str, Handler]:
        """The commands by name, without the four that belong to the protocol itself."""
        return {
            "name": lambda words: self.identity.name,
            "version": lambda words: self.identity.version,
            "boardsize": self._boardsize,
            "clear_board": self._clear_board,
            "komi": self._komi,
            "get_komi": lambda words: f"{self.position.komi:.1f}",
            "play": self._play,
            "genmove": self._genmove,
            "undo": self._undo,
            "showboard": lambda words: "\n" + self.position.diagram(),
            "final_score": lambda words: self.position.score().text,
            "fixed_handicap": self._fixed_handicap,
            "place_free_handicap": self._place_free_handicap,
            "set_free_handicap": self._set_free_handicap,
            "time_settings": self._time_settings,
            "time_left": self._time_left,
        }

    # ---- setting up

    def _new_board(self, size: int) -> None:
        old = self.position
        self.position = Position(size, rules=old.rules, komi=old.komi)

    def _boardsize(self, words: list[str]) -> str:
        size = _whole_numbers(words, len(words) or 1, "boardsize not an integer")
        fits = set(size) == {size[0]} and 1 <= size[0] <= MAX_SIDE
        if not fits or not self.player.supports(size[0], size[0]):
            raise GtpError("unacceptable size")
        self._new_board(size[0])
        return ""

    def _clear_board(self, words: list[str]) -> str:
        self._new_board(self.position.rows)
        return ""

    def _komi(self, words: list[str]) -> str:
        komi = _number(words, "komi not a float")
        self.position.komi = komi
        return ""

    def _fixed_handicap(self, words: list[str]) -> str:
        (stones,) = _whole_numbers(words, 1, "handicap not an integer")
        self._require_empty()
        if not 2 <= stones <= largest_fixed_handicap(self.position.rows, self.position.cols):
            raise GtpError("invalid handicap")
        return self._set_handicap(fixed_handicap_points(stones, self.position.rows, self.position.cols))

    def _place_free_handicap(self, words: list[str]) -> str:
        (stones,) = _whole_numbers(words, 1, "handicap not an integer")
        self._require_empty()
        if stones < 2:
            raise GtpError("invalid handicap")
        points = free_handicap_points(stones, self.position.rows, self.position.cols)
        if len(points) < 2:
            raise GtpError("invalid handicap")
        return self._set_handicap(points)

    def _set_free_handicap(self, words: list[str]) -> str:
        self._require_empty()
        points = [self._point(word, "invalid coordinate") for word in words]
        if self.position.rows * self.position.cols in points:
            raise GtpError("invalid coordinate")
        if len(set(points)) < len(points):
            raise GtpError("repeated vertex")
        if len(points) < 2:
            raise GtpError("invalid handicap")
        return self._set_handicap(points)

    def _require_empty(self) -> None:
        if self.position.moves or self.position.stones.any():
            raise GtpError("board not empty")

    def _set_handicap(self, points: list[int]) -> str:
        vertices = [self.position.vertex(point) for point in points]
        try:
            self.position.place_free_handicap(points)
        except Move37Error:
            raise GtpError("invalid handicap") from None
        return " ".join(vertices)

    # ---- playing

    def _play(self, words: list[str]) -> str:
        if len(words) < 2:
            raise GtpError(_NO_MOVE)
        color = _color(words[0], _NO_MOVE)
        point = self._point(words[1], _NO_MOVE)
        try:
            self.position.play(point, color=color)
        except IllegalMoveError:
            raise GtpError("illegal move") from None
        return ""

    def _genmove(self, words: list[str]) -> str:
        color = _color(words[0] if words else "", "invalid color")
        decision = self.player.choose(with_to_play(self.position, color), self._clocks[color])
        if decision.resign or decision.move is None:
            return "resign"
        self.position.play(decision.move, color=color)
        return self.position.vertex(decision.move)

    def _undo(self, words: list[str]) -> str:
        if not self.position.moves:
            raise GtpError("cannot undo")
        self.position.undo()
        return ""

    def _point(self, word: str, complaint: str) -> int:
        try:
            return self.position.point(word)
        except VertexError:
            raise GtpError(complaint) from None

    # ---- time

    def _time_settings(self, words: list[str]) -> str:
        main, byo_yomi, stones = _whole_numbers(words, 3, "not three integers")
        if min(main, byo_yomi, stones) < 0:
            raise GtpError("not three integers")
        clock = Clock(float(main), float(byo_yomi), stones)
        self._clocks = {Color.BLACK: clock, Color.WHITE: clock}
        return ""

    def _time_left(self, words: list[str]) -> str:
        color = _color(words[0] if words else "", "invalid color")
        seconds, stones = _whole_numbers(words[1:], 2, "time and stones not two integers")
        self._clocks[color] = replace(self._clocks[color], time_left=float(seconds), stones_left=stones)
        return ""


def _color(word: str, complaint: str) -> Color:
    try:
        return Color.parse(word)
    except RulesError:
        raise GtpError(complaint) from None


def _number(words: list[str], complaint: str) -> float:
    try:
        number = float(words[0])
    except (IndexError, ValueError):
        raise GtpError(complaint) from None
    if not isfinite(number):
        raise GtpError(complaint)
    return number


def _whole_numbers(words: list[str], count: int, complaint: str) -> list[int]:
    """Read the first `count` words as whole numbers; `GtpError` with `complaint` where they are not."""
    numbers = [int(word) for word in words[:count] if _WHOLE_NUMBER.fullmatch(word)]
    if len(numbers) < count:
        raise GtpError(complaint)
    return numbers
