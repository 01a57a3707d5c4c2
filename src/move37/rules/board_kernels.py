"""The board: one record of numbers, and the kernels that play on it.

A position is one record of the dtype ``BOARD``; a batch of positions is an array ``BOARD[B]``. Chains of stones are a
disjoint-set forest with union by size; the smaller chain is relabelled when two chains join, so every stone points
straight at its root and a find is one load. Stones of a chain are linked in a circle, so a captured chain is walked
in O(stones). Liberty counts are true counts at any time. This file knows one position with its last eight
configurations; it does not know the game: superko against earlier positions is decided by ``write_superko_bans`` from
keys which the caller keeps.

Kernels trust their arguments (sizes, colours, legality); ``rules.position`` and the other entry points check them.

Spellings inside a record (the legend of this file):

- *point*: ``row * cols + column``, row 0 on top; pass is ``rows * cols``; none is -1. All fields for points hold these.
- *cell*: ``(row + 1) * 20 + column + 1``, an index into the padded arrays, whose border cells are walls. Never leaves
  kernels and ``rules.records``.
- *bit board*: ``uint64[6]``, bit ``point % 64`` of word ``point // 64``.

Ideas: chains by union-find and Zobrist hashing are in the first chapter of the course; counting liberties without sets
is from the remark that a liberty of the smaller chain is new exactly if the larger chain does not touch it.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from move37._jit import kernel

EMPTY: Final = 0
BLACK: Final = 1
WHITE: Final = 2
WALL: Final = 3

MAX_SIDE: Final = 19
STRIDE: Final = MAX_SIDE + 1
CELLS: Final = (MAX_SIDE + 2) * STRIDE + 1
WORDS: Final = 6
HISTORY: Final = 8
NO_POINT: Final = -1
MANY_PASSES: Final = 100  # passes are counted up to here

KO_SIMPLE: Final = 0
KO_POSITIONAL: Final = 1
KO_SITUATIONAL: Final = 2

LEGAL: Final = 0
OCCUPIED: Final = 1
KO: Final = 2
SUPERKO: Final = 3
SUICIDE: Final = 4
OFF_BOARD: Final = 5

BOARD: Final = np.dtype(
    [
        ("stones_hash", np.uint64),  # Zobrist hash of size and stones
        ("history_hash", np.uint64, (HISTORY,)),  # stones_hash of each configuration, 0 before the game
        ("history", np.uint64, (HISTORY, 2, WORDS)),  # bit boards [plies ago, colour - 1]; 0 is the present one
        ("ever_occupied", np.uint64, (WORDS,)),  # points that have held a stone in this game
        ("superko_banned", np.uint64, (WORDS,)),  # written by write_superko_bans
        ("ko_recapture_blocked", np.uint64, (WORDS,)),  # encore phases only
        ("encore_stones", np.uint64, (2, WORDS)),  # stones at the start of the second encore phase
        ("move_number", np.int32),  # plies played, passes included
        ("komi", np.float32),  # points for White
        ("white_bonus", np.float32),  # further points for White: handicap compensation
        ("rows", np.int16),
        ("cols", np.int16),
        ("ko_point", np.int16),  # the point to_play may not retake now, or NO_POINT
        ("prisoners", np.int16, (3,)),  # by the capturing colour; index 0 is unused
        ("last_moves", np.int16, (HISTORY,)),  # newest first; NO_POINT where none was
        ("history_ko", np.int16, (HISTORY,)),  # ko_point of each configuration
        ("root", np.int16, (CELLS,)),  # cell of the chain's root; 0 where there is no stone
        ("next_stone", np.int16, (CELLS,)),  # circle through the chain
        ("size", np.int16, (CELLS,)),  # stones of the chain, valid at its root
        ("liberties", np.int16, (CELLS,)),  # liberties of the chain, valid at its root
        ("stones", np.int8, (CELLS,)),  # EMPTY, BLACK, WHITE or WALL
        ("last_colors", np.int8, (HISTORY,)),
        ("history_length", np.int8),  # how many of the eight configurations are real, at least 1
        ("to_play", np.int8),  # BLACK or WHITE
        ("passes", np.int8),  # consecutive passes just made; two end the game
        ("phase", np.int8),  # 0 play, 1 and 2 the encore phases of territory scoring
        ("ko_rule", np.int8),  # KO_SIMPLE, KO_POSITIONAL, KO_SITUATIONAL
        ("suicide", np.int8),  # 1: suicide of two or more stones is legal
        ("scoring", np.int8),  # 0 area, 1 territory
        ("tax", np.int8),  # 0 none, 1 seki, 2 all
        ("button", np.int8),  # 1: still to be taken
        ("friendly_pass", np.int8),  # KataGo's friendlyPassOk
        ("filler", np.int8),  # always 0: makes the record's size a multiple of 8, so that it has no hidden bytes
    ],
    align=True,
)
"""One position, about 5 KB. Rule fields (ko_rule ... friendly_pass) and komi survive ``reset``."""

BoardArray = NDArray[Any]
"""An array of dtype ``BOARD``."""
Board = Any
"""One record of dtype ``BOARD`` (``np.void``), as ``boards[i]`` gives it: a view, so kernels change it in place."""

# PCG64's raw stream is fixed by NumPy's compatibility policy, so hashes are the same everywhere and always.
_RAW = np.random.PCG64(37).random_raw(2 * CELLS + 2 + 2 * STRIDE)
ZOBRIST: Final = np.concatenate([np.zeros((1, CELLS), np.uint64), _RAW[: 2 * CELLS].reshape(2, CELLS)])
"""``uint64[3, CELLS]``: one number a colour and cell; row 0 (EMPTY) is unused."""
ZOBRIST_PLAYER: Final = np.concatenate([np.zeros(1, np.uint64), _RAW[2 * CELLS : 2 * CELLS + 2]])
"""``uint64[3]``: one number a player to move."""
ZOBRIST_SIDES: Final = _RAW[2 * CELLS + 2 :].reshape(2, STRIDE)
"""``uint64[2, 20]``: one number for each count of rows and of columns, so that hashes of different sizes differ."""

_ONE = np.uint64(1)
_ZERO = np.uint64(0)


@kernel
def cell_of(point: int, cols: int) -> int:
    """Padded cell of a point on the board."""
    row = point // cols
    return row * STRIDE + STRIDE + point - row * cols + 1


@kernel
def point_of(cell: int, cols: int) -> int:
    """Point of a padded cell on the board."""
    row = cell // STRIDE
    return (row - 1) * cols + cell - row * STRIDE - 1


@kernel
def has_bit(words: NDArray[np.uint64], point: int) -> bool:
    """Whether a bit board holds a point."""
    return bool((words[point >> 6] >> np.uint64(point & 63)) & _ONE != _ZERO)


@kernel
def set_bit(words: NDArray[np.uint64], point: int) -> None:
    """Add a point to a bit board."""
    words[point >> 6] |= _ONE << np.uint64(point & 63)


@kernel
def clear_bit(words: NDArray[np.uint64], point: int) -> None:
    """Take a point off a bit board."""
    words[point >> 6] &= ~(_ONE << np.uint64(point & 63))


@kernel
def copy_board(target: BoardArray, i: int, source: BoardArray, j: int) -> None:
    """Copy record ``source[j]`` over record ``target[i]``."""
    target[i] = source[j]


# ---------------------------------------------------------------------------------------------------- chains


@kernel
def _new_liberties(board: Board, small: int, large: int) -> int:
    """Liberties of chain ``small`` that chain ``large`` does not have. Each is counted at its first stone only."""
    stones, root, next_stone = board["stones"], board["root"], board["next_stone"]
    count = 0
    stone = small
    while True:
        for direction in (-STRIDE, -1, 1, STRIDE):
            liberty = stone + direction
            if stones[liberty] != EMPTY:
                continue
            first = 0
            touches_large = False
            for around in (-STRIDE, -1, 1, STRIDE):
                owner = root[liberty + around]
                if owner == large:
                    touches_large = True
                elif owner == small and first == 0:
                    first = liberty + around
            if not touches_large and first == stone:
                count += 1
        stone = next_stone[stone]
        if stone == small:
            return count


@kernel
def _extend(board: Board, cell: int, chain: int) -> None:
    """Join the stone just put on ``cell`` to its first friendly chain: the union's common case, without a walk."""
    stones, root, next_stone = board["stones"], board["root"], board["next_stone"]
    new = 0
    for direction in (-STRIDE, -1, 1, STRIDE):
        liberty = cell + direction
        if stones[liberty] == EMPTY and not (
            root[liberty - STRIDE] == chain
            or root[liberty - 1] == chain
            or root[liberty + 1] == chain
            or root[liberty + STRIDE] == chain
        ):
            new += 1
    board["liberties"][chain] += new
    board["size"][chain] += 1
    root[cell] = chain
    next_stone[cell] = next_stone[chain]
    next_stone[chain] = cell


