"""What all groups of commands share: the player, and the game that the controller builds up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from move37.errors import GtpError, IllegalMoveError
from move37.evaluators.dead_stones import stones_to_remove
from move37.gtp.settings import Settings
from move37.players.player import Analyst, Clock, Player, judge_of, with_to_play
from move37.rules.color import Color
from move37.rules.coordinates import MAX_SIDE
from move37.rules.position import Position
from move37.rules.ruleset import Ruleset
from move37.search.result import SearchResult


@dataclass(frozen=True)
class Thought:
    """The last search: what it found, for whose move, and of which position."""

    result: SearchResult
    mover: Color
    key: tuple[object, ...]


def _clocks() -> dict[Color, Clock]:
    return {color: Clock() for color in Color}


@dataclass
class Table:
    """The player asked for moves, and the game. A command that may fail puts another position here as its last step.

    info: names, date and the like of the record that the game was loaded from; empty for a game begun here.
    clocks: as the controller told them. most_seconds: for one move, whatever the clock says. thought: the last search.
    may_ponder: the last that happened to the game was a move of ours.
    """

    player: Player
    position: Position
    info: dict[str, str] = field(default_factory=dict[str, str])
    settings: Settings = field(default_factory=Settings)
    clocks: dict[Color, Clock] = field(default_factory=_clocks)
    most_seconds: float | None = None
    thought: Thought | None = None
    may_ponder: bool = False

    @property
    def analyst(self) -> Analyst | None:
        """The player, if it searches and its search can be looked at."""
        return self.player if isinstance(self.player, Analyst) else None

    def dead(self) -> tuple[str, ...]:
        """The stones that come off before the game is counted, as the player's network judges if it has one."""
        return stones_to_remove(self.position, judge_of(self.player, self.position))

    def begin(self, position: Position, info: Mapping[str, str] | None = None) -> None:
        """Put another game on the table."""
        self.position = position
        self.info = dict(info or {})
        self.thought = None
        self.may_ponder = False

    def to_move(self, color: Color) -> Position:
        """The position with `color` to move: the game's own, or a copy where it is not that side's turn."""
        return with_to_play(self.position, color)

    def think(self, result: SearchResult, position: Position) -> None:
        """Remember what a search of `position` found."""
        self.thought = Thought(result, position.to_play, _key(position))

    def thought_of(self, position: Position) -> SearchResult | None:
        """What the last search found, if it was of `position`."""
        return self.thought.result if self.thought is not None and self.thought.key == _key(position) else None

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
        self.may_ponder = False


def _key(position: Position) -> tuple[object, ...]:
    """What makes positions of one game differ, for a search."""
    board = position.board
    fields = ("stones_hash", "to_play", "ko_point", "move_number", "phase", "passes", "komi")
    return position.rows, position.cols, position.rules, *(board[name].item() for name in fields)
