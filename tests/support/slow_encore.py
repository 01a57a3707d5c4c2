"""A slow and obvious game with all that depends on earlier positions: the oracle for repetition, encore and button.

To `OracleBoard` it adds what ends phases and games, the two encore phases of territory scoring, the button and the
points that playing itself brings. Whole states are kept in lists and compared as such; a ko is found by its definition
(the answer would restore the board). It does not score. Rules: KataGo's rules page (docs/rules.html); where its engine
is looser (a block may also be lifted by naming the stone) so is this.
"""

from __future__ import annotations

from collections.abc import Sequence

from tests.support.oracle_board import (
    BLACK,
    EMPTY,
    LEGAL,
    NO_POINT,
    OCCUPIED,
    OFF_BOARD,
    SIMPLE,
    SUICIDE,
    SUPERKO,
    WHITE,
    OracleBoard,
    Snapshot,
    opponent,
)

State = tuple[tuple[int, ...], int, frozenset[int]]
"""Stones, the player whose turn it is, and the points whose stones may not be retaken in a ko."""
NO_BUTTON, FREE, TAKEN = 0, 1, 2


class SlowGame(OracleBoard):
    """A game under any of the package's rules; fields as in `OracleBoard`, and those of a record."""

    def __init__(
        self,
        rows: int,
        cols: int,
        *,
        ko: int = SIMPLE,
        suicide: bool = False,
        stones: Sequence[int] | None = None,
        to_play: int = BLACK,
        territory: bool = False,
        encore: bool = False,
        button: bool = False,
        move_limit: int = 0,
    ) -> None:
        """Start from `stones`; under territory scoring they count as if they had been played."""
        super().__init__(rows, cols, ko=ko, suicide=suicide, stones=stones, to_play=to_play)
        self.territory, self.encore, self.move_limit = territory, encore, move_limit
        self.button = FREE if button else NO_BUTTON
        self.phase = 0
        self.phase_moves = 0
        self.no_result = False
        self.play_bonus = float(self.stones.count(BLACK) - self.stones.count(WHITE)) if territory else 0.0
        self.blocked: frozenset[int] = frozenset()
        self.encore_stones: tuple[int, ...] = (EMPTY,) * self.points
        self.since_pass = [self.state(to_play)]
        self.passed_from: list[State] = []
        self.ko_captures: list[tuple[tuple[int, ...], int, int]] = []

    # ------------------------------------------------------------------------------------------- questions

    def state(self, player: int) -> State:
        """What must come back for a repetition to count, if `player` is to move."""
        return self.stones, player, self.blocked

    @property
    def has_cycles(self) -> bool:
        """Whether repetition ends something here instead of being forbidden."""
        return self.phase > 0 or self.ko == SIMPLE

    @property
    def is_over(self) -> bool:
        """Whether the game has ended: passes in the last phase, a long cycle, the move limit."""
        at_limit = self.move_limit > 0 and len(self.moves) >= self.move_limit
        return self.passes >= 2 or self.no_result or at_limit

    @property
    def pass_repeats(self) -> bool:
        """Whether the player to move has passed before in this very state of this phase, so that a pass ends it."""
        return self.has_cycles and self.button != FREE and self.state(self.to_play) in self.passed_from

    def ko_taken(self, point: int, color: int) -> int | None:
        """The stone that `color` would take by a ko-move on `point`, or None if it would be no ko-move.

        A ko-move is one that some answer undoes; that answer puts back a stone which was taken.
        """
        if self.stones[point] != EMPTY:
            return None
        outcome = self.outcome(point, color)
        after = OracleBoard(self.rows, self.cols, stones=outcome.stones)
        for taken in outcome.taken:
            if after.outcome(taken, opponent(color)).stones == self.stones:
                return taken
        return None

    def lifted_block(self, point: int, color: int) -> int | None:
        """The stone whose ko-recapture block `color` lifts by naming `point`, or None if that is no such action."""
        stone = point if self.stones[point] != EMPTY else self.ko_taken(point, color)
        if stone not in self.blocked or self.stones[stone] != opponent(color):
            return None
        return stone if len(self.chain(stone)) == 1 and len(self.liberties(stone)) == 1 else None

    def superko_points(self, color: int) -> set[int]:
        """Points forbidden because of what happened earlier: by superko, or as a ko taken once in this encore phase."""
        if self.phase > 0:
            return {at for stones, player, at in self.ko_captures if (stones, player) == (self.stones, color)}
        return super().superko_points(color) if self.ko != SIMPLE else set()

    def why_illegal(self, point: int, color: int) -> int:
        """As `OracleBoard.why_illegal`; lifting a block is legal, and a ko taken already is SUPERKO."""
        if self.phase == 0 or not 0 <= point < self.points:
            return super().why_illegal(point, color) if point != self.points else OFF_BOARD
        if self.lifted_block(point, color) is not None:
            return LEGAL
        if self.stones[point] != EMPTY:
            return OCCUPIED
        lost = self.outcome(point, color).suicided
        if lost and (len(lost) == 1 or not self.suicide):
            return SUICIDE
        return SUPERKO if point in self.superko_points(color) else LEGAL

    # ------------------------------------------------------------------------------------------- playing

    def play(self, move: int, color: int) -> int:
        """Play a legal turn; returns the stones taken, negative if lost by suicide."""
        self.phase_moves = (min(self.phase_moves, 1) if self.is_over else self.phase_moves) + 1
        self.no_result = False
        self.ko_point, self.ko_color, taken = NO_POINT, EMPTY, 0
        phase_ends = False
        if move == self.pass_move:
            phase_ends = self._pass(color)
        elif self.phase > 0 and (stone := self.lifted_block(move, color)) is not None:
            self.blocked -= {stone}
            self.passes = 0
        else:
            taken = self._put(move, color)
        if phase_ends:
            self._end_phase()
        self._remember(move, color)
        return taken

    def _pass(self, color: int) -> bool:
        """The pass of a turn; returns whether it ends the phase."""
        self.since_pass = []
        if self.button == FREE:
            self.button = TAKEN
            self.play_bonus += 0.5 if color == WHITE else -0.5
            self.passes = 0
            self._configurations, self._situations = set(), set()  # all of them were positions with the button free
            return False
        repeated = self.has_cycles and self.state(color) in self.passed_from
        self.passed_from.append(self.state(color))
        self.passes += 1
        return repeated or self.passes >= 2

    def _put(self, point: int, color: int) -> int:
        before, ko_taken = self.stones, self.ko_taken(point, color)
        if self.territory and self.phase < 2:
            self.play_bonus += 1.0 if color == BLACK else -1.0
        taken = self._place(point, color)
        if self.phase > 0:
            if ko_taken is not None:
                self.blocked |= {point}
                self.ko_captures.append((before, color, point))
            self.blocked = frozenset(at for at in self.blocked if self.stones[at] != EMPTY)
            self.ko_point, self.ko_color = NO_POINT, EMPTY
        return taken

    def _end_phase(self) -> None:
        if not self.territory or self.phase == 2:
            self.passes = max(self.passes, 2)
        elif not self.encore:
            self.passes = max(self.passes, 2)
            self.phase_moves = min(self.phase_moves, 1)
        else:
            self.phase += 1
            self.phase_moves = self.passes = 0
            self.blocked = frozenset()
            self.passed_from, self.ko_captures = [], []
            if self.phase == 2:
                self.encore_stones = self.stones

    def _remember(self, move: int, color: int) -> None:
        self.to_play = opponent(color)
        self.moves.append((color, move))
        self.snapshots.append(Snapshot(self.stones, self.to_play, self.ko_point))
        self._configurations.add(self.stones)
        self._situations.add((self.stones, self.to_play))
        self.since_pass.append(self.state(self.to_play))
        occurrences = self.since_pass.count(self.since_pass[-1])
        self.no_result = self.has_cycles and move != self.pass_move and occurrences >= 3