@kernel
def _unite(board: Board, a: int, b: int) -> int:
    """Join two chains by their roots (union by size); return the root of the joined chain."""
    root, next_stone, size = board["root"], board["next_stone"], board["size"]
    large, small = a, b
    if size[large] < size[small]:
        large, small = b, a
    board["liberties"][large] += _new_liberties(board, small, large)
    size[large] += size[small]
    stone = small
    while True:
        root[stone] = large
        stone = next_stone[stone]
        if stone == small:
            break
    next_stone[large], next_stone[small] = next_stone[small], next_stone[large]
    return large


@kernel
def give_liberty(board: Board, cell: int, but: int) -> None:
    """Count an emptied cell as a liberty of each distinct chain beside it, except the chain ``but``."""
    root, liberties = board["root"], board["liberties"]
    first = second = third = but
    for direction in (-STRIDE, -1, 1, STRIDE):
        owner = root[cell + direction]
        if owner != 0 and owner != but and owner != first and owner != second and owner != third:
            liberties[owner] += 1
            third = second
            second = first
            first = owner


@kernel
def _remove_chain(board: Board, chain: int) -> tuple[int, np.uint64]:
    """Take a chain off; return its size and the change of the hash. The circle of its stones stays readable."""
    stones, root, next_stone = board["stones"], board["root"], board["next_stone"]
    change = _ZERO
    count = 0
    stone = chain
    color = stones[chain]
    while True:
        stones[stone] = EMPTY
        change ^= ZOBRIST[color, stone]
        count += 1
        give_liberty(board, stone, chain)
        stone = next_stone[stone]
        if stone == chain:
            break
    while True:
        root[stone] = 0
        stone = next_stone[stone]
        if stone == chain:
            return count, change


