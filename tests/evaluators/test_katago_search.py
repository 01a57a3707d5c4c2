"""Our search beside KataGo's own with the same network: the same visits, values and choice, where KataGo was asked.

KataGo's figures are in the shared folder; what the search does without them is tested in `tests/search`.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from move37.evaluators.network import NetworkEvaluator
from move37.nets import katago
from move37.rules.position import Position
from move37.search import KataGoConfig, KataGoSearch, SearchResult
from tests.rules.test_katago_positions import replay
from tests.support.shared import SHARED

FOLDER = SHARED / "katago"
NETWORK = FOLDER / "nets" / "g170-b6c96-s175395328-d26788732.bin.gz"
FILE = FOLDER / "search_200v.json"
pytestmark = pytest.mark.skipif(not (FILE.exists() and NETWORK.exists()), reason="the shared folder is absent")
CASES: list[dict[str, Any]] = json.loads(FILE.read_text())["positions"] if FILE.exists() else []


@pytest.fixture(scope="module")
def evaluator() -> NetworkEvaluator:
    return NetworkEvaluator(katago.load(NETWORK))


@pytest.fixture(scope="module")
def positions() -> dict[str, Position]:
    stored = {entry["id"]: entry for entry in json.loads((FOLDER / "positions.json").read_text())["positions"]}
    return {case["id"]: replay(stored[case["id"]]) for case in CASES}


def shares(case: dict[str, Any], position: Position, result: SearchResult) -> tuple[np.ndarray, np.ndarray]:
    """Visits of KataGo's listed moves there and here."""
    listed = [move for move in case["symmetry0_run"]["moves"] if "isSymmetryOf" not in move]
    theirs = np.array([move["visits"] for move in listed])
    return theirs, np.array([result.visits[position.point(move["move"])] for move in listed])


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["id"]))
def test_the_same_search_as_katago(
    case: dict[str, Any], evaluator: NetworkEvaluator, positions: dict[str, Position]
) -> None:
    position = positions[case["id"]]
    result = KataGoSearch(evaluator, KataGoConfig(batch=1)).run(position, 200)
    assert result.analysis is not None
    reference = case["symmetry0_run"]
    theirs, ours = shares(case, position, result)
    assert abs(theirs - ours).sum() <= 6
    assert position.vertex(result.move) == reference["moves"][0]["move"]
    sign = 1 if case["to_play"] == "W" else -1
    white = 0.5 + sign * (result.analysis.winrate - 0.5)
    assert white == pytest.approx(reference["root"]["winrate"], abs=0.002)
    assert sign * result.analysis.utility == pytest.approx(reference["root"]["utility"], abs=0.005)
    assert sign * result.analysis.lead == pytest.approx(reference["root"]["scoreLead"], abs=0.05)
    assert result.analysis.weight == pytest.approx(reference["root"]["weight"], abs=0.01)
    for move in reference["moves"][:2]:
        action = position.point(move["move"])
        lcb = 0.5 + sign * (result.analysis.lcbs[action] - 0.5)
        assert lcb == pytest.approx(move["lcb"], abs=0.02)
        assert result.priors[action] == pytest.approx(move["prior"], abs=1e-4)


def test_batches_change_the_search_little(evaluator: NetworkEvaluator, positions: dict[str, Position]) -> None:
    """Virtual losses widen a search of 200 visits somewhat."""
    correlations: list[float] = []
    for case in CASES:
        position = positions[case["id"]]
        result = KataGoSearch(evaluator, KataGoConfig(batch=8)).run(position, 200)
        listed = {move["move"]: move["visits"] for move in case["symmetry0_run"]["moves"]}
        theirs = np.zeros(len(result.visits))
        for vertex, visits in listed.items():
            theirs[position.point(vertex)] = visits
        correlations.append(float(np.corrcoef(theirs, result.visits)[0, 1]))
    assert np.mean(correlations) > 0.8
