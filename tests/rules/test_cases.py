"""Rule cases from real games and other programs, through the kernels and through `Position`; snapbacks; known faults.

The faults are kinds that users of other Go software reported: a snapback refused as ko, ko that is wrong after undo,
one superko rule taken for another, the wrong reason for a refusal.
"""

from __future__ import annotations

import pytest

from move37.errors import IllegalMoveError
from move37.rules import board_kernels as kernels
from move37.rules.color import Color
from move37.rules.legality import Illegal
from move37.rules.position import Position
from tests.support.cases import Case, load_cases
from tests.support.diagrams import parse_rows
from tests.support.kernel_game import KernelGame
from tests.support.oracle_board import BLACK, LEGAL, OracleBoard
from tests.support.random_games import Setting

CASES = load_cases("legality.json") + load_cases("superko.json")
KO_NAMES = ("simple", "positional", "situational")


def setting_of(case: Case) -> Setting:
    return Setting(case.rows, case.cols, case.ko, case.question["suicide"], case.stones, case.to_play)


def keeps_its_own_rules(case: Case) -> bool:
    """Whether the moves before the question are themselves legal under the rules of the question."""
    oracle = setting_of(case).oracle()
    for color, move in case.history:
        if not oracle.is_legal(move, color):
            return False
        oracle.play(move, color)
    return True


def position_of(case: Case) -> Position:
    """The position before any move of the case."""
    rules = {"ko": case.question["ko"], "suicide": case.question["suicide"]}
    position = Position(rows=case.rows, cols=case.cols, rules=rules)
    black = [point for point, stone in enumerate(case.stones) if stone == BLACK]
    white = [point for point, stone in enumerate(case.stones) if stone == 3 - BLACK]
    position.setup(black=black, white=white, to_play=Color(case.to_play))
    return position


def test_every_question_is_here() -> None:
    asked = {(case.question["ko"], case.question["suicide"], case.expected) for case in CASES}
    assert {("simple", False, False), ("simple", False, True), ("simple", True, True)} <= asked
    assert {("positional", False, False), ("situational", False, False), ("situational", False, True)} <= asked


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_kernels_answer(case: Case) -> None:
    game = KernelGame(setting_of(case))
    for color, move in case.history:
        game.play(move, color)
    game.write_bans(case.color)
    assert kernels.is_legal(game.board, case.point, case.color) == case.expected
    assert bool(game.legal_mask(case.color)[case.point]) == case.expected


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_position_answers(case: Case) -> None:
    position = position_of(case)
    for color, move in case.history:
        position.play(move, Color(color), force=not keeps_its_own_rules(case))
    color = Color(case.color)
    assert position.is_legal(case.point, color) == case.expected
    assert bool(position.legal_mask(color)[case.point]) == case.expected
    reason = position.why_illegal(position.vertex(case.point), color)
    assert (reason is None) == case.expected
    if case.expected:
        position.play(case.point, color)
    else:
        with pytest.raises(IllegalMoveError):
            position.play(case.point, color)


@pytest.mark.parametrize("case", [case for case in CASES if not keeps_its_own_rules(case)], ids=lambda case: case.id)
def test_position_refuses_a_game_where_it_breaks_superko(case: Case) -> None:
    """One record breaks the rule it is asked about before the question: the refusal comes at that move and says so."""
    position, oracle = position_of(case), setting_of(case).oracle()
    for color, move in case.history:
        if not oracle.is_legal(move, color):
            assert position.why_illegal(move, Color(color)) is Illegal.SUPERKO
            return
        position.play(move, Color(color))
        oracle.play(move, color)
    pytest.fail("the moves of this case are all legal")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_reasons_are_those_of_the_oracle(case: Case) -> None:
    oracle, game = setting_of(case).oracle(), KernelGame(setting_of(case))
    for color, move in case.history:
        oracle.play(move, color)
        game.play(move, color)
    game.write_bans(case.color)
    reason = oracle.why_illegal(case.point, case.color)
    assert kernels.why_illegal(game.board, case.point, case.color) == reason
    assert (reason == LEGAL) == case.expected


# ------------------------------------------------------------------------------------------- snapback


@pytest.mark.parametrize("ko", KO_NAMES)
def test_a_snapback_is_no_ko(ko: str) -> None:
    """Black throws in at E1, White takes one stone with D1, Black takes three: the taking stone was not alone."""
    position = Position(5, rules={"ko": ko, "suicide": False})
    position.setup(black=["C1", "C2", "D3", "E3"], white=["D2", "E2"], to_play="B")
    position.play("E1")
    position.play("D1")
    assert position.prisoners[Color.WHITE] == 1
    assert position.ko_point is None
    assert position.why_illegal("E1") is None
    assert sorted(position.captures("E1")) == ["D1", "D2", "E2"]
    position.play("E1")
    assert position.prisoners[Color.BLACK] == 3
    assert all(position.stone_at(vertex) is None for vertex in ("D1", "D2", "E2"))


