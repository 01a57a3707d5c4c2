"""Unconditional life as a user asks for it."""

from __future__ import annotations

import move37 as go
from move37.rules.life import certain_owner

DIAGRAM = """
. X . X . O O .
X X X X . O . O
. . . . . O O O
. . . . . . . .
"""


def test_masks_name_the_living_stones_and_their_eyes() -> None:
    game = go.Position.from_diagram(DIAGRAM, rules="chinese")
    found = go.benson(game)
    assert found.black_alive.shape == (4, 8)
    assert sorted(game.vertex(point) for point in found.black_alive.ravel().nonzero()[0].tolist()) == [
        "A3",
        "B3",
        "B4",
        "C3",
        "D3",
        "D4",
    ]
    assert found.black_territory.sum() == 2 and found.black_territory[0, 0] and found.black_territory[0, 2]
    assert found.white_alive.sum() == 7
    assert found.white_territory.sum() == 2
    assert (found.alive(go.Color.WHITE) == found.white_alive).all()
    assert (found.territory(go.Color.BLACK) == found.black_territory).all()


def test_suicide_makes_life_harder() -> None:
    """The corner region holds two white stones, one of them beside no black chain: by suicide White can empty it."""
    diagram = """
    O O . X . X
    O . X X X X
    . X X . . .
    X X . . . .
    """
    game = go.Position.from_diagram(diagram, rules="chinese")
    assert go.benson(game).black_alive.sum() >= go.benson(game, suicide=True).black_alive.sum()
    assert not go.benson(game, suicide=True).black_territory[0, 0]


def test_the_same_as_vertices() -> None:
    found = go.benson(go.Position.from_diagram(DIAGRAM, rules="chinese"))
    black = ["B4", "D4", "A3", "B3", "C3", "D3"]
    assert found.alive_vertices("black") == found.alive_vertices(go.Color.BLACK) == black
    assert found.territory_vertices("B") == ["A4", "C4"]
    assert found.alive_vertices("white") == ["F4", "G4", "F3", "H3", "F2", "G2", "H2"]
    assert sorted(found.alive_vertices()) == sorted(black + found.alive_vertices("white"))
    assert found.territory_vertices() == ["A4", "C4", "H4", "G3"]
    assert repr(found) == "<Benson alive: Black B4 D4 A3 B3 C3 D3; White F4 G4 F3 H3 F2 G2 H2>"
    assert (found.alive("w") == found.white_alive).all() and (found.territory("w") == found.white_territory).all()
    assert repr(go.benson(go.Position(5))) == "<Benson alive: Black none; White none>"


def test_rules_decide_on_suicide() -> None:
    text = "O . X . X\nO X X X X\n. X . . .\n"
    alive = [
        go.benson(go.Position.from_diagram(text, rules=rules)).black_alive.sum() for rules in ("chinese", "new-zealand")
    ]
    assert alive[0] >= alive[1]


def test_dead_stones_in_sealed_regions_are_certain() -> None:
    game = go.Position.from_diagram(". O X . X\nX X X X X\n. . . . .\n. . . O .\n. . . . .\n", rules="chinese")
    owner = certain_owner(game)
    assert owner[0].tolist() == [1, 1, 1, 1, 1]  # White's stone on the edge is dead
    assert owner[3].tolist() == [0] * 5  # there is room for White below
