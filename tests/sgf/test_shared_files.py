"""The games people have: every sample file and every odd one opens, agrees with its index, and survives a rewrite."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from move37.errors import SgfError
from move37.sgf.files import read_collection, read_sgf, write_sgf
from move37.sgf.game_record import GameRecord
from tests.support.shared import SHARED

GAMES = SHARED / "games"
pytestmark = pytest.mark.skipif(not GAMES.is_dir(), reason="needs the shared games")

SAMPLES = ("pro", "ogs9")

ILLEGAL_IN_SAMPLE = {
    "aeb__Cho_Chikun-1980-10-08.sgf": "Move 213, Black J9, is illegal: it retakes a ko at once",
    "aeb__Mlily-03-T13.sgf": "Move 267, Black A12, is illegal: a stone is there already",
    "aeb__Samsung-11-P04.sgf": "Move 229, Black D11, is illegal: it retakes a ko at once",
    "aeb__Tengen-Title-Ten-1997-3.sgf": "Move 202, White F4, is illegal: it retakes a ko at once",
    "aeb__unusual-illegal_ko_12.sgf": "Move 187, Black T9, is illegal: it retakes a ko at once",
    "aeb__unusual-illegal_ko_16.sgf": "Move 252, White Q18, is illegal: it retakes a ko at once",
    "aeb__unusual-illegal_ko_19.sgf": "Move 193, Black G5, is illegal: it retakes a ko at once",
}
"""Found by sgfmill's board too, which gives the ko point and refuses occupied points."""

FAULTS_IN_ODD = {
    "littlego__illegal-move.sgf": "Move 16, White H6, is illegal: a stone is there already",
    "littlego__illegal-setup.sgf": "Setup before the first move: The chain at A19 would have no liberty",
    "littlego__suicide.sgf": "Move 4, White A19, is illegal: it is suicide",
    "teeny-go__14817581.sgf": "Move 72, White J5, is illegal: it is suicide",
    "teeny-go__236201.sgf": "Move 40, White B1, is illegal: a stone is there already",
}
"""What the index says of legality; test.sgf, which is broken throughout, aside."""

NOT_GO = {"libsgfcplusplus__compressed-point-list.sgf": [1], "libsgfcplusplus__escaping.sgf": [0]}


def index(folder: str) -> list[dict[str, str]]:
    path = GAMES / folder / "index.tsv"
    if not path.is_file():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


ODD = index("sgf-odd")


def assert_same_trees(games: list[GameRecord], again: list[GameRecord]) -> None:
    """Nothing is lost: the same nodes, properties in the same order, values, variations.

    But for CA, which is UTF-8, and for empty values where a point must stand.
    """
    assert len(games) == len(again)
    for game, other in zip(games, again, strict=True):
        for node, twin in zip(game.root.walk(), other.root.walk(), strict=True):
            held = {name: with_points(name, values) for name, values in node.properties.items()}
            kept = dict(twin.properties)
            assert ("CA" in held) <= ("CA" in kept)
            assert [(name, values) for name, values in held.items() if values and name != "CA"] == [
                entry for entry in kept.items() if entry[0] != "CA"
            ]
            assert len(node.variations) == len(twin.variations)
            assert node.values("C") == twin.values("C")


def with_points(name: str, values: list[str]) -> list[str]:
    """The values that are written: `AB[]` says nothing."""
    if name in {"AB", "AW", "AE", "AR", "CR", "LB", "LN", "MA", "SL", "SQ", "TR", "L", "M", "RG", "SC"}:
        return [value for value in values if value.strip()]
    return values


def rewritten(games: list[GameRecord], folder: Path) -> list[GameRecord]:
    write_sgf(games, folder / "again.sgf")
    return read_collection(folder / "again.sgf")


# ------------------------------------------------------------------------------------------------ the sample


