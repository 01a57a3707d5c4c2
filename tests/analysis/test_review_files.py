"""Which files a run reads, and where its reports go."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from move37.analysis.review_files import FORMATS, Inputs, Outputs, formats_of
from move37.errors import GamesFileError, SgfError
from move37.sgf.game_record import GameRecord
from tests.support.review_script import GAME, scripted_review


def write(path: Path, text: str = GAME) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_files_folders_and_archives(tmp_path: Path) -> None:
    folder = tmp_path / "games dir"
    for name in ("a.sgf", "below/b.SGF", "below/c.gib", "a.review.sgf", "notes.txt"):
        write(folder / name)
    single = write(tmp_path / "single.txt")
    archive = tmp_path / "more.zip"
    with zipfile.ZipFile(archive, "w") as packed:
        packed.writestr("in/d.sgf", GAME)
        packed.writestr("../../out.sgf", GAME)
    inputs = Inputs([folder, single, tmp_path / "none.sgf", archive])
    assert [source.stem for source in inputs] == ["a", "below/b", "below/c.gib", "single.txt", "in/d", "out"]
    assert inputs.count == 7
    assert inputs.missing == [f"{tmp_path / 'none.sgf'}: there is no such file or folder"]
    assert all(len(source.records()) == 1 for source in inputs)


def test_a_report_that_is_named_is_taken(tmp_path: Path) -> None:
    report = write(tmp_path / "a.review.sgf")
    assert [source.stem for source in Inputs([report])] == ["a.review"]


def test_what_cannot_be_read_is_named(tmp_path: Path) -> None:
    (source,) = Inputs([write(tmp_path / "page.sgf", "<html>")])
    with pytest.raises(SgfError, match=r"page\.sgf: No game tree"):
        source.records()


def test_games_of_one_file_are_numbered(tmp_path: Path) -> None:
    (source,) = Inputs([write(tmp_path / "two.sgf", GAME + GAME)])
    assert source.stems(len(source.records())) == ["two-1", "two-2"]
    assert source.stems(1) == ["two"]


def test_reports_are_left_or_overwritten(tmp_path: Path) -> None:
    record, found = scripted_review()
    outputs = Outputs(tmp_path / "out", formats_of(sgf=True, html=True))
    assert outputs.wanted("a/b") == ["html", "sgf"]
    outputs.write("a/b", record, found, ["html"])
    assert outputs.wanted("a/b") == ["sgf"]
    outputs.write("a/b", record, found, ["sgf"])
    assert outputs.wanted("a/b") == []
    assert sorted(path.name for path in (tmp_path / "out" / "a").iterdir()) == ["b.review.html", "b.review.sgf"]
    assert Outputs(tmp_path / "out", FORMATS).wanted("a/b") == ["json"]
    assert Outputs(tmp_path / "out", FORMATS, force=True).wanted("a/b") == ["html", "json", "sgf"]
    assert formats_of(sgf=False) == FORMATS


def test_the_page_and_the_figures_are_of_the_record_as_it_was(tmp_path: Path) -> None:
    record, found = scripted_review()
    Outputs(tmp_path).write("x", record, found, reversed(FORMATS))
    assert "Played in the park.\n\n— Review" in record.comment
    assert GameRecord.from_text((tmp_path / "x.review.sgf").read_text(encoding="utf-8")).comment == record.comment


def test_two_files_cannot_have_one_report(tmp_path: Path) -> None:
    outputs = Outputs(tmp_path)
    outputs.claim("game", "a/game.sgf")
    outputs.claim("game", "a/game.sgf")
    with pytest.raises(GamesFileError, match=r"b/game\.sgf: its reports would have the names of those of a/game"):
        outputs.claim("game", "b/game.sgf")
