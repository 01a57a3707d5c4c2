"""Proposed dead stones: against people's judgement, against GNU Go's, and where they are certain."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import move37 as go
from move37.evaluators.dead_stones import DeadStones, dead_stones, stones_to_remove
from move37.evaluators.network import load_network
from move37.rules.life import benson
from move37.rules.position import Position
from tests.support.cases import Case, load_cases
from tests.support.diagrams import SEKI
from tests.support.gnugo_answers import stored_answers
from tests.support.networks import OwnershipEvaluator, StonesEvaluator
from tests.support.positions import random_position
from tests.support.shared import SHARED

CASES = load_cases("ownership.json")
KATAGO = SHARED / "katago" / "nets" / "g170-b6c96-s175395328-d26788732.bin.gz"


def position_of(case: Case) -> Position:
    position = Position(rows=case.rows, cols=case.cols, rules="chinese", komi=0)
    black, white = ([point for point, stone in enumerate(case.stones) if stone == color] for color in (1, 2))
    position.setup(black, white, "B" if case.to_play == 1 else "W")
    return position


def judged(case: Case, position: Position) -> tuple[set[str], set[str]]:
    """The stones that the source calls dead, and those it leaves open."""
    if case.question["ask"] == "dead_stones":
        return set(case.expected), set()
    owners = "".join(case.expected)
    stones = {point: ".XO"[stone] for point, stone in enumerate(case.stones) if stone}
    dead = {position.vertex(point) for point, own in stones.items() if owners[point] in "XO" and owners[point] != own}
    return dead, {position.vertex(point) for point in stones if owners[point] not in "XO"}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_what_people_call_dead_is_proposed(case: Case) -> None:
    position = position_of(case)
    dead, left_open = judged(case, position)
    assert set(dead_stones(position).dead) - left_open == dead


@pytest.mark.skipif(not (SHARED / "games").is_dir(), reason="needs the games of the shared folder")
def test_gnu_go_and_the_proposal_agree_on_nearly_all_finished_games() -> None:
    agreed = total = 0
    for game, answers in stored_answers():
        total += 1
        agreed += set(dead_stones(game.position("chinese")).dead) == set(answers["area"].vertices("dead", game.size))
    assert total == 220
    assert agreed >= 205, f"{agreed} of {total}"


@pytest.mark.skipif(not KATAGO.is_file(), reason="needs games and a network of the shared folder")
def test_gnu_go_and_a_network_of_katago_s_agree_on_nearly_all_finished_games() -> None:
    """On all 220 it is 211 (playouts: 208); here every fourth."""
    evaluator = load_network(KATAGO).evaluator
    games = list(stored_answers())[::4]
    agreed = sum(
        set(dead_stones(game.position("japanese"), evaluator=evaluator).dead)
        == set(answers["territory"].vertices("dead", game.size))
        for game, answers in games
    )
    assert len(games) == 55
    assert agreed >= 51, f"{agreed} of 55"


def test_what_is_certain_is_proposed_without_doubt() -> None:
    position = Position.from_diagram("""
        . X . X O .
        X X X X O .
        . X O X O .
        X X . X O .
        X X X X O .
        """)
    found = dead_stones(position, playouts=1)
    assert found.dead == ("C3",)
    assert found.certain[:, :4].all() and (found.black_ownership[:, :4] == 1).all()
    assert not found.certain[:, 5].any()


@pytest.mark.parametrize("seed", range(5))
def test_unconditionally_living_stones_are_never_dead(seed: int) -> None:
    position = random_position(np.random.default_rng(seed), 5, 5, 200)
    found, alive = dead_stones(position, playouts=20, seed=seed), benson(position)
    living = np.flatnonzero(alive.black_alive | alive.white_alive)
    assert not {position.point(vertex) for vertex in found.dead} & set(living.tolist())


def test_stones_in_seki_are_not_dead() -> None:
    assert dead_stones(Position.from_diagram(SEKI, rules="japanese", komi=0)).dead == ()


LONE_STONE = ". . X O .\n. . X O .\nO . X O .\n. . X O .\n. . X O ."


@pytest.mark.parametrize(("rules", "removed"), [("chinese", "B+5"), ("japanese", "B+6"), ("tromp-taylor", "B+5")])
def test_a_lone_stone_in_territory(rules: str, removed: str) -> None:
    """The position of a common complaint: the score jumps when two passes end the game."""
    position = Position.from_diagram(LONE_STONE, rules=rules, komi=0)
    found = dead_stones(position)
    assert found.dead == ("A3",)
    assert position.score(found.dead).text == removed
    assert position.score(dead=found).dead == ("A3",) == tuple(found)
    assert (repr(found), len(found)) == ("<DeadStones A3>", 1)


def test_ownership_is_black_s_view() -> None:
    found = dead_stones(Position.from_diagram(". . X O . .\n. X X O O .\n. . X O . .", komi=0))
    assert found.black_ownership.shape == found.certain.shape == (3, 6)
    assert (found.black_ownership[:, :3] > 0.5).all()
    assert (found.black_ownership[:, 3:] < -0.5).all()


@pytest.mark.parametrize(("rows", "cols"), [(1, 1), (1, 2), (2, 2), (9, 13), (19, 19)])
def test_an_empty_board_has_nothing_dead(rows: int, cols: int) -> None:
    found = dead_stones(Position(rows=rows, cols=cols), playouts=4)
    assert found.dead == () and not list(found) and repr(found) == "<DeadStones none>"
    assert np.isfinite(found.black_ownership).all()
    assert (np.abs(found.black_ownership) <= 1).all()


def test_a_board_of_one_colour() -> None:
    position = Position.from_diagram("X X X\n. X .\nX X X")
    found = dead_stones(position, playouts=5)
    assert found.dead == ()
    assert found.certain.all()


@pytest.mark.parametrize(
    ("rules", "removed"),
    [("tromp-taylor", False), ("chinese", True), ("japanese", True), ("japanese,encore=true", True)],
)
def test_stones_are_removed_where_the_rules_let_players_agree(rules: str, removed: bool) -> None:
    position = Position.from_diagram(LONE_STONE, rules=rules, komi=0)
    assert position.rules.agrees_on_dead == removed
    assert stones_to_remove(position) == (("A3",) if removed else ())
    if position.rules.encore:
        position.play_many(["pass", "pass"])
        assert stones_to_remove(position) == ()


def same(a: DeadStones, b: DeadStones) -> bool:
    return a.dead == b.dead and np.array_equal(a.black_ownership, b.black_ownership)


def test_the_seed_decides_and_the_position_stays_as_it_was() -> None:
    position = random_position(np.random.default_rng(4), 7, 7, 40)
    before = position.copy()
    assert same(dead_stones(position, playouts=50, seed=3), dead_stones(position, playouts=50, seed=3))
    assert not same(dead_stones(position, playouts=50, seed=3), dead_stones(position, playouts=50, seed=4))
    assert position == before and position.moves == before.moves


@pytest.mark.parametrize("wrong", [{"playouts": 0}, {"playouts": 2**31}, {"seed": -1}, {"seed": 2**63}])
def test_wrong_numbers(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="playouts must be 1 to"):
        dead_stones(Position(5), **wrong)


OPEN = ". . X O .\n. . X O .\nO . X O .\nO X . . .\n. . X . ."


@pytest.mark.parametrize("to_play", ["B", "W"])
@pytest.mark.parametrize(("share", "dead"), [(-0.9, True), (-0.3, False), (0.9, False)])
def test_a_network_s_ownership_decides_where_nothing_is_certain(share: float, dead: bool, to_play: str) -> None:
    """Beyond doubt only: what a network leaves open, as in a seki, lives."""
    position = Position.from_diagram(OPEN, to_play=to_play, komi=0)
    found = dead_stones(position, evaluator=OwnershipEvaluator(share))
    stones = [position.vertex(point) for point in np.flatnonzero(position.stones).tolist()]
    assert list(found.dead) == (stones if dead else [])
    np.testing.assert_allclose(found.black_ownership[0, 2:4], [share, -share], atol=1e-6)
    assert stones_to_remove(position, OwnershipEvaluator(share)) == ()  # Tromp–Taylor's rules agree on nothing


def test_what_is_certain_stays_so_whatever_a_network_says() -> None:
    position = Position.from_diagram(". X . X O .\nX X X X O .\n. X O X O .\nX X . X O .\nX X X X O .")
    found = dead_stones(position, evaluator=OwnershipEvaluator(1.0))
    assert found.dead == ("C3",)
    assert (found.black_ownership[:, :4] == 1).all()
    wrong = dead_stones(position, evaluator=OwnershipEvaluator(-1.0))
    assert "B5" not in wrong.dead and (wrong.black_ownership[:, :4] == 1).all()


def test_a_network_is_asked_about_the_position_before_the_passes_in_all_its_symmetries() -> None:
    position = Position.from_diagram(OPEN, rules="chinese", komi=0)
    position.play_many(["E2", "pass", "pass"])
    moves = position.moves
    evaluator = OwnershipEvaluator(-0.9)
    assert stones_to_remove(position, evaluator)
    (asked,) = evaluator.batches
    assert len(asked) == 8 and not asked["passes"].any() and (asked["to_play"] == 2).all()
    assert position.moves == moves and position.is_over


def test_an_evaluator_that_knows_no_ownership_leaves_it_to_the_playouts() -> None:
    position = Position.from_diagram(LONE_STONE, rules="chinese", komi=0)
    assert same(dead_stones(position, evaluator=StonesEvaluator()), dead_stones(position))


def test_the_name_at_the_top_of_the_package() -> None:
    assert go.dead_stones is dead_stones
