"""The encoder `katago22` on hand-drawn boards, plane by plane, and what it refuses; its numbers are elsewhere."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from move37.errors import ConfigError
from move37.features import encode, get_encoder
from move37.features.katago import KataGoEncoder
from move37.rules.position import Position
from tests.support.positions import batch
from tests.support.shown_inputs import ENCORE, Shown, after

BOARD = """
. . . . . . .
. . . . X . .
. X O . . . .
. . X . O X .
. . . . . . .
"""


# ------------------------------------------------------------------------------------------- planes 0 to 8


def test_board_and_stones_are_those_of_the_player_to_move() -> None:
    position = Position.from_diagram(BOARD, to_play="B")
    shown = Shown(position)
    assert (shown.encoded.spatial[0, 0] == 1.0).all()
    assert shown.encoded.spatial.shape == (1, 22, 5, 7)
    assert shown.planes(1, 2) == ["E4 B3 C2 F2", "C3 E2"]
    position.play("pass")
    assert Shown(position).planes(1, 2) == ["C3 E2", "E4 B3 C2 F2"]


def test_stones_of_one_two_and_three_liberties() -> None:
    position = Position.from_diagram("""
        X . . O O
        . . . X O
        . X O O X
        . . . . .
        """)
    assert Shown(position).planes(3, 4, 5) == ["D4 E4 D3 E3 E2", "A4", "B2 C2 D2"]


def test_simple_ko_is_banned_for_the_player_to_move() -> None:
    position = Position.from_diagram(
        """
        . X O . .
        X . X O .
        . X O . .
        . . . . .
        """,
        to_play="W",
        rules="chinese",
    )
    assert Shown(position).plane(6) == ""
    position.play("B3")
    assert Shown(position).plane(6) == "C3"
    position.play("pass")
    assert Shown(position).plane(6) == ""


def test_superko_bans_every_point_that_repeats() -> None:
    """No simple ko: what comes back is the whole board, with the other side to move."""
    position = Position(4, rules={"ko": "positional", "suicide": False})
    position.setup(black=["A4", "C3", "B2", "C2", "C1", "D1"], white=["B4", "C4", "B3", "D3", "A1"], to_play="W")
    position.play("D2")
    position.play("D4")
    assert position.ko_point is None
    assert Shown(position).plane(6) == "D3"
    same = Position(4, rules={"ko": "simple", "suicide": False})
    same.setup(black=["A4", "C3", "B2", "C2", "C1", "D1"], white=["B4", "C4", "B3", "D3", "A1"], to_play="W")
    same.play_many(["D2", "D4"])
    assert Shown(same).plane(6) == ""


def test_kos_of_the_encore() -> None:
    """A stone that took a ko is blocked; who has taken from these stones once may not do it again."""
    position = Position.from_diagram(
        """
        . X O . .
        X . X O .
        . X O . .
        . . . . .
        . . . . .
        """,
        to_play="W",
        rules=ENCORE,
    )
    position.play_many(["pass", "pass"])
    position.play("B4")
    shown = Shown(position)
    assert shown.planes(6, 7) == ["", "B4"]
    position.play("B4")  # Black lifts the block
    assert Shown(position).planes(6, 7) == ["", ""]
    position.play_many(["E1", "C4"])  # Black retakes, and that stone is blocked
    assert Shown(position).plane(7) == "C4"


def test_the_unused_plane_is_empty() -> None:
    assert Shown(Position.from_diagram(BOARD)).plane(8) == ""


# ------------------------------------------------------------------------------------------- planes 9 to 13


def test_the_last_five_moves() -> None:
    position = after("A1", "B2", "C3", "D4", "E5", "A5")
    assert Shown(position).planes(*range(9, 14)) == ["A5", "E5", "D4", "C3", "B2"]
    assert Shown(position).numbers(*range(5)) == [0.0] * 5


def test_passes_are_numbers() -> None:
    position = after("A1", "pass", "C3", "pass", "E5", rules="tromp-taylor")
    assert Shown(position).planes(*range(9, 14)) == ["E5", "", "C3", "", "A1"]
    assert Shown(position).numbers(*range(5)) == [0.0, 1.0, 0.0, 1.0, 0.0]


def test_setup_is_no_history() -> None:
    position = Position(9)
    position.place_handicap(2)
    position.play("E5")
    assert Shown(position).planes(9, 10) == ["E5", ""]


def test_a_move_out_of_turn_ends_what_is_shown() -> None:
    position = after("A1", "B2")
    position.play("C3", color="W")  # the move before it was White's too
    assert Shown(position).planes(9, 10, 11) == ["C3", "", ""]


def test_history_may_be_shortened() -> None:
    position = after("A1", "B2", "C3")
    assert Shown(position, history=2).planes(9, 10, 11) == ["C3", "B2", ""]
    assert Shown(position, history=0).planes(9, 10, 11) == ["", "", ""]


# ------------------------------------------------------------------------------------------- planes 14 to 17

LADDER = """
. . . . . . .
. . . . . . .
. . . . . . .
. . X . . . .
. X O . . . .
. . . X . . .
. . . . . . .
"""


def test_laddered_stones_and_the_moves_that_work() -> None:
    position = Position.from_diagram(LADDER, to_play="B")
    assert Shown(position).planes(14, 15, 16, 17) == ["C3", "C3", "C3", "D3 C2"]
    position.play("pass")
    assert Shown(position).plane(17) == ""  # they are the attacker's moves


IN_ATARI = """
. . . . . . .
. . . . . . .
. . . . . . .
. X . . . . .
X O . . . . .
. X X . . . .
. . . . . . .
"""


def test_older_boards_show_the_ladders_of_their_time() -> None:
    position = Position.from_diagram(IN_ATARI, to_play="W")
    position.play("E5")  # breaks the ladder
    assert Shown(position).planes(14, 15, 16) == ["", "B3", "B3"]  # one move is known: 16 is as 15
    position.play("A1")
    assert Shown(position).planes(14, 15, 16) == ["", "", "B3"]
    assert Shown(position, history=1).planes(14, 15, 16) == ["", "", ""]
    assert Shown(position, history=0).planes(14, 15, 16) == ["", "", ""]


def test_a_ladder_may_mark_a_point_that_is_empty_now() -> None:
    position = Position.from_diagram(IN_ATARI, to_play="B")
    position.play("C3")
    assert position.stone_at("B3") is None
    assert Shown(position).planes(14, 15, 16) == ["", "B3", "B3"]


# ------------------------------------------------------------------------------------------- planes 18 to 21

WALLS = """
. X . O .
X X . O O
. X . O .
X X . O O
"""
DEAD_INSIDE = """
. X . O .
X X . O O
. X . O .
O X . O O
X X . O O
"""


def test_area_is_what_lives_and_what_is_dead_in_it() -> None:
    """White's A2 lies in an eye of living stones; the open points between belong to nobody."""
    position = Position.from_diagram(DEAD_INSIDE, to_play="W", rules="chinese")
    black, white = "A5 B5 A4 B4 A3 B3 A2 B2 A1 B1", "D5 E5 D4 E4 D3 E3 D2 E2 D1 E1"
    assert Shown(position).planes(18, 19) == [white, black]
    position.play("pass")
    assert Shown(position).planes(18, 19) == [black, white]


