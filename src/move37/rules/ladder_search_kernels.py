"""Ladders read out: which chains are captured by ataris alone, and which moves do it.

A ladder is a sequence in which every move of the attacker is an atari and the defender only runs, or takes chasing
stones. The reading is a depth-first search over the few moves that matter, for the stones at one *target* cell:

- The attacker to move has won if the chain has one liberty and lost if it has three; with two it tries both.
- The defender to move has got away if the chain has two liberties. With one it takes any chain of the attacker in
  atari beside its own, or plays the last liberty. The defender has also got away if the attacker has just taken a ko:
  ladders that hang on a ko are not counted as working. At the root the defender may take any ko.
- A double ko in which the defender can never gain a liberty is lost for the defender.
- Moves forbidden by simple ko, and suicide, are not tried. Superko is not looked at.
- A line longer than one and a half times the board counts as captured; after 25,000 moves tried in one reading
  the answer is "not captured".

Branches that are lost or won beyond doubt are cut off; that changes no answer (but for the two limits). What is read
here is a ladder, not life: a net, a snapback or a chain of three liberties is outside.

A level of the search that has a further move to try keeps its board; the last move is played in place. The boards lie
in a stack of `LADDER` records, whose first one is the position that is asked about. Whole boards are `ladder_kernels`.

Source: the semantics are those of KataGo's ladder reader, which its network inputs use (planes 14 to 17).
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from move37._jit import kernel
from move37.rules.board_kernels import (
    CELLS,
    EMPTY,
    MAX_SIDE,
    STRIDE,
    ko_victim,
    liberty_status,
    place_stone,
    set_bit,
)

MOST_MOVES: Final = 25_000
"""Moves tried in one reading."""
_LEVELS: Final = 3 * MAX_SIDE * MAX_SIDE // 2 + 4
MOST_CANDIDATES: Final = MAX_SIDE * MAX_SIDE + 1
"""Room for the moves of one level."""

LADDER: Final = np.dtype(
    [
        ("met", np.uint64, (CELLS // 64 + 1,)),  # of the first level: cells a reading has played on or emptied, as bits
        ("root", np.int16, (CELLS,)),  # as in a board record
        ("next_stone", np.int16, (CELLS,)),
        ("size", np.int16, (CELLS,)),
        ("liberties", np.int16, (CELLS,)),
        ("stones", np.int8, (CELLS,)),
        ("defends", np.int8),  # 1: the defender is to move at this level
        ("rows", np.int16),
        ("cols", np.int16),
        ("ko_cell", np.int16),  # the cell that may not be played now; 0: none
        ("depth", np.int16),  # moves since the root of the reading
        ("tried", np.int16),  # candidates of this level that were tried
    ],
    align=True,
)
"""One level of a reading, about 4 KB: stones, chains and what was tried there."""
LadderWork = NDArray[Any]
"""Scratch of the kernels here, an array of `LADDER` from `ladder_work`."""
Level = Any
"""One record of dtype `LADDER`."""

_CAPTURED: Final = 1
_ESCAPED: Final = 0
_OPEN: Final = -1


@kernel
def ladder_work() -> LadderWork:
    """Scratch for the kernels of this file; it may be used again and again, by one thread at a time."""
    return np.empty(_LEVELS, LADDER)


# ------------------------------------------------------------------------------------------- looking at a level


@kernel
def liberties_of(level: Level, chain: int) -> tuple[int, int]:
    """The first two liberties of a chain met on its circle; 0 where there is none."""
    stones, next_stone = level["stones"], level["next_stone"]
    first = 0
    stone = chain
    while True:
        for direction in (-STRIDE, -1, 1, STRIDE):
            beside = stone + direction
            if stones[beside] == EMPTY and beside != first:
                if first != 0:
                    return first, beside
                first = beside
        stone = next_stone[stone]
        if stone == chain:
            return first, 0


@kernel
def is_among(moves: NDArray[np.int16], count: int, move: int) -> bool:
    """Whether a move is among the first ``count``."""
    at = 0
    while at < count and moves[at] != move:
        at += 1
    return at < count


@kernel
def add_move(moves: NDArray[np.int16], count: int, move: int) -> int:
    """Append a move that is not there yet; return the new number."""
    if is_among(moves, count, move):
        return count
    moves[count] = move
    return count + 1


@kernel
def list_captures(level: Level, chain: int, moves: NDArray[np.int16]) -> int:
    """List the moves that take a chain in atari beside this one; return their number."""
    stones, root, next_stone, liberties = level["stones"], level["root"], level["next_stone"], level["liberties"]
    enemy = 3 - stones[chain]
    count = 0
    known = 0
    stone = chain
    while True:
        for direction in (-STRIDE, -1, 1, STRIDE):
            beside = stone + direction
            if stones[beside] == enemy and liberties[root[beside]] == 1 and root[beside] != known:
                known = root[beside]
                count = add_move(moves, count, liberties_of(level, known)[0])
        stone = next_stone[stone]
        if stone == chain:
            return count


@kernel
def least_after(level: Level, chain: int, move: int, but: int) -> int:
    """At least so many liberties the chain has after its side played ``move``, a liberty of it.

    ``but``: a cell on which the other side plays before that, or 0.
    """
    stones, root = level["stones"], level["root"]
    own = stones[chain]
    empty = 0
    joined = 0
    for direction in (-STRIDE, -1, 1, STRIDE):
        beside = move + direction
        if stones[beside] == EMPTY:
            empty += beside != but
        elif stones[beside] == own and root[beside] != chain:
            others = level["liberties"][root[beside]] - 1  # those of a friend, but `move`; the other side may take one
            joined = max(joined, others - 1 if but != 0 else others)
        elif but == 0 and stones[beside] == 3 - own and level["liberties"][root[beside]] == 1:
            empty += 1
    return max(empty, joined)


@kernel
def _most_after(level: Level, chain: int, move: int) -> int:
    """At most so many liberties the chain, in atari, has after playing ``move``, its last one."""
    stones, root, liberties = level["stones"], level["root"], level["liberties"]
    own = stones[chain]
    most = 0
    for direction in (-STRIDE, -1, 1, STRIDE):
        beside = move + direction
        occupant = stones[beside]
        if occupant == EMPTY:
            most += 1
        elif occupant == own:
            most += liberties[root[beside]] - 1
        elif occupant == 3 - own and liberties[root[beside]] == 1:
            most += level["size"][root[beside]]
    return most


@kernel
def _after_extending(work: LadderWork, at: int, chain: int, move: int) -> int:
    """The liberties of a chain of the board ``work[at]`` after its side played ``move``."""
    work[at + 1] = work[at]
    level = work[at + 1]
    captured, _, _ = place_stone(level, move, level["stones"][chain])
    return 0 if captured < 0 else level["liberties"][level["root"][move]]


@kernel
def _is_double_ko(work: LadderWork, at: int, chain: int, a: int, b: int, moves: NDArray[np.int16]) -> bool:
    """Whether both liberties are kos which the attacker takes and the defender gains nothing by filling."""
    level = work[at]
    attacker = 3 - level["stones"][chain]
    if ko_victim(level, a, attacker) == 0 or ko_victim(level, b, attacker) == 0:
        return False
    if list_captures(level, chain, moves) > 0:
        return False
    return bool(_after_extending(work, at, chain, a) <= 2 and _after_extending(work, at, chain, b) <= 2)


@kernel
def may_play(level: Level, cell: int, color: int) -> bool:
    """Whether a move is neither forbidden by ko nor suicide."""
    return bool(cell != level["ko_cell"] and liberty_status(level, cell, color) == 0)


@kernel
def _promise(level: Level, move: int, color: int) -> int:
    """How much a move would help the defender, roughly: where the attacker looks first."""
    stones, root = level["stones"], level["root"]
    points = 0
    for direction in (-STRIDE, -1, 1, STRIDE):
        beside = move + direction
        if stones[beside] == EMPTY:
            points += 2
        elif stones[beside] == color:
            points += max(0, 2 * level["liberties"][root[beside]] - 3)
    return points


@kernel
def _list_attacks(level: Level, chain: int, a: int, b: int, moves: NDArray[np.int16]) -> int:
    """List the ataris on a chain with the liberties ``a`` and ``b``, without those it clearly gets away from."""
    color = level["stones"][chain]
    if _promise(level, b, color) > _promise(level, a, color):
        a, b = b, a
    count = 0
    if least_after(level, chain, b, a) < 3 and may_play(level, a, 3 - color):
        moves[0] = a
        count = 1
    if least_after(level, chain, a, b) < 3 and may_play(level, b, 3 - color):
        moves[count] = b
        count += 1
    return count


# ------------------------------------------------------------------------------------------- the reading


@kernel
def _judge_attack(work: LadderWork, at: int, target: int, moves: NDArray[np.int16]) -> tuple[int, int]:
    """The attacker to move at ``work[at]``: the outcome if it is clear, and the number of moves listed if it is not."""
    level = work[at]
    chain = level["root"][target]
    if level["liberties"][chain] != 2:
        return (_CAPTURED if level["liberties"][chain] < 2 else _ESCAPED), 0
    a, b = liberties_of(level, chain)
    if _is_double_ko(work, at, chain, a, b, moves):
        return _CAPTURED, 0
    count = _list_attacks(level, chain, a, b, moves)
    return (_OPEN if count > 0 else _ESCAPED), count


@kernel
def _judge_defence(work: LadderWork, at: int, target: int, moves: NDArray[np.int16]) -> tuple[int, int]:
    """The defender to move at ``work[at]``: as `_judge_attack`."""
    level = work[at]
    chain = level["root"][target]
    if level["liberties"][chain] > 1 or level["ko_cell"] != 0:
        return _ESCAPED, 0
    run, _ = liberties_of(level, chain)
    if least_after(level, chain, run, 0) > 2:
        return _ESCAPED, 0
    count = list_captures(level, chain, moves)
    if _most_after(level, chain, run) > 1:  # else it is still in atari, or it would be suicide
        count = add_move(moves, count, run)
    return (_OPEN if count > 0 else _CAPTURED), count


@kernel
def _judge(work: LadderWork, at: int, target: int, moves: NDArray[np.int16]) -> tuple[int, int]:
    """Outcome or moves of the level ``work[at]``."""
    level = work[at]
    if level["depth"] >= 3 * level["rows"] * level["cols"] // 2:
        return _CAPTURED, 0
    if level["defends"] != 0:
        return _judge_defence(work, at, target, moves)
    return _judge_attack(work, at, target, moves)


@kernel
def _meet_emptied(work: LadderWork, at: int) -> None:
    """Note the cells that held a stone at first and are empty now."""
    stones, first = work[at]["stones"], work[0]["stones"]
    for cell in range(CELLS):
        if stones[cell] == EMPTY and first[cell] != EMPTY:
            set_bit(work[0]["met"], cell)


@kernel
def _try(work: LadderWork, at: int, target: int, moves: NDArray[np.int16], count: int) -> int:
    """Play the next of ``count`` listed moves of the level ``work[at]``; return the level it leads to.

    That is the level itself for the last move, whose outcome is the level's.
    """
    level = work[at]
    number = level["tried"]
    if number + 1 < count:
        level["tried"] = number + 1
        work[at + 1] = level
        at += 1
        level = work[at]
    own = level["stones"][target]
    color = own if level["defends"] != 0 else 3 - own
    set_bit(work[0]["met"], int(moves[number]))
    captured, ko_cell, _ = place_stone(level, int(moves[number]), color)
    if captured > 0:
        _meet_emptied(work, at)
    level["ko_cell"] = ko_cell
    level["defends"] = 1 - level["defends"]
    level["depth"] += 1
    level["tried"] = 0
    return at


@kernel
def read(work: LadderWork, target: int, defends: bool, moves: NDArray[np.int16]) -> bool:
    """Whether the chain at ``target`` is captured on the board ``work[1]`` (which is used up), who is to move there."""
    work[1]["defends"] = defends
    work[1]["depth"] = 0
    work[1]["tried"] = 0
    at = 1
    tried = 0
    outcome, count = _judge(work, at, target, moves)
    while True:
        while outcome == _OPEN:
            if tried >= MOST_MOVES:
                return False
            tried += 1
            at = _try(work, at, target, moves, count)
            outcome, count = _judge(work, at, target, moves)
        at -= 1
        while at > 0 and work[at]["defends"] != outcome:  # whoever has moved there has found what was looked for
            at -= 1
        if at == 0:
            return outcome == _CAPTURED
        outcome, count = _judge(work, at, target, moves)
