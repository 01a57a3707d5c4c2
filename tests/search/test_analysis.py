"""What a search says of its root: win rates, points, bounds, lines and ownership, against sums made by hand."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import Any, cast

import numpy as np
import pytest
from numpy.typing import NDArray

from move37.rules.position import Position
from move37.rules.records import stones_grid
from move37.search import Analysis, AnySearch, Evaluations, KataGoConfig, KataGoSearch, Search, SearchConfig
from move37.search.restriction import Restriction
from move37.search.tree_kernels import EXPANDED, TERMINAL
from tests.support.slow_katago_values import ScoredHashEvaluator
from tests.support.slow_search import HashEvaluator


class Recorder:
    """Passes answers on and keeps them, with ownership made of stones and a number of the position."""

    def __init__(self) -> None:
        self.answers: list[tuple[int, Evaluations]] = []

    def evaluate(self, boards: NDArray[Any]) -> Evaluations:
        found = ScoredHashEvaluator().evaluate(boards)
        numbers = np.array([int(board["stones_hash"]) % 7 / 7 for board in boards], np.float32)
        signs = np.where(np.stack([stones_grid(board) for board in boards]) == 1, 1, 0)
        found = replace(found, ownership=(signs * 0.5 + numbers[:, None, None] * 0.5).astype(np.float32))
        self.answers += [(int(board["to_play"]), found.row(i)) for i, board in enumerate(boards)]
        return found


def analysis_of(search: AnySearch, position: Position, visits: int, **options: Any) -> tuple[Any, Analysis]:
    result = search.run(position, visits, **options)
    assert result.analysis is not None
    return result, result.analysis


def below(trees: Any, node: int) -> list[tuple[int, int]]:
    """The nodes of a subtree with their depth below its top."""
    found, waiting = list[tuple[int, int]](), [(node, 0)]
    while waiting:
        node, depth = waiting.pop()
        found.append((node, depth))
        child = int(trees.nodes["first_child"][node])
        while child != -1:
            waiting.append((child, depth + 1))
            child = int(trees.nodes["next_sibling"][child])
    return found


def test_means_over_the_tree_are_those_of_its_nodes() -> None:
    position = Position(3, komi=0.5)
    search = Search(Recorder(), SearchConfig(batch=4))
    result, analysis = analysis_of(search, position, 300)
    trees = cast(Any, search.trees)
    values = trees.nodes["value"]
    assert (trees.nodes["state"][: trees.count] == TERMINAL).any()
    visited = np.flatnonzero(result.visits)
    for move in visited:
        child = next(
            i for i in range(1, trees.count) if trees.nodes["action"][i] == move and trees.nodes["parent"][i] == 0
        )
        square = total = 0.0
        for node, depth in below(trees, child):
            own = 1 if trees.nodes["state"][node] == EXPANDED else int(trees.nodes["visits"][node])
            square += own * float(values[node]) ** 2
            total += own * float(values[node]) * (-1) ** (depth + 1)
        count = int(result.visits[move])
        assert trees.scores()[0, move] == pytest.approx(square / count, rel=1e-4)
        assert analysis.winrates[move] == pytest.approx(0.5 + 0.5 * total / count, abs=1e-5)
    np.testing.assert_allclose(analysis.utilities[visited], result.q[visited], atol=1e-6)
    assert np.isnan(analysis.winrates[result.visits == 0]).all()
    assert analysis.winrate == pytest.approx(0.5 + 0.5 * result.value)


def test_points_are_averaged_for_the_player_at_the_root() -> None:
    """Without finished games the mean over the tree is the mean of the answers, turned to the root's view."""
    position = Position(5)
    position.play("C3")
    recorder = Recorder()
    _, analysis = analysis_of(Search(recorder, SearchConfig(batch=4)), position, 60)
    for name, mean in (("lead", analysis.lead), ("score_mean", analysis.score)):
        answers = [(1 if color == 2 else -1) * float(getattr(found, name)[0]) for color, found in recorder.answers]
        assert mean == pytest.approx(np.mean(answers), rel=1e-4)
    visits = analysis.weights[np.isfinite(analysis.weights)]
    leads = analysis.leads[np.isfinite(analysis.weights)]
    own = float(cast(Any, recorder.answers[0][1].lead)[0])
    assert (visits @ leads + own) / (visits.sum() + 1) == pytest.approx(analysis.lead, rel=1e-4)


def test_without_score_outputs_points_are_unknown_and_the_rest_is_there() -> None:
    result, analysis = analysis_of(Search(HashEvaluator(), SearchConfig()), Position(5), 100)
    assert np.isnan(analysis.leads).all()
    assert np.isnan(analysis.scores).all()
    assert np.isnan([analysis.lead, analysis.score, analysis.score_stdev]).all()
    assert np.isfinite(analysis.lcbs[result.visits > 0]).all()
    assert analysis.ownership is None


