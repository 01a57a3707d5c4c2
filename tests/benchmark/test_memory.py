"""The benchmark of memory, with trees small enough for a test: its children run, and what they found is checked."""

from __future__ import annotations

import sys

import pytest

from move37.benchmark import memory
from move37.benchmark.figures import BenchmarkError


@pytest.mark.skipif(sys.platform == "win32", reason="the system does not say how much memory a process took")
def test_a_child_says_what_it_grew_and_took() -> None:
    found = memory.in_child("puct", "grow", 3000)
    assert found["nodes"] == 3000
    assert 20 < found["before"] <= found["peak"] < 4000  # where it has to compile first, mostly for that


def test_figures_are_of_a_million_nodes_and_of_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, str, int]] = []

    def child(kind: str, what: str, number: int) -> dict[str, float]:
        asked.append((kind, what, number))
        return {"nodes": number, "moves": memory.MOVES, "pruned": 5.0, "before": 100.0, "peak": 290.0}

    monkeypatch.setattr(memory, "in_child", child)
    figures = list(memory.memory_group())
    assert [one.value for one in figures] == [290.0, 290.0, 190.0, 190.0]
    assert figures[0].ratio == pytest.approx(1500 / 290)  # less is better
    assert asked[1] == ("puct", "grow", 1_000_000)


@pytest.mark.parametrize("wrong", [{"nodes": 10}, {"moves": 1}, {"pruned": 0}])
def test_a_wrong_result_gives_no_figure(monkeypatch: pytest.MonkeyPatch, wrong: dict[str, float]) -> None:
    right = {"nodes": memory.NODES, "moves": memory.MOVES, "pruned": 5.0, "before": 100.0, "peak": 290.0}

    def child(kind: str, what: str, number: int) -> dict[str, float]:
        return right | wrong

    monkeypatch.setattr(memory, "in_child", child)
    with pytest.raises(BenchmarkError, match="check failed"):
        list(memory.memory_group())


def test_a_child_that_fails_is_told_in_a_sentence() -> None:
    with pytest.raises(BenchmarkError, match="was to be measured ended with"):
        memory.in_child("nothing", "grow", 10)
