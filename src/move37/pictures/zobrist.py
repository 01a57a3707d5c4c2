"""Zobrist hashing: the 64 bits of a position's hash, and which of them each move flips. Concept picture A2.

Every stone has a number of its own, and so has the player to move; a move XORs the numbers of the stone it puts, of the
stones it takes, and of both players. A hash that comes back is a position that comes back: superko is found so.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from move37.pictures.boards import board_panel
from move37.pictures.drawing import GAP, Picture, box, grid, text
from move37.rules.board_kernels import ZOBRIST, ZOBRIST_PLAYER, cell_of
from move37.rules.color import Color
from move37.rules.position import Position

__all__ = ["HashStep", "hash_steps", "stone_number", "zobrist_picture"]

BITS = 64
_BIT = 7.0
_ROW = 34.0


@dataclass(frozen=True)
class HashStep:
    """A move and the hash after it.

    number: of the move, 0 for the start; words: the move for people; parts: the numbers that were XORed, each with what
    it stands for; hash: after it, of stones and player to move. seen: the earlier move after which the stones were the
    same, or None.
    """

    number: int
    words: str
    parts: tuple[tuple[str, int], ...]
    hash: int
    seen: int | None

    @property
    def flipped(self) -> int:
        """The bits that the move changed."""
        change = 0
        for _, number in self.parts:
            change ^= number
        return change


def stone_number(color: int, point: int, cols: int) -> int:
    """Zobrist's number of a stone."""
    return int(ZOBRIST[color, int(cell_of(point, cols))])


def hash_steps(position: Position) -> list[HashStep]:
    """The start of the game and each of its moves, with what it XORed."""
    game = position.root()
    start = game.move_number
    steps = [HashStep(start, "start", (), game.hash, None)]
    stones = [int(game.board["stones_hash"])]
    for number, (color, point) in enumerate(position.moves, start + 1):
        before, turn = game.stones.ravel(), game.to_play
        game.play(point, color, force=True)
        parts = _changes(before, game) + _turns(turn, game.to_play)
        now = int(game.board["stones_hash"])
        seen = start + stones.index(now) if now in stones and now != stones[-1] else None
        steps.append(HashStep(number, f"{color.title} {game.vertex(point)}", tuple(parts), game.hash, seen))
        stones.append(now)
    return steps


def _changes(before: Iterable[int], game: Position) -> list[tuple[str, int]]:
    parts: list[tuple[str, int]] = []
    for point, (old, new) in enumerate(zip(before, game.stones.ravel(), strict=True)):
        for sign, color in (("−", int(old)), ("+", int(new))):
            if old != new and color:
                name = f"{sign}{Color(color).title} {game.vertex(point)}"
                parts.append((name, stone_number(color, point, game.cols)))
    return sorted(parts, key=lambda part: part[0][0] == "−")


def _turns(before: Color, after: Color) -> list[tuple[str, int]]:
    if before == after:
        return []
    return [("turn", int(ZOBRIST_PLAYER[before]) ^ int(ZOBRIST_PLAYER[after]))]


def zobrist_picture(position: Position, moves: int = 10, *, heading: str = "", caption: str = "") -> Picture:
    """The board and its hash after each of the last `moves` moves, the highest bit first; flipped bits are orange."""
    steps = hash_steps(position)[-moves - 1 :]
    body = "".join(part for i, step in enumerate(steps) for part in _row(step, _ROW * i, i > 0))
    strips = Picture("bits of the hash", 120 + BITS * _BIT + 190, _ROW * len(steps), body, "hash, bit 63 first")
    board = board_panel(position.stones, "the board", last=position.last_move, width=260)
    flipped = [step.flipped.bit_count() for step in steps[1:]]
    told = caption or (
        f"A move flips {sum(flipped) / len(flipped):.1f} of 64 bits on the average here. A hash that comes back is a "
        "position that comes back."
        if flipped
        else "Each stone and the turn have a number of 64 random bits; the hash is the XOR of all of them."
    )
    title = heading or "Zobrist hashing: each move flips bits"
    return grid("Zobrist hashing", [board, strips], 2, heading=title, caption=told, gap=2 * GAP)


def _row(step: HashStep, y: float, moved: bool) -> Iterable[str]:
    name = f"{step.number}. {step.words}" if step.number else step.words
    yield text(0, y + 13, name, 12, "ink", "start", bold=True)
    for i in range(BITS):
        place = BITS - 1 - i
        bit, flips = step.hash >> place & 1, moved and step.flipped >> place & 1
        kind = ("orange" if flips else "ink") if bit else ("line-orange" if flips else "line-rule")
        hover = f"bit {place}: {bit}" + (" (flipped)" if flips else "")
        yield box(120 + _BIT * i + (2 if i % 8 == 0 else 0.5), y + 3, _BIT - 2, 12, kind, hover=hover)
    yield text(120 + BITS * _BIT + 10, y + 13, f"{step.hash:016x}", 12, "ink", "start")
    if not moved:
        return
    told = f"XOR {', '.join(name for name, _ in step.parts)}: {step.flipped.bit_count()} bits flip"
    if step.seen is not None:
        told += f" – the stones are those after move {step.seen}: superko"
    yield text(120, y + 27, told, 10, "orange" if step.seen is not None else "faint", "start")
