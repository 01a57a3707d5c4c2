"""Leela Zero's weights: the same numbers as a plain forward of the format gives, and one sentence for every damage."""

from __future__ import annotations

import gzip
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from move37.errors import NetworkFileError
from move37.features import encode
from move37.nets import facts, leela, leela_text, weights
from move37.nets.file_kind import kind_of
from move37.nets.graph import Network
from move37.rules.position import Position
from tests.support import slow_leela, slow_network
from tests.support.leela_files import Lines, leela_lines, write_leela
from tests.support.positions import random_position


def answer(network: Network, position: Position) -> tuple[NDArray[np.float64], float]:
    found = slow_network.forward(network, encode("leela18", [position]).spatial)
    return found["policy"][0], float(found["value"][0, 0])


def from_the_bottom(logits: NDArray[np.float64], side: int) -> NDArray[np.float64]:
    """Logits with the rows of the board in the opposite order, the pass staying last."""
    return np.append(logits[:-1].reshape(side, side)[::-1].ravel(), logits[-1])


@pytest.mark.parametrize("name", ["net.txt", "net.txt.gz", "net.gz", "b3e0ff2c"])
@pytest.mark.parametrize("version", [1, 2])
def test_a_network_answers_as_its_lines_say(tmp_path: Path, name: str, version: int) -> None:
    lines = leela_lines()
    network = weights.load(write_leela(tmp_path / name, lines, version))
    rng = np.random.default_rng(3)
    colors: set[str] = set()
    for moves in (0, 5, 6, 17):
        position = random_position(rng, 5, 5, moves)
        planes = slow_leela.leela18(position).astype(np.float64)
        logits, value = slow_leela.forward(lines, planes[:, ::-1])
        policy, found = answer(network, position)
        np.testing.assert_allclose(policy, from_the_bottom(logits, 5), atol=1e-5)
        for_player = value if version == 1 or position.to_play.name == "BLACK" else -value
        assert found == pytest.approx(for_player, abs=1e-5)
        assert abs(value) > 0.01
        colors.add(position.to_play.name)
    assert colors == {"BLACK", "WHITE"}


@pytest.mark.parametrize(("blocks", "filters", "side", "hidden"), [(0, 1, 1, 1), (1, 3, 2, 5), (3, 2, 9, 256)])
def test_sizes_follow_from_the_lines(tmp_path: Path, blocks: int, filters: int, side: int, hidden: int) -> None:
    lines = leela_lines(1, blocks, filters, side, hidden)
    network = leela.load(write_leela(tmp_path / "net.txt", lines))
    assert network.spec.board_sizes == ((side, side),)
    assert network.spec.encoder == "leela18"
    assert network.spec.komi_band == (7.5, 7.5)
    assert network.arrays["value_hidden.bias"].shape == (hidden,)
    assert sum(name.endswith("a_conv.weight") for name in network.arrays) == blocks
    position = random_position(np.random.default_rng(2), side, side, 3)
    logits, value = slow_leela.forward(lines, slow_leela.leela18(position).astype(np.float64)[:, ::-1])
    policy, found = answer(network, position)
    np.testing.assert_allclose(policy, from_the_bottom(logits, side), atol=1e-5)
    assert found == pytest.approx(value, abs=1e-5)


def test_torch_and_our_own_file_agree(tmp_path: Path) -> None:
    import torch

    from move37.nets.torch_net import inference_module

    network = leela.load(write_leela(tmp_path / "net.gz", leela_lines(5), 2))
    weights.save(network, tmp_path / "net.safetensors")
    again = weights.load(tmp_path / "net.safetensors")
    assert (again.spec, again.graph) == (network.spec, network.graph)
    position = random_position(np.random.default_rng(8), 5, 5, 7)
    policy, value = answer(network, position)
    with torch.inference_mode():
        found = inference_module(again)(torch.from_numpy(encode("leela18", [position]).spatial))
    np.testing.assert_allclose(found["policy"][0].numpy(), policy, atol=1e-5)
    assert float(found["value"][0]) == pytest.approx(value, abs=1e-5)


def test_the_name_is_the_files(tmp_path: Path) -> None:
    path = write_leela(tmp_path / "40b ü.txt.gz", leela_lines())
    assert leela.load(path).spec.name == "40b ü"


def refused(path: Path) -> str:
    with pytest.raises(NetworkFileError) as caught:
        leela.load(path)
    message = str(caught.value)
    assert message.startswith(f"{path}: ") and "\n" not in message
    return message


def change(line: int, numbers: Callable[[list[float]], list[float]]) -> Lines:
    lines = leela_lines()
    lines[line] = numbers(lines[line])
    return lines


