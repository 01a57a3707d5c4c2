"""What depends on earlier positions: superko, ko in the encore phases, long cycles, passes that repeat.

A game is known here by its keys, one or two 64-bit numbers a ply, which the owner of the game keeps (`record_keys`
appends them):

- the position's key (`superko_key`): under superko the stones (and the player if situational, and whether a button is
  still there); under simple ko and in the encore phases the stones, the player, the ko-recapture blocks and the number
  of passes so far, because there a pass starts the reckoning anew;
- under simple ko and in the encore phases also one for a pass, by what was passed on, and in the encore phases one for
  taking a ko, by what was there before.

Keys that mean different things differ by salts. Rules: KataGo's rules page, version 2 (superko is everybody's).
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from move37._jit import kernel
from move37.rules.board_kernels import (
    BUTTON_FREE,
    EMPTY,
    KO_SIMPLE,
    KO_SITUATIONAL,
    STRIDE,
    WORDS,
    ZOBRIST,
    ZOBRIST_PLAYER,
    Board,
    cell_of,
    end_phase,
    has_bit,
    ko_victim,
    liberty_status,
    set_bit,
)

KEYS_A_PLY: Final = 2
"""The most keys that one ply adds."""
OCCURRENCES: Final = 3
"""A position that comes back so often, without a pass between, ends the game without result."""

_ZERO = np.uint64(0)
_ONE = np.uint64(1)
_BUTTON = np.uint64(0xC2B2AE3D27D4EB4F)
_PASS = np.uint64(0x165667B19E3779F9)
_CAPTURE = np.uint64(0x27D4EB2F165667C5)
_ERA_SHIFT = np.uint64(32)  # keeps the number of passes clear of the small numbers in the low bits

ZOBRIST_BLOCKED: Final = np.random.PCG64(38).random_raw(WORDS * 64)
"""``uint64[384]``: one number a point, for its ko-recapture block."""


@kernel
def situation_hash(stones_hash: np.uint64, player: int) -> np.uint64:
    """Hash of stones and player to move, from the hash of the stones."""
    result: np.uint64 = stones_hash ^ ZOBRIST_PLAYER[player]
    return result


@kernel
def repetition_key(stones_hash: np.uint64, player: int, ko_rule: int) -> np.uint64:
    """What may not come back under a ko rule: stones and player if situational, else the stones alone."""
    if ko_rule == KO_SITUATIONAL:
        return situation_hash(stones_hash, player)
    return stones_hash


@kernel
def _button_salt(board: Board) -> np.uint64:
    """Positions with the button free and with it taken are different positions."""
    return _BUTTON if board["button"] == BUTTON_FREE else _ZERO


@kernel
def _state_hash(board: Board, player: int) -> np.uint64:
    """Stones, player and, in the encore phases, phase and ko-recapture blocks."""
    key = situation_hash(board["stones_hash"], player)
    if board["phase"] > 0:
        key ^= np.uint64(board["phase"])
        for word in range(WORDS):
            blocked = board["ko_recapture_blocked"][word]
            point = word * 64
            while blocked != _ZERO:
                if blocked & _ONE != _ZERO:
                    key ^= ZOBRIST_BLOCKED[point]
                blocked >>= _ONE
                point += 1
    return key


@kernel
def has_cycles(board: Board) -> bool:
    """Whether repetition is not forbidden here but ends the phase or the game: simple ko and the encore phases."""
    return bool(board["phase"] > 0 or board["ko_rule"] == KO_SIMPLE)


@kernel
def superko_key(board: Board) -> np.uint64:
    """The key of this position under its own ko rule, to be kept in the game's list of keys."""
    if has_cycles(board):
        return _state_hash(board, board["to_play"]) ^ (np.uint64(board["era"]) << _ERA_SHIFT)
    return repetition_key(board["stones_hash"], board["to_play"], board["ko_rule"]) ^ _button_salt(board)


@kernel
def _pass_key(board: Board, player: int) -> np.uint64:
    """The key of a pass by ``player`` in this position."""
    return _state_hash(board, player) ^ _PASS


@kernel
def _capture_key(stones_hash: np.uint64, phase: int, point: int, player: int) -> np.uint64:
    """The key of taking a ko at ``point`` from the given stones in an encore phase."""
    return situation_hash(stones_hash, player) ^ np.uint64(4 * int(point) + int(phase)) ^ _CAPTURE


@kernel
def count_key(keys: NDArray[np.uint64], count: int, key: np.uint64) -> int:
    """How often ``key`` is among ``keys[:count]``."""
    found = 0
    for i in range(count):
        found += keys[i] == key
    return found


