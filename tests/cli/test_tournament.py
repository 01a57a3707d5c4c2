"""`move37 tournament`: tables on stdout, files where they are wanted, and one sentence for what a person gets wrong."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from move37 import config as toml
from move37.arena.game import GameResult
from move37.arena.standings import standings_of
from move37.arena.tournament_plan import Tournament
from move37.cli.run import run
from move37.cli.tournament import report
from tests.support.players import fake_program

PLAN = Tournament({"one": "random", "t|wo": "random"}, games=2, size=3, max_moves=12, name="tiny")


def test_a_tournament_prints_its_tables_and_writes_its_files(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plan, log, facts, folder = (tmp_path / name for name in ("plan.toml", "log.jsonl", "围棋.json", "sgf"))
    toml.save_toml(PLAN, plan)
    words = ["tournament", str(plan), "--log", str(log)]
    assert run([*words, "--table"]) == 0
    assert "0 games, not all played yet." in capsys.readouterr().out and not log.exists()
    assert run([*words, "--json", str(facts)]) == 0
    first = capsys.readouterr()
    assert "| t\\|wo |" in first.out and first.out.endswith("2 games.\n")
    assert json.loads(facts.read_text(encoding="utf-8"))["is_over"] is True
    before = log.read_bytes()
    assert run([*words, "--table", "--sgf", str(folder)]) == run(words) == 0
    assert capsys.readouterr().out == first.out * 2 and log.read_bytes() == before
    assert len(list(folder.iterdir())) == 2


def test_a_terminal_shows_a_live_table(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = tmp_path / "plan.toml"
    toml.save_toml(replace(PLAN, players={"one": "random", "gone": f"gtp:{fake_program('die=genmove')}"}), plan)
    words = ["tournament", str(plan), "--log"]
    assert run([*words, str(tmp_path / "1.jsonl")]) == 0
    failed = capsys.readouterr().err.splitlines()
    assert [line[:37] for line in failed] == [
        f"move37: one against gone, game {n}: " + c for n, c in ((1, "B+F"), (2, "W+F"))
    ]
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert run([*words, str(tmp_path / "2.jsonl")]) == 0
    shown = capsys.readouterr().err
    assert "1 of at most 2 games; one against gone, game 1: B+F" in shown and "2 of at most 2 games" in shown


def test_the_report_in_full() -> None:
    plan = Tournament({"a": "random", "b": "random", "c": "random"}, games=4, gauntlet=("a",), sprt=0.9, anchor="c")
    won = {number: GameResult(number, "AB"[number % 2], "A", "B+R", "resign", 0) for number in range(4)}
    lost = {0: GameResult(0, "A", "B", "W+F", "forfeit", 0, error="a: gone\nfor good")}
    lost[1] = GameResult(1, "B", None, "Void", "void", 0, error="program refused")
    lost[2] = GameResult(2, "A", None, "0", "score", 0)
    said = report(standings_of(plan, dict(zip(plan.pairings, (won, lost), strict=True))))
    assert [line.split(" | ")[1] for line in said.splitlines()[2:5]] == ["c", "a", "b"]
    assert "| 1 | c | +0 | +0 to +0 | 75.0 % | 2 | 1 | 1 | 0 |" in said
    assert "| 2 | a |  | 0–1–1 |" not in said and "| 2 | a | 0–1–1 |  | 4–0–0 |" in said
    assert "| a against b | 100.0 % | 4 | – |" in said and "| a against c | 25.0 % | 2 | – |" in said
    assert "Elo: c has 0. Black's advantage: " in said and "6 games, not all played yet." in said
    assert "Lost by failing: 1, such as: a: gone for good" in said
    assert said.endswith("Void, not counted: 1, such as: program refused")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("games = 3", "games cannot be 3"),
        ("palyers = 3", "unknown key 'palyers'; did you mean 'players'?"),
        ("", "no log of a tournament"),
    ],
)
def test_what_is_wrong_is_told_in_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], change: str, said: str
) -> None:
    plan = tmp_path / "plan.toml"
    plan.write_text(f"{change}\n[players]\na = 'random'\nb = 'random'\n", encoding="utf-8")
    before = plan.read_bytes()
    assert run(["tournament", str(plan), "--log", str(plan)]) == 2
    error = capsys.readouterr().err
    assert said in error and error.count("\n") == 1 and plan.read_bytes() == before


def test_files_that_cannot_be_written_are_told_before_the_first_game(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plan, log = tmp_path / "plan.toml", tmp_path / "log.jsonl"
    toml.save_toml(PLAN, plan)
    words = ["tournament", str(plan), "--log", str(log)]
    assert run([*words, "--json", str(tmp_path)]) == run([*words, "--sgf", str(plan)]) == 2
    assert run(["tournament", str(plan), "--log", str(tmp_path)]) == 2
    assert capsys.readouterr().err.count("\n") == 3 and not log.exists()
    assert run(["tournament", str(tmp_path / "missing.toml"), "--log", str(log)]) == 2
