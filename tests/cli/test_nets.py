"""The commands on networks: what they print, what they write, and how they fail."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from move37.cli import run as cli
from move37.nets import finding, weights
from move37.nets.fast_cpu import FastRunner
from move37.nets.finding import user_folder
from tests.support.http_files import http_files
from tests.support.katago_files import write
from tests.support.katago_random import random_katago_file
from tests.support.leela_files import leela_lines, write_leela
from tests.support.networks import small_network

Streams = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("MOVE37_NETS", str(tmp_path / "my nets"))
    monkeypatch.setattr(finding, "_katrain_packages", list)
    return tmp_path


def fill() -> None:
    """Two networks and a page of HTML in the user's folder."""
    weights.save(small_network(head="pooled", sizes=[5, 13]), user_folder() / "a.safetensors")
    write_leela(user_folder() / "b c.txt.gz", leela_lines())
    (user_folder() / "page.bin.gz").write_text("<html>")


def kilobytes(path: Path) -> str:
    return f"{path.stat().st_size / 1000:.1f} kB"


def json_of(*arguments: str, capfd: Streams) -> Any:
    assert cli.run([*arguments, "--json"]) == 0
    streams = capfd.readouterr()
    assert streams.err == ""
    return json.loads(streams.out)


def sentence(*arguments: str | Path, capfd: Streams) -> str:
    assert cli.run([str(argument) for argument in arguments]) == 2
    streams = capfd.readouterr()
    assert streams.out == "" and streams.err.count("\n") == 1
    return streams.err.removeprefix("move37: ").rstrip("\n")


def test_list_is_a_table_and_problems_are_beside_it(capfd: Streams) -> None:
    fill()
    assert cli.run(["nets", "list"]) == 0
    streams = capfd.readouterr()
    a, b = kilobytes(user_folder() / "a.safetensors"), kilobytes(user_folder() / "b c.txt.gz")
    assert streams.out.splitlines() == [
        "name                 format        blocks  boards      encoder    komi        runs on  size     where",
        "master-19x19-8x128   move37 1      8x128   19x19       alphago49  5.5 to 7.5  fast     4.9 MB   bundled",
        "policy-19x19-8x128   move37 1      8x128   19x19       alphago48  5.5 to 7.5  fast     4.8 MB   bundled",
        "policy-9x9-6x64      move37 1      6x64    9x9         alphago48  6.5 to 7.5  fast     1.1 MB   bundled",
        "reinforced-9x9-6x64  move37 1      6x64    9x9         alphago48  6.5 to 7.5  fast     1.1 MB   bundled",
        "value-9x9-6x64       move37 1      6x64    9x9         alphago49  6.5 to 7.5  fast     1.1 MB   bundled",
        "zero-9x9-6x64        move37 1      6x64    9x9         zero17     6.5 to 7.5  fast     1.9 MB   bundled",
        f"a                    move37 1      2x8     5x5, 13x13  zero17     any         fast     {a}  yours",
        f"b c                  Leela Zero 1  2x4     5x5         leela18    7.5         fast     {b}  yours",
    ]
    assert streams.err.splitlines() == [
        f"move37: {user_folder()}/page.bin.gz: expected a network of move37 (.safetensors), KataGo (.bin.gz, .txt.gz) "
        "or Leela Zero (.txt, .gz), found a page of HTML or XML.",
        f"your folder: {user_folder()}",
    ]


def test_list_as_json(capfd: Streams) -> None:
    fill()
    found = json_of("nets", "list", capfd=capfd)
    assert [one["name"] for one in found[-4:]] == ["zero-9x9-6x64", "a", "b c", "page"]
    assert found[-2] == {
        "name": "b c",
        "path": str(user_folder() / "b c.txt.gz"),
        "where": "yours",
        "runs_on": ["fast CPU path", "torch"],
        "file_bytes": (user_folder() / "b c.txt.gz").stat().st_size,
        "format": "Leela Zero 1",
        "blocks": 2,
        "channels": 4,
        "encoder": "leela18",
        "boards": "5x5",
        "komi": "7.5",
        "problem": "",
    }
    assert found[-1]["format"] is None and "HTML" in found[-1]["problem"]


