"""Files of networks: everything is kept, and every damage is one sentence with the path, expected and found."""

from __future__ import annotations

import errno
import gzip
import json
import math
import os
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from safetensors.numpy import load_file, save_file  # pyright: ignore[reportUnknownVariableType]  # its stubs leave a type open

from move37.errors import NetworkFileError
from move37.files import read_bytes
from move37.nets import own_file, weights
from move37.nets.ops import Attention
from move37.nets.torch_net import with_training
from tests.support.katago_files import write as write_katago
from tests.support.katago_random import random_katago_file
from tests.support.leela_files import leela_lines, write_leela
from tests.support.networks import small_network


@pytest.fixture
def path(tmp_path: Path) -> Path:
    target = tmp_path / "net.safetensors"
    weights.save(small_network(), target)
    return target


def rewrite(path: Path, change: Callable[[dict[str, Any]], None]) -> None:
    """Change the JSON header of a file and leave its arrays."""
    raw = path.read_bytes()
    length = int.from_bytes(raw[:8], "little")
    header = json.loads(raw[8 : 8 + length])
    change(header)
    text = json.dumps(header).encode()
    path.write_bytes(len(text).to_bytes(8, "little") + text + raw[8 + length :])


def resave(path: Path, **changes: NDArray[Any]) -> None:
    """Replace arrays (double underscores stand for dots) and keep the metadata."""
    raw = path.read_bytes()
    header = json.loads(raw[8 : 8 + int.from_bytes(raw[:8], "little")])
    arrays = load_file(path) | {name.replace("__", "."): array for name, array in changes.items()}
    save_file(arrays, path, header["__metadata__"])


def error_of(path: Path) -> str:
    with pytest.raises(NetworkFileError) as caught:
        weights.load(path)
    message = str(caught.value)
    assert message.startswith(f"{path}: ")
    assert "\n" not in message
    return message


@pytest.mark.parametrize("name", ["net.safetensors", "囲碁 net ü.safetensors", "no folder yet/ß/net"])
@pytest.mark.parametrize("head", ["paper", "pooled"])
def test_a_saved_network_loads_equal(tmp_path: Path, name: str, head: str) -> None:
    network = small_network(head=head, komi_band=(6.5, 7.5), name="zero ü")
    network = with_training(network, {"steps": 3, "top1": 0.25, "data": ["ogs"]})
    weights.save(network, tmp_path / name)
    again = weights.load(str(tmp_path / name))
    assert again.spec == network.spec
    assert again.graph == network.graph
    assert again.arrays.keys() == network.arrays.keys()
    for key, array in network.arrays.items():
        np.testing.assert_array_equal(again.arrays[key], array)


def test_a_description_loads_without_its_arrays(path: Path) -> None:
    spec, graph = weights.load_description(path)
    network = small_network()
    assert (spec, graph) == (network.spec, network.graph)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    assert "cannot be read (No such file" in error_of(tmp_path / "none")
    assert "cannot be read (Is a directory" in error_of(tmp_path)


@pytest.mark.parametrize("kept", [0, 5, 8, 100, 3000, -1])
def test_a_truncated_file_is_named(path: Path, kept: int) -> None:
    raw = path.read_bytes()
    path.write_bytes(raw[:kept])
    assert "cut short" in error_of(path)


def test_added_bytes_are_noticed(path: Path) -> None:
    path.write_bytes(path.read_bytes() + bytes(4))
    assert "bytes of arrays, found" in error_of(path)


FOREIGN = [
    (b"", "an empty file"),
    (b"(;GM[1]SZ[9])" * 50, "a game record"),
    (b"PK\x03\x04" + bytes(500), "a zip archive, such as PyTorch writes"),
    (pickle.dumps({"weights": [1.0] * 50}), "a Python pickle, which is never opened"),
    (b"<!DOCTYPE html><html></html>", "a page of HTML or XML"),
    (np.random.default_rng(0).bytes(5000), "something else"),
    (gzip.compress(np.random.default_rng(0).bytes(5000)), "something else"),
    (gzip.compress(b""), "an empty file"),
    (b"one\ntwo\nthree\n", "something else"),
]


def test_foreign_files_are_named(tmp_path: Path) -> None:
    path = tmp_path / "foreign"
    expected = (
        "expected a network of move37 (.safetensors), KataGo (.bin.gz, .txt.gz) or Leela Zero (.txt, .gz), found "
    )
    for content, found in FOREIGN:
        path.write_bytes(content)
        assert f"{expected}{found}." in error_of(path)
    path.write_bytes((6).to_bytes(8, "little") + b"[1, 2]")
    assert "found a JSON list" in error_of(path)
    path.write_bytes((6).to_bytes(8, "little") + b"{\xff{}{}")
    assert "expected a safetensors header" in error_of(path)
    save_file({"a": np.zeros(3, np.float32)}, path)
    assert "expected a move37 network" in error_of(path)


