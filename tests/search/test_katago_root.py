"""What KataGo's search does at the root alone, how it ends games, and how it chooses."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from move37.rules.color import Color
from move37.rules.position import Position
from move37.search import ConstantEvaluator, Evaluations, KataGoConfig, KataGoSearch
from move37.search.katago_pass_kernels import hide_end, white_margin
from move37.search.katago_root import ending_bonus, forbidden_moves, mirrored_moves
from move37.search.katago_trees import KataGoTrees
from move37.search.score_value import score_value_table
from move37.search.score_value_kernels import score_slope, score_value
from move37.search.tree_kernels import TERMINAL
from tests.support.slow_katago_values import ScoredHashEvaluator, worth


@pytest.mark.parametrize(("mean", "deviation"), [(0.0, 0.0), (3.25, 0.0), (-12.3, 7.7), (55.0, 20.2), (-60.0, 20.0)])
@pytest.mark.parametrize(
    ("center", "scale", "side"), [(0.0, 2.0, 19), (-4.5, 0.75, 19), (10.0, 0.75, 9), (2.0, 2.0, 5)]
)
def test_the_worth_of_a_score_is_its_integral(
    mean: float, deviation: float, center: float, scale: float, side: int
) -> None:
    table = score_value_table()
    found = score_value(table, mean, deviation, center, scale, float(side))
    assert found == pytest.approx(worth(mean, deviation, center, scale, float(side)), abs=5e-4)


def test_the_worth_of_absurd_scores_stays_in_range() -> None:
    table = score_value_table()
    for mean in (-1e6, 1e6):
        for deviation in (0.0, 1e6):
            assert abs(score_value(table, mean, deviation, 0.0, 0.75, 19.0)) <= 1.0


def test_the_slope_is_the_derivative_of_a_sure_score() -> None:
    slope = (worth(3.01, 0.0, 1.0, 0.75, 19.0) - worth(2.99, 0.0, 1.0, 0.75, 19.0)) / 0.02
    assert score_slope(3.0, 1.0, 0.75, 19.0) == pytest.approx(slope, rel=1e-3)


def grid(marks: NDArray[np.bool_], size: int) -> list[str]:
    return ["".join("x" if mark else "." for mark in row) for row in marks.reshape(size, size)]


def test_of_mirrored_moves_black_tries_those_in_the_upper_right() -> None:
    assert grid(mirrored_moves(Position(5).board), 5) == ["xxxx.", "xxx..", "xx...", "xxxxx", "xxxxx"]


def test_of_mirrored_moves_white_tries_those_in_the_lower_left() -> None:
    position = Position(5)
    position.play("C3")
    assert grid(mirrored_moves(position.board), 5) == ["xxxxx", "xxxxx", "...xx", "..xxx", ".xxxx"]


def test_a_board_that_is_not_square_has_four_symmetries() -> None:
    assert (~mirrored_moves(Position(rows=3, cols=5).board)).sum() == 6


def test_a_position_with_a_ko_is_not_symmetric() -> None:
    position = Position(5, rules="chinese")
    position.setup(black=["B3", "A2", "B1"], white=["C3", "D2", "C1", "B2"], to_play="B")
    position.play("C2")
    assert position.ko_point is not None
    assert not mirrored_moves(position.board).any()


def test_the_root_never_tries_a_mirrored_move() -> None:
    result = KataGoSearch(ScoredHashEvaluator(), KataGoConfig(batch=4)).run(Position(7), 300)
    mirrored = mirrored_moves(Position(7).board)
    assert result.visits[:-1][mirrored].sum() == 0
    assert (result.priors[:-1][mirrored] > 0).all()


def test_mirrored_moves_are_cut_from_a_tree_that_searched_them() -> None:
    kept = KataGoSearch(ScoredHashEvaluator(), KataGoConfig(batch=1))
    position = Position(7)
    move = kept.run(position, 900).move
    position.play(move)
    mirrored = mirrored_moves(position.board)
    assert mirrored.any()
    trees: Any = kept.trees
    child = int(trees.root_edges()[1][list(trees.nodes["action"][trees.root_edges()[0]]).index(move)])
    edges = trees.edges_of(child)[0]
    searched = np.zeros(50, np.int32)
    searched[trees.nodes["action"][edges]] = trees.nodes["visits"][edges]
    assert searched[:-1][mirrored].any()
    result = kept.run(position, 1)
    searched[:-1][mirrored] = 0
    np.testing.assert_array_equal(result.visits, searched)
    assert result.root_visits == result.reused_visits == searched.sum() + 1


def two_living_groups() -> Position:
    """5x5: Black lives above, White below, for sure."""
    position = Position(5, rules="chinese", komi=0)
    position.setup(
        black=["A5", "C5", "E5", "A4", "B4", "C4", "D4", "E4"], white=["A1", "C1", "E1", "A2", "B2", "C2", "D2", "E2"]
    )
    return position


def test_after_four_passes_of_the_other_side_nobody_plays_in_safe_areas() -> None:
    position = two_living_groups()
    config = KataGoConfig(symmetry_pruning=False)
    for row3 in ("A3", "B3", "D3"):
        assert not forbidden_moves(position.board, config).any()
        position.play(row3)
        position.play("pass")
    position.play("E3")
    position.play("pass")
    forbidden = {position.vertex(int(point)) for point in np.flatnonzero(forbidden_moves(position.board, config))}
    assert {"B5", "D5", "B1", "D1"} <= forbidden
    assert "C3" not in forbidden
    assert not forbidden_moves(position.board, replace(config, prune_useless=False)).any()


def owned(position: Position, sure: float) -> NDArray[np.float32]:
    """Black's above, White's below, the middle row nobody's, for the player to move."""
    sign = 1 if position.to_play is Color.BLACK else -1
    ownership = np.zeros((5, 5), np.float32)
    ownership[:2], ownership[3:] = sign * sure, -sign * sure
    return ownership


