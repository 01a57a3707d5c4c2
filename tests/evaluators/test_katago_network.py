"""KataGo's networks as evaluators: every field of their answers, and KataGo's own answers where its networks are."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

from move37.errors import ConfigError
from move37.evaluators.backends import Backend
from move37.evaluators.network import LoadedNetwork, NetworkEvaluator, load_network
from move37.nets.graph import Network
from move37.rules.color import Color
from move37.rules.position import Position
from move37.search.evaluator import masked_softmax
from tests.rules.test_katago_positions import POSITIONS, replay
from tests.support.networks import katago_network
from tests.support.positions import batch, random_position
from tests.support.shared import SHARED

FOLDER = SHARED / "katago"
CONVOLUTIONS = "g170-b6c96-s175395328-d26788732"
TRANSFORMERS = ("b7c96h3tfrs-test5-cnorm", "b7c96h6kv3qk32v16tflrs-fson-bnh")


def loaded(**options: Any) -> LoadedNetwork:
    return LoadedNetwork(katago_network(), NetworkEvaluator(katago_network(), **options))


def some_games() -> list[Position]:
    rng = np.random.default_rng(8)
    return [random_position(rng, 7, 6, 4 * i) for i in range(5)]


def test_an_answer_has_every_field() -> None:
    answer = loaded().evaluate(some_games())
    np.testing.assert_allclose(answer.policy.sum(axis=1), 1.0, atol=1e-6)
    np.testing.assert_allclose(answer.win + answer.loss + answer.no_result, 1.0, atol=1e-6)
    np.testing.assert_allclose(answer.win - answer.loss, answer.value, atol=1e-6)
    assert (answer.no_result == 0).all()  # Tromp–Taylor's rules know none
    assert answer.lead is not None and answer.score is answer.lead
    assert answer.score_mean is not None and answer.score_stdev is not None and (answer.score_stdev > 0).all()
    assert answer.ownership is not None and answer.ownership.shape == (5, 7, 6)


def test_a_simple_ko_may_leave_no_result() -> None:
    answer = loaded().evaluate([Position(size=5, rules="chinese")])
    assert answer.no_result[0] > 0
    assert float(answer.win[0] + answer.loss[0] + answer.no_result[0]) == pytest.approx(1)


def test_an_answer_shows_as_much_of_the_optimistic_policy_as_katago_at_its_root() -> None:
    network, games = loaded(), some_games()
    found = network.evaluator.evaluate(batch(games))
    assert found.optimistic is not None
    legal = np.stack([game.legal_mask() for game in games])
    for options, share in (({}, 0.2), ({"optimism": 0.0}, 0.0), ({"optimism": 1.0}, 1.0)):
        mixed = (found.policy + (found.optimistic - found.policy) * np.float32(share)).astype(np.float32)
        expected = masked_softmax(mixed, legal)
        np.testing.assert_allclose(network.evaluate(games, **options).policy, expected, atol=1e-6)


def test_long_batches_are_cut_in_every_field() -> None:
    whole, cut = (loaded(max_batch=size).evaluator.evaluate(batch(some_games())) for size in (100, 2))
    for name in type(whole).__dataclass_fields__:
        values = getattr(whole, name)
        np.testing.assert_allclose(getattr(cut, name), values, atol=1e-5 * max(1, np.abs(values).max()), err_msg=name)


def test_a_network_without_an_output_is_named() -> None:
    network = katago_network()
    outputs = {output: node for output, node in network.graph.outputs.items() if output != "misc"}
    with pytest.raises(
        ConfigError, match=r"has no misc output; a search needs policy and value_logits and misc and ow"
    ):
        NetworkEvaluator(Network(network.spec, replace(network.graph, outputs=outputs), network.arrays))


@cache
def stored_answers(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((FOLDER / f"raw_nn_{name}.json").read_text("utf-8"))["results"]
    return found


@pytest.mark.skipif(not (FOLDER / "nets").is_dir(), reason="needs the networks of the shared folder")
@pytest.mark.parametrize(
    ("name", "backend"), [(CONVOLUTIONS, "fast"), (CONVOLUTIONS, "torch"), *((name, "torch") for name in TRANSFORMERS)]
)
def test_answers_are_katago_s_own(name: str, backend: Backend) -> None:
    """From the position to the answer: inputs, network, and what its outputs mean, under all its rulesets."""
    network = load_network(FOLDER / "nets" / f"{name}.bin.gz", backend=backend)
    assert network.evaluator.runner.name.startswith(backend)
    answers = stored_answers(name)
    entries = [entry for entry in POSITIONS if entry["id"] in answers]
    assert len(entries) == len(answers) >= 20
    for entry in entries:
        position, expected = replay(entry), answers[entry["id"]]
        answer = network.evaluate(position)
        white = 1 if position.to_play is Color.WHITE else -1
        results = (answer.win, answer.loss)[::white]
        assert float(results[0][0]) == pytest.approx(expected["whiteWin"], abs=1e-4)
        assert float(results[1][0]) == pytest.approx(expected["whiteLoss"], abs=1e-4)
        assert float(answer.no_result[0]) == pytest.approx(expected["noResult"], abs=1e-4)
        policy = [0.0 if share is None else share for share in expected["policy"]]
        np.testing.assert_allclose(answer.policy[0], policy, atol=1e-4)
        assert answer.ownership is not None and answer.lead is not None and answer.score_mean is not None
        np.testing.assert_allclose(white * answer.ownership.ravel(), expected["whiteOwnership"], atol=1e-3)
        assert white * float(answer.lead[0]) == pytest.approx(expected["whiteLead"], abs=0.01)
        assert white * float(answer.score_mean[0]) == pytest.approx(expected["whiteScoreSelfplay"], abs=0.01)