@kernel
def place_stone(board: Board, cell: int, color: int) -> tuple[int, int, np.uint64]:
    """Put a stone on an empty cell, take what it captures (or its own chain, if that is suicide).

    Returns ``(captured, ko cell or 0, change of the hash)``; ``captured`` is negative for suicide. Trusts legality.
    """
    stones, root, size, liberties = board["stones"], board["root"], board["size"], board["liberties"]
    enemy = 3 - color
    change = ZOBRIST[color, cell]
    stones[cell] = color
    root[cell] = cell
    board["next_stone"][cell] = cell
    size[cell] = 1
    liberties[cell] = 0
    captured = 0
    taken = 0
    chain = cell
    foe_a = foe_b = foe_c = 0
    captures = False
    for direction in (-STRIDE, -1, 1, STRIDE):
        beside = cell + direction
        occupant = stones[beside]
        if occupant == EMPTY:
            liberties[cell] += 1
        elif occupant == color:
            friend = root[beside]
            if friend != chain:
                liberties[friend] -= 1
                if chain == cell:
                    _extend(board, cell, friend)
                    chain = friend
                else:
                    chain = _unite(board, chain, friend)
        elif occupant == enemy:
            foe = root[beside]
            if foe != foe_a and foe != foe_b and foe != foe_c:
                liberties[foe] -= 1
                captures |= liberties[foe] == 0
                foe_c = foe_b
                foe_b = foe_a
                foe_a = foe
    if captures:
        for direction in (-STRIDE, -1, 1, STRIDE):
            beside = cell + direction
            if stones[beside] == enemy and liberties[root[beside]] == 0:
                count, gone = _remove_chain(board, root[beside])
                captured += count
                change ^= gone
                taken = beside
    if liberties[chain] == 0:
        count, gone = _remove_chain(board, chain)
        return -count, 0, change ^ gone
    if captured == 1 and size[chain] == 1 and liberties[chain] == 1:
        return captured, taken, change
    return captured, 0, change


# ---------------------------------------------------------------------------------------------------- playing


