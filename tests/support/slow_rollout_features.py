"""The features of rollout and tree policies from their definition: each is looked for on the board, nothing is kept.

The oracle of `features.rollout_move_kernels` and of what `features.rollout_around_kernels` keeps up to date. Patterns
are written as dictionaries from (row, column) steps to what is there, and turned as such.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from move37.features import rollout_feature_kernels as numbers
from move37.features.rollout_policy import RolloutPolicy
from move37.rules.position import Position
from tests.support.oracle_board import EMPTY, OracleBoard
from tests.support.slow_eye import slow_is_own_eye
from tests.support.slow_light_rollouts import last_stone, saves
from tests.support.slow_planes import View

Step = tuple[int, int]
RING = [(-1, 0), (0, 1), (1, 0), (0, -1)]
CORNERS = [(-1, 1), (1, 1), (1, -1), (-1, -1)]
FAR = [(-2, 0), (0, 2), (2, 0), (0, -2)]
PLACES = RING + CORNERS + FAR
OFF_BOARD = 3


def turns() -> list[Callable[[Step], Step]]:
    """The eight symmetries of steps."""

    def turn(quarters: int, flip: bool) -> Callable[[Step], Step]:
        def turned(step: Step) -> Step:
            row, col = (step[0], -step[1]) if flip else step
            for _ in range(quarters):
                row, col = col, -row
            return row, col

        return turned

    return [turn(quarters, flip) for flip in (False, True) for quarters in range(4)]


TURNS = turns()


@dataclass(frozen=True)
class Features:
    """Feature numbers of each move that may be drawn: of the rollout policy, and of the tree policy alone."""

    rollout: dict[int, list[int]]
    tree: dict[int, list[int]]


class SlowFeatures:
    """The features of one position under a policy's patterns."""

    def __init__(self, policy: RolloutPolicy, position: Position) -> None:
        self.patterns = policy.patterns
        self.article = policy.spec.features == "article"
        self.view = View(position)
        self.position = position
        self.last = last_stone(position)
        self.taken = self._taken()

    def all(self) -> Features:
        """Of all moves that are legal (superko apart) and fill no own eye."""
        view = self.view
        moves = [
            point
            for point in view.points
            if view.stones[point] == EMPTY
            and point != view.ko
            and not view.board.outcome(point, view.own).suicided
            and not slow_is_own_eye(view.board, point, view.own)
        ]
        return Features({p: sorted(self._rollout(p)) for p in moves}, {p: sorted(self._tree(p)) for p in moves})

    # ------------------------------------------------------------------------------------------------- the rollout's

    def _rollout(self, point: int) -> Iterable[int]:
        yield self._shape(point)
        if self.article:
            yield from self._article(point)
        if self.last is None:
            return
        row, col = self._step(self.last, point)
        if not self.article:
            answer = self._answer(self.last, (row, col))
            yield from [] if answer is None else [numbers.RESPONSE, answer]
            yield from self._nakade(point)
        if (row, col) in RING:
            yield numbers.BESIDE
        if (row, col) in CORNERS:
            yield numbers.CORNER
        view = self.view
        beside = [n for n in view.board.neighbours(self.last) if view.stones[n] == view.own and view.liberties(n) == 1]
        if any(saves(view, point, view.board.chain(n)) for n in beside):
            yield numbers.SAVE

    def _shape(self, point: int) -> int:
        return self._number(self.patterns.shapes, self.shape_code(point), self.patterns.first_shape)

    def shape_code(self, point: int) -> int:
        """The 3x3 pattern around a point."""
        return least(self.codes(point, RING + CORNERS, colors_only=self.article))

    def answer_code(self, last: int) -> int:
        """The diamond around the last move, with its own liberties."""
        return least(self.codes(last, PLACES)) | min(self.view.liberties(last), 3) << 48

    def _answer(self, last: int, step: Step) -> int | None:
        """The feature of an answer at a step from the last move: by the first least form of the diamond."""
        if step not in PLACES:
            return None
        liberties = min(self.view.liberties(last), 3) << 48
        forms = [(code | liberties, turn(step)) for code, turn in self.codes(last, PLACES)]
        code = min(form[0] for form in forms)
        if code not in self.patterns.answers:
            return None
        row = int(np.searchsorted(self.patterns.answers, code))
        found = {int(self.patterns.answer_ids[row, PLACES.index(place)]) for form, place in forms if form == code}
        assert len(found) == 1  # places that a symmetry exchanges are one feature
        return found.pop()

    def _nakade(self, point: int) -> Iterable[int]:
        if point not in self.taken or len(self.taken) > numbers.MOST_TAKEN:
            return
        key = self.nakade_key(point)
        if key in self.patterns.nakade:
            yield int(np.searchsorted(self.patterns.nakade, key)) + self.patterns.first_nakade

    def nakade_key(self, point: int) -> int:
        """The shape of what was taken, as it is seen from one of its points."""
        steps = [self._step(point, other) for other in self.taken]
        near = [step for step in steps if max(map(abs, step)) <= 3]
        return min(sum(1 << (row + 3) * 7 + col + 3 for row, col in map(turn, near)) for turn in TURNS)

    def _article(self, point: int) -> Iterable[int]:
        view = self.view
        row, col = divmod(point, view.cols)
        near, far = sorted(min(at, side - 1 - at, 4) for at, side in ((row, view.rows), (col, view.cols)))
        yield numbers.LINE + [(a, b) for b in range(5) for a in range(b + 1)].index((near, far))
        if near in (2, 3) and all(self._nibble(point, step) == EMPTY for step in RING + CORNERS):
            yield numbers.BIG_POINT
        enemies = {view.liberties(n) for n in view.board.neighbours(point) if view.stones[n] == view.enemy}
        yield from ([numbers.ATARI] if 2 in enemies else []) + ([numbers.TAKE] if 1 in enemies else [])

    # ---------------------------------------------------------------------------------------------------- the tree's

    def _tree(self, point: int) -> Iterable[int]:
        view = self.view
        yield self._number(self.patterns.diamonds, least(self.codes(point, PLACES)), self.patterns.first_diamond)
        outcome = view.board.outcome(point, view.own)
        if not outcome.taken and self._liberties_after(point) == 1:
            yield numbers.SELF_ATARI
        for plies, (_, move) in enumerate(self.position.moves[-1:-3:-1]):
            if move != view.rows * view.cols:
                steps = sum(map(abs, self._step(move, point)))
                yield numbers.DISTANCE + 17 * plies + min(max(steps, 1), 17) - 1

    def _liberties_after(self, point: int) -> int:
        view = self.view
        after = OracleBoard(view.rows, view.cols, stones=view.board.outcome(point, view.own).stones)
        return len(after.liberties(point))

    # --------------------------------------------------------------------------------------------------------- codes

    def codes(
        self, point: int, places: list[Step], *, colors_only: bool = False
    ) -> list[tuple[int, Callable[[Step], Step]]]:
        """The codes of a surrounding in its eight forms, the player to move being Black, each with its turn."""
        shown = {step: self._nibble(point, step) for step in places}
        if colors_only:
            shown = {step: nibble & 3 for step, nibble in shown.items()}
        return [(sum(n << 4 * PLACES.index(turn(s)) for s, n in shown.items()), turn) for turn in TURNS]

    def _nibble(self, point: int, step: Step) -> int:
        view = self.view
        row, col = point // view.cols + step[0], point % view.cols + step[1]
        if not (0 <= row < view.rows and 0 <= col < view.cols):
            return OFF_BOARD
        other = row * view.cols + col
        if view.stones[other] == EMPTY:
            return EMPTY
        return (1 if view.stones[other] == view.own else 2) + 4 * min(view.liberties(other), 3)

    def _step(self, start: int, end: int) -> Step:
        cols = self.view.cols
        return end // cols - start // cols, end % cols - start % cols

    def _number(self, keys: np.ndarray[tuple[int], np.dtype[np.int64]], code: int, first: int) -> int:
        """The feature of a code; that of all others if it is not listed."""
        return first + (int(np.searchsorted(keys, code)) if code in keys else len(keys))

    def _taken(self) -> set[int]:
        """What the last move took from the player to move."""
        if not self.position.moves or self.position.moves[-1][0] == self.view.own:
            return set()
        before = self.position.copy()
        before.undo()
        stones = [int(stone) for stone in before.stones.ravel()]
        return {p for p in self.view.points if stones[p] == self.view.own and self.view.stones[p] == EMPTY}


def least(codes: list[tuple[int, Callable[[Step], Step]]]) -> int:
    """The least of some codes."""
    return min(code for code, _ in codes)
