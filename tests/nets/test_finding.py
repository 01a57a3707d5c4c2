"""Networks are found in four places by their names, and nothing is imported or read whole for it."""

from __future__ import annotations

import gzip
import os
import sys
from pathlib import Path

import pytest

from move37.errors import ConfigError, NetworkFileError
from move37.nets import finding, weights
from move37.nets.file_kind import FileKind, plain_name
from tests.support.leela_files import leela_lines, write_leela
from tests.support.networks import small_network

KATAGO_HEAD = gzip.compress(b"b6c96\n8\n22\n19\ntrunk\n")


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home without networks, and no package katrain."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("MOVE37_NETS", raising=False)
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.setattr(finding, "_katrain_packages", list)
    return tmp_path


def names() -> list[tuple[str, str]]:
    return [(one.name, one.source) for one in finding.found_networks() if one.source != "bundled"]


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("a.safetensors", "a"),
        ("kata1-b18.bin.gz", "kata1-b18"),
        ("g170.txt.gz", "g170"),
        ("0e9ea880fd.gz", "0e9ea880fd"),
        ("b.c.txt", "b.c"),
        ("d.bin", "d"),
        ("e.onnx", "e.onnx"),
        (".gz", ".gz"),
    ],
)
def test_a_name_is_the_file_without_its_ending(file: str, name: str) -> None:
    assert plain_name(Path("folder") / file) == name


