"""Random games for the tests, chosen by the oracle so that captures, kos and suicides are frequent.

A game is described by a `Setting` (size, rules, first stones) and played move by move: the tests ask for the next move,
play it on both boards and compare. Uniformly random moves seldom make a ko, so a share of the moves takes stones,
another plays beside the last move, and a few are passes or are played out of turn.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

from tests.support.oracle_board import BLACK, EMPTY, POSITIONAL, SIMPLE, SITUATIONAL, WHITE, OracleBoard, opponent
from tests.support.slow_encore import SlowGame

RULES = tuple((ko, suicide) for ko in (SIMPLE, POSITIONAL, SITUATIONAL) for suicide in (False, True))
"""All six settings of the ko rule and of suicide."""


@dataclass(frozen=True)
class Setting:
    """Where a game starts: size, ko rule (0 simple, 1 positional, 2 situational), suicide, stones, side to move.

    Unless more is said it is a game of area scoring without button or move limit.
    """

    rows: int
    cols: int
    ko: int = SIMPLE
    suicide: bool = False
    stones: tuple[int, ...] = ()
    to_play: int = BLACK
    territory: bool = False
    encore: bool = False
    button: bool = False
    move_limit: int = 0

    def oracle(self) -> SlowGame:
        """A fresh oracle at the start of this game."""
        return SlowGame(
            self.rows,
            self.cols,
            ko=self.ko,
            suicide=self.suicide,
            stones=self.stones or None,
            to_play=self.to_play,
            territory=self.territory,
            encore=self.encore,
            button=self.button,
            move_limit=self.move_limit,
        )


def random_stones(rng: random.Random, rows: int, cols: int, density: float) -> tuple[int, ...]:
    """Random stones in which every chain has a liberty: chains without one are taken off until none is left."""
    stones = [rng.choice((BLACK, WHITE)) if rng.random() < density else EMPTY for _ in range(rows * cols)]
    return _with_liberties(stones, rows, cols)


def _with_liberties(stones: list[int], rows: int, cols: int) -> tuple[int, ...]:
    while True:
        board = OracleBoard(rows, cols, stones=stones)
        dead = [chain for chain in board.chains() if not board.border(chain, stones, EMPTY)]
        if not dead:
            return tuple(stones)
        for point in dead[0]:
            stones[point] = EMPTY


def random_kos(rng: random.Random, rows: int, cols: int, density: float) -> tuple[int, ...]:
    """As `random_stones`, with kos at the edges, turned and coloured at random; they may spoil each other."""
    board = np.array([rng.choice((BLACK, WHITE)) if rng.random() < density else EMPTY for _ in range(rows * cols)])
    grid = board.reshape(rows, cols)
    for _ in range(rng.randint(1, 4)):
        pattern = np.rot90(rng.choice(_KOS), rng.randrange(4))
        if rng.random() < 0.5:
            pattern = (3 - pattern) * (pattern > 0)
        room = rows - pattern.shape[0], cols - pattern.shape[1]
        if min(room) >= 0:
            row, col = rng.choice((0, room[0])), rng.choice((0, room[1], rng.randint(0, room[1])))
            grid[row : row + pattern.shape[0], col : col + pattern.shape[1]] = pattern
    return _with_liberties([int(stone) for stone in board], rows, cols)


_KOS = (np.array([[1, 0, 1, 2], [0, 1, 2, 0]]), np.array([[0, 1, 2], [1, 2, 0], [1, 0, 0]]))
"""White takes a ko at the edge, and one in the corner."""


def random_setting(rng: random.Random, rows: int, cols: int, ko: int, suicide: bool) -> Setting:
    """A start for the given size and rules: mostly the empty board, sometimes one that is full of stones."""
    density = rng.choice((0.0, 0.0, 0.5, 0.9))
    stones = random_stones(rng, rows, cols, density) if density else ()
    return Setting(rows, cols, ko, suicide, stones, rng.choice((BLACK, BLACK, WHITE)))


def capturing_points(board: OracleBoard, color: int) -> list[int]:
    """The points on which `color` would take something, legal or not."""
    in_atari = (board.border(chain, board.stones, EMPTY) for chain in _chains_of(board, opponent(color)))
    return sorted({point for liberties in in_atari if len(liberties) == 1 for point in liberties})


def _chains_of(board: OracleBoard, color: int) -> list[frozenset[int]]:
    return [chain for chain in board.chains() if board.stones[min(chain)] == color]


def nearby_points(board: OracleBoard) -> list[int]:
    """Empty points beside the last stone or one step further."""
    if not board.moves or board.moves[-1][1] == board.pass_move:
        return []
    beside = board.neighbours(board.moves[-1][1])
    around = {further for point in beside for further in board.neighbours(point)} | set(beside)
    return sorted(point for point in around if board.stones[point] == EMPTY)


def _first_legal(rng: random.Random, board: OracleBoard, points: list[int], color: int) -> int:
    rng.shuffle(points)
    return next((point for point in points if board.is_legal(point, color)), board.pass_move)


def next_move(rng: random.Random, board: OracleBoard) -> tuple[int, int]:
    """A legal (color, move) for the board, passes among them."""
    color = opponent(board.to_play) if rng.random() < 0.03 else board.to_play
    kind = rng.random()
    if kind < 0.04:
        return color, board.pass_move
    if kind < 0.45:
        candidates = capturing_points(board, color)
    elif kind < 0.75:
        candidates = nearby_points(board)
    else:
        candidates = []
    move = _first_legal(rng, board, candidates, color)
    if move == board.pass_move:
        empty = [point for point in range(board.points) if board.stones[point] == EMPTY]
        move = _first_legal(rng, board, empty, color)
    return color, move


def play_random(rng: random.Random, board: OracleBoard, length: int) -> Iterator[tuple[int, int]]:
    """Play `length` moves on `board`, handing out each (color, move) after it was played there."""
    for _ in range(length):
        color, move = next_move(rng, board)
        board.play(move, color)
        yield color, move


def next_turn(rng: random.Random, game: SlowGame, passing: float = 0.12) -> tuple[int, int]:
    """As `next_move`, with kos taken, blocks lifted and positions restored, and passes as often as `passing` says."""
    color, kind = game.to_play, rng.random()
    if kind < passing * (3 if game.passes == 1 else 1) / (1 + game.phase):
        return color, game.pass_move
    points: list[int] = []
    if kind < 0.5:
        points = [point for point in range(game.points) if game.ko_taken(point, color) is not None]
        points += [point for point in game.blocked if game.lifted_block(point, color) is not None]
    elif kind < 0.85:
        earlier = {state[0] for state in game.since_pass}
        empty = [point for point in range(game.points) if game.stones[point] == EMPTY]
        points = [point for point in empty if game.outcome(point, color).stones in earlier]
    legal = [point for point in points if game.is_legal(point, color)]
    if legal:
        return color, rng.choice(legal)
    color, move = next_move(rng, game)
    return next_move(rng, game) if move == game.pass_move else (color, move)  # seldom a pass by its own choice


@st.composite
def games(draw: st.DrawFn, largest: int = 7, longest: int = 60) -> tuple[Setting, list[tuple[int, int]]]:
    """A setting on a board of at most `largest` rows and columns, and the legal moves (color, move) of a game on it."""
    rows, cols = draw(st.integers(1, largest)), draw(st.integers(1, largest))
    ko, suicide = draw(st.sampled_from(RULES))
    rng = draw(st.randoms(use_true_random=False))
    setting = random_setting(rng, rows, cols, ko, suicide)
    length = draw(st.integers(0, longest))
    return setting, list(play_random(rng, setting.oracle(), length))