@pytest.mark.parametrize(
    ("lines", "sentence"),
    [
        (change(0, lambda x: x[:-1]), "line 2: the input convolution should hold 162 numbers a filter, but has 647"),
        (change(0, lambda x: []), "line 2: the input convolution should hold 162 numbers a filter, but has 0"),
        (change(1, lambda x: x[:-1]), "line 3: biases of a convolution should hold 4 numbers, but holds 3"),
        (change(2, lambda x: [*x, 1.0]), "line 4: means of a norm should hold at most 4 numbers, but holds more"),
        (change(3, lambda x: [-v for v in x]), "line 5: variances of a norm should not be negative"),
        (change(4, lambda x: x[:-1]), "line 6: convolution 2 should hold 144 numbers (a residual block) or 8"),
        (change(8, lambda x: x[:8]), "line 10: convolution 3 should hold 144"),
        (change(12, lambda x: [np.nan, *x[1:]]), "line 14: convolution 4 should hold finite numbers"),
        (change(12, lambda x: [1e99, *x[1:]]), "line 14: convolution 4 should hold finite numbers"),
        (change(24, lambda x: x[:-1]), "line 26: the policy's dense layer fits no square board: it holds 1,299"),
        (
            change(30, lambda x: x[:-1]),
            "line 32: the value's hidden layer should hold 25 numbers a unit, but has 149",
        ),
        ([*leela_lines(), [1.0]], "line 36: the file should end here, but goes on"),
        (leela_lines()[:-1], "line 35: the value's bias is missing, the file is cut short"),
        (leela_lines()[:4], "line 6: convolution 2 is missing"),
    ],
)
def test_wrong_lines_are_named(tmp_path: Path, lines: Lines, sentence: str) -> None:
    assert sentence in refused(write_leela(tmp_path / "net.txt", lines))


@pytest.mark.parametrize("version", ["0", "3", "17", "1.0", "", "x" * 1000])
def test_other_versions_are_named(tmp_path: Path, version: str) -> None:
    message = refused(write_leela(tmp_path / "net.txt", leela_lines(), version))
    assert "expected Leela Zero weights of version 1 or 2" in message or "longer than it can be" in message


def test_words_among_the_numbers_are_named(tmp_path: Path) -> None:
    path = write_leela(tmp_path / "net.txt", leela_lines())
    path.write_bytes(path.read_bytes().replace(b"0.", b"o.", 1))
    assert "line 2: the input convolution should hold numbers (could not convert" in refused(path)


def test_white_space_and_other_line_ends_are_fine(tmp_path: Path) -> None:
    path = write_leela(tmp_path / "net.txt", leela_lines())
    path.write_bytes(path.read_bytes().replace(b"\n", b" \r\n") + b"\n\n")
    assert leela.load(path).spec.board_sizes == ((5, 5),)


@pytest.mark.parametrize("kept", [30, 300, 3000, -1])
def test_cut_gzip_is_named(tmp_path: Path, kept: int) -> None:
    path = write_leela(tmp_path / "net.gz", leela_lines())
    path.write_bytes(path.read_bytes()[:kept])
    message = refused(path)
    assert "gzip data is cut short or damaged" in message or "cut short" in message


def test_damaged_gzip_is_named(tmp_path: Path) -> None:
    path = write_leela(tmp_path / "net.gz", leela_lines())
    raw = bytearray(path.read_bytes())
    raw[1000:1010] = bytes(10)
    path.write_bytes(raw)
    assert "line" in refused(path) or "gzip data" in refused(path)


@pytest.mark.parametrize("filling", [b"0 ", b"7", b"\n", b" "])
def test_a_gzip_bomb_costs_little_memory(tmp_path: Path, filling: bytes) -> None:
    path = tmp_path / "bomb.gz"
    with gzip.open(path, "wb", compresslevel=1) as file:
        file.write(b"1\n0 0 0\n" if filling == b"\n" else b"1\n")
        for _ in range(64):
            file.write(filling * (2**20 // len(filling)))
    tracemalloc.start()
    message = refused(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert "longer than it can be" in message or "numbers" in message
    assert peak < 16 * 2**20


def test_blocks_without_end_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leela, "MAX_BLOCKS", 3)
    leela.load(write_leela(tmp_path / "3.txt", leela_lines(blocks=3)))
    assert "more than 3 blocks" in refused(write_leela(tmp_path / "4.txt", leela_lines(blocks=4)))
    monkeypatch.setattr(leela, "MAX_PARAMETERS", 4 * 144)
    assert "or 576 parameters" in refused(write_leela(tmp_path / "3.txt", leela_lines(blocks=3)))


@pytest.mark.parametrize("name", ["net.txt", "net.gz"])
@pytest.mark.parametrize("seed", range(40))
def test_random_damage_is_a_sentence_or_a_network(tmp_path: Path, name: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    path = write_leela(tmp_path / name, leela_lines(side=2, filters=2))
    raw = bytearray(path.read_bytes())
    for _ in range(int(rng.integers(1, 4))):
        at, length = int(rng.integers(len(raw))), int(rng.integers(1, 40))
        match int(rng.integers(4)):
            case 0:
                raw[at] = int(rng.integers(256))
            case 1:
                del raw[at : at + length]
            case 2:
                raw[at:at] = rng.bytes(length)
            case _:
                raw[at:at] = rng.choice([b"\n", b" 1", b"e", b"-", b"nan", b"1_0", b"\0", b"1e38"])
    path.write_bytes(raw)
    for read in (weights.load, weights.load_description, glance):
        message = ""
        try:
            read(path)
        except NetworkFileError as error:
            message = str(error)
        assert not message or (message.startswith(str(path)) and "\n" not in message)


def glance(path: Path) -> object:
    return facts.glance(path, kind_of(path))


def test_a_file_that_unpacks_to_far_more_than_its_size_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_leela(tmp_path / "net.gz", leela_lines())
    monkeypatch.setattr(leela_text, "RATIO_SLACK", 0)
    monkeypatch.setattr(leela_text, "MOST_RATIO", 1)
    for read in (leela.load, leela.read_size):
        with pytest.raises(NetworkFileError, match="unpacks to far more"):
            read(path)
