"""The planes of 2016, of the articles and of hand-made features the obvious way: an oracle for the kernels.

Stones are flood-filled anew for every question, moves are tried on the oracle board, history is read from the list of
moves and by taking moves back. Legality is the position's own, which other tests compare with the oracle board.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from move37.rules.color import Color
from move37.rules.position import Position
from tests.support.oracle_board import BLACK, EMPTY, WHITE, OracleBoard, Outcome
from tests.support.slow_eye import slow_is_own_eye
from tests.support.slow_features import grids
from tests.support.slow_ladders import SlowLadders

Planes = NDArray[np.float32]


class View:
    """A position as the planes see it: points are numbers, colours 1 and 2, `own` is to play."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.rows, self.cols = position.rows, position.cols
        self.points = range(self.rows * self.cols)
        self.own, self.enemy = int(position.to_play), 3 - int(position.to_play)
        stones = [int(stone) for stone in position.stones.ravel()]
        self.board = OracleBoard(self.rows, self.cols, stones=stones)
        self.stones = self.board.stones
        self.legal = [bool(legal) for legal in position.legal_mask()[:-1]]
        self.reader = SlowLadders(self.rows, self.cols)
        self.ko = -1 if position.ko_point is None else position.ko_point

    def plane(self, is_one: Callable[[int], bool]) -> Planes:
        """A plane float32[H, W] of ones where `is_one(point)`."""
        return np.array([is_one(p) for p in self.points], np.float32).reshape(self.rows, self.cols)

    def one_hot(self, number: Callable[[int], int], count: int, *, capped: bool) -> Planes:
        """`count` planes: plane i is one where `number(point)` is i + 1; if capped, larger numbers are in the last."""
        numbers = np.array([number(p) for p in self.points]).reshape(self.rows, self.cols)
        shown = np.minimum(numbers, count) if capped else numbers
        return np.stack([shown == i + 1 for i in range(count)]).astype(np.float32)

    def at(self, points: Iterable[int]) -> Planes:
        """A plane of ones at these points."""
        return self.plane(set(points).__contains__)

    def stones_of(self, color: int) -> Planes:
        """A plane of ones at the stones of a colour, or at the empty points."""
        return self.plane(lambda p: self.stones[p] == color)

    def all_over(self, value: float) -> Planes:
        return np.full((self.rows, self.cols), value, np.float32)

    @cached_property
    def outcomes(self) -> dict[int, Outcome]:
        """What each legal move of the player does to the stones."""
        return {p: self.board.outcome(p, self.own) for p in self.points if self.legal[p]}

    def liberties(self, point: int) -> int:
        return len(self.board.liberties(point)) if self.stones[point] != EMPTY else 0

    def after(self, point: int) -> OracleBoard:
        """The board after a legal move."""
        return OracleBoard(self.rows, self.cols, stones=self.outcomes[point].stones)

    def liberties_after(self, point: int) -> int:
        """Of the chain a move makes; 0 for suicide and where there is no move."""
        if point not in self.outcomes or self.outcomes[point].suicided:
            return 0
        return len(self.after(point).liberties(point))

    def size_after(self, point: int) -> int:
        lost = self.outcomes[point].suicided
        return len(lost) if lost else len(self.after(point).chain(point))

    @cached_property
    def caught(self) -> tuple[set[int], dict[int, set[int]]]:
        """Stones caught in ladders, and the moves of each colour that catch a chain of two liberties."""
        return self.reader.laddered(self.stones, self.ko)

    def captures(self, color: int) -> Planes:
        return self.moves(self.caught[1][color], color)

    def escapes(self, color: int) -> Planes:
        return self.moves(self.reader.escapes(self.stones, self.ko if color == self.own else -1, color), color)

    def moves(self, points: set[int], color: int) -> Planes:
        """Those of the points where the colour may move, ko binding the player only."""
        return self.plane(lambda p: p in points and (color != self.own or self.legal[p]))

    def neighbours_of(self, point: int, color: int) -> set[frozenset[int]]:
        """The chains of a colour beside a point."""
        return {self.board.chain(n) for n in self.board.neighbours(point) if self.stones[n] == color}


# ---------------------------------------------------------------------------------------------------- 2016


def _turns_since(view: View) -> Callable[[int], int]:
    moves = [point for _, point in reversed(view.position.moves)]

    def turns(point: int) -> int:
        if view.stones[point] == EMPTY:
            return 0
        return moves.index(point) + 1 if point in moves else 8

    return turns


def _self_atari(view: View, point: int) -> int:
    return view.size_after(point) if point in view.outcomes and view.liberties_after(point) <= 1 else 0


def alphago48(view: View) -> Planes:
    return np.concatenate(
        [
            [view.stones_of(color) for color in (view.own, view.enemy, EMPTY)],
            [view.all_over(1.0)],
            view.one_hot(_turns_since(view), 8, capped=True),
            view.one_hot(view.liberties, 8, capped=True),
            view.one_hot(lambda p: len(view.outcomes[p].taken) + 1 if p in view.outcomes else 0, 8, capped=True),
            view.one_hot(lambda p: _self_atari(view, p), 8, capped=True),
            view.one_hot(view.liberties_after, 8, capped=True),
            [view.captures(view.own), view.escapes(view.own)],
            [view.plane(lambda p: view.legal[p] and not slow_is_own_eye(view.board, p, view.own))],
            [view.all_over(0.0)],
        ]
    ).astype(np.float32)


