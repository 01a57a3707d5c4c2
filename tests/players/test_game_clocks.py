"""Games in the terminal on the clock, and the options that name clocks and ranks."""

from __future__ import annotations

import pytest

from move37.cli import run as cli
from move37.cli.match import player_options
from move37.players.game_clocks import GameClocks
from move37.rules.color import Color
from move37.search.clock import Clock, TimeSystem
from tests.cli.test_play import play
from tests.support.players import ScriptedPlayer


def test_each_side_pays_for_its_own_turn() -> None:
    now = 100.0
    clocks = GameClocks(TimeSystem("canadian", main=90.0, period=30.0, stones=5), lambda: now)
    now += 65.0
    assert clocks.end(Color.BLACK) and clocks.words == "Black 0:25, White 1:30"
    now += 30.0
    assert clocks.end(Color.WHITE) and clocks.words == "Black 0:25, White 1:00"
    now += 100.0
    clocks.begin()
    now += 30.0
    assert clocks.end(Color.BLACK) and clocks.words == "Black 0:25 (4 stones), White 1:00"
    now += 90.5
    assert not clocks.end(Color.WHITE)


def test_without_a_system_nothing_runs() -> None:
    clocks = GameClocks(None)
    assert clocks.end(Color.BLACK) and clocks.words == "" and clocks.clock(Color.WHITE) == Clock()


def test_a_person_who_is_too_slow_loses_on_time() -> None:
    shown = play(["c3", "save"], clock=TimeSystem("absolute", main=1e-9))
    assert "Clocks: Black 0:00, White 0:00" in shown
    assert "Black ran out of time: W+T." in shown and "You lose." in shown


def test_the_other_side_is_told_its_clock() -> None:
    system = TimeSystem("byo-yomi", main=600.0, period=30.0, periods=3)
    opponent = ScriptedPlayer(["E5"])
    shown = play(["c3"], opponent, clock=system)
    assert opponent.clocks == [Clock(system, 600.0)]
    assert "Clocks: Black 9:59, White 9:59" in shown or "Clocks: Black 10:00, White 10:00" in shown


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["play", "--clock", "soon"], "'soon' is no time system: write 10m (absolute), 5m+3s or 5m+3s max 10m"),
        (["match", "random", "random", "--clock", "10m+"], "'10m+' is no time system"),
        (["match", "random", "zero", "--rank", "11k"], "there is no rank '11k': choose one from 10k"),
        (["play", "--rank", "5k", "--visits", "9"], "a rank has its own visits and temperature"),
        (["gtp", "--player", "random", "--rank", "5k"], "player 'random' has no option 'rank'"),
        (["gtp", "--lag", "-1"], "'-1' is no thinking time"),
    ],
)
def test_bad_clocks_and_ranks_are_one_sentence(
    words: list[str], sentence: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert cli.run(words) == 2
    error = capfd.readouterr().err
    assert sentence in error and error.count("\n") == 1


def test_the_second_player_may_have_a_rank_beside_the_firsts_visits() -> None:
    shared = {"visits": 100, "rank": None}
    a, b = player_options("zero", "zero", shared, {"rank": "5k", "visits": None})
    assert (a[1]["visits"], b[1]) == (100, {"rank": "5k"})
    a, b = player_options("zero", "zero", {"visits": None, "rank": "1d"}, {"rank": None, "visits": 9})
    assert (a[1]["rank"], b[1]) == ("1d", {"visits": 9})


def test_a_match_with_a_clock_on_the_command_line(capfd: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["match", "random", "random", "--games", "2", "--size", "5", "--clock", "1s+5x10s"]) == 0
    out = capfd.readouterr().out
    assert "in 2 games" in out and "on time" not in out
