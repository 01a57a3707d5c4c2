"""Keys of positions for caches, and a table of them in which the least recently used gives way.

A key covers everything a network may be shown: size, stones and the eight configurations with their kos, last moves, ko
and banned points, komi and bonuses, rules, passes, phase, button, what the encore adds, who is to move. It is 128 bits,
so two positions with one key are not to be expected in any number that fits a memory. Not covered: `move_number` and
`move_limit`, `ever_occupied`, what only tells of repetition (`era`, `revisited`, `no_result`), chain roots, and
prisoners where they are not points.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from move37._jit import kernel
from move37.rules.board_kernels import HISTORY, Board, BoardArray

WAYS = 8
"""Slots of one set: a key may lie in any slot of the set its low bits name."""

# Multipliers of splitmix64's finaliser and two odd steps: any odd numbers with well-mixed bits would do.
_MIX_A = np.uint64(0xBF58476D1CE4E5B9)
_MIX_B = np.uint64(0x94D049BB133111EB)
_STEP_A = np.uint64(0x9E3779B97F4A7C15)
_STEP_B = np.uint64(0xD1B54A32D192ED03)


@kernel
def _mix(state: np.uint64, word: np.uint64, step: np.uint64) -> np.uint64:
    """Fold one word into a 64-bit state."""
    state = (state ^ word) * _MIX_A + step
    state ^= state >> np.uint64(29)
    state *= _MIX_B
    return state ^ (state >> np.uint64(32))


@kernel
def _absorb(key: NDArray[np.uint64], word: np.uint64) -> None:
    key[0] = _mix(key[0], word, _STEP_A)
    key[1] = _mix(key[1], word, _STEP_B)


@kernel
def _absorb_number(key: NDArray[np.uint64], number: float) -> None:
    """Fold in a small number; komi is in half points or finer, so thousandths tell all apart."""
    _absorb(key, np.uint64(np.int64(np.rint(number * 1000.0))))


@kernel
def _absorb_words(key: NDArray[np.uint64], words: NDArray[np.uint64]) -> None:
    for word in words:
        _absorb(key, word)


@kernel
def _append(packed: np.uint64, number: int) -> np.uint64:
    """Five more bits: every small field of a record is at most 19."""
    return (packed << np.uint64(5)) | np.uint64(number)


@kernel
def _absorb_rules(key: NDArray[np.uint64], board: Board) -> None:
    """Fold in the rules and every field that is a small number."""
    _absorb_number(key, board["komi"])
    _absorb_number(key, board["white_bonus"])
    _absorb_number(key, board["play_bonus"])
    packed = _append(np.uint64(board["rows"]), board["cols"])
    packed = _append(packed, board["to_play"])
    packed = _append(packed, min(board["passes"], 31))
    _absorb(key, packed)
    packed = _append(np.uint64(board["ko_rule"]), board["suicide"])
    packed = _append(packed, board["scoring"])
    packed = _append(packed, board["tax"])
    packed = _append(packed, board["button"])
    packed = _append(packed, board["friendly_pass"])
    packed = _append(packed, board["encore"])
    packed = _append(packed, board["phase"])
    packed = _append(packed, min(board["phase_moves"], HISTORY))
    packed = _append(packed, board["history_length"])
    _absorb(key, _append(packed, board["pass_repeats"]))


@kernel
def write_key(board: Board, key: NDArray[np.uint64]) -> None:
    """Write the key of one record into `key` (uint64[2])."""
    key[0] = _STEP_B
    key[1] = _STEP_A
    _absorb_rules(key, board)
    _absorb(key, np.uint64(board["ko_point"] + 1))
    if board["scoring"] != 0:  # prisoners are points only there
        _absorb(key, (np.uint64(board["prisoners"][1]) << np.uint64(16)) | np.uint64(board["prisoners"][2]))
    for t in range(HISTORY):
        moves = (np.uint64(board["last_moves"][t] + 1) << np.uint64(2)) | np.uint64(board["last_colors"][t])
        _absorb(key, (moves << np.uint64(16)) | np.uint64(board["history_ko"][t] + 1))
        for color in range(2):
            _absorb_words(key, board["history"][t, color])
    _absorb_words(key, board["superko_banned"])
    if board["phase"] != 0:
        _absorb_words(key, board["ko_recapture_blocked"])
        _absorb_words(key, board["encore_stones"][0])
        _absorb_words(key, board["encore_stones"][1])


@kernel
def write_keys(boards: BoardArray, keys: NDArray[np.uint64]) -> None:
    """Write the keys of `boards` (BOARD[B]) into `keys` (uint64[B, 2])."""
    for i in range(boards.shape[0]):
        write_key(boards[i], keys[i])


@kernel
def find_slots(
    keys: NDArray[np.uint64], table: NDArray[np.uint64], used: NDArray[np.int64], now: int, slots: NDArray[np.int64]
) -> int:
    """Slots of `keys` (uint64[B, 2]) in `table` (uint64[sets, ways, 2]) into `slots` (int64[B]), -1 where absent.

    `used` (int64[sets, ways]) holds when each slot was last used, 0 for empty; found ones are set to `now` (> 0).
    Returns how many were found.
    """
    found = 0
    ways = used.shape[1]
    for i in range(keys.shape[0]):
        slots[i] = -1
        row = np.int64(keys[i, 0] % np.uint64(used.shape[0]))
        for way in range(ways):
            if used[row, way] != 0 and table[row, way, 0] == keys[i, 0] and table[row, way, 1] == keys[i, 1]:
                slots[i] = row * ways + way
                used[row, way] = now
                found += 1
                break
    return found


@kernel
def claim_slots(
    keys: NDArray[np.uint64], table: NDArray[np.uint64], used: NDArray[np.int64], now: int, slots: NDArray[np.int64]
) -> None:
    """Give each of `keys` (uint64[B, 2]) a slot: its own if it has one, else the set's least recently used one."""
    ways = used.shape[1]
    for i in range(keys.shape[0]):
        row = np.int64(keys[i, 0] % np.uint64(used.shape[0]))
        chosen = 0
        for way in range(ways):
            if used[row, way] != 0 and table[row, way, 0] == keys[i, 0] and table[row, way, 1] == keys[i, 1]:
                chosen = way
                break
            if used[row, way] < used[row, chosen]:
                chosen = way
        table[row, chosen] = keys[i]
        used[row, chosen] = now
        slots[i] = row * ways + chosen
