"""The commands that make a new board: its size, its first stones, handicaps; and komi."""

from __future__ import annotations

from move37.errors import GtpError, Move37Error
from move37.gtp.arguments import color_of, number_of, point_of, whole_numbers
from move37.gtp.handicap import free_handicap_points
from move37.gtp.protocol import Handler
from move37.gtp.table import Table
from move37.rules.color import Color
from move37.rules.handicap import fixed_handicap_points, largest_fixed_handicap

_NO_STONE = "invalid color or coordinate"


class SetupCommands:
    """Komi and rules outlive a new board, as in GNU Go; the game does not."""

    def __init__(self, table: Table) -> None:
        self._table = table

    def handlers(self) -> dict[str, Handler]:
        """The commands by name."""
        return {
            "boardsize": self._boardsize,
            "rectangular_boardsize": self._rectangular_boardsize,
            "clear_board": self._clear_board,
            "komi": self._komi,
            "get_komi": lambda words: f"{self._table.position.komi:.1f}",
            "set_position": self._set_position,
            "fixed_handicap": self._fixed_handicap,
            "place_free_handicap": self._place_free_handicap,
            "set_free_handicap": self._set_free_handicap,
        }

    # ---- the board

    def _boardsize(self, words: list[str]) -> str:
        """`boardsize N`, or as in KataGo `boardsize COLUMNS ROWS`."""
        size = whole_numbers(words, len(words) or 1, "boardsize not an integer")
        if len(size) > 2:
            raise GtpError("unacceptable size")
        return self._start(size[0], size[-1])

    def _rectangular_boardsize(self, words: list[str]) -> str:
        cols, rows = whole_numbers(words, 2, "boardsize not two integers")
        return self._start(cols, rows)

    def _start(self, cols: int, rows: int) -> str:
        self._table.require_size(rows, cols)
        self._table.begin(self._table.new_board(rows, cols))
        return ""

    def _clear_board(self, words: list[str]) -> str:
        position = self._table.position
        self._table.begin(self._table.new_board(position.rows, position.cols))
        return ""

    def _komi(self, words: list[str]) -> str:
        self._table.position.komi = number_of(words, "komi not a float")
        return ""

    def _set_position(self, words: list[str]) -> str:
        """`set_position COLOR VERTEX COLOR VERTEX ...`: these stones and no others, Black to play, no history."""
        if len(words) % 2:
            raise GtpError(_NO_STONE)
        position = self._table.new_board(self._table.position.rows, self._table.position.cols)
        stones: dict[Color, list[int]] = {Color.BLACK: [], Color.WHITE: []}
        for color, vertex in zip(words[::2], words[1::2], strict=True):
            point = point_of(position, vertex, _NO_STONE)
            if point == position.rows * position.cols:
                raise GtpError(_NO_STONE)
            stones[color_of(color, _NO_STONE)].append(point)
        position.setup(stones[Color.BLACK], stones[Color.WHITE])
        self._table.begin(position)
        return ""

    # ---- handicaps

    def _fixed_handicap(self, words: list[str]) -> str:
        (stones,) = whole_numbers(words, 1, "handicap not an integer")
        rows, cols = self._empty_board()
        if not 2 <= stones <= largest_fixed_handicap(rows, cols):
            raise GtpError("invalid handicap")
        return self._set_handicap(fixed_handicap_points(stones, rows, cols))

    def _place_free_handicap(self, words: list[str]) -> str:
        (stones,) = whole_numbers(words, 1, "handicap not an integer")
        rows, cols = self._empty_board()
        if stones < 2:
            raise GtpError("invalid handicap")
        points = free_handicap_points(stones, rows, cols)
        if len(points) < 2:
            raise GtpError("invalid handicap")
        return self._set_handicap(points)

    def _set_free_handicap(self, words: list[str]) -> str:
        rows, cols = self._empty_board()
        points = [point_of(self._table.position, word, "invalid coordinate") for word in words]
        if rows * cols in points:
            raise GtpError("invalid coordinate")
        if len(set(points)) < len(points):
            raise GtpError("repeated vertex")
        if len(points) < 2:
            raise GtpError("invalid handicap")
        return self._set_handicap(points)

    def _empty_board(self) -> tuple[int, int]:
        """Rows and columns of the board; `GtpError` if it is not empty."""
        position = self._table.position
        if position.move_number or position.stones.any():
            raise GtpError("board not empty")
        return position.rows, position.cols

    def _set_handicap(self, points: list[int]) -> str:
        position = self._table.position
        vertices = [position.vertex(point) for point in points]
        try:
            position.place_free_handicap(points)
        except Move37Error:
            raise GtpError("invalid handicap") from None
        return " ".join(vertices)
