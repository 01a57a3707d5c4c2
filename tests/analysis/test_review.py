"""What a move lost, value by value, for both colours; and the odd records."""

from __future__ import annotations

from typing import Any

import pytest

from move37.analysis.review import ReviewSettings, review
from move37.analysis.review_grades import Grade, Phase
from move37.errors import ConfigError, PlayerError, SgfError
from move37.rules.color import Color
from move37.search.root import Search
from move37.sgf.game_record import GameRecord
from tests.support.review_script import GAME, ScriptedEngine, Seen, scripted_review, without_points
from tests.support.slow_search import HashEvaluator


def near(*numbers: float) -> list[object]:
    return [pytest.approx(number) for number in numbers]


def test_a_loss_is_the_players_own_whatever_the_colour() -> None:
    _, found = scripted_review()
    judged = found.moves[:4]
    assert [move.color.letter + " " + move.vertex for move in judged] == ["B C3", "W C4", "B B4", "W D3"]
    assert [move.points_lost for move in judged] == near(-1.0, 3.5, 1.5, 7.5)
    assert [move.winrate_lost for move in judged] == near(-0.1, 0.15, 0.06, 0.26)
    assert [move.severity for move in judged] == near(-1 / 3, 1.5, 0.6, 2.6)
    assert [move.grade for move in judged] == [Grade.BEST, Grade.MISTAKE, Grade.INACCURACY, Grade.BLUNDER]
    assert [move.rank for move in judged][::3] == [1, 3]


def test_without_points_the_win_rate_judges_alone() -> None:
    _, found = without_points()
    assert not found.knows_points
    assert [move.points_lost for move in found.moves] == [None] * 6
    assert [move.grade for move in found.moves[:4]] == [Grade.BEST, Grade.MISTAKE, Grade.INACCURACY, Grade.BLUNDER]


def test_positions_have_both_views() -> None:
    _, found = scripted_review()
    second = found.assessments[1]
    choice = second.candidates[0]
    assert (second.to_play, second.lead, choice.vertex, choice.visits, choice.lead) == (
        Color.WHITE,
        -1.0,
        "D3",
        8,
        -1.0,
    )
    assert [second.lead_for(color) for color in Color] == [1.0, -1.0]
    assert [second.winrate_for(color) for color in Color] == near(0.6, 0.4)
    assert [second.winrate, choice.winrate] == near(0.4, 0.4)
    assert [one.vertex for one in second.candidates] == ["D3", "B4", "C4"]
    assert [len(one.candidates) for one in scripted_review(best=1)[1].assessments] == [1] * 5


def test_the_players_in_figures() -> None:
    _, found = scripted_review()
    black, white = (found.players[color] for color in Color)
    assert (black.name, black.rank, white.name, white.rank) == ("Ann & <b>Bea</b>", "3k", "Cho", "")
    assert (black.total.moves, black.total.points_lost, black.total.winrate_lost) == (2, *near(0.75, 0.03))
    assert (white.total.moves, white.total.points_lost, white.total.winrate_lost) == (2, *near(5.5, 0.205))
    assert (black.total.first, black.total.first_three, white.total.first, white.total.first_three) == (0.5, 0.5, 0, 1)
    assert white.total.grades == {
        Grade.BEST: 0, Grade.GOOD: 0, Grade.INACCURACY: 0, Grade.MISTAKE: 1, Grade.BLUNDER: 1,
    }  # fmt: skip
    assert [move.number for move in white.worst] == [4, 2]
    assert [move.number for move in found.faults()] == [4, 2, 3]
    assert white.phases[Phase.OPENING].moves == 1
    assert white.phases[Phase.MIDDLE].points_lost == pytest.approx(7.5)
    assert (white.phases[Phase.END].moves, white.phases[Phase.END].points_lost) == (0, None)


def test_passes_that_end_the_game_are_not_judged() -> None:
    _, found = scripted_review()
    assert [seen.number for seen in found.assessments] == [0, 1, 2, 3, 4]
    assert [(move.vertex, move.grade, move.after) for move in found.moves[4:]] == [("pass", None, None)] * 2
    assert found.moves[4].before is not None


def test_a_range_of_moves() -> None:
    _, found = scripted_review(first=2, last=3)
    assert [seen.number for seen in found.assessments] == [1, 2, 3]
    assert [move.grade for move in found.moves] == [None, Grade.MISTAKE, Grade.INACCURACY, None, None, None]
    with pytest.raises(ConfigError, match=r"the game has \d moves, so none from move 99 on"):
        scripted_review(first=99)


