"""Networks of other programs as a player's source: read once, told at once when damaged, named without endings."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from move37.errors import NetworkFileError
from move37.nets import weights
from move37.players.network_source import NetworkSource
from move37.players.presets import policy
from move37.rules.position import Position
from tests.support import slow_leela
from tests.support.leela_files import leela_lines, write_leela


def test_another_programs_file_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_leela(tmp_path / "lz.txt.gz", leela_lines())
    read: list[Path | str] = []
    load = weights.load

    def counted(path: Path | str) -> object:
        read.append(path)
        return load(path)

    monkeypatch.setattr(weights, "load", counted)
    source = NetworkSource(path)
    assert source.name == "lz"
    assert source.supports(5, 5) and not source.supports(9, 9)
    assert source.evaluator(5, 5) is source.evaluator(5, 5)
    assert read == [path]


def test_a_damaged_file_is_told_at_once(tmp_path: Path) -> None:
    with pytest.raises(NetworkFileError, match="the value's bias is missing"):
        NetworkSource(write_leela(tmp_path / "lz.txt", leela_lines()[:-1]))


def test_a_network_of_leela_zero_chooses_the_move_it_likes_best(tmp_path: Path) -> None:
    lines = leela_lines(4)
    lines[-9][-1] = -50.0  # the pass's bias
    position = Position.from_moves(["C3", "B2", "D4"], size=5, komi=7.5)
    logits, _ = slow_leela.forward(lines, slow_leela.leela18(position).astype(np.float64)[:, ::-1])
    by_point = logits[:-1].reshape(5, 5)[::-1].ravel()
    best = max((point for point in range(25) if position.is_legal(point)), key=lambda point: by_point[point])
    assert policy(net=write_leela(tmp_path / "lz.txt", lines)).choose(position).move == best
