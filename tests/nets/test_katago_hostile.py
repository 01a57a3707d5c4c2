"""Damaged and hostile KataGo files: one sentence with the path, in bounded memory, and never another kind of error."""

from __future__ import annotations

import gzip
import os
import re
import tracemalloc
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from move37.errors import NetworkFileError
from move37.nets import katago, katago_tokens
from tests.support.katago_files import Array, Nested, Part, spelled, write
from tests.support.katago_random import random_katago_file
from tests.support.shared import SHARED

BLOCKS = ("ordinary", "gpool", "nested", "attention", "attention-fixed", "ffn")
MESSAGE_LIMIT = 400


def parts_with(label: str, value: str | float | Array, at: int = 0) -> list[Part]:
    """A network of every kind of block, with the part `label` (the one numbered `at` of them) replaced."""
    parts = random_katago_file(17, BLOCKS, "MISH", "board").parts()
    index = [i for i, part in enumerate(parts) if part[0] == label][at]
    parts[index] = (label, value)
    return parts


def error_of(path: Path) -> str:
    with pytest.raises(NetworkFileError) as caught:
        katago.load(path)
    message = str(caught.value)
    assert message.startswith(f"{path}: ")
    assert message.endswith(".")
    assert message.isprintable()
    assert len(message) - len(str(path)) < MESSAGE_LIMIT
    return message.removeprefix(f"{path}: ")


def told_at(path: Path) -> tuple[str, int]:
    """The error of a file, and the most bytes that were allocated at once on the way to it."""
    tracemalloc.start()
    try:
        return error_of(path), tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_what_the_parts_are_made_of_loads(tmp_path: Path) -> None:
    assert katago.load(write(tmp_path / "net.bin.gz", parts_with("name", "fine"))).spec.name == "fine"


@pytest.mark.parametrize(
    ("label", "value", "reason"),
    [
        ("version", 7, "format version 8 to 17, found version 7"),
        ("version", 18, "format version 8 to 17, found version 18"),
        ("version", -8, "a whole number from 0 to 10000, but is '-8'"),
        ("version", "8.0", "the version of the format should be a whole number"),
        ("version", "9" * 5000, "over 1,000 characters"),
        ("name", "net\x1b[31m", "does not begin with a name"),
        ("name", "n" * 300, "does not begin with a name"),
        ("planes", 13, "should read 22 planes, but reads 13"),
        ("globals", 14, "should read 19 global inputs, but reads 14"),
        ("multiplier", -20, "a number greater than 0, but is '-20'"),
        ("multiplier", "nan", "but is 'nan'"),
        ("multiplier", "1_0", "but is '1_0'"),
        ("multiplier", "1e999", "but is '1e999'"),
        ("meta encoder", 1, "imitates people and reads 192 inputs"),
        ("suicide area", 2, "a whole number from 0 to 1, but is '2'"),
        ("reserved", 1, "a reserved number of the network should be 0, but is '1'"),
        ("blocks", 0, "the number of blocks should be a whole number from 1"),
        ("blocks", 10**9, "the number of blocks should be a whole number"),
        ("blocks", 7, "the kind of block6 should be one of ordinary_block"),
        ("blocks", 5, "the name of trunk_norm|the channels of trunk_norm"),
        ("channels", 10**9, "the number of channels should be a whole number"),
        ("channels", 7, "input_conv should have 7 filters, but has 6"),
        ("tip kind", 2, "the kind of norm at the trunk's end"),
        ("tip kind", 0, "trunk_norm"),
        ("tip groups", 4, "the group size of trunk_norm should be 0, but is '4'"),
        ("tip spatial", -1, "whether trunk_norm is spatial"),
        ("block kind", "dilated_block", "should be one of ordinary_block, .*, but is 'dilated_block'"),
        ("block kind", "\x00\x07", "the kind of block0"),
        ("inner blocks", 0, "the number of blocks in block2 should be a whole number from 1"),
        ("inner blocks", -1, "the number of blocks in block2"),
        ("inner blocks", 2048, "at most 2048 blocks"),
        ("conv size", 10**9, "the kernel of input_conv should be a whole number from 1 to 37"),
        ("conv size", 1, "square kernel of odd size, but has 1x3"),
        ("conv dilation", 0, "the dilation of input_conv"),
        ("norm size", 5, "the channels of block0_norm1 should be 6 as in the layers before, but is 5"),
        ("norm epsilon", 0, "the epsilon of block0_norm1 should be a number greater than 0"),
        ("norm has scale", 7, "whether block0_norm1 has a scale"),
        ("norm variance", -np.ones(6, np.float32), "the variance of block0_norm1 should be greater than 0"),
        ("norm mean", np.full(6, np.nan, np.float32), "the mean of block0_norm1 should be finite"),
        ("conv weights", np.full((3, 3, 22, 6), np.inf, np.float32), "the weights of input_conv should be finite"),
        ("activation kind", "ACTIVATION_GELU", "should be one of ACTIVATION_IDENTITY, .* but is 'ACTIVATION_GELU'"),
        ("attention size", 0, "the number of heads of block3"),
        ("attention size", 5, "heads that share keys evenly"),
        ("attention rope", 3, "whether block3 turns its keys"),
        ("rope base", -1, "the base of the frequencies of block4"),
        ("ffn gated", 0, "without a gate"),
        ("ffn size", 4, "the channels of block5 should be 6"),
        ("matrix size", 18, "the input of input_globals should be 19"),
        ("bias size", 4, "the size of the bias of policy_pass_hidden should be 5"),
        ("policy channels", 3, "policy channels should be 2 or 4, but is 3"),
        ("policy channels", 4, "policy_conv2 should have 4 filters"),
    ],
)
@pytest.mark.parametrize("name", ["net.bin", "net.txt.gz"])
def test_what_is_wrong_is_named(label: str, value: str | float | Array, reason: str, name: str, tmp_path: Path) -> None:
    message = error_of(write(tmp_path / name, parts_with(label, value)))
    if isinstance(value, np.ndarray) and ".txt" in name and not np.isfinite(value).all():
        reason = "should be numbers, but one is '(nan|inf)'"
    assert re.search(reason, message)


