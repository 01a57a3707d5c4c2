"""KataGo's configuration files and command-line settings."""

from __future__ import annotations

from pathlib import Path

import pytest

from move37.analysis.config_file import read_config, read_pairs
from move37.errors import ConfigError


def test_a_file_has_keys_values_comments_and_other_files(tmp_path: Path) -> None:
    (tmp_path / "more files").mkdir()
    (tmp_path / "more files" / "b.cfg").write_text("maxTime = 3\nmaxVisits=7\n")
    path = tmp_path / "a.cfg"
    text = "\ufeff# KataGo\nmaxVisits = 500 # visits\n\n@include more files/b.cfg\n homeDataDir=/x=y\n"
    path.write_text(text, encoding="utf-8")
    assert read_config(path) == {"maxVisits": "7", "maxTime": "3", "homeDataDir": "/x=y"}


def test_a_file_that_cannot_be_read_is_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "a.cfg"
    with pytest.raises(ConfigError, match=r"a\.cfg: the configuration cannot be read"):
        read_config(path)
    path.write_text("maxVisits = 5\nnonsense\n")
    with pytest.raises(ConfigError, match=r"a\.cfg, line 2: expected key = value, found 'nonsense'"):
        read_config(path)
    path.write_text("@include a.cfg\n")
    with pytest.raises(ConfigError, match="does one include itself"):
        read_config(path)
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ConfigError, match="cannot be read"):
        read_config(path)


def test_pairs() -> None:
    assert read_pairs("a=1, b = two,,c=") == {"a": "1", "b": "two", "c": ""}
    for wrong in ("a", "=1"):
        with pytest.raises(ConfigError, match="is no setting"):
            read_pairs(wrong)
