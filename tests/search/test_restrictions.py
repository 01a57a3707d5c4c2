"""Moves a search may not look at: at the root, deeper, for one side, for both kinds of search, and the kept tree."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import pytest

from move37.errors import ConfigError
from move37.rules.position import Position
from move37.search import AnySearch, KataGoConfig, KataGoSearch, Search, SearchConfig
from move37.search.restriction import Restriction, closed_until
from tests.support.slow_katago_values import ScoredHashEvaluator

BLACK, WHITE = 1, 2
SIZE, PASS = 4, 16


def make(kind: str) -> AnySearch:
    if kind == "puct":
        return Search(ScoredHashEvaluator(), SearchConfig(batch=2))
    return KataGoSearch(ScoredHashEvaluator(), KataGoConfig(batch=2))


def test_the_table_of_restrictions_joins_avoided_and_allowed_moves() -> None:
    found = closed_until(
        [
            Restriction(BLACK, (0, 2), until_depth=3),
            Restriction(BLACK, (2, 1), until_depth=1),
            Restriction(WHITE, (3,), until_depth=2, only=True),
        ],
        5,
    )
    np.testing.assert_array_equal(found, [[3, 1, 3, 0, 0], [2, 2, 2, 0, 2]])


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (Restriction(3, (1,)), "color 1"),
        (Restriction(1, (5,)), "0 to 4"),
        (Restriction(1, cast(Any, ("A1",))), "0 to 4"),
        (Restriction(1, (1,), 0), "plies, not 0"),
        (Restriction(1, (1,), cast(Any, 1.5)), "plies, not 1.5"),
    ],
)
def test_a_restriction_that_makes_no_sense_is_refused(wrong: Restriction, words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        closed_until([wrong], 5)


def moves_by_depth(search: AnySearch) -> dict[int, set[int]]:
    """The moves that were searched, or may be, at each depth of the tree or graph."""
    trees: Any = search.trees
    found: dict[int, set[int]] = {}
    waiting, met = [(int(trees.roots[0]), 0)], set[tuple[int, int]]()
    while waiting:
        node, depth = waiting.pop()
        if (node, depth) in met or depth > 6:
            continue
        met.add((node, depth))
        moves = found.setdefault(depth, set())
        if trees.nodes["state"][node] == 1:
            moves |= set(np.flatnonzero(trees.edges[node]).tolist())
        child = int(trees.nodes["first_child"][node])
        while child != -1:
            moves.add(int(trees.nodes["action"][child]))
            source = int(trees.graph.stats["source"][child]) if isinstance(search, KataGoSearch) else child
            waiting.append((source, depth + 1))
            child = int(trees.nodes["next_sibling"][child])
    return found


@pytest.mark.parametrize("kind", ["puct", "katago"])
def test_avoided_moves_are_not_in_the_tree_down_to_their_depth(kind: str) -> None:
    search = make(kind)
    search.run(Position(SIZE), 400, [Restriction(BLACK, (0, 5, 10), 3), Restriction(WHITE, (6, PASS), 2)])
    moves = moves_by_depth(search)
    assert not moves[0] & {0, 5, 10}
    assert not moves[2] & {0, 5, 10}
    assert not moves[1] & {6, PASS}
    assert {0, 5, 10} <= moves[1]
    assert {6, PASS} <= moves[0] | moves[2]
    assert {6, PASS} <= moves[3]


@pytest.mark.parametrize("kind", ["puct", "katago"])
def test_only_allowed_moves_are_searched_and_passing_stays_if_nothing_else_does(kind: str) -> None:
    search = make(kind)
    result = search.run(Position(SIZE), 60, [Restriction(BLACK, (3, 12), only=True)])
    assert set(np.flatnonzero(result.priors)) == {3, 12}
    assert result.visits[[3, 12]].sum() == 59
    result = search.run(Position(SIZE), 60, [Restriction(BLACK, tuple(range(PASS + 1)))])
    assert set(np.flatnonzero(result.priors)) == {PASS}
    assert result.move == PASS


def test_a_symmetric_restriction_does_not_meet_the_pruning_of_mirrored_moves() -> None:
    """On the empty board the search tries one of four mirrored moves; a restriction may leave just another one."""
    for move in (0, 3, 12, 15):
        result = make("katago").run(Position(SIZE), 20, [Restriction(BLACK, (move,), only=True)])
        assert result.visits[move] == 19


@pytest.mark.parametrize("kind", ["puct", "katago"])
def test_the_tree_of_a_restricted_search_serves_only_the_same_again(kind: str) -> None:
    search, position = make(kind), Position(SIZE)
    avoid = [Restriction(BLACK, (0,))]
    assert search.run(position, 50).reused_visits == 0
    assert search.run(position, 60, avoid).reused_visits == 0
    again = search.run(position, 70, avoid)
    assert again.reused_visits == 60
    assert again.visits[0] == 0
    assert search.run(position, 70, [Restriction(BLACK, (0,), 2)]).reused_visits == 0
    free = search.run(position, 70)
    assert free.reused_visits == 0
    assert free.priors[0] > 0
    result = search.run(position, 80, avoid)
    position.play(result.move)
    assert search.run(position, 20, avoid).reused_visits == 0
    position.undo()
    position.play(search.run(position, 200).move)
    assert search.run(position, 1).reused_visits > 0


def test_a_restriction_is_for_its_side_alone() -> None:
    result = make("puct").run(Position(SIZE), 50, [Restriction(WHITE, (0,))])
    assert result.priors[0] > 0
