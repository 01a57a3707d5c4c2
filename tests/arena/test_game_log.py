"""The log of games: whole lines count, cut ones are taken out, and other files stay as they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from move37.arena.game import GameResult
from move37.arena.game_log import add_game, add_line, games_of, read_lines
from move37.errors import ConfigError

KEY = {"a": "井山"}


def game(number: int, error: str = "") -> GameResult:
    return GameResult(number, "A", "B", "W+R", "resign", 0, ["E5"], error)


def test_games_come_back_as_they_were_written(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    games = [game(0, "a line\u2028within"), game(1), game(7)]
    for one in games:
        add_game(log, ("井山", "b"), one, {"tournament": KEY})
    add_game(log, ("x", "y"), game(2), {"tournament": {"a": "other"}})
    add_game(log, ("x", "y"), game(3))  # of a match
    add_game(log, ("井山", "b"), game(1, "again"), {"tournament": KEY})
    lines = read_lines(log, "tournament")
    assert len(lines) == 6
    assert games_of(lines, "tournament", KEY, 8) == [games[0], game(1, "again"), games[2]]
    assert games_of(lines, "tournament", KEY, 2) == [games[0], game(1, "again")]
    assert games_of(lines, "ladder", KEY, 8) == []


def test_a_line_cut_anywhere_is_taken_out(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    assert read_lines(log, "tournament", mend=True) == [] and not log.exists()
    add_game(log, ("井山", "b"), game(0), {"tournament": KEY})
    whole = log.read_bytes()
    for length in range(1, len(whole)):  # also within a character of several bytes, and before the end of the line
        log.write_bytes(whole + whole[:length])
        assert len(read_lines(log, "tournament")) == 1
    assert log.read_bytes() == whole + whole[:-1]
    assert len(read_lines(log, "tournament", mend=True)) == 1
    assert log.read_bytes() == whole


@pytest.mark.parametrize(
    "text",
    [
        "size = 9",  # no line is whole: it must not be taken for a cut one
        "nonsense\n",
        "[1]\n",
        '{"tournament": {}}\n',
        '{"tournament": {}, "number": "1", "black": "A", "winner": "A", "result": "B+R", "reason": "resign", '
        '"opening_moves": 0, "player_a": "a", "player_b": "b"}\n',
        "\udcff\n",
    ],
)
def test_what_is_no_log_is_named_and_left_alone(tmp_path: Path, text: str) -> None:
    log, data = tmp_path / "log.jsonl", text.encode("utf-8", "surrogateescape")
    log.write_bytes(data)
    with pytest.raises(ConfigError, match=r"log\.jsonl: this is no log of a tournament"):
        read_lines(log, "tournament", mend=True)
    assert log.read_bytes() == data


def test_a_log_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="the log cannot be written"):
        add_line(tmp_path / "missing" / "log.jsonl", "")
