from __future__ import annotations

import copy
import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from move37.errors import IllegalMoveError, Move37Error, RulesError, SetupError, VertexError
from move37.rules.board_kernels import BOARD, Board
from move37.rules.color import Color
from move37.rules.legality import Illegal
from move37.rules.position import Position
from tests.support.oracle_board import OracleBoard
from tests.support.random_games import next_move

BLACK, WHITE = Color.BLACK, Color.WHITE
KO_RULES = ("simple", "positional", "situational")


def fields(board: Board) -> list[Any]:
    """All fields of a record, to be compared one by one."""
    return [np.asarray(board[name]).tolist() for name in BOARD.names or ()]


def state(position: Position) -> tuple[Any, ...]:
    """Every field a position has, the whole record among them."""
    return (
        fields(position.board),
        position.moves,
        position.superko_keys.tolist(),
        position.legal_moves(),
        position.komi,
        position.handicap,
    )


def random_game(seed: int, rows: int, cols: int, ko: str, suicide: bool, length: int) -> Position:
    """A random game with captures, kos, passes and moves out of turn."""
    rng = random.Random(seed)
    oracle = OracleBoard(rows, cols, ko=KO_RULES.index(ko), suicide=suicide)
    position = Position(rows=rows, cols=cols, rules={"ko": ko, "suicide": suicide})
    for _ in range(length):
        color, move = next_move(rng, oracle)
        oracle.play(move, color)
        position.play(move, Color(color))
    return position


GAMES = {
    "seed": st.integers(0, 10**6),
    "rows": st.integers(1, 6),
    "cols": st.integers(1, 6),
    "ko": st.sampled_from(KO_RULES),
    "suicide": st.booleans(),
    "length": st.integers(1, 70),
}


# ---------------------------------------------------------------------------------------------------- making


@pytest.mark.parametrize("wrong", [0, 20, -3])
def test_size_out_of_range(wrong: int) -> None:
    with pytest.raises(RulesError, match="1 to 19"):
        Position(wrong)
    with pytest.raises(RulesError, match="1 to 19"):
        Position(rows=9, cols=wrong)


def test_rectangles() -> None:
    position = Position(rows=13, cols=9)
    assert (position.rows, position.cols, len(position.legal_moves())) == (13, 9, 118)
    assert position.vertex(0) == "A13"
    with pytest.raises(RulesError, match="13x9"):
        _ = position.size
    assert Position(5).size == 5


def test_a_new_game() -> None:
    position = Position(rules="chinese", komi=7)
    assert (position.rows, position.cols, position.to_play, position.move_number) == (19, 19, BLACK, 0)
    assert (position.last_move, position.ko_point, position.is_over, position.moves) == (None, None, False, [])
    assert position.prisoners == {BLACK: 0, WHITE: 0}
    assert position.rules.name == "chinese"
    assert repr(position) == "<Position 19x19 chinese komi 7, 0 moves, black to play>"


def test_from_moves() -> None:
    position = Position.from_moves(["E5", "pass", ("B", 0)], size=9, komi=5.5)
    assert position.moves == [(BLACK, 40), (WHITE, 81), (BLACK, 0)]
    assert (position.to_play, position.komi) == (WHITE, 5.5)


# ---------------------------------------------------------------------------------------------------- playing


@pytest.mark.parametrize("move", ["C3", "c3", 12, np.int64(12)])
def test_spellings_of_a_move(move: Any) -> None:
    position = Position(5)
    position.play(move)
    assert (position.last_move, position.stone_at("C3"), position.to_play) == (12, BLACK, WHITE)


def test_colour_out_of_turn() -> None:
    position = Position(5)
    position.play("A1", color="white")
    assert (position.stone_at("A1"), position.to_play) == (WHITE, BLACK)
    position.play("B1", color=BLACK)
    assert position.moves == [(WHITE, 20), (BLACK, 21)]


ILLEGAL: list[tuple[str, str, list[str], str | int, Illegal]] = [
    # diagram (Black to play), rules, moves before, move, reason
    (". .\n. .", "chinese", ["A1"], "A1", Illegal.OCCUPIED),
    (". X O .\nX O . O\n. X O .\n. . . .", "chinese", ["C3"], "B3", Illegal.KO),
    (". O .\nO . .\n. . .", "chinese", [], "A3", Illegal.SUICIDE),
    (". O . .\nX O . .\nO O . .\n. . . .", "chinese", [], "A4", Illegal.SUICIDE),
    (". . .\n. . .\n. . .", "chinese", [], "D4", Illegal.OFF_BOARD),
    (". . .\n. . .\n. . .", "chinese", [], "I1", Illegal.OFF_BOARD),
    (". . .\n. . .\n. . .", "chinese", [], 10, Illegal.OFF_BOARD),
]