def alphago49(view: View) -> Planes:
    return np.concatenate([alphago48(view), [view.all_over(float(view.own == BLACK))]])


# ---------------------------------------------------------------------------------------------------- articles


def _ladders(view: View) -> list[Planes]:
    """Captures that work, escapes that work, stones caught and ladder breakers of each side, the player first."""
    planes: list[Planes] = []
    for color in (view.own, view.enemy):
        own = {p for p in view.caught[0] if view.stones[p] == color}
        chains = [chain for chain in view.reader.chains(view.stones) if chain <= own]
        breakers = {p for chain in chains for p in view.reader.breakers(view.stones, min(chain))}
        planes += [view.captures(color), view.escapes(color), view.at(own), view.at(breakers)]
    return planes


def _stones_by_color(view: View) -> list[Planes]:
    return [view.stones_of(color) for color in (BLACK, WHITE, EMPTY)]


def _put_into_atari(view: View, point: int, color: int) -> int:
    """Stones of the other colour that have one liberty after the move and had two before."""
    outcome = view.board.outcome(point, color)
    if outcome.suicided:
        return 0
    after = OracleBoard(view.rows, view.cols, stones=outcome.stones)
    return sum(
        len(chain)
        for chain in view.neighbours_of(point, 3 - color)
        if not chain & outcome.taken and len(after.liberties(min(chain))) == 1
    )


def _line(view: View, point: int) -> int:
    row, col = divmod(point, view.cols)
    return 1 + min(row, view.rows - 1 - row, col, view.cols - 1 - col)


def _lines(view: View) -> Planes:
    return view.one_hot(lambda p: _line(view, p), 4, capped=True)


def article48(view: View) -> Planes:
    history = np.zeros((16, view.rows, view.cols), np.float32)
    for t, grid in enumerate(grids(view.position)):
        history[t], history[8 + t] = grid == BLACK, grid == WHITE

    def liberties_of(color: int) -> Planes:
        return view.one_hot(lambda p: view.liberties(p) if view.stones[p] == color else 0, 4, capped=False)

    def mine(p: int) -> int:
        return _put_into_atari(view, p, view.own) if p in view.outcomes else 0

    def theirs(p: int) -> int:
        return _put_into_atari(view, p, view.enemy) if view.stones[p] == EMPTY else 0

    return np.concatenate(
        [
            _stones_by_color(view),
            history,
            liberties_of(view.own),
            liberties_of(view.enemy),
            view.one_hot(mine, 4, capped=False),
            view.one_hot(theirs, 4, capped=False),
            _ladders(view),
            [view.plane(lambda p: view.legal[p])],
            _lines(view),
        ]
    ).astype(np.float32)


def _weakest_after(view: View, point: int) -> int:
    """Liberties, after a move, of the opponent's weakest chain beside it that is still there; 0 if there is none."""
    if view.liberties_after(point) == 0:
        return 0
    after = view.after(point)
    left = [n for n in after.neighbours(point) if after.stones[n] == view.enemy]
    return min((len(after.liberties(n)) for n in left), default=0)


def _symmetry(view: View) -> list[Planes]:
    grid = np.array(view.stones).reshape(view.rows, view.cols)
    turned = [grid == grid[::-1, ::-1], (grid == grid[::-1]) & (grid == grid[:, ::-1])]
    if view.rows == view.cols:
        return [*turned, (grid == grid.T) & (grid == grid[::-1, ::-1].T)]
    return [*turned, np.zeros_like(grid)]


def article48_000(view: View) -> Planes:
    moves = np.zeros((8, view.rows * view.cols), np.float32)
    for plane, (_, move) in zip(moves, view.position.moves[-8:], strict=False):
        if move < view.rows * view.cols:
            plane[move] = 1.0
    return np.concatenate(
        [
            _stones_by_color(view),
            [view.all_over(1.0)],
            view.one_hot(view.liberties, 8, capped=False),
            view.one_hot(lambda p: _weakest_after(view, p), 8, capped=False),
            view.one_hot(view.liberties_after, 8, capped=False),
            moves.reshape(8, view.rows, view.cols),
            _ladders(view),
            _symmetry(view),
            [view.all_over(float(view.own == BLACK))],
        ]
    ).astype(np.float32)


def _takes_ko(view: View, point: int, color: int) -> bool:
    """The move takes one stone, stands alone, and its one liberty is where that stone was."""
    if view.stones[point] != EMPTY:
        return False
    outcome = view.board.outcome(point, color)
    after = OracleBoard(view.rows, view.cols, stones=outcome.stones)
    return len(outcome.taken) == 1 and len(after.chain(point)) == 1 and after.liberties(point) == outcome.taken


def _forbidden_by_ko(view: View, point: int) -> bool:
    reason = view.position.why_illegal(point)
    return reason is not None and reason.name in ("KO", "SUPERKO")


