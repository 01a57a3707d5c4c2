"""The tactical problems: they are what they say, as far as the rules can tell without a search."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from move37.benchmark.figures import BenchmarkError
from move37.benchmark.tactics import KINDS, Problem, load_problems, problem_files
from move37.rules.ladders import ladders
from move37.rules.position import Position

ALL = {name: load_problems(path) for name, path in problem_files().items()}
EVERY = [pytest.param(problem, id=f"{file}-{problem.name}") for file, found in ALL.items() for problem in found]


def test_there_are_enough_of_every_kind() -> None:
    network, rollouts = Counter(one.kind for one in ALL["network"]), Counter(one.kind for one in ALL["rollouts"])
    assert sum(network.values()) >= 36
    assert set(network) == set(KINDS)
    assert min(rollouts["capture"], rollouts["snapback"], rollouts["ladder"]) >= 4
    assert all(one.position.komi == 7 and one.position.rows == 9 for one in ALL["network"])
    assert {one.position.rows for one in ALL["rollouts"]} == {7, 9}


def test_names_and_positions_are_unique() -> None:
    for found in ALL.values():
        assert len({one.name for one in found}) == len(found)
        assert len({(one.position.hash, int(one.position.to_play)) for one in found}) == len(found)


def snaps_back(position: Position, move: int) -> bool:
    """Whether a stone thrown in, if it is taken, takes three or more in return."""
    if move == position.rows * position.cols or position.is_capture(move):
        return False
    after = position.copy()
    after.play(move)
    liberties = after.liberties(move)
    if len(liberties) != 1 or not after.is_legal(liberties[0]):
        return False
    after.play(liberties[0])
    return after.stone_at(move) is None and after.is_legal(move) and len(after.captures(move)) >= 3


def runs_a_ladder(position: Position, move: int) -> bool:
    """Whether a move catches two or more stones in a ladder, or gets some out of one."""
    vertex, color = position.vertex(move), position.to_play
    return any(
        len(chain.stones) >= 2 and vertex in (chain.rescues if chain.color == color else chain.captures)
        for chain in ladders(position).chains
    )


@pytest.mark.parametrize("problem", EVERY)
def test_snapbacks_snap_back_and_ladders_are_ladders(problem: Problem) -> None:
    if problem.kind == "snapback":
        assert any(snaps_back(problem.position, move) for move in problem.right)
    if problem.kind == "ladder":
        assert any(runs_a_ladder(problem.position, move) for move in problem.right)
    assert problem.wrong
    assert len(problem.right) <= 4


GOOD = """# one
kind: net
komi: 7
from: nowhere
right: A1
wrong: B1
Black to play
. . .
. X O
. . .
"""


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("kind: net", "kind: joke", "no known kind"),
        ("wrong: B1", "wrong: A1", "among them"),
        ("right: A1", "right: B2", "illegal"),
        ("from: nowhere\n", "", "other fields"),
    ],
)
def test_a_problem_that_is_not_well_formed_is_named(tmp_path: Path, old: str, new: str, said: str) -> None:
    path = tmp_path / "problems.txt"
    path.write_text(GOOD, "utf-8")
    assert load_problems(path)[0].right == (6,)
    path.write_text(GOOD.replace(old, new), "utf-8")
    with pytest.raises(BenchmarkError, match=f"one.*{said}"):
        load_problems(path)
