"""Our side of a GTP session: the game that the controller builds up, and a player that is asked for moves.

Errors are worded as GNU Go words them, because controllers look for those words. Colours are taken as they come: two
moves in a row by one side, or moves after two passes, are played (cleaning up is how a controller counts). A command
that fails leaves the game as it was. Komi and rules outlive `boardsize` and `clear_board`, as in GNU Go; the game
does not.

Playing, clocks and names are here; the other commands come in groups: `setup_commands`, `rules_commands`,
`result_commands`, `record_commands`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TextIO

from move37.errors import GtpError, IllegalMoveError
from move37.gtp.arguments import color_of, point_of, whole_numbers
from move37.gtp.protocol import Handler, Protocol, TextHandler
from move37.gtp.record_commands import RecordCommands
from move37.gtp.result_commands import ResultCommands
from move37.gtp.rules_commands import RulesCommands
from move37.gtp.setup_commands import SetupCommands
from move37.gtp.table import Table
from move37.players.player import Clock, Player, require_size, with_to_play
from move37.rules.color import Color
from move37.rules.position import Position
from move37.rules.ruleset import Ruleset

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
        self._table = Table(player, Position(size, rules=rules, komi=komi))
        require_size(player, size, size)
        self.identity = identity or Identity()
        self._clocks: dict[Color, Clock] = {Color.BLACK: Clock(), Color.WHITE: Clock()}
        self._rules = RulesCommands(self._table)
        self._records = RecordCommands(self._table)

    @property
    def position(self) -> Position:
        """The game so far."""
        return self._table.position

    def protocol(self, log: TextIO | None = None) -> Protocol:
        """Make the session: every command this engine answers."""
        return Protocol(self.handlers(), log, self.text_handlers())

    def handlers(self) -> dict[str, Handler]:
        """The commands by name, without the four that belong to the protocol itself."""
        return {
            "name": lambda words: self.identity.name,
            "version": lambda words: self.identity.version,
            "play": self._play,
            "genmove": self._genmove,
            "undo": self._undo,
            "showboard": lambda words: "\n" + self.position.diagram(),
            "time_settings": self._time_settings,
            "time_left": self._time_left,
            **SetupCommands(self._table).handlers(),
            **self._rules.handlers(),
            **ResultCommands(self._table).handlers(),
        }

    def text_handlers(self) -> dict[str, TextHandler]:
        """The commands that take the rest of their line as one text."""
        return self._rules.text_handlers() | self._records.text_handlers()

    # ---- playing

    def _play(self, words: list[str]) -> str:
        if len(words) < 2:
            raise GtpError(_NO_MOVE)
        color = color_of(words[0], _NO_MOVE)
        point = point_of(self.position, words[1], _NO_MOVE)
        try:
            self.position.play(point, color=color)
        except IllegalMoveError:
            raise GtpError("illegal move") from None
        return ""

    def _genmove(self, words: list[str]) -> str:
        color = color_of(words[0] if words else "", "invalid color")
        decision = self._table.player.choose(with_to_play(self.position, color), self._clocks[color])
        if decision.resign or decision.move is None:
            return "resign"
        self.position.play(decision.move, color=color)
        return self.position.vertex(decision.move)

    def _undo(self, words: list[str]) -> str:
        if not self.position.moves:
            raise GtpError("cannot undo")
        self.position.undo()
        return ""

    # ---- time

    def _time_settings(self, words: list[str]) -> str:
        main, byo_yomi, stones = whole_numbers(words, 3, "not three integers")
        if min(main, byo_yomi, stones) < 0:
            raise GtpError("not three integers")
        clock = Clock(float(main), float(byo_yomi), stones)
        self._clocks = {Color.BLACK: clock, Color.WHITE: clock}
        return ""

    def _time_left(self, words: list[str]) -> str:
        color = color_of(words[0] if words else "", "invalid color")
        seconds, stones = whole_numbers(words[1:], 2, "time and stones not two integers")
        self._clocks[color] = replace(self._clocks[color], time_left=float(seconds), stones_left=stones)
        return ""
