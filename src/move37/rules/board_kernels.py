"""The board: one record of numbers, and the kernels that play on it.

A position is one record of the dtype ``BOARD``; a batch of positions is an array ``BOARD[B]``. Chains of stones are a
disjoint-set forest with union by size; the smaller chain is relabelled when two chains join, so every stone points
straight at its root and a find is one load. Stones of a chain are linked in a circle, so a captured chain is walked
in O(stones). Liberty counts are true counts at any time. This file knows one position with its last eight
configurations; it does not know the game: what depends on earlier positions is decided in `repetition_kernels` from
keys which the caller keeps. The two encore phases of territory scoring are KataGo's (its rules page, version 2).

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
MANY_MOVES: Final = 30_000

KO_SIMPLE: Final = 0
KO_POSITIONAL: Final = 1
KO_SITUATIONAL: Final = 2

AREA: Final = 0
TERRITORY: Final = 1

BUTTON_FREE: Final = 1
BUTTON_TAKEN: Final = 2

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
        ("move_limit", np.int32),  # the game is over after so many plies; 0: no limit
        ("era", np.int32),  # passes played: under simple ko and in the encore they start a new reckoning of repetition
        ("komi", np.float32),  # points for White
        ("white_bonus", np.float32),  # further points for White: handicap compensation
        ("play_bonus", np.float32),  # points for White from the play: see `play`
        ("rows", np.int16),
        ("cols", np.int16),
        ("ko_point", np.int16),  # the point to_play may not retake now, or NO_POINT
        ("phase_moves", np.int16),  # plies of this phase, counted up to MANY_MOVES; 1 at most after the game's end
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
        ("button", np.int8),  # 0 there is none, BUTTON_FREE, BUTTON_TAKEN
        ("friendly_pass", np.int8),  # KataGo's friendlyPassOk
        ("encore", np.int8),  # 1: two passes under territory scoring lead to the next phase
        ("revisited", np.int8),  # 1: only now can a position come back: the last move was on a point that had a stone
        ("no_result", np.int8),  # 1: a long cycle ended the game
        ("pass_repeats", np.int8),  # 1: a pass now would repeat one and so end the phase; written by record_keys
    ],
    align=True,
)
"""One position, about 5 KB. Rule fields (ko_rule ... encore, move_limit) and komi survive ``reset``."""

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
    board["phase_moves"] = 0
    board["era"] = 0
    board["revisited"] = 0
    board["no_result"] = 0
    board["play_bonus"] = 0.0
    if board["button"] == BUTTON_TAKEN:
        board["button"] = BUTTON_FREE
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
    board["pass_repeats"] = 0
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
    board["revisited"] = has_bit(board["ever_occupied"], point)
    set_bit(board["ever_occupied"], point)
    captured, ko_cell, change = place_stone(board, cell, color)
    board["stones_hash"] ^= change
    if ko_cell != 0:
        board["ko_point"] = point_of(ko_cell, cols)
    if captured < 0:
        board["revisited"] = 1
        _clear_chain_bits(board, cell, color)
        board["prisoners"][enemy] -= captured
    else:
        board["prisoners"][color] += captured
    return captured


@kernel
def is_over(board: Board) -> bool:
    """Whether the game is over: two passes in the last phase, a long cycle, or the move limit."""
    limit = board["move_limit"]
    return bool(board["passes"] >= 2 or board["no_result"] != 0 or (limit > 0 and board["move_number"] >= limit))


@kernel
def end_phase(board: Board) -> None:
    """Two passes (or one that repeats, see `repetition_kernels`) were made: go on to the next phase where there is one.

    Otherwise the game is over, and of its history only the last ply still means anything to a network (KataGo).
    """
    if board["scoring"] == AREA or board["phase"] == 2:
        return
    if board["encore"] == 0:
        board["phase_moves"] = min(board["phase_moves"], 1)
        return
    board["phase"] += 1
    board["passes"] = 0
    board["phase_moves"] = 0
    board["ko_recapture_blocked"][:] = _ZERO
    if board["phase"] == 2:
        board["encore_stones"][:, :] = board["history"][0]


@kernel
def _pass(board: Board, color: int) -> None:
    """The pass part of ``play``: it takes the button if that is free, else it counts towards the end."""
    board["era"] += 1
    board["revisited"] = 0
    if board["button"] == BUTTON_FREE:
        board["button"] = BUTTON_TAKEN
        board["play_bonus"] += 0.5 if color == WHITE else -0.5
        board["passes"] = 0
    else:
        board["passes"] = min(board["passes"] + 1, MANY_PASSES)


@kernel
def ko_victim(board: Board, cell: int, color: int) -> int:
    """The cell of the stone that ``color`` would take in a ko by playing an empty ``cell``; 0 if it is no ko."""
    stones, root, liberties = board["stones"], board["root"], board["liberties"]
    victim = 0
    for direction in (-STRIDE, -1, 1, STRIDE):
        beside = cell + direction
        occupant = stones[beside]
        if occupant == WALL:
            continue
        if occupant != 3 - color:
            return 0
        if liberties[root[beside]] == 1:
            if victim != 0 or board["size"][root[beside]] != 1:
                return 0
            victim = beside
    return victim


@kernel
def unblocked_by(board: Board, point: int, color: int) -> int:
    """The point whose ko-recapture block ``color`` lifts by playing at ``point`` in an encore phase, or NO_POINT.

    A blocked stone may be named itself or by the point where it would be taken; either way the turn is spent on that.
    """
    cell = cell_of(point, board["cols"])
    occupant = board["stones"][cell]
    stone = cell
    if occupant == EMPTY:
        stone = ko_victim(board, cell, color)
    elif occupant == color or board["size"][board["root"][cell]] != 1 or board["liberties"][board["root"][cell]] != 1:
        return NO_POINT
    if stone == 0 or not has_bit(board["ko_recapture_blocked"], point_of(stone, board["cols"])):
        return NO_POINT
    return point_of(stone, board["cols"])


@kernel
def _put_in_encore(board: Board, point: int, color: int) -> int:
    """``_put`` of the encore phases: a taken ko is blocked where it was taken instead of forbidding its point."""
    blocked = board["ko_recapture_blocked"]
    captured = _put(board, point, color)
    if board["ko_point"] != NO_POINT:
        set_bit(blocked, point)
        board["ko_point"] = NO_POINT
    for word in range(WORDS):
        blocked[word] &= board["history"][0, 0, word] | board["history"][0, 1, word]
    return captured


@kernel
def _put_or_unblock(board: Board, point: int, color: int) -> int:
    """The stone part of a turn in any phase, with White's bonus for it. Returns the number of stones captured."""
    if board["phase"] > 0:
        unblocked = unblocked_by(board, point, color)
        if unblocked != NO_POINT:
            clear_bit(board["ko_recapture_blocked"], unblocked)
            board["revisited"] = 1
            return 0
    if board["scoring"] == TERRITORY and board["phase"] < 2:
        board["play_bonus"] += 1.0 if color == BLACK else -1.0
    if board["phase"] > 0:
        return _put_in_encore(board, point, color)
    return _put(board, point, color)