def test_another_format_version_is_named(path: Path) -> None:
    rewrite(path, lambda header: header["__metadata__"].update(format_version="2"))
    assert "expected format version 1, found 2" in error_of(path)


@pytest.mark.parametrize("key", ["spec", "graph"])
@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"nodes": [1], "outputs": {}}', '{"name": 3}'])
def test_a_damaged_spec_or_graph_is_named(path: Path, key: str, text: str) -> None:
    rewrite(path, lambda header: header["__metadata__"].update({key: text}))
    assert "spec or graph in its metadata is not valid" in error_of(path)


def test_a_missing_spec_is_named(path: Path) -> None:
    rewrite(path, lambda header: header["__metadata__"].pop("spec"))
    assert "spec or graph" in error_of(path)


def test_missing_and_foreign_arrays_are_named(path: Path) -> None:
    rewrite(path, lambda header: header.update(other=header.pop("input_conv.weight")))
    assert "'input_conv.weight' is missing" in error_of(path)


def test_an_array_too_many_is_named(path: Path) -> None:
    resave(path, extra=np.zeros(2, np.float32))
    assert "'extra' is not in the graph" in error_of(path)


def test_wrong_shapes_and_types_are_named(path: Path) -> None:
    resave(path, input_conv__weight=np.zeros((8, 16, 3, 3), np.float32))
    assert "'input_conv.weight' should be F32 [8, 17, 3, 3], but is ('F32', [8, 16, 3, 3])" in error_of(path)
    resave(path, input_conv__weight=np.zeros((8, 17, 3, 3), np.float64))
    assert "F64" in error_of(path)


def test_a_header_that_promises_more_than_the_file_holds_costs_no_memory(path: Path) -> None:
    def promise(header: dict[str, Any]) -> None:
        graph = json.loads(header["__metadata__"]["graph"])
        graph["nodes"][0]["settings"]["filters"] = 10**7
        header["__metadata__"]["graph"] = json.dumps(graph)
        header["input_conv.weight"]["shape"] = [10**7, 17, 3, 3]

    rewrite(path, promise)
    assert "bytes of arrays, found" in error_of(path)


@pytest.mark.parametrize("wrong", [np.nan, np.inf])
def test_numbers_that_are_not_finite_are_named(path: Path, wrong: float) -> None:
    array = np.zeros((8, 17, 3, 3), np.float32)
    array[3, 2, 1, 0] = wrong
    resave(path, input_conv__weight=array)
    assert "array 'input_conv.weight' should hold finite numbers" in error_of(path)


def test_a_graph_that_does_not_fit_its_spec_is_named(path: Path) -> None:
    def change(header: dict[str, Any]) -> None:
        spec = json.loads(header["__metadata__"]["spec"])
        header["__metadata__"]["spec"] = json.dumps(spec | {"board_sizes": [[9, 9]]})

    rewrite(path, change)
    assert "does not fit its spec" in error_of(path)


def test_a_full_disk_is_one_sentence_and_the_old_file_stays(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = path.read_bytes()

    def full(target: Path, data: bytes) -> int:
        target.write_text("half of it", encoding="utf-8")
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(NetworkFileError, match=r"could not be saved \(No space left on device\); free space") as caught:
        weights.save(small_network(1), path)
    assert str(caught.value).startswith(f"{path}: ")
    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]


def test_bundled_networks_load_and_are_found_by_name() -> None:
    for name, path in weights.bundled().items():
        assert weights.find(name) == path
        assert weights.load(path).spec.board_sizes


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("board_sizes", [[9.5, 9]]),
        ("board_sizes", [[1e400, 9]]),
        ("board_sizes", [[20, 20]]),
        ("komi_band", [7]),
        ("komi_band", [8, 7]),
        ("komi_band", [math.nan, 7]),
    ],
)
def test_a_spec_with_impossible_values_is_named(path: Path, key: str, value: object) -> None:
    def change(header: dict[str, Any]) -> None:
        spec = json.loads(header["__metadata__"]["spec"])
        header["__metadata__"]["spec"] = json.dumps(spec | {key: value})

    rewrite(path, change)
    assert "spec or graph in its metadata is not valid" in error_of(path)


@pytest.mark.parametrize("settings", [None, [], {"channels": 17, "filters": 8, "kernel": 3, "dilation": 0}])
def test_a_node_with_impossible_settings_is_named(path: Path, settings: object) -> None:
    def change(header: dict[str, Any]) -> None:
        graph = json.loads(header["__metadata__"]["graph"])
        graph["nodes"][0]["settings"] = settings
        header["__metadata__"]["graph"] = json.dumps(graph)

    rewrite(path, change)
    assert "spec or graph in its metadata is not valid" in error_of(path)


def test_json_too_deep_to_read_is_one_sentence(path: Path) -> None:
    rewrite(path, lambda header: header["__metadata__"].update(spec="[" * 100_000))
    assert "spec or graph" in error_of(path)
    path.write_bytes((200_000).to_bytes(8, "little") + b"[" * 200_000)
    assert "expected a safetensors header" in error_of(path)


