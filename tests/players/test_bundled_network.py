"""What the bundled network must see with 400 visits: a capture two moves ahead, and a ladder.

In both positions White's row cuts Black in two and the game hangs on it. The player attacks; the defender extends at
the chain's last liberty each time; in the end the chain must be off the board. An attack on the wrong side lets it
escape.
"""

from __future__ import annotations

import pytest

from move37.players.player import Player
from move37.players.presets import zero
from move37.rules.position import Position

TARGET = "D4"
CAPTURE = "B8 G3 B5 F8 C5 H3 D5 G6 B3 B2 C3 H8 D3 B4 E3 C4 A4 D4 F5 E4"  # F5 waits: F4 E5 E6
LADDER = "A4 E8 B5 D7 C5 C7 D5 H8 B3 H7 C3 B4 D3 C4 E3 D4 G6 E4"  # G6 waits: F4 E5 E6 F5 G5 F6 F7


def after(moves: str) -> Position:
    return Position.from_moves(moves.split(), size=9, rules="chinese", komi=7)


def attack(player: Player, position: Position) -> list[str]:
    """Let `player` attack the chain until it is taken; fails when the chain has two liberties on its own turn."""
    attacker = position.to_play
    line: list[str] = []
    while position.stone_at(TARGET) is attacker.opponent:
        if position.to_play is attacker:
            move = player.choose(position).move
            assert move is not None
        else:
            liberties = position.liberties(TARGET)
            assert len(liberties) == 1, f"the chain escapes after {' '.join(line)}"
            move = position.point(liberties[0])
        position.play(move)
        line.append(position.vertex(move))
    return line


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize(("moves", "attacks"), [(CAPTURE, 2), (LADDER, 4)], ids=["capture", "ladder"])
def test_the_chain_on_which_the_game_hangs_is_captured(moves: str, attacks: int, seed: int) -> None:
    position = after(moves)
    assert position.liberties(TARGET) == ["E5", "F4"]
    line = attack(zero(visits=400, threads=1, seed=seed), position)
    assert position.stone_at(TARGET) is None
    assert len(line) == 2 * attacks - 1


@pytest.mark.parametrize("moves", [CAPTURE, LADDER], ids=["capture", "ladder"])
def test_the_wrong_side_lets_it_escape(moves: str) -> None:
    assert len(after(f"{moves} E5 F4").liberties(TARGET)) >= 2
