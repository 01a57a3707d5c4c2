"""Groups of living stones, and which of them live in seki, on a board whose dead stones have been taken off.

A *group* is the chains of one colour that are joined by territory: empty regions which touch only that colour. The
players say what is dead; what is left lives, but a group in seki has no territory under most rules. An unfilled dame
alone makes no seki. In seki lives a *weak* group, one without two eyes, that shares a dame with a weak group of the
other side, or has a dame which neither side can fill, or stays in atari; and this only if it cannot connect to safety
over dame, nor make its eyes by filling the dame at its border. A group beside an open space is not judged: the game is
not over there. Nothing is read out; where all this is in doubt a group is not in seki.

Ideas: a group that touches dame, or stays in atari, at the very end is in seki: KataGo's rules page, made tolerant of
dame that people do not fill. Two eyes: Benson's algorithm, with a region that can be divided counted as two of his.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import product
from typing import Final

from move37.rules.color import EMPTY, Color
from move37.rules.records import neighbors

_ALWAYS_TWO_EYES: Final = 7  # points of an eye space that no stones inside can make a single eye
_ROOMY: Final = 7  # points of the smallest space in which a game can go on; in a corner three may be dame


@dataclass(frozen=True)
class Chain:
    """Connected stones of one colour and their liberties."""

    color: int
    stones: frozenset[int]
    liberties: frozenset[int]


@dataclass(frozen=True)
class Region:
    """Connected empty points and the numbers of the chains around them.

    ``owner`` is the only colour there, or 0. ``is_open``: not one colour's, and with room: a point of it is
    beside no stone, which is so in no seki, nor where only dame are left.
    """

    points: frozenset[int]
    chains: frozenset[int]
    owner: int
    is_open: bool


@dataclass(frozen=True)
class Group:
    """Chains of one colour and the regions that join them, both by number."""

    color: int
    chains: frozenset[int]
    regions: tuple[int, ...]


class Groups:
    """The chains, empty regions and groups of a board.

    ``stones`` holds 0, 1 or 2 for each point, row by row, every chain with a liberty; ``taken`` are the points that
    dead stones were taken off.
    """

    def __init__(self, stones: Sequence[int], rows: int, cols: int, taken: Iterable[int] = ()) -> None:
        self.stones = tuple(stones)
        self.taken = frozenset(taken)
        self._shape = (rows, cols)
        self._beside = _neighbor_table(rows, cols)
        parts = _parts(self.stones, self._beside)
        self.chains = [self._chain(part) for part in parts if self.stones[min(part)] != EMPTY]
        self.chain_at = {point: number for number, chain in enumerate(self.chains) for point in chain.stones}
        self.regions = [self._region(part) for part in parts if self.stones[min(part)] == EMPTY]
        self.groups = self._join()
        self.group_of = {number: at for at, group in enumerate(self.groups) for number in group.chains}

    def _chain(self, points: frozenset[int]) -> Chain:
        around = {beside for point in points for beside in self._beside[point]}
        return Chain(
            self.stones[min(points)], points, frozenset(point for point in around if self.stones[point] == EMPTY)
        )

    def _region(self, points: frozenset[int]) -> Region:
        shore = {beside for point in points for beside in self._beside[point]} - points
        chains = frozenset(self.chain_at[point] for point in shore)
        colors = {self.chains[number].color for number in chains}
        if len(colors) == 1:
            return Region(points, chains, colors.pop(), is_open=False)
        roomy = len(points) >= _ROOMY and any(points.issuperset(self._beside[point]) for point in points)
        return Region(points, chains, EMPTY, is_open=roomy)

    def _join(self) -> list[Group]:
        """Chains that share a region of their own belong to one group."""
        leader = list(range(len(self.chains)))
        for region in self.regions:
            if region.owner != EMPTY:
                joined = {leader[number] for number in region.chains}
                leader = [min(joined) if old in joined else old for old in leader]
        owned = [(at, leader[min(region.chains)]) for at, region in enumerate(self.regions) if region.owner != EMPTY]
        return [
            Group(
                self.chains[first].color,
                frozenset(number for number, its in enumerate(leader) if its == first),
                tuple(at for at, its in owned if its == first),
            )
            for first in sorted(set(leader))
        ]

    def group_at(self, stone: int) -> int:
        """The number of the group of a stone."""
        return self.group_of[self.chain_at[stone]]

    # ------------------------------------------------------------------------------------------------ life

    def eyes(self, region: Region) -> int:
        """1 or 2: as two counts a region that its owner can divide by one stone, or that is too large to be spoilt.

        Stones taken off as dead are in the way of that stone: the three points around a dead one are one eye.
        """
        size, spoilt = len(region.points), bool(region.points & self.taken)
        if size >= _ALWAYS_TWO_EYES or (size == _ALWAYS_TWO_EYES - 1 and not spoilt):
            return 2
        return 2 if any(self._divides(point, region.points) for point in region.points - self.taken) else 1

    def _divides(self, point: int, region: frozenset[int]) -> bool:
        rest = region - {point}
        return bool(rest) and len(_flood(min(rest), rest, self._beside)) < len(rest)

    def has_two_eyes(self, group: Group) -> bool:
        """Whether some chain of the group needs no help from outside: Benson's algorithm with the `eyes` of regions.

        Three eyes always give two, one of them filled to connect where that is needed.
        """
        living = set(group.chains)
        eyes = [(self.regions[number].chains, self.eyes(self.regions[number])) for number in group.regions]
        if sum(count for _, count in eyes) >= 3:
            return True
        while True:
            held = [(chains, count) for chains, count in eyes if chains <= living]
            keep = {number for number in living if sum(count for chains, count in held if number in chains) >= 2}
            if keep == living:
                return bool(living)
            living = keep

    @cached_property
    def weak(self) -> frozenset[int]:
        """The numbers of the groups that have neither two eyes nor an open space beside them to make some in."""
        roomy = {self.group_of[number] for region in self.regions if region.is_open for number in region.chains}
        return frozenset(at for at, group in enumerate(self.groups) if at not in roomy and not self.has_two_eyes(group))

    # ------------------------------------------------------------------------------------------------ seki

    def in_atari(self, number: int) -> bool:
        """Whether a group has a chain with one liberty."""
        return any(len(self.chains[chain].liberties) == 1 for chain in self.groups[number].chains)

    def dame_of(self, number: int) -> list[int]:
        """The liberties of a group that are not its own territory, ascending."""
        chains = self.groups[number].chains
        beside = [region for region in self.regions if region.owner == EMPTY and region.chains & chains]
        nobodys = {point for region in beside for point in region.points}
        return sorted(point for chain in chains for point in self.chains[chain].liberties & nobodys)

    def is_in_seki(self, number: int) -> bool:
        """Whether a group is weak and in atari, or shares a dame with a weak group, or has one that nobody can fill."""
        if number not in self.weak:
            return False
        if self.in_atari(number):
            return True
        other = 3 - self.groups[number].color
        return any(
            self._is_beside_weak(point, other) or not self._can_be_filled(point) for point in self.dame_of(number)
        )

    def _is_beside_weak(self, point: int, color: int) -> bool:
        """Whether a weak group of this colour is beside an empty point or beside the next one."""
        near = {point} | {at for at in self._beside[point] if self.stones[at] == EMPTY}
        return any(self.group_of[chain] in self.weak for at in near for chain in self.chains_beside(at, color))

    def _can_be_filled(self, point: int) -> bool:
        """Whether some side beside the point can play there and keep two liberties; who answers is not asked."""
        return any(len(self.liberties_after(point, color)) >= 2 for color in Color if self.chains_beside(point, color))

    def chains_beside(self, point: int, color: int) -> set[int]:
        """The numbers of the chains of one colour beside a point."""
        return {self.chain_at[beside] for beside in self._beside[point] if self.stones[beside] == color}

    def liberties_after(self, point: int, color: int) -> set[int]:
        """The liberties of the chain that a stone on an empty point would be part of, if it takes nothing."""
        own = [self.chains[number].liberties for number in self.chains_beside(point, color)]
        return {at for at in self._beside[point] if self.stones[at] == EMPTY}.union(*own) - {point}

    def connected(self, first: int, order: Sequence[int]) -> Groups:
        """The board after both colours joined their groups over dame, this one first; points in this order."""
        filling = _Filling(self, self._beside, order)
        filling.connect(first)
        filling.connect(3 - first)
        return Groups(filling.stones, *self._shape, self.taken)

    def closed(self, color: int, order: Sequence[int]) -> Groups:
        """The board after this colour filled the dame beside both colours, as far as that harms nobody."""
        filling = _Filling(self, self._beside, order)
        filling.close(color)
        return Groups(filling.stones, *self._shape, self.taken)


@dataclass(frozen=True)
class Living:
    """What lives, and how.

    ``seki`` are the numbers of the groups in seki; ``independent`` says, indexed by colour, how many groups are not.
    """

    groups: Groups
    seki: frozenset[int]
    independent: tuple[int, int, int]


def living_groups(stones: Sequence[int], rows: int, cols: int, taken: Iterable[int] = ()) -> Living:
    """Find the groups in seki among stones that all live.

    Each colour is judged on the board on which it connected its groups over dame before the other did. A group that has
    two eyes once it fills the dame at its border is not in seki. Groups that become one so count as one, unless they
    have two eyes each. In which order the dame are filled may decide: a group is in seki if it is so in every order of
    `_orders`, which are turned with the board, so that a turned board counts the same.
    """
    groups = Groups(stones, rows, cols, taken)
    seki: set[int] = set()
    independent = [0, 0, 0]
    for color in Color:
        mine = [at for at, group in enumerate(groups.groups) if group.color == color]
        if not any(at in groups.weak and (groups.in_atari(at) or groups.dame_of(at)) for at in mine):
            independent[color] = len(mine)
            continue
        found = [_judged(groups, color, mine, order) for order in _orders(rows, cols)]
        seki.update(at for at in mine if all(at in its for its, _ in found))
        independent[color] = min(count for _, count in found)
    return Living(groups, frozenset(seki), (0, independent[Color.BLACK], independent[Color.WHITE]))


def _judged(groups: Groups, color: int, mine: Iterable[int], order: Sequence[int]) -> tuple[frozenset[int], int]:
    """Which groups of a colour are in seki if dame are filled in this order, and how many are independent."""
    joined = groups.connected(color, order)
    closed = joined.closed(color, order)
    seki: set[int] = set()
    merged: dict[int, int] = {}
    for at in mine:
        stone = min(groups.chains[min(groups.groups[at].chains)].stones)
        into = joined.group_at(stone)
        if joined.is_in_seki(into) and closed.group_at(stone) in closed.weak:
            seki.add(at)
        else:
            merged[into] = merged.get(into, 0) + groups.has_two_eyes(groups.groups[at])
    return frozenset(seki), sum(max(1, alone) for alone in merged.values())


@lru_cache(maxsize=64)
def _orders(rows: int, cols: int) -> tuple[tuple[int, ...], ...]:
    """The eight orders of the points by rows or columns, each in both directions: the rank of each point."""
    points = [divmod(point, cols) for point in range(rows * cols)]
    orders: list[tuple[int, ...]] = []
    for down, right in product((1, -1), repeat=2):
        by_rows = sorted(range(len(points)), key=lambda at: (down * points[at][0], right * points[at][1]))
        by_cols = sorted(range(len(points)), key=lambda at: (right * points[at][1], down * points[at][0]))
        for order in (by_rows, by_cols):
            ranks = [0] * len(points)
            for rank, at in enumerate(order):
                ranks[at] = rank
            orders.append(tuple(ranks))
    return tuple(orders)


class _Filling:
    """A board on which dame are being filled, each by a stone beside its own colour whose chain keeps two liberties."""

    def __init__(self, groups: Groups, beside: _Table, order: Sequence[int]) -> None:
        self.stones = list(groups.stones)
        self._beside = beside
        dame = [region.points for region in groups.regions if region.owner == EMPTY and not region.is_open]
        self._dame = sorted((point for points in dame for point in points), key=order.__getitem__)
        self._liberties = [set(chain.liberties) for chain in groups.chains]
        self._stones_of = [set(chain.stones) for chain in groups.chains]
        self._chain_at = dict(groups.chain_at)
        self._group_of = dict(groups.group_of)

    def connect(self, color: int) -> None:
        """Let a colour play every dame that joins two of its groups and takes nothing."""

        def joins(own: set[int], others: set[int]) -> bool:
            takes = any(len(self._liberties[number]) == 1 for number in others)
            return len({self._group_of[number] for number in own}) > 1 and not takes

        self._fill(color, joins)

    def close(self, color: int) -> None:
        """Let a colour play every dame that is beside the other one too and leaves the chains there two liberties."""
        self._fill(color, lambda _, others: bool(others) and all(len(self._liberties[n]) > 2 for n in others))

    def _fill(self, color: int, wanted: Callable[[set[int], set[int]], bool]) -> None:
        """Play all points whose chains, its own and the other side's, are as wanted, until none is left."""
        waiting, count = self._dame, -1
        while len(waiting) != count:
            count = len(waiting)
            waiting = [point for point in waiting if not self._fill_at(point, color, wanted)]

    def _fill_at(self, point: int, color: int, wanted: Callable[[set[int], set[int]], bool]) -> bool:
        """Play one point if it is wanted; whether it was played, now or before."""
        if self.stones[point] != EMPTY:
            return True
        own, others = self._chains_beside(point, color), self._chains_beside(point, 3 - color)
        empty = {beside for beside in self._beside[point] if self.stones[beside] == EMPTY}
        liberties = empty.union(*(self._liberties[number] for number in own)) - {point}
        if not own or len(liberties) < 2 or not wanted(own, others):
            return False
        self._put(point, color, own, liberties)
        for number in others:
            self._liberties[number].discard(point)
        return True

    def _chains_beside(self, point: int, color: int) -> set[int]:
        return {self._chain_at[beside] for beside in self._beside[point] if self.stones[beside] == color}

    def _put(self, point: int, color: int, own: set[int], liberties: set[int]) -> None:
        """Make the chains beside a stone one with it, and their groups one group."""
        into = min(own)
        self.stones[point] = color
        self._chain_at[point] = into
        self._liberties[into] = liberties
        self._stones_of[into] = {point}.union(*(self._stones_of[number] for number in own))
        self._chain_at.update(dict.fromkeys(self._stones_of[into], into))
        joined, group = {self._group_of[number] for number in own}, self._group_of[into]
        for number, its in self._group_of.items() if len(joined) > 1 else ():
            if its in joined:
                self._group_of[number] = group


# ------------------------------------------------------------------------------------------------ flood fill

_Table = tuple[tuple[int, ...], ...]


@lru_cache(maxsize=64)
def _neighbor_table(rows: int, cols: int) -> _Table:
    return tuple(tuple(neighbors(point, rows, cols)) for point in range(rows * cols))


def _flood(seed: int, inside: Container[int], beside: _Table) -> frozenset[int]:
    """The points of ``inside`` that are connected to ``seed``, which is one of them."""
    found, waiting = {seed}, [seed]
    while waiting:
        for point in beside[waiting.pop()]:
            if point in inside and point not in found:
                found.add(point)
                waiting.append(point)
    return frozenset(found)


def _parts(stones: Sequence[int], beside: _Table) -> list[frozenset[int]]:
    """The connected points of like content, in the order of their first points."""
    alike = [{point for point, stone in enumerate(stones) if stone == content} for content in range(3)]
    parts: list[frozenset[int]] = []
    for point, stone in enumerate(stones):
        if point in alike[stone]:
            parts.append(_flood(point, alike[stone], beside))
            alike[stone] -= parts[-1]
    return parts
