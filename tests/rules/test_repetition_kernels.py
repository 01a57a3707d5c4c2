"""Repetition against an oracle that keeps whole states: superko and the button, long cycles, repeated passes."""

from __future__ import annotations

import random
from collections.abc import Hashable
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from move37.rules import board_kernels as kernels
from move37.rules import repetition_kernels
from move37.rules.position import Position
from tests.support.diagrams import parse_diagram
from tests.support.kernel_game import KernelGame, compare_turns
from tests.support.oracle_board import BLACK, LEGAL, POSITIONAL, SIMPLE, SITUATIONAL, SUPERKO, WHITE
from tests.support.random_games import Setting, next_turn, random_kos
from tests.support.slow_encore import FREE, SlowGame

SIZES = ((1, 3), (1, 4), (5, 1), (2, 2), (2, 3), (3, 3), (2, 5), (5, 2), (3, 4), (4, 4), (4, 5), (5, 5))
RULES: tuple[dict[str, Any], ...] = (
    {"ko": SIMPLE},
    {"ko": SIMPLE, "button": True},
    {"ko": SIMPLE, "suicide": True},
    {"ko": POSITIONAL, "button": True, "suicide": True},
    {"ko": SITUATIONAL, "button": True},
    {"ko": SITUATIONAL, "button": True, "suicide": True},
    {"ko": SIMPLE, "territory": True},
)
TRIPLE_KO = ".XO.\nX.XO\n.XO.\n.XO.\nXO.O\n.XO.\n.XO.\nX.XO\n.XO."
TRIPLE_KO_MOVES = (5, 18, 29, 6, 17, 30)
SENDING_TWO = ".XXX.\nXO.OX\n.OO.X"
SENDING_TWO_MOVES = (10, 0, 5)
SMALL_CYCLE = ".X.."
SMALL_CYCLE_MOVES = (3, 0, 2, 1)


def start(diagram: str, to_play: int, **rules: Any) -> tuple[KernelGame, SlowGame]:
    rows, cols, stones = parse_diagram(diagram)
    setting = Setting(rows, cols, stones=stones, to_play=to_play, **rules)
    return KernelGame(setting), setting.oracle()


def play_both(game: KernelGame, oracle: SlowGame, *moves: int) -> None:
    for move in moves:
        color = oracle.to_play
        game.write_bans(color)
        assert kernels.why_illegal(game.board, move, color) == LEGAL
        assert game.play(move, color) == oracle.play(move, color)
        assert bool(kernels.is_over(game.board)) is oracle.is_over
    game.write_bans(oracle.to_play)


def random_start(rng: random.Random, **rules: Any) -> Setting:
    rows, cols = rng.choice(SIZES)
    stones = random_kos(rng, rows, cols, rng.choice((0.0, 0.3, 0.6, 0.9)))
    limit = rng.choice((0, 0, 0, 25))
    return Setting(rows, cols, stones=stones, to_play=rng.choice((BLACK, WHITE)), move_limit=limit, **rules)


# ------------------------------------------------------------------------------------------- random games


@pytest.mark.parametrize("rules", RULES, ids=str)
@pytest.mark.parametrize("seed", range(12))
def test_random_turns(rules: dict[str, Any], seed: int) -> None:
    compare_turns(random_start(random.Random(seed), **rules), 70, seed)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(RULES), st.integers(0, 2**32), st.integers(0, 60))
def test_any_game(rules: dict[str, Any], seed: int, length: int) -> None:
    compare_turns(random_start(random.Random(seed), **rules), length, seed)


def test_random_games_meet_what_they_are_for() -> None:
    """Long cycles and repeated passes under simple ko, superko bans before and after the button is taken."""
    met = {"no result": 0, "one pass ends": 0, "ban, button free": 0, "ban, button taken": 0}
    for seed in range(120):
        rng = random.Random(seed)
        oracle = random_start(rng, ko=SIMPLE if seed % 2 else POSITIONAL, button=seed % 4 == 0, suicide=True).oracle()
        for _ in range(60):
            passes = oracle.passes
            color, move = next_turn(rng, oracle, seed % 3 * 0.08)
            oracle.play(move, color)
            met["no result"] += oracle.no_result
            met["one pass ends"] += oracle.passes - passes > 1
            banned = bool(oracle.superko_points(oracle.to_play))
            met["ban, button free"] += banned and oracle.button == FREE
            met["ban, button taken"] += banned and oracle.button > FREE
            if oracle.is_over:
                break
    assert min(met.values()) >= 3, met


