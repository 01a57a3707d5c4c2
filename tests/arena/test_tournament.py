"""Tournaments: who meets whom, what counts, the table, and that a killed one ends with the same."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from move37 import config as toml
from move37.arena.game import GameResult
from move37.arena.game_records import record_path
from move37.arena.standings import Standings, result_of, standings_in, standings_of
from move37.arena.tournament import play_tournament
from move37.arena.tournament_plan import Pairing, Tournament, load_tournament
from move37.errors import ConfigError, Move37Error, PlayerError
from move37.sgf.files import read_sgf
from tests.support.players import FailingPlayer, ScriptedPlayer, fake_program
from tests.support.shared import ROOT

THREE = {"one": "random", "two": "random,seed=4", "第三": "random"}
SMALL = Tournament(THREE, games=4, size=5, max_moves=30)


def lines(log: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]


def plain(standings: Standings) -> dict[str, Any]:
    return standings.to_dict()


# ---- the plan


@pytest.mark.parametrize("path", sorted((ROOT / "recipes" / "tournaments").glob("*.toml")), ids=lambda path: path.name)
def test_the_tournaments_of_the_repository_are_valid(path: Path) -> None:
    assert load_tournament(path).pairings


def test_everybody_meets_everybody_or_a_few_meet_all_others() -> None:
    names = dict.fromkeys("abcd", "random")
    assert [pairing.title for pairing in Tournament(names).pairings] == [
        *("a against b", "a against c", "a against d", "b against c", "b against d", "c against d")
    ]
    gauntlet = Tournament(names, gauntlet=("c", "a"))
    assert gauntlet.pairings == [Pairing("c", "b"), Pairing("c", "d"), Pairing("a", "b"), Pairing("a", "d")]
    assert Tournament(names, gauntlet=("d",)).pairings == [Pairing("d", name) for name in "abc"]


def test_pairings_take_turns_and_play_each_opening_with_both_colours(tmp_path: Path) -> None:
    order = [(pairing.stem, number) for pairing, number in SMALL.order]
    assert order[:6] == [(pairing.stem, number) for pairing in SMALL.pairings for number in (0, 1)]
    assert len(set(order)) == 12
    log = tmp_path / "log.jsonl"
    play_tournament(SMALL, log)
    played = lines(log)
    assert [line["number"] for line in played] == [0, 1] * 3 + [2, 3] * 3
    assert all(line["black"] == "AB"[line["number"] % 2] for line in played)
    openings = Counter(" ".join(line["moves"][:4]) for line in played)
    assert list(openings.values()) == [6, 6]  # the same two for all pairings


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "the key 'players' is missing"),
        ("[players]\na = 'random'", "needs two players"),
        ("games = 3\n[players]\na = 'random'\nb = 'random'", "games cannot be 3"),
        ("gauntlet = ['c']\n[players]\na = 'random'\nb = 'random'", "there is no player 'c'"),
        ("gauntlet = ['a', 'b']\n[players]\na = 'random'\nb = 'random'", "nobody is left"),
        ("anchor = 'c'\n[players]\na = 'random'\nb = 'random'", "there is no player 'c'"),
        ("clock = 'soon'\n[players]\na = 'random'\nb = 'random'", "soon"),
        ("sprt = 0.4\n[players]\na = 'random'\nb = 'random'", "test's score"),
        ("size = 20\n[players]\na = 'random'\nb = 'random'", "1 to 19 rows"),
        ("rules = 'klingon'\n[players]\na = 'random'\nb = 'random'", "klingon"),
        ("max_moves = 0\n[players]\na = 'random'\nb = 'random'", "at least 1 move"),
        ("oponents = 1\n[players]\na = 'random'\nb = 'random'", "unknown key 'oponents'"),
        ("[players]\na = 'random'\nb = 'lee,visit=3'", "no option 'visit=3'"),
        ("[players]\na = 'random'\nb = 'nobody'", "there is no player 'nobody'"),
        ("[players]\n'a/' = 'random'\n'a?' = 'random'\n'b' = 'random'", "the same names of files"),
        ("players = [", "not valid TOML"),
    ],
)
def test_files_that_cannot_be_played_are_told_in_a_sentence(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "tournament.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(Move37Error, match=said) as caught:
        load_tournament(path)
    assert "\n" not in str(caught.value)


def test_a_tournament_is_written_and_read_as_it_is(tmp_path: Path) -> None:
    path, whole = tmp_path / "t.toml", replace(SMALL, gauntlet=("one",), sprt=0.6, anchor="two", clock="5m+3s")
    toml.save_toml(whole, path)
    assert load_tournament(path) == whole


# ---- playing


def test_a_player_that_cannot_play_is_told_before_the_first_game(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    for text in ("gtp:no-such-program", "zero,net=missing.safetensors", "zero"):  # the last has no network for 5x5
        with pytest.raises(Move37Error):
            play_tournament(replace(SMALL, players={"a": "random", "b": text}), log)
    makers = {"one": partial(ScriptedPlayer, sizes=[9])}
    with pytest.raises(PlayerError, match="cannot play on 5x5"):
        play_tournament(SMALL, log, makers=makers)
    assert lines(log) == []


def test_games_depend_on_the_tournament_and_their_number_alone(tmp_path: Path) -> None:
    alone = play_tournament(SMALL, tmp_path / "1.jsonl")
    beside = play_tournament(replace(SMALL, parallel=3), tmp_path / "2.jsonl")
    assert plain(alone) == plain(beside)
    moves = [
        {(line["player_a"], line["player_b"], line["number"]): line["moves"] for line in lines(tmp_path / name)}
        for name in ("1.jsonl", "2.jsonl")
    ]
    assert moves[0] == moves[1] and len({tuple(game) for game in moves[0].values()}) == 12
    other = play_tournament(replace(SMALL, seed=2), tmp_path / "1.jsonl")  # games of another seed do not count
    assert len(lines(tmp_path / "1.jsonl")) == 24 and other.counted == 12


def test_a_tournament_killed_in_the_middle_ends_with_the_same_table(tmp_path: Path) -> None:
    plan, log = tmp_path / "plan.toml", tmp_path / "log.jsonl"
    toml.save_toml(replace(SMALL, parallel=2), plan)
    code = f"""
