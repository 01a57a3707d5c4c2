"""Positions for tests of encoders and evaluators: random games, and the same games on a turned board."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from move37.rules import symmetry
from move37.rules.board_kernels import BOARD
from move37.rules.color import Color
from move37.rules.position import Position
from tests.support.random_games import play_random, random_setting

PASS_SHARE = 0.05


def random_position(
    rng: np.random.Generator, rows: int, cols: int, moves: int, rules: str = "tromp-taylor"
) -> Position:
    """A game of up to `moves` random legal moves, now and then a pass; ends at two passes."""
    position = Position(rows=rows, cols=cols, rules=rules)
    for _ in range(moves):
        points = np.flatnonzero(position.legal_mask()[:-1])
        passing = len(points) == 0 or rng.random() < PASS_SHARE
        position.play(rows * cols if passing else int(rng.choice(points)))
        if position.is_over:
            break
    return position


def eventful_position(seed: int, rows: int, cols: int, rules: Mapping[str, Any], moves: int) -> Position:
    """A game in which captures, kos and suicides are frequent, now and then out of turn and from a full board."""
    rng = random.Random(seed)
    ko = ("simple", "positional", "situational").index(rules.get("ko", "positional"))
    setting = random_setting(rng, rows, cols, ko, rules.get("suicide", True))
    position = Position(rows=rows, cols=cols, rules=rules)
    black, white = ([point for point, stone in enumerate(setting.stones) if stone == color] for color in (1, 2))
    position.setup(black=black, white=white, to_play=Color(setting.to_play))
    setting = replace(setting, button=position.rules.has_button, territory=position.rules.scoring == "territory")
    for color, move in play_random(rng, setting.oracle(), moves):
        position.play(move, Color(color))
        if position.is_over:
            break
    return position


def turned(position: Position, s: int) -> Position:
    """The same game with every move turned by symmetry `s`; for games without setup stones."""
    twin = Position(rows=position.rows, cols=position.cols, rules=position.rules, komi=position.komi)
    for color, move in position.moves:
        twin.play(symmetry.point(s, move, position.rows, position.cols), color)
    return twin


def batch(positions: Sequence[Position]) -> NDArray[Any]:
    """Records of the positions, BOARD[B]."""
    boards = np.zeros(len(positions), dtype=BOARD)
    for i, position in enumerate(positions):
        boards[i] = position.board
    return boards
