"""No pass that loses while a safe move exists; a pass that wins is taken."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from move37.players.move_kernels import eye_filling_mask, safe_mask
from move37.players.pass_guard import counted_margin, guarded, pass_wins_now
from move37.players.player import Decision
from move37.rules.color import Color
from move37.rules.position import Position

EYES = """
5 . X O . O
4 X X O O .
3 X . X O O
2 X X X O .
1 . X O O O
"""


def masks(position: Position, color: Color) -> tuple[list[str], list[str]]:
    """Vertices of eye-filling moves and of safe moves."""
    eyes, safe = (np.zeros(position.rows * position.cols + 1, np.bool_) for _ in range(2))
    eye_filling_mask(position.board_array, int(color), eyes)
    count = safe_mask(position.board_array, int(color), safe)
    assert count == safe.sum()
    return [position.vertex(int(p)) for p in np.flatnonzero(eyes)], [
        position.vertex(int(p)) for p in np.flatnonzero(safe)
    ]


def test_own_eyes_are_never_safe_moves() -> None:
    position = Position.from_diagram(EYES)
    assert masks(position, Color.BLACK) == (["A5", "B3", "A1"], [])
    assert masks(position, Color.WHITE) == (["D5", "E4", "E2"], [])


def test_a_false_eye_is_none() -> None:
    position = Position.from_diagram(
        """
        5 . . . . .
        4 . X O . .
        3 X . X . .
        2 . X O . .
        1 . . . . .
        """
    )
    eyes, safe = masks(position, Color.BLACK)
    assert eyes == []
    assert "B3" in safe


def test_self_atari_is_unsafe_for_a_chain_of_any_size_unless_it_captures() -> None:
    position = Position.from_diagram(
        """
        4 . O X .
        3 O . X .
        2 O X X .
        1 O O . .
        """
    )
    assert "A4" not in masks(position, Color.BLACK)[1]
    assert "B3" in masks(position, Color.BLACK)[1]
    capture = Position.from_diagram(
        """
        3 . O X
        2 O X X
        1 . . .
        """
    )
    assert "A3" in masks(capture, Color.BLACK)[1]
    assert "A3" not in masks(capture, Color.WHITE)[1]


def lost_position() -> Position:
    """White to play is behind, with room left on the right."""
    position = Position.from_diagram(
        """
        5 . X O . .
        4 X X O . .
        3 . X O . .
        2 X X X O .
        1 . X X O .
        """,
        to_play="W",
        komi=-10,
    )
    assert position.score().winner is Color.BLACK
    return position


def preference(position: Position, *vertices: str) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    weights = np.zeros(position.rows * position.cols + 1)
    for rank, vertex in enumerate(vertices):
        weights[position.point(vertex)] = 10 - rank
    return weights


def test_a_losing_pass_becomes_the_best_liked_safe_move() -> None:
    position = lost_position()
    wish = preference(position, "pass", "A5", "D4", "E4")
    decision = guarded(position, Decision(position.point("pass"), value=-0.5), wish)
    assert decision == Decision(position.point("D4"), value=-0.5)


def test_a_losing_pass_stays_where_no_safe_move_exists() -> None:
    position = Position.from_diagram(EYES, komi=50)
    decision = Decision(position.point("pass"))
    assert guarded(position, decision, preference(position)) == decision


@pytest.mark.parametrize("komi", [-11, -10.5, -10])
def test_winning_and_drawing_passes_are_left_alone(komi: float) -> None:
    position = lost_position()
    margin = position.score().black_margin
    position.komi = -10 + margin if komi == -10 else -10 + margin + (0.5 if komi == -10.5 else 3)
    decision = Decision(position.point("pass"))
    assert guarded(position, decision, preference(position, "D4")) == decision


def test_other_moves_and_resignations_are_left_alone() -> None:
    position = lost_position()
    for decision in (Decision(position.point("E4")), Decision(None, resign=True)):
        assert guarded(position, decision, preference(position, "D4")) == decision


def test_a_pass_that_wins_at_once_is_taken_only_after_the_other_side_passed() -> None:
    position = Position(5, komi=0.5)
    position.play("C3")
    assert not pass_wins_now(position)
    position.play("pass")
    assert pass_wins_now(position)
    decision = guarded(position, Decision(position.point("B3")), preference(position, "B3"))
    assert decision.move == position.point("pass")
    position.komi = 30
    assert not pass_wins_now(position)


@settings(max_examples=60)
@given(seed=st.integers(0, 2**32 - 1), moves=st.integers(0, 60))
def test_safe_moves_are_what_they_claim(seed: int, moves: int) -> None:
    rng = np.random.default_rng(seed)
    position = Position(rows=5, cols=4)
    for _ in range(moves):
        position.play(int(rng.choice(np.flatnonzero(position.legal_mask()))))
    color = position.to_play
    eyes, safe = masks(position, color)
    assert not set(eyes) & set(safe)
    for vertex in set(position.legal_moves()) - {"pass", *eyes}:
        after = position.copy()
        after.play(vertex)
        survives = after.stone_at(vertex) is color and len(after.liberties(vertex)) >= 2
        assert (vertex in safe) == (survives or position.is_capture(vertex)), vertex


def test_under_territory_scoring_dead_stones_are_not_taken_before_passing() -> None:
    """White's lone stone is dead: Black wins by passing, and loses points by taking it."""
    text = ". . X O .\n. . X O .\nO . X O .\n. . X O .\n. . X O .\n"
    game = Position.from_diagram(text, to_play="W", rules="japanese", komi=0.5)
    game.play("pass")
    assert counted_margin(game) == 10 + 1 - 5 - 0.5  # ten points and a prisoner
    assert pass_wins_now(game)


def test_before_an_encore_a_pass_is_the_player_s_own_affair() -> None:
    rules = {"ko": "simple", "scoring": "territory", "tax": "seki", "suicide": False, "encore": True}
    game = Position(5, rules=rules, komi=0.5)
    game.play_many(["C3", "pass"])
    decision = Decision(move=0, value=None, visits=None)
    assert guarded(game, decision, np.zeros(26)) is decision