def test_a_network_that_cannot_be_loaded_is_told_and_the_others_are_listed(capfd: Streams) -> None:
    fill()
    (user_folder() / "a.safetensors").write_bytes((user_folder() / "a.safetensors").read_bytes()[:-1])
    assert cli.run(["nets", "list"]) == 0
    streams = capfd.readouterr()
    assert "\na " not in streams.out and "\nb c " in streams.out
    assert "a.safetensors: expected" in streams.err


def test_info_in_words(capfd: Streams) -> None:
    fill()
    assert cli.run(["nets", "info", "b c"]) == 0
    assert capfd.readouterr().out.splitlines()[:12] == [
        "name: b c",
        f"path: {user_folder()}/b c.txt.gz",
        "format: Leela Zero 1",
        f"file: {kilobytes(user_folder() / 'b c.txt.gz')}",
        "blocks: 2 of 4 channels",
        "parameters: 2,817",
        "layers: 30",
        "inputs: leela18, 18 planes and 0 globals",
        "outputs: policy, value",
        "boards: 5x5",
        "komi: 7.5",
        "rules: tromp-taylor",
    ]


def test_info_names_the_file_first_and_the_network_inside_if_it_has_another_name(capfd: Streams) -> None:
    fill()
    assert cli.run(["nets", "info", "a"]) == 0
    assert capfd.readouterr().out.splitlines()[:2] == ["name: a", "network: zero-2x8"]
    weights.save(small_network(), user_folder() / "zero-2x8.safetensors")
    assert cli.run(["nets", "info", "zero-2x8"]) == 0
    assert "network:" not in capfd.readouterr().out


def test_what_needs_torch_is_told_by_the_list_and_at_once_by_what_would_play(
    monkeypatch: pytest.MonkeyPatch, capfd: Streams
) -> None:
    user_folder().mkdir()
    write(user_folder() / "t.bin.gz", random_katago_file(15, ("attention",), "SILU").parts())
    assert cli.run(["nets", "list"]) == 0
    assert "  torch  " in capfd.readouterr().out
    monkeypatch.setitem(sys.modules, "torch", None)
    assert cli.run(["nets", "list"]) == 0
    assert "  needs torch  " in capfd.readouterr().out
    for command in (["gtp"], ["play"], ["match", "random", "katago"], ["benchmark", "net"]):
        player = ["--player", "katago"] if len(command) == 1 else []
        assert cli.run([*command, *player, "--net", "t"]) == 2
        streams = capfd.readouterr()  # where nothing is compiled yet, a line says so before
        assert streams.out == "" and streams.err.splitlines()[-1].endswith(
            "needs torch, which is not installed; install it with: pip install 'move37[gpu]'."
        )


def test_info_as_json(capfd: Streams) -> None:
    fill()
    found = json_of("nets", "info", "a", capfd=capfd)
    assert found["board_sizes"] == [[5, 5], [13, 13]] and found["blocks"] == 2


def test_convert_keeps_everything(home: Path, capfd: Streams) -> None:
    fill()
    out = home / "new ü" / "c.safetensors"
    assert cli.run(["nets", "convert", "b c", str(out)]) == 0
    assert capfd.readouterr().out == f"{out}: {kilobytes(out)}\n"
    first, second = weights.load(weights.find("b c")), weights.load(out)
    assert (first.spec, first.graph) == (second.spec, second.graph)
    for name, array in first.arrays.items():
        np.testing.assert_array_equal(second.arrays[name], array)
    assert "is there already; --force replaces it" in sentence("nets", "convert", "a", out, capfd=capfd)
    assert cli.run(["nets", "convert", "a", str(out), "--force"]) == 0
    assert weights.load(out).spec.board_sizes == ((5, 5), (13, 13))