def test_points_of_nobody_and_captures_cost_nothing_sure_territory_up_to_half_a_point() -> None:
    position = two_living_groups()
    bonus = ending_bonus(position.board, owned(position, 1.0), 0.5)
    at = {position.vertex(int(point)): bonus[point] for point in np.flatnonzero(bonus)}
    assert at["B5"] == pytest.approx(0.5)  # Black to move: what it loses is White's
    assert at["B1"] == pytest.approx(0.5)
    assert "A3" not in at
    assert bonus[-1] == 0
    half = ending_bonus(position.board, owned(position, 0.975), 0.5)
    assert half[position.point("B1")] == pytest.approx(0.25, abs=1e-5)
    assert not ending_bonus(position.board, None, 0.5).any()


def test_passing_costs_two_thirds_under_territory_scoring_and_a_quarter_while_the_button_is_there() -> None:
    territory = Position(5, rules={"base": "japanese", "encore": True})
    assert ending_bonus(territory.board, owned(territory, 0.0), 0.5)[-1] == pytest.approx(1 / 3)
    button = Position(5, rules="aga-button")
    assert ending_bonus(button.board, owned(button, 0.0), 0.5)[-1] == pytest.approx(0.25)


def test_dead_stones_in_sure_territory_are_counted_as_taken() -> None:
    position = Position(5, rules="chinese", komi=0)
    position.setup(black=["A1", "E1"], white=["A3", "B3", "C3", "D3", "E3", "C1", "C2"])
    assert -position.score().black_margin == 7 + 10 - 2  # stones and the upper side, the dead ones alive
    assert white_margin(position.board) == 25


@pytest.mark.parametrize(("komi", "hidden"), [(30.0, False), (-30.0, True)])
def test_that_a_pass_ends_the_game_is_hidden_from_who_would_lose_by_it(komi: float, hidden: bool) -> None:
    position = Position(5, rules="tromp-taylor", komi=komi)
    position.play("C3")
    board = position.board_array.copy()
    params = KataGoConfig().record()
    hide_end(board[0], True, params)
    assert not board[0]["friendly_pass"]  # no pass yet
    position.play("A1")
    position.play("pass")
    board = position.board_array.copy()
    assert board[0]["to_play"] == Color.WHITE
    hide_end(board[0], False, params)
    assert bool(board[0]["friendly_pass"]) is hidden
    hide_end(board[0], True, params)
    assert board[0]["friendly_pass"]  # conservative pass


class LikesPassing:
    """Wants nothing but to pass."""

    def evaluate(self, boards: NDArray[np.void]) -> Evaluations:
        answer = ConstantEvaluator().evaluate(boards)
        answer.policy[:, -1] = 20.0
        return answer


@pytest.mark.parametrize(("rules", "ends"), [("chinese", False), ("tromp-taylor", True)])
def test_two_passes_end_the_game_in_the_search_where_dead_stones_must_be_taken(rules: str, ends: bool) -> None:
    made = KataGoSearch(LikesPassing(), KataGoConfig(batch=1))
    made.run(Position(5, rules=rules), 30)
    trees = made.trees
    assert isinstance(trees, KataGoTrees)
    passes = [trees.root]
    for _ in range(2):
        edges, sources = trees.edges_of(passes[-1])
        passes.append(int(sources[list(trees.nodes["action"][edges]).index(25)]))
    assert bool(trees.nodes["state"][passes[2]] == TERMINAL) is ends


def test_a_pass_has_a_prior_of_at_most_95_percent() -> None:
    result = KataGoSearch(LikesPassing(), KataGoConfig(batch=1)).run(Position(5), 2)
    assert result.priors[-1] == pytest.approx(0.95, abs=1e-3)
    free = KataGoSearch(LikesPassing(), KataGoConfig(batch=1, passing_hacks=False)).run(Position(5), 2)
    assert free.priors[-1] > 0.99


def test_the_choice_and_the_analysis_belong_together() -> None:
    result = KataGoSearch(ScoredHashEvaluator(), KataGoConfig(batch=4)).run(Position(5), 300)
    analysis: Any = result.analysis
    assert result.move == int(np.argmax(analysis.choice_values))
    visited = result.visits > 0
    assert (np.isfinite(analysis.winrates) == visited).all()
    assert (analysis.lcbs[visited] < analysis.winrates[visited]).all()
    np.testing.assert_allclose(2 * analysis.winrates[visited] - 1, result.q[visited], atol=1e-6)
    assert result.value == pytest.approx(2 * analysis.winrate - 1)
    for move, line in analysis.variations.items():
        assert line[0] == move
    assert set(analysis.variations) == set(np.flatnonzero(visited).tolist())


def test_the_choice_values_without_children_are_nothing_and_the_prior_decides() -> None:
    result = KataGoSearch(ScoredHashEvaluator(), KataGoConfig(symmetry_pruning=False)).run(Position(5), 1)
    assert result.move == int(np.argmax(result.priors))
