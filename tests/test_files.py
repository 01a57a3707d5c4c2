"""A file that is replaced is there whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from move37.files import read_bytes, replacing, write_text


def test_a_new_file_in_a_new_folder(tmp_path: Path) -> None:
    path = tmp_path / "new földer" / "a.txt"
    write_text(path, "päss")
    assert path.read_text(encoding="utf-8") == "päss"
    assert [entry.name for entry in path.parent.iterdir()] == ["a.txt"]


def test_a_failure_leaves_the_old_file_and_no_other(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    write_text(path, "old")
    with pytest.raises(OSError, match="No space left"), replacing(path) as temporary:
        temporary.write_text("half", encoding="utf-8")
        raise OSError(28, "No space left on device")
    assert path.read_text(encoding="utf-8") == "old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["a.txt"]


def test_the_old_file_stands_until_the_block_ends(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    write_text(path, "old")
    with replacing(path) as temporary:
        temporary.write_text("new", encoding="utf-8")
        assert path.read_text(encoding="utf-8") == "old"
    assert path.read_text(encoding="utf-8") == "new"


def test_a_folder_is_named_and_a_device_written_through(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError) as caught:
        write_text(tmp_path, "text")
    assert caught.value.filename == str(tmp_path)
    write_text("/dev/null", "text")
    assert Path("/dev/null").is_char_device()


def test_a_link_is_followed(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "real")
    write_text(tmp_path / "link", "text")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text(encoding="utf-8") == "text"


def test_links_in_a_circle_and_a_file_for_a_folder(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    with pytest.raises(OSError, match="Too many levels"):
        write_text(tmp_path / "loop", "text")
    write_text(tmp_path / "file", "old")
    with pytest.raises(NotADirectoryError, match="file"):
        write_text(tmp_path / "file" / "below", "text")
    assert (tmp_path / "file").read_text(encoding="utf-8") == "old"


def test_what_may_have_no_end_is_not_read(tmp_path: Path) -> None:
    write_text(tmp_path / "four", "1234")
    os.mkfifo(tmp_path / "pipe")
    assert read_bytes(tmp_path / "four", 4) == b"1234"
    for path, words in (("four", "It has 4 bytes, and no more than 3"), ("pipe", "It is a pipe or a device")):
        with pytest.raises(OSError, match=words):
            read_bytes(tmp_path / path, 3)
    with pytest.raises(OSError, match="It is a pipe or a device"):
        read_bytes("/dev/zero", 10)
    with pytest.raises(IsADirectoryError):
        read_bytes(tmp_path, 10)
    with pytest.raises(OSError, match="Its name holds a NUL"):
        read_bytes("a\0b", 10)
