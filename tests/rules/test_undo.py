"""Undo restores every field: the whole record, byte by byte, equals that of a fresh replay."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from move37.errors import IllegalMoveError
from move37.rules.color import Color
from move37.rules.position import Position
from tests.support.kernel_game import assert_same, contents
from tests.support.oracle_board import BLACK, LEGAL, WHITE, opponent
from tests.support.random_games import RULES, Setting, games, next_move, next_turn, play_random, random_kos
from tests.support.slow_encore import SlowGame

KO_NAMES = ("simple", "positional", "situational")


def start(setting: Setting) -> Position:
    rules = {
        "ko": KO_NAMES[setting.ko],
        "suicide": setting.suicide,
        "scoring": "territory" if setting.territory else "area",
        "encore": setting.encore,
        "hasButton": setting.button,
        "moveLimit": setting.move_limit or None,
    }
    position = Position(rows=setting.rows, cols=setting.cols, rules=rules, komi=6.5)
    black = [point for point, stone in enumerate(setting.stones) if stone == BLACK]
    white = [point for point, stone in enumerate(setting.stones) if stone == WHITE]
    position.setup(black=black, white=white, to_play=Color(setting.to_play))
    return position


def replayed(setting: Setting, moves: list[tuple[int, int]]) -> tuple[Position, SlowGame]:
    position, oracle = start(setting), setting.oracle()
    for color, move in moves:
        position.play(move, Color(color))
        oracle.play(move, color)
    return position, oracle


def assert_same_game(position: Position, fresh: Position, oracle: SlowGame) -> None:
    assert contents(position.board) == contents(fresh.board)
    assert position.superko_keys.tolist() == fresh.superko_keys.tolist()
    assert position.moves == fresh.moves
    assert position.to_play is fresh.to_play
    assert position.hash == fresh.hash
    assert position.prisoners == fresh.prisoners
    assert position.ko_point == fresh.ko_point
    assert position.passes == fresh.passes
    assert position.last_move == fresh.last_move
    assert position == fresh
    assert_same(position.board, oracle)
    for color in (BLACK, WHITE):
        reasons = [oracle.why_illegal(point, color) for point in range(oracle.points)]
        found = [position.why_illegal(point, Color(color)) or LEGAL for point in range(oracle.points)]
        assert found == reasons
        assert position.legal_mask(Color(color)).tolist() == [reason == LEGAL for reason in reasons] + [True]


@settings(max_examples=60, deadline=None)
@given(games(largest=6, longest=50), st.data())
def test_undo_restores_every_field(drawn: tuple[Setting, list[tuple[int, int]]], data: st.DataObject) -> None:
    setting, moves = drawn
    position, _ = replayed(setting, moves)
    back = data.draw(st.integers(0, len(moves)))
    kept = moves[: len(moves) - back]
    for color, move in reversed(moves[len(kept) :]):
        assert position.undo() == (Color(color), move)
    assert_same_game(position, *replayed(setting, kept))
    for color, move in moves[len(kept) :]:
        position.play(move, Color(color))
    assert_same_game(position, *replayed(setting, moves))


FURTHER_RULES: tuple[dict[str, Any], ...] = (
    {"territory": True, "encore": True},
    {"territory": True},
    {"button": True},
    {"move_limit": 20},
)


@pytest.mark.parametrize("rules", FURTHER_RULES, ids=str)
@pytest.mark.parametrize("seed", range(6))
def test_undo_through_phases_and_ends(rules: dict[str, Any], seed: int) -> None:
    """Back one by one through kos, blocks, both encore phases, the button and the end, then forth again."""
    rng = random.Random(seed)
    setting = Setting(4, 4, seed % 3, stones=random_kos(rng, 4, 4, 0.5), **rules)
    position, oracle, moves = start(setting), setting.oracle(), list[tuple[int, int]]()
    for _ in range(45):
        moves.append(next_turn(rng, oracle))
        oracle.play(moves[-1][1], moves[-1][0])
        position.play(moves[-1][1], Color(moves[-1][0]))
    for count in range(len(moves) - 1, -1, -1):
        position.undo()
        assert_same_game(position, *replayed(setting, moves[:count]))
    for color, move in moves:
        position.play(move, Color(color))
    assert_same_game(position, *replayed(setting, moves))


@pytest.mark.parametrize(("ko", "suicide"), RULES)
def test_another_line_after_undo(ko: int, suicide: bool) -> None:
    """Go back and on by another way, again and again, over more moves than one snapshot covers."""
    rng = random.Random(ko)
    setting = Setting(4, 5, ko, suicide)
    position, moves = start(setting), list[tuple[int, int]]()
    for _ in range(25):
        for _ in range(min(len(moves), rng.randint(0, 20))):
            position.undo()
            moves.pop()
        fresh, oracle = replayed(setting, moves)
        assert_same_game(position, fresh, oracle)
        for _ in range(rng.randint(1, 22)):
            color, move = next_move(rng, oracle)
            oracle.play(move, color)
            position.play(move, Color(color))
            moves.append((color, move))
    assert_same_game(position, *replayed(setting, moves))


@settings(max_examples=30, deadline=None)
@given(games(largest=5, longest=40))
def test_a_copy_goes_its_own_way(drawn: tuple[Setting, list[tuple[int, int]]]) -> None:
    setting, moves = drawn
    position, oracle = replayed(setting, moves)
    twin = position.copy()
    while twin.move_number:
        twin.undo()
    assert_same_game(twin, *replayed(setting, []))
    assert_same_game(position, replayed(setting, moves)[0], oracle)


@pytest.mark.parametrize("seed", range(4))
def test_a_refused_move_changes_nothing(seed: int) -> None:
    rng = random.Random(seed)
    setting = Setting(4, 4, *RULES[seed + 2])
    position, oracle = start(setting), setting.oracle()
    refused = 0
    for _ in range(60):
        color, move = next_move(rng, oracle)
        before = contents(position.board)
        for point in range(oracle.points):
            for either in (BLACK, WHITE):
                if not oracle.is_legal(point, either):
                    with pytest.raises(IllegalMoveError):
                        position.play(point, Color(either))
                    refused += 1
        assert contents(position.board) == before
        position.play(move, Color(color))
        oracle.play(move, color)
        assert position.to_play == opponent(color)
    assert refused > 200


def test_undo_at_the_start_is_refused() -> None:
    position = Position(5)
    position.setup(black=["C3"], to_play="W")
    with pytest.raises(IllegalMoveError):
        position.undo()
    assert position.stone_at("C3") is Color.BLACK


def test_a_long_game_on_a_large_board() -> None:
    rng = random.Random(1)
    setting = Setting(19, 19)
    position, oracle = start(setting), setting.oracle()
    moves = list(play_random(rng, oracle, 150))
    for color, move in moves:
        position.play(move, Color(color))
    for _ in range(133):
        position.undo()
    assert_same_game(position, *replayed(setting, moves[:17]))
