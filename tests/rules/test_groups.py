"""Groups of living stones: which regions give two eyes, and what is in seki."""

from __future__ import annotations

import pytest

from move37.rules.groups import Groups
from tests.support.diagrams import parse_diagram

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