import os, signal
from move37.arena.tournament import load_tournament, play_tournament
def kill(standings, pairing, game):
    if standings.counted == 5:
        os.kill(os.getpid(), signal.SIGKILL)
play_tournament(load_tournament({str(plan)!r}), {str(log)!r}, on_game=kill)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=os.environ)
    assert done.returncode == -signal.SIGKILL, done.stderr
    first = log.read_bytes()
    assert first.count(b"\n") == 5 and first.endswith(b"\n")
    log.write_bytes(first + first[:200])  # as if the kill had come while a line was written
    resumed = play_tournament(load_tournament(plan), log, sgf=tmp_path / "sgf")
    assert log.read_bytes().startswith(first) and len(lines(log)) == 12
    assert plain(resumed) == plain(play_tournament(SMALL, tmp_path / "whole.jsonl"))
    assert len(list((tmp_path / "sgf").iterdir())) == 12
    assert plain(standings_in(SMALL, log)) == plain(resumed) == plain(play_tournament(SMALL, log))
    assert len(lines(log)) == 12


def test_every_game_has_a_record(tmp_path: Path) -> None:
    log, folder = tmp_path / "log.jsonl", tmp_path / "records" / "all"
    play_tournament(SMALL, log)
    play_tournament(SMALL, log, sgf=folder)  # those of an earlier run as well
    for line in lines(log):
        pairing = Pairing(line["player_a"], line["player_b"])
        game = GameResult(*(line[name] for name in ("number", "black", "winner", "result", "reason", "opening_moves")))
        record = read_sgf(record_path(folder, pairing, game))
        assert (record.black_name, record.white_name) == (pairing.a, pairing.b)[:: 1 if game.black == "A" else -1]
        assert record.get("RE") == game.result and record.komi == 7.0 and record.event == "tournament"
        position = record.position()
        assert [position.vertex(point) for _, point in position.moves] == line["moves"]
    assert len(list(folder.iterdir())) == 12


