"""Networks as evaluators: batches, sizes, komi, damaged outputs, threads, and the friendly object."""

from __future__ import annotations

import warnings
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from move37.errors import ConfigError, NetworkFileError
from move37.evaluators.network import LoadedNetwork, NetworkEvaluator, load_network
from move37.features import encode
from move37.nets import weights
from move37.nets.graph import Network
from move37.rules.position import Position
from move37.search.evaluator import Evaluations
from tests.support.networks import small_network
from tests.support.positions import batch, random_position
from tests.support.slow_network import forward


def some_games(count: int = 6) -> list[Position]:
    rng = np.random.default_rng(4)
    return [random_position(rng, 5, 5, 3 * i) for i in range(count)]


def with_array(network: Network, name: str, value: float) -> Network:
    arrays = dict(network.arrays) | {name: np.full(network.arrays[name].shape, value, np.float32)}
    return Network(network.spec, network.graph, arrays)


@pytest.mark.parametrize("head", ["paper", "pooled"])
def test_logits_and_values_are_those_of_the_plain_twin(head: str) -> None:
    network = small_network(head=head)
    found = NetworkEvaluator(network).evaluate(batch(some_games()))
    expected = forward(network, encode("zero17", some_games()).spatial)
    assert found.policy.dtype == found.value.dtype == np.float32
    np.testing.assert_allclose(found.policy, expected["policy"], atol=1e-4)
    np.testing.assert_allclose(found.value, expected["value"][:, 0], atol=1e-5)


@pytest.mark.parametrize("max_batch", [1, 4, 6])
def test_long_batches_are_cut(max_batch: int) -> None:
    whole = NetworkEvaluator(small_network()).evaluate(batch(some_games()))
    cut = NetworkEvaluator(small_network(), max_batch=max_batch).evaluate(batch(some_games()))
    np.testing.assert_allclose(cut.policy, whole.policy, atol=1e-5)
    np.testing.assert_allclose(cut.value, whole.value, atol=1e-6)


def test_two_threads_get_the_right_answers() -> None:
    evaluator = NetworkEvaluator(small_network())
    boards = batch(some_games())
    expected = evaluator.evaluate(boards)

    def evaluate(i: int) -> Evaluations:
        return evaluator.evaluate(boards[i % 6 : i % 6 + 1])

    with ThreadPoolExecutor(2) as pool:
        for i, found in enumerate(pool.map(evaluate, range(60))):
            np.testing.assert_allclose(found.policy[0], expected.policy[i % 6], atol=1e-5)


def test_another_board_size_is_refused_in_one_sentence() -> None:
    network = LoadedNetwork(small_network(), NetworkEvaluator(small_network()))
    with pytest.raises(ConfigError) as caught:
        network.evaluate([Position(size=19)])
    assert str(caught.value) == (
        "The network zero-2x8 is made for 5x5, not for 19x19; choose another network or board size."
    )


def test_another_komi_warns_once() -> None:
    evaluator = NetworkEvaluator(small_network(komi_band=(5.5, 7.5)))
    evaluator.evaluate(batch([Position(size=5, komi=komi) for komi in (5.5, 7, 7.5)]))
    with pytest.warns(UserWarning, match="zero-2x8 was trained for komi 5.5 to 7.5, but this game has 0.5"):
        evaluator.evaluate(batch([Position(size=5, komi=7.5), Position(size=5, komi=0.5)]))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        evaluator.evaluate(batch([Position(size=5, komi=9.5)]))


@pytest.mark.parametrize(
    ("name", "wrong"), [("policy_dense.bias", np.nan), ("policy_dense.bias", np.inf), ("value_dense.bias", np.nan)]
)
def test_outputs_that_are_not_numbers_stop_loudly(name: str, wrong: float) -> None:
    evaluator = NetworkEvaluator(with_array(small_network(), name, wrong))
    with pytest.raises(NetworkFileError, match=r"^The network zero-2x8 gave outputs that are not finite"):
        evaluator.evaluate(batch(some_games()))


def test_an_encoder_that_does_not_fit_or_exist_is_named() -> None:
    with pytest.raises(ConfigError, match="expects 16 planes and 0 globals, but its encoder zero17 writes 17 and 0"):
        NetworkEvaluator(small_network(planes=16))
    with pytest.raises(ConfigError, match="no encoder 'zero99'"):
        NetworkEvaluator(small_network(encoder="zero99"))


def test_a_device_that_does_not_exist_is_named() -> None:
    with pytest.raises(ConfigError, match="device 'abacus' cannot be used"):
        NetworkEvaluator(small_network(), device="abacus")


def test_a_loaded_network_answers_with_probabilities_over_legal_moves(tmp_path: Path) -> None:
    path = tmp_path / "réseau 9.safetensors"
    weights.save(small_network(), path)
    network = load_network(path)
    games = some_games()
    answer = network.evaluate(games)
    raw = NetworkEvaluator(small_network()).evaluate(batch(games))
    np.testing.assert_allclose(answer.policy.sum(axis=1), 1.0, atol=1e-6)
    for i, game in enumerate(games):
        legal = game.legal_mask()
        assert (answer.policy[i][~legal] == 0.0).all()
        assert (answer.policy[i][legal] > 0.0).all()
        odds = np.log(answer.policy[i][legal])
        np.testing.assert_allclose(odds - odds[0], raw.policy[i][legal] - raw.policy[i][legal][0], atol=1e-3)
    np.testing.assert_array_equal(answer.value, raw.value)
    assert answer.ownership is None
    assert answer.score is None
    assert network.spec == small_network().spec
    assert repr(network) == "<network zero-2x8: zero17, 5x5>"


def test_a_wrong_path_is_named() -> None:
    with pytest.raises(NetworkFileError, match=r"no such net\.safetensors: expected a network file or a bundled name"):
        load_network("no such net.safetensors")


@pytest.mark.parametrize("threads", [0, -1, 1_000_000])
def test_a_number_of_threads_that_torch_would_not_survive_is_refused(threads: int) -> None:
    with pytest.raises(ConfigError, match="can run on 1 to 1024 threads"):
        NetworkEvaluator(small_network(), threads=threads)


def test_a_network_without_a_value_is_named() -> None:
    network = small_network()
    graph = replace(network.graph, outputs={"policy": network.graph.outputs["policy"]})
    with pytest.raises(ConfigError, match="has no value output"):
        NetworkEvaluator(Network(network.spec, graph, network.arrays))
