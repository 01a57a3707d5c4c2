"""KataGo's inputs of version 7 made the obvious way from a slow game. An oracle for the encoder `katago22`.

Sets of points and plain numbers; areas and ladders come from the other slow twins. Source: the notes on these inputs
(section by section as there), not the encoder.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tests.support.oracle_board import BLACK, EMPTY, POSITIONAL, SIMPLE, WHITE
from tests.support.slow_encore import FREE, NO_BUTTON, SlowGame
from tests.support.slow_ladders import SlowLadders
from tests.support.slow_life import area_planes, black_lead

PLANES, NUMBERS = 22, 19


@dataclass(frozen=True)
class Terms:
    """What a `SlowGame` does not know: the rest of the rules, komi, and the options of the inputs."""

    tax: str = "none"
    friendly: bool = False
    komi: float = 0.0
    white_bonus: float = 0.0
    draw_value: float = 0.5
    doubling: float = 0.0
    history: int = 5
    conservative: bool = False
    hacks: bool = False
    suicide_for_life: bool | None = None


class SlowInputs:
    """The inputs of one position: `planes` float32[22, points] and `numbers` float32[19]."""

    def __init__(self, game: SlowGame, terms: Terms) -> None:
        self.game, self.terms = game, terms
        self.own, self.other = game.to_play, 3 - game.to_play
        self.planes: NDArray[np.float32] = np.zeros((PLANES, game.points), np.float32)
        self.numbers: NDArray[np.float32] = np.zeros(NUMBERS, np.float32)
        self._stones()
        self._bans()
        self._area()
        shown = self._moves()
        self._ladders(shown)
        self._komi()
        self._rules()

    def _mark(self, plane: int, points: object) -> None:
        """Ones at the points of a set, or where a list has the player's number."""
        self.planes[plane, sorted(points)] = 1.0  # type: ignore[call-overload]

    def _points_of(self, owners: tuple[int, ...] | list[int], color: int) -> set[int]:
        return {point for point, owner in enumerate(owners) if owner == color}

    # --------------------------------------------------------------------------------------------- 1

    def _stones(self) -> None:
        stones = self.game.stones
        self.planes[0] = 1.0
        for plane, color in ((1, self.own), (2, self.other)):
            self._mark(plane, self._points_of(stones, color))
        for point in (at for at, stone in enumerate(stones) if stone != EMPTY):
            count = len(self.game.liberties(point))
            if count < 4:
                self.planes[2 + count, point] = 1.0

    def _bans(self) -> None:
        banned = self.game.superko_points(self.own)
        if self.game.phase == 0 and self.game.ko_point >= 0:
            banned = banned | {self.game.ko_point}
        self._mark(6, banned)
        if self.game.phase > 0:
            self._mark(7, self.game.blocked)

    # --------------------------------------------------------------------------------------------- 2

    def _ends_phase(self) -> bool:
        takes_button = self.game.button == FREE
        return (not takes_button and self.game.passes + 1 >= 2) or self.game.pass_repeats

    def _hides(self) -> bool:
        game, terms = self.game, self.terms
        area = not game.territory
        if not self._ends_phase() or not (area or game.phase == 2):
            return False
        if terms.conservative:
            return True
        if terms.friendly and area and game.passes == 1 and not game.pass_repeats:
            return True
        return terms.hacks and self._score() <= 0

    def _score(self) -> float:
        """What the player to move is ahead if the game ended now."""
        game, terms = self.game, self.terms
        lead = black_lead(
            game.stones,
            game.rows,
            game.cols,
            scoring="territory" if game.territory else "area",
            tax=terms.tax,
            suicide=self._suicide_for_life(),
            second_encore_stones=game.encore_stones if game.phase == 2 else None,
        )
        return (lead if self.own == BLACK else -lead) + self._self_komi()

    def _moves(self) -> int:
        hides = self._hides()
        most = 0 if hides else 1 if self.game.is_over else 5
        most = min(most, self.terms.history, self.game.phase_moves)
        shown = 0
        while shown < most:
            mover = self.other if shown % 2 == 0 else self.own
            color, move = self.game.moves[-1 - shown]
            if color != mover:
                break
            if move == self.game.pass_move:
                self.numbers[shown] = 1.0
            else:
                self.planes[9 + shown, move] = 1.0
            shown += 1
        self.numbers[14] = self._ends_phase() and not hides
        return shown

    # --------------------------------------------------------------------------------------------- 3

    def _suicide_for_life(self) -> bool:
        chosen = self.terms.suicide_for_life
        return self.game.suicide if chosen is None else chosen

    def _area(self) -> None:
        game = self.game
        owners = area_planes(
            game.stones,
            game.rows,
            game.cols,
            scoring="territory" if game.territory else "area",
            tax=self.terms.tax,
            suicide=self._suicide_for_life(),
            phase=game.phase,
            second_encore_stones=game.encore_stones,
        )
        self._mark(18, self._points_of(owners, self.own))
        self._mark(19, self._points_of(owners, self.other))
        if game.phase == 2:
            self._mark(20, self._points_of(game.encore_stones, self.own))
            self._mark(21, self._points_of(game.encore_stones, self.other))

    # --------------------------------------------------------------------------------------------- 4

    def _ladders(self, shown: int) -> None:
        reader, snapshots = SlowLadders(self.game.rows, self.game.cols), self.game.snapshots
        boards = [snapshots[-1 - min(ago, shown)] for ago in range(3)]
        for plane, board in zip((14, 15, 16), boards, strict=True):
            caught, captures = reader.laddered(board.stones, board.ko_point)
            self._mark(plane, caught)
            if plane == 14:
                self._mark(17, captures[self.own])

    # --------------------------------------------------------------------------------------------- 5

    def _self_komi(self) -> float:
        white = self.game.play_bonus + self.terms.white_bonus + self.terms.komi
        whole = float(self.terms.komi).is_integer()
        if whole != (self.game.button != NO_BUTTON):
            white += self.terms.draw_value - 0.5
        return white if self.own == WHITE else -white

    def _komi(self) -> None:
        points = self.game.points
        komi = max(-points - 20.0, min(points + 20.0, self._self_komi()))
        self.numbers[5] = komi / 20
        if self.game.territory and self.game.phase < 2:
            return
        below = 2 * math.floor(komi / 2) if points % 2 == 0 else 2 * math.floor((komi - 1) / 2) + 1
        above = komi - below
        self.numbers[18] = above if above < 0.5 else 1 - above if above < 1.5 else above - 2

    def _rules(self) -> None:
        game, terms = self.game, self.terms
        self.numbers[6] = game.ko != SIMPLE
        self.numbers[7] = 0.0 if game.ko == SIMPLE else 0.5 if game.ko == POSITIONAL else -0.5
        self.numbers[8] = game.suicide
        self.numbers[9] = game.territory
        self.numbers[10], self.numbers[11] = terms.tax != "none", terms.tax == "all"
        self.numbers[12], self.numbers[13] = game.phase >= 1, game.phase == 2
        self.numbers[15], self.numbers[16] = terms.doubling != 0, terms.doubling / 2
        self.numbers[17] = game.button == FREE
