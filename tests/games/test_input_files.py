from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from move37.errors import GamesFileError
from move37.games import columns, input_files
from move37.games.import_records import ImportOptions, ImportReport, import_records
from move37.games.input_files import InputFiles
from move37.games.store import GameStore

GAME = "(;GM[1]SZ[9]RE[B+3.5];B[ee];W[ec];B[cf];W[ff])"
OTHER = "(;SZ[9]RE[W+R];B[cc];W[gg];B[gc];W[cg];B[ee];W[])"


def write(folder: Path, **texts: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        (folder / f"{name}.sgf").write_text(text, encoding="utf-8")
    return folder


def run(paths: list[Path], out: Path, every_file: bool = False) -> tuple[ImportReport, GameStore | None]:
    report = import_records(paths, out, ImportOptions(workers=1, every_file=every_file))
    assert out.exists() == (report.stored > 0)
    return report, GameStore.open(out) if out.exists() else None


def sources(path: Path) -> list[str | None]:
    found: list[str | None] = columns.arrow().parquet.read_table(path).column("source").to_pylist()
    return found


def test_folders_and_names_of_any_script(tmp_path: Path) -> None:
    write(tmp_path / "in" / "围棋 dir" / "sub", ünïcode=GAME)
    write(tmp_path / "in", b=OTHER)
    (tmp_path / "in" / "README.txt").write_text(GAME, encoding="utf-8")
    (tmp_path / "in" / "c.SGF").write_text("(;SZ[9];B[aa])", encoding="utf-8")
    report, _ = run([tmp_path / "in"], tmp_path / "出 力" / "out.parquet")
    assert (report.files, report.games, report.stored) == (3, 3, 3)
    assert sources(tmp_path / "出 力" / "out.parquet") == ["in"] * 3
    report, _ = run([tmp_path / "in"], tmp_path / "every.parquet", every_file=True)
    assert (report.files, report.stored) == (4, 3)


def test_a_name_that_is_no_text(tmp_path: Path) -> None:
    folder = os.fsencode(tmp_path) + b"/\xff\xfe dir"
    Path(os.fsdecode(folder)).mkdir()
    Path(os.fsdecode(folder + b"/\xe4.sgf")).write_text(GAME, encoding="utf-8")
    Path(os.fsdecode(folder + b"/\xe5.sgf")).write_text("junk", encoding="utf-8")
    report, _ = run([Path(os.fsdecode(folder))], tmp_path / "out.parquet")
    assert report.stored == 1
    for name in ("report.csv", "report.jsonl"):
        report.write(tmp_path / name)
        assert "no game record" in (tmp_path / name).read_text(encoding="utf-8")


def test_a_named_file_is_read_whatever_its_ending(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    path.write_text(GAME, encoding="utf-8")
    report, _ = run([path], tmp_path / "out.parquet")
    assert report.stored == 1 and sources(tmp_path / "out.parquet") == [tmp_path.name]


def zipped(path: Path) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("games/a.sgf", GAME)
        archive.writestr("games/围棋.sgf", OTHER)
        archive.writestr("games/readme.txt", "hello")
        archive.writestr("games/bad.sgf", "junk")


def tarred(path: Path) -> None:
    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w") as archive:
        for name, text in (("a.sgf", GAME), ("围棋.sgf", OTHER), ("readme.txt", "hello"), ("bad.sgf", "junk")):
            member = tarfile.TarInfo(f"games/{name}")
            member.size = len(text.encode())
            archive.addfile(member, io.BytesIO(text.encode()))
    packers: dict[str, Callable[[bytes], bytes]] = {
        ".tgz": gzip.compress,
        ".gz": gzip.compress,
        ".bz2": bz2.compress,
        ".xz": lzma.compress,
    }
    packed = packers.get(path.suffix)
    path.write_bytes(packed(plain.getvalue()) if packed else plain.getvalue())


@pytest.mark.parametrize("name", ["my games.zip", "g.tar", "g.tar.gz", "g.tgz", "g.tar.bz2", "g.tar.xz"])
def test_archives(tmp_path: Path, name: str) -> None:
    path = tmp_path / "in" / name
    path.parent.mkdir()
    (zipped if name.endswith("zip") else tarred)(path)
    for given in (path, path.parent):
        report, _ = run([given], tmp_path / f"{given.name}.parquet")
        assert (report.files, report.stored) == (3, 2)
        assert [Path(found.file).name for found in report.findings] == ["bad.sgf"]
        assert report.findings[0].file == f"{path}/games/bad.sgf"
    assert sources(tmp_path / f"{path.name}.parquet") == [name.partition(".")[0]] * 2


@pytest.mark.parametrize("outer", ["outer.zip", "outer.tar", "outer.tgz"])
@pytest.mark.parametrize("inner", ["inner.zip", "INNER.ZIP", "inner.tar.gz", "inner.tgz", "inner.tar"])
@pytest.mark.parametrize("every_file", [False, True])
def test_an_archive_in_an_archive_is_told(tmp_path: Path, outer: str, inner: str, every_file: bool) -> None:
    path = tmp_path / outer
    content = {f"more/{inner}": b"whatever", "a.sgf": GAME.encode()}
    if outer.endswith("zip"):
        with zipfile.ZipFile(path, "w") as archive:
            archive.mkdir("folder.zip")
            for name, data in content.items():
                archive.writestr(name, data)
        assert InputFiles([path], every_file).count == 2
    else:
        with tarfile.open(path, "w:gz" if outer.endswith("tgz") else "w") as tar:
            for name, data in content.items():
                member = tarfile.TarInfo(name)
                member.size = len(data)
                tar.addfile(member, io.BytesIO(data))
    report, _ = run([path], tmp_path / "out.parquet", every_file=every_file)
    assert (report.files, report.stored) == (2, 1)
    [found] = report.findings
    assert (found.file, found.status, found.kind) == (f"{path}/more/{inner}", "refused", "archive inside an archive")
    assert found.detail == "it is an archive inside an archive; unpack the outer one and import what is in it"


@pytest.mark.parametrize("name", ["g.zip", "g.tar", "g.tar.gz", "g.tar.bz2", "g.tar.xz"])
@pytest.mark.parametrize("damage", ["cut", "empty", "junk", "middle"])
def test_a_damaged_archive_is_told_and_the_rest_goes_on(tmp_path: Path, name: str, damage: str) -> None:
    path = write(tmp_path / "in", z=GAME) / name
    (zipped if name.endswith("zip") else tarred)(path)
    data = bytearray(path.read_bytes())
    if damage == "middle":
        data[len(data) // 3 : len(data) // 2] = b"\x55" * (len(data) // 2 - len(data) // 3)
    path.write_bytes(
        {"cut": bytes(data[: len(data) // 2]), "empty": b"", "junk": b"\x07 no archive" * 100}.get(damage, bytes(data))
    )
    report, store = run([tmp_path / "in"], tmp_path / "out.parquet")
    assert store is not None and "B+3.5" in store.result
    assert (
        any(found.kind == "unreadable file" or "no game" in found.kind for found in report.findings) or name == "g.tar"
    )


def test_a_member_too_large_for_a_record_is_not_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(input_files, "LARGEST_RECORD", 1000)
    path = tmp_path / "g.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("large.sgf", b"(" * 2000)
        archive.writestr("good.sgf", GAME)
    report, _ = run([path], tmp_path / "out.parquet")
    assert report.stored == 1 and "it has 2,000 bytes, more than any game record" in report.findings[0].detail


@pytest.mark.parametrize("name", ["bomb.zip", "bomb.tar.gz"])
def test_a_bomb_is_not_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setattr(input_files, "_ALWAYS_ALLOWED", 10_000)
    path = tmp_path / name
    zeros = bytes(1_000_000)
    if name.endswith("zip"):
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for number in range(20):
                archive.writestr(f"{number}.sgf", zeros)
    else:
        with tarfile.open(path, "w:gz") as tar:
            for number in range(20):
                member = tarfile.TarInfo(f"{number}.txt")  # nobody wants it, but it lies in the way
                member.size = len(zeros)
                tar.addfile(member, io.BytesIO(zeros))
    report, _ = run([path], tmp_path / "out.parquet")
    assert "unpacks to more than 100 times its size" in report.findings[-1].detail
    assert len(report.findings) < 15


def test_a_zip_with_a_password(tmp_path: Path) -> None:
    path = tmp_path / "g.zip"
    zipped(path)
    data = bytearray(path.read_bytes())
    for magic, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        place = data.index(magic)
        data[place + flags] |= 1
    path.write_bytes(data)
    report, _ = run([path], tmp_path / "out.parquet")
    assert report.stored == 1 and "cannot be unpacked" in report.findings[0].detail


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may read everything")
def test_an_unreadable_file_is_told(tmp_path: Path) -> None:
    folder = write(tmp_path / "in", a=GAME, b=OTHER)
    (folder / "a.sgf").chmod(0)
    report, _ = run([folder], tmp_path / "out.parquet")
    assert report.stored == 1 and report.findings[0].detail == "Permission denied"


def test_a_file_that_is_gone_when_its_turn_comes(tmp_path: Path) -> None:
    folder = write(tmp_path / "in", a=GAME)
    (folder / "b.sgf").symlink_to(folder / "nowhere.sgf")
    report, _ = run([folder], tmp_path / "out.parquet")
    assert report.stored == 1 and report.findings[0].detail == "No such file or directory"


@pytest.mark.parametrize("given", ["nothing", "folder", "gone"])
def test_without_records_there_is_one_sentence(tmp_path: Path, given: str) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "a.txt").write_text(GAME, encoding="utf-8")
    paths = {"nothing": [], "folder": [tmp_path / "folder"], "gone": [tmp_path / "gone"]}[given]
    with pytest.raises(GamesFileError, match=r"no game records were found.*--every-file|there is no such file"):
        run(list[Path](paths), tmp_path / "out.parquet")


def test_an_option_is_named_only_to_who_has_it(tmp_path: Path) -> None:
    with pytest.raises(GamesFileError, match=r"\.sgf, \.gib or \.ngf files$"):
        InputFiles([tmp_path])
    with pytest.raises(GamesFileError, match="only with --every-file"):
        InputFiles([tmp_path], every_file=False)


def test_files_are_counted_beforehand(tmp_path: Path) -> None:
    folder = write(tmp_path / "in", a=GAME, b=OTHER)
    zipped(folder / "g.zip")
    tarred(folder / "g.tar")
    assert InputFiles([folder]).count == 2 + 3 + 1


def test_pipes_are_told_and_not_waited_for(tmp_path: Path) -> None:
    write(tmp_path / "in", a=GAME)
    for name in ("pipe.sgf", "pipe.zip"):
        os.mkfifo(tmp_path / "in" / name)
    os.mkfifo(tmp_path / "pipe")
    report, _ = run([tmp_path / "in", tmp_path / "pipe", Path("/dev/zero")], tmp_path / "out.parquet")
    assert report.stored == 1
    assert [finding.detail for finding in report.findings] == ["It is a pipe or a device, not a file"] * 4


def test_a_folder_that_cannot_be_read_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "in", a=GAME)
    write(tmp_path / "in" / "closed", b=OTHER)
    scan = os.scandir

    def refusing(path: str) -> object:
        if str(path).endswith("closed"):
            raise PermissionError(13, "Permission denied", str(path))
        return scan(path)

    monkeypatch.setattr(os, "scandir", refusing)
    report, _ = run([tmp_path / "in"], tmp_path / "out.parquet")
    (finding,) = report.findings
    assert (report.stored, finding.kind) == (1, "unreadable folder")
    assert finding.file == str(tmp_path / "in" / "closed")


def test_an_archive_without_records_is_told(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("readme.txt", "hello")
    with tarfile.open(tmp_path / "a.tar", "w"):
        pass
    report, _ = run([tmp_path / "a.zip", tmp_path / "a.tar"], tmp_path / "out.parquet")
    assert ["holds no .sgf" in finding.detail for finding in report.findings] == [True, True]


def test_a_huge_member_does_not_hide_the_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(input_files, "LARGEST_RECORD", 1000)
    monkeypatch.setattr(input_files, "_ALWAYS_ALLOWED", 5000)
    monkeypatch.setattr(input_files, "_MOST_EXPANSION", 0)
    with zipfile.ZipFile(tmp_path / "a.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("huge.sgf", "x" * 100_000)
        archive.writestr("a.sgf", GAME)
    report, _ = run([tmp_path / "a.zip"], tmp_path / "out.parquet")
    assert (report.stored, len(report.findings)) == (1, 1)


def test_a_hard_link_in_a_tar_is_told(tmp_path: Path) -> None:
    with tarfile.open(tmp_path / "a.tar", "w") as archive:
        for name, link in (("a.sgf", ""), ("b.sgf", "a.sgf")):
            member = tarfile.TarInfo(name)
            member.type, member.linkname = (tarfile.LNKTYPE, link) if link else (tarfile.REGTYPE, "")
            member.size = 0 if link else len(GAME)
            archive.addfile(member, io.BytesIO(GAME.encode()))
    report, _ = run([tmp_path / "a.tar"], tmp_path / "out.parquet")
    assert [finding.detail for finding in report.findings] == ["it is a link to a.sgf in the same archive"]
