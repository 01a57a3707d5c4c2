"""A compiled board driven like a game, and its comparison with the oracle, field by field.

The record's padded cells are computed here again from their description, the Zobrist hash is recomputed from the
published table, so that nothing is checked against itself.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from move37.rules import board_kernels as kernels
from move37.rules import repetition_kernels, setup_kernels
from tests.support.diagrams import draw
from tests.support.oracle_board import (
    BLACK,
    EMPTY,
    HISTORY_LENGTH,
    LEGAL,
    NO_POINT,
    SITUATIONAL,
    WHITE,
    OracleBoard,
    opponent,
)
from tests.support.random_games import Setting, next_turn
from tests.support.slow_encore import FREE, SlowGame

WALL = 3
WIDTH = 20
WORDS = 6


class KernelGame:
    """One record with the keys of its game, as an owner of a game keeps them."""

    def __init__(self, setting: Setting) -> None:
        """Set the record up as `setting` says."""
        self.boards: NDArray[Any] = np.zeros(1, dtype=kernels.BOARD)
        self.board = self.boards[0]
        self.board["ko_rule"], self.board["suicide"] = setting.ko, setting.suicide
        self.board["scoring"], self.board["encore"] = setting.territory, setting.encore
        self.board["button"], self.board["move_limit"] = setting.button, setting.move_limit
        kernels.reset(self.board, setting.rows, setting.cols)
        if setting.stones:
            for point, stone in enumerate(setting.stones):
                setup_kernels.set_stone(self.board, point, stone)
            assert setup_kernels.finish_setup(self.board) == NO_POINT
        self.board["to_play"] = setting.to_play
        self.keys: NDArray[np.uint64] = np.full(64, repetition_kernels.superko_key(self.board), np.uint64)
        self.key_count = 1

    def play(self, move: int, color: int) -> int:
        """Play a move and keep its keys; returns what the kernel does."""
        captured = kernels.play(self.board, move, color)
        if self.key_count + repetition_kernels.KEYS_A_PLY > len(self.keys):
            self.keys = np.concatenate([self.keys, self.keys])
        self.key_count = repetition_kernels.record_keys(self.board, self.keys, self.key_count)
        self.keys[self.key_count :] = self.board["stones_hash"]  # a trap for who reads on
        return captured

    def write_bans(self, color: int) -> None:
        """Write the superko bans for `color`."""
        repetition_kernels.write_superko_bans(self.board, color, self.keys, self.key_count)

    def legal_mask(self, color: int) -> NDArray[np.bool_]:
        """The mask of legal moves, bool[A], of one colour."""
        mask = np.zeros(int(self.board["rows"]) * int(self.board["cols"]) + 1, np.bool_)
        assert kernels.legal_mask(self.board, color, mask) == mask.sum()
        return mask


def contents(board: Any) -> dict[str, bytes]:
    """All fields of a record as bytes, by name: a difference then says where it is."""
    return {name: board[name].tobytes() for name in kernels.BOARD.names or ()}


def cell(point: int, cols: int) -> int:
    """The padded index of a point."""
    return (point // cols + 1) * WIDTH + point % cols + 1


def zobrist_hash(stones: Iterable[int], rows: int, cols: int) -> int:
    """The hash of a configuration, from nothing."""
    value = int(kernels.ZOBRIST_SIDES[0, rows]) ^ int(kernels.ZOBRIST_SIDES[1, cols])
    for point, stone in enumerate(stones):
        if stone != EMPTY:
            value ^= int(kernels.ZOBRIST[stone, cell(point, cols)])
    return value


def bit_board(points: Iterable[int]) -> list[int]:
    """Six words of 64 bits with the given points set."""
    value = sum(1 << point for point in set(points))
    return [value >> (64 * word) & (2**64 - 1) for word in range(WORDS)]


def assert_same(board: Any, oracle: SlowGame) -> None:
    """Compare every field of a record with the oracle, but for what the rules kernels do not set."""
    assert (int(board["rows"]), int(board["cols"])) == (oracle.rows, oracle.cols)
    _assert_same_stones(board, oracle)
    for chain in oracle.chains():
        _assert_same_chain(board, oracle, chain)
    _assert_same_state(board, oracle)
    _assert_same_moves(board, oracle)
    _assert_same_history(board, oracle)
    _assert_same_phase(board, oracle)


def _assert_same_stones(board: Any, oracle: OracleBoard) -> None:
    cells = [cell(point, oracle.cols) for point in range(oracle.points)]
    stones, root = board["stones"].tolist(), board["root"].tolist()
    expected, on_board = [WALL] * len(stones), set(cells)
    for at, stone in zip(cells, oracle.stones, strict=True):
        expected[at] = stone
    assert stones == expected, "\n" + draw(oracle.stones, oracle.cols)
    assert all(root[at] == 0 for at in range(len(root)) if at not in on_board or stones[at] == EMPTY)


def _assert_same_chain(board: Any, oracle: OracleBoard, chain: frozenset[int]) -> None:
    cells = {cell(point, oracle.cols) for point in chain}
    roots = {int(board["root"][at]) for at in cells}
    assert len(roots) == 1
    (root,) = roots
    assert root in cells
    assert board["size"][root] == len(chain)
    assert board["liberties"][root] == len(oracle.border(chain, oracle.stones, EMPTY))
    walked: list[int] = []
    at = root
    while at not in walked:
        walked.append(at)
        at = int(board["next_stone"][at])
    assert at == root
    assert set(walked) == cells


def _assert_same_state(board: Any, oracle: SlowGame) -> None:
    assert board["to_play"] == oracle.to_play
    assert board["ko_point"] == oracle.ko_point
    assert board["passes"] == oracle.passes
    assert board["move_number"] == len(oracle.moves)
    assert board["prisoners"].tolist() == oracle.prisoners
    assert board["ever_occupied"].tolist() == bit_board(oracle.ever_occupied)
    stones_hash = zobrist_hash(oracle.stones, oracle.rows, oracle.cols)
    situation = stones_hash ^ int(kernels.ZOBRIST_PLAYER[oracle.to_play])
    assert int(board["stones_hash"]) == stones_hash
    assert int(repetition_kernels.situation_hash(board["stones_hash"], int(board["to_play"]))) == situation
    if not oracle.has_cycles and oracle.button != FREE:
        key = situation if oracle.ko == SITUATIONAL else stones_hash
        assert int(repetition_kernels.superko_key(board)) == key


def _assert_same_phase(board: Any, oracle: SlowGame) -> None:
    assert (board["phase"], board["phase_moves"]) == (oracle.phase, oracle.phase_moves)
    assert bool(kernels.is_over(board)) is oracle.is_over
    assert bool(board["no_result"]) is oracle.no_result
    assert bool(board["pass_repeats"]) is oracle.pass_repeats
    assert board["button"] == oracle.button
    assert board["play_bonus"] == oracle.play_bonus
    assert board["ko_recapture_blocked"].tolist() == bit_board(oracle.blocked)
    start = [
        bit_board(point for point in range(oracle.points) if oracle.encore_stones[point] == color)
        for color in (BLACK, WHITE)
    ]
    assert board["encore_stones"].tolist() == start


def _assert_same_moves(board: Any, oracle: OracleBoard) -> None:
    newest = oracle.moves[: -HISTORY_LENGTH - 1 : -1]
    missing = HISTORY_LENGTH - len(newest)
    assert board["last_colors"].tolist() == [color for color, _ in newest] + [EMPTY] * missing
    assert board["last_moves"].tolist() == [move for _, move in newest] + [NO_POINT] * missing


def _assert_same_history(board: Any, oracle: OracleBoard) -> None:
    recent = oracle.recent()
    missing = HISTORY_LENGTH - len(recent)
    assert board["history_length"] == len(recent)
    hashes = [zobrist_hash(past.stones, oracle.rows, oracle.cols) for past in recent]
    assert board["history_hash"].tolist() == hashes + [0] * missing
    assert board["history_ko"].tolist() == [past.ko_point for past in recent] + [NO_POINT] * missing
    bits = [
        [bit_board(p for p in range(oracle.points) if past.stones[p] == color) for color in (BLACK, WHITE)]
        for past in recent
    ]
    assert board["history"].tolist() == bits + [[[0] * WORDS] * 2] * missing


def assert_same_legality(game: KernelGame, oracle: SlowGame) -> None:
    """Compare what is legal, and why not, for both colours; the side to move last, so its bans stay written."""
    for color in (opponent(oracle.to_play), oracle.to_play):
        game.write_bans(color)
        assert game.board["superko_banned"].tolist() == bit_board(oracle.superko_points(color))
        reasons = [oracle.why_illegal(point, color) for point in range(oracle.points)] + [LEGAL]
        found = [kernels.why_illegal(game.board, move, color) for move in range(oracle.points + 1)]
        assert found == reasons, (color, "\n" + draw(oracle.stones, oracle.cols))
        legal = [reason == LEGAL for reason in reasons]
        assert game.legal_mask(color).tolist() == legal
        assert [kernels.is_legal(game.board, move, color) for move in range(oracle.points + 1)] == legal
    masks = np.zeros((1, oracle.points + 1), np.bool_)
    kernels.legal_mask_batch(game.boards, masks)
    assert masks[0].tolist() == legal


def compare_turns(setting: Setting, length: int, seed: int) -> SlowGame:
    """Play a game of random turns, compare after each in every field and in legality, and return it.

    It goes on a little after its end.
    """
    rng = random.Random(seed)
    oracle, game, passing = setting.oracle(), KernelGame(setting), rng.choice((0.0, 0.05, 0.15))
    assert_same(game.board, oracle)
    assert_same_legality(game, oracle)
    for _ in range(length):
        if oracle.is_over and rng.random() < 0.3:
            break
        color, move = next_turn(rng, oracle, passing)
        assert game.play(move, color) == oracle.play(move, color)
        assert_same(game.board, oracle)
        assert_same_legality(game, oracle)
    return oracle