def _play_bonus(position: Position) -> float:
    """White's points from the play: for each stone put under territory scoring, and for the first pass with a button.

    Stones set up count as if they had been played.
    """
    start = position.root().stones
    black_first = int((start == BLACK).sum()) - int((start == WHITE).sum())
    bonus = float(black_first) if position.rules.scoring == "territory" else 0.0
    button = position.rules.has_button
    for color, point in position.moves:
        sign = 1.0 if color is Color.BLACK else -1.0
        if point == position.rows * position.cols:
            bonus -= 0.5 * sign * button
            button = False
        elif position.rules.scoring == "territory":
            bonus += sign
    return bonus


def article22(view: View) -> Planes:
    position, rules = view.position, view.position.rules
    moves = [point for _, point in reversed(position.moves)][:5] + [-1] * 5
    komi = position.komi + position.white_bonus + _play_bonus(position)
    passed = any(point == len(view.stones) for _, point in position.moves)
    numbers = (
        np.float32(-komi if view.own == BLACK else komi) / np.float32(20),
        rules.suicide,
        rules.ko == "positional",
        rules.ko == "situational",
        rules.scoring == "territory",
        rules.tax in ("seki", "all"),
        rules.tax == "all",
        rules.has_button and not passed,
        0,
    )
    return np.concatenate(
        [
            _stones_by_color(view),
            [view.all_over(1.0), view.all_over(float(view.own == BLACK))],
            [view.at([move]) for move in moves[:5]],
            [view.plane(lambda p: _forbidden_by_ko(view, p))],
            [view.plane(lambda p: view.legal[p] and _takes_ko(view, p, view.own))],
            [view.plane(lambda p: _takes_ko(view, p, view.enemy))],
            [view.all_over(float(number)) for number in numbers],
        ]
    ).astype(np.float32)


# ---------------------------------------------------------------------------------------------------- hand-made


SHAPES = {
    "hane": ("XOX/.../???", "XO./.../?.?", "XO?/X../x.?", ".O./X../..."),
    "cut": ("XO?/O.o/?o?", "XO?/O.X/???", "?X?/O.O/ooo", "OX?/o.O/???"),
    "side": ("X.?/O.?/###", "OX?/X.O/###", "?X?/x.O/###", "?XO/x.x/###", "?OX/X.O/###"),
}
MEANING = {".": ".", "X": "X", "O": "O", "#": "#", "x": ".O#", "o": ".X#", "?": ".XO#"}


def surroundings(view: View, point: int) -> list[str]:
    """Three rows of three signs around a point; `#` off the board."""
    padded = np.pad(np.array(view.stones).reshape(view.rows, view.cols), 1, constant_values=3)
    row, col = divmod(point, view.cols)
    return ["".join(".XO#"[stone] for stone in line[col : col + 3]) for line in padded[row : row + 3].tolist()]


def _forms(rows: list[str]) -> list[str]:
    """The eight turned and mirrored forms of three rows, in both colours."""
    found: list[str] = []
    for _ in range(4):
        rows = ["".join(column) for column in zip(*rows[::-1], strict=True)]
        for form in ("/".join(rows), "/".join(row[::-1] for row in rows)):
            found += [form, form.translate(str.maketrans("XO", "OX"))]
    return found


def makes_shape(view: View, point: int, family: str) -> bool:
    forms = _forms(surroundings(view, point))
    return any(
        all(sign in MEANING[wanted] for wanted, sign in zip(shape, form, strict=True) if wanted != "/")
        for shape in SHAPES[family]
        for form in forms
    )


def _makes_eye(view: View, point: int) -> bool:
    if view.outcomes[point].suicided:
        return False
    after = view.after(point)

    def is_eye(board: OracleBoard, p: int) -> bool:
        return board.stones[p] == EMPTY and slow_is_own_eye(board, p, view.own)

    return any(is_eye(after, p) and not is_eye(view.board, p) for p in view.board.neighbours(point))


def gnugo(view: View) -> Planes:
    moves = view.outcomes

    def weakest(point: int) -> int:
        if point not in moves:
            return 0
        return min((view.liberties(min(chain)) for chain in view.neighbours_of(point, view.enemy)), default=0)

    def connects(point: int) -> bool:
        joined = len(view.neighbours_of(point, view.own))
        return point in moves and not moves[point].suicided and joined > 1

    return np.concatenate(
        [
            [view.stones_of(color) for color in (view.own, view.enemy)],
            [view.at(p for p in moves if moves[p].taken)],
            [view.plane(connects)],
            [view.at(p for p in moves if _makes_eye(view, p))],
            view.one_hot(view.liberties_after, 8, capped=True),
            view.one_hot(weakest, 8, capped=True),
            _lines(view),
            [view.at(p for p in moves if makes_shape(view, p, family)) for family in SHAPES],
        ]
    ).astype(np.float32)


SLOW: dict[str, Callable[[View], Planes]] = {
    "alphago48": alphago48,
    "alphago49": alphago49,
    "article48": article48,
    "article48_000": article48_000,
    "article22": article22,
    "gnugo": gnugo,
}
"""The slow twin of every encoder here by name."""
