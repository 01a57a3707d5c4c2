"""Numbers of nodes, and what engines say of them."""

from __future__ import annotations

import pytest

from move37.analysis.review_grades import Grade
from move37.rules.color import Color
from move37.sgf.game_record import GameRecord
from move37.web.limits import Limits
from move37.web.nodes import Nodes, Seen, judged
from move37.web.requests import RequestError


def nodes_of(text: str, limits: Limits | None = None) -> tuple[GameRecord, Nodes]:
    record = GameRecord.from_text(text)
    return record, Nodes(record.root.tree, record.rows, record.cols, limits or Limits())


def test_numbers_follow_the_file_and_are_never_given_again() -> None:
    record, nodes = nodes_of("(;SZ[9];B[aa](;W[bb];B[cc])(;W[dd]))")
    assert [(one.id, one.move_number) for one in nodes.all()] == [(0, 0), (1, 1), (2, 2), (3, 3), (4, 2)]
    first = record.root.variations[0].variations[0]
    first.delete()
    nodes.forget(first.tree)
    added = nodes.add(record.root.add_variation("E5").tree)
    assert [one.id for one in added] == [5] and [one.id for one in nodes.all()] == [0, 1, 4, 5]
    with pytest.raises(RequestError, match="no node 2"):
        nodes.find(2)


def test_a_move_is_judged_once_both_positions_around_it_are_known() -> None:
    _, nodes = nodes_of("(;SZ[9];B[aa];W[bb])")
    assert [one.id for one in nodes.note(1, Seen(0.4, None, 10, 5))] == [1]
    changed = nodes.note(0, Seen(0.65, None, 10, 40))
    assert [one.id for one in changed] == [0, 1]
    found = nodes.find(1).judged
    assert found is not None and found.winrate_lost == pytest.approx(0.25) and found.grade is Grade.BLUNDER
    nodes.note(2, Seen(0.7, None, 10, 5))
    lost = nodes.find(2).judged
    assert lost is not None and lost.winrate_lost == pytest.approx(0.3)
    assert nodes.note(99, Seen(0.5, None, 1, None)) == []


@pytest.mark.parametrize(
    ("color", "winrate", "points", "grade"),
    [(Color.BLACK, 0.05, 4.0, Grade.MISTAKE), (Color.WHITE, -0.05, -4.0, Grade.GOOD)],
)
def test_losses_are_those_of_who_moved(color: Color, winrate: float, points: float, grade: Grade) -> None:
    before, after = Seen(0.5, 2.0, 9, 7), Seen(0.45, -2.0, 9, None)
    found = judged(before, after, color, 8)
    assert found.winrate_lost == pytest.approx(winrate)
    assert (found.points_lost, found.grade) == (points, grade)
    assert judged(before, after, color, 7).grade is Grade.BEST


def test_trees_and_lines_have_limits() -> None:
    limits = Limits(nodes=9, line=3)
    with pytest.raises(RequestError, match="more than 4 nodes"):
        nodes_of("(;SZ[9](;B[aa])(;B[bb])(;B[cc])(;B[dd]))", Limits(nodes=4))
    with pytest.raises(RequestError, match="over 3 nodes"):
        nodes_of("(;SZ[9];B[aa];W[bb];B[cc];AB[dd])", limits)
    record, nodes = nodes_of("(;SZ[9];B[aa];W[bb];B[cc])", limits)
    nodes.require_room(record.root.tree)
    with pytest.raises(RequestError, match="3 nodes, which is as many as fit"):
        nodes.require_room(record.end.tree)
    full, found = nodes_of("(;SZ[9];B[aa])", Limits(nodes=2))
    with pytest.raises(RequestError, match="2 nodes, which is as many as fit"):
        found.require_room(full.root.tree)
