"""What is said of networks: towers counted, formats named, and a glance that agrees with the whole."""

from __future__ import annotations

import gzip
from importlib.util import find_spec
from pathlib import Path

import pytest

from move37.errors import NetworkFileError
from move37.nets import facts, weights
from move37.nets.facts import Glance
from move37.nets.file_kind import FileKind, kind_of
from move37.nets.finding import found_networks
from tests.support.katago_files import write as write_katago
from tests.support.katago_random import random_katago_file
from tests.support.leela_files import leela_lines, write_leela
from tests.support.networks import small_network
from tests.support.shared import SHARED

NETS = SHARED / "katago" / "nets"


def test_our_own_file_at_a_glance(tmp_path: Path) -> None:
    weights.save(small_network(sizes=[5], komi_band=(6.5, 7.5)), tmp_path / "net.safetensors")
    found = facts.glance(tmp_path / "net.safetensors", FileKind.MOVE37)
    assert found == Glance("move37 1", 2, 8, "zero17", "5x5", "6.5 to 7.5")


def test_leela_zero_at_a_glance(tmp_path: Path) -> None:
    path = write_leela(tmp_path / "net.gz", leela_lines(blocks=3, filters=5, side=9), 2)
    assert facts.glance(path, FileKind.LEELA) == Glance("Leela Zero 2", 3, 5, "leela18", "9x9", "7.5")
    path = write_leela(tmp_path / "net.txt", leela_lines(blocks=0, filters=1, side=1))
    assert facts.glance(path, FileKind.LEELA) == Glance("Leela Zero 1", 0, 1, "leela18", "1x1", "7.5")


def test_katago_at_a_glance_reads_no_layers(tmp_path: Path) -> None:
    path = tmp_path / "net.bin.gz"
    path.write_bytes(
        gzip.compress(b"b6c96\n8\n22\n19\ntrunk\n6\n96\n96\n64\n32\n32\nconv @BIN@ and here it is cut short")
    )
    assert facts.glance(path, FileKind.KATAGO) == Glance("KataGo 8", 6, 96, "katago22", "any size", "any")


@pytest.mark.parametrize("version", [8, 14, 15, 17])
def test_a_glance_of_katago_is_what_the_whole_says(tmp_path: Path, version: int) -> None:
    blocks = ("ordinary", "gpool", "nested")
    path = write_katago(tmp_path / "net.bin.gz", random_katago_file(version, blocks, "RELU").parts())
    found = facts.glance(path, kind_of(path))
    assert (found.format, found.blocks) == (f"KataGo {version}", 3)
    whole = facts.facts(path)
    assert (whole["format"], whole["blocks"], whole["channels"]) == (found.format, 3, found.channels)


@pytest.mark.parametrize("lines", [leela_lines()[:-1], [*leela_lines(), [1.0]], leela_lines()[:7], [[1.0, 2.0]]])
def test_a_glance_sees_lines_that_fit_no_network(tmp_path: Path, lines: list[list[float]]) -> None:
    with pytest.raises(NetworkFileError, match="fit no network"):
        facts.glance(write_leela(tmp_path / "net.txt", lines), FileKind.LEELA)


def test_a_glance_does_not_follow_a_bomb(tmp_path: Path) -> None:
    path = tmp_path / "bomb.gz"
    path.write_bytes(gzip.compress(b"1\n" + b"1 2\n" * 100_000))
    with pytest.raises(NetworkFileError, match="more lines than a network has"):
        facts.glance(path, FileKind.LEELA)


def test_all_facts(tmp_path: Path) -> None:
    path = tmp_path / "net.safetensors"
    weights.save(small_network(head="pooled", sizes=[5, 9], name="zero ü"), path)
    found = facts.facts(path)
    assert found["path"] == str(path)
    assert found["file_bytes"] == path.stat().st_size
    assert (found["format"], found["name"], found["encoder"]) == ("move37 1", "zero ü", "zero17")
    assert (found["blocks"], found["channels"]) == (2, 8)
    assert found["parameters"] == weights.load(path).graph.parameter_count
    assert found["board_sizes"] == [[5, 5], [9, 9]]
    assert found["outputs"] == ["policy", "value"]
    assert ("torch" in found["runs_on"]) == (find_spec("torch") is not None)


def test_facts_of_a_damaged_file_are_an_error(tmp_path: Path) -> None:
    lines = leela_lines()
    lines[-2][0] = float("nan")
    with pytest.raises(NetworkFileError, match="finite"):
        facts.facts(write_leela(tmp_path / "net.txt", lines))


@pytest.mark.parametrize(
    ("file", "version", "blocks"),
    [("g170-b6c96-s175395328-d26788732", 8, 6), ("b7c96h3tfrs-test5-cnorm", 17, 14)],
)
@pytest.mark.skipif(not NETS.is_dir(), reason="no shared networks")
def test_a_glance_of_katago_agrees_with_the_whole(file: str, version: int, blocks: int) -> None:
    path = NETS / f"{file}.bin.gz"
    glance, found = facts.glance(path, kind_of(path)), facts.facts(path)
    assert glance == Glance(f"KataGo {version}", blocks, 96, "katago22", "any size", "any")
    assert (found["format"], found["blocks"], found["channels"]) == (glance.format, glance.blocks, glance.channels)


@pytest.mark.skipif(find_spec("katrain") is None, reason="the package katrain is not installed")
def test_the_network_inside_an_installed_katrain() -> None:
    found = [one for one in found_networks() if one.source == "katrain package"]
    assert found
    for one in found:
        assert one.kind is FileKind.KATAGO
        glance, whole = facts.glance(one.path, one.kind), facts.facts(one.path)
        assert (whole["blocks"], whole["channels"]) == (glance.blocks, glance.channels)
        assert whole["encoder"] == "katago22"
