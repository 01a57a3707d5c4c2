"""Unconditional life and KataGo's areas and scores, slow and obvious: the oracle of the compiled `life_kernels`.

Boards are plain lists of 0 empty, 1 Black, 2 White, row by row from the top left; everything is found by flood fill,
each time anew. Nothing here knows history, ko or whose move it is. Sources: David B. Benson, "Life in the game of Go"
(1976), with and without suicide as the rule cases define it; the area planes and the scoring of KataGo (section 3 of
the notes on its V7 inputs).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

EMPTY, BLACK, WHITE = 0, 1, 2


def neighbours(point: int, rows: int, cols: int) -> list[int]:
    """The points beside `point`."""
    row, col = divmod(point, cols)
    around = ((row - 1, col), (row, col - 1), (row, col + 1), (row + 1, col))
    return [r * cols + c for r, c in around if 0 <= r < rows and 0 <= c < cols]


def connected(seed: int, rows: int, cols: int, belongs: Callable[[int], bool]) -> frozenset[int]:
    """All points that are reached from `seed` over points that belong; `seed` itself must belong."""
    found, waiting = {seed}, [seed]
    while waiting:
        for beside in neighbours(waiting.pop(), rows, cols):
            if beside not in found and belongs(beside):
                found.add(beside)
                waiting.append(beside)
    return frozenset(found)


def components(rows: int, cols: int, belongs: Callable[[int], bool]) -> list[frozenset[int]]:
    """The connected sets of all points that belong, in the order of their first points."""
    found: list[frozenset[int]] = []
    seen: set[int] = set()
    for point in range(rows * cols):
        if point not in seen and belongs(point):
            found.append(connected(point, rows, cols, belongs))
            seen |= found[-1]
    return found


def beside_any(points: Iterable[int], rows: int, cols: int) -> set[int]:
    """All points that are beside at least one of these."""
    return {beside for point in points for beside in neighbours(point, rows, cols)}


@dataclass(frozen=True)
class Region:
    """A connected set of points without a stone of the colour that holds at least one empty point.

    `borders` are the numbers of all chains of the colour beside it, `vital_to` those for which it can be an eye,
    `internal` are its points beside no stone of the colour, `opponents` its stones of the other colour.
    """

    points: frozenset[int]
    empties: frozenset[int]
    opponents: frozenset[int]
    internal: frozenset[int]
    borders: frozenset[int]
    vital_to: frozenset[int]


@dataclass(frozen=True)
class Life:
    """What Benson's algorithm says of one colour.

    `alive` are its stones that live whatever the other side plays; `sealed` are the regions that no other stone of
    the colour borders; `territory` are the points of those of them that are vital to some living chain.
    """

    alive: frozenset[int]
    sealed: tuple[Region, ...]
    unsealed: tuple[Region, ...]
    territory: frozenset[int]

    @property
    def safe(self) -> frozenset[int]:
        """Living stones and the territory of the cases' `safe_black` and `safe_white`."""
        return self.alive | self.territory


def chains_of(stones: Sequence[int], rows: int, cols: int, color: int) -> list[frozenset[int]]:
    """The chains of a colour."""
    return components(rows, cols, lambda point: stones[point] == color)


def regions_of(stones: Sequence[int], rows: int, cols: int, color: int, suicide: bool) -> list[Region]:
    """The regions of a colour; with `suicide` a vital region's stones of the other side touch the chain too."""
    shores = [beside_any(chain, rows, cols) for chain in chains_of(stones, rows, cols, color)]
    own = {point for point, stone in enumerate(stones) if stone == color}
    near = beside_any(own, rows, cols)
    found: list[Region] = []
    for points in components(rows, cols, lambda point: stones[point] != color):
        empties = frozenset(point for point in points if stones[point] == EMPTY)
        if not empties:
            continue
        must_touch = points if suicide else empties
        found.append(
            Region(
                points,
                empties,
                points - empties,
                frozenset(points - near),
                frozenset(number for number, shore in enumerate(shores) if shore & points),
                frozenset(number for number, shore in enumerate(shores) if must_touch <= shore),
            )
        )
    return found


