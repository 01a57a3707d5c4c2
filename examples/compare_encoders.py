"""The article's comparison: extracting 48 planes against 17, a thousand times, in naive Python and with move37.

    python examples/compare_encoders.py [--count 1000] [--seed 37]

The naive functions do what the article's listing does, loop by loop, with its left-out helpers written out; like the
listing they leave the eight ladder planes (35-42) zero, which move37's encoder fills. Before anything is timed, both
are checked to give the same planes. Positions are taken from random games on 19x19; times are of one core.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

import move37 as go
from move37.features import get_encoder, records

SIZE = 19
EMPTY, BLACK, WHITE = 0, 1, 2
LADDERS = slice(35, 43)

Grid = NDArray[np.int8]
Planes = NDArray[np.float32]


@dataclass(frozen=True)
class Sample:
    """A position with what the naive functions read: its last boards, newest first, and the point ko forbids."""

    position: go.Position
    boards: list[Grid]
    player: int
    ko: tuple[int, int] | None


# ------------------------------------------------------------------------------------------------------------- naive


def neighbours(row: int, col: int) -> Iterator[tuple[int, int]]:
    """The points beside a point."""
    for r, c in ((row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)):
        if 0 <= r < SIZE and 0 <= c < SIZE:
            yield r, c


def chain_and_liberties(board: Grid, row: int, col: int) -> tuple[set[tuple[int, int]], set[tuple[int, int]]]:
    """The stones connected to a stone and the empty points beside them, by flood fill."""
    chain, liberties, waiting = {(row, col)}, set[tuple[int, int]](), [(row, col)]
    while waiting:
        for point in neighbours(*waiting.pop()):
            if board[point] == EMPTY:
                liberties.add(point)
            elif board[point] == board[row, col] and point not in chain:
                chain.add(point)
                waiting.append(point)
    return chain, liberties


def board_after(board: Grid, row: int, col: int, color: int) -> Grid | None:
    """The board after a move, or None if it is suicide."""
    after = board.copy()
    after[row, col] = color
    for point in neighbours(row, col):
        if after[point] == 3 - color:
            chain, liberties = chain_and_liberties(after, *point)
            if not liberties:
                for captured in chain:
                    after[captured] = EMPTY
    return after if chain_and_liberties(after, row, col)[1] else None


def stones_in_atari(after: Grid, row: int, col: int, color: int) -> int:
    """How many of the other side's stones beside a stone just played have one liberty left."""
    threatened: set[tuple[int, int]] = set()
    for point in neighbours(row, col):
        if after[point] == 3 - color:
            chain, liberties = chain_and_liberties(after, *point)
            if len(liberties) == 1:
                threatened |= chain
    return len(threatened)


def naive_48(sample: Sample) -> Planes:
    """`article48` without ladders, float32[48, 19, 19]."""
    board, own = sample.boards[0], sample.player
    planes = np.zeros((48, SIZE, SIZE), np.float32)
    planes[0], planes[1], planes[2] = board == BLACK, board == WHITE, board == EMPTY
    for t, past in enumerate(sample.boards):
        planes[3 + t], planes[11 + t] = past == BLACK, past == WHITE
    for row in range(SIZE):
        for col in range(SIZE):
            if board[row, col] != EMPTY:
                liberties = len(chain_and_liberties(board, row, col)[1])
                if liberties <= 4:
                    planes[(19 if board[row, col] == own else 23) + liberties - 1, row, col] = 1
                continue
            for color, first in ((own, 27), (3 - own, 31)):
                after = board_after(board, row, col, color)
                if after is None or (color == own and (row, col) == sample.ko):
                    continue
                if color == own:
                    planes[43, row, col] = 1
                stones = stones_in_atari(after, row, col, color)
                if 1 <= stones <= 4:
                    planes[first + stones - 1, row, col] = 1
    for row in range(SIZE):
        for col in range(SIZE):
            planes[44 + min(row, col, SIZE - 1 - row, SIZE - 1 - col, 3), row, col] = 1
    return planes


def naive_17(sample: Sample) -> Planes:
    """`article17`, float32[17, 19, 19]."""
    planes = np.zeros((17, SIZE, SIZE), np.float32)
    for t, past in enumerate(sample.boards):
        planes[t], planes[8 + t] = past == BLACK, past == WHITE
    planes[16] = sample.player == BLACK
    return planes


# -------------------------------------------------------------------------------------------------------- comparison


def samples(count: int, seed: int) -> list[Sample]:
    """Positions of random games, each the end of 40 to 160 random legal moves."""
    rng = np.random.default_rng(seed)
    found: list[Sample] = []
    while len(found) < count:
        game = go.Position(size=SIZE, rules="chinese")
        boards = [np.array(game.stones)]
        for ply in range(1, 161):
            game.play(int(rng.choice(np.flatnonzero(game.legal_mask()[:-1]))))
            boards.insert(0, np.array(game.stones))
            del boards[8:]
            if ply >= 40 and ply % 10 == 0 and len(found) < count:
                ko = None if game.ko_point is None else divmod(game.ko_point, SIZE)
                found.append(Sample(game.copy(), list(boards), int(game.to_play), ko))
    return found


def check(sample: Sample) -> None:
    """ValueError if the naive planes and move37's differ."""
    ours = go.encode("article48", sample.position).spatial[0]
    naive = naive_48(sample)
    ours[LADDERS] = naive[LADDERS]
    if not np.array_equal(ours, naive):
        raise ValueError(f"The 48 planes differ at\n{sample.position}")
    if not np.array_equal(go.encode("article17", sample.position).spatial[0], naive_17(sample)):
        raise ValueError(f"The 17 planes differ at\n{sample.position}")


def seconds(work: Callable[[], object]) -> float:
    """Time of the calling thread."""
    began = time.thread_time()
    work()
    return time.thread_time() - began


def naively(make: Callable[[Sample], Planes], found: list[Sample]) -> float:
    """Seconds for all positions."""
    return seconds(lambda: [make(sample) for sample in found])


def with_move37(name: str, found: list[Sample]) -> float:
    """Seconds for all positions, one call each, as the article does."""
    encoder = get_encoder(name)
    boards = records([sample.position for sample in found])
    out = encoder.encode(boards[:1]).spatial  # compiled now, if it was not
    return seconds(lambda: [encoder.encode(boards[i : i + 1], out=out) for i in range(len(boards))])


def report(count: int, seed: int) -> str:
    """The comparison as a table."""
    found = samples(count, seed)
    for sample in found[:: max(1, count // 20)]:
        check(sample)
    rows = {
        "naive Python, no ladders": [naively(naive_48, found), naively(naive_17, found)],
        "move37, article48": [with_move37("article48", found), with_move37("article17", found)],
        "move37, alphago48": [with_move37("alphago48", found), with_move37("zero17", found)],
    }
    lines = [f"{count:,} extractions on {SIZE}x{SIZE}, seconds   48 planes   17 planes   times slower"]
    for name, (slow, fast) in rows.items():
        lines.append(f"{name:<{len(lines[0]) - 38}}{slow:>12.3f}{fast:>12.4f}{slow / fast:>14.0f}")
    return "\n".join(lines)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description="Compare the extraction of 48 planes with that of 17.")
    parser.add_argument("--count", type=int, default=1000, help="positions (default 1000)")
    parser.add_argument("--seed", type=int, default=37, help="of the random games (default 37)")
    arguments = parser.parse_args()
    if arguments.count < 1:
        parser.error("--count is at least 1")
    print(report(arguments.count, arguments.seed))


if __name__ == "__main__":
    main()