@kernel
def reset(board: Board, rows: int, cols: int) -> None:
    """Make ``board`` an empty board of the given size, Black to play. Rule fields, komi and white_bonus stay."""
    board["rows"] = rows
    board["cols"] = cols
    board["to_play"] = BLACK
    board["passes"] = 0
    board["phase"] = 0
    board["move_number"] = 0
    board["prisoners"][:] = 0
    board["ever_occupied"][:] = _ZERO
    board["ko_recapture_blocked"][:] = _ZERO
    board["encore_stones"][:, :] = _ZERO
    board["root"][:] = 0
    board["next_stone"][:] = 0
    board["size"][:] = 0
    board["liberties"][:] = 0
    stones = board["stones"]
    stones[:] = WALL
    for row in range(rows):
        start = (row + 1) * STRIDE + 1
        stones[start : start + cols] = EMPTY
    forget_history(board)


@kernel
def forget_history(board: Board) -> None:
    """Start the record's history at the present configuration, of an empty board for now."""
    board["ko_point"] = NO_POINT
    board["last_moves"][:] = NO_POINT
    board["last_colors"][:] = 0
    board["history_ko"][:] = NO_POINT
    board["history_hash"][:] = _ZERO
    board["history"][:, :, :] = _ZERO
    board["superko_banned"][:] = _ZERO
    board["history_length"] = 1
    board["stones_hash"] = ZOBRIST_SIDES[0, board["rows"]] ^ ZOBRIST_SIDES[1, board["cols"]]
    board["history_hash"][0] = board["stones_hash"]


@kernel
def _push_history(board: Board) -> None:
    """Move every configuration one ply into the past; the newest stays as the one to be changed."""
    history = board["history"]
    hashes = board["history_hash"]
    kos = board["history_ko"]
    moves = board["last_moves"]
    colors = board["last_colors"]
    for ply in range(HISTORY - 1, 0, -1):
        for color in range(2):
            for word in range(WORDS):
                history[ply, color, word] = history[ply - 1, color, word]
        hashes[ply] = hashes[ply - 1]
        kos[ply] = kos[ply - 1]
        moves[ply] = moves[ply - 1]
        colors[ply] = colors[ply - 1]
    if board["history_length"] < HISTORY:
        board["history_length"] += 1


@kernel
def _clear_chain_bits(board: Board, chain: int, color: int) -> None:
    """Take the stones of a chain (or of one just removed) off the newest configuration."""
    next_stone = board["next_stone"]
    words = board["history"][0, color - 1]
    cols = board["cols"]
    stone = chain
    while True:
        clear_bit(words, point_of(stone, cols))
        stone = next_stone[stone]
        if stone == chain:
            return


@kernel
def _put(board: Board, point: int, color: int) -> int:
    """The stone part of ``play``: chains, newest configuration, hash, prisoners, ko. Returns what ``play`` returns."""
    cols = board["cols"]
    cell = cell_of(point, cols)
    stones = board["stones"]
    root = board["root"]
    liberties = board["liberties"]
    enemy = 3 - color
    for direction in (-STRIDE, -1, 1, STRIDE):
        beside = cell + direction
        if stones[beside] == enemy and liberties[root[beside]] == 1:
            _clear_chain_bits(board, beside, enemy)
    set_bit(board["history"][0, color - 1], point)
    set_bit(board["ever_occupied"], point)
    captured, ko_cell, change = place_stone(board, cell, color)
    board["stones_hash"] ^= change
    if ko_cell != 0:
        board["ko_point"] = point_of(ko_cell, cols)
    if captured < 0:
        _clear_chain_bits(board, cell, color)
        board["prisoners"][enemy] -= captured
    else:
        board["prisoners"][color] += captured
    return captured


@kernel
def play(board: Board, move: int, color: int) -> int:
    """Play ``move`` (a point, or pass = rows * cols) as ``color``; the other colour is to play then.

    Returns the number of stones captured, negative for suicide. Clears ``superko_banned``: the owner of the game's keys
    writes the new bans. Trusts legality.
    """
    _push_history(board)
    board["ko_point"] = NO_POINT
    board["superko_banned"][:] = _ZERO
    captured = 0
    if move == board["rows"] * board["cols"]:
        board["passes"] = min(board["passes"] + 1, MANY_PASSES)
    else:
        board["passes"] = 0
        captured = _put(board, move, color)
    board["last_moves"][0] = move
    board["last_colors"][0] = color
    board["history_hash"][0] = board["stones_hash"]
    board["history_ko"][0] = board["ko_point"]
    board["move_number"] += 1
    board["to_play"] = 3 - color
    return captured


