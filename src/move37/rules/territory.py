"""Counting as people do at the end of a game: dead stones agreed on, dame perhaps not filled.

Every chain named dead is taken off first and becomes prisoners. An empty region that touches one colour only is that
colour's; one that touches both is nobody's, so a border must be closed before it is counted. Area scoring counts stones
and territory, territory scoring counts territory and prisoners. Under the tax *seki* the eyes of groups in seki are
nobody's, under the tax *all* each independent group moreover costs two points (stone scoring). Who must play first, and
whether a stone is dead, is never judged here: `groups` finds seki among stones that live.

Sources: the Japanese rules of 1989 (articles 8 and 10), the Chinese rules (area), KataGo's rules page (taxes, button).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from move37.rules import board_kernels, records, score_kernels
from move37.rules.board_kernels import Board, BoardArray
from move37.rules.color import EMPTY, Color
from move37.rules.coordinates import format_vertex
from move37.rules.groups import Living, living_groups
from move37.rules.ruleset import Ruleset
from move37.rules.score_kernels import GROUP_TAX
from move37.rules.scoring import Part, Score


@dataclass(frozen=True)
class Count:
    """A counted board, point by point, and its score.

    ``owner``, ``int8[H, W]``, is for whom each point counts (0 nobody, 1 Black, 2 White): living stones, and territory
    with the dead stones in it. ``dame`` are the empty points that count for nobody, the eyes of a seki under a tax
    among them; ``dead`` the stones taken off; ``seki`` the stones that live in seki. All points are ascending.
    """

    owner: NDArray[np.int8]
    dame: tuple[int, ...]
    dead: tuple[int, ...]
    seki: tuple[int, ...]
    score: Score


def count(boards: BoardArray, rules: Ruleset, dead: Iterable[int] = ()) -> Count:
    """Count ``BOARD[1]`` by these rules after taking off each chain that has a stone at a point of ``dead``.

    Points of ``dead`` without a stone are passed over. Komi, handicap bonus, prisoners and button are the record's; a
    button that nobody took belongs to the player to move.
    """
    board = boards[0]
    rows, cols = int(board["rows"]), int(board["cols"])
    before = records.stones_grid(board).ravel().tolist()
    taken = sorted({stone for point in dead for stone in records.chain_points(board, point)})
    stones = list(before)
    for point in taken:
        stones[point] = EMPTY
    living = living_groups(stones, rows, cols, taken)
    owner = _owners(stones, living, taxed=rules.tax != "none")
    killed = [sum(1 for point in taken if before[point] == color) for color in range(3)]
    parts = [*_board_parts(stones, owner, rules), *_other_parts(board, rules, living, killed)]
    seki = _seki_stones(living)
    dame = tuple(point for point, its in enumerate(owner) if its == EMPTY and stones[point] == EMPTY)
    dead_names, seki_names = ([format_vertex(point, rows, cols) for point in some] for some in (taken, seki))
    score = Score.of_parts(
        parts,
        rule=rules.scoring,
        rules=rules.name,
        dead=dead_names,
        seki=seki_names,
        tax=rules.tax,
        note=_note(board),
    )
    return Count(np.array(owner, dtype=np.int8).reshape(rows, cols), dame, tuple(taken), seki, score)


def count_encore(boards: BoardArray, rules: Ruleset) -> Count:
    """Count ``BOARD[1]`` in KataGo's encore: nothing is agreed, the area and White's bonus for the play decide.

    See `score_kernels`; the part *stones played* is that bonus, which makes area into territory and prisoners.
    """
    board = boards[0]
    rows, cols = int(board["rows"]), int(board["cols"])
    owner = np.empty(rows * cols, np.int8)
    tax = float(score_kernels.counted_owner(board, owner))  # Black's less White's
    stones = records.stones_grid(board).ravel()
    played = float(board["play_bonus"])
    parts = [
        _part("area", owner.tolist()),
        Part("stones played", max(0.0, -played), max(0.0, played)),
        Part("komi", 0.0, float(board["komi"])),
        Part("handicap bonus", 0.0, float(board["white_bonus"])),
        Part("group tax", -max(0.0, tax), -max(0.0, -tax)),
    ]
    return Count(
        owner=owner.reshape(rows, cols),
        dame=tuple(int(point) for point in np.flatnonzero((owner == EMPTY) & (stones == EMPTY))),
        dead=(),
        seki=(),
        score=Score.of_parts(parts, rule="territory (encore)", rules=rules.name, note=_note(board)),
    )


def _note(board: Board) -> str:
    """What the sum alone does not say."""
    return (
        "no result: a long cycle ended the game, and this is only what the board counts" if board["no_result"] else ""
    )


def _owners(stones: list[int], living: Living, *, taxed: bool) -> list[int]:
    """For whom each point counts; with ``taxed`` the territory of groups in seki is nobody's."""
    owners = list(stones)
    for number, group in enumerate(living.groups.groups):
        if not (taxed and number in living.seki):
            for region in group.regions:
                for point in living.groups.regions[region].points:
                    owners[point] = group.color
    return owners


def _seki_stones(living: Living) -> tuple[int, ...]:
    groups = living.groups
    chains = [groups.chains[number] for at in living.seki for number in groups.groups[at].chains]
    return tuple(sorted(point for chain in chains for point in chain.stones))


def _board_parts(stones: list[int], owner: list[int], rules: Ruleset) -> list[Part]:
    """What lies on the board: stones (area scoring only) and territory."""
    territory = [its for its, stone in zip(owner, stones, strict=True) if stone == EMPTY]
    parts = [_part("stones", stones)] if rules.scoring == "area" else []
    return [*parts, _part("territory", territory)]


def _part(name: str, owners: list[int]) -> Part:
    return Part(name, float(owners.count(Color.BLACK)), float(owners.count(Color.WHITE)))


def _other_parts(board: Board, rules: Ruleset, living: Living, killed: list[int]) -> list[Part]:
    """What does not lie on the board: prisoners, tax, komi, handicap bonus, button."""
    parts: list[Part] = []
    if rules.scoring == "territory":
        taken = [int(number) for number in board["prisoners"]]
        black, white = taken[Color.BLACK] + killed[Color.WHITE], taken[Color.WHITE] + killed[Color.BLACK]
        parts.append(Part("prisoners", float(black), float(white)))
    if rules.tax == "all":
        _, black, white = living.independent
        parts.append(Part("group tax", -float(GROUP_TAX * black), -float(GROUP_TAX * white)))
    parts += [Part("komi", 0.0, float(board["komi"])), Part("handicap bonus", 0.0, float(board["white_bonus"]))]
    taker = _button_taker(board)
    return [*parts, Part("button", 0.5 * (taker == Color.BLACK), 0.5 * (taker == Color.WHITE))]


def _button_taker(board: Board) -> int:
    """Who has the button, or gets it now; 0 where there is none."""
    if int(board["button"]) == board_kernels.BUTTON_FREE:
        return int(board["to_play"])
    if int(board["button"]) == board_kernels.BUTTON_TAKEN:
        return Color.BLACK if float(board["play_bonus"]) < 0 else Color.WHITE
    return EMPTY