@pytest.mark.parametrize(("text", "rules", "before", "move", "reason"), ILLEGAL)
def test_illegal_moves(text: str, rules: str, before: list[str], move: str | int, reason: Illegal) -> None:
    position = Position.from_diagram(text, rules=rules)
    position.play_many(before)
    untouched = state(position)
    assert position.why_illegal(move) is reason
    assert not position.is_legal(move)
    error = VertexError if reason is Illegal.OFF_BOARD else IllegalMoveError
    with pytest.raises(error, match="board" if reason is Illegal.OFF_BOARD else reason.sentence.split("(")[0]):
        position.play(move)
    assert state(position) == untouched


def test_illegal_move_names_number_colour_and_vertex() -> None:
    position = Position(9)
    position.play("E5")
    with pytest.raises(IllegalMoveError, match="Move 2, White E5, is illegal: a stone is there already"):
        position.play("E5")


def test_suicide_rule() -> None:
    text = ". O . .\nX O . .\nO O . .\n. . . ."
    position = Position.from_diagram(text, rules="new-zealand")
    assert position.is_legal("A4")
    position.play("A4")
    assert position.prisoners == {BLACK: 0, WHITE: 2}
    assert position.stone_at("A3") is None


def test_superko_kinds() -> None:
    stones = {"black": ["A4", "C3", "B2", "C2", "C1", "D1"], "white": ["B4", "C4", "B3", "D3", "A1"]}
    answers = {}
    for ko in KO_RULES:
        position = Position(4, rules={"ko": ko})
        position.setup(**stones, to_play="W")
        position.play_many(["D2", "D4"])
        answers[ko] = position.why_illegal("D3")
        assert bool(position.legal_mask()[position.point("D3")]) == (answers[ko] is None)
    assert answers == {"simple": None, "positional": Illegal.SUPERKO, "situational": None}


def test_superko_binds_out_of_turn_too() -> None:
    position = Position(4, rules={"ko": "positional"})
    position.setup(["A4", "C3", "B2", "C2", "C1", "D1"], ["B4", "C4", "B3", "D3", "A1"], "W")
    position.play_many(["D2", "D4", "pass"])
    assert position.to_play is BLACK
    assert position.why_illegal("D3", "W") is Illegal.SUPERKO
    assert position.why_illegal("D3", "B") is not Illegal.SUPERKO
    assert "D3" not in position.legal_moves("W")
    with pytest.raises(IllegalMoveError, match="superko"):
        position.play("D3", "W")


def test_simple_ko_does_not_bind_who_fills_it() -> None:
    position = Position.from_diagram(". X O .\nX O . O\n. X O .\n. . . .", rules="chinese")
    position.play("C3")
    assert position.vertex(position.ko_point or 0) == "B3"
    assert position.is_legal("B3", "B")
    assert "B3" in position.legal_moves("B")
    assert "B3" not in position.legal_moves("W")
    position.play("A1")
    assert position.ko_point is None
    assert position.prisoners == {BLACK: 1, WHITE: 0}


def test_the_end_and_going_on() -> None:
    position = Position(3)
    over: list[bool] = []
    for move in ["B2", "pass", "pass", "A1"]:
        position.play(move)
        over.append(position.is_over)
    assert over == [False, False, True, False]
    position.undo()
    assert (position.is_over, position.passes) == (True, 2)
    assert "game over" in str(position)


def test_play_many_is_all_or_nothing() -> None:
    position = Position(5)
    position.play("C3")
    before = state(position)
    with pytest.raises(IllegalMoveError, match="Move 4, White A1"):
        position.play_many(["A1", "B2", "A1"])
    with pytest.raises(VertexError):
        position.play_many(["A1", "Z1"])
    assert state(position) == before


# ---------------------------------------------------------------------------------------------------- undo and copy


@settings(deadline=None, max_examples=40)
@given(**GAMES, back=st.integers(1, 70))
def test_undo_restores_every_field(
    seed: int, rows: int, cols: int, ko: str, suicide: bool, length: int, back: int
) -> None:
    position = random_game(seed, rows, cols, ko, suicide, length)
    back = min(back, length)
    moves = position.moves
    undone = [position.undo() for _ in range(back)]
    assert undone == moves[: length - back - 1 : -1] if back < length else moves[::-1]
    replayed = Position.from_moves(moves[: length - back], rows=rows, cols=cols, rules=position.rules)
    assert state(position) == state(replayed)
    assert position == replayed
    position.play_many(moves[length - back :])
    replayed.play_many(moves[length - back :])
    assert state(position) == state(replayed)


