"""`move37 review` as a person runs it: many files unattended, faults in a sentence each, resumed where it stopped."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from sgfmill import sgf

import move37.cli.review as command
from move37.cli import run as cli
from move37.errors import ConfigError
from move37.search.evaluator import Evaluations
from move37.search.root import Search
from tests.support.review_script import GAME, ScriptedEngine
from tests.support.shared import SHARED
from tests.support.slow_search import HashEvaluator

SHORT = "(;SZ[9]KM[7]RE[B+R];B[ee];W[cc];B[gg])"


@pytest.fixture
def games(tmp_path: Path) -> Path:
    folder = tmp_path / "棋 谱"
    folder.mkdir()
    texts = {"a": GAME, "b": "nothing", "c": "(;SZ[25])", "d": SHORT}
    for name, text in texts.items():
        (folder / f"{name}.sgf").write_text(text, encoding="utf-8")
    return folder


class Hashing(ScriptedEngine):
    """Made-up answers for any position; interrupted or broken at a board of some size."""

    def __init__(self, at: int = 0, error: BaseException | None = None) -> None:
        super().__init__()
        self.at, self.error = at, error

    def new_search(self, rows: int, cols: int, **overrides: Any) -> Search:
        error = self.error if rows == self.at else None

        class Failing(HashEvaluator):
            def evaluate(self, boards: NDArray[np.void]) -> Evaluations:
                if error is not None:
                    raise error
                return super().evaluate(boards)

        return Search(Failing())


def reviewed_by(monkeypatch: pytest.MonkeyPatch, engine: ScriptedEngine) -> None:
    def made(spec: str | None, options: dict[str, Any]) -> ScriptedEngine:
        return engine

    monkeypatch.setattr(command, "reviewer", made)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_faults_are_told_and_the_rest_goes_on(
    games: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    reviewed_by(monkeypatch, Hashing())
    out = tmp_path / "out"
    arguments = ["review", str(games), str(tmp_path / "none.sgf"), "--visits", "2", "--out", str(out)]
    assert cli.run(arguments) == 1
    streams = capfd.readouterr()
    lines = streams.out.splitlines()
    assert [line.partition(": ")[0] for line in lines] == [str(games / "a.sgf"), str(games / "d.sgf")]
    assert lines[1].startswith(f"{games / 'd.sgf'}: 3 moves; Black ")
    assert lines[1].endswith(f" lost a move; {out / 'd.review.html'}")
    assert streams.err.splitlines() == [
        f"move37: {tmp_path / 'none.sgf'}: there is no such file or folder",
        f"move37: {games / 'b.sgf'}: No game tree was found: SGF begins with '(;'.",
        f"move37: {games / 'c.sgf'}: A 25x25 board can be read, not replayed: positions go up to 19x19.",
        "move37: 2 games reviewed, 3 failed",
    ]
    assert names(out) == [f"{name}.review.{ending}" for name in "ad" for ending in ("html", "json", "sgf")]
    sgf.Sgf_game.from_bytes((out / "d.review.sgf").read_bytes())

    before = {path: path.stat().st_mtime_ns for path in out.iterdir()}
    assert cli.run(arguments) == 1
    streams = capfd.readouterr()
    assert streams.out == ""
    assert streams.err.splitlines()[-1] == (
        "move37: 0 games reviewed, 2 left as reviewed before (--force reviews them anew), 3 failed"
    )
    assert {path: path.stat().st_mtime_ns for path in out.iterdir()} == before


def test_a_name_that_would_steer_the_terminal_is_shown_escaped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    reviewed_by(monkeypatch, Hashing())
    (tmp_path / "red\x1b[31m.sgf").write_text(SHORT, encoding="utf-8")
    assert cli.run(["review", str(tmp_path), "--visits", "2", "--html", "--out", str(tmp_path / "out")]) == 0
    streams = capfd.readouterr()
    assert "\x1b" not in streams.out + streams.err
    assert streams.out.endswith("red\\x1b[31m.review.html\n")


def test_an_interruption_keeps_what_is_finished(
    games: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    arguments = ["review", str(games / "a.sgf"), str(games / "d.sgf"), "--visits", "2", "--json", "--out", str(out)]
    reviewed_by(monkeypatch, Hashing(9, KeyboardInterrupt()))
    assert cli.run(arguments) == 130
    assert names(out) == ["a.review.json"]
    reviewed_by(monkeypatch, Hashing())
    assert cli.run(arguments) == 0
    assert names(out) == ["a.review.json", "d.review.json"]
    assert "1 game reviewed, 1 left as reviewed before" in capfd.readouterr().err


def test_a_search_that_fails_is_one_games_fault(
    games: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    reviewed_by(monkeypatch, Hashing(5, ConfigError("the network is broken")))
    arguments = ["review", str(games / "a.sgf"), str(games / "d.sgf"), "--visits", "2", "--out", str(tmp_path / "out")]
    assert cli.run(arguments) == 1
    assert f"move37: {games / 'a.sgf'}: the network is broken\n" in capfd.readouterr().err
    assert (tmp_path / "out" / "d.review.html").exists()


def test_a_folder_that_cannot_be_written(
    games: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    reviewed_by(monkeypatch, Hashing())
    out = tmp_path / "out"
    (out / "d.review.html").mkdir(parents=True)
    assert cli.run(["review", str(games / "d.sgf"), "--visits", "1", "--force", "--out", str(out)]) == 1
    assert f"move37: {out / 'd.review.html'}: Is a directory" in capfd.readouterr().err


def test_a_terminal_sees_a_bar_with_the_time_left(
    games: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "120")
    reviewed_by(monkeypatch, Hashing())
    assert cli.run(["review", str(games / "d.sgf"), "--visits", "1", "--out", str(tmp_path / "out")]) == 0
    streams = capfd.readouterr()
    assert "1 of 1: d.sgf" in streams.err
    assert "left" in streams.err
    assert streams.out.startswith(f"{games / 'd.sgf'}: 3 moves")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["none.sgf"], "none.sgf: there is no such file or folder"),
        (["{games}", "--moves", "x"], "'x' are no moves: write 1-50, 51- or 37"),
        (["{games}", "--moves", "9-3"], "'9-3' are no moves"),
        (["{games}", "--moves", "-"], "'-' are no moves"),
        (["{games}", "--threshold", "5,5"], "'5,5' is no threshold"),
        (["{games}", "--rules", "calvinball"], "calvinball"),
        (["{games}", "--komi", "6.2"], "Komi 6.2 is not possible"),
        (["{games}", "--time", "soon"], "'soon' is no thinking time"),
        (["{games}", "--player", "random"], "player 'random' does not search"),
        (["{games}", "--player", "nobody"], "there is no player 'nobody'"),
        (["{games}", "--net", "none.bin.gz"], "none.bin.gz: expected a network file"),
        (["{games}", "--out", "{games}/a.sgf"], "the reports go into a folder"),
        (["{games}", "--visits", "0"], "--visits"),
    ],
)
def test_mistakes_are_one_sentence(
    arguments: list[str], words: str, games: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert cli.run(["review", *(word.format(games=games) for word in arguments)]) == 2
    streams = capfd.readouterr()
    assert streams.out == ""
    assert words in streams.err
    assert "Traceback" not in streams.err
    assert len(streams.err.strip().splitlines()) == 1


@pytest.mark.parametrize(
    ("text", "moves"), [(None, (1, None)), ("1-50", (1, 50)), ("51-", (51, None)), ("-50", (1, 50)), (" 37 ", (37, 37))]
)
def test_ranges_of_moves(text: str | None, moves: tuple[int, int | None]) -> None:
    assert command.moves_range(text) == moves


def test_the_bundled_network_reviews_and_knows_its_board(
    games: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """The small twin of the review of `sgf-sample`: no network but the bundled one, whatever this machine has."""
    monkeypatch.setenv("MOVE37_NETS", str(tmp_path / "no-nets"))
    monkeypatch.setenv("HOME", str(tmp_path))
    out = tmp_path / "out"
    options = ["--player", "zero", "--visits", "3", "--best", "2", "--threshold", "5%", "--moves", "1-2"]
    assert cli.run(["review", str(games / "a.sgf"), str(games / "d.sgf"), *options, "--out", str(out)]) == 1
    streams = capfd.readouterr()
    assert "a.sgf: player 'zero' has no network for a 5x5 board: name one with --net" in streams.err
    found = json.loads((out / "d.review.json").read_text(encoding="utf-8"))
    assert (found["engine"]["name"], found["engine"]["network"]) == ("zero", "zero-9x9-6x64")
    assert found["thresholds"] == {"points": 3.0, "winrate": 0.05}
    assert [one["number"] for one in found["positions"]] == [0, 1, 2]
    assert max(len(one["candidates"]) for one in found["positions"]) <= 2
    assert found["positions"][0]["black_lead"] is None
    assert [move["grade"] is None for move in found["moves"]] == [False, False, True]


def raw(node: Any, name: str) -> str:
    """A property as sgfmill, which has no types, keeps it."""
    return str(node.get_raw(name), "utf-8")


NETS = SHARED / "katago" / "nets"
SAMPLE = SHARED / "games" / "sgf-sample" / "pro"


@pytest.mark.skipif(not (NETS.is_dir() and SAMPLE.is_dir()), reason="needs the shared games and networks")
def test_twenty_files_of_the_sample_are_read_back(tmp_path: Path) -> None:
    files = sorted(SAMPLE.glob("*.sgf"))[:20]
    (net,) = NETS.glob("g170-b6c96*.bin.gz")
    out = tmp_path / "out"
    options = ["--net", str(net), "--visits", "1", "--moves", "40-42", "--out", str(out)]
    assert cli.run(["review", *map(str, files), *options]) == 0
    assert len(names(out)) == 60
    for file in files:
        game = sgf.Sgf_game.from_bytes((out / f"{file.stem}.review.sgf").read_bytes())
        node = game.get_main_sequence()[41]
        assert 0 <= float(raw(node, "SBKV")) <= 100
        assert "win rate is" in node.get("C")
