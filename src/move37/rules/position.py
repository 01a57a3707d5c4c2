"""The game a person plays: a board record with its rules, its moves, undo, superko and score.

`Position` is the friendly object around one record of `board_kernels` plus what only a game has: all moves, the keys
of all positions for superko, and the way back. Undo keeps a snapshot every few moves and replays the rest, so a
position stays small.

Moves are vertices (``"E5"``, ``"pass"``) or points (ints, row-major from the top left; pass is rows · cols). Nothing
here knows clocks, players, resignation or agreement about dead stones (but `score` takes a list of dead ones).
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from move37.errors import IllegalMoveError, RulesError, SetupError, VertexError
from move37.rules import board_kernels, coordinates, diagram, handicap, records, territory
from move37.rules.color import EMPTY, Color
from move37.rules.game_history import GameHistory
from move37.rules.legality import Illegal
from move37.rules.position_view import Chain, Move, PositionView
from move37.rules.records import stones_grid
from move37.rules.result import Result
from move37.rules.ruleset import Ruleset, ruleset
from move37.rules.scoring import Score, check_komi
from move37.rules.territory import Count

__all__ = ["Chain", "Illegal", "Move", "Position", "Score", "stones_grid"]

_STATE_FIELDS = (
    "phase",
    "no_result",
    "button",
    "play_bonus",
    "ko_recapture_blocked",
    "encore_stones",
)
"""Further fields in which equal positions are equal; all of them are the same in most games."""


class Position(PositionView):
    """A Go position with its game.

    ``size`` gives a square board, ``rows`` and ``cols`` another one (1 to 19 each); ``rules`` is a name, a `Ruleset`
    or a dict; ``komi`` a whole or half number. Raises `RulesError` for what does not exist.

    Two positions are equal if the game can go on from them in the same ways to the same results: equal boards, rules,
    komi and bonus, player to move, passes just made, ko point and, under superko, the same set of earlier positions;
    under a move limit also the number of moves. The order of moves does not count, nor do prisoners (under territory
    scoring their difference does), nor how often a position occurred where that may only end the game (simple ko).

    >>> game = Position(size=5, rules="chinese", komi=0.5)
    >>> game.play("C3")
    >>> print(game)
       A B C D E
     5 . . . . . 5
     4 . . . . . 4
     3 . .(X). . 3
     2 . . . . . 2
     1 . . . . . 1
       A B C D E
    White to play, move 2, prisoners: Black 0, White 0, komi 0.5
    >>> game.score().text
    'B+24.5'
    """

    __hash__ = None  # type: ignore[assignment]  # mutable, like list

    def __init__(
        self,
        size: int = 19,
        *,
        rows: int | None = None,
        cols: int | None = None,
        rules: str | Ruleset | Mapping[str, Any] = "tromp-taylor",
        komi: float = 7.5,
    ) -> None:
        if (rows is None) != (cols is None):
            raise RulesError("A board that is not square needs both rows and cols.")
        if _is_pair(size):
            raise RulesError(f"A size is one number, not {size!r:.60}: give rows= and cols= where they differ.")
        height = size if rows is None else rows
        width = size if cols is None else cols
        coordinates.check_size(height, width)
        chosen = ruleset(rules)
        self._komi = check_komi(komi)
        super().__init__(GameHistory(records.new_records(1, height, width, chosen, self._komi)), chosen)

    @classmethod
    def from_moves(cls, moves: Iterable[Move | tuple[Color | str, Move]], size: int = 19, **settings: Any) -> Position:
        """A new position after these moves; ``settings`` are as of `Position`, a pair also names the colour."""
        position = cls(size, **settings)
        position.play_many(moves)
        return position

    @classmethod
    def from_diagram(
        cls,
        text: str,
        *,
        to_play: Color | str | None = None,
        rules: str | Ruleset | Mapping[str, Any] = "tromp-taylor",
        komi: float = 7.5,
    ) -> Position:
        """Read a diagram as `diagram` and ``str`` draw it: stones and, if told, who is to play (else Black).

        There is no history and no ko. Raises `SetupError` if the text has no board or a chain on it has no liberty.
        """
        grid, told = diagram.parse_diagram(text)
        position = cls(rows=grid.shape[0], cols=grid.shape[1], rules=rules, komi=komi)
        flat = grid.ravel()
        stones = {color: [int(point) for point in np.flatnonzero(flat == color)] for color in Color}
        position.setup(stones[Color.BLACK], stones[Color.WHITE], told if to_play is None else to_play)
        return position

    @property
    def komi(self) -> float:
        """Points for White; may be set at any time to a whole or half number."""
        return self._komi

    @komi.setter
    def komi(self, komi: float) -> None:
        self._komi = check_komi(komi)
        self.board["komi"] = self._komi

    @property
    def handicap(self) -> int:
        """Handicap stones, from which White's bonus follows. May be set where Black's first moves are the handicap."""
        return self._handicap

    @handicap.setter
    def handicap(self, stones: int) -> None:
        count = operator.index(stones)
        if count < 0:
            raise SetupError(f"A handicap of {count} stones is not possible: use 0 or more.")
        self._handicap = count
        self.board["white_bonus"] = self.white_bonus

    def is_self_atari(self, move: Move, color: Color | str | None = None) -> bool:
        """Whether the stone played there would be in a chain with one liberty; `IllegalMoveError` if it is illegal.

        Never for a pass, nor where an encore's turn only lifts a block.
        """
        after = self.copy()
        after.play(move, color)
        point = self.point(move)
        if point == self.rows * self.cols or records.stone_at(after.board, point) != self._player(color):
            return False
        return len(records.chain_liberties(after.board, point)) == 1

    # ------------------------------------------------------------------------------------------------ playing

    def play(self, move: Move, color: Color | str | None = None, *, force: bool = False) -> None:
        """Play a move; ``color`` is only for a move out of turn. Afterwards the other colour is to play.

        ``force`` plays what a game record says although ko, superko or suicide forbids it here. Raises `VertexError` or
        `IllegalMoveError`; the position is then unchanged.
        """
        player = self._player(color)
        point = self.point(move)
        code = board_kernels.why_illegal(self._game.as_seen_by(player), point, int(player))
        if code and not (force and code != Illegal.OCCUPIED):
            raise IllegalMoveError(
                f"Move {self.move_number + 1}, {player.title} {self.vertex(point)}, "
                f"is illegal: {Illegal(code).sentence}."
            )
        self._game.play(player, point)

    def play_many(self, moves: Iterable[Move | tuple[Color | str, Move]]) -> None:
        """Play several moves, each a move or a pair (colour, move); if one is wrong none is played."""
        before = len(self._game.moves)
        try:
            for entry in moves:
                color, move = entry if isinstance(entry, tuple) else (None, entry)
                self.play(move, color)
        except Exception:
            self._game.go_back_to(before)
            raise

    def undo(self) -> tuple[Color, int]:
        """Take the last move back and return it as (colour, point); every field is as before it.

        Raises `IllegalMoveError` if no move was played; setup and handicap stones are not moves. Komi is not a move
        either and stays.
        """
        if not self._game.moves:
            raise IllegalMoveError("There is no move to undo: this is the start of the game.")
        last = self._game.moves[-1]
        self._game.go_back_to(len(self._game.moves) - 1)
        return last

    def copy(self) -> Position:
        """An independent position with the same game."""
        twin = object.__new__(type(self))
        twin._rules, twin._komi, twin._handicap = self._rules, self._komi, self._handicap
        twin._shape = self._shape
        twin._game = self._game.copy()
        return twin

    def root(self) -> Position:
        """The position before the first move, with setup and handicap stones: an independent one without moves."""
        start = self.copy()
        start._game.go_back_to(0)
        return start

    def with_rules(self, rules: str | Ruleset | Mapping[str, Any]) -> Position:
        """The same game under other rules; komi, setup and handicap stay, and the moves, legal or not.

        `IllegalMoveError` only for a move onto a stone, which lifted a ko-recapture block in an encore.
        """
        twin = self.copy()
        twin._rules = ruleset(rules)
        start = self._game.start()
        records.write_rules(start, twin._rules)
        if not (self._rules.has_button and twin._rules.has_button):
            start["play_bonus"] = 0.0
        records.set_up(start, {}, int(start["to_play"][0]), keep=True)
        start["komi"], start["white_bonus"] = self._komi, twin.white_bonus
        twin._game = GameHistory(start)
        for color, point in self._game.moves:
            twin.play(point, color, force=True)
        return twin

    __copy__ = copy

    def __deepcopy__(self, memo: object) -> Position:
        return self.copy()

    def clear(self) -> None:
        """Empty the board and forget the game; size, rules and komi stay."""
        self._handicap = 0
        self._game = GameHistory(records.new_records(1, self.rows, self.cols, self._rules, self._komi))

    def setup(
        self,
        black: Iterable[Move] = (),
        white: Iterable[Move] = (),
        to_play: Color | str | None = None,
        *,
        empty: Iterable[Move] = (),
    ) -> None:
        """Put stones on the board (or take some off: ``empty``) before the first move; ``to_play`` moves first.

        Raises `SetupError` after the first move, for a point named twice and for a chain without liberty,
        `VertexError` for a wrong vertex; the position is then unchanged.
        """
        if self.move_number:
            raise SetupError("Stones can be set up only before the first move: use clear() or edit().")
        self.edit(black, white, to_play, empty=empty)

    def edit(
        self,
        black: Iterable[Move] = (),
        white: Iterable[Move] = (),
        to_play: Color | str | None = None,
        *,
        empty: Iterable[Move] = (),
    ) -> None:
        """Change stones at any time, as game records do; nothing is captured and there is no ko.

        Prisoners, the button and the move number stay; the history of the game starts anew here, so the moves before
        can neither be undone nor repeated, and an encore is left again. Errors are those of `setup`.
        """
        stones: dict[int, int] = {}
        for color, named in ((Color.BLACK, black), (Color.WHITE, white), (EMPTY, empty)):
            for point in (self._on_board(move) for move in named):
                if stones.setdefault(point, color) != color:
                    raise SetupError(
                        f"{self.vertex(point)} is set up twice with different contents: name each point once."
                    )
        self._set_up(stones, self._player(to_play), keep=self.move_number > 0)

    def place_handicap(self, stones: int) -> list[str]:
        """Place 2 to 9 black stones on the fixed handicap points of an empty board; White is to play.

        Returns their vertices in GTP's order. Raises `SetupError` if the board is not empty or has too few places.
        """
        return self.place_free_handicap(handicap.fixed_handicap_points(stones, self.rows, self.cols))

    def place_free_handicap(self, stones: Sequence[Move]) -> list[str]:
        """Place black handicap stones, at least 2, anywhere on an empty board; White is to play.

        Returns their vertices. Raises `SetupError` if the board is not empty, for fewer than 2 stones, a point named
        twice or a full board.
        """
        points = [self._on_board(move) for move in stones]
        if self.move_number or self.stones.any():
            raise SetupError(
                "Handicap stones can be placed only on an empty board before the first move: use clear() first."
            )
        if len(points) < 2 or len(set(points)) < len(points):
            raise SetupError(
                f"A handicap is 2 or more different points, not {' '.join(self._vertices(points)) or 'none'}."
            )
        self._set_up(dict.fromkeys(points, int(Color.BLACK)), Color.WHITE, handicap=len(points))
        return self._vertices(points)

    # ------------------------------------------------------------------------------------------------ results

    def area(self, dead: Iterable[Move] = ()) -> NDArray[np.int8]:
        """Who owns each point by area scoring, ``int8[H, W]`` (0 nobody, 1, 2), without the ``dead`` chains."""
        return territory.count(self._game.boards, ruleset("tromp-taylor"), self._dead_points(dead)).owner

    def count(self, dead: Iterable[Move] = ()) -> Count:
        """Count the board by the rules, point by point, whether or not the game is over.

        Every chain with a stone in ``dead`` (moves, or a text such as ``"E5 C3"``) is taken off first (`VertexError`
        where there is none); without ``dead`` the board counts as it stands, which under area scoring is Tromp and
        Taylor's count. In the encore phases, where play settles what is dead, the count is KataGo's and ``dead`` must
        be empty (`RulesError`). After a long cycle the score's ``note`` says that the game has no result.
        """
        points = self._dead_points(dead)
        if not self.phase:
            return territory.count(self._game.boards, self._rules, points)
        if points:
            raise RulesError("In the encore stones are dead that are taken by play: name none.")
        return territory.count_encore(self._game.boards, self._rules)

    def score(self, dead: Iterable[Move] = ()) -> Score:
        """The score of `count`: it names its rule, the stones taken off and the sum of each side.

        White's points hold komi and handicap bonus.
        """
        return self.count(dead).score

    def result(self, dead: Iterable[Move] = ()) -> Result:
        """The result of a game that is over, counted without the ``dead`` chains; unknown while it goes on.

        After a long cycle it is *void*. Resignations and the like are not a position's: see `rules.result.Result`.
        """
        if not self.is_over:
            return Result()
        return Result(reason="void") if self.is_no_result else self.score(dead).result

    def __str__(self) -> str:
        taken = self.prisoners
        state = "game over" if self.is_over else f"{self.to_play.title} to play"
        return (
            f"{self.diagram()}\n{state}, move {self.move_number + 1}, "
            f"prisoners: Black {taken[Color.BLACK]}, White {taken[Color.WHITE]}, komi {self.komi:g}"
        )

    def __repr__(self) -> str:
        return (
            f"<Position {self.rows}x{self.cols} {self._rules.name} komi {self.komi:g}, "
            f"{self.move_number} moves, {self.to_play.word} to play>"
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        same = self._state() == other._state() and bool(np.array_equal(self.stones, other.stones))
        return same and (
            not self._game.has_bans() or set(self.superko_keys.tolist()) == set(other.superko_keys.tolist())
        )

    # ------------------------------------------------------------------------------------------------ helpers

    def _dead_points(self, dead: Iterable[Move]) -> list[int]:
        """Points named dead; each must hold a stone, or a slip of the pen would change the score unnoticed."""
        points = [self._on_board(move) for move in (dead.split() if isinstance(dead, str) else dead)]
        for point in points:
            if not records.stone_at(self.board, point):
                raise VertexError(f"There is no stone at {self.vertex(point)} to take off as dead: name a stone.")
        return points

    def _state(self) -> tuple[object, ...]:
        """All that makes positions differ but the stones and superko."""
        rules = tuple(self._rules.to_dict().items())
        return (
            self.rows,
            self.cols,
            rules,
            self.komi,
            self.white_bonus,
            self.to_play,
            min(self.passes, 2),
            self.ko_point,
            self.move_number if self._rules.move_limit else None,
            *(self.board[name].tobytes() for name in _STATE_FIELDS),
        )

    def _set_up(self, stones: Mapping[int, int], to_play: Color, handicap: int = 0, keep: bool = False) -> None:
        boards = self._game.boards.copy()
        breathless = records.set_up(boards, stones, int(to_play), keep=keep)
        if breathless >= 0:
            raise SetupError(f"The chain at {self.vertex(breathless)} would have no liberty: leave each chain one.")
        self._handicap = handicap or self._handicap
        boards["white_bonus"] = self.white_bonus
        self._game = GameHistory(boards)


def _is_pair(size: object) -> bool:
    """Whether callers without types gave rows and columns as one thing."""
    return isinstance(size, tuple | list)