def slow_key(oracle: SlowGame) -> Hashable:
    """What the key of a position stands for."""
    if oracle.has_cycles:
        passes = sum(move == oracle.pass_move for _, move in oracle.moves)
        return oracle.state(oracle.to_play), oracle.phase, passes
    return oracle.stones, oracle.to_play if oracle.ko == SITUATIONAL else None, oracle.button == FREE


@pytest.mark.parametrize("rules", [*RULES, {"ko": POSITIONAL, "territory": True, "encore": True}], ids=str)
def test_keys_are_equal_exactly_where_positions_are(rules: dict[str, Any]) -> None:
    keys: dict[Hashable, int] = {}
    plies = 0
    for seed in range(12):
        rng = random.Random(seed)
        setting = Setting(3, 4, stones=random_kos(rng, 3, 4, 0.5) if seed % 2 else (), **rules)
        oracle, game = setting.oracle(), KernelGame(setting)
        for _ in range(60):
            key = int(repetition_kernels.superko_key(game.board))
            assert keys.setdefault(slow_key(oracle), key) == key
            color, move = next_turn(rng, oracle)
            game.play(move, color)
            oracle.play(move, color)
            plies += 1
    assert len(set(keys.values())) == len(keys)
    assert plies == 720


def test_keys_tell_every_set_of_blocks_apart() -> None:
    """Ko-recapture blocks anywhere on the largest board, in every word of the bit board, in both phases."""
    game = KernelGame(Setting(19, 19, territory=True, encore=True))
    board, keys, states = game.board, set[int](), 0
    rng = random.Random(1)
    sets = [[], *([point] for point in range(361)), *([point, point + 1] for point in range(360))]
    sets += [rng.sample(range(361), rng.randint(3, 9)) for _ in range(300)]
    for phase in (1, 2):
        board["phase"] = phase
        for points in sets:
            board["ko_recapture_blocked"][:] = 0
            for point in points:
                kernels.set_bit(board["ko_recapture_blocked"], point)
            keys.add(int(repetition_kernels.superko_key(board)))
            states += 1
    assert len(keys) == states


def test_a_ply_adds_one_key_or_two() -> None:
    game, oracle = start(".XO.\nX.XO\n.XO.", WHITE, territory=True, encore=True)
    added: list[int] = []
    for move in (12, 0, 12, 12, 5, 6, 11):  # stone, two passes after one, then in the encore: ko, block lifted, stone
        before = game.key_count
        play_both(game, oracle, move)
        added.append(game.key_count - before)
    assert added == [2, 1, 2, 1, 2, 1, 1]
    assert max(added) <= repetition_kernels.KEYS_A_PLY


# ------------------------------------------------------------------------------------------- long cycles


@pytest.mark.parametrize(
    ("diagram", "to_play", "cycle"),
    [(SMALL_CYCLE, WHITE, SMALL_CYCLE_MOVES), (TRIPLE_KO, WHITE, TRIPLE_KO_MOVES)],
)
def test_a_long_cycle_ends_without_result(diagram: str, to_play: int, cycle: tuple[int, ...]) -> None:
    """The start occurs again after one round and for the third time after two."""
    game, oracle = start(diagram, to_play)
    play_both(game, oracle, *cycle, *cycle[:-1])
    assert not kernels.is_over(game.board)
    play_both(game, oracle, cycle[-1])
    assert game.board["no_result"] == 1
    assert oracle.no_result
    assert kernels.is_over(game.board)
    assert game.board["passes"] == 0


def test_a_suicide_may_end_a_cycle_where_no_stone_has_been() -> None:
    """Both players fill an eye of the other and vanish; the last stone is on a point that was always empty."""
    game, oracle = start("X..XO..O..O\nXXXXOOOOOOO\n...........", WHITE, suicide=True)
    play_both(game, oracle, 1, 5, 2, 6, 1, 8, 2)
    assert not kernels.is_over(game.board)
    assert not kernels.has_bit(game.board["ever_occupied"], 9)
    play_both(game, oracle, 9)
    assert game.board["no_result"] == 1


def test_a_pass_starts_the_count_anew() -> None:
    game, oracle = start(SMALL_CYCLE, WHITE)
    play_both(game, oracle, *SMALL_CYCLE_MOVES, 4, 4, *SMALL_CYCLE_MOVES, *SMALL_CYCLE_MOVES[:-1])
    assert not kernels.is_over(game.board)  # the start has been there four times, twice since the passes
    play_both(game, oracle, SMALL_CYCLE_MOVES[-1])
    assert game.board["no_result"] == 1


@pytest.mark.parametrize("ko", [POSITIONAL, SITUATIONAL])
def test_superko_forbids_the_cycle(ko: int) -> None:
    game, oracle = start(TRIPLE_KO, WHITE, ko=ko)
    play_both(game, oracle, *TRIPLE_KO_MOVES[:-1])
    assert kernels.why_illegal(game.board, TRIPLE_KO_MOVES[-1], BLACK) == SUPERKO
    assert game.board["no_result"] == 0