def test_a_log_with_a_game_that_cannot_be_replayed_is_told(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    play_tournament(replace(SMALL, games=2), log)
    log.write_text(log.read_text(encoding="utf-8").replace('"moves": ["', '"moves": ["Z9", "'), encoding="utf-8")
    with pytest.raises(ConfigError, match="game 1 cannot be replayed"):
        play_tournament(SMALL, log, sgf=tmp_path / "sgf")


def test_a_program_stays_and_one_that_fails_loses(tmp_path: Path) -> None:
    program = f"gtp:{fake_program()}"
    made: list[FailingPlayer] = []

    def failing() -> FailingPlayer:
        made.append(FailingPlayer(ValueError("x")))
        return made[-1]

    plan = replace(SMALL, players={"program": program, "failing": "random"}, games=4)
    found = play_tournament(plan, tmp_path / "log.jsonl", makers={"failing": failing})
    assert [game.result for game in found.results[0].games] == ["B+F", "W+F"] * 2
    assert found.rows[0].player == "program" and (found.rows[0].wins, found.rows[1].losses) == (4, 4)
    assert found.results[0].to_dict()["forfeits"] == ["failing: ValueError('x')"] * 4
    assert len(made) == 4 and all(player.closed for player in made)


def test_void_games_count_for_nobody(tmp_path: Path) -> None:
    plan = replace(SMALL, players={"refuses": f"gtp:{fake_program('refuse=play')}", "other": "random"}, games=2)
    found = play_tournament(plan, tmp_path / "log.jsonl")
    assert (found.counted, found.is_over, len(found.results[0].void)) == (0, True, 2)
    assert [row.elo.value for row in found.rows] == [0, 0]


def test_clocks_run(tmp_path: Path) -> None:
    found = play_tournament(replace(SMALL, games=2, clock="1ms"), tmp_path / "log.jsonl")
    assert {game.reason for result in found.results for game in result.games} <= {"time", "score", "move limit"}
    assert plain(found)["settings"]["clock"] == "1ms"


def test_a_failing_listener_ends_all_and_keeps_the_log(tmp_path: Path) -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play_tournament(replace(SMALL, parallel=2), tmp_path / "log.jsonl", on_game=stop)
    assert 1 <= len(lines(tmp_path / "log.jsonl")) <= 2


def test_a_tournament_with_gnu_go(gnugo: str, tmp_path: Path) -> None:
    program = f"gtp:{gnugo} --mode gtp --level 1 --chinese-rules --capture-all-dead --positional-superko"
    players = {"GNU Go": program, "a": "random", "b": "random"}
    plan = Tournament(players, games=2, size=5, rules="chinese-ogs", parallel=2, komi=0.5, anchor="GNU Go")
    found = play_tournament(plan, tmp_path / "log.jsonl")
    assert found.is_over and not any(result.forfeits or result.void for result in found.results)
    assert found.rows[0].player == "GNU Go" and found.rows[0].elo.low == found.rows[0].elo.high == 0


# ---- what counts, and the table


def results(pairing: Pairing, winners: str) -> dict[Pairing, dict[int, GameResult]]:
    """Games of a pairing by who won: A, B, "=" for a draw, "v" for a void game."""
    games: dict[int, GameResult] = {}
    for number, winner in enumerate(winners):
        who = winner if winner in "AB" else None
        games[number] = GameResult(number, "AB"[number % 2], who, "", "void" if winner == "v" else "score", 0)
    return {pairing: games}


def test_the_table_adds_up() -> None:
    plan = Tournament({"a": "random", "b": "random", "c": "random"}, games=4, anchor="b", anchor_elo=1000.0)
    ab, ac, bc = plan.pairings
    found = standings_of(plan, results(ab, "AA=A") | results(ac, "AAvA") | results(bc, "AB=="))
    assert [(row.player, row.wins, row.draws, row.losses, row.points) for row in found.rows] == [
        ("a", 6, 1, 0, 6.5),
        *(("c", 1, 2, 4, 2.0), ("b", 1, 3, 4, 2.5))[:: -1 if found.rows[1].player == "b" else 1],
    ]
    assert found.cross_table["a"] == {"b": [3, 1, 0], "c": [3, 0, 0]}
    assert found.cross_table["c"] == {"a": [0, 0, 3], "b": [1, 2, 1]}
    by_name = {row.player: row.elo for row in found.rows}
    assert by_name["b"].value == by_name["b"].low == by_name["b"].high == 1000 and by_name["a"].value > 1300
    assert found.counted == 11 and found.is_over
    facts = plain(found)
    assert json.loads(json.dumps(facts)) == facts
    assert [player["place"] for player in facts["players"]] == [1, 2, 3]
    assert facts["pairings"][0]["as_black"] == 1 and np.shape(facts["covariance"]["elo2"]) == (3, 3)


def test_the_colour_of_the_games_is_told_to_the_ratings() -> None:
    plan = Tournament({"a": "random", "b": "random"}, games=40)
    black_always = standings_of(plan, results(plan.pairings[0], "AB" * 20))  # Black is A, B, A, ...
    assert black_always.ratings.advantage.low > 0
    assert black_always.rows[0].elo.value == pytest.approx(0, abs=1e-6)


def test_a_test_takes_games_in_order_and_ends_the_pairing(tmp_path: Path) -> None:
    plan = Tournament({"a": "random", "b": "random"}, games=40, sprt=0.6)
    [pairing] = plan.pairings
    games = results(pairing, "A" * 17 + "B" * 23)[pairing]
    assert len(result_of(plan, pairing, games).games) == 17  # as in test_sprt: 17 wins decide
    assert result_of(plan, pairing, games).verdict == "stronger"
    late = {number: game for number, game in games.items() if number != 3}  # another thread plays it still
    assert [game.number for game in result_of(plan, pairing, late).games] == [0, 1, 2]
    resigns = {"a": lambda: ScriptedPlayer(["resign"] * 60), "b": lambda: ScriptedPlayer()}
    for parallel in (1, 2):
        log = tmp_path / f"{parallel}.jsonl"
        played = play_tournament(replace(plan, size=5, parallel=parallel), log, makers=resigns)
        assert played.results[0].verdict == "not stronger" and len(played.results[0].games) == 14 and played.is_over
        assert len(lines(log)) == 14 or parallel == 2  # what the other thread played meanwhile does not count


@pytest.mark.parametrize(("score", "wrong"), [(0.5, "stronger"), (0.62, "not stronger")])
def test_a_pairings_test_is_wrong_in_a_twentieth_of_tournaments_at_most(score: float, wrong: str) -> None:
    rng = np.random.default_rng(7)
    plan = Tournament({"a": "random", "b": "random"}, games=400, sprt=0.62)
    [pairing] = plan.pairings
    found: list[tuple[str | None, int]] = []
    for _ in range(300):  # one game in ten is drawn, and Black wins a little more often
        black = 0.05 * (1 - 2 * (np.arange(400) % 2))
        draws = rng.random(400) < 0.1
        wins = rng.random(400) < (score - 0.05) / 0.9 + black
        winners = "".join("=" if drawn else "A" if won else "B" for drawn, won in zip(draws, wins, strict=True))
        result = result_of(plan, pairing, results(pairing, winners)[pairing])
        found.append((result.verdict, len(result.games)))
    mistakes = sum(verdict == wrong for verdict, _ in found) / 300
    assert mistakes < 0.075  # 0.05, and two deviations and more
    assert mistakes > 0.01  # nor does it play far longer than it must
    assert np.mean([games for _, games in found]) < 150
