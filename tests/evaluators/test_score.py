"""The lead of a network with a score: the same by every way of computing it, in points, and right for every komi."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import move37 as go
from move37.evaluators.network import NetworkEvaluator
from move37.nets import weights
from move37.nets.graph import SCORE_UNIT, Network
from move37.nets.onnx_export import to_onnx
from move37.search.puct import SearchConfig
from move37.search.root import Search
from move37.search.two_networks import TwoNetworks
from tests.support.networks import small_network, small_policy
from tests.support.positions import random_position

HEADS = ("paper", "pooled")


def scored(head: str = "pooled") -> Network:
    return small_network(head=head, score=True)


def positions() -> list[go.Position]:
    return [random_position(np.random.default_rng(seed), 5, 5, seed) for seed in range(6)]


@pytest.mark.parametrize("head", HEADS)
def test_torch_the_fast_path_and_onnx_agree(head: str) -> None:
    network = scored(head)
    boards = np.concatenate([position.board_array for position in positions()])
    fast, slow = (NetworkEvaluator(network, backend=way).evaluate(boards) for way in ("fast", "torch"))
    assert fast.lead is not None and slow.lead is not None
    np.testing.assert_allclose(fast.lead, slow.lead, rtol=1e-4, atol=1e-3)
    assert np.ptp(fast.lead) > 0.01  # it does look at the position
    onnxruntime = pytest.importorskip("onnxruntime")
    session = onnxruntime.InferenceSession(to_onnx(network).SerializeToString(), providers=["CPUExecutionProvider"])
    planes = go.encode("zero17", positions()).spatial
    (score,) = session.run(["score"], {"spatial": planes})
    komi = np.where(boards["to_play"] == 1, -boards["komi"], boards["komi"])
    np.testing.assert_allclose(SCORE_UNIT * score[:, 0] + komi, fast.lead, rtol=1e-4, atol=1e-3)


def test_komi_is_taken_off_for_black_and_given_to_white() -> None:
    evaluator = NetworkEvaluator(scored())
    for moves, sign in (([], -1), (["C3"], 1)):  # Black to move, then White
        leads = []
        for komi in (0.0, 6.5):
            position = go.Position(5, komi=komi)
            position.play_many(moves)
            found = evaluator.evaluate(position.board_array).lead
            assert found is not None
            leads.append(float(found[0]))
        assert leads[1] - leads[0] == pytest.approx(sign * 6.5, abs=1e-4)


def test_a_saved_network_answers_with_its_score(tmp_path: Path) -> None:
    weights.save(scored(), tmp_path / "scored.safetensors")
    answer = go.load_network(tmp_path / "scored.safetensors").evaluate(go.Position(5, komi=3))
    assert answer.lead is not None and answer.score is answer.lead
    weights.save(small_network(), tmp_path / "plain.safetensors")
    assert go.load_network(tmp_path / "plain.safetensors").evaluate(go.Position(5)).lead is None


def test_a_search_reports_the_lead() -> None:
    evaluator = NetworkEvaluator(scored())
    search = Search(evaluator, SearchConfig(batch=1), np.random.default_rng(1))
    root = evaluator.evaluate(go.Position(5, komi=3).board_array).lead
    first = search.run(go.Position(5, komi=3), 1).analysis
    assert first is not None and root is not None
    assert first.lead == pytest.approx(float(root[0]), abs=1e-3)
    result = search.run(go.Position(5, komi=3), 20)
    assert result.analysis is not None
    visited = result.visits > 0
    assert np.isfinite(result.analysis.leads[visited]).all()


def test_a_pair_keeps_what_its_value_network_says_of_the_score() -> None:
    value = NetworkEvaluator(scored())
    pair = TwoNetworks(NetworkEvaluator(small_policy(), heads=("policy",)), value)
    boards = go.Position(5).board_array
    np.testing.assert_array_equal(pair.evaluate(boards).lead, value.evaluate(boards).lead)
