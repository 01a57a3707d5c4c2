"""Alpha-beta: what it leaves out changes nothing, small boards are solved, and the counts of the course's table."""

from __future__ import annotations

import numpy as np
import pytest

from move37.errors import ConfigError
from move37.rules.position import Position
from move37.search.evaluator import ConstantEvaluator, EvaluationError
from move37.search.minimax import Minimax, MinimaxConfig, fewest_leaves, leaves
from move37.search.minimax_solve import solve
from move37.search.place import Place
from tests.support.alpha_beta import BLACK, WHITE, SmallBoard, can_reach
from tests.support.positions import random_position
from tests.support.slow_search import HashEvaluator, result_for_mover

AREA = {"ko": "positional", "suicide": False}


def empty(rows: int, cols: int, komi: float = 0) -> Position:
    """The oracle's rules."""
    return Position(rows=rows, cols=cols, rules=AREA, komi=komi)


def plain(position: Position, depth: int, evaluator: HashEvaluator | None, width: int | None) -> tuple[float, int]:
    """Minimax over `Position`s, without pruning: the value and the nodes."""
    if position.is_over or depth == 0:
        if position.is_over and evaluator is not None:
            return result_for_mover(position), 1
        if evaluator is not None:
            return float(evaluator.evaluate(position.board_array).value[0]), 1
        margin = position.score().black_margin
        return (margin if position.to_play == 1 else -margin), 1
    moves = [int(move) for move in np.flatnonzero(position.legal_mask())]
    if evaluator is not None:
        logits = evaluator.evaluate(position.board_array).policy[0]
        moves = sorted(moves, key=lambda move: -float(logits[move]))[:width]
    best, nodes = -np.inf, 1
    for move in moves:
        after = position.copy()
        after.play(move)
        value, below = plain(after, depth - 1, evaluator, width)
        best, nodes = max(best, -value), nodes + below
    return best, nodes


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("width", [None, 3])
def test_pruning_changes_no_value_and_full_search_sees_every_node(seed: int, width: int | None) -> None:
    position = random_position(np.random.default_rng(seed), 2, 3, 1 + seed % 3)
    evaluator = HashEvaluator() if width else None
    expected, nodes = plain(position, 4, evaluator, width)
    full = Minimax(evaluator, MinimaxConfig(4, width, pruning=False)).run(position)
    cut = Minimax(evaluator, MinimaxConfig(4, width)).run(position)
    assert full.value == cut.value == pytest.approx(expected)
    assert full.nodes == nodes
    assert cut.nodes < nodes or nodes < 20
    assert full.move == cut.move
    assert cut.evaluations <= full.evaluations


def test_the_variation_leads_to_the_value() -> None:
    position = empty(2, 3)
    result = Minimax(config=MinimaxConfig(5)).run(position)
    assert result.move == result.variation[0]
    place = Place.of(position)
    for move in result.variation:
        place = place.after(move)
    assert (place.margin() if place.to_play == 1 else -place.margin()) == result.value


def test_a_table_saves_nodes() -> None:
    simple = Position(rows=2, cols=4, rules={"ko": "simple", "suicide": False}, komi=0)
    without = Minimax(config=MinimaxConfig(5)).run(simple)
    table = Minimax(config=MinimaxConfig(5, table=True)).run(simple)
    assert table.value == without.value
    assert table.nodes < without.nodes


@pytest.mark.parametrize(("rows", "cols", "depth", "margin"), [(1, 2, 5, 0), (1, 3, 3, 3), (1, 4, 5, 4), (2, 2, 11, 1)])
def test_tiny_boards_are_solved(rows: int, cols: int, depth: int, margin: int) -> None:
    proved = solve(empty(rows, cols), depth)
    assert (proved.least, proved.most, proved.exact) == (margin, margin, True)


def test_three_by_three_is_worth_all_nine_points() -> None:
    proved = solve(empty(3, 3), 15, between=(8, 9))
    assert proved.least == 9
    assert not solve(empty(3, 3), 8, between=(8, 9)).exact


@pytest.mark.parametrize(("rows", "cols"), [(1, 5), (2, 2), (2, 3)])
@pytest.mark.parametrize("depth", [4, 7])
def test_what_is_proved_is_what_another_program_proves(rows: int, cols: int, depth: int) -> None:
    proved = solve(empty(rows, cols), depth)
    points = rows * cols
    least = max(n for n in range(-points, points + 1) if n == -points or can_reach(SmallBoard(rows, cols), n, depth))
    most = min(
        n for n in range(-points, points + 1) if n == points or can_reach(SmallBoard(rows, cols), -n, depth, WHITE)
    )
    assert (proved.least, proved.most) == (least, most)
    assert can_reach(SmallBoard(rows, cols), int(proved.least), depth, BLACK) or proved.least == -points


def test_komi_counts_for_white_and_the_player_to_move_is_asked() -> None:
    position = empty(2, 2, komi=0.5)
    assert solve(position, 11).least == 0.5
    position.play(0)
    proved = solve(position, 10)
    assert proved.least <= -0.5 <= proved.most


def test_the_table_of_the_course() -> None:
    assert leaves(361, 10) == 361**10
    assert leaves(20, 10) == 20**10
    assert fewest_leaves(20, 10) == 2 * 20**5 - 1
    assert fewest_leaves(3, 3) == 9 + 3 - 1


def test_with_the_best_order_alpha_beta_sees_as_few_leaves_as_the_formula_says() -> None:
    # Every leaf is as good as any other, so that each order is the best.
    result = Minimax(ConstantEvaluator(), MinimaxConfig(depth=4, width=3)).run(Position(size=5))
    inner = result.evaluations - fewest_leaves(3, 4)
    assert inner == result.nodes - fewest_leaves(3, 4)


def test_wrong_options_are_refused() -> None:
    with pytest.raises(ConfigError, match="depth"):
        MinimaxConfig(depth=0)
    with pytest.raises(ConfigError, match="evaluator"):
        Minimax(config=MinimaxConfig(width=3))


def test_a_game_that_is_over_has_no_move() -> None:
    position = Position(size=2)
    position.play("pass")
    position.play("pass")
    with pytest.raises(ConfigError, match="over"):
        Minimax().run(position)


def test_a_value_that_is_no_number_is_refused() -> None:
    with pytest.raises(EvaluationError, match="ConstantEvaluator"):
        Minimax(ConstantEvaluator(float("nan")), MinimaxConfig(depth=1)).run(Position(size=2))