def benson(stones: Sequence[int], rows: int, cols: int, color: int, suicide: bool = False) -> Life:
    """Unconditional life of one colour.

    A chain lives if two regions are vital to it, all of whose bordering chains live. Without `suicide` a region is
    vital to a chain if all its empty points are liberties of the chain, with it if every point of it is beside it.
    """
    chains = chains_of(stones, rows, cols, color)
    regions = regions_of(stones, rows, cols, color, suicide)
    living = set(range(len(chains)))
    while True:
        sealed = [region for region in regions if region.borders <= living]
        keep = {number for number in living if sum(number in region.vital_to for region in sealed) >= 2}
        if keep == living:
            break
        living = keep
    unsealed = tuple(region for region in regions if not region.borders <= living)
    vital = [region.points for region in sealed if region.vital_to & living]
    return Life(_union(chains[number] for number in living), tuple(sealed), unsealed, _union(vital))


def _union(parts: Iterable[frozenset[int]]) -> frozenset[int]:
    return frozenset(point for part in parts for point in part)


def pass_alive_area(stones: Sequence[int], rows: int, cols: int, suicide: bool = False) -> list[int]:
    """The cases' `pass_alive_area`: living stones and the sealed regions that are vital to one or have no room."""
    area = [EMPTY] * (rows * cols)
    for color in (BLACK, WHITE):
        life = benson(stones, rows, cols, color, suicide)
        roomless = [region.points for region in life.sealed if life.alive and len(region.internal) < 2]
        for point in life.safe.union(*roomless):
            area[point] = color
    return area


def unconditional_status(stones: Sequence[int], rows: int, cols: int) -> list[str]:
    """The cases' `unconditional_status` of each point.

    One of `alive`, `dead`, `black_territory`, `white_territory`, `undecided`. In a sealed region the other side has no
    room for two eyes if fewer than two of its points are internal, or two that touch each other.
    """
    status = ["undecided"] * (rows * cols)
    for color, territory in ((BLACK, "black_territory"), (WHITE, "white_territory")):
        life = benson(stones, rows, cols, color)
        for point in life.alive:
            status[point] = "alive"
        for region in life.sealed if life.alive else ():
            touching = len(region.internal) == 2 and bool(beside_any(region.internal, rows, cols) & region.internal)
            if len(region.internal) < 2 or touching:
                for point in region.points:
                    status[point] = "dead" if stones[point] != EMPTY else territory
    return status


# ------------------------------------------------------------------------------------------- KataGo's areas


def katago_area(
    stones: Sequence[int],
    rows: int,
    cols: int,
    *,
    non_pass_alive_stones: bool = True,
    safe_big: bool = True,
    unsafe_big: bool = True,
    suicide: bool = False,
) -> list[int]:
    """Who owns each point by KataGo's area: all stones live but those inside the other side's pass-alive territory."""
    area = [EMPTY] * (rows * cols)
    for color in (BLACK, WHITE):
        if color not in stones:
            continue
        life = benson(stones, rows, cols, color, suicide)
        for point in life.alive:
            area[point] = color
        for region in life.sealed:
            if len(region.internal) <= 1 or (safe_big and not region.opponents):
                for point in region.points:
                    area[point] = color
            elif unsafe_big and not region.opponents:
                _mark_free(area, region.points, color)
        for region in life.unsealed:
            if unsafe_big and not region.opponents:
                _mark_free(area, region.points, color)
    if non_pass_alive_stones:
        area = [owner or stone for owner, stone in zip(area, stones, strict=True)]
    return area


def _mark_free(area: list[int], points: Iterable[int], color: int) -> None:
    for point in points:
        area[point] = area[point] or color


def area_components(area: Sequence[int], rows: int, cols: int) -> list[tuple[int, frozenset[int]]]:
    """The connected points of one owner, as (owner, points)."""
    owned = {color: {point for point, owner in enumerate(area) if owner == color} for color in (BLACK, WHITE)}
    return [(color, part) for color in (BLACK, WHITE) for part in components(rows, cols, owned[color].__contains__)]


def is_seki(
    points: frozenset[int], owner: int, area: Sequence[int], stones: Sequence[int], rows: int, cols: int
) -> bool:
    """Whether a component of `area` touches a dame (an empty point of nobody) or has a chain of its own in atari."""
    if any(stones[point] == EMPTY and area[point] == EMPTY for point in beside_any(points, rows, cols)):
        return True
    for chain in chains_of(stones, rows, cols, owner):
        liberties = {point for point in beside_any(chain, rows, cols) if stones[point] == EMPTY}
        if chain & points and len(liberties) == 1:
            return True
    return False