@pytest.mark.parametrize("turn", range(4))
@pytest.mark.parametrize("swapped", [False, True])
@pytest.mark.parametrize("flipped", [False, True])
@pytest.mark.parametrize("ko", range(3))
def test_snapback_in_every_corner_and_colour(turn: int, swapped: bool, flipped: bool, ko: int) -> None:
    """The same snapback turned, mirrored and with the colours swapped, on the kernels and on the oracle."""
    size = 5

    def moved(point: int) -> int:
        row, col = divmod(point, size)
        if flipped:
            col = size - 1 - col
        for _ in range(turn):
            row, col = col, size - 1 - row
        return row * size + col

    _, _, stones = parse_rows([".....", ".....", "...XX", "..XOO", "..X.."])
    placed = [0] * (size * size)
    for point, stone in enumerate(stones):
        placed[moved(point)] = 3 - stone if swapped and stone else stone
    thrower = 2 if swapped else 1
    setting = Setting(size, size, ko, False, tuple(placed), thrower)
    oracle, game = OracleBoard(size, size, ko=ko, stones=placed, to_play=thrower), KernelGame(setting)
    for point, color, captured in ((24, thrower, 0), (23, 3 - thrower, 1), (24, thrower, 3)):
        game.write_bans(color)
        assert kernels.why_illegal(game.board, moved(point), color) == LEGAL
        assert oracle.is_legal(moved(point), color)
        assert game.play(moved(point), color) == oracle.play(moved(point), color) == captured
        assert game.board["ko_point"] == -1


def test_one_stone_taken_by_two_is_no_ko() -> None:
    """One stone is taken and one liberty is left, but the taking stone has a friend: White retakes two at once."""
    position = Position(5, rules={"ko": "simple", "suicide": False})
    position.setup(black=["A2", "C1"], white=["A1", "B2", "C2", "D1"], to_play="B")
    position.play("B1")
    assert position.prisoners[Color.BLACK] == 1
    assert position.liberties("B1") == ["A1"]
    assert position.ko_point is None
    position.play("A1")
    assert position.prisoners[Color.WHITE] == 2


# ------------------------------------------------------------------------------------------- known faults


def test_ko_after_undo_and_replay() -> None:
    """On the way back the ko is lifted with the move that made it, and made again with it."""
    position = Position(9, rules={"ko": "simple", "suicide": False})
    position.play("A2")
    position.play("A1")
    position.play("B1")
    assert position.stone_at("A1") is None
    position.undo()
    assert position.stone_at("A1") is Color.WHITE
    assert position.why_illegal("B1") is None
    position.play("B1")
    assert position.why_illegal("A1") is not None
    with pytest.raises(IllegalMoveError):
        position.play("A1")


@pytest.mark.parametrize(("ko", "legal"), [("simple", True), ("situational", True), ("positional", False)])
def test_which_superko(ko: str, legal: bool) -> None:
    """The start comes back after three moves, so with the other side to move."""
    position = Position(4, rules={"ko": ko, "suicide": False})
    position.setup(black=["A4", "C3", "B2", "C2", "C1", "D1"], white=["B4", "C4", "B3", "D3", "A1"], to_play="W")
    position.play("D2")
    position.play("D4")
    assert position.prisoners[Color.BLACK] == 2
    assert position.is_legal("D3") is legal
    assert ("D3" in position.legal_moves()) is legal
    assert bool(position.legal_mask()[position.point("D3")]) is legal
    if not legal:
        before = str(position)
        assert position.why_illegal("D3") is Illegal.SUPERKO
        with pytest.raises(IllegalMoveError):
            position.play("D3")
        assert str(position) == before
        assert not position.is_over


@pytest.mark.parametrize("suicide", [False, True])
def test_suicide_of_one_stone_is_named_so(suicide: bool) -> None:
    position = Position(9, rules={"ko": "simple", "suicide": suicide})
    position.play("A1", color="W")
    position.play("B1", color="B")
    position.play("A2", color="B")
    assert position.stone_at("A1") is None
    assert position.to_play is Color.WHITE
    assert position.why_illegal("A1") is Illegal.SUICIDE


def test_filling_the_last_own_liberty_is_legal_if_it_takes() -> None:
    position = Position(3, rules={"ko": "simple", "suicide": False})
    position.setup(black=["A2", "B2", "B1"], white=["A3", "B3", "C2"], to_play="W")
    assert position.why_illegal("A1") is Illegal.SUICIDE
    position = Position(3, rules={"ko": "simple", "suicide": False})
    position.setup(black=["A2", "B1"], white=["A3", "B2", "C1"], to_play="W")
    assert position.why_illegal("A1") is None
    position.play("A1")
    assert position.prisoners[Color.WHITE] == 2
