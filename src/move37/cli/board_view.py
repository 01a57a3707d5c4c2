"""A board for the terminal: coordinates, stones, the last move in parentheses; in colours where there are any."""

from __future__ import annotations

from rich.text import Text

from move37.rules.coordinates import column_letters
from move37.rules.handicap import star_points
from move37.rules.position import Position

_SIGNS = {True: "·●○+", False: ".XO+"}
_WOOD = "on #d9b06c"
_STYLES = ("#7a5a26", "bold black", "bold white", "#7a5a26")
_STAR = 3


def board_text(position: Position, unicode: bool = True) -> Text:
    """Draw the board; `unicode` False draws X and O for terminals that cannot show discs."""
    stones = position.stones
    stars = set(star_points(position.rows, position.cols))
    letters = "    " + " ".join(column_letters(position.cols)) + "\n"
    text = Text(letters)
    for row in range(position.rows):
        text.append(f" {position.rows - row:2d}")
        for col in range(position.cols):
            point = row * position.cols + col
            kind = int(stones[row, col]) or (_STAR if point in stars else 0)
            text.append(_gap(position.last_move, point, col), f"bold red {_WOOD}")
            text.append(_SIGNS[unicode][kind], f"{_STYLES[kind]} {_WOOD}")
        end = ")" if position.last_move == (row + 1) * position.cols - 1 else " "
        text.append(end, f"bold red {_WOOD}")
        text.append(f" {position.rows - row}\n")
    return text.append(letters.rstrip("\n"))


def _gap(last: int | None, point: int, col: int) -> str:
    """What stands before a point: half of the parentheses around the last move."""
    if point == last:
        return "("
    return ")" if col > 0 and point - 1 == last else " "
