"""Unconditional life: which stones no sequence of moves can take, however often their owner passes.

Benson's algorithm. For one colour, a *region* is a connected set of points without a stone of that colour. A region is
*vital* to a chain if all its empty points are liberties of the chain (where suicide of many stones is legal: if all its
points touch the chain, because the other side can then empty the region). Chains with fewer than two vital regions
are struck off, and with each all regions that touch it; what remains is alive. Nothing is read or guessed: a chain
that lives by a good answer only is not alive here.

Sources: David B. Benson, "Life in the game of Go", Information Sciences 10 (1976). The areas built on it
(`basic_area`) are KataGo's, as its network inputs use them.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from move37._jit import kernel
from move37.rules.board_kernels import BLACK, CELLS, EMPTY, STRIDE, WALL, WHITE, Board, BoardArray, cell_of

_MOST_REGIONS: Final = 362
_VITAL: Final = 4  # a region is vital only to chains beside its first point

_LIFE: Final = np.dtype(
    [
        ("label", np.int16, (CELLS,)),  # region of each cell, counted from 1; 0 for stones of the colour
        ("order", np.int16, (CELLS,)),  # cells region by region
        ("vital_regions", np.int16, (CELLS,)),  # of each chain, valid at its root
        ("queue", np.int16, (CELLS,)),  # roots of chains struck off
        ("alive", np.int8, (CELLS,)),  # valid at the root
        ("start", np.int16, (_MOST_REGIONS + 1,)),  # where a region's cells start in `order`
        ("vital_to", np.int16, (_MOST_REGIONS, _VITAL)),  # roots of chains
        ("vital_chains", np.int8, (_MOST_REGIONS,)),
        ("inner", np.int8, (_MOST_REGIONS,)),  # points that touch no stone of the colour, counted up to 3
        ("inner_cells", np.int16, (_MOST_REGIONS, 2)),
        ("has_enemy", np.int8, (_MOST_REGIONS,)),
        ("broken", np.int8, (_MOST_REGIONS,)),  # touches a chain that was struck off
        ("regions", np.int16),
        ("chains", np.int16),  # chains of the colour on the board
        ("struck_off", np.int16),
    ],
    align=True,
)
Life = Any
"""One record of scratch: the regions of one colour and what is known of its chains."""
LifeWork = NDArray[Any]
"""Room for one such record. Numba frees an array after its last use, though a record of it is used on: so who makes
the room gives the array away whole, and the kernel that is given it takes the record."""


@kernel
def _keep_vital(board: Board, life: Life, region: int, cell: int) -> None:
    """Drop the chains that do not touch ``cell`` from those the region is vital to."""
    root = board["root"]
    vital_to = life["vital_to"][region]
    kept = 0
    for i in range(life["vital_chains"][region]):
        chain = vital_to[i]
        if (
            root[cell - STRIDE] == chain
            or root[cell - 1] == chain
            or root[cell + 1] == chain
            or root[cell + STRIDE] == chain
        ):
            vital_to[kept] = chain
            kept += 1
    life["vital_chains"][region] = kept


@kernel
def _start_region(board: Board, life: Life, color: int, seed: int) -> int:
    """Open the region of an empty ``seed``; the chains beside it are the only ones it can be vital to."""
    region = life["regions"]
    life["regions"] += 1
    life["has_enemy"][region] = 0
    life["broken"][region] = 0
    life["inner"][region] = 0
    life["label"][seed] = region + 1
    life["order"][life["start"][region]] = seed
    chains = 0
    for direction in (-STRIDE, -1, 1, STRIDE):
        if board["stones"][seed + direction] == color:
            chain = board["root"][seed + direction]
            known = False
            for i in range(chains):
                known |= life["vital_to"][region, i] == chain
            if not known:
                life["vital_to"][region, chains] = chain
                chains += 1
    life["vital_chains"][region] = chains
    return int(region)


@kernel
def _flood_region(board: Board, life: Life, color: int, suicide: bool, seed: int) -> None:
    """Label the whole region of an empty ``seed`` and note what it is like."""
    stones = board["stones"]
    label, order = life["label"], life["order"]
    region = _start_region(board, life, color, seed)
    done = life["start"][region]
    end = done + 1
    inner = 0
    enemies = 0
    vital = life["vital_chains"][region]
    while done < end:
        cell = order[done]
        done += 1
        touches = False
        for direction in (-STRIDE, -1, 1, STRIDE):
            beside = cell + direction
            occupant = stones[beside]
            if occupant == color:
                touches = True
            elif occupant != WALL and label[beside] == 0:
                label[beside] = region + 1
                order[end] = beside
                end += 1
        if not touches:
            if inner < 2:
                life["inner_cells"][region, inner] = cell
            inner = min(inner + 1, 3)
        is_empty = stones[cell] == EMPTY
        enemies += not is_empty
        if vital > 0 and (is_empty or suicide):
            _keep_vital(board, life, region, cell)
            vital = life["vital_chains"][region]
    life["has_enemy"][region] = enemies > 0
    life["inner"][region] = inner
    life["start"][region + 1] = end


@kernel
def _strike_off(life: Life, chain: int) -> None:
    """Note that a chain is not alive; what follows from it is done when its turn in the queue comes."""
    life["alive"][chain] = 0
    life["queue"][life["struck_off"]] = chain
    life["struck_off"] += 1


@kernel
def _break_regions(board: Board, life: Life, chain: int) -> None:
    """Break all regions that touch a chain; they are vital to nobody any more."""
    label, next_stone = life["label"], board["next_stone"]
    stone = chain
    while True:
        for direction in (-STRIDE, -1, 1, STRIDE):
            region = label[stone + direction] - 1
            if region >= 0 and life["broken"][region] == 0:
                life["broken"][region] = 1
                for i in range(life["vital_chains"][region]):
                    other = life["vital_to"][region, i]
                    life["vital_regions"][other] -= 1
                    if life["vital_regions"][other] == 1 and life["alive"][other] != 0:
                        _strike_off(life, other)
        stone = next_stone[stone]
        if stone == chain:
            return


@kernel
def find_life(board: Board, life: Life, color: int, suicide: bool) -> None:
    """Benson's algorithm for one colour; ``life`` then holds the regions, which are broken, and which chains live."""
    rows, cols = board["rows"], board["cols"]
    stones, root = board["stones"], board["root"]
    life["label"][:] = 0
    life["regions"] = 0
    life["start"][0] = 0
    life["chains"] = 0
    life["struck_off"] = 0
    for row in range(rows):
        start = (row + 1) * STRIDE + 1
        for cell in range(start, start + cols):
            if stones[cell] == EMPTY:
                if life["label"][cell] == 0:
                    _flood_region(board, life, color, suicide, cell)
            elif stones[cell] == color and root[cell] == cell:
                life["chains"] += 1
                life["vital_regions"][cell] = 0
                life["alive"][cell] = 1
    for region in range(life["regions"]):
        for i in range(life["vital_chains"][region]):
            life["vital_regions"][life["vital_to"][region, i]] += 1
    for row in range(rows):
        start = (row + 1) * STRIDE + 1
        for cell in range(start, start + cols):
            if stones[cell] == color and root[cell] == cell and life["vital_regions"][cell] < 2:
                _strike_off(life, cell)
    done = 0
    while done < life["struck_off"]:
        if life["struck_off"] == life["chains"]:  # nothing lives, as in most positions: no region is whole
            life["broken"][: life["regions"]] = 1
            return
        _break_regions(board, life, life["queue"][done])
        done += 1


