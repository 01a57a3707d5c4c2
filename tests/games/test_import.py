from __future__ import annotations

import csv
import io
import json
import math
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from move37.errors import ConfigError, GamesFileError
from move37.games import columns
from move37.games.import_checks import Wanted
from move37.games.import_records import ImportOptions, ImportReport, import_records
from move37.games.ranks import UNKNOWN_RANK
from move37.games.record_rows import Finding
from move37.games.store import GameStore
from tests.support.shared import ROOT, SHARED

RECORDS = ROOT / "tests" / "data" / "records"
GAME = "(;GM[1]SZ[9]KM[5.5]RE[B+3.5]PB[wren]PW[hazel]BR[3d]WR[2d]DT[2020-01-02];B[ee];W[ec];B[cf];W[ff])"
OTHER = "(;SZ[9]KM[7]RE[W+R]BR[2k]WR[1d];B[cc];W[gg];B[gc];W[cg];B[ee];W[])"


def write(folder: Path, **texts: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        (folder / f"{name}.sgf").write_text(text, encoding="utf-8")
    return folder


def run(
    paths: list[Path], out: Path, wanted: Wanted | None = None, **more: object
) -> tuple[ImportReport, GameStore | None]:
    options = ImportOptions(wanted or Wanted(), workers=1, **more)  # type: ignore[arg-type]
    report = import_records(paths, out, options)
    assert out.exists() == (report.stored > 0)
    return report, GameStore.open(out) if out.exists() else None


def one(tmp_path: Path, text: str, **more: object) -> tuple[list[Finding], GameStore | None]:
    report, store = run([write(tmp_path / "in", game=text)], tmp_path / "out.parquet", **more)  # type: ignore[arg-type]
    return report.findings, store


def texts(path: Path, name: str) -> list[str | None]:
    found: list[str | None] = columns.arrow().parquet.read_table(path).column(name).to_pylist()
    return found


def test_a_game_becomes_a_row(tmp_path: Path) -> None:
    findings, store = one(tmp_path, GAME)
    assert findings == [] and store is not None and len(store) == 1
    assert (store.size[0], store.komi[0], store.handicap[0]) == (9, 5.5, 0)
    assert (store.result[0], store.winner[0], store.first_player[0], store.year[0]) == ("B+3.5", 1, 1, 2020)
    assert (store.black_rank[0], store.white_rank[0]) == (3, 2)
    assert store.moves[0].tolist() == [40, 22, 47, 50]
    out = tmp_path / "out.parquet"
    assert texts(out, "source") == ["in"]
    assert texts(out, "black_name") == ["wren"] and texts(out, "white_name") == ["hazel"]


def test_names_are_dropped_and_the_source_named_on_wish(tmp_path: Path) -> None:
    one(tmp_path, GAME, names=False, source="围棋 club")
    table = columns.arrow().parquet.read_table(tmp_path / "out.parquet")
    assert table.column("source").to_pylist() == ["围棋 club"]
    assert not {"black_name", "white_name"} & set(table.column_names)


def test_what_a_record_does_not_say_is_unknown(tmp_path: Path) -> None:
    _, store = one(tmp_path, "(;SZ[9];B[ee];W[])")
    assert store is not None and math.isnan(store.komi[0])
    assert (store.result[0], store.winner[0], store.year[0], store.black_rank[0]) == ("?", 0, 0, UNKNOWN_RANK)
    assert store.moves[0].tolist() == [40, 81]
    assert texts(tmp_path / "out.parquet", "black_name") == [None]


def test_records_of_all_formats_are_read_by_content(tmp_path: Path) -> None:
    folder = write(tmp_path / "in", a=GAME)
    for path in RECORDS.iterdir():
        (folder / f"{path.stem}.sgf").write_bytes(path.read_bytes())
    report, store = run([folder], tmp_path / "out.parquet", duplicates=True)
    assert store is not None and report.stored == 7
    assert sorted(store.result.tolist()) == ["B+11", "B+3.5", "B+R", "B+R", "W+2.5", "W+3.5", "W+R"]
    assert store.handicap.tolist().count(0) == 5 and store.white_rank.max() == 18


@pytest.mark.parametrize(
    ("text", "black", "first", "moves", "handicap"),
    [
        ("(;SZ[9]HA[2]AB[gc][cg];W[ee];B[cc])", [24, 56], -1, [40, 20], 2),
        ("(;SZ[9]AB[gc][cg];W[ee])", [24, 56], -1, [40], 2),
        ("(;SZ[9];AB[aa:ba]PL[W];W[ee])", [0, 1], -1, [40], 2),
        ("(;SZ[9]HA[2];B[gc];B[cg];W[ee];B[cc])", [24, 56], -1, [40, 20], 2),
        ("(;SZ[9]HA[0]AB[gc];W[ee])", [24], -1, [40], 0),
        ("(;SZ[9]AB[gc][cg]AE[cg];B[ee])", [24], 1, [40], 0),
        ("(;SZ[9]HA[2];B[ee];W[cc])", [], 1, [40, 20], 0),
        ("(;SZ[9];W[ee];B[cc])", [], -1, [40, 20], 0),
    ],
)
def test_setup_and_handicap(
    tmp_path: Path, text: str, black: list[int], first: int, moves: list[int], handicap: int
) -> None:
    _, store = one(tmp_path, text)
    assert store is not None
    assert sorted(store.setup_black[0].tolist()) == black and store.first_player[0] == first
    assert store.moves[0].tolist() == moves and store.handicap[0] == handicap


@pytest.mark.parametrize(
    ("text", "kind", "detail"),
    [
        ("", "no game record", "empty"),
        ("<html>not here</html>", "no game record", "web page"),
        ("(;GM[2];B[aa])", "not a game of Go", "GM[2]"),
        ("(;SZ[9:13];B[aa])", "board size", "9 columns and 13 rows"),
        ("(;SZ[21];B[aa])", "board size", "21x21"),
        ("(;SZ[big];B[aa])", "board size", "SZ[big]"),
        ("(;SZ[9])", "no moves", "no moves"),
        ("(;SZ[9];B[aa];W[bb];AB[cc];B[dd])", "setup between moves", "before move 3"),
        ("(;SZ[9];B[aa];B[bb];W[cc])", "colours do not alternate", "move 2 is Black's"),
        ("(;SZ[9];B[aa];W[bb];W[cc])", "colours do not alternate", "move 3 is White's"),
        ("(;SZ[9]HA[3];B[aa];B[bb];W[cc])", "colours do not alternate", "move 2 is Black's"),
        ("(;SZ[9]HA[2];B[aa];B[aa];W[cc])", "colours do not alternate", "move 2 is Black's"),
        ("(;SZ[9]HA[2];W[aa];B[bb])", "handicap stones missing", "HA[2]"),
        ("(;SZ[9];B[aa];W[zz])", "move off the board", "move 2, W[zz]"),
        ("(;SZ[9];B[aa];W[aa])", "illegal move", "move 2, White at A9, is illegal: a stone is there already"),
        ("(;SZ[9]AB[ab][ba];W[aa])", "illegal move", "move 1, White at A9, is illegal: it is suicide"),
        ("(;SZ[9]AB[aa]AW[ab][ba];B[cc])", "illegal setup", "a chain set up at the start has no liberty"),
    ],
)
def test_what_a_store_has_no_room_for_is_refused(tmp_path: Path, text: str, kind: str, detail: str) -> None:
    findings, store = one(tmp_path, text)
    assert store is None and len(findings) == 1
    assert (findings[0].status, findings[0].kind) == ("refused", kind)
    assert detail in findings[0].detail and findings[0].file.endswith("game.sgf")


@pytest.mark.parametrize(
    "moves", [";B[aa];PL[W];W[bb];B[cc]", ";B[aa];W[bb]PL[W];B[cc]PL[B]", ";B[aa];AB[];W[bb];B[cc]"]
)
def test_a_pl_that_says_what_holds_refuses_no_game(tmp_path: Path, moves: str) -> None:
    findings, store = one(tmp_path, f"(;SZ[9]{moves})")
    assert findings == [] and store is not None and store.moves[0].tolist() == [0, 10, 20]


def test_a_move_off_the_board_behind_such_a_pl_is_named_as_what_it_is(tmp_path: Path) -> None:
    findings, _ = one(tmp_path, "(;SZ[9];B[aa];PL[W];W[zz])")
    assert [(finding.kind, finding.move) for finding in findings] == [("move off the board", 2)]
    findings, _ = one(tmp_path / "b", "(;SZ[9];B[aa];PL[B];B[bb])")
    assert [(finding.kind, finding.detail) for finding in findings] == [
        ("setup between moves", "the board is edited before move 2")
    ]


@pytest.mark.parametrize(("told", "komi"), [("3.75", 7.5), ("375", 7.5), ("6.75", 6.5), ("0.99", 0.5)])
def test_komi_is_a_half_point(tmp_path: Path, told: str, komi: float) -> None:
    _, store = one(tmp_path, f"(;SZ[9]KM[{told}];B[ee];W[])")
    assert store is not None and store.komi[0] == komi


def test_one_move_is_a_move(tmp_path: Path) -> None:
    report, _ = run([write(tmp_path / "in", game="(;SZ[9];B[ee])")], tmp_path / "out", Wanted(min_moves=2))
    assert [finding.detail for finding in report.findings] == ["it has 1 move"]


def test_a_refused_move_is_named(tmp_path: Path) -> None:
    [finding], _ = one(tmp_path, "(;SZ[9];B[ba];W[ca];B[ab];W[bb];B[gg];W[aa];B[ba])")
    assert (finding.move, finding.vertex, finding.game) == (7, "B9", 0)
    assert finding.detail == "move 7, Black at B9, is illegal: it retakes a ko at once"


@pytest.mark.parametrize(
    ("text", "kept"),
    [("(;SZ[9];B[aa];W[bb];B[aa];W[cc])", [0, 10]), ("(;SZ[9];B[aa];W[bb];B[zz];W[cc])", [0, 10])],
)
def test_a_game_may_be_cut_before_an_illegal_move(tmp_path: Path, text: str, kept: list[int]) -> None:
    [finding], store = one(tmp_path, text, keep_legal_part=True)
    assert store is not None and store.moves[0].tolist() == kept
    assert (finding.status, finding.kind, finding.move) == ("mended", "cut before a move", 3)


GIB = "\\HS\n\\HE\n\\GS\n2 1 0\nINI 0 1 0 &4\nSTO 0 2 1 15 3\nSTO 0 3 2 3 3\n{}\nSTO 0 5 2 9 9\n\\GE\n"
NGF = "Game\n19\nhazel 7D\nwren 2K\nsite\n0\n0\n6\n20170316\n30\n\n4\nPMABBQEEQ\nPMACWEEEE\n{}\nPMAEWKKKK\n"


@pytest.mark.parametrize(
    "text",
    [
        GIB.format("STO 0 4 1 19 3"),
        GIB.format("STO 0 4 1"),
        GIB.format("STO 0 4 1 3 3"),
        NGF.format("PMADBZZZZ"),
        NGF.format("PMAD"),
        NGF.format("PMADBEEEE"),
    ],
)
def test_a_bad_move_of_other_formats_meets_the_same_end(tmp_path: Path, text: str) -> None:
    findings, store = one(tmp_path, text)
    assert store is None and [(found.status, found.move) for found in findings] == [("refused", 3)]
    findings, store = one(tmp_path, text, keep_legal_part=True)
    assert store is not None and store.moves[0].tolist() == [72, 60]
    assert ("mended", "cut before a move", 3) in [(found.status, found.kind, found.move) for found in findings]


@pytest.mark.parametrize("text", ["(;SZ[9]AB[ab][ba];W[aa];B[cc])", "(;SZ[9];B[zz];W[cc])"])
def test_a_game_without_a_legal_part_is_refused(tmp_path: Path, text: str) -> None:
    [finding], store = one(tmp_path, text, keep_legal_part=True)
    assert store is None and finding.status == "refused"


def test_the_other_games_of_a_file_go_on(tmp_path: Path) -> None:
    bad = "(;SZ[9];B[aa];W[aa])"
    findings, store = one(tmp_path, f"{GAME}{bad}{OTHER}(;GM[5];X[1])")
    assert store is not None and store.result.tolist() == ["B+3.5", "W+R"]
    assert [(found.game, found.kind) for found in findings] == [(1, "illegal move"), (3, "not a game of Go")]


def test_a_mended_record_is_stored_and_told(tmp_path: Path) -> None:
    findings, store = one(tmp_path, GAME.removesuffix(")"))
    assert store is not None and len(store) == 1
    assert [(found.status, found.kind) for found in findings] == [("mended", "faulty record")]


def test_setup_behind_the_last_move_harms_nothing(tmp_path: Path) -> None:
    findings, store = one(tmp_path, "(;SZ[9];B[aa];W[bb];AE[aa]TB[cc])")
    assert findings == [] and store is not None


def test_two_moves_in_a_node_and_the_first_variation_are_the_game(tmp_path: Path) -> None:
    _, store = one(tmp_path, "(;SZ[9](;B[aa]W[bb](;B[cc])(;B[dd];W[ee]))(;B[ff];W[gg];B[hh];W[ii]))")
    assert store is not None and store.moves[0].tolist() == [0, 10, 20]


def test_a_line_of_100000_nodes_is_freed(tmp_path: Path) -> None:
    text = "(;SZ[9]" + ";B[];W[]" * 50_000 + ")"
    _, store = one(tmp_path, text)
    assert store is not None and len(store.moves[0]) == 100_000


# ------------------------------------------------------------------------------------------------------ filters


@pytest.mark.parametrize(
    ("wanted", "kind"),
    [
        (Wanted(size=(13, 19)), "another board size"),
        (Wanted(min_moves=5), "too few moves"),
        (Wanted(min_rank="3d"), "rank too low or unknown"),
        (Wanted(komi=(6.5, 7.5)), "another komi"),
        (Wanted(handicap=True), "even game"),
        (Wanted(results=("resignation", "time")), "another result"),
    ],
)
def test_a_filtered_game_is_told(tmp_path: Path, wanted: Wanted, kind: str) -> None:
    report, _ = run([write(tmp_path / "in", game=GAME)], tmp_path / "out.parquet", wanted)
    assert [(found.status, found.kind) for found in report.findings] == [("filtered", kind)]


@pytest.mark.parametrize(
    ("wanted", "kept"),
    [
        (Wanted(), 4),
        (Wanted(size=(9,)), 4),
        (Wanted(size=(9, 19)), 4),
        (Wanted(min_moves=6), 1),
        (Wanted(min_rank="2k"), 2),
        (Wanted(min_rank="2d"), 1),
        (Wanted(komi=(5.5, 7)), 2),
        (Wanted(even=True), 3),
        (Wanted(handicap=True), 1),
        (Wanted(has_winner=True), 2),
        (Wanted(results=("points",)), 1),
        (Wanted(results=("resignation", "unknown")), 3),
        (Wanted(even=True, has_winner=True, results=("resignation",)), 1),
    ],
)
def test_filters(tmp_path: Path, wanted: Wanted, kept: int) -> None:
    folder = write(tmp_path / "in", a=GAME, b=OTHER, c="(;SZ[9]HA[2]AB[gc][cg];W[ee])", d="(;SZ[9];B[aa])")
    report, _ = run([folder], tmp_path / "out.parquet", wanted)
    assert report.stored == kept and len(report.findings) == 4 - kept


def test_a_wrong_rank_is_named_before_anything_is_read(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="'strong' is no rank"):
        run([tmp_path / "gone"], tmp_path / "out.parquet", Wanted(min_rank="strong"))


# ------------------------------------------------------------------------------------------------------ duplicates


def test_a_turned_game_is_a_duplicate(tmp_path: Path) -> None:
    turned = "(;SZ[9]RE[W+5];B[ee];W[cg];B[ff];W[cd])"
    original = "(;SZ[9];B[ee];W[gc];B[dd];W[gf])"
    folder = write(tmp_path / "in", a=original, b=turned, c=OTHER, d=original)
    report, store = run([folder], tmp_path / "out.parquet")
    assert store is not None and len(store) == 2 and store.result[0] == "?"
    assert [(Path(found.file).name, found.status) for found in report.findings] == [
        ("b.sgf", "duplicate"),
        ("d.sgf", "duplicate"),
    ]
    assert report.findings[0].detail == f"the same game as {folder / 'a.sgf'}, turned or mirrored"
    assert report.findings[1].detail == f"the same game as {folder / 'a.sgf'}"
    report, _ = run([folder], tmp_path / "all.parquet", duplicates=True)
    assert report.stored == 4


def test_of_large_games_the_longer_record_stays(tmp_path: Path) -> None:
    points = [f"{col}{row}" for row in "abcdefghi" for col in "abcdefghijklmnopqrs"][::2]
    start = "".join(f";{'BW'[i % 2]}[{points[i % len(points)] if i < len(points) else ''}]" for i in range(100))
    folder = write(tmp_path / "in", a=f"(;SZ[19]{start})", b=f"(;SZ[19]{start};B[];W[])")
    report, store = run([folder], tmp_path / "out.parquet")
    assert store is not None and store.moves.lengths.tolist() == [102]
    assert report.findings[0].detail == f"the same game as {folder / 'b.sgf'}, which is longer"


# ------------------------------------------------------------------------------------------------------ the store


def test_a_store_is_not_overwritten_unless_told(tmp_path: Path) -> None:
    folder, out = write(tmp_path / "in", a=GAME), tmp_path / "out.parquet"
    out.write_text("precious", encoding="utf-8")
    with pytest.raises(GamesFileError, match=r"is there already.*--force"):
        import_records([folder], out, ImportOptions(workers=1))
    assert out.read_text(encoding="utf-8") == "precious"
    import_records([folder], out, ImportOptions(workers=1), force=True)
    assert len(GameStore.open(out)) == 1


def test_nothing_to_store_leaves_what_is_there(tmp_path: Path) -> None:
    out = tmp_path / "out.parquet"
    out.write_text("precious", encoding="utf-8")
    report = import_records([write(tmp_path / "in", a="junk")], out, ImportOptions(workers=1), force=True)
    assert report.stored == 0 and out.read_text(encoding="utf-8") == "precious"


def test_an_interrupt_leaves_what_is_there(tmp_path: Path) -> None:
    out = tmp_path / "out.parquet"
    out.write_text("precious", encoding="utf-8")

    def interrupt(*_: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        import_records([write(tmp_path / "in", a=GAME)], out, ImportOptions(workers=1), force=True, progress=interrupt)
    assert out.read_text(encoding="utf-8") == "precious" and len(list(tmp_path.iterdir())) == 2


def test_many_files_in_processes_give_the_same_store(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    points = [f"{col}{row}" for row in "abcdefghi" for col in "abcdefghi"]
    for number in range(300):
        moves = "".join(f";{'BW'[i % 2]}[{points[(number + 7 * i * i) % 81]}]" for i in range(2))
        write(folder / str(number % 3), **{f"game{number:03}": f"(;SZ[9]KM[{number % 8}]{moves})"})
    told: list[tuple[int, ...]] = []

    def tell(*state: int) -> None:
        told.append(state)

    alone, parallel = tmp_path / "alone.parquet", tmp_path / "parallel.parquet"
    first = import_records([folder], alone, ImportOptions(workers=1))
    second = import_records([folder], parallel, ImportOptions(workers=2), progress=tell)
    assert first == second and second.files == 300 and second.stored > 50
    assert alone.read_bytes() == parallel.read_bytes()
    assert [state[0] for state in told] == [128, 256, 300] and {state[1] for state in told} == {300}


def test_a_killed_reader_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("move37.games.import_records._FEW_FILES", 0)
    monkeypatch.setattr("move37.games.import_records._end_with_parent", _die)
    with pytest.raises(GamesFileError, match=r"ended unexpectedly.*nothing was written.*--workers 1"):
        import_records([write(tmp_path / "in", a=GAME)], tmp_path / "out.parquet", ImportOptions(workers=2))
    assert not (tmp_path / "out.parquet").exists()


def _die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


# ------------------------------------------------------------------------------------------------------ the report


def _rows_of_jsonl(text: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in text.splitlines()]


def _rows_of_csv(text: str) -> list[dict[str, object]]:
    return [{**row, "game": int(row["game"])} for row in csv.DictReader(io.StringIO(text))]


@pytest.mark.parametrize(("name", "read"), [("all.jsonl", _rows_of_jsonl), ("all.csv", _rows_of_csv)])
def test_the_report_lists_everything_in_the_order_of_the_files(
    tmp_path: Path, name: str, read: Callable[[str], list[dict[str, object]]]
) -> None:
    folder = write(tmp_path / "in", a="junk", b=GAME, c="(;SZ[9];B[aa];W[aa])", d=GAME, e=f'{OTHER}(;C[", "])')
    report, _ = run([folder], tmp_path / "out.parquet")
    report.write(tmp_path / name)
    rows = read((tmp_path / name).read_text(encoding="utf-8"))
    assert [(Path(str(row["file"])).stem, row["game"], row["status"], row["kind"]) for row in rows] == [
        ("a", 0, "refused", "no game record"),
        ("c", 0, "refused", "illegal move"),
        ("d", 0, "duplicate", "duplicate"),
        ("e", 1, "refused", "no moves"),
    ]
    assert [(row["move"], row["vertex"]) for row in rows][1] in ((2, "A9"), ("2", "A9"))
    assert report.counts()["refused", "illegal move"] == 1


def test_a_report_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    with pytest.raises(GamesFileError, match="the report cannot be written"):
        ImportReport().write(tmp_path)


# ------------------------------------------------------------------------------------------------------ real files


@pytest.mark.skipif(not SHARED.is_dir(), reason="the large test data is not beside the repository")
def test_the_sample_files_agree_with_the_stores_made_of_them(tmp_path: Path) -> None:
    report, store = run([SHARED / "games" / "sgf-sample"], tmp_path / "out.parquet", duplicates=True)
    assert store is not None
    assert (report.files, report.games) == (600, 600)
    refused = [found for found in report.findings if found.status == "refused"]
    assert {found.kind for found in refused} == {"no moves", "illegal move"}
    assert report.stored + len(refused) == 600 and report.stored > 560
    known = GameStore.open(SHARED / "games" / "pro19.parquet")
    games = {known.moves[i].tobytes(): i for i in range(len(known))}
    found = [(i, games[store.moves[i].tobytes()]) for i in range(len(store)) if store.moves[i].tobytes() in games]
    assert len(found) > 300
    mine, theirs = (np.array(column) for column in zip(*found, strict=True))
    for name in ("winner", "handicap", "first_player"):
        np.testing.assert_array_equal(getattr(store, name)[mine], getattr(known, name)[theirs])


def test_a_store_is_never_written_over_what_it_is_made_of(tmp_path: Path) -> None:
    folder = write(tmp_path / "in", a=GAME, b=OTHER)
    for out in (folder / "a.sgf", folder / ".." / "in" / "b.sgf"):
        with pytest.raises(GamesFileError, match="is one of the files to read"):
            import_records([folder], out, ImportOptions(workers=1), force=True)
    assert (folder / "a.sgf").read_text(encoding="utf-8") == GAME
    assert (folder / "b.sgf").read_text(encoding="utf-8") == OTHER


def test_a_store_that_cannot_be_written_is_told_before_anything_is_read(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("old", encoding="utf-8")
    os.mkfifo(tmp_path / "pipe")
    unread = [tmp_path / "nonesuch.sgf"]
    for out, words in (("", "is a folder, pipe or device"), ("pipe", "is a folder, pipe or device"),
                       ("file/below", "cannot be written"), ("x" * 300, "File name too long")):  # fmt: skip
        with pytest.raises(GamesFileError, match=words):
            import_records(unread, tmp_path / out, force=True)


ORPHANS = """
import os, signal, sys
from move37.games import import_records

def tell(*_):
    os.kill(os.getpid(), signal.SIGKILL)

if __name__ == "__main__":
    import_records.import_records([sys.argv[1]], sys.argv[2], import_records.ImportOptions(workers=2), progress=tell)
"""


def test_readers_end_with_the_process_that_started_them(tmp_path: Path) -> None:
    folder = write(tmp_path / "in", **{f"game{number}": GAME for number in range(600)})
    script = tmp_path / "script.py"
    script.write_text(ORPHANS, encoding="utf-8")
    arguments = [sys.executable, str(script), str(folder), str(tmp_path / "out.parquet")]
    # The readers inherit these pipes: the call returns when the last of them has ended.
    ended = subprocess.run(arguments, capture_output=True, timeout=60, check=False)
    assert ended.returncode == -signal.SIGKILL and not (tmp_path / "out.parquet").exists()
