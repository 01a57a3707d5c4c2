"""What all groups of commands share: the player, and the game that the controller builds up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from move37.errors import GtpError, IllegalMoveError
from move37.evaluators.dead_stones import stones_to_remove
from move37.players.player import Player, judge_of
from move37.rules.coordinates import MAX_SIDE
from move37.rules.position import Position
from move37.rules.ruleset import Ruleset


@dataclass
class Table:
    """The player asked for moves, and the game. A command that may fail puts another position here as its last step."""

    player: Player
    position: Position
    info: dict[str, str] = field(default_factory=dict[str, str])
    """Names, date and the like of the record that the game was loaded from; empty for a game begun here."""

    def dead(self) -> tuple[str, ...]:
        """The stones that come off before the game is counted, as the player's network judges if it has one."""
        return stones_to_remove(self.position, judge_of(self.player, self.position))

    def begin(self, position: Position, info: Mapping[str, str] | None = None) -> None:
        """Put another game on the table."""
        self.position = position
        self.info = dict(info or {})

    def new_board(self, rows: int, cols: int) -> Position:
        """An empty board with the rules and the komi of now; it is not put on the table."""
        return Position(rows=rows, cols=cols, rules=self.position.rules, komi=self.position.komi)

    def require_size(self, rows: int, cols: int) -> None:
        """Refuse a board that does not exist or that the player cannot play on."""
        if not (min(rows, cols) >= 1 and max(rows, cols) <= MAX_SIDE and self.player.supports(rows, cols)):
            raise GtpError("unacceptable size")

    def change_rules(self, rules: Ruleset) -> None:
        """Go on under other rules: the game so far stays as it was played, whatever they think of it.

        `GtpError` only for a move that lifted a block in an encore, which other rules do not know.
        """
        try:
            self.position = self.position.with_rules(rules)
        except IllegalMoveError as error:
            raise GtpError(f"the game so far cannot be one under these rules: {error}") from error
