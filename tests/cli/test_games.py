from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import get_args

import pytest

from move37.cli import run as cli
from move37.cli.games import Ending
from move37.games import columns
from move37.games.store import GameStore
from move37.rules.result import Reason
from tests.support.stored_games import row, write_rows

GAME = "(;SZ[9]KM[7]RE[B+R]PB[wren]BR[2d]WR[1d];B[ee];W[cc];B[gg];W[cg])"


@pytest.fixture
def records(tmp_path: Path) -> Path:
    folder = tmp_path / "围棋 dir"
    folder.mkdir()
    texts = {
        "a": GAME,
        "b": GAME,
        "c": "(;SZ[9]HA[2]AB[gc][cg]RE[W+2];W[ee];B[dd])",
        "d": "(;SZ[9];B[aa];W[aa])",
        "e": "nothing",
    }
    for name, text in texts.items():
        (folder / f"{name}.sgf").write_text(text, encoding="utf-8")
    return folder


def test_import_says_what_it_stored_and_what_not(
    records: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    out, report = tmp_path / "out.parquet", tmp_path / "report.jsonl"
    assert cli.run(["games", "import", str(records), "--out", str(out), "--report", str(report)]) == 0
    streams = capfd.readouterr()
    assert streams.out == f"{out}: 2 games, 6 moves from 5 files\n"
    for words in ("duplicate", "illegal move", "no game record"):
        assert words in streams.err
    assert [json.loads(line)["kind"] for line in report.read_text(encoding="utf-8").splitlines()] == [
        "duplicate",
        "illegal move",
        "no game record",
    ]
    assert sorted(GameStore.open(out).result.tolist()) == ["B+R", "W+2"]


@pytest.mark.parametrize(
    ("options", "stored"),
    [
        (["--keep-duplicates"], 3),
        (["--even"], 1),
        (["--handicap"], 1),
        (["--has-winner", "--size", "9"], 2),
        (["--size", "13", "--size", "9"], 2),
        (["--result", "points", "--result", "time"], 1),
        (["--min-rank", "1d"], 1),
        (["--min-moves", "3"], 1),
        (["--komi", "7", "--komi", "6.5"], 1),
        (["--keep-legal-part"], 3),
        (["--workers", "2"], 2),
    ],
)
def test_options(records: Path, tmp_path: Path, options: list[str], stored: int) -> None:
    out = tmp_path / "out.parquet"
    assert cli.run(["games", "import", str(records), "--out", str(out), *options]) == 0
    assert len(GameStore.open(out)) == stored


def test_names_and_source(records: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.parquet"
    arguments = ["games", "import", str(records / "a.sgf"), "--out", str(out)]
    assert cli.run(arguments) == 0
    table = columns.arrow().parquet.read_table(out)
    assert (table.column("source").to_pylist(), table.column("black_name").to_pylist()) == (["围棋 dir"], ["wren"])
    assert cli.run([*arguments, "--force", "--drop-names", "--source", "club"]) == 0
    table = columns.arrow().parquet.read_table(out)
    assert table.column("source").to_pylist() == ["club"] and "black_name" not in table.column_names


def test_nothing_to_store_is_code_2_and_one_sentence_more(
    records: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    out, report = tmp_path / "out.parquet", tmp_path / "report.csv"
    arguments = ["games", "import", str(records), "--out", str(out), "--size", "19", "--report", str(report)]
    assert cli.run(arguments) == 2
    streams = capfd.readouterr()
    assert streams.out == "" and not out.exists()
    last = streams.err.splitlines()[-1]
    assert last.startswith("move37: no game was stored out of 4 in 5 files (3 filtered: another board size, ")
    assert last.endswith(f"{report} lists them")
    assert len(report.read_text(encoding="utf-8").splitlines()) == 6


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["import", "x.sgf"], "--out"),
        (["import", "--out", "x.parquet"], "Missing argument"),
        (["import", "nonesuch", "--out", "new.parquet"], "nonesuch: there is no such file or folder"),
        (["import", ".", "--out", "there.parquet"], "there.parquet is there already"),
        (["import", ".", "--out", "new.parquet"], "no game records were found"),
        (["import", ".", "--out", "new.parquet", "--report", "new.parquet"], "cannot be the same file"),
        (["import", ".", "--out", "new.parquet", "--min-rank", "strong"], "'strong' is no rank"),
        (["import", ".", "--out", "new.parquet", "--size", "25"], "--size"),
        (["import", ".", "--out", "new.parquet", "--result", "B+R"], "'--result': 'B+R' is not one of 'points', "),
        (["import", ".", "--out", "new.parquet", "--even", "--handicap"], "no game is both even and a handicap game"),
        (["import", ".", "--out", "new.parquet", "--report", "-"], "-: the report is a file; give it a name"),
        (["info", "nonesuch.parquet"], "no games file nonesuch.parquet"),
        (["info"], "Missing argument"),
    ],
)
def test_a_mistake_is_one_sentence_and_code_2(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    arguments: list[str],
    sentence: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("there.parquet").write_text("precious", encoding="utf-8")
    assert cli.run(["games", *arguments]) == 2
    streams = capfd.readouterr()
    assert streams.out == "" and sentence in streams.err and streams.err.count("\n") == 1
    assert "Value error" not in streams.err and not Path("-").exists()
    assert Path("there.parquet").read_text(encoding="utf-8") == "precious" and not Path("new.parquet").exists()


def test_help_imports_nothing_heavy() -> None:
    probe = (
        "import sys; from move37.cli.run import run; assert run(['games', 'import', '--help']) == 0; "
        "assert not {'numba', 'numpy', 'pyarrow'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", probe], check=True, timeout=60, capture_output=True)