@settings(deadline=None, max_examples=20)
@given(**GAMES)
def test_copies_are_independent(seed: int, rows: int, cols: int, ko: str, suicide: bool, length: int) -> None:
    position = random_game(seed, rows, cols, ko, suicide, length)
    before = state(position)
    twins = [position.copy(), copy.copy(position), copy.deepcopy(position)]
    for twin in twins:
        assert twin == position
        assert state(twin) == before
        twin.undo()
        twin.play("pass")
        twin.play("pass")
        twin.komi = 0.5
    assert state(position) == before
    twins[0].clear()
    assert state(position) == before


def test_nothing_to_undo() -> None:
    position = Position(5)
    position.setup(black=["C3"])
    with pytest.raises(IllegalMoveError, match="no move to undo"):
        position.undo()
    assert position.stone_at("C3") is BLACK


def test_root_is_the_start_of_the_game() -> None:
    position = Position(9, rules="chinese", komi=0.5)
    position.place_handicap(3)
    start = position.copy()
    position.play_many(["E5", "D5"] + ["pass"] * 40)
    assert position.root() == start and state(position.root()) == state(start)
    assert position.move_number == 42
    position.root().play("A1")
    assert position.stone_at("A1") is None


def test_undo_keeps_komi_and_setup() -> None:
    position = Position(9, rules="chinese", komi=7.5)
    position.place_handicap(4)
    position.play("E5")
    position.komi = 0.5
    position.undo()
    assert (position.komi, position.handicap, position.white_bonus) == (0.5, 4, 4)
    assert (float(position.board["komi"]), float(position.board["white_bonus"])) == (0.5, 4)


@pytest.mark.parametrize(("rules", "keys"), [("tromp-taylor", 301), ("chinese", 601)])
def test_very_long_games(rules: str, keys: int) -> None:
    """Under simple ko a pass has a key of its own besides that of the position."""
    position = Position(2, rules=rules)
    position.play_many(["pass"] * 300)
    assert position.is_over
    assert (position.move_number, len(position.superko_keys)) == (300, keys)
    for _ in range(299):
        position.undo()
    assert position == Position.from_moves(["pass"], size=2, rules=rules)


# ---------------------------------------------------------------------------------------------------- setup


def test_setup() -> None:
    position = Position(5)
    position.setup(black=["C3", 0], white=["D3"], to_play="W")
    assert (position.stone_at("C3"), position.stone_at("A5"), position.stone_at("D3")) == (BLACK, BLACK, WHITE)
    assert (position.to_play, position.move_number, position.liberties("D3")) == (WHITE, 0, ["D4", "E3", "D2"])
    position.setup(white=["C3"], empty=["A5"])
    assert (position.stone_at("C3"), position.stone_at("A5"), position.to_play) == (WHITE, None, WHITE)


def test_setup_is_the_first_position_for_superko() -> None:
    position = Position(4, rules="tromp-taylor")
    position.setup(["A1"], ["B1"])
    assert position.superko_keys.tolist() == [int(position.board["stones_hash"])]


SETUP_ERRORS: list[tuple[dict[str, Any], str]] = [
    ({"black": ["A1"], "white": ["a1"]}, "A1 is set up twice"),
    ({"black": ["A2", "B1"], "white": ["A1"]}, "A1 would have no liberty"),
    ({"black": ["A1"], "empty": ["A1"]}, "A1 is set up twice"),
]


@pytest.mark.parametrize(("stones", "words"), SETUP_ERRORS)
def test_wrong_setups_change_nothing(stones: dict[str, Any], words: str) -> None:
    position = Position(5)
    before = state(position)
    with pytest.raises(SetupError, match=words):
        position.setup(**stones)
    assert state(position) == before


def test_setup_only_before_the_first_move() -> None:
    position = Position(5)
    position.play("pass")
    with pytest.raises(SetupError, match="before the first move"):
        position.setup(black=["A1"])
    with pytest.raises(VertexError):
        Position(5).setup(black=["pass"])


def test_clear() -> None:
    position = Position(5, rules="chinese", komi=3)
    position.place_free_handicap(["A1", "B2"])
    position.play_many(["C3", "pass", "pass"])
    position.clear()
    assert state(position) == state(Position(5, rules="chinese", komi=3))


# ---------------------------------------------------------------------------------------------------- asking