def independent_life_area(
    stones: Sequence[int],
    rows: int,
    cols: int,
    *,
    keep_territories: bool,
    keep_stones: bool,
    suicide: bool = False,
) -> tuple[list[int], dict[int, int]]:
    """KataGo's independent-life area, and how many independent components each colour has (`{1: n, 2: m}`).

    Components in seki are left out; `keep_territories` puts back their points without a stone of the owner,
    `keep_stones` those with one.
    """
    basic = katago_area(stones, rows, cols, suicide=suicide)
    result, counts = [EMPTY] * (rows * cols), {BLACK: 0, WHITE: 0}
    for owner, points in area_components(basic, rows, cols):
        seki = is_seki(points, owner, basic, stones, rows, cols)
        counts[owner] += not seki
        for point in points:
            kept = keep_stones if stones[point] == owner else keep_territories
            if kept or not seki:
                result[point] = owner
    return result, counts


# ------------------------------------------------------------------------------------------- KataGo's scores


def area_planes(
    stones: Sequence[int],
    rows: int,
    cols: int,
    *,
    scoring: str,
    tax: str,
    suicide: bool,
    phase: int = 0,
    second_encore_stones: Sequence[int] | None = None,
) -> list[int]:
    """Who owns each point in planes 18 and 19 of KataGo's inputs (all 0 where they are absent)."""
    if scoring == "territory" and phase < 2:
        return [EMPTY] * (rows * cols)
    return score_area(
        stones,
        rows,
        cols,
        scoring=scoring,
        tax=tax,
        suicide=suicide,
        second_encore_stones=second_encore_stones,
    )[0]


def score_area(
    stones: Sequence[int],
    rows: int,
    cols: int,
    *,
    scoring: str,
    tax: str,
    suicide: bool,
    second_encore_stones: Sequence[int] | None = None,
) -> tuple[list[int], dict[int, int]]:
    """Who owns each point in KataGo's score, and the independent components of each colour (0 where untaxed).

    `second_encore_stones` is the board at the start of the second encore; None before it, when every stone counts as
    one that stood there.
    """
    if scoring == "area" and tax == "none":
        return katago_area(stones, rows, cols, suicide=suicide), {BLACK: 0, WHITE: 0}
    area, counts = independent_life_area(
        stones,
        rows,
        cols,
        keep_territories=scoring == "territory" and tax == "none",
        keep_stones=scoring == "area",
        suicide=suicide,
    )
    if scoring == "territory":
        stood = stones if second_encore_stones is None else second_encore_stones
        for point, stone in enumerate(stones):
            if area[point] == EMPTY and stood[point] == stone:
                area[point] = stone
    return area, counts if tax == "all" else {BLACK: 0, WHITE: 0}


def black_lead(
    stones: Sequence[int],
    rows: int,
    cols: int,
    *,
    scoring: str,
    tax: str,
    suicide: bool,
    komi: float = 0.0,
    play_bonus: float = 0.0,
    handicap_bonus: float = 0.0,
    second_encore_stones: Sequence[int] | None = None,
) -> float:
    """Black's lead by KataGo's score; `play_bonus` and `handicap_bonus` are White's."""
    area, counts = score_area(
        stones,
        rows,
        cols,
        scoring=scoring,
        tax=tax,
        suicide=suicide,
        second_encore_stones=second_encore_stones,
    )
    board = area.count(BLACK) - area.count(WHITE) - 2 * (counts[BLACK] - counts[WHITE])
    return board - komi - play_bonus - handicap_bonus


def play_bonus(
    moves: Iterable[tuple[int, bool, int]],
    *,
    scoring: str,
    setup: Sequence[int] = (),
    button_taken_by: int = EMPTY,
    to_play: int | None = None,
) -> float:
    """White's bonus for the course of the game; `moves` are (colour, is a stone, encore phase it was played in).

    Under territory scoring each stone costs its player a point: those that were there before the first move (`setup`,
    the board then) and those played in phases 0 and 1. The button is worth half a point to who took it
    (`button_taken_by`); with `to_play` it still lies there at the end and goes to that player.
    """
    bonus = 0.0
    if scoring == "territory":
        stones = [color for color, is_stone, phase in moves if is_stone and phase < 2] + list(setup)
        bonus += stones.count(BLACK) - stones.count(WHITE)
    owner = to_play if to_play is not None else button_taken_by
    return bonus + {EMPTY: 0.0, BLACK: -0.5, WHITE: 0.5}[owner]