def test_a_file_of_every_length_short_of_the_whole_is_cut_short(tmp_path: Path) -> None:
    whole = random_katago_file(15, BLOCKS, "SILU").parts()
    path = tmp_path / "net"
    for binary in (True, False):
        data = spelled(whole, binary).rstrip()
        for length in [*range(0, 200, 7), *range(200, len(data), len(data) // 60)]:
            path.write_bytes(data[:length])
            assert re.search(r"cut short|more than the file holds|begin with @BIN@|number", error_of(path))


def test_a_packed_file_that_ends_early_or_is_damaged_is_told(tmp_path: Path) -> None:
    path = write(tmp_path / "net.bin.gz", random_katago_file(8).parts())
    data = path.read_bytes()
    for length in (3, 20, 500, len(data) // 2, len(data) - 5):
        path.write_bytes(data[:length])
        assert "cannot be unpacked" in error_of(path)
    path.write_bytes(data[:-8] + bytes(8))
    assert "CRC check failed" in error_of(path)
    path.write_bytes(data + b"more")
    assert "cannot be unpacked" in error_of(path)


def test_what_follows_the_last_layer_is_refused(tmp_path: Path) -> None:
    data = spelled(random_katago_file(8).parts())
    path = tmp_path / "net.bin"
    path.write_bytes(data + b"\n \n" * 100_000)
    assert katago.load(path).spec.name == "made-up_net"
    for more in (b"x", b"\n" * 200_000 + b"\x00", data):
        path.write_bytes(data + more)
        assert "something follows the last layer" in error_of(path)


def test_files_of_other_kinds_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "net.bin.gz"
    rng = np.random.default_rng(0)
    for data in (
        b"",
        b"\n",
        b"(;GM[1]SZ[9])" * 500,
        rng.bytes(5000),
        b"\x1f\x8b",
        gzip.compress(b""),
        b"1\n0.5 0.25\n",
    ):
        path.write_bytes(data)
        error_of(path)
    path.unlink()
    assert "No such file" in error_of(path)
    path.mkdir()
    assert "a folder, a pipe or a device" in error_of(path)
    os.mkfifo(tmp_path / "pipe")
    assert "a folder, a pipe or a device" in error_of(tmp_path / "pipe")
    with pytest.raises(NetworkFileError, match="there is no such name"):
        katago.load("net\0.bin")


def test_bottlenecks_in_bottlenecks_have_a_floor(tmp_path: Path) -> None:
    file = random_katago_file(14, ("nested",), "MISH", channels=4)
    nested = file.blocks[0]
    assert isinstance(nested, Nested)
    file.blocks = [replace(nested, inner=[replace(nested)])]
    assert katago.load(write(tmp_path / "net.bin.gz", file.parts())).spec.name == "made-up_net"
    labels = [label for label, _ in file.parts()]
    start = labels.index("block kind")
    inner = labels.index("block kind", start + 1)
    endless = file.parts()[:start] + file.parts()[start:inner] * 5000
    assert "block0_inner0_inner0_inner0 lies 4 blocks deep" in error_of(write(tmp_path / "net.bin.gz", endless))


def test_a_promise_of_more_than_the_file_holds_costs_no_memory(tmp_path: Path) -> None:
    huge = 65_536
    parts = parts_with("channels", huge)
    for at, size in enumerate((37, 37, 22, huge)):
        index = [i for i, part in enumerate(parts) if part[0] == "conv size"][at]
        parts[index] = ("conv size", size)
    for name in ("net.bin", "net.bin.gz", "net.txt", "net.txt.gz"):
        path = write(tmp_path / name, parts)
        katago_error = "should be 1,973,813,248 numbers, which is more than the file holds"
        message, peak = told_at(path)
        assert peak < 2 * 2**20
        assert katago_error in message


def test_a_bomb_is_refused_before_it_bursts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(katago_tokens, "RATIO_SLACK", 2**20)
    parts = random_katago_file(8).parts()
    start = [label for label, _ in parts].index("conv weights")
    head = spelled(parts[:start])
    fillers = {
        b" ": "unpacks to far more than a network of its size holds",
        b"w": "the weights of input_conv should be numbers, but one is 'www",
        b"0 ": "the input of input_globals should be a whole number",
        b"@BIN@" + bytes(2**20): "the name of input_globals should be a word, but is over",
    }
    for filler, reason in fillers.items():
        path = tmp_path / "net.gz"
        path.write_bytes(gzip.compress(head + filler * (2**26 // len(filler)), 1))
        assert path.stat().st_size < 2**19
        message, peak = told_at(path)
        assert reason in message
        assert peak < 2**20


def test_a_bomb_after_the_last_layer_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(katago_tokens, "RATIO_SLACK", 2**20)
    path = tmp_path / "net.gz"
    path.write_bytes(gzip.compress(spelled(random_katago_file(8).parts()) + b" " * 2**26, 1))
    assert "unpacks to far more" in error_of(path)


def test_more_memory_than_there_is_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise MemoryError

    path = write(tmp_path / "net.bin", random_katago_file(8).parts())
    monkeypatch.setattr(np, "empty", full)
    assert "needs more memory than there is" in error_of(path)


NASTY = [
    b"-1",
    b"0",
    b"1000000000000",
    b"nan",
    b"@BIN@",
    b"\xff",
    b"",
    b"1 " * 100,
    b"w" * 3000,
    b"nested_bottleneck_block",
]


def mutated(data: bytes, rng: np.random.Generator) -> bytes:
    """`data` with bytes flipped, taken out, doubled, or with a nasty word among them, mostly near its beginning."""
    at = int(rng.integers(len(data)) * rng.random() ** 3)
    length = int(rng.integers(1, 40))
    match int(rng.integers(5)):
        case 0:
            return data[:at] + rng.bytes(length) + data[at + length :]
        case 1:
            return data[:at] + data[at + length :]
        case 2:
            return data[:at] + data[at : at + length] + data[at:]
        case 3:
            return data[:at] + bytes([data[at] ^ (1 << int(rng.integers(8)))]) + data[at + 1 :]
        case _:
            start = data.find(b"\n", at) + 1
            nasty = NASTY[int(rng.integers(len(NASTY)))]
            return data[:start] + nasty + b"\n" + data[data.find(b"\n", start) + 1 :]


def fuzz(data: bytes, path: Path, times: int, seed: int) -> int:
    """Load `data` with faults; returns how often it was refused. Other errors than the one meant are raised."""
    rng = np.random.default_rng(seed)
    messages: list[str] = []
    for _ in range(times):
        path.write_bytes(mutated(data, rng))
        try:
            network = katago.load(path)
        except NetworkFileError as error:
            messages.append(str(error).removeprefix(str(path)))
        else:
            assert all(np.isfinite(array).all() for array in network.arrays.values())
    assert all(len(message) < MESSAGE_LIMIT and message.isprintable() for message in messages)
    return len(messages)


@pytest.mark.parametrize("binary", [True, False])
@pytest.mark.parametrize(("version", "tip"), [(8, "batch"), (13, "batch"), (17, "board")])
def test_random_faults_never_end_in_another_error(version: int, tip: str, binary: bool, tmp_path: Path) -> None:
    blocks = BLOCKS if version == 17 else BLOCKS[:3]
    data = spelled(random_katago_file(version, blocks, "RELU", tip).parts(), binary)
    assert fuzz(data, tmp_path / "net", 150, version) > 50


@pytest.mark.skipif(not SHARED.is_dir(), reason="shared is absent")
def test_random_faults_in_real_networks(tmp_path: Path) -> None:
    for seed, path in enumerate(sorted((SHARED / "katago" / "nets").glob("*.bin.gz"))):
        assert fuzz(gzip.decompress(path.read_bytes()), tmp_path / "net", 15, seed) > 0
        assert fuzz(path.read_bytes(), tmp_path / "net", 5, seed) == 5
