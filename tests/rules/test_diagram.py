from __future__ import annotations

import random

import numpy as np
import pytest

from move37.errors import SetupError
from move37.rules.color import Color
from move37.rules.diagram import format_diagram, parse_diagram
from move37.rules.position import Position
from tests.support.random_games import random_stones

GAME = """\
   A B C D E F G H J
 9 . . . . . . . . . 9
 8 . . . . . . . . . 8
 7 . . + . . . + . . 7
 6 . . . . . . . . . 6
 5 . . . . X . . . . 5
 4 . . . . .(O). . . 4
 3 . . + . . . + . . 3
 2 . . . . . . . . . 2
 1 . . . . . . . . . 1
   A B C D E F G H J
Black to play, move 3, prisoners: Black 0, White 0, komi 7.5"""


def test_out() -> None:
    position = Position(9)
    position.play_many(["E5", "F4"])
    assert str(position) == GAME
    assert position.diagram() == GAME.rpartition("\n")[0]


@pytest.mark.parametrize(("row", "col"), [(0, 0), (0, 4), (4, 4)])
def test_last_stone_at_the_edge(row: int, col: int) -> None:
    grid = np.zeros((5, 5), dtype=np.int8)
    grid[row, col] = 1
    text = format_diagram(grid, row * 5 + col)
    assert text.count("(X)") == 1
    assert np.array_equal(parse_diagram(text)[0], grid)


@pytest.mark.parametrize(("rows", "cols"), [(1, 1), (1, 19), (19, 1), (5, 7), (9, 9), (19, 19), (13, 10)])
def test_back_in(rows: int, cols: int) -> None:
    rng = random.Random(rows * 100 + cols)
    for density in (0.0, 0.4, 0.8):
        grid = np.array(random_stones(rng, rows, cols, density), dtype=np.int8).reshape(rows, cols)
        last = rng.randrange(rows * cols)
        assert np.array_equal(parse_diagram(format_diagram(grid, last))[0], grid)


@pytest.mark.parametrize(
    "text",
    [
        ".X.\nO..\n..O",
        "  . X .  \n\n  O . .\n  . . O\n",
        "3 . # + 3\n2 o . , 2\n1 . . O 1\n  A B C",
        "   A B C     WHITE (O) has captured 0 stones\n 3 . X . 3\n"
        " 2 O . . 2     BLACK (X) has captured 0 stones\n 1 . . O 1\n",
    ],
)
def test_other_programs_diagrams(text: str) -> None:
    assert parse_diagram(text)[0].tolist() == [[0, 1, 0], [2, 0, 0], [0, 0, 2]]


@pytest.mark.parametrize(
    ("line", "to_play"), [("White to play, move 8", Color.WHITE), ("BLACK to play", Color.BLACK), ("", None)]
)
def test_who_is_to_play(line: str, to_play: Color | None) -> None:
    text = f". X\n. .\n{line}"
    assert parse_diagram(text)[1] == to_play
    assert Position.from_diagram(text).to_play == (to_play or Color.BLACK)
    assert Position.from_diagram(text, to_play="W").to_play == Color.WHITE


def test_position_comes_back() -> None:
    position = Position.from_diagram(GAME)
    again = Position.from_diagram(str(position))
    assert position == again
    assert position.to_play == Color.BLACK


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "no board"),
        ("hello\nworld", "no board"),
        ("..\n...", "Line 2"),
        ("\n".join(["."] * 20), "1 to 19"),
        ("X X", "no liberty"),
    ],
)
def test_no_board(text: str, words: str) -> None:
    with pytest.raises(SetupError, match=words):
        Position.from_diagram(text)


@pytest.mark.parametrize(
    ("text", "line", "sign"),
    [
        ("XO.\nXOz\n...", 2, "z"),
        ("X O .\nX Q .\n. . .", 2, "Q"),
        ("X0.\n...\n...", 1, "0"),
        ("...\nX0.\n...", 2, "0"),
        ("XO.\nzzz\n...", 2, "z"),
        ("XO.\n...\nQ.Q", 3, "Q"),
        ("? ? ?\nX O .\n. . .", 1, "?"),
        ("\n 3 X O . 3\n 2 X 1 . 2\n 1 . . . 1", 3, "1"),
        ("3 X O .\n2 X O z\n1 . . .", 2, "z"),
        (". . .\nsome words\n. . .", 2, "s"),
        ("|X O|", 1, "|"),
        ("2 X O . 2\n1 1 . . 1", 2, "1"),
    ],
)
def test_a_wrong_sign_is_named_with_its_line(text: str, line: int, sign: str) -> None:
    with pytest.raises(SetupError) as caught:
        Position.from_diagram(text)
    assert str(caught.value) == f"Line {line}: {sign!r} is no stone: use X, O and '.' for empty."


@pytest.mark.parametrize(
    "text",
    [
        "Problem 7, a joseki\n\n.X.\nO..\n..O\n\nBlack to play, move 8, prisoners: Black 0, White 0, komi 7.5",
        "abc\n.X.\nO..\n..O\nabc",
        "  1 2 3\n3 . X . \n2 O . . \n1 . . O",
        "ABC\n3.X.3\n2O..2\n1..O1\nABC",
        " .(X). 3\n O . . 2\n . . O 1\n A B C",
        ".X.\n\nO..\n \t\n..O",
    ],
)
def test_what_diagrams_hold_besides_stones(text: str) -> None:
    assert parse_diagram(text)[0].tolist() == [[0, 1, 0], [2, 0, 0], [0, 0, 2]]


def test_a_long_number_is_no_column() -> None:
    with pytest.raises(SetupError, match="no board"):
        parse_diagram("9" * 5000)