def test_each_format_is_told_by_its_content(tmp_path: Path) -> None:
    own = tmp_path / "no-ending"
    weights.save(small_network(), own)
    assert weights.load(own).spec.encoder == "zero17"
    theirs = write_leela(tmp_path / "wrong.safetensors", leela_lines())
    network = weights.load(theirs)
    assert network.spec.encoder == "leela18"
    assert weights.load_description(theirs) == (network.spec, network.graph)


@pytest.mark.parametrize("name", ["net.bin.gz", "net.bin", "net.txt.gz", "net.txt", "net.safetensors"])
def test_katago_is_told_by_its_content_and_converts_without_loss(tmp_path: Path, name: str) -> None:
    blocks = ("ordinary", "gpool", "nested", "nested-attention", "attention-fixed", "ffn")
    path = write_katago(tmp_path / name, random_katago_file(17, blocks, "SILU").parts())
    network = weights.load(path)
    assert network.spec.katago is not None and network.spec.katago.version == 17
    weights.save(network, tmp_path / "converted")
    again = weights.load(tmp_path / "converted")
    assert (again.spec, again.graph) == (network.spec, network.graph)
    for key, array in network.arrays.items():
        np.testing.assert_array_equal(again.arrays[key], array)


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.gz")
    assert "it is a pipe or a device" in error_of(tmp_path / "pipe.gz")


def test_cut_and_damaged_gzip_is_named(tmp_path: Path) -> None:
    path = tmp_path / "net.bin.gz"
    path.write_bytes(gzip.compress(b"name\n8\n22\n")[:8])
    assert "found an empty file" in error_of(path)
    path.write_bytes(b"\x1f\x8b" + bytes(range(200)))
    assert "gzip data is cut short or damaged" in error_of(path)


def described(path: Path, graph: dict[str, Any], **spec: Any) -> str:
    """Why a file with the graph and these words in its spec is refused; it has no arrays."""
    whole: dict[str, Any] = {
        "name": "n",
        "encoder": "zero17",
        "planes": 17,
        "globals": 0,
        "board_sizes": [],
        "training": {},
    }
    whole |= {"rules": "chinese", "pass_rule": "trained"} | spec
    metadata = {"format": "move37", "format_version": "1", "spec": json.dumps(whole), "graph": json.dumps(graph)}
    save_file({}, path, metadata)
    return error_of(path)


def nodes(*triples: tuple[str, str, list[str]]) -> list[dict[str, Any]]:
    """Nodes without settings as JSON, of their names, operations and inputs."""
    return [{"name": name, "op": op, "inputs": inputs, "settings": {}} for name, op, inputs in triples]


def test_a_small_description_of_a_huge_computation_is_refused(path: Path) -> None:
    doubled = nodes(*((f"c{i}", "Concat", [f"c{i - 1}" if i else "spatial"] * 2) for i in range(60)))
    assert "would give" in described(path, {"nodes": doubled, "outputs": {}})
    many = nodes(*((f"r{i}", "Relu", ["spatial"]) for i in range(10_000)))
    assert "no network has more than" in described(path, {"nodes": many, "outputs": {}})
    with pytest.raises(ValueError, match="more than memory allows"):
        Attention(17, heads=2000, kv_heads=1, key_size=1, value_size=1).output_shape((17, 19, 19))


def test_a_network_for_any_size_is_tried_on_two(path: Path) -> None:
    graph = {"nodes": nodes(("f", "Flatten", ["spatial"])), "outputs": {"policy": "f"}}
    assert "does not fit its spec (policy has shape" in described(path, graph)
    assert "names node 'spatial'" in described(path, {"nodes": [], "outputs": {"misc": "spatial"}})


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        ({"name": "a\x1b[31m"}, "name should be a text of one line"),
        ({"encoder": "x" * 5000}, "encoder should be a text of one line"),
        ({"planes": 10**30}, "planes should be a number from 1 to"),
        ({"planes": True}, "planes should be a number"),
        ({"globals": -1}, "globals should be a number from 0"),
        ({"board_sizes": [[9, 9]] * 100_000}, "a board size is named twice"),
    ],
)
def test_words_and_numbers_of_a_spec_have_bounds(path: Path, spec: dict[str, Any], sentence: str) -> None:
    message = described(path, {"nodes": [], "outputs": {}}, **spec)
    assert sentence in message
    assert len(message) < len(str(path)) + 400


def test_a_file_that_changes_while_it_is_read_is_told(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = path.with_name("other")
    weights.save(small_network(blocks=1), other)

    def swapped(source: Path, most: int) -> bytes:
        return read_bytes(other, most)

    monkeypatch.setattr(own_file, "read_bytes", swapped)
    assert "the arrays could not be read (arrays missing or not asked for" in error_of(path)


def test_too_little_memory_is_told(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(source: Path, most: int) -> bytes:
        raise MemoryError

    monkeypatch.setattr(own_file, "read_bytes", full)
    assert "needs more memory than there is" in error_of(path)
