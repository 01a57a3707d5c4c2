"""Ladders: what they play, that they go on after being killed, and their tables."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from move37 import config as toml
from move37.arena.game import GameResult
from move37.arena.ladder import Ladder, Pairing, climb, load_ladder, standing, table
from move37.arena.match import MatchResult
from move37.errors import ConfigError, Move37Error, PlayerError
from tests.support.shared import ROOT

LADDER = Ladder((Pairing("random,seed=1", "random,seed=2", 4), Pairing("random,seed=3", "random", 2)), size=5)


def lines(log: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("path", sorted((ROOT / "recipes" / "ladders").glob("*.toml")), ids=lambda path: path.name)
def test_the_ladders_of_the_repository_are_valid(path: Path) -> None:
    assert load_ladder(path).pairings


def test_every_game_is_a_line_and_a_killed_ladder_goes_on(tmp_path: Path) -> None:
    log = tmp_path / "围棋.jsonl"
    heard: list[int] = []

    def stop(_: Pairing, result: MatchResult) -> None:
        heard.append(len(result.games))
        if len(heard) == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        climb(LADDER, log, stop)
    first = lines(log)
    with log.open("a", encoding="utf-8") as file:
        file.write('{"ladder": {"a": "rand')  # what a kill in the middle of writing leaves
    climb(LADDER, log)
    found = lines(log)
    assert found[:3] == first
    assert [(line["ladder"]["a"], line["number"]) for line in found] == [
        *(("random,seed=1", number) for number in range(4)),
        *(("random,seed=3", number) for number in range(2)),
    ]
    assert [len(result.games) for _, result in standing(LADDER, log)] == [4, 2]
    climb(LADDER, log)
    assert len(lines(log)) == 6


def test_games_of_other_settings_do_not_count(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    climb(LADDER, log)
    other = replace(LADDER, komi=3.0)
    assert [len(result.games) for _, result in standing(other, log)] == [0, 0]
    climb(other, log)
    assert len(lines(log)) == 12
    fewer = replace(LADDER, pairings=(replace(LADDER.pairings[0], games=2),))
    assert [len(result.games) for _, result in standing(fewer, log)] == [2]


def game(number: int, winner: str | None) -> GameResult:
    return GameResult(number, "A", winner, "B+R", "resign", 0)


def test_the_table_shows_scores_intervals_and_elo() -> None:
    won = MatchResult("a", "b", [game(n, "A" if n < 75 else "B") for n in range(100)])
    all_won = MatchResult("a", "b", [game(n, "A") for n in range(4)], Pairing("a", "b", sprt=0.6).test())
    pairing = Pairing("lee", "policy")
    said = table([(pairing, won), (replace(pairing, name="sure"), all_won), (pairing, MatchResult("a", "b"))])
    first, sure, none = said.splitlines()[2:]
    assert first == "| lee against policy | 75.0 % | 65.7 % to 82.5 % | +191 (+113 to +269) | 100 | – |"
    assert sure.startswith("| sure | 100.0 % |") and "∞" in sure
    assert none == "| lee against policy | | | | 0 | |"


def test_what_cannot_be_played_is_said_at_once(tmp_path: Path) -> None:
    path = tmp_path / "ladder.toml"
    toml.save_toml(Ladder((Pairing("random", "lee,visit=3"),)), path)
    with pytest.raises(PlayerError, match="no option 'visit=3'"):
        load_ladder(path)
    path.write_text("size = 9\npairings = []\n", encoding="utf-8")
    with pytest.raises(ConfigError, match="needs pairings"):
        load_ladder(path)
    for wrong in ({"size": 20}, {"parallel": 0}, {"rules": "klingon"}):
        with pytest.raises(Move37Error):
            replace(LADDER, **wrong)  # pyright: ignore[reportArgumentType]
    with pytest.raises(ConfigError):
        Pairing("random", "random", sprt=0.3)


@pytest.mark.parametrize("text", ["nonsense\n", "[1]\n", '{"ladder": {}}\n'])
def test_a_file_that_is_no_log_is_named(tmp_path: Path, text: str) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError, match="log of a ladder"):
        climb(LADDER, log)
    assert log.read_text(encoding="utf-8") == text