def test_play_may_go_on_after_no_result() -> None:
    game, oracle = start(SMALL_CYCLE, WHITE)
    play_both(game, oracle, *SMALL_CYCLE_MOVES * 2)
    assert game.board["phase_moves"] == 8
    play_both(game, oracle, 3)
    assert (game.board["no_result"], game.board["phase_moves"]) == (1, 2)  # this position too has been there twice
    play_both(game, oracle, 2)
    assert (game.board["no_result"], game.board["phase_moves"]) == (0, 2)


def test_a_person_is_told() -> None:
    position = Position(rows=1, cols=4, rules="chinese")
    position.setup(black=["B1"], to_play="white")
    position.play_many(["D1", "A1", "C1", "B1"] * 2)
    copied = position.copy()
    copied.undo()
    assert [copied.is_no_result, copied.is_over] == [False, False]
    assert [position.is_no_result, position.is_over] == [True, True]
    copied.play("B1")
    assert copied.is_no_result


# ------------------------------------------------------------------------------------------- repeated passes


def test_sending_two_returning_one_ends_by_a_repeated_pass() -> None:
    """White answers and passes: the second time it passes from the same position the game ends, with a result."""
    game, oracle = start(SENDING_TWO, BLACK)
    passed = oracle.pass_move
    play_both(game, oracle, *SENDING_TWO_MOVES, passed, *SENDING_TWO_MOVES)
    assert not kernels.is_over(game.board)
    play_both(game, oracle, passed)
    assert kernels.is_over(game.board)
    assert (game.board["passes"], game.board["no_result"], game.board["phase"]) == (2, 0, 0)


@pytest.mark.parametrize(("ko", "button"), [(POSITIONAL, False), (POSITIONAL, True)])
def test_superko_forbids_sending_two(ko: int, button: bool) -> None:
    game, oracle = start(SENDING_TWO, BLACK, ko=ko, button=button)
    play_both(game, oracle, *SENDING_TWO_MOVES[:2])
    assert kernels.why_illegal(game.board, SENDING_TWO_MOVES[2], BLACK) == SUPERKO


def test_the_pass_that_takes_the_button_is_not_counted() -> None:
    """Once the button is taken three rounds of sending two are needed: the first pass is no such pass."""
    game, oracle = start(SENDING_TWO, BLACK, button=True)
    play_both(game, oracle, *((*SENDING_TWO_MOVES, oracle.pass_move) * 2))
    assert not kernels.is_over(game.board)
    play_both(game, oracle, *SENDING_TWO_MOVES, oracle.pass_move)
    assert kernels.is_over(game.board)


def test_both_players_may_pass_once_from_a_position() -> None:
    """A pass counts by who made it: stones alone do not end the game."""
    game, oracle = start("XO.\n...\n...", BLACK)
    play_both(game, oracle, 9, 8, 9)  # Black passes, White plays, Black passes from another position
    assert not kernels.is_over(game.board)


def test_a_repeated_pass_begins_the_encore() -> None:
    game, oracle = start(SENDING_TWO, BLACK, territory=True, encore=True)
    passed = oracle.pass_move
    play_both(game, oracle, *((*SENDING_TWO_MOVES, passed) * 2))
    assert (game.board["phase"], game.board["passes"], game.board["phase_moves"]) == (1, 0, 0)
    play_both(game, oracle, *SENDING_TWO_MOVES, passed)
    assert game.board["phase"] == 1  # passes of the main phase count no longer
    play_both(game, oracle, *SENDING_TWO_MOVES, passed)
    assert game.board["phase"] == 2


# ------------------------------------------------------------------------------------------- superko and button


@pytest.mark.parametrize("ko", [POSITIONAL, SITUATIONAL])
def test_positions_before_the_button_may_come_back_after(ko: int) -> None:
    ko_board = ".XO.\nX.XO\n.XO.\n...."
    for button, expected in ((False, SUPERKO), (True, LEGAL)):
        game, oracle = start(ko_board, WHITE, ko=ko, button=button)
        play_both(game, oracle, 5, 16, 16)
        assert kernels.why_illegal(game.board, 6, BLACK) == expected


def test_keys_beyond_the_count_are_not_read() -> None:
    game, oracle = start(".XO.\nX.XO\n.XO.\n....", WHITE, ko=POSITIONAL)
    play_both(game, oracle, 5, 16, 16)
    repetition_kernels.write_superko_bans(game.board, BLACK, np.zeros(3, np.uint64), 0)
    assert not game.board["superko_banned"].any()