WORLD = """
. X O . .
X X O . O
O O X X .
. O X . .
. . X . .
"""


def test_chains() -> None:
    position = Position.from_diagram(WORLD)
    chain = position.chain("B5")
    assert chain.color is BLACK
    assert chain.stones == ("B5", "A4", "B4")
    assert chain.liberties == ("A5",)
    assert chain.points == (1, 5, 6)
    assert position.liberties("e4") == ["E5", "D4", "E3"]
    assert [chain.stones[0] for chain in position.chains()] == ["B5", "C5", "E4", "A3", "C3"]
    assert [chain.stones[0] for chain in position.chains("W")] == ["C5", "E4", "A3"]
    assert position.neighbors("A5") == ["B5", "A4"]
    assert position.neighbors("C3") == ["C4", "B3", "D3", "C2"]
    with pytest.raises(VertexError, match="no stone at D4"):
        position.chain("D4")
    with pytest.raises(VertexError, match="pass"):
        position.stone_at("pass")


@settings(deadline=None, max_examples=30)
@given(**GAMES)
def test_chains_agree_with_the_oracle(seed: int, rows: int, cols: int, ko: str, suicide: bool, length: int) -> None:
    position = random_game(seed, rows, cols, ko, suicide, length)
    oracle = OracleBoard(rows, cols, stones=position.stones.ravel().tolist())
    chains = position.chains()
    assert {frozenset(chain.points) for chain in chains} == set(oracle.chains())
    for chain in chains:
        liberties = oracle.border(frozenset(chain.points), list(oracle.stones), 0)
        assert [position.point(vertex) for vertex in chain.liberties] == sorted(liberties)


def test_captures() -> None:
    position = Position.from_diagram(WORLD)
    assert position.captures("A5", "W") == ["B5", "A4", "B4"]
    assert position.captures("A5", "B") == []
    assert position.captures("B5", "W") == position.captures("pass") == []
    assert position.is_capture("A5", WHITE)
    assert not position.is_capture("A1")


@settings(deadline=None, max_examples=20)
@given(**GAMES)
def test_captures_are_what_play_takes(seed: int, rows: int, cols: int, ko: str, suicide: bool, length: int) -> None:
    position = random_game(seed, rows, cols, ko, suicide, length)
    player = position.to_play
    for move in position.legal_moves():
        before = position.stones
        expected = position.captures(move)
        position.play(move)
        gone = np.flatnonzero((before == player.opponent).ravel() & (position.stones.ravel() == 0))
        assert [position.vertex(int(point)) for point in gone] == expected
        position.undo()


def test_self_atari() -> None:
    position = Position.from_diagram(WORLD)
    assert not position.is_self_atari("A5", "B")  # suicide leaves no chain
    corner = Position.from_diagram(". O . .\n. . . .\n. . . .\n. . . .")
    assert corner.is_self_atari("A4")
    assert not corner.is_self_atari("B3")
    assert not corner.is_self_atari("pass")
    assert corner.move_number == 0
    with pytest.raises(IllegalMoveError):
        corner.is_self_atari("B4")


def test_masks_and_moves_agree() -> None:
    position = Position.from_diagram(WORLD, rules="chinese")
    for color in Color:
        mask = position.legal_mask(color)
        assert mask.dtype == np.bool_
        assert mask.shape == (26,)
        assert position.legal_moves(color) == [
            position.vertex(move) for move in range(26) if position.is_legal(move, color)
        ]
        assert [position.vertex(int(move)) for move in np.flatnonzero(mask)] == position.legal_moves(color)


def test_views_are_safe() -> None:
    position = Position(5)
    position.play("C3")
    position.stones[:] = 0
    position.moves.clear()
    position.superko_keys[:] = 0
    assert position.stone_at("C3") is BLACK
    assert position.move_number == 1
    assert position.superko_keys.all()


# ---------------------------------------------------------------------------------------------------- hash, equality


def test_hash_is_of_stones_and_player() -> None:
    one = Position.from_moves(["A1", "B2", "C3"], size=5)
    other = Position.from_moves(["C3", "B2", "A1"], size=5)
    assert one.hash == other.hash
    other.play("pass")
    assert one.hash != other.hash
    assert Position(5).hash != Position(6).hash
    assert 0 <= one.hash < 2**64