@kernel
def play(board: Board, move: int, color: int) -> int:
    """Play ``move`` (a point, or pass = rows * cols) as ``color``; the other colour is to play then.

    Returns the number of stones captured, negative for suicide. Clears ``superko_banned`` and ``pass_repeats``: the
    owner of the game's keys writes them anew. Trusts legality.

    ``play_bonus``: whoever passes first takes half a point where there is a button. Under territory scoring White gets
    a point for each black stone played and loses one for each white, up to the second encore phase: area and that
    bonus together are territory and prisoners, and there stones in the player's own territory are free from then on.
    """
    if is_over(board):
        board["phase_moves"] = min(board["phase_moves"], 1)
    board["no_result"] = 0
    _push_history(board)
    board["ko_point"] = NO_POINT
    board["superko_banned"][:] = _ZERO
    board["pass_repeats"] = 0
    board["phase_moves"] = min(board["phase_moves"] + 1, MANY_MOVES)
    captured = 0
    if move == board["rows"] * board["cols"]:
        _pass(board, color)
        if board["passes"] >= 2:
            end_phase(board)
    else:
        board["passes"] = 0
        captured = _put_or_unblock(board, move, color)
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
    taken as written for ``color``. In the encore phases lifting a ko-recapture block is a legal move.
    """
    if point < 0 or point > board["rows"] * board["cols"]:
        return OFF_BOARD
    if point == board["rows"] * board["cols"]:
        return LEGAL
    if board["phase"] > 0 and unblocked_by(board, point, color) != NO_POINT:
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
    if board["phase"] > 0:
        for at in range(point):
            if not out[at] and unblocked_by(board, at, color) != NO_POINT:
                out[at] = True
                count += 1
    return count


@kernel
def legal_mask_batch(boards: BoardArray, out: NDArray[np.bool_]) -> None:
    """``legal_mask`` of each record for its player to move. ``boards: BOARD[B]`` of one size, ``out: bool[B, A]``."""
    for i in range(boards.shape[0]):
        legal_mask(boards[i], boards[i]["to_play"], out[i])
