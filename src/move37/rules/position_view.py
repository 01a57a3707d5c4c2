"""All one can ask of a position without changing it: stones, chains, liberties, legality, what happened so far.

`PositionView` is the reading half of `position.Position`, and is of no use alone. Moves are vertices (``"E5"``,
``"pass"``) or points (ints, row-major from the top left; pass is rows · cols).
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from move37.errors import RulesError, VertexError
from move37.rules import board_kernels, board_svg, coordinates, diagram, records, repetition_kernels
from move37.rules.board_kernels import Board, BoardArray
from move37.rules.color import EMPTY, Color
from move37.rules.game_history import GameHistory
from move37.rules.legality import Illegal
from move37.rules.records import stones_grid
from move37.rules.ruleset import Ruleset

Move = str | int
"""A vertex such as ``"E5"`` or ``"pass"``, or a point."""


@dataclass(frozen=True)
class Chain:
    """Connected stones of one colour: ``stones`` and ``liberties`` as vertices, ``points`` as ints."""

    color: Color
    stones: tuple[str, ...]
    liberties: tuple[str, ...]
    points: tuple[int, ...]


class PositionView:
    """The questions of `Position`, which describes them."""

    def __init__(self, game: GameHistory, rules: Ruleset) -> None:
        self._game = game
        self._rules = rules
        self._handicap = 0
        self._shape = int(game.board["rows"]), int(game.board["cols"])  # fixed; reading a record's field is slow

    # ------------------------------------------------------------------------------------------------ what is

    @property
    def rows(self) -> int:
        """Number of rows."""
        return self._shape[0]

    @property
    def cols(self) -> int:
        """Number of columns."""
        return self._shape[1]

    @property
    def size(self) -> int:
        """Side of a square board; `RulesError` on another (use ``rows`` and ``cols``)."""
        if self.rows != self.cols:
            raise RulesError(f"A {self.rows}x{self.cols} board has no one size: use rows and cols.")
        return self.rows

    @property
    def board(self) -> Board:
        """The record, a view: kernels may read it; writing to it breaks undo."""
        return self._game.board

    @property
    def board_array(self) -> BoardArray:
        """The record as a batch ``BOARD[1]``, a view."""
        return self._game.boards

    @property
    def stones(self) -> NDArray[np.int8]:
        """The stones, ``int8[H, W]`` (0 empty, 1 Black, 2 White), top row first; a copy."""
        return stones_grid(self.board).copy()

    @property
    def rules(self) -> Ruleset:
        """The rules of the game."""
        return self._rules

    @property
    def handicap(self) -> int:
        """Handicap stones placed; White's bonus for them follows from the rules."""
        return self._handicap

    @property
    def white_bonus(self) -> float:
        """Points White gets for the handicap, besides komi."""
        return float(self._rules.handicap_bonus(self._handicap))

    @property
    def to_play(self) -> Color:
        """Whose turn it is."""
        return Color(int(self.board["to_play"]))

    @property
    def moves(self) -> list[tuple[Color, int]]:
        """All moves so far as (colour, point); pass is rows · cols. A copy."""
        return list(self._game.moves)

    @property
    def last_move(self) -> int | None:
        """The point of the last move (pass is rows · cols), or None at the start."""
        return self._game.moves[-1][1] if self._game.moves else None

    @property
    def move_number(self) -> int:
        """Moves played, passes included, those before an `edit` too."""
        return int(self.board["move_number"])

    @property
    def passes(self) -> int:
        """Consecutive passes just made."""
        return int(self.board["passes"])

    @property
    def is_over(self) -> bool:
        """Whether the game is over: two passes (in the last phase), a long cycle, or the rules' move limit.

        Play may go on (to take off dead stones); a stone reopens the game after passes.
        """
        return bool(board_kernels.is_over(self.board))

    @property
    def phase(self) -> int:
        """0 in the game itself, 1 and 2 in the encore phases of territory scoring (see `Ruleset`'s ``encore``)."""
        return int(self.board["phase"])

    @property
    def is_no_result(self) -> bool:
        """Whether a long cycle ended the game without a result, under simple ko or in the encore phases.

        A long cycle: the same stones with the same player to move for the third time, and no pass between.
        """
        return bool(self.board["no_result"])

    @property
    def ko_point(self) -> int | None:
        """The point that the player to move may not retake now (simple ko), or None."""
        ko = int(self.board["ko_point"])
        return None if ko == board_kernels.NO_POINT else ko

    @property
    def prisoners(self) -> dict[Color, int]:
        """Stones captured so far, by the colour that captured them (suicide counts for the other side)."""
        return {color: int(self.board["prisoners"][color]) for color in Color}

    @property
    def hash(self) -> int:
        """Zobrist hash (64 bits) of size, stones and player to move; history and rules are not in it."""
        return int(repetition_kernels.situation_hash(self.board["stones_hash"], int(self.to_play)))

    @property
    def superko_keys(self) -> NDArray[np.uint64]:
        """``uint64[n]``: the game's keys of `repetition_kernels`; under superko one a position, the present last."""
        return self._game.keys[: self._game.key_count].copy()

    # ------------------------------------------------------------------------------------------------ points

    def point(self, move: Move) -> int:
        """The point of a vertex or of an int; `VertexError` if it is neither on the board nor pass."""
        if isinstance(move, str):
            return coordinates.parse_vertex(move, self.rows, self.cols)
        return coordinates.check_move(operator.index(move), self.rows, self.cols)

    def vertex(self, point: int) -> str:
        """The vertex of a point, ``"pass"`` for pass."""
        return coordinates.format_vertex(point, self.rows, self.cols)

    def stone_at(self, point: Move) -> Color | None:
        """The colour of the stone at a point, or None."""
        stone = records.stone_at(self.board, self._on_board(point))
        return None if stone == EMPTY else Color(stone)

    def neighbors(self, point: Move) -> list[str]:
        """The vertices beside a point."""
        return self._vertices(records.neighbors(self._on_board(point), self.rows, self.cols))

    def chain(self, point: Move) -> Chain:
        """The chain at a point; `VertexError` if there is no stone."""
        where = self._on_board(point)
        points = records.chain_points(self.board, where)
        if not points:
            raise VertexError(f"There is no stone at {self.vertex(where)}: name a point with a stone.")
        liberties = self._vertices(records.chain_liberties(self.board, where))
        color = Color(records.stone_at(self.board, where))
        return Chain(color, tuple(self._vertices(points)), tuple(liberties), tuple(points))

    def chains(self, color: Color | str | None = None) -> list[Chain]:
        """All chains, of one colour or of both, by their first stone from the top left."""
        wanted = None if color is None else Color.parse(color)
        seen: set[int] = set()
        found: list[Chain] = []
        for point in (int(stone) for stone in np.flatnonzero(stones_grid(self.board))):
            if point not in seen:
                found.append(self.chain(point))
                seen.update(found[-1].points)
        return [chain for chain in found if wanted in (None, chain.color)]

    def liberties(self, point: Move) -> list[str]:
        """The liberties of the chain at a point as vertices; `VertexError` if there is no stone."""
        return list(self.chain(point).liberties)

    # ------------------------------------------------------------------------------------------------ legality

    def why_illegal(self, move: Move, color: Color | str | None = None) -> Illegal | None:
        """Why ``color`` (or the player to move) may not play there, or None if it may.

        A vertex off the board is a reason too. Out of turn, simple ko does not bind (who fills a ko does not retake
        it) but superko does.
        """
        player = self._player(color)
        try:
            point = self.point(move)
        except VertexError:
            return Illegal.OFF_BOARD
        code = board_kernels.why_illegal(self._game.as_seen_by(player), point, int(player))
        return Illegal(code) if code else None

    def is_legal(self, move: Move, color: Color | str | None = None) -> bool:
        """Whether ``color`` (or the player to move) may play there. Pass is always legal."""
        return self.why_illegal(move, color) is None

    def legal_mask(self, color: Color | str | None = None) -> NDArray[np.bool_]:
        """``bool[A]``: where ``color`` (or the player to move) may play, pass last and always True."""
        player = self._player(color)
        mask = np.zeros(self.rows * self.cols + 1, dtype=np.bool_)
        board_kernels.legal_mask(self._game.as_seen_by(player), int(player), mask)
        return mask

    def legal_moves(self, color: Color | str | None = None) -> list[str]:
        """The vertices where ``color`` (or the player to move) may play, from the top left, then ``"pass"``."""
        return self._vertices(int(move) for move in np.flatnonzero(self.legal_mask(color)))

    def captures(self, move: Move, color: Color | str | None = None) -> list[str]:
        """The vertices of the stones that ``color`` (or the player to move) would take by playing there."""
        point, player = self.point(move), self._player(color)
        if point == self.rows * self.cols or self._only_unblocks(point, player):
            return []
        return self._vertices(records.captured_points(self.board, point, player))

    def is_capture(self, move: Move, color: Color | str | None = None) -> bool:
        """Whether ``color`` (or the player to move) would take stones there."""
        return bool(self.captures(move, color))

    # ------------------------------------------------------------------------------------------------ pictures

    def diagram(self) -> str:
        """The board as text with coordinates, the last stone in parentheses; `Position.from_diagram` reads it."""
        return diagram.format_diagram(stones_grid(self.board), self.last_move)

    def svg(
        self,
        *,
        labels: Mapping[Move, str] | None = None,
        marks: Mapping[Move, str] | None = None,
        coordinates: bool = True,
        width: int = 420,
    ) -> str:
        """The board as an SVG drawing ``width`` pixels wide: short texts on points, and points coloured as in CSS.

        >>> from move37.rules.position import Position
        >>> "<svg" in Position(9).svg(labels={"E5": "1"}, marks={"C3": "tomato"})
        True
        """
        return board_svg.board_svg(
            stones_grid(self.board),
            last=self.last_move,
            labels={self._on_board(move): text for move, text in (labels or {}).items()},
            marks={self._on_board(move): color for move, color in (marks or {}).items()},
            coordinates=coordinates,
            width=width,
        )

    def _repr_html_(self) -> str:
        return self.svg()

    def _repr_svg_(self) -> str:
        return self.svg()

    # ------------------------------------------------------------------------------------------------ helpers

    def _player(self, color: Color | str | None) -> Color:
        return self.to_play if color is None else Color.parse(color)

    def _only_unblocks(self, point: int, player: Color) -> bool:
        """Whether a turn at a point lifts a ko-recapture block, and so puts no stone (in the encore phases)."""
        return self.phase > 0 and board_kernels.unblocked_by(self.board, point, int(player)) != board_kernels.NO_POINT

    def _on_board(self, move: Move) -> int:
        """A point that is not pass."""
        point = self.point(move)
        if point == self.rows * self.cols:
            raise VertexError("'pass' is not a point of the board: name a vertex such as 'A1'.")
        return point

    def _vertices(self, points: Iterable[int]) -> list[str]:
        rows, cols = self._shape
        return [coordinates.format_vertex(point, rows, cols) for point in points]