def test_convert_keeps_a_part(home: Path, capfd: Streams) -> None:
    fill()
    out = home / "part.safetensors"
    assert cli.run(["nets", "convert", "a", str(out), "--outputs", "value", "--name", "judge"]) == 0
    assert capfd.readouterr().out == f"{out}: {kilobytes(out)}\n"
    whole, part = weights.load(weights.find("a")), weights.load(out)
    assert part.spec.name == "judge" and part.graph.outputs.keys() == {"value"}
    assert 0 < part.graph.parameter_count < whole.graph.parameter_count
    assert not any(node.name.startswith("policy") for node in part.graph.nodes)
    planes = np.random.default_rng(0).random((2, whole.spec.planes, 5, 5), np.float32)
    numbers = np.zeros((2, whole.spec.globals), np.float32)
    np.testing.assert_array_equal(
        FastRunner(part).run(planes, numbers)["value"], FastRunner(whole).run(planes, numbers)["value"]
    )
    told = sentence("nets", "convert", "a", out, "--outputs", "value,moves", "--force", capfd=capfd)
    assert "has no output moves; it has policy, value" in told


def test_files_to_write_have_their_endings(home: Path, capfd: Streams) -> None:
    assert "should end in .safetensors" in sentence("nets", "convert", "zero-9x9-6x64", home / "x.gz", capfd=capfd)
    told = sentence("nets", "convert", "zero-9x9-6x64", home / "x.onnx", capfd=capfd)
    assert told.endswith("should end in .safetensors; nets export writes .onnx")


def test_get_saves_a_network_for_later(home: Path, capfd: Streams) -> None:
    content = write_leela(home / "x.gz", leela_lines()).read_bytes()
    with http_files({"some net.txt.gz": content, "some%20net.txt.gz": content}) as site:
        assert cli.run(["nets", "get", f"{site}/some%20net.txt.gz"]) == 0
        streams = capfd.readouterr()
        path = user_folder() / "some net.txt.gz"
        assert streams.out == f"{path}: Leela Zero 1, {kilobytes(path)}\n"
        assert streams.err == "use it with: --net 'some net'\n"
        assert cli.run(["nets", "get", f"{site}/none.gz"]) == 2
        assert "404" in capfd.readouterr().err
    assert cli.run(["nets", "info", "some net"]) == 0


def test_get_refuses_what_is_no_address(capfd: Streams) -> None:
    assert "write https://... or http://..." in sentence("nets", "get", "net.gz", capfd=capfd)


def test_export_without_onnx_says_how_to_install_it(
    home: Path, capfd: Streams, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "onnx", None)
    for name in ("move37.nets.onnx_export", "move37.nets.onnx_nodes"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    told = sentence("nets", "export", "zero-9x9-6x64", home / "x.onnx", capfd=capfd)
    assert told == "this needs onnx, which is not installed; install it with: pip install 'move37[onnx]'"


def test_export_writes_a_model(home: Path, capfd: Streams) -> None:
    onnx: Any = pytest.importorskip("onnx", reason="the extra [onnx] is not installed")
    fill()
    out = home / "a.onnx"
    assert cli.run(["nets", "export", "a", str(out), "--size", "13"]) == 0
    assert capfd.readouterr().out == (
        f"{out}: {kilobytes(out)}, inputs spatial [batch, 17, 13, 13], outputs policy, value\n"
    )
    assert onnx.load(out).graph.input[0].type.tensor_type.shape.dim[2].dim_value == 13
    assert "is made for 5x5, 13x13, not for 9x9" in sentence(
        "nets", "export", "a", out, "--size", "9", "--force", capfd=capfd
    )
    assert "should end in .onnx" in sentence("nets", "export", "a", home / "a.txt", capfd=capfd)


def test_a_list_needs_no_writable_home(home: Path, monkeypatch: pytest.MonkeyPatch, capfd: Streams) -> None:
    monkeypatch.setenv("MOVE37_NETS", os.devnull)
    assert cli.run(["nets", "list"]) == 0
    assert "zero-9x9-6x64" in capfd.readouterr().out