def test_the_users_folder_is_told_by_the_environment(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert finding.user_folder() == home / ".local" / "share" / "move37" / "nets"
    monkeypatch.setenv("XDG_DATA_HOME", str(home / "data"))
    assert finding.user_folder() == home / "data" / "move37" / "nets"
    monkeypatch.setenv("MOVE37_NETS", "~/mine")
    assert finding.user_folder() == home / "mine"


def test_bundled_networks_are_found() -> None:
    bundled = finding.bundled()
    assert "zero-9x9-6x64" in bundled
    assert [(one.name, one.path) for one in finding.found_networks()] == list(bundled.items())
    for name, path in bundled.items():
        assert finding.find(name) == path


def test_the_users_folder_is_searched_with_the_folders_in_it(home: Path) -> None:
    folder = finding.user_folder()
    weights.save(small_network(), folder / "b.safetensors")
    (folder / "deep" / "er").mkdir(parents=True)
    write_leela(folder / "deep" / "er" / "a.txt.gz", leela_lines())
    (folder / "notes.md").write_text("not a network")
    (folder / ".hidden.safetensors").write_bytes(b"half of it")
    assert sorted(names()) == [("a", "yours"), ("b", "yours")]
    assert finding.find("a") == folder / "deep" / "er" / "a.txt.gz"
    assert finding.find("b.safetensors") == folder / "b.safetensors"
    kinds = {one.name: one.kind for one in finding.found_networks()}
    assert (kinds["a"], kinds["b"]) == (FileKind.LEELA, FileKind.MOVE37)


def test_a_users_file_that_is_no_network_is_listed_with_its_problem() -> None:
    folder = finding.user_folder()
    folder.mkdir(parents=True)
    (folder / "page.bin.gz").write_text("<html>not found</html>")
    [found] = [one for one in finding.found_networks() if one.source == "yours"]
    assert found.kind is None
    assert "found a page of HTML or XML" in found.problem
    with pytest.raises(NetworkFileError, match="nothing of that name"):
        finding.find("page")


def test_katrains_folder_gives_networks_alone(home: Path) -> None:
    theirs = home / ".katrain"
    theirs.mkdir()
    (theirs / "kata1.bin.gz").write_bytes(KATAGO_HEAD)
    (theirs / "log.txt").write_text("2024-01-01 started\n")
    (theirs / "config.json").write_text("{}")
    assert names() == [("kata1", "katrain folder")]
    assert finding.find("kata1") == theirs / "kata1.bin.gz"


def test_an_installed_katrain_is_searched_and_not_imported(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    monkeypatch.setenv("HOME", str(home))
    package = home / "site" / "katrain"
    (package / "models").mkdir(parents=True)
    (package / "__init__.py").write_text("raise RuntimeError('imported')")
    (package / "models" / "b10.bin.gz").write_bytes(KATAGO_HEAD)
    monkeypatch.setattr(sys, "path", [str(home / "site"), *sys.path])
    assert ("b10", "katrain package") in names()
    assert finding.find("b10") == package / "models" / "b10.bin.gz"
    assert "katrain" not in sys.modules


def test_the_first_place_wins_and_a_file_beside_you_wins_over_a_name(
    home: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (home / ".katrain").mkdir()
    (home / ".katrain" / "net.bin.gz").write_bytes(KATAGO_HEAD)
    weights.save(small_network(), finding.user_folder() / "net.safetensors")
    assert names() == [("net", "yours"), ("net", "katrain folder")]
    assert finding.find("net") == finding.user_folder() / "net.safetensors"
    assert finding.find("net.bin.gz") == home / ".katrain" / "net.bin.gz"
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    (here / "net").write_bytes(KATAGO_HEAD)
    assert finding.find("net") == Path("net")


def test_an_unknown_name_lists_what_is_there_and_the_nearest_first() -> None:
    for name in "abcdefghij":
        weights.save(small_network(), finding.user_folder() / f"{name}.safetensors")
    with pytest.raises(NetworkFileError) as caught:
        finding.find("zero-9x9-6x65")
    assert str(caught.value) == (
        "zero-9x9-6x65: expected a network file or a name that 'move37 nets list' shows "
        "(zero-9x9-6x64, value-9x9-6x64, policy-9x9-6x64, reinforced-9x9-6x64, master-19x19-8x128, policy-19x19-8x128, "
        "a, b, ...), found nothing of that name."
    )


def test_a_folder_and_impossible_names_are_named(tmp_path: Path) -> None:
    with pytest.raises(NetworkFileError, match="found a folder"):
        finding.find(tmp_path)
    with pytest.raises(NetworkFileError, match="File name too long"):
        finding.find("x" * 5000)
    with pytest.raises(NetworkFileError, match="nothing of that name"):
        finding.find("a\0b")


def test_a_home_that_is_not_known_is_told_where_it_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MOVE37_NETS", "~no-such-user/nets")
    with pytest.raises(ConfigError, match="no home folder for ~no-such-user/nets; name a folder"):
        finding.user_folder()
    assert [one.source for one in finding.found_networks()] == ["bundled"] * len(finding.bundled())

    def homeless(path: Path) -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("MOVE37_NETS")
    monkeypatch.setattr(Path, "expanduser", homeless)
    monkeypatch.setattr(Path, "home", lambda: homeless(Path()))
    with pytest.raises(ConfigError, match="no home folder; name a folder"):
        finding.user_folder()
    assert [one.source for one in finding.found_networks()] == ["bundled"] * len(finding.bundled())


def test_a_folder_too_large_to_look_through_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    finding.user_folder().mkdir(parents=True)
    for i in range(5):
        (finding.user_folder() / f"{i}.md").write_text("")
    monkeypatch.setattr(finding, "MOST_ENTRIES", 5)
    assert all(one.source == "bundled" for one in finding.found_networks())
    monkeypatch.setattr(finding, "MOST_ENTRIES", 4)
    with pytest.raises(ConfigError, match="holds more than 4 files and folders"):
        finding.found_networks()


def test_links_in_a_circle_and_folders_with_names_of_networks_are_passed_over() -> None:
    folder = finding.user_folder()
    (folder / "dir.safetensors").mkdir(parents=True)
    (folder / "loop").symlink_to(folder)
    (folder / "a.gz").symlink_to(folder / "b.gz")
    (folder / "b.gz").symlink_to(folder / "a.gz")
    assert names() == []
    os.mkfifo(folder / "pipe.gz")
    with pytest.raises(NetworkFileError, match="found a pipe or a device"):
        finding.find(folder / "pipe.gz")
