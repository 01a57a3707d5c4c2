"""The player on the bundled network finds the move in fights on which the game hangs.

Black to play attacks the chain at D4, which has two liberties: E5 lets it out at F4, F4 does not, and farther off there
are nets. Which moves win was seen with KataGo's network b6c96 (300 visits a move): all of `RIGHT` are worth more than
0.3 to Black, E5 is about even.
"""

from __future__ import annotations

import pytest

from move37.players.presets import zero
from move37.rules.position import Position

CAPTURE = "B8 G3 B5 F8 C5 H3 D5 G6 B3 B2 C3 H8 D3 B4 E3 C4 A4 D4 F5 E4"  # F5 waits: F4 E5 E6
LADDER = "A4 E8 B5 D7 C5 C7 D5 H8 B3 H7 C3 B4 D3 C4 E3 D4 G6 E4"  # G6 waits: F4 E5 E6 F5 G5 F6 F7
RIGHT = {CAPTURE: {"F4", "G4", "G5"}, LADDER: {"F4", "G4"}}


def after(moves: str) -> Position:
    return Position.from_moves(moves.split(), size=9, rules="chinese", komi=7)


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("moves", [CAPTURE, LADDER], ids=["capture", "ladder"])
def test_the_chain_on_which_the_game_hangs_is_caught(moves: str, seed: int) -> None:
    position = after(moves)
    assert position.liberties("D4") == ["E5", "F4"]
    decision = zero(visits=400, threads=1, seed=seed).choose(position)
    assert decision.move is not None and position.vertex(decision.move) in RIGHT[moves]
    assert decision.value is not None and decision.value > 0.2


@pytest.mark.parametrize("moves", [CAPTURE, LADDER], ids=["capture", "ladder"])
def test_the_wrong_side_lets_it_escape(moves: str) -> None:
    assert len(after(f"{moves} E5 F4").liberties("D4")) >= 2