@kernel
def record_keys(board: Board, keys: NDArray[np.uint64], count: int) -> int:
    """Append the keys of the ply just played to ``keys[:count]`` (room for KEYS_A_PLY more); return their new number.

    Also does what only a game's keys can tell: a pass by a player who has passed in this very position before ends the
    phase (`pass_repeats` says so beforehand), and a position that occurs for the third time without a pass between ends
    the game without result.
    """
    point = board["last_moves"][0]
    player = board["last_colors"][0]
    cycles = has_cycles(board)
    passed = point == board["rows"] * board["cols"]
    if cycles and passed and board["passes"] > 0:
        key = _pass_key(board, player)
        if board["passes"] < 2 and count_key(keys, count, key) > 0:
            board["passes"] = 2
            end_phase(board)
        keys[count] = key
        count += 1
    key = superko_key(board)
    keys[count] = key
    count += 1
    if cycles and board["revisited"] != 0 and count_key(keys, count, key) >= OCCURRENCES:
        board["no_result"] = 1
    if board["phase"] > 0 and not passed and has_bit(board["ko_recapture_blocked"], point):
        keys[count] = _capture_key(board["history_hash"][1], board["phase"], point, player)
        count += 1
    if cycles and board["era"] > 0 and board["button"] != BUTTON_FREE:
        board["pass_repeats"] = count_key(keys, count, _pass_key(board, board["to_play"])) > 0
    return count


@kernel
def _chain_hash(board: Board, chain: int) -> np.uint64:
    """XOR of the Zobrist numbers of a chain's stones."""
    next_stone = board["next_stone"]
    color = board["stones"][chain]
    change: np.uint64 = _ZERO
    stone = chain
    while True:
        change ^= ZOBRIST[color, stone]
        stone = next_stone[stone]
        if stone == chain:
            return change


@kernel
def hash_after(board: Board, point: int, color: int) -> np.uint64:
    """``stones_hash`` after ``color`` plays an empty point, captures and suicide included; nothing is changed."""
    cell = cell_of(point, board["cols"])
    stones, root, liberties = board["stones"], board["root"], board["liberties"]
    status = liberty_status(board, cell, color)
    victim = color if status != 0 else 3 - color
    result: np.uint64 = board["stones_hash"]
    if status == 0:
        result ^= ZOBRIST[color, cell]
    first = second = third = 0
    for direction in (-STRIDE, -1, 1, STRIDE):
        beside = cell + direction
        chain = root[beside]
        if stones[beside] != victim or liberties[chain] != 1:
            continue
        if chain != first and chain != second and chain != third:
            result ^= _chain_hash(board, chain)
            third = second
            second = first
            first = chain
    return result


@kernel
def _repeats(board: Board, point: int, color: int, keys: NDArray[np.uint64], count: int) -> bool:
    """Whether the position after ``color`` at ``point`` has its key among ``keys[:count]``."""
    key = repetition_key(hash_after(board, point, color), 3 - color, board["ko_rule"]) ^ _button_salt(board)
    return count_key(keys, count, key) > 0


@kernel
def _write_encore_bans(board: Board, color: int, keys: NDArray[np.uint64], count: int) -> None:
    """In an encore phase a player may take a ko only once from the same stones."""
    cols = board["cols"]
    for point in range(board["rows"] * cols):
        cell = cell_of(point, cols)
        if board["stones"][cell] == EMPTY and ko_victim(board, cell, color) != 0:
            key = _capture_key(board["stones_hash"], board["phase"], point, color)
            if count_key(keys, count, key) > 0:
                set_bit(board["superko_banned"], point)


@kernel
def write_superko_bans(board: Board, color: int, keys: NDArray[np.uint64], count: int) -> None:
    """Write ``superko_banned`` for ``color`` from the game's keys, ``keys: uint64[>= count]``.

    Only points that have held a stone can recreate a position, unless the move is suicide: no others are looked at.
    Under simple ko nothing is banned; in the encore phases see `_write_encore_bans`.
    """
    banned = board["superko_banned"]
    banned[:] = _ZERO
    if board["phase"] > 0:
        _write_encore_bans(board, color, keys, count)
        return
    if board["ko_rule"] == KO_SIMPLE:
        return
    stones = board["stones"]
    cols = board["cols"]
    points = board["rows"] * cols
    suicide = board["suicide"] != 0
    for word in range((points + 63) >> 6):
        candidates = board["ever_occupied"][word]
        if candidates == _ZERO and not suicide:
            continue
        for bit in range(64):
            point = word * 64 + bit
            if point >= points:
                break
            held_a_stone = (candidates >> np.uint64(bit)) & _ONE != _ZERO
            if not (held_a_stone or suicide):
                continue
            cell = cell_of(point, cols)
            if stones[cell] != EMPTY:
                continue
            status = liberty_status(board, cell, color)
            if status == 1 or (status == 2 and not suicide) or (status == 0 and not held_a_stone):
                continue
            if _repeats(board, point, color, keys, count):
                set_bit(banned, point)
