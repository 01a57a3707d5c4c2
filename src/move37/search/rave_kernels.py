"""All-moves-as-first statistics, which RAVE mixes with a node's own: where they are kept, and how rollouts add to them.

A node has a *row* of them from the first simulation that goes on below it, which most nodes of a tree never see; row 0
belongs to nobody and stays empty. A move counts for a node if its player was the first of both to play there, in the
tree below or in the rollout.

Source: Gelly, Silver, Monte-Carlo tree search and rapid action value estimation in computer Go (2011), section 4.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from move37._jit import kernel
from move37.rules.board_kernels import BoardArray
from move37.search.tree_kernels import NONE, Nodes
from move37.search.ucb1_kernels import RaveRows


@kernel
def give_rows(nodes: Nodes, leaves: NDArray[np.int32], row_of: NDArray[np.int32], used: int) -> int:
    """Number a row for every node above ``leaves: int32[B]`` that has none; return how many rows are in use then.

    ``row_of: int32[T]``, 0 where a node has none.
    """
    for i in range(leaves.shape[0]):
        node = nodes[leaves[i]]["parent"]
        while node != NONE and row_of[node] == 0:
            row_of[node] = used
            used += 1
            node = nodes[node]["parent"]
    return used


@kernel
def note_rollouts(
    nodes: Nodes,
    leaves: NDArray[np.int32],
    boards: BoardArray,
    moves: NDArray[np.int16],
    lengths: NDArray[np.int16],
    results: NDArray[np.float32],
    rows: RaveRows,
    row_of: NDArray[np.int32],
) -> None:
    """Add rollouts from ``leaves: int32[B]``, boards: BOARD[B], to the rows of the nodes above them.

    moves: int16[B, games, L] and lengths: int16[B, games] as `rollouts.Played` has them; results: float32[B, games] in
    [-1, 1] for the players to move.
    """
    first = np.empty(rows.shape[2], np.int8)
    for i in range(leaves.shape[0]):
        for game in range(lengths.shape[1]):
            played = moves[i, game, : lengths[i, game]]
            _note(nodes, leaves[i], boards[i]["to_play"], played, results[i, game], first, rows, row_of)


@kernel
def _note(
    nodes: Nodes,
    leaf: int,
    color: int,
    moves: NDArray[np.int16],
    result: float,
    first: NDArray[np.int8],
    rows: RaveRows,
    row_of: NDArray[np.int32],
) -> None:
    """Add one rollout: moves: int16[n], those of ``color``, who is to move at ``leaf``, first; result for ``color``.

    first: int8[A], scratch: who was the first to play on each point.
    """
    first[:] = 0
    pass_move = first.shape[0] - 1
    player = color
    for i in range(moves.shape[0]):
        if first[moves[i]] == 0:
            first[moves[i]] = player
        player = 3 - player
    node = leaf
    player = color
    while nodes[node]["parent"] != NONE:
        player = 3 - player
        result = -result
        first[nodes[node]["action"]] = player
        first[pass_move] = 0
        node = nodes[node]["parent"]
        row = rows[row_of[node]]
        for point in range(pass_move):
            if first[point] == player:
                row[0, point] += 1.0
                row[1, point] += result


@kernel
def move_rows(rows: RaveRows, row_of: NDArray[np.int32], moved: NDArray[np.int32], used: int) -> int:
    """Follow ``tree_kernels.keep_trees``: node i is now ``moved[i]``, or gone (NONE). Returns the rows in use then."""
    owner = np.full(used, NONE, np.int32)
    for node in range(moved.shape[0]):
        if moved[node] != NONE and row_of[node] != 0:
            owner[row_of[node]] = moved[node]
    row_of[:] = 0
    kept = 1
    for row in range(1, used):
        if owner[row] != NONE:
            rows[kept] = rows[row]
            row_of[owner[row]] = kept
            kept += 1
    return kept