def test_readers_need_no_compiled_code() -> None:
    probe = "import sys, move37.games.record_rows; assert not {'numba', 'numpy', 'pyarrow'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", probe], check=True, timeout=60)


def test_info_as_a_table_and_as_json(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = write_rows(tmp_path / "games.parquet", [row([1, 2, 25]), row([3] * 2, size=9, komi=None, year=None)])
    assert cli.run(["games", "info", str(path)]) == 0
    lines = [" ".join(line.split()) for line in capfd.readouterr().out.splitlines()]
    assert "games 2" in lines and "sizes 5: 1, 9: 1" in lines and "years 2020 to 2020" in lines
    assert cli.run(["games", "info", str(path), str(path), "--json"]) == 0
    facts = json.loads(capfd.readouterr().out)
    assert facts["games"] == 4 and facts["komi"] == {"7": 2, "unknown": 2}


INTERRUPTED = """
import os, signal, sys
from move37.cli.run import run
from move37.games import import_records

read = import_records.read_batch

def interrupted(*arguments):
    os.kill(os.getpid(), signal.SIGINT)
    return read(*arguments)

import_records.read_batch = interrupted
sys.exit(run(["games", "import", sys.argv[1], "--out", sys.argv[2], "--force", "--workers", "1"]))
"""


def test_ctrl_c_ends_an_import_and_leaves_the_old_store(records: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.parquet"
    out.write_text("precious", encoding="utf-8")
    arguments = [sys.executable, "-c", INTERRUPTED, str(records), str(out)]
    ended = subprocess.run(arguments, capture_output=True, timeout=60, check=False)
    assert ended.returncode == 130 and b"Traceback" not in ended.stderr
    assert out.read_text(encoding="utf-8") == "precious"


def test_the_endings_that_may_be_asked_for_are_those_of_results() -> None:
    assert {ending.value for ending in Ending} == set(get_args(Reason))


@pytest.mark.parametrize("name", ["game.sgf", "games.ZIP", "named.txt"])
def test_a_report_is_never_written_over_a_record(tmp_path: Path, name: str, capfd: pytest.CaptureFixture[str]) -> None:
    record = tmp_path / name
    record.write_text("(;SZ[9];B[ee];W[cc])", encoding="utf-8")
    assert cli.run(["games", "import", str(record), "--out", str(tmp_path / "o.parquet"), "--report", str(record)]) == 2
    assert "that is a game record" in capfd.readouterr().err
    assert record.read_text(encoding="utf-8").startswith("(;SZ[9]")


REPORT_LINE = '{"file": "a.sgf", "game": 0, "status": "refused", "kind": "illegal move", "detail": "", "move": 1}\n'


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (REPORT_LINE, "it seems to be the report of an import"),
        ("file,game,status,kind,detail,move,vertex\n", "it seems to be the report of an import"),
        (GAME, "it seems to be a game record); make a store with move37 games import"),
        ("\ufeff \n" + GAME, "it seems to be a game record"),
        ("\\HS\n\\[GAMETAG=\\]\n", "it seems to be a game record"),
        ("PK\x03\x04", "it seems to be an archive"),
        ("", "it is empty"),
        ("PAR1 cut off", "fetch it again"),
    ],
)
def test_info_says_what_a_file_is_that_is_no_store(
    tmp_path: Path, content: str, words: str, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "left.parquet"
    path.write_text(content, encoding="utf-8")
    assert cli.run(["games", "info", str(path)]) == 2
    said = capfd.readouterr().err
    assert said.startswith(f"move37: games file {path} cannot be read as Parquet (") and words in said
    assert said.count("\n") == 1 and ("fetch it again" in said) == content.startswith("PAR1")


def test_handicap_and_other_setup_are_two_lines(records: Path, tmp_path: Path) -> None:
    (records / "f.sgf").write_text("(;SZ[9]AB[aa]AW[ba][bb];B[ee];W[dd])", encoding="utf-8")
    out = tmp_path / "out.parquet"
    assert cli.run(["games", "import", str(records), "--out", str(out)]) == 0
    facts = GameStore.open(out).describe()
    assert (facts["games"], facts["handicap_games"], facts["other_setup_games"]) == (3, 1, 1)
