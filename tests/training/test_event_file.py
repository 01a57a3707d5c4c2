"""Events as TensorBoard itself reads them back."""

from __future__ import annotations

import resource
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from move37.training.event_file import EventFile


def scalars(folder: Path, tag: str) -> list[tuple[int, float]]:
    accumulator: Any = import_module("tensorboard.backend.event_processing.event_accumulator")
    return [(event.step, event.value) for event in accumulator.EventAccumulator(str(folder)).Reload().Scalars(tag)]


def test_tensorboard_reads_what_was_written(tmp_path: Path) -> None:
    events = EventFile(tmp_path / "围棋 run", 0)
    events.write(5, {"train/loss": 2.5, "train/value": 0.5})
    events.write(10, {"train/loss": 1.25})
    assert scalars(tmp_path / "围棋 run", "train/loss") == [(5, 2.5), (10, 1.25)]
    assert scalars(tmp_path / "围棋 run", "train/value") == [(5, 0.5)]


def test_a_resumed_run_voids_the_events_after_its_start(tmp_path: Path) -> None:
    before = EventFile(tmp_path, 0)
    for step in (5, 10, 15):
        before.write(step, {"loss": float(step)})
    after = EventFile(tmp_path, 11)
    after.write(15, {"loss": 0.5})
    assert scalars(tmp_path, "loss") == [(5, 5.0), (10, 10.0), (15, 0.5)]


def test_a_full_disk_is_the_callers_error(tmp_path: Path) -> None:
    events = EventFile(tmp_path, 0)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10, limits[1]))
    try:
        with pytest.raises(OSError, match="too large"):
            events.write(1, {"loss": 1.0})
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
