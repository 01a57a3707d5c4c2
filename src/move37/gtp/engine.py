"""Our side of a GTP session: the game that the controller builds up, and a player that is asked for moves.

Errors are worded as GNU Go words them, because controllers look for those words. Colours are taken as they come: two
moves in a row by one side, or moves after two passes, are played (cleaning up is how a controller counts). A command
that fails leaves the game as it was. Komi and rules outlive `boardsize` and `clear_board`, as in GNU Go; the game
does not.

The commands come in groups, a file each. What is offered depends on the player: one that searches can analyse, one with
a network can show what it sees. Everything runs in one thread: a search looks itself whether input waits.
"""

from __future__ import annotations

from typing import TextIO

from move37.gtp.analyze_commands import AnalyzeCommands, ponder
from move37.gtp.clock_commands import ClockCommands
from move37.gtp.engine_commands import EngineCommands, Identity
from move37.gtp.gogui_commands import GoGuiCommands
from move37.gtp.input import Input
from move37.gtp.network_commands import NetworkCommands
from move37.gtp.param_commands import ParamCommands
from move37.gtp.play_commands import PlayCommands
from move37.gtp.protocol import Commands, Handler, Protocol, StreamHandler, TextHandler
from move37.gtp.record_commands import RecordCommands
from move37.gtp.result_commands import ResultCommands
from move37.gtp.rules_commands import RulesCommands
from move37.gtp.settings import Settings
from move37.gtp.setup_commands import SetupCommands
from move37.gtp.stops import UntilInput
from move37.gtp.table import Table
from move37.players.player import Player, Seer, require_size
from move37.rules.position import Position
from move37.rules.ruleset import Ruleset

__all__ = ["Engine", "Identity"]


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
        settings: Settings | None = None,
    ) -> None:
        self._table = Table(player, Position(size, rules=rules, komi=komi), settings=settings or Settings())
        require_size(player, size, size)
        self.identity = identity or Identity()

    @property
    def position(self) -> Position:
        """The game so far."""
        return self._table.position

    def protocol(self, log: TextIO | None = None) -> Protocol:
        """Make the session: every command this engine answers."""
        return Protocol(self.commands(), log)

    def commands(self) -> Commands:
        """The commands, without the four that belong to the protocol itself."""
        table = self._table
        play, engine, gogui = PlayCommands(table), EngineCommands(table, self.identity), GoGuiCommands(table)
        rules, records, params = RulesCommands(table), RecordCommands(table), ParamCommands(table)
        plain: dict[str, Handler] = {
            "showboard": lambda words: "\n" + self.position.diagram(),
            **engine.handlers(),
            **play.handlers(),
            **ClockCommands(table).handlers(),
            **SetupCommands(table).handlers(),
            **rules.handlers(),
            **ResultCommands(table).handlers(),
            **params.handlers(),
            **gogui.handlers(),
        }
        text: dict[str, TextHandler] = rules.text_handlers() | records.text_handlers() | params.text_handlers()
        stream: dict[str, StreamHandler] = engine.stream_handlers() | play.stream_handlers() | gogui.stream_handlers()
        if isinstance(table.player, Seer):
            plain |= NetworkCommands(table, table.player).handlers()
        if table.analyst is not None:
            stream |= AnalyzeCommands(table, table.analyst).stream_handlers()
        return Commands(plain, text, stream, self._idle)

    def _idle(self, source: Input) -> None:
        settings, player = self._table.settings, self._table.analyst
        if player is not None:
            ponder(self._table, player, UntilInput(source, settings.visits, settings.seconds))
