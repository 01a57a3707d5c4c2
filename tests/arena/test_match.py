"""Matches: balance, openings, logs, forfeits, and the interval."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from move37.arena.game import play_game, random_opening
from move37.arena.match import MatchResult, match, wilson_interval
from move37.errors import ConfigError, Move37Error, PlayerError
from move37.gtp.client import GtpPlayer
from move37.players.player import Clock, Decision, TimeSystem
from move37.players.presets import random
from move37.rules.position import Position
from tests.support.players import FailingPlayer, ScriptedPlayer, fake_program


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize(
    ("score", "games", "low", "high"),
    # Values of the formula computed by hand with z = 1.96 (0.2366, 0.7634 is the textbook's 5 of 10).
    [(0.5, 10, 0.2366, 0.7634), (1.0, 100, 0.9630, 1.0), (0.0, 100, 0.0, 0.0370), (0.25, 4, 0.0456, 0.6994)],
)
def test_wilson_interval(score: float, games: int, low: float, high: float) -> None:
    assert wilson_interval(score, games) == pytest.approx((low, high), abs=1e-4)


def test_no_games_say_nothing() -> None:
    assert wilson_interval(0.5, 0) == (0.0, 1.0)
    assert MatchResult("a", "b").score == 0.5


def test_openings_come_from_the_seed_and_are_played_twice_with_colours_swapped(tmp_path: Path) -> None:
    log = tmp_path / "围棋 log.jsonl"
    match(partial(random, 1), partial(random, 2), 6, size=7, seed=4, opening_moves=3, log=log)
    games = lines(log)
    assert [game["number"] for game in games] == list(range(6))
    assert [game["black"] for game in games] == ["A", "B"] * 3
    openings = [" ".join(game["moves"][:3]) for game in games]
    assert openings[0] == openings[1] and openings[2] == openings[3] and openings[4] == openings[5]
    assert len(set(openings)) == 3
    again = tmp_path / "again.jsonl"
    match(partial(random, 1), partial(random, 2), 6, size=7, seed=4, opening_moves=3, log=again)
    assert [game["moves"] for game in lines(again)] == [game["moves"] for game in games]


def test_openings_keep_off_the_edge() -> None:
    position = Position(9)
    random_opening(position, 6, np.random.default_rng(1))
    assert position.move_number == 6
    assert not position.stones[[0, 1, -1, -2]].any() and not position.stones[:, [0, 1, -1, -2]].any()
    tiny = Position(1)
    random_opening(tiny, 3, np.random.default_rng(1))
    assert tiny.move_number == 0


def test_results_are_our_own_count_of_the_last_position() -> None:
    players = {"A": ScriptedPlayer(["C3"]), "B": ScriptedPlayer()}
    game = play_game(players, "A", Position(5, komi=7))
    assert (game.result, game.winner, game.reason) == ("B+18", "A", "score")
    assert game.moves == ["C3", "pass", "pass"]
    drawn = play_game({"A": ScriptedPlayer(), "B": ScriptedPlayer()}, "B", Position(5, komi=0))
    assert (drawn.result, drawn.winner) == ("0", None)
    resigned = play_game({"A": ScriptedPlayer(["resign"]), "B": ScriptedPlayer()}, "B", Position(5))
    assert (resigned.result, resigned.winner, resigned.reason) == ("B+R", "B", "resign")
    resigned = play_game({"A": ScriptedPlayer(["resign"]), "B": ScriptedPlayer()}, "A", Position(5))
    assert (resigned.result, resigned.winner) == ("W+R", "B")


def test_the_move_limit_ends_a_game_by_counting() -> None:
    players = {"A": ScriptedPlayer(["A1", "B1", "C1"]), "B": ScriptedPlayer(["A5", "B5", "C5"])}
    game = play_game(players, "A", Position(5, komi=0.5), max_moves=4)
    assert (game.reason, game.result, len(game.moves)) == ("move limit", "W+0.5", 4)
    players = {"A": ScriptedPlayer(["A1", "B1", "C1"]), "B": ScriptedPlayer(["A5", "B5", "C5"])}
    game = play_game(players, "A", Position(5, komi=0.5, rules="chinese, moveLimit=4"))
    assert (game.reason, game.result, len(game.moves)) == ("move limit", "W+0.5", 4)


def test_a_long_cycle_makes_a_game_void() -> None:
    stones = ". X O .|X . X O|. X O .|. X O .|X O . O|. X O .|. X O .|X . X O|. X O .".replace("|", "\n")
    position = Position.from_diagram(stones, to_play="W", rules="japanese", komi=0)  # three kos
    cycle = [position.vertex(point) for point in (5, 18, 29, 6, 17, 30)]
    players = {"A": ScriptedPlayer(cycle[1::2] * 3), "B": ScriptedPlayer(cycle[::2] * 3)}
    game = play_game(players, "A", position)
    assert (game.result, game.reason, game.winner, game.error) == ("Void", "void", None, "a long cycle: no result")
    assert len(game.moves) == 12


@pytest.mark.parametrize(
    ("error", "said"),
    [(Move37Error("the network is gone"), "the network is gone"), (ValueError("x"), "ValueError('x')")],
)
def test_a_failing_player_forfeits_and_the_match_goes_on(error: Exception, said: str, tmp_path: Path) -> None:
    made: list[FailingPlayer] = []

    def make() -> FailingPlayer:
        made.append(FailingPlayer(error, at=1))
        return made[-1]

    log = tmp_path / "log.jsonl"
    result = match(make, ScriptedPlayer(["C3", "D4", "E5"]), 2, size=5, opening_moves=0, komi=0.5, log=log)
    assert result.losses == 2 and len(result.forfeits) == 2
    assert [game["result"] for game in lines(log)] == ["W+F", "B+F"]
    assert all(game.error == f"failing: {said}" for game in result.games)
    assert len(made) == 2 and all(player.closed for player in made)


def test_a_program_that_refuses_a_legal_move_makes_the_game_void_and_costs_nobody(tmp_path: Path) -> None:
    refuses, log = partial(GtpPlayer, fake_program("refuse=play")), tmp_path / "log.jsonl"
    result = match(refuses, partial(random, 1), 2, size=5, komi=0, opening_moves=0, log=log)
    # As Black the program passes and meets a move it refuses; as White it refuses the first.
    assert [game.reason for game in result.games] == ["void", "void"]
    assert (result.counted, result.wins, result.losses, result.draws, result.score) == (0, 0, 0, 0, 0.5)
    assert "in 0 games and 2 void" in str(result)
    assert all("refused 'play" in error for error in result.to_dict()["void"])
    assert [game["result"] for game in lines(log)] == ["Void", "Void"]


def test_an_illegal_move_forfeits() -> None:
    game = play_game({"A": ScriptedPlayer(["C3"]), "B": ScriptedPlayer(["C3"])}, "A", Position(5))
    assert (game.result, game.reason) == ("B+F", "forfeit")
    assert "Move 2, White C3, is illegal" in game.error


def test_players_of_the_caller_are_not_closed_and_cannot_play_in_parallel() -> None:
    player = ScriptedPlayer()
    match(player, ScriptedPlayer(), 2, size=5)
    assert not player.closed
    with pytest.raises(PlayerError, match="players of their own"):
        match(player, ScriptedPlayer, 2, parallel=2)


def test_parallel_games_are_the_same_games(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    seen: list[int] = []
    result = match(
        ScriptedPlayer,
        ScriptedPlayer,
        8,
        size=5,
        parallel=3,
        log=log,
        on_game=lambda so_far: seen.append(len(so_far.games)),
    )
    assert seen == list(range(1, 9))
    assert sorted(game.number for game in result.games) == list(range(8))
    alone = match(ScriptedPlayer, ScriptedPlayer, 8, size=5)
    assert {game.number: game.moves for game in result.games} == {game.number: game.moves for game in alone.games}


def test_a_failing_listener_ends_the_match_and_keeps_the_log(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"

    def stop(result: MatchResult) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        match(ScriptedPlayer, ScriptedPlayer, 8, size=5, parallel=2, log=log, on_game=stop)
    assert 1 <= len(lines(log)) < 8


def test_the_result_in_words_and_numbers() -> None:
    result = match(ScriptedPlayer(["C3"], "one"), ScriptedPlayer(name="two"), 1, size=5, komi=0.5, opening_moves=0)
    assert str(result) == (
        "one against two: 1 wins, 0 losses, 0 draws in 1 games; score 100.0% (95 % interval 20.7% to 100.0%)"
    )
    facts = result.to_dict()
    assert facts["score"] == 1.0 and facts["as_black"] == 1 and facts["as_white"] == 0 and facts["forfeits"] == []
    assert json.loads(json.dumps(facts)) == facts


@pytest.mark.parametrize("numbers", [{"games": 0}, {"parallel": 0}, {"opening_moves": -1}])
def test_numbers_out_of_range_are_refused(numbers: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match="a match needs"):
        match(ScriptedPlayer, ScriptedPlayer, **numbers)


def test_a_player_without_the_size_and_a_log_that_cannot_be_written_are_told_first(tmp_path: Path) -> None:
    with pytest.raises(PlayerError, match="cannot play on 9x9"):
        match(ScriptedPlayer(sizes=[5]), ScriptedPlayer(), 2)
    with pytest.raises(ConfigError, match="the log cannot be written"):
        match(ScriptedPlayer(), ScriptedPlayer(), 2, log=tmp_path / "missing" / "log.jsonl")


def test_a_match_against_gnu_go(gnugo: str) -> None:
    from move37.gtp.any_player import player

    command = f"gtp:{gnugo} --mode gtp --level 1 --chinese-rules --capture-all-dead --positional-superko"
    result = match(partial(player, command), partial(random, 1), 2, size=5, rules="chinese-ogs", komi=0.5)
    assert result.name_a == "GNU Go"
    assert [game.reason for game in result.games] == ["score", "score"]


def test_players_may_be_named() -> None:
    result = match("random", "random", 2, size=5, parallel=2)
    assert (result.name_a, result.name_b, result.counted) == ("random", "random", 2)


# ---- clocks


def test_a_side_whose_time_is_over_loses_on_time() -> None:
    seconds = 0.0

    class Slow(ScriptedPlayer):
        def choose(self, position: Position, clock: Clock | None = None) -> Decision:
            nonlocal seconds
            seconds += 4.0
            return super().choose(position, clock)

    system = TimeSystem("absolute", main=10.0)
    for black, result, winner in (("A", "B+T", "A"), ("B", "W+T", "A")):
        players = {"A": ScriptedPlayer(["A1", "A2", "A3", "A4"]), "B": Slow(["E1", "E2", "E3", "E4"])}
        game = play_game(players, black, Position(5), time_system=system, now=lambda: seconds)
        assert (game.result, game.reason, game.winner, game.error) == (result, "time", winner, "")
        assert players["B"].clocks == [Clock(system, left) for left in (10.0, 6.0, 2.0)]


def test_a_match_counts_games_lost_on_time_and_lets_players_get_ready(tmp_path: Path) -> None:
    prepared: list[tuple[int, int]] = []

    class Ready(ScriptedPlayer):
        def prepare(self, rows: int, cols: int) -> None:
            prepared.append((rows, cols))

    log = tmp_path / "log.jsonl"
    system = TimeSystem("absolute", main=1e-9)
    found = match(lambda: Ready(name="a"), ScriptedPlayer(name="b"), 2, size=5, time_system=system, log=log)
    assert prepared == [(5, 5)]
    assert [game["result"] for game in lines(log)] == ["W+T", "W+T"]
    assert found.lost_on_time("A") == found.lost_on_time("B") == 1 and found.score == 0.5
    assert found.to_dict()["lost_on_time"] == {"A": 1, "B": 1}
    assert str(found).endswith("; a lost 1 on time; b lost 1 on time")
    assert match(Ready, ScriptedPlayer, 2, size=5).lost_on_time("A") == 0 and len(prepared) == 1