@pytest.mark.parametrize("kind", ["puct", "katago"])
def test_lines_begin_with_their_move_and_carry_falling_visits(kind: str) -> None:
    search: AnySearch = Search(ScoredHashEvaluator(), SearchConfig(batch=1))
    if kind == "katago":
        search = KataGoSearch(ScoredHashEvaluator(), KataGoConfig(batch=1, graph=False))
    result, analysis = analysis_of(search, Position(4), 300)
    assert set(analysis.variations) == set(analysis.pv_visits) == set(np.flatnonzero(result.visits).tolist())
    for move, line in analysis.variations.items():
        visits = analysis.pv_visits[move]
        assert line[0] == move
        assert visits[0] == result.visits[move]
        assert len(visits) == len(line)
        assert all(later <= earlier for earlier, later in itertools.pairwise(visits))
    assert analysis.variations[result.variation[0]] == result.variation


def test_a_bound_is_nearer_to_the_mean_the_more_visits_there_are() -> None:
    result, analysis = analysis_of(Search(HashEvaluator(), SearchConfig(batch=1)), Position(3), 2000)
    visited = np.flatnonzero(result.visits > 0)
    widths = (analysis.winrates - analysis.lcbs)[visited]
    assert (widths > 0).all()
    most, least = np.argmax(result.visits[visited]), np.argmin(result.visits[visited])
    assert widths[most] < widths[least]


@pytest.mark.parametrize("kind", ["puct", "katago"])
@pytest.mark.parametrize("batch", [1, 4])
def test_ownership_is_the_mean_over_the_evaluated_positions(kind: str, batch: int) -> None:
    position = Position(5)
    position.play("C3")
    recorder = Recorder()
    search: AnySearch = Search(recorder, SearchConfig(batch=batch))
    if kind == "katago":
        search = KataGoSearch(recorder, KataGoConfig(batch=batch))
    result, analysis = analysis_of(search, position, 100, ownership=True)
    maps = np.stack([(1 if color == 2 else -1) * cast(Any, found.ownership)[0] for color, found in recorder.answers])
    np.testing.assert_allclose(cast(Any, analysis.ownership), maps.mean(axis=0), atol=1e-5)
    np.testing.assert_allclose(cast(Any, analysis.ownership_stdev), maps.std(axis=0), atol=1e-3)
    assert set(analysis.move_ownership) == set(np.flatnonzero(result.visits).tolist())


def test_ownership_of_a_move_is_that_of_the_positions_below_it() -> None:
    position = Position(5)
    _, alone = analysis_of(Search(Recorder(), SearchConfig(batch=1)), position, 100, ownership=True)
    for move in (3, 12):
        recorder = Recorder()
        only = [Restriction(1, (move,), only=True)]
        search = Search(recorder, SearchConfig(batch=1))
        _, analysis = analysis_of(search, position, 30, restrictions=only, ownership=True)
        maps = [(1 if color == 1 else -1) * cast(Any, found.ownership)[0] for color, found in recorder.answers[1:]]
        np.testing.assert_allclose(analysis.move_ownership[move], np.mean(maps, axis=0), atol=1e-5)
    assert alone.ownership is not None


@pytest.mark.parametrize("kind", ["puct", "katago"])
def test_ownership_starts_anew_at_a_new_root_with_the_root_itself(kind: str) -> None:
    recorder, position = Recorder(), Position(5)
    search: AnySearch = Search(recorder, SearchConfig(batch=1))
    if kind == "katago":
        search = KataGoSearch(recorder, KataGoConfig(batch=1))
    result, _ = analysis_of(search, position, 200, ownership=True)
    position.play(result.move)
    recorder.answers.clear()
    result, analysis = analysis_of(search, position, 1, ownership=True)
    assert result.reused_visits > 1
    assert result.evaluations == len(recorder.answers) == 1
    np.testing.assert_allclose(cast(Any, analysis.ownership), cast(Any, recorder.answers[0][1].ownership)[0], atol=1e-6)
    assert analysis.move_ownership == {}
    more, later = analysis_of(search, position, result.root_visits + 20, ownership=True)
    assert len(recorder.answers) == 1 + more.evaluations
    maps = [(1 if color == 2 else -1) * cast(Any, found.ownership)[0] for color, found in recorder.answers]
    np.testing.assert_allclose(cast(Any, later.ownership), np.mean(maps, axis=0), atol=1e-5)


def test_the_root_evaluation_is_handed_on_where_there_was_one() -> None:
    search, position = Search(ScoredHashEvaluator(), SearchConfig(batch=1)), Position(4)
    result = search.run(position, 50)
    expected = ScoredHashEvaluator().evaluate(position.board_array)
    assert result.root_evaluation is not None
    np.testing.assert_array_equal(result.root_evaluation.policy, expected.policy)
    position.play(result.move)
    assert search.run(position, 60).root_evaluation is None