@pytest.mark.parametrize("folder", SAMPLES)
def test_sample_files_agree_with_their_index(folder: str) -> None:
    rows = index(f"sgf-sample/{folder}")
    assert rows
    for row in rows:
        game = read_sgf(GAMES / "sgf-sample" / folder / row["file"])
        size = 9 if folder == "ogs9" else int(row["SZ"] or 19)
        assert (game.rows, game.cols, len(game.moves())) == (size, size, int(row["main_line_moves"])), row["file"]
        if folder == "ogs9":
            assert (game.get("RE") or "", game.rules_text) == (row["RE"], row["RU"]), row["file"]
            assert game.komi == (float(row["KM"]) if row["KM"] else None), row["file"]
            assert game.handicap == (int(row["HA"]) if row["HA"] else None), row["file"]


def sample_games() -> Iterator[tuple[str, GameRecord]]:
    for folder in SAMPLES:
        for path in sorted((GAMES / "sgf-sample" / folder).glob("*.sgf")):
            yield path.name, read_sgf(path)


def test_sample_games_are_legal_but_for_seven_and_both_replays_agree() -> None:
    found: dict[str, str] = {}
    for number, (name, game) in enumerate(sample_games()):
        replayed = game.replay()
        if replayed.fault is not None:
            found[name] = replayed.fault
        if replayed.fault is not None or number % 10 == 0:
            end = game.position(rules=replayed_rules(game))
            assert end.move_number == replayed.played
            assert np.array_equal(end.board["stones"], replayed.boards["stones"][0]), name
            assert (end.komi, end.white_bonus) == (replayed.boards["komi"][0], replayed.boards["white_bonus"][0])
    assert found == ILLEGAL_IN_SAMPLE


def replayed_rules(game: GameRecord) -> dict[str, str | bool | int]:
    """The game's rules with simple ko: the fast replay looks at no superko."""
    from move37.rules.ruleset import ruleset

    return (game.rules or ruleset("chinese")).to_dict() | {"ko": "simple"}


@pytest.mark.parametrize("folder", SAMPLES)
def test_sample_files_survive_a_rewrite(folder: str, tmp_path: Path) -> None:
    for path in sorted((GAMES / "sgf-sample" / folder).glob("*.sgf")):
        games = read_collection(path)
        assert_same_trees(games, rewritten(games, tmp_path))


# ------------------------------------------------------------------------------------------------ the odd ones


@pytest.mark.parametrize("row", ODD, ids=[row["file"].removesuffix(".sgf") for row in ODD])
def test_odd_files_open_agree_with_their_index_and_survive_a_rewrite(row: dict[str, str], tmp_path: Path) -> None:
    path = GAMES / "sgf-odd" / row["file"]
    if row["games"] == "0":
        with pytest.raises(SgfError, match="No game tree was found"):
            read_collection(path)
        return
    games = read_collection(path)
    assert_same_trees(games, rewritten(games, tmp_path))
    if row["games"] != "?":
        assert len(games) == int(row["games"])
        assert [moves_in(game) for game in games] == [int(moves) for moves in row["main_line_moves"].split(";")]
        assert [game.rows for game in games] == [int(size.split()[0]) for size in row["size"].split(";")]


def moves_in(game: GameRecord) -> int:
    """The nodes of the main line with a move, whatever its value: some of these files are not of Go."""
    return sum("B" in node.properties or "W" in node.properties for node in game.main_line())


@pytest.mark.parametrize("row", ODD, ids=[row["file"].removesuffix(".sgf") for row in ODD])
def test_odd_games_replay_or_say_why_not(row: dict[str, str]) -> None:
    if row["games"] == "0":
        return
    for number, game in enumerate(read_collection(GAMES / "sgf-odd" / row["file"])):
        if number in NOT_GO.get(row["file"], []) or max(game.rows, game.cols) > 19 or row["games"] == "?":
            replay_or_refuse(game)
            continue
        expected = FAULTS_IN_ODD.get(row["file"])
        before = len(game.warnings)
        moves = game.position().move_number
        said = [warning.message for warning in game.warnings[before:] if "is followed" in warning.message]
        assert said == ([f"{expected}; the game is followed up to there"] if expected else [])
        if not expected:
            assert moves == len(game.moves())


def replay_or_refuse(game: GameRecord) -> None:
    """Games that cannot be replayed say so in one sentence."""
    if game.is_go and max(game.rows, game.cols) <= 19:
        game.position()
        return
    with pytest.raises(SgfError, match="can be read, not replayed"):
        game.position()