@kernel
def benson(board: Board, color: int, suicide: bool, alive: NDArray[np.bool_], territory: NDArray[np.bool_]) -> None:
    """Write ``alive: bool[points]``, the stones of ``color`` that are unconditionally alive, and ``territory``.

    ``territory: bool[points]``: the regions vital to a living chain that touch only living ones, with the other
    side's stones in them. ``suicide``: whether suicide of two or more stones is legal.
    """
    _write_benson(board, np.empty(1, _LIFE), color, suicide, alive, territory)


@kernel
def _write_benson(
    board: Board,
    work: LifeWork,
    color: int,
    suicide: bool,
    alive: NDArray[np.bool_],
    territory: NDArray[np.bool_],
) -> None:
    """`benson` with room to work in."""
    life = work[0]
    find_life(board, life, color, suicide)
    root, label = board["root"], life["label"]
    cols = board["cols"]
    point = 0
    for row in range(board["rows"]):
        start = (row + 1) * STRIDE + 1
        for cell in range(start, start + cols):
            region = label[cell] - 1
            is_region = region >= 0
            alive[point] = not is_region and life["alive"][root[cell]] != 0
            territory[point] = is_region and life["broken"][region] == 0 and life["vital_chains"][region] > 0
            point += 1


@kernel
def benson_batch(boards: BoardArray, suicide: bool, alive: NDArray[np.bool_], territory: NDArray[np.bool_]) -> None:
    """``benson`` of both colours in each of ``boards: BOARD[B]``; ``alive``, ``territory``: ``bool[B, 2, points]``."""
    for i in range(boards.shape[0]):
        for color in (BLACK, WHITE):
            benson(boards[i], color, suicide, alive[i, color - 1], territory[i, color - 1])