def test_equality() -> None:
    one = Position.from_moves(["A1", "B2", "C3"], size=5, rules="chinese")
    other = Position.from_moves(["C3", "B2", "A1"], size=5, rules="chinese")
    assert one == other
    changes = [
        Position.from_moves(["C3", "B2", "A2"], size=5, rules="chinese"),
        Position.from_moves(["A1", "B2", "C3", "pass"], size=5, rules="chinese"),
        Position.from_moves(["A1", "B2", "C3"], size=5, rules="aga"),
        Position.from_moves(["A1", "B2", "C3"], size=5, rules="chinese", komi=0),
        Position(6, rules="chinese"),
    ]
    assert all(one != change for change in changes)
    assert one != "a position"


def test_equality_under_a_move_limit_looks_at_the_moves_left() -> None:
    lines = [["C3", "D4"], ["C3", "pass", "pass", "D4"]]
    free, limited = "chinese", "chinese, moveLimit=6"
    assert Position.from_moves(lines[0], 5, rules=free) == Position.from_moves(lines[1], 5, rules=free)
    assert Position.from_moves(lines[0], 5, rules=limited) != Position.from_moves(lines[1], 5, rules=limited)


def test_equality_under_superko_looks_at_the_past() -> None:
    one = Position.from_moves(["A1", "B2", "C3"], size=5)
    assert one != Position.from_moves(["C3", "B2", "A1"], size=5)
    assert one == Position.from_moves(["A1", "B2", "C3"], size=5)


def test_positions_are_not_hashable() -> None:
    with pytest.raises(TypeError):
        hash(Position(5))


def test_a_reason_prints_as_its_name() -> None:
    position = Position(5)
    position.play("C3")
    assert str(position.why_illegal("C3")) == "OCCUPIED"


def test_force_plays_what_a_record_says_but_never_on_a_stone() -> None:
    position = Position(4, rules={"ko": "simple", "suicide": False})
    position.setup(black=["A3", "B4"], white=[], to_play="W")
    with pytest.raises(IllegalMoveError, match="suicide"):
        position.play("A4")
    position.play("A4", force=True)
    assert position.stone_at("A4") is None
    assert position.prisoners[Color.BLACK] == 1
    assert position.to_play is Color.BLACK
    with pytest.raises(IllegalMoveError, match="a stone is there already"):
        position.play("A3", force=True)
    with pytest.raises(VertexError):
        position.play("A5", force=True)


@pytest.mark.parametrize("wrong", [None, ("x", "D4"), ("b", "D4", "x"), 5.7, "Z9"])
def test_of_several_moves_with_a_wrong_one_none_is_played(wrong: object) -> None:
    position = Position(9)
    with pytest.raises((Move37Error, TypeError, ValueError)):
        position.play_many(["E5", wrong])  # type: ignore[list-item]  # pyright: ignore[reportArgumentType]
    assert position.move_number == 0


def test_a_move_is_no_fraction_and_rules_are_no_number() -> None:
    with pytest.raises(TypeError):
        Position(9).play(5.7)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    with pytest.raises(RulesError, match="Rules cannot be 5"):
        Position(9, rules=5)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    assert str(Position(9, komi=-0.0).komi) == "0.0"


@pytest.mark.parametrize("size", ["9", None, True, 9.0])
@pytest.mark.parametrize("komi", ["x", None])
def test_a_board_or_komi_that_is_none_is_refused_in_a_sentence(size: Any, komi: Any) -> None:
    with pytest.raises(RulesError, match="is not possible: each side must be 1 to 19"):
        Position(size)
    with pytest.raises(RulesError, match="is not possible: use a whole or half number"):
        Position(9, komi=komi)
    with pytest.raises(RulesError, match="needs both rows and cols"):
        Position(rows=9)


@pytest.mark.parametrize("size", [(9, 13), [9, 13]])
def test_a_size_of_two_numbers_points_to_rows_and_cols(size: Any) -> None:
    with pytest.raises(RulesError, match=r"A size is one number, not .9, 13.: give rows= and cols="):
        Position(size)


@pytest.mark.parametrize(("size", "komi"), [(np.int64(5), np.float32(6.5)), (np.int8(5), np.float64(6.5))])
def test_numpy_numbers_are_numbers(size: Any, komi: Any) -> None:
    assert Position(size=size, komi=komi).komi == 6.5


@pytest.mark.parametrize(("wrong", "error"), [(-1, SetupError), (1.5, TypeError), (None, TypeError), ("2", TypeError)])
def test_a_handicap_that_is_no_number_of_stones(wrong: Any, error: type[Exception]) -> None:
    game = Position(9, rules="chinese")
    with pytest.raises(error):
        game.handicap = wrong
    assert (game.handicap, game.white_bonus) == (0, 0.0)