def test_the_facts_of_the_record() -> None:
    _, found = scripted_review()
    assert (found.rows, found.cols, found.komi, found.rules, found.handicap, found.result) == (
        5, 5, 1.5, "chinese", 0, "B+R",
    )  # fmt: skip
    assert found.warnings == ()
    assert (found.engine.name, found.engine.network, found.engine.visits) == ("script", "paper", 50)
    _, found = scripted_review(komi=7.5, rules="japanese", visits=3, seconds=2.0)
    assert (found.komi, found.rules, found.engine.visits, found.engine.seconds) == (7.5, "japanese", 3, 2.0)


SAME = {number: Seen(0.5, 0.0) for number in range(9)}


def reviewed(text: str) -> tuple[list[Grade | None], tuple[str, ...]]:
    found = review(GameRecord.from_text(text), ScriptedEngine(SAME))
    return [move.grade for move in found.moves], found.warnings


def test_a_missing_komi_is_told() -> None:
    assert reviewed("(;SZ[5];B[cc])") == (
        [Grade.GOOD],
        ("the record names no komi that is understood: it is reviewed with komi 0",),
    )


def test_a_turn_left_out_is_not_judged() -> None:
    grades, _ = reviewed("(;SZ[5]KM[0];B[cc];B[bb];W[dd])")
    assert grades == [None, Grade.GOOD, Grade.GOOD]


def test_stones_set_up_in_between_are_no_ones_loss() -> None:
    grades, _ = reviewed("(;SZ[5]KM[0];B[cc];W[bb];AW[aa];B[dd];W[db])")
    assert grades == [Grade.GOOD, None, Grade.GOOD, Grade.GOOD]


def test_an_illegal_move_is_followed_and_not_ranked() -> None:
    record = GameRecord.from_text("(;SZ[5]KM[0];B[cc];W[cc];B[dd];W[ee])")
    found = review(record, ScriptedEngine(SAME))
    assert [(move.vertex, move.rank is None, move.grade) for move in found.moves] == [
        ("C3", False, Grade.GOOD), ("C3", True, None), ("D2", False, Grade.GOOD), ("E1", False, Grade.GOOD),
    ]  # fmt: skip
    assert any("is illegal" in warning for warning in found.warnings)


def test_handicap_setup_and_no_moves() -> None:
    record = GameRecord.from_text("(;SZ[9]KM[0.5]HA[2]AB[gc][cg];W[ee])")
    found = review(record, ScriptedEngine(SAME))
    assert (found.handicap, found.moves[0].color, found.assessments[0].to_play) == (2, Color.WHITE, Color.WHITE)
    problem = review(GameRecord.from_text("(;SZ[5]KM[0]AB[aa]AW[bb]PL[W])"), ScriptedEngine(SAME))
    assert (problem.moves, len(problem.assessments), problem.assessments[0].to_play) == ((), 1, Color.WHITE)


def test_what_cannot_be_reviewed_is_one_sentence() -> None:
    with pytest.raises(PlayerError, match="no network for a 5x5 board: name one with --net"):
        review(GameRecord.from_text(GAME), ScriptedEngine(sizes=(9,)))
    with pytest.raises(SgfError, match="positions go up to 19x19"):
        review(GameRecord(25), ScriptedEngine())
    with pytest.raises(SgfError, match="not a game of Go"):
        review(GameRecord.from_text("(;GM[3])"), ScriptedEngine())


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"first": 0}, "not from 0 to the end"),
        ({"first": 5, "last": 4}, "not from 5 to 4"),
        ({"best": 0}, "at least one candidate"),
        ({"at_once": 0}, "at least one position"),
        ({"visits": 0}, "positive limit"),
        ({"seconds": -1.0}, "positive limit"),
    ],
)
def test_settings_that_cannot_be(settings: dict[str, Any], words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        ReviewSettings(**settings)


def test_progress_and_a_real_search() -> None:
    class Engine(ScriptedEngine):
        def new_search(self, rows: int, cols: int, **overrides: object) -> Search:
            return Search(HashEvaluator())

    told: list[tuple[int, int]] = []
    record = GameRecord.from_text(GAME)
    found = review(record, Engine(), ReviewSettings(visits=5), progress=lambda done, total: told.append((done, total)))
    assert told == [(done, 5) for done in range(1, 6)]
    assert [seen.visits for seen in found.assessments] == [5] * 5
    assert repr(found).startswith("<review of 6 moves on 5x5, ")
    again = review(record, Engine(), ReviewSettings(visits=5, at_once=1))
    assert again.assessments == found.assessments
