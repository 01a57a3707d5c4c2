"""Positions of records: setup anywhere, handicaps, illegal moves, and the fast twin of it all."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from move37.errors import SgfError
from move37.rules.color import Color
from move37.rules.position import Position
from move37.sgf import lines
from move37.sgf.game_record import GameRecord
from move37.sgf.grammar import Node
from move37.sgf.opening import opening_to
from move37.sgf.replay import IllegalPolicy


def record(text: str) -> GameRecord:
    return GameRecord.from_text(text)


def messages(game: GameRecord) -> list[str]:
    return [warning.message for warning in game.warnings]


def stones(position: Position) -> dict[str, str]:
    """The stones of a position as vertex: letter."""
    grid = position.stones.ravel()
    return {position.vertex(point): " BW"[grid[point]] for point in np.flatnonzero(grid).tolist()}


# ------------------------------------------------------------------------------------------------ positions


def test_a_game_gives_the_position_before_each_move_and_at_the_end() -> None:
    game = record("(;SZ[9]KM[6.5]RU[NZ];B[ee];W[];B[tt];W[gc])")
    positions = list(game.positions())
    assert [position.move_number for position in positions] == [0, 1, 2, 3, 4]
    assert positions[-1].moves == [(Color.BLACK, 40), (Color.WHITE, 81), (Color.BLACK, 81), (Color.WHITE, 24)]
    assert (positions[-1].rules.name, positions[-1].komi) == ("new-zealand", 6.5)
    assert positions[2] == game.position(2) and positions[4] == game.position() and positions[3].passes == 2
    positions[1].play("A1")
    assert positions[2] == game.position(2), "positions are independent"


def test_the_positions_of_a_variation_lead_to_its_node() -> None:
    game = record("(;SZ[9];B[ee](;W[aa];B[bb])(;W[cc];B[dd]))")
    node = game.root.variations[0].variations[1]
    assert [point for _, point in game.position(node).moves] == [40, 20]
    assert len(list(game.positions(node))) == 3
    assert game.position(game.root).move_number == 0


def test_rules_and_komi_are_the_records_or_those_named_or_documented_ones() -> None:
    game = record("(;SZ[9]RU[Uchikomi])")
    assert (game.position().rules.name, game.position().komi) == ("chinese", 0)
    assert game.position(rules="tromp-taylor", komi=7.5).komi == 7.5
    assert game.position(rules="tromp-taylor").rules.name == "tromp-taylor"


def test_a_move_that_the_record_does_not_reach_is_an_error() -> None:
    game = record("(;SZ[9];B[ee];W[ee];B[aa])")
    assert game.position(1).move_number == 1
    with pytest.raises(SgfError, match="There is no move 2: the record can be followed for 1 move\\."):
        game.position(2)


def test_other_games_and_boards_beyond_19_have_no_positions() -> None:
    with pytest.raises(SgfError, match=r"not a game of Go but GM\[2\]"):
        record("(;GM[2]SZ[8])").position()
    with pytest.raises(SgfError, match="A 25x25 board can be read, not replayed: positions go up to 19x19"):
        record("(;SZ[25];B[aa])").positions()
    with pytest.raises(SgfError, match="9x20 board"):
        record("(;SZ[20:9];B[aa])").replay()
    wide = record("(;SZ[13:9];B[mi])").position()
    assert (wide.rows, wide.cols, stones(wide)) == (9, 13, {"N1": "B"})


def test_a_policy_that_does_not_exist_is_a_mistake_of_the_program() -> None:
    wrong: Any = "ignore"
    with pytest.raises(ValueError, match="illegal is 'stop', 'keep' or 'refuse'"):
        record("(;SZ[9])").position(illegal=wrong)


# ------------------------------------------------------------------------------------------------ setup


def test_rectangles_are_set_up() -> None:
    position = record("(;GM[1]FF[4]SZ[9]AB[dd:ef]AW[aa:ab][ha])").position()
    assert sorted(stones(position).values()) == ["B"] * 6 + ["W"] * 3


def test_setup_in_the_middle_edits_the_board_and_begins_a_new_history() -> None:
    game = record("(;GM[1]FF[4]SZ[9];B[ee];W[ef];AE[ee];B[dd])")
    position = game.position()
    assert stones(position) == {"E4": "W", "D6": "B"}
    assert position.move_number == 3 and position.moves == [(Color.BLACK, 30)] and messages(game) == []
    assert [after.move_number for after in game.positions()] == [0, 1, 2, 3]
    assert stones(game.position(2)) == {"E4": "W"}, "the position from which move 3 is played"


def test_setup_recolours_stones() -> None:
    assert stones(record("(;SZ[9]AB[aa][bb];AW[aa])").position()) == {"A9": "W", "B8": "B"}
    assert stones(record("(;SZ[9];B[ee];AW[ee])").position()) == {"E5": "W"}
    assert stones(record("(;SZ[9]AB[aa][bb];AE[aa])").position()) == {"B8": "B"}


def test_setup_comes_before_the_move_of_its_node_with_a_warning() -> None:
    game = record("(;SZ[9];B[ee]AW[aa])")
    assert stones(game.position()) == {"E5": "B", "A9": "W"}
    assert messages(game) == ["before the first move: setup and a move in one node; the setup was done first"]


def test_a_move_in_the_root_is_move_1() -> None:
    game = record("(;SZ[9]B[ee];W[cc])")
    assert [len(position.moves) for position in game.positions()] == [0, 1, 2] and messages(game) == []


def test_two_moves_in_one_node_are_both_played_with_a_warning() -> None:
    game = record("(;SZ[9];B[ee]W[cc];B[dd])")
    assert game.position().move_number == 3
    assert messages(game) == ["before the first move: two moves in one node; both were played in their order"]


def test_of_two_values_of_a_move_the_second_is_not_played_with_a_warning() -> None:
    game = record("(;SZ[9];B[ee][cc];W[gg];B[aa])")
    assert stones(game.position()) == {"E5": "B", "G3": "W", "A9": "B"}
    assert messages(game) == ["before the first move: B[ee][cc] names two moves; the second is not played"]
    assert game.line().points == [40, 60, 0]
    twice = record("(;SZ[9];B[ee]C[x]\n;W[gg]W[aa])")
    assert twice.position().move_number == 2
    assert [str(warning) for warning in twice.warnings] == [
        "line 2: W stands twice in a node; its values were joined",
        "line 2: after move 1: W[gg][aa] names two moves; the second is not played",
    ]


@pytest.mark.parametrize(
    ("moves", "agrees"),
    [
        (";B[ee];PL[W];W[cc];B[gg]", True),
        (";B[ee];PL[white]C[x];W[cc];PL[B];B[gg]", True),
        (";B[ee];W[cc]PL[W];B[gg]", True),
        (";B[ee];W[cc]PL[B];B[gg]PL[W]", True),
        (";B[ee]PL[W];W[cc];B[gg];PL[W]", True),
        (";B[ee];PL[];W[cc];AB[];B[gg]", True),
        (";B[ee];PL[B];W[cc];B[gg]", False),
        (";B[ee];PL[W]AE[aa];W[cc];B[gg]", False),
    ],
)
def test_a_pl_between_moves_that_says_what_holds_is_nothing(moves: str, agrees: bool) -> None:
    game = record(f"(;SZ[9]{moves})")
    line = game.line()
    assert line.fault == (None if agrees else "There is setup in the middle of the game, after move 1")
    assert len(line.points) == (3 if agrees else 1)
    assert (line.first_player, game.position(0).to_play) == (Color.BLACK, Color.BLACK)
    end = game.position()
    assert end.move_number == 3 and messages(game) == []
    if agrees:
        assert [point for _, point in end.moves] == [40, 20, 60] and game.replay().played == 3
        assert np.array_equal(game.replay().boards["stones"][0], end.board["stones"])


def test_empty_setup_is_nothing() -> None:
    game = record("(;GM[1]SZ[9]AB[]HA[0];B[ee]SQ[])")
    assert stones(game.position()) == {"E5": "B"} and messages(game) == []


def test_pl_tells_who_is_to_play() -> None:
    assert record("(;SZ[9]PL[W])").position().to_play is Color.WHITE
    assert record("(;SZ[9]AB[aa]PL[white];C[x])").position().to_play is Color.WHITE
    late = record("(;SZ[9];B[aa];PL[B])").position()
    assert late.to_play is Color.BLACK and late.move_number == 1
    assert record("(;SZ[9];B[aa];PL[W])").position().moves, "nothing changes, so the history stays"


def test_without_pl_the_first_move_tells_who_is_to_play_before_it() -> None:
    assert record("(;SZ[9]AB[aa];W[bb])").position(0).to_play is Color.WHITE
    assert record("(;SZ[9];W[bb])").position(0).to_play is Color.WHITE
    assert record("(;SZ[9];C[x])").position().to_play is Color.BLACK


def test_moves_out_of_turn_are_played_as_named() -> None:
    game = record("(;SZ[9];B[aa];B[bb];W[cc])")
    assert [color for color, _ in game.position().moves] == [Color.BLACK, Color.BLACK, Color.WHITE]
    assert messages(game) == []


def test_stones_that_are_set_up_contradictorily_are_warned_of() -> None:
    game = record("(;SZ[9]AB[aa]AW[aa][zz])")
    assert stones(game.position()) == {"A9": "W"}
    assert messages(game) == [
        "before the first move: AW[zz] names no point of the board and is left out",
        "before the first move: 'aa' is set up twice with different contents; AW counts",
    ]


BREATHLESS = "(;SZ[9];B[ee];AB[aa]AW[ab][ba];W[cc])"


def test_setup_that_cannot_stand_stops_or_is_left_out_or_refused() -> None:
    game = record(BREATHLESS)
    assert game.position().move_number == 1
    fault = "Setup after move 1: The chain at A9 would have no liberty"
    assert messages(game) == [f"{fault}; the game is followed up to there"]
    assert stones(record(BREATHLESS).position(illegal="keep")) == {"E5": "B", "C7": "W"}
    with pytest.raises(SgfError, match=f"line 1: {fault}"):
        record(BREATHLESS).position(illegal="refuse")


# ------------------------------------------------------------------------------------------------ handicap


@pytest.mark.parametrize(
    ("text", "handicap", "to_play"),
    [
        ("(;SZ[9]HA[2]AB[cc][gg];W[ee])", 2, "W"),
        ("(;SZ[9]HA[2];AB[cc][gg];W[ee])", 2, "W"),
        ("(;SZ[9]AB[cc][gg]HA[2]PL[W])", 2, "W"),
        ("(;SZ[9]AB[cc][gg];W[ee])", 2, "W"),
        ("(;SZ[9]AB[cc][gg]PL[W])", 2, "W"),
        ("(;SZ[9]AB[cc][gg];B[ee])", 0, "B"),
        ("(;SZ[9]AB[cc][gg])", 0, "B"),
        ("(;SZ[9]HA[0]AB[cc][gg];W[ee])", 0, "W"),
        ("(;SZ[9]HA[2]AB[cc][gg]AW[ee];W[ef])", 0, "W"),
        ("(;SZ[9]HA[1]AB[cc];W[ee])", 0, "W"),
        ("(;SZ[9]HA[3]AB[cc][gg];W[ee])", 2, "W"),
        ("(;SZ[9]HA[2];W[ee])", 0, "W"),
        ("(;SZ[9]HA[2];B[cc];B[gg];W[ee])", 2, "B"),
        ("(;SZ[9];B[cc];B[gg];W[ee])", 0, "B"),
        ("(;SZ[9]HA[3];B[cc];B[gg];W[ee])", 0, "B"),
    ],
)
def test_what_is_a_handicap(text: str, handicap: int, to_play: str) -> None:
    game = record(text)
    start, end = game.position(0, rules="chinese"), game.position(rules="chinese")
    assert (start.handicap, start.white_bonus, start.to_play.letter) == (handicap, handicap, to_play)
    assert (end.handicap, end.white_bonus) == (handicap, handicap)
    line = game.line()
    assert (line.handicap, line.first_player.letter) == (handicap, to_play)
    assert game.replay(rules="chinese").boards["white_bonus"][0] == handicap


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(;SZ[9]HA[3]AB[cc][gg])", "HA[3] differs from the 2 handicap stones set up; the stones count"),
        ("(;SZ[9]HA[2];W[cc])", "HA[2] names handicap stones; the record sets none up and none are placed"),
        ("(;SZ[9]HA[2]AB[cc][gg]AW[ee])", "HA[2] names handicap stones; those set up are no handicap"),
    ],
)
def test_a_handicap_that_does_not_fit_is_warned_of(text: str, message: str) -> None:
    game = record(text)
    game.position()
    assert messages(game) == [message]


# ------------------------------------------------------------------------------------------------ illegal moves

OCCUPIED = "(;SZ[9];B[ee];W[ef];B[ef];W[aa])"
SUICIDE = "(;SZ[9];B[ab];W[];B[ba];W[aa];B[ee])"
KO = "(;SZ[9]AB[ba][ab][bc]AW[ca][db][cc][bb];B[cb];W[bb];B[ee])"
UNREADABLE = "(;SZ[9];B[ee];W[zz];B[aa])"


@pytest.mark.parametrize(
    ("text", "moves", "fault"),
    [
        (OCCUPIED, 2, "Move 3, Black E4, is illegal: a stone is there already"),
        (SUICIDE, 3, "Move 4, White A9, is illegal: it is suicide"),
        (KO, 1, "Move 2, White B8, is illegal: it retakes a ko at once"),
        (UNREADABLE, 1, "Move 2, White W[zz], names no point of the board"),
    ],
)
def test_illegal_moves_stop_or_refuse(text: str, moves: int, fault: str) -> None:
    game = record(text)
    assert game.position().move_number == moves
    assert len(list(game.positions())) == moves + 1
    assert messages(game) == [f"{fault}; the game is followed up to there"]
    assert (game.replay().played, game.replay().fault) == (moves, fault)
    with pytest.raises(SgfError, match=re.escape(f"line 1: {fault}; correct the record or stop before it.")):
        game.position(illegal="refuse")


@pytest.mark.parametrize(
    ("text", "moves", "expected"),
    [
        (OCCUPIED, 4, {"E5": "B", "E4": "B", "A9": "W"}),
        (SUICIDE, 5, {"A8": "B", "B9": "B", "E5": "B"}),
        (UNREADABLE, 2, {"E5": "B", "A9": "B"}),
    ],
)
def test_illegal_moves_are_kept(text: str, moves: int, expected: dict[str, str]) -> None:
    game = record(text)
    policy: IllegalPolicy = "keep"
    position = game.position(illegal=policy)
    assert (position.move_number, stones(position)) == (moves, expected)
    assert len(list(game.positions(illegal=policy))) == moves + 1
    assert len(messages(game)) == 1 and "it is followed all the same" in messages(game)[0]


def test_a_ko_that_is_retaken_is_kept() -> None:
    kept = stones(record(KO).position(illegal="keep"))
    assert kept["B8"] == "W" and "C8" not in kept and kept["E5"] == "B"


def test_superko_binds_where_the_rules_of_the_record_say_so() -> None:
    # B05: after White takes back two for one, the first position is there again.
    moves = "AB[aa][cb][bc][cc][cd][dd]AW[ba][ca][bb][db][ad];W[dc];B[da];W[db]"
    assert record(f"(;SZ[4]RU[Chinese]{moves})").position().move_number == 3
    game = record(f"(;SZ[4]RU[Tromp-Taylor]{moves})")
    assert game.position().move_number == 2
    assert messages(game) == [
        "Move 3, White D3, is illegal: it repeats an earlier position (superko); the game is followed up to there"
    ]
    assert record(f"(;SZ[4]RU[Tromp-Taylor]{moves})").position(illegal="keep").move_number == 3


# ------------------------------------------------------------------------------------------------ values, length


def test_a_move_that_names_no_point_is_told_when_it_is_read() -> None:
    game = record("(;SZ[9]\n;B[ee]\n;W[zz](;B[cc];W[a])\n(;B[gg]\n;W[jj];B[aa]))")
    told = [
        "line 3: Move 2, White W[zz], names no point of the board",
        "line 3: Move 4, White W[a], names no point of the board",
        "line 5: Move 4, White W[jj], names no point of the board",
    ]
    assert [str(warning) for warning in game.warnings] == told
    assert game.position().move_number == 1
    assert sorted(map(str, game.warnings)) == [f"{told[0]}; the game is followed up to there", *told[1:]]


def test_of_many_moves_without_a_point_the_first_are_told() -> None:
    game = record("(;SZ[9]" + "\n;B[zz]" * 5000 + ")")
    assert len(game.warnings) == 11
    assert str(game.warnings[-1]) == "line 12: 4,990 more moves without a point of the board, the first one here"
    assert record("(;GM[2]SZ[9];B[zz])").warnings[0].message.startswith("GM[2]")
    assert len(record("(;GM[2]SZ[9];B[zz])").warnings) == 1


def test_a_fault_at_every_move_is_not_told_without_end() -> None:
    game = record("(;SZ[9]" + "\n;B[]W[]" * 3000 + ")")
    assert game.position().move_number == 6000
    assert len(game.warnings) == 101
    assert game.warnings[-1].message == "further faults of this line are not listed"
    kept = record("(;SZ[9];B[ee]" + "\n;W[ee]" * 150 + ")")
    kept.position(illegal="keep")
    assert len(kept.warnings) == 101


def test_deep_branches_of_one_colour_are_followed_in_time_that_grows_with_them(monkeypatch: pytest.MonkeyPatch) -> None:
    steps = Counter[int]()

    def counted(tree: Node, rows: int, cols: int) -> list[tuple[Color, int]]:
        steps[id(tree)] += 1
        return moves_of(tree, rows, cols)

    moves_of = lines.moves_of
    game = record("(;SZ[9]" + "(;B[ee]" * 2000 + ")" * 2001)
    monkeypatch.setattr(lines, "moves_of", counted)
    opening = opening_to(game.end.tree, 9, 9)
    assert (opening.first, opening.black_moves, len(steps), max(steps.values())) == (Color.BLACK, 2000, 2001, 1)
    assert game.position().move_number == 1 and max(steps.values()) <= 3
    assert game.end.to_play is Color.WHITE and max(steps.values()) <= 3


# ------------------------------------------------------------------------------------------------ the fast twin


def test_the_main_line_as_numbers() -> None:
    line = record("(;SZ[9]AB[aa];AW[bb]AB[cc];AE[aa]PL[W];W[ee];B[];W[ii])").line()
    assert (line.black, line.white, line.first_player) == ([20], [10], Color.WHITE)
    assert (line.colors, line.points, line.fault) == ([2, 1, 2], [40, 81, 80], None)
    late = record("(;SZ[9];B[aa];W[bb];AE[aa];B[cc])").line()
    assert (late.points, late.fault) == ([0, 10], "There is setup in the middle of the game, after move 2")
    assert record("(;SZ[9]C[nothing])").line().points == []


def test_a_fast_replay_starts_from_stones_that_can_stand() -> None:
    replayed = record("(;SZ[9]AB[aa]AW[ab][ba];B[ee])").replay()
    assert (replayed.played, replayed.fault) == (0, "The stones set up leave a chain without liberty")


def test_a_fast_replay_is_shown_in_a_line() -> None:
    assert repr(record("(;SZ[9];B[ee])").replay()) == "<Replayed 9x9, 1 move>"
    assert repr(record("(;SZ[13:9];B[ee];W[ee])").replay()) == (
        "<Replayed 9x13, 1 move, then: Move 2, White E5, is illegal: a stone is there already>"
    )


def test_a_fast_replay_ends_where_positions_end(tmp_path: Path) -> None:
    game = record("(;SZ[9]RU[NZ]KM[7]HA[2]AB[cc][gg];W[ee];B[ef];W[df];B[eg];W[ff])")
    end, replayed = game.position(), game.replay()
    assert np.array_equal(replayed.boards["stones"][0], end.board["stones"])
    for name in ("komi", "white_bonus", "to_play", "ko_point", "move_number", "stones_hash", "ko_rule"):
        assert replayed.boards[name][0] == end.board[name], name