def test_seki_is_no_area_under_a_tax() -> None:
    """Two eyes each, but an open line between: with a tax all of it is in seki, and only stones count."""
    position = Position.from_diagram(WALLS, to_play="B", rules="stone-scoring")
    assert Shown(position).planes(18, 19) == ["B4 A3 B3 B2 A1 B1", "D4 D3 E3 D2 D1 E1"]
    position.play_many(["C4", "C1", "C3", "C2"])
    assert Shown(position).plane(18).startswith("A4 B4 C4")


def test_one_colour_alone_owns_the_board_and_nobody_an_empty_one() -> None:
    position = Position(3)
    assert Shown(position).planes(18, 19) == ["", ""]
    position.play("B2")
    assert Shown(position).planes(18, 19) == ["", "A3 B3 C3 A2 B2 C2 A1 B1 C1"]


def test_territory_scoring_shows_area_in_the_second_encore_only() -> None:
    position = Position.from_diagram(WALLS, to_play="B", rules=ENCORE)
    assert Shown(position).planes(18, 19, 20, 21) == ["", "", "", ""]
    position.play_many(["pass", "pass"])
    assert Shown(position).planes(18, 19, 20, 21) == ["", "", "", ""]
    position.play_many(["pass", "pass"])
    black, white = "B4 A3 B3 B2 A1 B1", "D4 D3 E3 D2 D1 E1"
    assert Shown(position).planes(18, 19, 20, 21) == [black, white, black, white]  # in seki: only the first stones
    position.play("C4")
    assert Shown(position).planes(20, 21) == [white, black]


def test_suicide_for_life_overrides_the_rules() -> None:
    """White's A5 touches no black stone. Where suicide is legal White could empty the corner, so it is no sure eye."""
    position = Position.from_diagram(
        """
        O . X . .
        . . X . .
        X X X . .
        . X . . .
        X X . . O
        """,
        to_play="B",
        rules="chinese",
    )
    assert Shown(position).plane(19) == Shown(position, suicide_for_life=False).plane(19) == "E1"
    assert Shown(position, suicide_for_life=True).plane(19) == "A5 E1"


# ------------------------------------------------------------------------------------------- the encoder itself


def test_rectangles_are_written_row_by_row() -> None:
    position = Position(rows=2, cols=4)
    position.play("D2")
    encoded = encode("katago22", [position])
    assert encoded.spatial.shape == (1, 22, 2, 4)
    assert encoded.spatial[0, 2].tolist() == [[0, 0, 0, 1], [0, 0, 0, 0]]


def test_out_is_overwritten() -> None:
    positions = [Position.from_diagram(BOARD), Position.from_diagram(BOARD, to_play="W")]
    out = np.full((2, 22, 5, 7), 7.0, np.float32)
    encoded = get_encoder("katago22").encode(batch(positions), out=out)
    assert encoded.spatial is out
    np.testing.assert_array_equal(out, encode("katago22", positions).spatial)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"draw_value": 1.5}, "draw_value is 1.5, but a draw counts as 0 to 1"),
        ({"draw_value": float("nan")}, "draw_value is nan"),
        ({"doubling_advantage": 4.0}, "doubling_advantage is 4, but networks know ±3 at most"),
        ({"history": 6}, "history is 6, but these inputs show 0 to 5 moves"),
        ({"history": -1}, "history is -1"),
    ],
)
def test_wrong_options_are_refused_in_a_sentence(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        KataGoEncoder(**options)
