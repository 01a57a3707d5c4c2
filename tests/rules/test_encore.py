"""The two encore phases, the button, the move limit and play after the end, against an oracle with whole states."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from move37.errors import IllegalMoveError
from move37.rules import batch
from move37.rules import board_kernels as kernels
from move37.rules.color import Color
from move37.rules.legality import Illegal
from move37.rules.position import Position
from tests.support.kernel_game import bit_board, compare_turns, contents
from tests.support.oracle_board import BLACK, POSITIONAL, SIMPLE, SITUATIONAL, WHITE
from tests.support.random_games import Setting, next_turn, random_kos

SIZES = ((1, 3), (1, 4), (2, 2), (2, 3), (3, 3), (2, 5), (5, 2), (3, 4), (4, 3), (4, 4), (5, 4), (5, 5))
KO_RULES = (SIMPLE, POSITIONAL, SITUATIONAL)
ENCORE: dict[str, Any] = {"base": "japanese", "encore": True}
KO = """
. X O . .
X . X O .
. X O . .
. . . . .
. . . . .
"""
"""White takes at B4, Black would take back at C4."""


def random_start(rng: random.Random, ko: int) -> Setting:
    rows, cols = rng.choice(SIZES)
    stones = random_kos(rng, rows, cols, rng.choice((0.0, 0.3, 0.6, 0.9)))
    to_play, suicide = rng.choice((BLACK, WHITE)), rng.random() < 0.3
    return Setting(rows, cols, ko, suicide, stones, to_play, territory=True, encore=True)


def in_encore(diagram: str = KO, first: str = "white", **rules: Any) -> Position:
    """A position in the first encore phase, with `first` to play."""
    position = Position.from_diagram(diagram, to_play=first, rules={**ENCORE, **rules})
    position.play_many(["pass", "pass"])
    assert (position.phase, position.passes, position.is_over) == (1, 0, False)
    return position


def blocked(position: Position) -> list[str]:
    """The vertices of the stones that may not be retaken in a ko."""
    words = position.board["ko_recapture_blocked"]
    points = range(position.rows * position.cols)
    return [position.vertex(point) for point in points if kernels.has_bit(words, point)]


# ------------------------------------------------------------------------------------------- random games


@pytest.mark.parametrize("ko", KO_RULES)
@pytest.mark.parametrize("seed", range(25))
def test_random_turns(ko: int, seed: int) -> None:
    compare_turns(random_start(random.Random(seed), ko), 90, seed)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(KO_RULES), st.integers(0, 2**32), st.integers(0, 80))
def test_any_game(ko: int, seed: int, length: int) -> None:
    compare_turns(random_start(random.Random(seed), ko), length, seed)


def test_random_games_meet_what_they_are_for() -> None:
    met = {"block": 0, "lift": 0, "taken once": 0, "no result": 0, "one pass ends": 0, "second phase": 0}
    for seed in range(150):
        rng = random.Random(seed)
        oracle = random_start(rng, KO_RULES[seed % 3]).oracle()
        for _ in range(80):
            before, passes, phase, stones = oracle.blocked, oracle.passes, oracle.phase, oracle.stones
            color, move = next_turn(rng, oracle, seed % 3 * 0.06)
            oracle.play(move, color)
            met["block"] += len(oracle.blocked - before) > 0
            met["lift"] += oracle.blocked < before and oracle.stones == stones
            met["taken once"] += oracle.phase > 0 and bool(oracle.superko_points(oracle.to_play))
            met["no result"] += oracle.no_result and oracle.phase > 0
            met["one pass ends"] += move == oracle.pass_move and passes == 0 and oracle.phase > phase > 0
            met["second phase"] += oracle.phase == 2
            if oracle.is_over:
                break
    assert min(met.values()) >= 3, met


def test_a_batch_plays_the_encore_too() -> None:
    games = batch.batch(6, rows=3, cols=4, rules=ENCORE)
    positions = [Position(rows=3, cols=4, rules=ENCORE) for _ in range(6)]
    rng = random.Random(5)
    for _ in range(150):
        masks = games.legal_mask()
        actions = [-1] * 6
        for index, position in enumerate(positions):
            assert bool(games.done[index]) is position.is_over
            if not position.is_over:
                assert masks[index].tolist() == position.legal_mask().tolist()
                legal = [move for move in range(13) if masks[index, move]]
                actions[index] = 12 if rng.random() < 0.1 else rng.choice(legal)
                position.play(actions[index])
        games.step(actions)
        for index, position in enumerate(positions):
            assert contents(games.boards[index]) == contents(position.board)
    assert all(position.is_over for position in positions)
    assert {position.phase for position in positions} >= {2}


# ------------------------------------------------------------------------------------------- phases


def test_two_passes_lead_to_the_next_phase_and_in_the_last_to_the_end() -> None:
    position = Position(5, rules=ENCORE)
    seen: list[tuple[int, int, bool, int]] = []
    for move in ("C3", "pass", "pass", "pass", "B2", "pass", "pass", "pass", "pass"):
        position.play(move)
        seen.append((position.phase, position.passes, position.is_over, int(position.board["phase_moves"])))
    assert seen == [
        (0, 0, False, 1),
        (0, 1, False, 2),
        (1, 0, False, 0),
        (1, 1, False, 1),
        (1, 0, False, 2),
        (1, 1, False, 3),
        (2, 0, False, 0),
        (2, 1, False, 1),
        (2, 2, True, 2),
    ]


def test_who_passes_last_is_followed_by_the_other_player() -> None:
    position = in_encore(first="white")
    assert position.to_play is Color.WHITE
    position.play("E1")
    position.play_many(["pass", "pass"])
    assert (position.phase, position.to_play) == (2, Color.BLACK)


@pytest.mark.parametrize("rules", ["japanese", "chinese", "tromp-taylor"])
def test_without_encore_two_passes_end_the_game(rules: str) -> None:
    position = Position(5, rules=rules)
    position.play_many(["C3", "pass", "pass"])
    assert (position.phase, position.is_over) == (0, True)


def test_the_second_phase_remembers_its_first_stones() -> None:
    position = in_encore()
    assert not position.board["encore_stones"].any()
    position.play_many(["E1", "E5", "pass", "pass"])
    assert position.phase == 2
    colors = [position.stones.ravel() == color for color in (BLACK, WHITE)]
    start = [bit_board([int(point) for point in stones.nonzero()[0]]) for stones in colors]
    assert position.board["encore_stones"].tolist() == start
    position.play_many(["A1", "D1"])
    assert position.board["encore_stones"].tolist() == start


# ------------------------------------------------------------------------------------------- ko


@pytest.mark.parametrize("named", ["C4", "B4"])
def test_a_ko_may_be_retaken_after_its_block_is_lifted(named: str) -> None:
    """The block is lifted by naming the stone or the point where it would be taken; the turn does nothing else."""
    position = in_encore()
    position.play("B4")
    assert blocked(position) == ["B4"]
    assert position.ko_point is None
    assert position.is_legal(named, "black")
    before, bonus = position.stones, position.board["play_bonus"]
    position.play(named)
    assert blocked(position) == []
    assert (position.stones == before).all()
    assert (position.board["play_bonus"], position.passes, position.to_play) == (bonus, 0, Color.WHITE)
    position.play("E1")
    position.play("C4")
    assert blocked(position) == ["C4"]
    assert position.stone_at("B4") is None
    assert [position.is_legal(move) for move in ("B4", "C4")] == [True, True]  # White may lift that block both ways
    position.play("B4")
    assert blocked(position) == []
    assert position.stone_at("B4") is None


@pytest.mark.parametrize("named", ["C4", "B4"])
def test_lifting_a_block_takes_nothing_and_is_no_self_atari(named: str) -> None:
    position = in_encore()
    assert position.captures("B4") == ["C4"] and position.is_self_atari("B4")
    position.play("B4")
    assert position.is_legal(named)
    assert position.captures(named) == [] and not position.is_capture(named) and not position.is_self_atari(named)
    position.play_many([named, "pass"])
    assert position.captures("C4") == ["B4"] and position.is_self_atari("C4")


def test_a_block_binds_only_its_opponent() -> None:
    position = in_encore()
    position.play("B4")
    assert position.is_legal("C4", "white")  # White fills the ko
    assert position.why_illegal("B4", "white") is Illegal.OCCUPIED
    position.play_many(["A1", "C4"])
    assert position.stone_at("C4") is Color.WHITE
    assert blocked(position) == ["B4"]  # the stone is still there, though it is no ko any more
    assert position.why_illegal("B4", "black") is Illegal.OCCUPIED


def test_a_blocked_stone_may_be_taken_together_with_another() -> None:
    """That is no ko, so it needs no lifting; the block goes with its stone."""
    position = in_encore()
    position.play_many(["B4", "D5", "E1"])
    assert blocked(position) == ["B4"]
    position.play("C4")
    assert [position.stone_at(vertex) for vertex in ("B4", "C5", "C4")] == [None, None, Color.BLACK]
    assert blocked(position) == []


def test_the_main_phase_has_its_simple_ko() -> None:
    position = Position.from_diagram(KO, to_play="white", rules=ENCORE)
    position.play("B4")
    assert position.why_illegal("C4") is Illegal.KO
    assert blocked(position) == []


def test_a_capture_that_is_no_ko_is_not_blocked() -> None:
    """Two stones taken by one may be answered at once: that is not the board from before."""
    position = in_encore(".XXX.\nXO.OX\n.OO.X", first="black")
    position.play_many(["A1", "A3"])
    assert blocked(position) == []
    position.play("A2")
    assert position.stone_at("A3") is None


def test_a_ko_is_taken_once_from_the_same_stones() -> None:
    position = in_encore()
    position.play_many(["B4", "C4", "pass", "C4", "B4", "pass"])  # both have taken, both have lifted
    assert blocked(position) == []
    assert position.why_illegal("B4") is Illegal.SUPERKO
    assert position.board["superko_banned"].tolist() == bit_board([position.point("B4")])
    assert not position.legal_mask()[position.point("B4")]
    with pytest.raises(IllegalMoveError):
        position.play("B4")
    position.play_many(["E1", "E5"])  # other stones
    assert position.is_legal("B4")


def test_the_next_phase_allows_it_again() -> None:
    position = in_encore()
    position.play_many(["B4", "C4", "pass", "C4", "B4", "pass"])
    assert not position.is_legal("B4")
    position.play("pass")
    assert position.phase == 2
    assert position.is_legal("B4", "white")
    assert not position.board["superko_banned"].any()


def test_the_next_phase_begins_without_blocks() -> None:
    position = in_encore()
    position.play_many(["B4", "pass", "pass"])
    assert (position.phase, blocked(position), position.to_play) == (2, [], Color.BLACK)
    position.play("C4")
    assert position.stone_at("B4") is None


@pytest.mark.parametrize("ko", ["simple", "positional", "situational"])
def test_a_long_cycle_in_the_encore_has_no_result_under_any_ko_rule(ko: str) -> None:
    """This cycle of four plies has no ko in it; superko forbids its end in the main phase only."""
    position = in_encore(". X . .", ko=ko)
    position.play_many(["D1", "A1", "C1", "B1"] * 2)
    assert position.is_no_result
    assert position.is_over
    assert position.score().note and position.result().text == "Void"
    assert position.score().explanation.splitlines()[-1].startswith("no result: a long cycle ended the game")
    main = Position.from_diagram(". X . .", to_play="white", rules={**ENCORE, "ko": ko})
    main.play_many(["D1", "A1", "C1"])
    assert main.is_legal("B1") is (ko == "simple")


def test_a_repeated_pass_ends_an_encore_phase() -> None:
    position = in_encore(".XXX.\nXO.OX\n.OO.X", first="black")
    turns = ["A1", "A3", "A2", "pass"]
    position.play_many(turns * 2)
    assert (position.phase, position.is_over) == (2, False)
    position.play_many(turns * 2)
    assert (position.phase, position.is_over, position.is_no_result) == (2, True, False)


# ------------------------------------------------------------------------------------------- points from the play


def test_play_bonus_of_territory_scoring() -> None:
    """Area with that bonus is territory with prisoners: stones cost a point until the second phase."""
    position = Position(5, rules=ENCORE)
    seen: list[float] = []
    for move in ("C3", "D3", "pass", "B2", "A1", "pass", "pass", "B1", "pass", "C1", "C2", "pass", "pass", "E1", "E5"):
        position.play(move)
        seen.append(float(position.board["play_bonus"]))
    assert seen == [1, 0, 0, -1, 0, 0, 0, -1, -1, -2, -1, -1, -1, -1, -1]
    assert position.phase == 2


def test_no_play_bonus_under_area_scoring() -> None:
    position = Position(5, rules="chinese")
    position.play_many(["C3", "D3", "pass", "B2", "A1"])
    assert position.board["play_bonus"] == 0


# ------------------------------------------------------------------------------------------- button


@pytest.mark.parametrize(("moves", "bonus"), [(["pass"], -0.5), (["C3", "pass"], 0.5)])
def test_the_first_pass_takes_the_button(moves: list[str], bonus: float) -> None:
    position = Position(5, rules="aga-button")
    assert position.board["button"] == kernels.BUTTON_FREE
    position.play_many(moves)
    assert position.board["button"] == kernels.BUTTON_TAKEN
    assert position.board["play_bonus"] == bonus
    assert position.passes == 0
    position.play("pass")
    assert (position.passes, position.is_over) == (1, False)
    position.play("pass")
    assert position.is_over
    assert position.board["play_bonus"] == bonus


def test_the_button_comes_back_with_undo_and_clear() -> None:
    position = Position(5, rules="aga-button")
    position.play("pass")
    position.undo()
    assert (position.board["button"], position.board["play_bonus"]) == (kernels.BUTTON_FREE, 0)
    position.play("pass")
    position.clear()
    assert (position.board["button"], position.board["play_bonus"]) == (kernels.BUTTON_FREE, 0)


def test_the_button_stays_taken_when_stones_are_edited() -> None:
    position = Position(5, rules="aga-button")
    position.play_many(["C3", "pass"])
    position.edit(black=["A1"])
    assert (position.board["button"], position.board["play_bonus"]) == (kernels.BUTTON_TAKEN, 0.5)


# ------------------------------------------------------------------------------------------- limit and after


def test_the_move_limit_ends_the_game() -> None:
    position = Position(5, rules={"base": "chinese", "moveLimit": 3})
    position.play_many(["C3", "pass"])
    assert not position.is_over
    position.play("D3")
    assert (position.is_over, position.is_no_result, position.passes) == (True, False, 0)
    position.undo()
    assert not position.is_over


def test_the_move_limit_counts_the_encore_too() -> None:
    position = Position(5, rules={**ENCORE, "moveLimit": 4})
    position.play_many(["pass", "pass", "C3"])
    assert (position.phase, position.is_over) == (1, False)
    position.play("D3")
    assert position.is_over


@pytest.mark.parametrize(("rules", "ended"), [("chinese", 5), ("japanese", 1), (ENCORE, 2)])
def test_play_after_the_end(rules: str | dict[str, Any], ended: int) -> None:
    """A stone reopens the game; of the plies before it only the last still tells a network anything."""
    position = Position(5, rules=rules)
    position.play_many(["C3", "D3", "B3", "pass", "pass"] + ["pass"] * 4 * (rules is ENCORE))
    assert position.is_over
    assert position.board["phase_moves"] == ended
    position.play("A1")
    assert (position.is_over, position.passes, position.board["phase_moves"]) == (False, 0, 2)
    position.play("pass")
    assert (position.is_over, position.board["phase_moves"]) == (False, 3)
    position.play("pass")
    assert position.is_over
