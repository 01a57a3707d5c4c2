"""The example runs, compares what it says it compares, and notices planes that differ."""

from __future__ import annotations

import importlib.util
import sys
from types import ModuleType

import pytest

from tests.support.shared import ROOT


@pytest.fixture(scope="module")
def example() -> ModuleType:
    path = ROOT / "examples" / "compare_encoders.py"
    spec = importlib.util.spec_from_file_location("compare_encoders", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def test_it_prints_three_rows_of_times(
    example: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["compare_encoders.py", "--count", "30"])
    example.main()
    head, *rows = capsys.readouterr().out.splitlines()
    assert head.startswith("30 extractions on 19x19")
    assert [row.split(maxsplit=2)[:2] for row in rows] == [
        ["naive", "Python,"],
        ["move37,", "article48"],
        ["move37,", "alphago48"],
    ]
    for row in rows:
        slow, fast, ratio = (float(number) for number in row.split()[-3:])
        assert slow > fast > 0
        assert ratio > 1


def test_planes_that_differ_are_told(example: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    (sample,) = example.samples(1, seed=1)
    example.check(sample)
    right = example.naive_48(sample)
    right[43, 0, 0] += 1

    def wrong(_: object) -> object:
        return right

    monkeypatch.setattr(example, "naive_48", wrong)
    with pytest.raises(ValueError, match="The 48 planes differ at"):
        example.check(sample)
