"""KataGo files of every version and kind load into networks that compute what the files say."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from move37.nets import katago, ops
from move37.nets.fast_cpu import FastRunner
from move37.nets.folding import fold_batch_norm
from move37.nets.graph import KataGoSpec
from move37.nets.katago_tokens import GZIP_MAGIC
from move37.nets.torch_net import inference_module
from tests.support import slow_katago
from tests.support.katago_files import GLOBALS, PLANES, KataGoFile, spelled, write
from tests.support.katago_random import random_katago_file
from tests.support.slow_network import forward

CONVOLUTIONS = ("ordinary", "gpool", "nested", "dilated")


def inputs(rows: int, cols: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    rng = np.random.default_rng(5)
    planes = rng.normal(size=(2, PLANES, rows, cols)).astype(np.float32)
    return planes, rng.normal(size=(2, GLOBALS)).astype(np.float32)


def check(file: KataGoFile, path: Path, rows: int = 4, cols: int = 3) -> None:
    """The loaded network gives what the file says, in the plain twin and in torch."""
    network = katago.load(write(path, file.parts()))
    planes, globals_ = inputs(rows, cols)
    expected = [slow_katago.outputs(file, *position) for position in zip(planes, globals_, strict=True)]
    found = forward(network, planes, globals_)
    with torch.inference_mode():
        by_torch = inference_module(network)(torch.from_numpy(planes), torch.from_numpy(globals_))
    assert found.keys() == expected[0].keys() == by_torch.keys()
    for name, values in found.items():
        wanted = np.stack([answer[name] for answer in expected])
        assert np.ptp(wanted) > 0.1, "nothing would be tested"
        np.testing.assert_allclose(values, wanted, rtol=1e-5, atol=1e-5)
        np.testing.assert_allclose(by_torch[name].numpy(), wanted, rtol=1e-3, atol=1e-4)


@pytest.mark.parametrize("version", katago.VERSIONS)
def test_every_version(version: int, tmp_path: Path) -> None:
    activation = "RELU" if version < 11 else "MISH"
    file = random_katago_file(version, CONVOLUTIONS, activation, seed=version)
    check(file, tmp_path / "net.bin.gz")


@pytest.mark.parametrize(("version", "activation"), [(8, "RELU"), (12, "MISH"), (14, "SILU"), (16, "IDENTITY")])
def test_the_fast_path_answers_alike(version: int, activation: str, tmp_path: Path) -> None:
    file = random_katago_file(version, CONVOLUTIONS[:3], activation, seed=version)
    network = katago.load(write(tmp_path / "net.bin.gz", file.parts()))
    planes, globals_ = inputs(7, 5)
    expected = [slow_katago.outputs(file, *position) for position in zip(planes, globals_, strict=True)]
    for name, values in FastRunner(network).run(planes, globals_).items():
        np.testing.assert_allclose(values, np.stack([answer[name] for answer in expected]), rtol=1e-3, atol=1e-4)


@pytest.mark.parametrize(
    "kind", ["ordinary", "gpool", "nested", "ffn", "attention", "attention-fixed", "attention-plain"]
)
def test_every_kind_of_block(kind: str, tmp_path: Path) -> None:
    check(random_katago_file(17, (kind,), "SILU"), tmp_path / "net.bin.gz", rows=3, cols=5)


def test_only_norms_at_the_start_of_blocks_and_of_the_heads_are_not_folded(tmp_path: Path) -> None:
    network = katago.load(write(tmp_path / "net.bin.gz", random_katago_file(14, CONVOLUTIONS, "MISH").parts()))
    left = {node.name for node in fold_batch_norm(network).graph.nodes if isinstance(node.op, ops.BatchNorm)}
    starts = {f"{block}_norm1" for block in ("block0", "block1", "block2", "block3", "block2_inner0", "block2_inner1")}
    assert left == starts | {"block2_norm2", "trunk_norm"}


@pytest.mark.parametrize("tip", ["batch", "point", "board"])
@pytest.mark.parametrize("version", [15, 17])
def test_transformers_with_every_norm_at_their_end(tip: str, version: int, tmp_path: Path) -> None:
    file = random_katago_file(version, ("nested-attention", "attention-fixed", "ffn"), "SILU", tip)
    check(file, tmp_path / "net.bin.gz")


@pytest.mark.parametrize("activation", ["RELU", "MISH", "SILU", "IDENTITY"])
def test_every_activation(activation: str, tmp_path: Path) -> None:
    check(random_katago_file(14, CONVOLUTIONS[:3], activation), tmp_path / "net.bin.gz")


@pytest.mark.parametrize("name", ["net.bin.gz", "net.bin", "net.txt.gz", "net.txt"])
def test_every_form_of_file_gives_the_same_numbers(name: str, tmp_path: Path) -> None:
    file = random_katago_file(14, CONVOLUTIONS, "MISH")
    expected = katago.load(write(tmp_path / "other.bin.gz", file.parts()))
    path = write(tmp_path / name, file.parts())
    assert (path.read_bytes()[:2] == GZIP_MAGIC) == name.endswith(".gz")
    assert (b"@BIN@" in spelled(file.parts(), ".bin" in name)) == (".bin" in name)
    for target in (path, tmp_path / "no suffix ü"):
        found = katago.load(path.rename(target))
        assert found.graph == expected.graph
        for key, array in expected.arrays.items():
            np.testing.assert_array_equal(found.arrays[key], array)
            assert found.arrays[key].flags.c_contiguous


def test_the_last_number_of_a_decimal_file_needs_no_newline(tmp_path: Path) -> None:
    path = tmp_path / "net.txt"
    file = random_katago_file(8)
    path.write_bytes(spelled(file.parts(), binary=False).rstrip())
    assert katago.load(path).arrays["ownership.weight"].reshape(-1)[-1] == file.value.ownership.weight[0, 0, -1, 0]


def test_what_a_file_says_of_itself_is_kept(tmp_path: Path) -> None:
    file = random_katago_file(17, activation="MISH")
    file.suicide_area = True
    spec = katago.load(write(tmp_path / "net.bin.gz", file.parts())).spec
    assert (spec.name, spec.encoder, spec.planes, spec.globals) == ("made-up_net", "katago22", 22, 19)
    assert spec.supports(7, 19)
    assert spec.katago == KataGoSpec(17, 21.0, 22.0, 23.0, 44.0, 0.5, 130.0, suicide_area=True)
    spec = katago.load(write(tmp_path / "net.bin.gz", random_katago_file(12).parts())).spec
    assert spec.katago == KataGoSpec(12, 20.0, 20.0, 20.0, 40.0, 0.25, 30.0, suicide_area=False)


def test_the_optimistic_policy_is_the_second_channel_of_versions_that_have_it(tmp_path: Path) -> None:
    for version, names in ((11, {"policy"}), (12, {"policy", "optimistic"}), (16, {"policy", "optimistic"})):
        network = katago.load(write(tmp_path / "net.bin.gz", random_katago_file(version).parts()))
        assert network.graph.outputs.keys() - {"value_logits", "misc", "ownership"} == names


def test_the_beginning_of_a_file_tells_its_kind() -> None:
    parts = random_katago_file(8).parts()
    assert katago.looks_like(spelled(parts)[:300])
    assert katago.looks_like(spelled(parts, binary=False)[:300])
    for other in (
        b"",
        b"1\n0.25 -0.5 0.125",
        b"2\n1 2",
        b'\x80\x00\x00\x00\x00\x00\x00\x00{"a"',
        b"(;GM[1]SZ[19];B[pd])",
    ):
        assert not katago.looks_like(other)


def test_a_gzip_file_of_several_members_loads(tmp_path: Path) -> None:
    data = spelled(random_katago_file(8).parts())
    path = tmp_path / "net.bin.gz"
    path.write_bytes(gzip.compress(data[:1000]) + gzip.compress(data[1000:]))
    assert katago.load(path).spec.name == "made-up_net"
