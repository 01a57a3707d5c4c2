"""Queries that KataGo 1.18.1 answered with one of the shared networks: the same visits, numbers and order."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from move37.analysis.engine import Engine
from move37.analysis.settings import Settings
from move37.players.presets import katago
from tests.support.shared import SHARED

NETWORK = SHARED / "katago" / "nets" / "g170-b6c96-s175395328-d26788732.bin.gz"
TABLE = Path(__file__).parents[1] / "data" / "katago_analysis.jsonl"
"""Queries with KataGo's answers: one search thread, wideRootNoise 0, nnRandomize false, ignorePreRootHistory false."""

CASES: list[dict[str, Any]] = [json.loads(line) for line in TABLE.read_text(encoding="utf-8").splitlines()]
WORDS = ("move", "order", "isSymmetryOf", "currentPlayer")
TOLERANCE = 2e-3


def same(found: dict[str, Any], expected: dict[str, Any]) -> None:
    """Every field expected is there, and as expected."""
    for name, value in expected.items():
        if name in WORDS:
            assert found[name] == value, name
        else:
            assert found[name] == pytest.approx(value, rel=TOLERANCE, abs=TOLERANCE), name


@pytest.mark.skipif(not NETWORK.exists(), reason="needs the shared networks")
def test_answers_are_katagos() -> None:
    player = katago(net=NETWORK, batch=1, symmetry="none")
    answers: dict[str, dict[str, Any]] = {}
    settings = Settings(view="SIDETOMOVE", ignore_history=False)
    engine = Engine(player, lambda answer: answers.update({answer["id"]: answer}), settings, parallel=16, batch=1)
    for number, case in enumerate(CASES):
        engine.receive(json.dumps({**case["query"], "id": str(number)}))
    engine.finish()
    for number, case in enumerate(CASES):
        answer = answers[str(number)]
        same(answer["rootInfo"], case["rootInfo"])
        best = [info["move"] for info in case["moveInfos"] if info["edgeVisits"] > 1]
        assert [info["move"] for info in answer["moveInfos"]][: len(best)] == best
        found = {info["move"]: info for info in answer["moveInfos"]}
        assert set(found) == {info["move"] for info in case["moveInfos"]}
        for info in case["moveInfos"]:
            expected = info if info["edgeVisits"] > 1 else {**info, "order": found[info["move"]]["order"]}
            if "isSymmetryOf" in info and "isSymmetryOf" not in found[info["move"]]:
                raise AssertionError(f"{info['move']} was searched")
            same(found[info["move"]], expected)
    player.close()


def test_the_table_is_of_the_field_sets_that_we_answer() -> None:
    assert len(CASES) >= 14
    assert {case["rootInfo"]["currentPlayer"] for case in CASES} == {"B", "W"}
