"""Groups of living stones: which regions give two eyes, and what is in seki."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

import numpy as np
import pytest

from move37.rules.groups import Chain, Groups, Living, living_groups
from tests.support.diagrams import draw, parse_diagram
from tests.support.random_games import random_stones

# ------------------------------------------------------------------------------------------- eyes


@pytest.mark.parametrize(
    ("diagram", "taken", "eyes"),
    [
        (".X\nXX", (), 1),
        ("..X\nXXX", (), 1),
        ("...X\nXXXX", (), 2),
        ("...X\nXXXX", (1,), 1),
        ("...X\nXXXX", (0,), 2),
        ("..X\n..X\nXXX", (), 1),
        ("....X\nXXXXX", (), 2),
        ("....X\nXXXXX", (1,), 2),
        ("....X\nXXXXX", (1, 2), 1),
        ("...X\nX.XX\nXXXX", (), 2),
        ("...X\nX.XX\nXXXX", (1,), 1),
        ("...X\n...X\nXXXX", (), 2),
        ("...X\n...X\nXXXX", (1, 5), 1),
        ("...X\n...X\n.XXX\nXXXX", (1, 5), 2),
    ],
)
def test_how_many_eyes_a_region_gives(diagram: str, taken: tuple[int, ...], eyes: int) -> None:
    """Two if one stone of the owner divides it; stones that died inside keep that stone out."""
    rows, cols, stones = parse_diagram(diagram)
    groups = Groups(stones, rows, cols, taken)
    (region,) = [region for region in groups.regions if 0 in region.points]
    assert groups.eyes(region) == eyes


# ------------------------------------------------------------------------------------------- turning


def turned(stones: Sequence[int], rows: int, cols: int) -> Iterator[tuple[int, int, tuple[int, ...]]]:
    """A board in its eight orientations: rows, columns, stones."""
    grid = np.array(stones).reshape(rows, cols)
    for quarter in range(4):
        for image in (np.rot90(grid, quarter), np.fliplr(np.rot90(grid, quarter))):
            yield len(image), len(image[0]), tuple(image.ravel().tolist())


def test_a_seki_is_one_however_the_board_is_turned() -> None:
    """Small crowded boards, where the order in which dame are filled would often decide."""
    sekis = 0
    for seed in range(400):
        rng = random.Random(seed)
        rows, cols = rng.randint(2, 6), rng.randint(3, 6)
        stones = random_stones(rng, rows, cols, rng.choice((0.5, 0.6, 0.7)))
        found = {
            (sum(len(chain.stones) for at in its.seki for chain in chains_of(its, at)), its.independent)
            for its in (living_groups(image, height, width) for height, width, image in turned(stones, rows, cols))
        }
        assert len(found) == 1, "\n" + draw(stones, cols)
        sekis += next(iter(found))[0] > 0
    assert sekis > 20


def chains_of(living: Living, at: int) -> list[Chain]:
    return [living.groups.chains[number] for number in living.groups.groups[at].chains]