@kernel
def _touch(a: int, b: int) -> bool:
    """Whether two cells are neighbours."""
    return bool(abs(a - b) == 1 or abs(a - b) == STRIDE)


@kernel
def certain_owner(board: Board, suicide: bool, out: NDArray[np.int8]) -> None:
    """Write ``out: int8[points]``: BLACK or WHITE where the owner is beyond doubt, else EMPTY.

    Beyond doubt are living stones and the regions that touch only living chains and in which the other side cannot make
    two eyes: vital ones, and those with at most one inner point (which touches no stone of the owner), or two inner
    points side by side. The other side's stones in them are dead.
    """
    _write_certain_owner(board, np.empty(1, _LIFE), suicide, out)


@kernel
def _write_certain_owner(board: Board, work: LifeWork, suicide: bool, out: NDArray[np.int8]) -> None:
    """`certain_owner` with room to work in."""
    life = work[0]
    cols = board["cols"]
    out[:] = EMPTY
    for color in (BLACK, WHITE):
        find_life(board, life, color, suicide)
        for point in range(board["rows"] * cols):
            cell = cell_of(point, cols)
            region = life["label"][cell] - 1
            if region < 0:
                if life["alive"][board["root"][cell]] != 0:
                    out[point] = color
            elif life["chains"] > 0 and life["broken"][region] == 0:
                inner = life["inner"][region]
                a, b = life["inner_cells"][region]
                if inner <= 1 or (inner == 2 and _touch(a, b)) or life["vital_chains"][region] > 0:
                    out[point] = color


@kernel
def _mark_area(board: Board, life: Life, color: int, safe_big: bool, unsafe_big: bool, out: NDArray[np.int8]) -> None:
    """Mark the living chains of ``color`` and its regions, as `basic_area` tells."""
    cols = board["cols"]
    for point in range(board["rows"] * cols):
        cell = cell_of(point, cols)
        region = life["label"][cell] - 1
        if region < 0:
            if life["alive"][board["root"][cell]] != 0:
                out[point] = color
            continue
        alone = life["has_enemy"][region] == 0
        certain = life["broken"][region] == 0 and (life["inner"][region] <= 1 or (safe_big and alone))
        if certain or (unsafe_big and alone and out[point] == EMPTY):
            out[point] = color


@kernel
def basic_area(
    board: Board, suicide: bool, stones: bool, safe_big: bool, unsafe_big: bool, out: NDArray[np.int8]
) -> None:
    """Write ``out: int8[points]``: KataGo's area, BLACK, WHITE or EMPTY.

    Always: living chains and the regions that touch only living chains and have at most one inner point, whatever is in
    them. ``safe_big``: also larger ones without stones of the other side. ``unsafe_big``: also regions without stones
    of the other side whose chains may not be alive. ``stones``: also all other stones, each for its own side.
    """
    _write_basic_area(board, np.empty(1, _LIFE), suicide, stones, safe_big, unsafe_big, out)


@kernel
def _write_basic_area(
    board: Board,
    work: LifeWork,
    suicide: bool,
    stones: bool,
    safe_big: bool,
    unsafe_big: bool,
    out: NDArray[np.int8],
) -> None:
    """`basic_area` with room to work in."""
    life = work[0]
    out[:] = EMPTY
    for color in (BLACK, WHITE):
        find_life(board, life, color, suicide)
        if life["chains"] > 0:
            _mark_area(board, life, color, safe_big, unsafe_big, out)
    if stones:
        cols = board["cols"]
        for point in range(board["rows"] * cols):
            if out[point] == EMPTY:
                out[point] = board["stones"][cell_of(point, cols)]