# ---------------------------------------------------------------------------------------------------- legality


@kernel
def liberty_status(board: Board, cell: int, color: int) -> int:
    """What a stone of ``color`` on an empty cell would do: 0 keep a liberty, 1 die alone, 2 die with its chain."""
    stones, root, liberties = board["stones"], board["root"], board["liberties"]
    joins = False
    for direction in (-STRIDE, -1, 1, STRIDE):
        beside = cell + direction
        occupant = stones[beside]
        if occupant == EMPTY:
            return 0
        if occupant == WALL:
            continue
        in_atari = liberties[root[beside]] == 1
        if occupant == color:
            if not in_atari:
                return 0
            joins = True
        elif in_atari:
            return 0
    return 2 if joins else 1


@kernel
def why_illegal(board: Board, point: int, color: int) -> int:
    """LEGAL (0), or the first reason that holds of: OFF_BOARD, OCCUPIED, KO, SUICIDE, SUPERKO. Pass is always legal.

    Simple ko binds only the player to move: the other one would fill the ko, not retake it. ``superko_banned`` is
    taken as written for ``color``.
    """
    if point < 0 or point > board["rows"] * board["cols"]:
        return OFF_BOARD
    if point == board["rows"] * board["cols"]:
        return LEGAL
    cell = cell_of(point, board["cols"])
    if board["stones"][cell] != EMPTY:
        return OCCUPIED
    if point == board["ko_point"] and color == board["to_play"]:
        return KO
    status = liberty_status(board, cell, color)
    if status == 1 or (status == 2 and board["suicide"] == 0):
        return SUICIDE
    if has_bit(board["superko_banned"], point):
        return SUPERKO
    return LEGAL


@kernel
def is_legal(board: Board, point: int, color: int) -> bool:
    """Whether ``color`` may play ``point`` (pass included) now; the reasons are those of ``why_illegal``."""
    return why_illegal(board, point, color) == LEGAL


@kernel
def legal_mask(board: Board, color: int, out: NDArray[np.bool_]) -> int:
    """Write ``out: bool[A]``, True where ``color`` may play; pass always may. Returns the number of legal moves."""
    rows, cols = board["rows"], board["cols"]
    stones = board["stones"]
    allowed = 2 if board["suicide"] == 0 else 3
    banned = board["superko_banned"]
    any_banned = False
    for word in range(WORDS):
        any_banned |= banned[word] != _ZERO
    count = 1
    point = 0
    for row in range(rows):
        cell = (row + 1) * STRIDE
        for _ in range(cols):
            cell += 1
            legal = stones[cell] == EMPTY
            if legal:
                status = liberty_status(board, cell, color)
                legal = status == 0 or (status == 2 and allowed == 3)
                if any_banned and legal:
                    legal = not has_bit(banned, point)
            out[point] = legal
            count += legal
            point += 1
    ko_point = board["ko_point"]
    if ko_point != NO_POINT and color == board["to_play"] and out[ko_point]:
        out[ko_point] = False
        count -= 1
    out[point] = True
    return count


@kernel
def legal_mask_batch(boards: BoardArray, out: NDArray[np.bool_]) -> None:
    """``legal_mask`` of each record for its player to move. ``boards: BOARD[B]`` of one size, ``out: bool[B, A]``."""
    for i in range(boards.shape[0]):
        legal_mask(boards[i], boards[i]["to_play"], out[i])


# ---------------------------------------------------------------------------------------------------- superko


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
def superko_key(board: Board) -> np.uint64:
    """The key of this position under its own ko rule, to be kept in the game's list of keys."""
    return repetition_key(board["stones_hash"], board["to_play"], board["ko_rule"])


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
    key = repetition_key(hash_after(board, point, color), 3 - color, board["ko_rule"])
    found = False
    for i in range(count):
        found |= keys[i] == key
    return found


@kernel
def write_superko_bans(board: Board, color: int, keys: NDArray[np.uint64], count: int) -> None:
    """Write ``superko_banned`` for ``color`` from the keys of all positions of the game, ``keys: uint64[>= count]``.

    Only points that have held a stone can recreate a position, unless the move is suicide: no others are looked at.
    Under simple ko nothing is banned.
    """
    banned = board["superko_banned"]
    banned[:] = _ZERO
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
