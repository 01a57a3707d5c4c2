"""The README's picture is what its ten lines draw."""

from __future__ import annotations

from pathlib import Path

import move37 as go

PICTURE = Path(__file__).parents[2] / "docs" / "pictures" / "board.svg"
MOVES = ["E5", "D5", "D6", "C5", "D4", "E7", "E6", "G3", "C6", "C3", "B5", "G7", "C4"]


def test_the_readmes_picture_is_its_game(update_golden: bool) -> None:
    drawing = go.Position.from_moves(MOVES, size=9, rules="chinese", komi=7).svg() + "\n"
    if update_golden:
        PICTURE.write_text(drawing, encoding="utf-8")
    assert PICTURE.read_text(encoding="utf-8") == drawing
    assert all(f'"{move}"' in (PICTURE.parents[2] / "README.md").read_text(encoding="utf-8") for move in MOVES)
